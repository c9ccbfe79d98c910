/** A step in mode settle, with GitHub and a platform in memory. */

import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { SettleInputs } from '../../src/core/inputs/schema.ts'
import type { HttpRequest } from '../../src/core/job/job.ts'
import type { Exchange } from '../../src/core/job/response.ts'
import type { SettleResult } from '../../src/core/settle.ts'
import type { PullEvent } from '../../src/core/trigger/event.ts'
import { settle } from '../../src/life/settle.ts'
import type { LogEntry } from '../../src/say/messages.ts'
import { writes } from '../../src/steps/ports.ts'
import type { GitHubPorts } from '../../src/usecases/ports.ts'
import { Calls, Killed, type Mishap } from './github.ts'
import { key, Stage } from './step.ts'
import { start } from './world.ts'

const opened = (openedBranch: string | undefined): PullEvent | null =>
  openedBranch === undefined ? null : { number: 101, openedBranch, author: 'mintlify[bot]' }

export interface Options {
  inputs?: Record<string, string>
  calls?: Calls
  openedBranch?: string
  /** The event's pull request. */
  pull?: PullEvent
  /** The workflow's repository; `acme/docs` by default. */
  repository?: string
  cancelled?: AbortSignal
  /** The response to a poll, instead of the platform's usual one; undefined for the usual one. */
  read?: (id: string) => Exchange | undefined
  github?: (ports: GitHubPorts) => Partial<GitHubPorts>
}

export function inputsOf(given: Record<string, string>): SettleInputs {
  const account = { mode: 'settle', 'project-id': 'docs', 'api-key': key, 'github-token': 'x' }
  const parsed = parseInputs({ ...account, ...given }, { isComment: false, now: start })
  if (!parsed.ok || parsed.inputs.mode !== 'settle') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

/** The different states that a settle leaves if one of the mishaps happens at one of its calls. */
export async function leftBy(
  mishaps: readonly Mishap[],
  begun: Stage,
  run: (stage: Stage, calls: Calls) => Promise<unknown>,
): Promise<{ after: string; stage: Stage }[]> {
  const saved = begun.save()
  const straight = new Calls()
  await run(begun, straight)
  const left = new Map<string, { after: string; stage: Stage }>()
  for (const [at, call] of straight.made.entries())
    for (const mishap of mishaps) {
      const stage = Stage.from(saved)
      await run(stage, new Calls((number) => (number === at ? mishap : undefined)))
      const after = `${JSON.stringify(mishap)} at call ${at + 1}, ${call}`
      left.set(stage.save().toString('latin1'), { after, stage })
    }
  return [...left.values()]
}

/** A step in mode settle; its result is undefined if the step was killed. */
export async function settleOn(stage: Stage, options: Options = {}) {
  const { calls = new Calls(), openedBranch, cancelled = new AbortController().signal } = options
  const { platform } = stage
  const inputs = inputsOf(options.inputs ?? {})
  const progress: LogEntry[] = []
  const ports = stage.ports(calls, (...seen) => void progress.push(...seen))
  const exchange = async (request: HttpRequest): Promise<Exchange> => {
    const id = request.path.split('/')[5] ?? ''
    const name = request.method === 'GET' ? 'read job' : 'send'
    const read = await calls.make(name, id, () => options.read?.(id) ?? platform.carryOut(request))
    return read.ok ? read.value : { type: 'silence', sent: true, code: 'ECONNRESET', viaProxy: false }
  }
  const github = { ...ports.github, ...options.github?.(ports.github) }
  let result: SettleResult | undefined
  try {
    result = await settle(
      inputs,
      {
        repository: options.repository ?? 'acme/docs',
        pull: options.pull ?? opened(openedBranch),
        writer: settleWriter(stage),
      },
      {
        ...ports,
        cancelled,
        deadline: stage.clock.now() + inputs.timeout,
        http: { host: 'api.mintlify.com', exchange },
        github: inputs.dryRun ? { ...github, ...writes } : github,
      },
    )
  } catch (error) {
    if (!(error instanceof Killed)) throw error
  }
  return { result, calls, progress }
}

/** Each settle is another writer. */
function settleWriter({ now }: Stage): string {
  return `s${(now % 36 ** 3).toString(36).padStart(3, '0')}`
}
