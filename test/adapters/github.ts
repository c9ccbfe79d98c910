/** The adapter under test, and a clock that does not wait. */

import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import type { GitHubOptions } from '../../src/adapters/github/client.ts'
import { createGitHubPorts } from '../../src/adapters/github/github.ts'
import { readProxies } from '../../src/core/proxy.ts'
import type { Clock } from '../../src/usecases/ports.ts'

/** A clock that advances only during sleeps; `waits` lists the milliseconds of each sleep. */
export function sleepyClock(): Clock & { waits: number[] } {
  const waits: number[] = []
  let now = 0
  const sleep = async (ms: number) => {
    waits.push(ms)
    now += ms
  }
  return { waits, now: () => now, date: () => now, sleep }
}

/** The GitHub ports for an API URL. */
export function connect(apiUrl: string, options: Partial<GitHubOptions> = {}) {
  return createGitHubPorts({
    token: sandboxGitHubToken,
    apiUrl,
    proxy: readProxies({}).proxy,
    cancelled: new AbortController().signal,
    clock: sleepyClock(),
    deadline: 3_600_000,
    ...options,
  })
}
