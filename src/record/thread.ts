/**
 * A request's entries on its thread: the "working" comment, which rises until the end, and the result. The result is a
 * new comment, because GitHub does not notify people of edits. It is posted before the working comment is deleted, so
 * that a kill leaves two comments and never none.
 */
import { replyWith } from '../core/http.ts'
import { isGood } from '../core/outcome.ts'
import type { AgentPorts, FoundComment } from '../ports.ts'
import { type Draft, discard, entriesAbout, orWarn, put, reactTo } from './comments.ts'
import { fold, isAtRest, leftoversIn } from './entry.ts'
import type { CommentEntry, MarkedComment } from './format.ts'
import { entriesIn } from './lists.ts'
import { type Place, pendingDisplay, retryOnce, type ThreadRequest } from './place.ts'

/** What a step knows about the record of its request on a thread. */
export interface ThreadRecord {
  request: ThreadRequest
  /** The entries on the thread when it was last read. */
  entries: readonly MarkedComment[]
  /** What this step wrote, by comment: GitHub's lists lag. */
  writes: Map<number, CommentEntry>
  /** The working comment, which only this step edits. */
  comment: number | null
}

/** Keeps a request's entries on its thread. */
export interface ThreadPlace extends Place, ThreadRecord {
  kind: 'thread'
  request: ThreadRequest
  /** The comments when the thread was last read. */
  comments: readonly FoundComment[]
}

/** @param entries those on the thread, if it was read */
export function threadPlace(request: ThreadRequest, ports: AgentPorts, entries: MarkedComment[] = []) {
  const { thread } = request
  const place: ThreadPlace = {
    kind: 'thread',
    request,
    origin: null,
    isOff: false,
    comments: [],
    entries,
    writes: new Map(),
    comment: null,
    async list() {
      const reply = await retryOnce(() => ports.github.comments(thread))
      if (!reply.ok) return reply
      place.comments = reply.value
      place.entries = entriesIn(reply.value, ports.sign)
      return replyWith(entriesOf(place))
    },
    pending: pendingDisplay,
    result(result, isReport) {
      const words = ports.words.result(result, request, isReport ? request.code : null)
      return { words, state: isGood(result.outcome) ? 'success' : 'failure', link: '', isReport }
    },
    async write(statement, { words, state, isReport }) {
      const draft: Draft = { thread, words, entry: { ...request, ...statement, role: 'request' } }
      if (!isReport) return edit(place, draft, ports)
      const reply = await report(place, draft, ports)
      await reactTo(thread, request.request, state === 'success' ? 'rocket' : 'confused', ports)
      return reply
    },
    hasLeftovers: () => leftoversIn(entriesOf(place)).length > 0,
    async clear() {
      // A person may have edited this step's working comment since the last look.
      const isStale = leftoversIn(entriesOf(place)).some(({ id }) => place.writes.has(id))
      if (isStale && !(await place.list()).ok) return
      await discard([...leftoversIn(entriesOf(place)), ...foreignComments(place)], ports)
    },
  }
  return place
}

/** Posts a result. If that fails, the working comment becomes the result. */
async function report(record: ThreadRecord, draft: Draft, ports: AgentPorts) {
  const reply = await orWarn('reply', draft.thread, put(draft, null, ports), ports)
  if (reply.ok) record.writes.set(reply.value, draft.entry)
  if (reply.ok || workingComment(record, draft.entry.writer) === null) return reply
  return edit(record, draft, ports)
}

/** Edits the working comment, or posts it. */
async function edit(record: ThreadRecord, draft: Draft, ports: AgentPorts) {
  const { thread, entry } = draft
  const call = retryOnce(() => put(draft, workingComment(record, entry.writer), ports))
  const reply = await orWarn('record', thread, call, ports)
  if (!reply.ok) return reply
  record.comment = reply.value
  record.writes.set(reply.value, entry)
  return reply
}

/** The request's entries. What this step wrote counts more than what is listed. */
export function entriesOf({ request, entries, writes }: ThreadRecord) {
  const onThread = entriesAbout({ ...request, role: 'request' }, entries)
  const comments = new Map(onThread.map((comment) => [comment.id, comment]))
  for (const [id, entry] of writes) {
    const blank = {
      thread: request.thread,
      nodeId: '',
      createdAt: entry.since,
      words: '',
      isIntact: true,
      accounts: null,
    }
    comments.set(id, { ...blank, ...comments.get(id), id, entry, isSigned: true })
  }
  return [...comments.values()]
}

/** The working comment of a writer; null if there is none. The post step finds it in the list. */
export function workingComment(record: ThreadRecord, writer: string) {
  const comment = entriesOf(record).find(({ isSigned, entry }) => isSigned && entry.writer === writer)
  return record.comment ?? comment?.id ?? null
}

/**
 * The comments that are signed with another key, once this step has written a newer result. They are hidden, never
 * deleted, because their words may be a person's.
 */
export function foreignComments(record: ThreadRecord) {
  const entries = entriesOf(record)
  const { top } = fold(entries)
  if (top === null || !isAtRest(top.entry.state) || !record.writes.has(top.id)) return []
  const foreign = entries.filter(
    ({ id, isSigned, isNewer, accounts }) => !isSigned && !isNewer && accounts === null && id < top.id,
  )
  return foreign.map((comment) => ({ ...comment, isIntact: false }))
}
