/** A request's entries on its commit: statuses, which also link people to the commit's docs. */

import { type GitHubFailure, type GitHubReply, isTemporary, replyWith } from '../core/http.ts'
import { failsStep } from '../core/outcome.ts'
import type { Origin } from '../core/trigger/change.ts'
import type { AgentPorts } from '../ports.ts'
import { orWarn } from './comments.ts'
import { fold, isOpen, type Statement } from './entry.ts'
import { type MarkedStatus, type StatusEntry, writeStatus } from './format.ts'
import { byRun, type StepStatus, stepStatuses } from './lists.ts'
import { contextMs } from './next.ts'
import { type CommitRequest, type Display, nothing, type Place, pendingDisplay, retryOnce } from './place.ts'

/** What a step knows about the record of its request on a commit. */
export interface CommitRecord {
  request: CommitRequest
  /** The statuses in the step's contexts when they were last listed, newest first. */
  statuses: readonly StepStatus[]
  /** What this step wrote, newest first: GitHub's lists lag. */
  writes: readonly MarkedStatus[]
}

/** Keeps a request's entries on its commit. */
export interface CommitPlace extends Place, CommitRecord {
  kind: 'commit'
  request: CommitRequest
  isOff: boolean
}

/**
 * The place of a request on a commit. If a run that withdrew has hidden the request's end, `clear` writes the end again.
 * @param origin what the request is about, as its event says; null if GitHub must be asked
 * @param statuses the step's statuses on the commit, if they were read
 */
export function commitPlace(
  request: CommitRequest,
  ports: AgentPorts,
  origin: Origin | null = null,
  statuses: readonly StepStatus[] = [],
) {
  const { commit, context, runUrl } = request
  const place: CommitPlace = {
    kind: 'commit',
    request,
    origin,
    isOff: false,
    statuses,
    writes: [],
    async list() {
      if (place.isOff) return nothing
      const reply = await retryOnce(() => stepStatuses(commit, [context], ports))
      if (!reply.ok) return orTurnOff(place, reply)
      place.statuses = reply.value
      return replyWith(entriesOf(place))
    },
    pending: () => pendingDisplay(ports.words.status(null), runUrl),
    result(result, isReport) {
      const end = failsStep(result.outcome, new Set(request.failOn)) ? 'failure' : 'success'
      const link = result.job?.link ?? runUrl
      return { words: ports.words.status(result), state: isReport ? end : 'pending', link, isReport }
    },
    write(statement, display) {
      const call = writeEntry(place, statement, display, ports)
      return orWarn(display.isReport ? 'status' : 'pending', `commit ${commit.slice(0, 7)}`, call, ports)
    },
    hasLeftovers: () => seemsOpen(place),
    async clear() {
      const { top } = fold(entriesOf(place))
      if (top !== null && place.hasLeftovers())
        await ports.github.setStatus(ports.run.repository, commit, top)
    },
  }
  return place
}

/** Does without the record from now on, if that is possible. */
function orTurnOff(place: CommitPlace, reply: { ok: false; failure: GitHubFailure }) {
  place.isOff = canDoWithout(place, reply.failure)
  return place.isOff ? nothing : reply
}

/** Writes an entry, or reports an end: then, the status may hide another request. */
async function writeEntry(place: CommitPlace, statement: Statement, display: Display, ports: AgentPorts) {
  const { isReport } = display
  const isFirst = place.writes.length === 0
  // What the run saw when it began may have changed.
  const list = isFirst || isReport ? await place.list() : nothing
  // Without the list, the only entry of this step might contradict others.
  if (isFirst && isReport && !list.ok) return list
  if (place.isOff) return nothing
  const hides = isReport && (!list.ok || otherRequests(place).length > 0)
  const entry = { ...place.request, ...statement, hides, writtenAt: ports.clock.date() }
  const set = () => setStatus(place, entry, display, ports)
  // A report is not repeated: the first call may have been carried out, and then, another request can have the context.
  return isReport ? set() : retryOnce(set)
}

async function setStatus(
  place: CommitPlace,
  entry: StatusEntry,
  { words, state, link: targetUrl }: Display,
  ports: AgentPorts,
): Promise<GitHubReply<unknown>> {
  const { commit } = place.request
  const context = contextFor(place, ports.clock.date())
  const description = writeStatus(words, entry, { commit, context, targetUrl }, ports)
  const status = { context, state, description, targetUrl }
  const reply = await ports.github.setStatus(ports.run.repository, commit, status)
  if (reply.ok) {
    // It is read together with listed statuses. Its author and time do not matter.
    const write = {
      ...status,
      id: reply.value,
      commit,
      author: '',
      viewer: '',
      createdAt: 0,
      entry,
      isSigned: true,
      accounts: null,
    }
    place.writes = [write, ...place.writes]
    return reply
  }
  return orTurnOff(place, reply)
}

/** The entries of each of the step's requests on the commit, newest first, by run. */
function requestsIn({ statuses, writes }: CommitRecord) {
  return byRun([...writes, ...statuses].toSorted((one, other) => other.id - one.id))
}

const entriesOf = (record: CommitRecord) => requestsIn(record).get(record.request.run) ?? []

/** The entries of each other request that is open. The request's end may hide it. */
export function otherRequests(record: CommitRecord) {
  const requests = requestsIn(record)
  requests.delete(record.request.run)
  return [...requests.values()].filter((entries) => isOpen(fold(entries)))
}

/**
 * The context of the request's statuses. A context shows only its latest status, so a request begins in one in which no
 * other request is open or has just ended, and stays there. If two begin at once, the end of one says that it hides the
 * other.
 */
export function contextFor(record: CommitRecord, now: number) {
  const contextOf = (entries: MarkedStatus[]) => entries.find(({ isSigned }) => isSigned)?.context
  const current = contextOf(entriesOf(record))
  if (current !== undefined) return current
  const takenContexts = otherRequests(record).map(contextOf)
  const isFree = (context: string) => {
    const newest = record.statuses.find((each) => each.context === context)
    // A pending status without an entry may be another project's.
    const isUnknown = newest?.entry === null && newest.state === 'pending'
    const isYoung = newest !== undefined && now - newest.createdAt < contextMs
    return !isUnknown && !isYoung && !takenContexts.includes(context)
  }
  const first = record.request.context
  let context = first
  for (let number = 2; !isFree(context); number++) context = `${first} · ${number}`
  return context
}

/** Whether a context shows the request as open although it is at rest: a run withdrew later. */
export function seemsOpen(record: CommitRecord) {
  const entries = entriesOf(record)
  const [newest] = entries
  if (newest?.state !== 'pending' || !newest.isSigned || isOpen(fold(entries))) return false
  const all = [...record.writes, ...record.statuses]
  return all.every(({ context, id }) => context !== newest.context || id <= newest.id)
}

/** Whether the request can do without a record: none is needed (as on a release) or written, and GitHub denies it. */
export function canDoWithout(record: CommitRecord, failure: GitHubFailure) {
  if (record.request.follows !== 'nothing' || entriesOf(record).length > 0) return false
  return !isTemporary(failure) && 'status' in failure && failure.status >= 400
}
