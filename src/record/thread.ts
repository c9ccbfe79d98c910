/**
 * A request's entries on its thread: the "working" comment, which rises until the end, and the result. The result is a
 * new comment, because GitHub does not notify people of edits. It is posted before the working comment is deleted, so
 * that a kill leaves two comments and never none.
 */
import { isGood } from '../core/outcome.ts'
import type { GitHubReply } from '../core/reply.ts'
import type { Thread } from '../core/thread.ts'
import type { AgentPorts, FoundComment } from '../ports.ts'
import { type Draft, discard, entriesAbout, orWarn, put, reactTo } from './comments.ts'
import { fold, isAtRest, replaced } from './entry.ts'
import type { CommentEntry, FoundEntry, Names } from './format.ts'
import { entriesIn } from './lists.ts'
import { type Place, twice } from './place.ts'

/** A request on a thread. */
export interface ThreadRequest extends Names, Pick<CommentEntry, 'by' | 'code' | 'globs'> {
  thread: Thread
}

/** Keeps a request's entries on its thread. */
export interface ThreadPlace extends Place {
  kind: 'thread'
  request: ThreadRequest
  /** The action's own comments when the thread was last read, and their entries. */
  comments: readonly FoundComment[]
  entries: readonly FoundEntry[]
  /** The working comment, which only this step edits. */
  comment: number | null
}

/** @param entries those on the thread, if it was read */
export function threadPlace(
  request: ThreadRequest,
  ports: AgentPorts,
  entries: readonly FoundEntry[] = [],
): ThreadPlace {
  const { thread } = request
  /** What this step wrote, by comment: lists lag. */
  const written = new Map<number, CommentEntry>()

  /** The request's entries. */
  function known(): FoundEntry[] {
    const listed = entriesAbout({ ...request, role: 'request' }, place.entries)
    const found = new Map(listed.map((each) => [each.id, each]))
    for (const [id, entry] of written) {
      const unlisted = { thread, nodeId: '', createdAt: entry.since, words: '', isIntact: true }
      found.set(id, { ...(found.get(id) ?? unlisted), id, entry, isSigned: true })
    }
    return [...found.values()]
  }

  /** The working comment of a writer. The post step finds it in the list. */
  function commentOf(writer: string): number | null {
    const own = known().find(({ isSigned, entry }) => isSigned && entry.writer === writer)
    return place.comment ?? own?.id ?? null
  }

  async function edit(draft: Draft): Promise<GitHubReply<number>> {
    const writing = twice(() => put(draft, commentOf(draft.entry.writer), ports))
    const done = await orWarn('edit', thread, writing, ports)
    if (!done.ok) return done
    place.comment = done.value
    written.set(done.value, draft.entry)
    return done
  }

  const place: ThreadPlace = {
    kind: 'thread',
    isOff: false,
    request,
    comments: [],
    entries,
    comment: null,

    about: async () => ({ ...request, change: null, requester: request.by }),

    async list() {
      const read = await twice(() => ports.github.comments(thread))
      if (!read.ok) return read
      place.comments = read.value
      place.entries = entriesIn(read.value, ports.sign)
      return { ok: true, value: known() }
    },

    pending: (words) => ({ words, state: 'pending', link: '', isReport: false }),

    result(result, isReport) {
      const words = ports.words.result(result, request, isReport ? request.code : null)
      return { words, state: isGood(result.outcome) ? 'success' : 'failure', link: '', isReport }
    },

    async write(statement, { words, state, isReport }) {
      const draft: Draft = { thread, words, entry: { ...request, ...statement, role: 'request' } }
      if (!isReport) return edit(draft)
      const posted = await orWarn('reply', thread, put(draft, null, ports), ports)
      if (posted.ok) written.set(posted.value, draft.entry)
      const done = posted.ok || commentOf(statement.writer) === null ? posted : await edit(draft)
      await reactTo(thread, request.request, state === 'success' ? 'rocket' : 'confused', ports)
      return done
    },

    get leftovers() {
      return replaced(known())
    },

    /** Removes replaced comments. Comments that are signed with another key are only hidden, once there is a newer result. */
    async clear() {
      // A person may have edited this step's working comment since the last look.
      const isStale = replaced(known()).some(({ id }) => written.has(id))
      if (isStale && !(await place.list()).ok) return false
      const all = known()
      const { top } = fold(all)
      const isNews = top !== null && isAtRest(top.entry.state) && written.has(top.id)
      const foreign = isNews ? all.filter(({ id, isSigned }) => !isSigned && id < top.id) : []
      return discard([...replaced(all), ...foreign.map((each) => ({ ...each, isIntact: false }))], ports)
    },
  }
  return place
}
