/** A push, pull request, release, schedule or manual run: what to do, and where to record it. */

import { recordedGlobs } from '../core/guard.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { newJob } from '../core/job-choice.ts'
import { projectName, type StepName } from '../core/mark.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { type Follows, statusContext, stepOfContext } from '../core/status.ts'
import { oneLine, paragraphs } from '../core/text.ts'
import type { Branch, Change, DocumentedChange } from '../core/trigger/change.ts'
import type { Release } from '../core/trigger/request.ts'
import type { Plan } from './carry-out.ts'
import { readChange, wantedDiff } from './change.ts'
import { type CommitRequestRef, CommitStore } from './commit-store.ts'
import { findDocumented } from './documented.ts'
import { type Ended, failed, noChange } from './ended.ts'
import { codeOfChange } from './hold.ts'
import type { AgentPorts, RunIdentity } from './ports.ts'
import { announce } from './pulls.ts'
import { findRoom } from './rolling.ts'
import { readSinceLast } from './since-last.ts'
import { noStore, type Store } from './store.ts'

/** The run's place: its repository, commit and event. */
export interface Home {
  /** `owner/name`. */
  repository: string
  /** `GITHUB_SHA`; empty outside a run. */
  commit: string
  /** Empty outside a run. */
  runUrl: string
}

/** What the event contains. `branch`: from a schedule or manual run. */
export interface EventSubject {
  change: Change | null
  release: Release | null
  branch: Branch | null
}

/** Reads the change, and plans the request. Commits since the last job are only read once the request must be sent. */
export async function planEvent(
  inputs: AgentInputs,
  event: EventSubject,
  run: RunIdentity,
  home: Home,
  ports: AgentPorts,
): Promise<Plan | Ended> {
  const { change, release } = event
  const { projectId, jobId, githubToken } = inputs
  const branch = inputs.contextDiff === 'since-last' ? event.branch : null
  if (branch?.isDefault === false) return noChange(`${oneLine(branch.name, 100)} is not the default branch`)
  const subject = await readSubject(inputs, { ...event, branch }, home, ports)
  if ('kind' in subject) return subject
  const { documented, note } = subject
  const code = codeOfChange(change, inputs.hold, ports)
  const step: StepName = { ...run.step, project: projectId }
  const now = ports.clock.date()
  const ref: CommitRequestRef = {
    repository: documented?.repository ?? home.repository,
    commit: documented?.head ?? home.commit,
    run: String(change?.upstreamRun ?? run.id),
    context: statusContext(step),
    project: projectId,
    follows: code?.hold ?? followsOf(change, branch),
    globs: recordedGlobs(inputs.allowedPaths),
    runUrl: home.runUrl,
    since: now,
    until: now + ports.deadline - ports.clock.now(),
    failOn: inputs.failOn,
  }
  const canRecord = githubToken !== null && ref.run !== '' && ref.commit !== ''
  if (branch !== null && !canRecord) return failed({ type: 'start-unknown' })
  const readContext = async () => {
    if (branch !== null) return readSinceLast(branch.name, ref, inputs, ports)
    if (release === null || wantedDiff(inputs) === null) return subject.context
    // Other events do not need this code, so they do not load it.
    const { readRelease } = await import('./visible.ts')
    return readRelease(release, home.repository, ports.github)
  }
  return {
    kind: 'plan',
    inputs,
    isRerun: run.actors.isRerun,
    store: storeFor(ref, canRecord, run, ports),
    ask: async () => {
      const context = await readContext()
      if (context !== null && 'kind' in context) return context
      return { prompt: paragraphs([inputs.prompt, note]), context }
    },
    choose: async () => {
      if (jobId !== null) return { ...newJob, jobId }
      return findRoom(inputs, home.repository, step, ports)
    },
    announce: async (result) => {
      if (githubToken === null) return
      const requester = documented?.author ?? null
      const origin = { repository: home.repository, thread: null, change: documented, requester, code }
      await announce(result, origin, requestOf(ref), inputs, ports)
    },
  }
}

interface Subject {
  context: ChangeContext | null
  documented: DocumentedChange | null
  /** What is documented already, as a sentence for the prompt; null if nothing is. */
  note: string | null
}

async function readSubject(
  inputs: AgentInputs,
  { change, branch }: EventSubject,
  home: Home,
  ports: AgentPorts,
): Promise<Subject | Ended> {
  if (change === null) {
    const upTo = branch && { repository: home.repository, head: home.commit, number: null, author: null }
    return { context: null, documented: upTo, note: null }
  }
  const read = await readChange(change, inputs, ports)
  if ('kind' in read) return read
  const note = inputs.jobId === null ? await findDocumented(change, inputs, ports) : null
  return typeof note === 'object' && note !== null ? note : { ...read, note }
}

/** The fields that identify a request on a commit in the marks of comments about it. */
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

function storeFor(ref: CommitRequestRef, canRecord: boolean, run: RunIdentity, ports: AgentPorts): Store {
  const { isRerun } = run.actors
  // Several runs can follow the same upstream run.
  const isFirst = !isRerun && ref.run === run.id
  if (canRecord)
    return new CommitStore(ref, { isOptional: ref.follows === 'nothing', isRerun, isFirst }, ports)
  if (isRerun) ports.onProgress({ type: 'no-record', isRerun })
  return noStore
}
