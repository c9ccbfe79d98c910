/** A push, a pull request, a release, a schedule, a start by hand: what there is to do, and where it is remembered. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { type DocumentedChange, projectName, type StepName } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import {
  type StandingOfRun,
  type StatusMark,
  standingOfRun,
  statusContext,
  stepOfContext,
} from '../core/status.ts'
import type { Change } from '../core/trigger/change.ts'
import { type ChangePorts, readChange } from './change.ts'
import type { Ended } from './command.ts'
import type { CommentPorts } from './comments.ts'
import {
  type CommitMemoryPorts,
  type CommitRequestRef,
  createCommitMemory,
  findStatuses,
} from './commit-memory.ts'
import { readJob } from './jobs.ts'
import { type Memory, noMemory, withoutJob } from './memory.ts'
import type { GitHubPorts, PlatformPorts, RunIdentity } from './ports.ts'
import { type ProvenanceRef, type ProvenanceWords, tellPullRequests } from './provenance.ts'
import { findRoom } from './rolling.ts'

export interface EventPorts extends PlatformPorts, Omit<ChangePorts, 'github'>, CommentPorts {
  github: GitHubPorts
  words: ProvenanceWords
  statusWords: CommitMemoryPorts['statusWords']
}

/** Where the workflow runs. */
export interface Home {
  /** `owner/name`. */
  repository: string
  /** `GITHUB_SHA`; empty outside a run. */
  commit: string
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string
  /** Empty outside a run. */
  runUrl: string
  /** GitHub's name of the event. */
  eventName: string
}

/** A request that may be sent, or why it is not. */
export type Opened =
  | Ended
  | { kind: 'open'; inputs: AgentInputs; context: ChangeContext | null; memory: Memory }

/** Reads the change, finds what an earlier run left, and the job that the request goes to. */
export async function openEvent(
  inputs: AgentInputs,
  event: { change: Change | null; context: ChangeContext | null },
  run: RunIdentity,
  home: Home,
  ports: EventPorts,
): Promise<Opened> {
  const { change } = event
  const read = change === null ? null : await readChange(change, inputs, ports)
  if (read?.kind === 'ended') return read
  if (change === null && inputs.contextDiff && event.context === null)
    ports.onProgress({ type: 'no-change-event', event: home.eventName })
  const documented = read?.documented ?? null
  const context = read?.context ?? event.context
  const step: StepName = { ...run.step, project: inputs.projectId }
  const ref: CommitRequestRef = {
    repository: documented?.repository ?? home.repository,
    commit: documented?.head ?? home.commit,
    run: String(change?.upstreamRun ?? run.id),
    context: statusContext(step),
    owner: { project: inputs.projectId, hasChange: change !== null },
    runUrl: home.runUrl,
    failOn: inputs.failOn,
  }
  const remembered = await remember(ref, inputs, { isOptional: change === null, run }, ports)
  if (remembered.kind === 'ended') return remembered
  const memory = withProvenance(
    remembered.memory,
    documented,
    inputs,
    { request: `run:${ref.run}`, step: stepOfContext(ref.context, inputs.projectId) },
    home,
    ports,
  )
  if (remembered.job !== null)
    return { kind: 'open', inputs: resumed(inputs, remembered.job), context: null, memory }
  const room = await findRoom(inputs, home.repository, step, ports)
  if (room.kind === 'ended') return room
  const isOnlyWaiting = inputs.prompt === '' && inputs.promptFile === ''
  return {
    kind: 'open',
    inputs: { ...inputs, jobId: room.jobId },
    memory,
    context: isOnlyWaiting ? null : context,
  }
}

/** A re-run goes on with the job that its first run made, and sends nothing. */
function resumed(inputs: AgentInputs, jobId: string): AgentInputs {
  return { ...inputs, prompt: '', promptFile: '', contextFiles: [], jobId }
}

type Remembered = Ended | { kind: 'remembered'; memory: Memory; job: string | null }

/** What earlier runs of this request left on its commit, and where this one is marked. */
async function remember(
  ref: CommitRequestRef,
  inputs: AgentInputs,
  { isOptional, run }: { isOptional: boolean; run: RunIdentity },
  ports: EventPorts,
): Promise<Remembered> {
  const { isRerun } = run.actors
  const canMark = inputs.reply && inputs.githubToken !== '' && ref.run !== '' && ref.commit !== ''
  if (inputs.dryRun) return { kind: 'remembered', memory: noMemory, job: null }
  if (!canMark) {
    if (isRerun) ports.onProgress({ type: 'no-mark', isRerun })
    return { kind: 'remembered', memory: noMemory, job: null }
  }
  const memory = createCommitMemory(ref, ports)
  const marked = isOptional ? lenient(memory, isRerun, ports) : memory
  // Only a re-run, or a second run after one and the same upstream run, can have been here before.
  if (!isRerun && ref.run === run.id) return { kind: 'remembered', memory: marked, job: null }
  const marks = await findStatuses(ref, ports)
  if (!marks.ok) {
    if (!isOptional) return ended('error', { type: 'statuses-unread', refusal: marks.refusal })
    ports.onProgress({ type: 'no-mark', isRerun })
    return { kind: 'remembered', memory: marked, job: null }
  }
  const standing = await whatStands(ref.run, marks.value, inputs, ports)
  if (standing.kind === 'open') {
    const problem: Problem = { type: 'unfinished-run' }
    await marked.close(withoutJob('unconfirmed', problem))
    return ended('unconfirmed', problem)
  }
  return {
    kind: 'remembered',
    memory: marked,
    job: standing.kind === 'job' ? standing.job : null,
  }
}

/** What earlier runs left of a request. A job that ended without anything to show is as good as none. */
async function whatStands(
  run: string,
  marks: readonly StatusMark[],
  inputs: AgentInputs,
  ports: EventPorts,
): Promise<StandingOfRun> {
  const standing = standingOfRun(run, marks)
  if (standing.kind !== 'job' || !(await isFruitless(standing.job, marks, inputs, ports))) return standing
  return { kind: standing.isOpen ? 'open' : 'none' }
}

/** Whether a job has ended, and been told to have, without anything to show: then a re-run makes a new one. */
async function isFruitless(
  job: string,
  marks: readonly StatusMark[],
  { projectId }: AgentInputs,
  ports: EventPorts,
): Promise<boolean> {
  if (!marks.some((mark) => mark.job === job && mark.state === 'ended')) return false
  const read = await readJob(projectId, job, ports)
  if (!read.ok) return false
  const { status, prLink } = read.value
  return status === 'failed' || (status === 'archived' && prLink === null)
}

/** Events without a change of their own run without a mark, if they must; a re-run may then repeat the job. */
function lenient(memory: Memory, isRerun: boolean, { onProgress }: EventPorts): Memory {
  let isMarked = true
  return {
    where: memory.where,
    async sending() {
      const marked = await memory.sending()
      // A status that GitHub may have set must not stay as it is.
      isMarked = marked.ok || marked.refusal.isUncertain === true
      return { ok: true, value: undefined }
    },
    // Only once there is a job: if it was not created, a re-run repeats nothing.
    job: async (jobId) => (isMarked ? memory.job(jobId) : onProgress({ type: 'no-mark', isRerun })),
    close: async (result) => !isMarked || memory.close(result),
  }
}

/** Tells the pull requests concerned where the documentation is. */
function withProvenance(
  memory: Memory,
  documented: DocumentedChange | null,
  { projectId, reply, dryRun, githubToken }: AgentInputs,
  mark: Pick<ProvenanceRef, 'request' | 'step'>,
  home: Pick<Home, 'repository' | 'serverUrl'>,
  ports: EventPorts,
): Memory {
  if (!reply || dryRun || githubToken === '') return memory
  const ref = { ...mark, project: projectName(projectId), since: ports.clock.date() }
  return {
    where: memory.where,
    sending: () => memory.sending(),
    job: (jobId) => memory.job(jobId),
    async close(result) {
      const isClosed = await memory.close(result)
      await tellPullRequests(result, documented, ref, { ...home, projectId }, ports)
      // A status that stays pending would wait for a re-run: GitHub may be back.
      return isClosed || memory.close(result)
    },
  }
}

function ended(outcome: Ended['outcome'], problem: Problem): Ended {
  return { kind: 'ended', outcome, problem }
}
