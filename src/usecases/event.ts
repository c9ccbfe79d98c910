/** A push, a pull request, a release, a schedule, a manual run: what there is to do, and where it is recorded. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { projectName, type StepName } from '../core/mark.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { type Follows, statusContext, stepOfContext } from '../core/status.ts'
import { oneLine } from '../core/text.ts'
import type { Branch, Change } from '../core/trigger/change.ts'
import type { Ended, Plan } from './carry-out.ts'
import { type ChangePorts, readChange, skipped } from './change.ts'
import { type CommitRequestRef, type CommitStorePorts, createCommitStore } from './commit-store.ts'
import type { GitHubPorts, PlatformPorts, RunIdentity } from './ports.ts'
import { announce, type PullPorts } from './pulls.ts'
import { findRoom } from './rolling.ts'
import { readSinceLast } from './since-last.ts'
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

/** What an event brings. `context`: of a release. `branch`: of a schedule or a manual run. */
export interface EventSubject {
  change: Change | null
  context: ChangeContext | null
  branch: Branch | null
}

/** Reads the change, and plans the request. What is new on a branch is read once it is known that the request must be sent. */
export async function planEvent(
  inputs: AgentInputs,
  event: EventSubject,
  run: RunIdentity,
  home: Home,
  ports: EventPorts,
): Promise<Plan | Ended> {
  const { change } = event
  const branch = inputs.contextDiff ? event.branch : null
  if (branch?.isDefault === false) {
    const reason = `${oneLine(branch.name, 100)} is not the default branch, so nobody knows what is new on it`
    return skipped({ type: 'no-change', reason })
  }
  const read = change === null ? null : await readChange(change, inputs, ports)
  if (read?.kind === 'ended') return read
  if (change === null && inputs.contextDiff && event.context === null && branch === null)
    ports.onProgress({ type: 'no-change-event', event: home.eventName })
  const upTo = branch && { repository: home.repository, head: home.commit, number: null, author: null }
  const documented = read?.documented ?? upTo
  const { projectId } = inputs
  const step: StepName = { ...run.step, project: projectId }
  const now = ports.clock.date()
  const ref: CommitRequestRef = {
    repository: documented?.repository ?? home.repository,
    commit: documented?.head ?? home.commit,
    run: String(change?.upstreamRun ?? run.id),
    context: statusContext(step),
    project: projectId,
    follows: followsOf(change, branch),
    runUrl: home.runUrl,
    since: now,
    until: now + ports.deadline - ports.clock.now(),
    failOn: inputs.failOn,
  }
  if (branch !== null && !inputs.dryRun && !canRecord(ref, inputs))
    return { kind: 'ended', outcome: 'error', problem: { type: 'start-unknown' } }
  return {
    kind: 'plan',
    inputs,
    isRerun: run.actors.isRerun,
    store: storeFor(ref, inputs, run, ports),
    ask: async () => {
      const context =
        branch === null
          ? (read?.context ?? event.context)
          : await readSinceLast(branch.name, inputs, ref, ports)
      if (context !== null && 'kind' in context) return context
      return { prompt: inputs.prompt === '' ? null : inputs.prompt, context }
    },
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

function followsOf(change: Change | null, branch: Branch | null): Follows {
  if (change !== null) return 'commit'
  return branch === null ? 'nothing' : 'branch'
}

function canRecord({ run, commit }: CommitRequestRef, { reply, githubToken }: AgentInputs): boolean {
  return reply && githubToken !== '' && run !== '' && commit !== ''
}

function storeFor(ref: CommitRequestRef, inputs: AgentInputs, run: RunIdentity, ports: EventPorts): Store {
  const { isRerun } = run.actors
  // A second run can also follow the same upstream run.
  const isFirst = !isRerun && ref.run === run.id
  if (inputs.dryRun) return noStore
  if (canRecord(ref, inputs))
    return createCommitStore(ref, { isOptional: ref.follows === 'nothing', isRerun, isFirst }, ports)
  if (isRerun) ports.onProgress({ type: 'no-mark', isRerun })
  return noStore
}
