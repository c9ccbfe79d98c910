/** A step in mode settle, with GitHub and a platform in memory. */

import { parseInputs } from '../../src/core/inputs/inputs.ts'
import type { SettleInputs } from '../../src/core/inputs/schema.ts'
import type { HttpRequest } from '../../src/core/job/job.ts'
import type { Exchange } from '../../src/core/job/response.ts'
import type { SettleResult } from '../../src/core/settle.ts'
import type { PullEvent } from '../../src/core/trigger/event.ts'
import { settle } from '../../src/life/settle.ts'
import { writes } from '../../src/steps/ports.ts'
import type { GitHubPorts } from '../../src/usecases/ports.ts'
import { Calls, Killed } from './github.ts'
import { key, type Stage } from './step.ts'
import { start } from './world.ts'

const account = { mode: 'settle', 'project-id': 'docs', 'api-key': key, 'github-token': 'x' }

export interface Options {
  inputs?: Record<string, string>
  calls?: Calls
  /** The branch of the pull request that the agent just opened. */
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
  const parsed = parseInputs({ ...account, ...given }, { isComment: false, now: start })
  if (!parsed.ok || parsed.inputs.mode !== 'settle') throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

/** A step in mode settle; its result is undefined if the step was killed. Each settle is another writer. */
export async function settleOn(stage: Stage, options: Options = {}) {
  const { calls = new Calls(), openedBranch = null, repository = 'acme/docs' } = options
  const { cancelled = new AbortController().signal, read = () => undefined } = options
  const inputs = inputsOf(options.inputs ?? {})
  const log: string[] = []
  const ports = stage.ports(calls, (...entries) => void log.push(...entries.map(({ text }) => text)))
  const exchange = async (request: HttpRequest): Promise<Exchange> => {
    const id = request.path.split('/')[5] ?? ''
    const polled = await calls.make('read job', id, () => read(id) ?? stage.platform.carryOut(request))
    return polled.ok ? polled.value : { type: 'silence', sent: true, code: 'ECONNRESET', viaProxy: false }
  }
  const opened = openedBranch === null ? null : { number: 101, openedBranch, author: 'mintlify[bot]' }
  const changed = {
    run: {
      ...ports.run,
      repository,
      id: `${stage.now}`,
      step: { ...ports.run.step, project: inputs.projectId },
    },
    cancelled,
    deadline: stage.clock.now() + inputs.timeout,
    http: { host: 'api.mintlify.com', exchange },
    github: { ...ports.github, ...options.github?.(ports.github), ...(inputs.dryRun && writes) },
  }
  let result: SettleResult | undefined
  try {
    result = await settle(inputs, options.pull ?? opened, { ...ports, ...changed })
  } catch (error) {
    if (!(error instanceof Killed)) throw error
  }
  return { result, calls, log }
}
