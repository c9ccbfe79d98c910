/** Finds what earlier runs left open: first in the lists of the whole repository, then by a second look at each place. */
import { failsByDefault } from '../core/outcome.ts'
import { isSameName } from '../core/text.ts'
import { pullThread } from '../core/thread.ts'
import { byTopic } from '../record/comments.ts'
import { type CommitPlace, commitPlace } from '../record/commit.ts'
import { fold, isOpen, type Progress } from '../record/entry.ts'
import { type EntryComment, firstContext } from '../record/format.ts'
import { byRun, lookAgain, lookBack, recentLists, type StepStatus, stepStatuses } from '../record/lists.ts'
import { isSettledContext, jobToPoll } from '../record/next.ts'
import { type ThreadPlace, threadPlace } from '../record/thread.ts'
import type { Settler } from './hold.ts'

/** A request that may be open, and how far it is. */
export interface OpenRequest extends Settler {
  place: ThreadPlace | CommitPlace
  progress: Progress
}

/** A thread or a commit with requests that may be open. */
export interface Lead {
  /** Those that the lists show. */
  requests: OpenRequest[]
  /** Whether there may be others: a context shows only its latest status. */
  mayHideMore: boolean
  /** Its requests as a second look shows them; null if GitHub rejects that. @param topics the comments of that look */
  look(topics: Map<string, EntryComment[]>): Promise<OpenRequest[] | null>
}

/** What earlier runs left open. */
export type OpenWork = Awaited<ReturnType<typeof findOpenWork>>

/** Finds what earlier runs left open, and all entries in comments. */
export async function findOpenWork(settler: Settler) {
  const { since, ports } = settler
  const thread = threadOf(settler)
  const lists = await recentLists(ports, thread)
  const { comments, statuses, isCut } = lists
  let seen = { comments, at: since }
  const work = {
    ...lists,
    leads: [...byTopic(comments)].map(([topic, entries]) => threadLead(topic, entries, settler)),
    /** The comments of a second look, by topic; none if GitHub rejects that. */
    async lookAgain() {
      const at = ports.clock.date()
      const again = await lookAgain(seen.comments, seen.at, thread, ports)
      if (again === null) return new Map<string, EntryComment[]>()
      seen = { comments: again, at }
      return byTopic(again)
    },
    /** See `Listed`. */
    listedSince: thread === null && !isCut ? since - lookBack : Number.POSITIVE_INFINITY,
  }
  // A context shows only its latest status. If that does not rule out open requests, the commit is read.
  const unclear = statuses.filter((status) => !isSettledContext(status, since))
  const steps = Map.groupBy(unclear, ({ commit, context }) => `${commit} ${firstContext(context)}`)
  for (const shown of steps.values()) work.leads.push(commitLead(shown, settler, work))
  return work
}

/**
 * The thread with all that an event's pull request is about; null if anything may be. Any request may be behind a pull
 * request that the agent just opened.
 */
function threadOf({ inputs, pull, ports }: Settler) {
  if (pull === null) return null
  if (pull.openedBranch !== null && isSameName(pull.author, inputs.agentLogin)) return null
  return pullThread(ports.run, pull.number)
}

/** @param entries all of a topic */
function threadLead(topic: string, entries: EntryComment[], settler: Settler): Lead {
  const requests = requestsOn(entries, settler.since, settler)
  return {
    requests,
    mayHideMore: false,
    async look(topics) {
      const at = settler.ports.clock.date()
      const listed = topics.get(topic) ?? []
      if (listed.some(({ isSigned }) => isSigned)) return requestsOn(listed, at, settler)
      // The lists lack this step's own entries, for example if they are old, so the thread is read alone.
      const [request] = requests
      if (request?.place.kind !== 'thread') return []
      const reply = await request.place.list()
      if (!reply.ok) return null
      return requestsOn(byTopic(request.place.entries).get(topic) ?? [], at, settler)
    },
  }
}

/** The request that entries on a thread are about, if it is unsettled. */
function requestsOn(entries: EntryComment[], at: number, settler: Settler): OpenRequest[] {
  const progress = fold(entries, at)
  if (progress.top?.entry.role !== 'request') return []
  const { thread, entry } = progress.top
  const place = threadPlace({ ...entry, thread }, settler.ports, entries)
  return [{ ...settler, place, progress }].filter(isUnsettled)
}

/** @param shown the latest statuses in the contexts of a step on a commit @param work notes if some cannot be read */
function commitLead(shown: StepStatus[], settler: Settler, work: { isCut: boolean }): Lead {
  const [{ commit, context }] = shown as [StepStatus]
  const isOfJob = (status: StepStatus) =>
    status.entry !== null && status.isSigned && status.entry.state === 'job'
  return {
    requests: requestsBehind(shown, settler.since, settler),
    mayHideMore: !shown.every(isOfJob),
    async look() {
      const at = settler.ports.clock.date()
      const reply = await stepStatuses(commit, [firstContext(context)], settler.ports)
      work.isCut ||= !reply.ok
      if (!reply.ok) return null
      return requestsBehind(reply.value, at, settler)
    },
  }
}

/** The unsettled requests behind a step's statuses on a commit. */
function requestsBehind(statuses: StepStatus[], at: number, settler: Settler) {
  const { inputs, ports } = settler
  const failOn = [...failsByDefault, ...inputs.failOn]
  const requests: OpenRequest[] = []
  for (const entries of byRun(statuses).values()) {
    const progress = fold(entries, at)
    if (progress.top === null) continue
    // The link of an end is its pull request.
    const runUrl = entries.find(({ state }) => state === 'pending')?.targetUrl ?? ''
    const { entry, commit, context } = progress.top
    const request = { ...entry, commit, context: firstContext(context), runUrl, failOn }
    requests.push({ ...settler, place: commitPlace(request, ports, null, statuses), progress })
  }
  return requests.filter(isUnsettled)
}

function isUnsettled({ progress, place }: OpenRequest) {
  return isOpen(progress) || jobToPoll(progress) !== null || place.leftovers.length > 0
}
