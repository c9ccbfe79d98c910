/** Finds what earlier runs left open: first in the lists of the whole repository, then by a second look at each place. */
import type { RunInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job.ts'
import { failsByDefault } from '../core/outcome.ts'
import { isSameName } from '../core/text.ts'
import { pullThread, threadName } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import type { Called } from '../mintlify/client.ts'
import type { AgentPorts } from '../ports.ts'
import { byTopic } from '../record/comments.ts'
import { type CommitPlace, commitPlace } from '../record/commit.ts'
import { isOpen, type Progress, progressAt } from '../record/entry.ts'
import { firstContext, type MarkedComment } from '../record/format.ts'
import {
  byRun,
  lookAgain,
  lookBack,
  recentLists,
  type StepStatus,
  stepStatuses,
  threadLists,
} from '../record/lists.ts'
import { isSettledContext, jobToPoll } from '../record/next.ts'
import { entriesOf, type ThreadPlace, threadPlace } from '../record/thread.ts'

/** A step in mode settle. */
export interface Settler {
  inputs: RunInputs
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
  /** When it first read GitHub, in milliseconds since the epoch. */
  since: number
  /** The polls of jobs, by id. */
  polls: Map<string, Called<Job>>
  ports: AgentPorts
}

/** A request that may be open, and how far it is. */
export interface OpenRequest extends Settler {
  place: ThreadPlace | CommitPlace
  progress: Progress
}

/** Requests that are read together: all of a step on a commit, or one on a thread. */
export interface Lead {
  /** Those that the lists show, if they may be open. */
  requests: OpenRequest[]
  /** Whether there may be others: a context shows only its latest status. */
  mayHideMore: boolean
  /** All as a second look shows them; null if that fails. @param at when `threads` were read */
  look(threads: Threads, at: number): Promise<OpenRequest[] | null>
}

/** Entries in comments, by the names of their threads; null if not all of them could be read. */
export type Threads = ReadonlyMap<string, MarkedComment[]> | null

/** What earlier runs left open. */
export type OpenWork = Awaited<ReturnType<typeof findOpenWork>>

/** Finds what earlier runs left open, and all entries in comments. */
export async function findOpenWork(settler: Settler) {
  const { since, ports } = settler
  const thread = threadOf(settler)
  const lists = await (thread ? threadLists(thread, ports) : recentLists(ports))
  const { comments, statuses, isCut } = lists
  const leads = [...byTopic(comments).values()].flatMap((entries) => threadLead(entries, settler))
  const unclear = statuses.filter((status) => !isSettledContext(status, since))
  const steps = Map.groupBy(unclear, ({ commit, context }) => `${commit} ${firstContext(context)}`)
  for (const shown of steps.values()) leads.push(commitLead(shown, settler))
  let seen = { comments, at: since }
  return {
    ...lists,
    leads,
    /** The comments as a further look shows them, for several leads. @param at when it begins */
    async readThreads(at: number) {
      const again = await lookAgain(seen.comments, seen.at, thread, ports)
      if (again === null) return null
      seen = { comments: again, at }
      return Map.groupBy(again, ({ thread }) => threadName(thread))
    },
    /** See `Listed`. */
    listedSince: thread === null && !isCut ? since - lookBack : Number.POSITIVE_INFINITY,
  }
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
function threadLead(entries: MarkedComment[], settler: Settler): Lead[] {
  const { since, ports } = settler
  const progress = progressAt(entries, since)
  if (progress.top?.entry.role !== 'request') return []
  const { thread, entry } = progress.top
  const asked = { ...entry, thread }
  const request = { ...settler, place: threadPlace(asked, ports, entries), progress }
  const look = async (threads: Threads, at: number) => {
    const place = threadPlace(asked, ports, threads?.get(threadName(thread)))
    const listed = entriesOf(place)
    // If the lists lack this step's own entries, for example because they are old, the thread is read alone.
    const reply = listed.some(({ isSigned }) => isSigned) ? null : await place.list()
    if (reply?.ok === false) return null
    return [{ ...settler, place, progress: progressAt(reply?.value ?? listed, at) }]
  }
  return [{ requests: [request].filter(isUnsettled), mayHideMore: false, look }]
}

/** @param shown the latest statuses in the contexts of a step on a commit */
function commitLead(shown: StepStatus[], settler: Settler) {
  const { since, ports } = settler
  const [{ commit, context }] = shown as [StepStatus]
  const isOfJob = (status: StepStatus) =>
    status.entry !== null && status.isSigned && status.entry.state === 'job'
  return {
    requests: requestsIn(shown, since, settler),
    mayHideMore: !shown.every(isOfJob),
    async look() {
      const at = ports.clock.date()
      const reply = await stepStatuses(commit, [firstContext(context)], ports)
      return reply.ok ? requestsIn(reply.value, at, settler) : null
    },
  }
}

/** The requests behind a step's statuses on a commit that may be open, oldest first. */
function requestsIn(statuses: StepStatus[], at: number, settler: Settler) {
  const failOn = [...failsByDefault, ...settler.inputs.failOn]
  const requests: OpenRequest[] = []
  for (const entries of byRun(statuses).values()) {
    const progress = progressAt(entries, at)
    if (progress.top === null) continue
    // The link of an end is its pull request.
    const runUrl = entries.find(({ state }) => state === 'pending')?.targetUrl ?? ''
    const { entry, commit, context } = progress.top
    const request = { ...entry, commit, context: firstContext(context), runUrl, failOn }
    requests.push({ ...settler, place: commitPlace(request, settler.ports, null, statuses), progress })
  }
  return requests.filter(isUnsettled).reverse()
}

function isUnsettled({ progress, place }: OpenRequest) {
  return isOpen(progress) || jobToPoll(progress) !== null || place.hasLeftovers()
}
