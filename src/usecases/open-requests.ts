/** Finds the requests that earlier runs left open, on threads and commits. */

import { globsToCheck } from '../core/guard.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import { type FoundMark, type Mark, projectName, readMark, stateOnThread } from '../core/mark.ts'
import { type Failable, failsByDefault } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import { isOpenRecord, type RequestRecord } from '../core/record.ts'
import type { RequestLink } from '../core/settle.ts'
import { firstContext, holdOf, type OwnStatus, readStatus, stateOfRun } from '../core/status.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { dayMs } from '../core/units.ts'
import { pullAt } from './change.ts'
import { ownRecentComments } from './comments.ts'
import { type CommitRequestRef, CommitStore, findStatuses, ownRecentStatuses } from './commit-store.ts'
import { requestOf } from './event.ts'
import type { GitHubReply, PlacedComment, PlacedStatus } from './ports.ts'
import type { PullSettings } from './pull-settings.ts'
import { announce, type Origin, type PullPorts } from './pulls.ts'
import type { Store } from './store.ts'
import { requestName, type ThreadRequestRef, ThreadStore, type ThreadWords } from './thread-store.ts'

/** What mode settle needs from outside. */
export interface SettlePorts extends PullPorts {
  /** The texts on a thread about a request. */
  wordsFor(ref: ThreadRequestRef): ThreadWords
}

/** How far back to look for records, in milliseconds. */
export const lookBack = 28 * dayMs

/** A request, with its record as it was found. */
export interface OpenRequest {
  record: RequestRecord
  /** Whether a killed run left comments that the result replaces. */
  hasLeftovers: boolean
  place: 'comment' | 'status'
  /** The globs with which to check the result; null if this step cannot check it: see `globsToCheck`. */
  globs: readonly string[] | null
  link: RequestLink
  /**
   * Reads the record again, because settling other requests takes time. Must be called before `end`. If the request has
   * already ended, removes its leftovers.
   */
  reread: Store['find']
  announce(result: AgentResult): Promise<void>
  end: Store['end']
}

/** What the action left in a repository. */
interface FoundRequests {
  requests: OpenRequest[]
  comments: PlacedComment[]
  /** Whether a list on GitHub was too long to read completely. */
  isCut: boolean
}

/** The project's records, on threads and commits. Only those by the token's own account count. */
export async function findRequests(
  inputs: RunInputs,
  repository: string,
  ports: SettlePorts,
): Promise<GitHubReply<FoundRequests>> {
  const since = ports.clock.date() - lookBack
  // The statuses are read first, because their response also names the token's account.
  const statuses = await ownRecentStatuses(repository, since, ports)
  if (!statuses.ok) return statuses
  const issues = await ownRecentComments('issue', repository, since, ports)
  if (!issues.ok) return issues
  const reviews = await ownRecentComments('review', repository, since, ports)
  if (!reviews.ok) return reviews
  const comments = [...issues.value.items, ...reviews.value.items]
  const own = statuses.value.items.filter(({ createdAt }) => createdAt >= since)
  const onCommits = await requestsOnCommits(own, inputs, repository, ports)
  if (!onCommits.ok) return onCommits
  return {
    ok: true,
    value: {
      requests: [...requestsOnThreads(comments, inputs, repository, ports), ...onCommits.value],
      comments,
      isCut: issues.value.isCut || reviews.value.isCut || statuses.value.isCut,
    },
  }
}

/** The records on threads, from the comments there. */
export function requestsOnThreads(
  comments: readonly PlacedComment[],
  inputs: RunInputs,
  repository: string,
  ports: SettlePorts,
): OpenRequest[] {
  const project = projectName(inputs.projectId)
  const replies = comments.flatMap(({ thread, ...comment }) => {
    const found = readMark(comment, threadName(thread), ports.sign)
    const isOurs = found?.isSigned && found.mark.role === 'reply' && found.mark.project === project
    return isOurs ? [{ thread, ...found }] : []
  })
  const requests = Map.groupBy(replies, ({ thread, mark }) => requestName(thread, mark))
  return [...requests.values()].flatMap((marks) => {
    const [first] = marks
    if (first === undefined) return []
    const { thread, mark } = first
    const { known, spare, outdated } = stateOnThread(mark, marks)
    const record = known.kind === 'record' ? known.record : unsent(mark)
    const hasLeftovers = spare.length + outdated.length > 0
    return [onThread(thread, latest(marks), { record, hasLeftovers }, repository, inputs, ports)]
  })
}

function latest(marks: readonly FoundMark[]): FoundMark {
  return marks.reduce((one, other) => (other.comment > one.comment ? other : one))
}

/** If a step was killed before binding its mark, it sent nothing, but people are waiting for its reply. */
function unsent({ since, until }: Mark): RequestRecord {
  return { state: 'open', since, until: until ?? since }
}

function onThread(
  thread: Thread,
  last: FoundMark,
  { record, hasLeftovers }: Pick<OpenRequest, 'record' | 'hasLeftovers'>,
  repository: string,
  inputs: RunInputs,
  ports: SettlePorts,
): OpenRequest {
  const { request, step, project, by, code = null, globs: asked } = last.mark
  const { since, until } = record
  const ref: ThreadRequestRef = { thread, request, step, project, by, since, until, code, globs: asked }
  const globs = globsToCheck(asked, inputs.allowedPaths)
  const checked = { ...inputs, allowedPaths: globs ?? [] }
  const store = new ThreadStore(ref, false, { ...ports, words: ports.wordsFor(ref), save: () => {} })
  return {
    record,
    hasLeftovers,
    place: 'comment',
    globs,
    link: { kind: 'thread', thread, request },
    async reread() {
      const known = await store.find()
      const isThere = store.marks.some(({ comment }) => comment === last.comment)
      return known.kind === 'none' && isThere ? { kind: 'record', record: unsent(last.mark) } : known
    },
    announce: (result) =>
      announce(result, { repository, thread, change: null, requester: by, code }, ref, checked, ports),
    end: (result) => store.end(result),
  }
}

/**
 * Requests on commits. A context shows only its latest status, which may hide another run's. So unless the latest
 * status is a result, all statuses of the commit are read.
 */
async function requestsOnCommits(
  statuses: readonly PlacedStatus[],
  inputs: RunInputs,
  repository: string,
  ports: SettlePorts,
): Promise<GitHubReply<OpenRequest[]>> {
  const project = inputs.projectId
  const isUnsettled = (status: PlacedStatus) => {
    const { context, commit } = status
    const mark = readStatus(status, { repository, commit, context, project }, ports.sign)
    if (!mark?.isSigned) return false
    const { state } = mark.record
    return state !== 'ended' || mark.record.outcome === 'no-changes'
  }
  const steps = new Map(
    statuses.filter(isUnsettled).map(({ commit, context, targetUrl }) => {
      const first = firstContext(context)
      return [`${commit} ${first}`, { commit, context: first, runUrl: targetUrl }]
    }),
  )
  const requests: OpenRequest[] = []
  for (const step of steps.values()) {
    const found = await findStatuses({ ...step, repository, project }, ports)
    if (!found.ok) return found
    const runs = new Set(found.value.flatMap(({ mark }) => (mark?.isSigned ? [mark.run] : [])))
    for (const run of runs) {
      const request = onCommit({ ...step, repository, project, run }, found.value, inputs, ports)
      if (request !== null) requests.push(request)
    }
  }
  return { ok: true, value: requests }
}

/** A run's request on a commit; null if it left no record. */
function onCommit(
  at: Pick<CommitRequestRef, 'repository' | 'commit' | 'context' | 'project' | 'run' | 'runUrl'>,
  statuses: readonly OwnStatus[],
  inputs: RunInputs,
  ports: SettlePorts,
): OpenRequest | null {
  const marks = statuses.flatMap(({ mark }) => mark ?? [])
  const known = stateOfRun(at.run, marks)
  if (known.kind !== 'record') return null
  const { record } = known
  const own = marks.find((mark) => mark.isSigned && mark.run === at.run)
  const globs = globsToCheck(own?.globs, inputs.allowedPaths)
  const checked = { ...inputs, allowedPaths: globs ?? [] }
  const ref: CommitRequestRef = {
    ...at,
    follows: own?.follows ?? 'nothing',
    globs: own?.globs,
    since: record.since,
    until: record.until,
    failOn: new Set<Failable>([...failsByDefault, ...inputs.failOn]),
  }
  const store = new CommitStore(ref, { isOptional: false, isRerun: false, isFirst: false }, ports)
  return {
    record,
    hasLeftovers: false,
    place: 'status',
    globs,
    link: { kind: 'commit', repository: at.repository, commit: at.commit },
    reread: () => store.find(),
    announce: (result) => announceChange(result, ref, checked, ports),
    end: (result) => store.end(result),
  }
}

async function announceChange(
  result: AgentResult,
  ref: CommitRequestRef,
  settings: PullSettings,
  ports: SettlePorts,
): Promise<void> {
  const { repository, commit } = ref
  const hold = holdOf(ref.follows)
  const change = await changeOf(ref, ports)
  const number = change?.number ?? null
  const code = hold === null || number === null ? null : { repository, number, head: commit, hold }
  const origin: Origin = { repository, thread: null, change, requester: change?.author ?? null, code }
  await announce(result, origin, requestOf(ref), settings, ports)
}

/**
 * The change whose last commit this is, with its pull request. For new commits on a branch, no pull request is named,
 * because they can come from several.
 */
async function changeOf({ repository, commit: head, follows }: CommitRequestRef, { github }: SettlePorts) {
  if (follows === 'nothing') return null
  if (follows === 'branch') return { repository, head, number: null, author: null }
  const pulls = await github.pullsOf(repository, head)
  const all = pulls.ok ? pulls.value : []
  const pull = all.find(({ mergeCommit }) => mergeCommit === head) ?? pullAt(all, repository, head)
  return { repository, head, number: pull?.number ?? null, author: pull?.author ?? null }
}

/** Whether settle has anything to do for a request. */
export function needsSettling({ record, hasLeftovers }: OpenRequest): boolean {
  return hasLeftovers || isOpenRecord(record) || (record.state === 'ended' && record.outcome === 'no-changes')
}
