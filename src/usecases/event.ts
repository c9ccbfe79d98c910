/** A push, a pull request, a release, a schedule, a manual run: what to do, and where to record it. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { projectName, type StepName } from '../core/mark.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { statusContext, stepOfContext } from '../core/status.ts'
import type { Change } from '../core/trigger/change.ts'
import type { Ended, Plan } from './carry-out.ts'
import { type ChangePorts, readChange } from './change.ts'
import { type CommitRequestRef, type CommitStorePorts, createCommitStore } from './commit-store.ts'
import type { GitHubPorts, PlatformPorts, RunIdentity } from './ports.ts'
import { announce, type PullPorts } from './pulls.ts'
import { findRoom } from './rolling.ts'
import { noStore, type Store } from './store.ts'

export interface EventPorts extends PlatformPorts, Omit<ChangePorts, 'github'>, PullPorts {
  github: GitHubPorts
  statusWords: CommitStorePorts['statusWords']
}

/** Where the workflow runs. */
export interface Home {
  /** `owner/name`. */
  repository: string
  /** `GITHUB_SHA`; empty outside a run. */
  commit: string
  /** Empty outside a run. */
  runUrl: string
  /** GitHub's name of the event. */
  eventName: string
}

/** Reads the change, and plans the request. */
export async function planEvent(
  inputs: AgentInputs,
  event: { change: Change | null; context: ChangeContext | null },
  run: RunIdentity,
  home: Home,
  ports: EventPorts,
): Promise<Plan | Ended> {
  const { change } = event
  const read = change === null ? null : await readChange(change, inputs, ports)
  if (read?.kind === 'ended') return read
  if (change === null && inputs.contextDiff && event.context === null)
    ports.onProgress({ type: 'no-change-event', event: home.eventName })
  const documented = read?.documented ?? null
  const context = read?.context ?? event.context
  const { projectId } = inputs
  const step: StepName = { ...run.step, project: projectId }
  const now = ports.clock.date()
  const ref: CommitRequestRef = {
    repository: documented?.repository ?? home.repository,
    commit: documented?.head ?? home.commit,
    run: String(change?.upstreamRun ?? run.id),
    context: statusContext(step),
    project: projectId,
    hasChange: change !== null,
    runUrl: home.runUrl,
    since: now,
    until: now + ports.deadline - ports.clock.now(),
    failOn: inputs.failOn,
  }
  return {
    kind: 'plan',
    inputs,
    isRerun: run.actors.isRerun,
    store: storeFor(ref, inputs, run, ports),
    ask: async () => ({ prompt: inputs.prompt === '' ? null : inputs.prompt, context }),
    choose: async () => {
      const room = await findRoom(inputs, home.repository, step, ports)
      return room.kind === 'ended' ? room : { ...room, kind: 'chosen', choice: 'own' }
    },
    announce: async (result) => {
      if (!inputs.reply || inputs.dryRun || inputs.githubToken === '') return
      const origin = { repository: home.repository, thread: null, change: documented }
      await announce(result, origin, requestOf(ref), ports)
    },
  }
}

/** The request of a status, as comments about it name it. */
export function requestOf({ run, context, project, since }: CommitRequestRef) {
  return {
    request: `run:${run}`,
    step: stepOfContext(context, project),
    project: projectName(project),
    since,
  }
}

function storeFor(ref: CommitRequestRef, inputs: AgentInputs, run: RunIdentity, ports: EventPorts): Store {
  const { isRerun } = run.actors
  // A second run can also follow the same upstream run.
  const isFirst = !isRerun && ref.run === run.id
  if (inputs.dryRun) return noStore
  const canRecord = inputs.reply && inputs.githubToken !== '' && ref.run !== '' && ref.commit !== ''
  if (canRecord) return createCommitStore(ref, { isOptional: !ref.hasChange, isRerun, isFirst }, ports)
  if (isRerun) ports.onProgress({ type: 'no-mark', isRerun })
  return noStore
}
