/** A push, a pull request, a release, a schedule, a manual run: what there is to do, and where it is recorded. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { projectName, type StepName } from '../core/mark.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { statusContext, stepOfContext } from '../core/status.ts'
import type { Change } from '../core/trigger/change.ts'
import type { Ended, Plan } from './carry-out.ts'
import { type ChangePorts, readChange } from './change.ts'
import { type CommitRequestRef, type CommitStorePorts, createCommitStore } from './commit-store.ts'
import { findDocumented, type Going } from './documented.ts'
import { codeOfChange } from './hold.ts'
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
  const going =
    change === null || documented === null ? fresh : await findDocumented(change, documented, inputs, ports)
  if (going.kind === 'ended') return going
  const context = (going.kind === 'job' ? going.since : null) ?? read?.context ?? event.context
  const { projectId } = inputs
  const code = codeOfChange(change, inputs, ports)
  const step: StepName = { ...run.step, project: projectId }
  const now = ports.clock.date()
  const ref: CommitRequestRef = {
    repository: documented?.repository ?? home.repository,
    commit: documented?.head ?? home.commit,
    run: String(change?.upstreamRun ?? run.id),
    context: statusContext(step),
    project: projectId,
    hasChange: change !== null,
    hold: code?.hold ?? null,
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
    ask: async () => ({ prompt: promptOf(inputs.prompt, going), context }),
    choose: async () => {
      if (going.kind === 'job') return { kind: 'chosen', jobId: going.job, choice: 'own', head: going.head }
      const room = await findRoom(inputs, home.repository, step, ports)
      return room.kind === 'ended' ? room : { ...room, kind: 'chosen', choice: 'own' }
    },
    announce: async (result) => {
      if (!inputs.reply || inputs.dryRun || inputs.githubToken === '') return
      const requester = documented?.author ?? null
      // The thread of the change names the job already.
      const about = going.kind === 'job' ? null : documented
      const origin = { repository: home.repository, thread: null, change: about, requester, code }
      await announce(result, origin, requestOf(ref), inputs, ports)
    },
  }
}

const fresh: Going = { kind: 'new', note: null }

function promptOf(prompt: string, going: Going): string | null {
  const note = going.kind === 'new' ? going.note : null
  const text = [prompt, note].filter((part) => part !== '' && part !== null).join('\n\n')
  return text === '' ? null : text
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
  if (inputs.dryRun) return noStore
  const canRecord = inputs.reply && inputs.githubToken !== '' && ref.run !== '' && ref.commit !== ''
  if (canRecord) return createCommitStore(ref, { isOptional: !ref.hasChange, isRerun }, ports)
  if (isRerun) ports.onProgress({ type: 'no-mark', isRerun })
  return noStore
}
