/**
 * A request's entries on its thread: the "working" comment, which rises until the end, and the result. The result is a
 * new comment, because GitHub does not notify people of edits. It is posted before the working comment is deleted, so
 * that a kill leaves two comments and never none.
 */
import { type AgentResult, isGood } from '../core/outcome.ts'
import type { Thread } from '../core/thread.ts'
import type { AgentPorts, FoundComment, GitHubReply } from '../usecases/ports.ts'
import { type Draft, discard, entriesAbout, orWarn, post, put, reactTo } from './comments.ts'
import { fold, isAtRest, replaced, type Statement } from './entry.ts'
import type { CommentEntry, FoundEntry, Names } from './format.ts'
import { entriesIn } from './lists.ts'
import { type About, type Place, type Shown, twice } from './place.ts'

/** A request on a thread. */
export interface ThreadRequest extends Names, Pick<CommentEntry, 'by' | 'code' | 'globs'> {
  thread: Thread
}

/** Keeps a request's entries on its thread. */
export class ThreadPlace implements Place {
  readonly kind = 'thread'
  readonly isOff = false
  /** The action's own comments when the thread was last read, and their entries. */
  comments: readonly FoundComment[] = []
  entries: readonly FoundEntry[] = []
  /** The working comment, which only this step edits. */
  comment: number | null = null
  /** What this step wrote, by comment: lists lag. */
  private readonly written = new Map<number, CommentEntry>()
  readonly request: ThreadRequest
  private readonly ports: AgentPorts

  constructor(request: ThreadRequest, ports: AgentPorts) {
    this.request = request
    this.ports = ports
  }

  async about(): Promise<About> {
    return { ...this.request, change: null, requester: this.request.by }
  }

  async list(): Promise<GitHubReply<FoundEntry[]>> {
    const { thread } = this.request
    const read = await twice(() => this.ports.github.comments(thread))
    if (!read.ok) return read
    this.comments = read.value
    this.entries = entriesIn(read.value, this.ports.sign)
    return { ok: true, value: this.known() }
  }

  /** The request's entries. */
  private known(): FoundEntry[] {
    const { thread } = this.request
    const listed = entriesAbout({ ...this.request, role: 'request' }, this.entries)
    const found = new Map(listed.map((each) => [each.id, each]))
    for (const [id, entry] of this.written) {
      const unlisted = { thread, nodeId: '', createdAt: entry.since, words: '', isIntact: true }
      found.set(id, { ...(found.get(id) ?? unlisted), id, entry, isSigned: true })
    }
    return [...found.values()]
  }

  pending(words: string): Shown {
    return { words, state: 'pending', link: '', isReport: false }
  }

  result(result: AgentResult, isReport: boolean): Shown {
    const words = this.ports.words.result(result, this.request, isReport ? this.request.code : null)
    return { words, state: isGood(result.outcome) ? 'success' : 'failure', link: '', isReport }
  }

  async write(statement: Statement, { words, state, isReport }: Shown): Promise<GitHubReply<unknown>> {
    const { thread, request } = this.request
    const draft: Draft = { thread, words, entry: { ...this.request, ...statement, role: 'request' } }
    if (!isReport) return this.edit(draft)
    const posted = await orWarn('reply', thread, post(draft, this.ports), this.ports)
    if (posted.ok) this.written.set(posted.value, draft.entry)
    const done = posted.ok || this.commentOf(draft) === null ? posted : await this.edit(draft)
    await reactTo(thread, request, state === 'success' ? 'rocket' : 'confused', this.ports)
    return done
  }

  private async edit(draft: Draft): Promise<GitHubReply<number>> {
    const { thread, entry } = draft
    const writing = twice(() => put(draft, this.commentOf(draft), this.ports))
    const done = await orWarn('edit', thread, writing, this.ports)
    if (!done.ok) return done
    this.comment = done.value
    this.written.set(done.value, entry)
    return done
  }

  /** The working comment of a draft's writer. The post step finds it in the list. */
  private commentOf({ entry: { writer } }: Draft): number | null {
    const own = this.known().find(({ isSigned, entry }) => isSigned && entry.writer === writer)
    return this.comment ?? own?.id ?? null
  }

  get leftovers(): FoundEntry[] {
    return replaced(this.known())
  }

  /** Removes replaced comments. Comments that are signed with another key are only hidden, once there is a newer result. */
  async clear(): Promise<boolean> {
    // A person may have edited this step's working comment since the last look.
    const isStale = this.leftovers.some(({ id }) => this.written.has(id))
    if (isStale && !(await this.list()).ok) return false
    const all = this.known()
    const { top } = fold(all)
    const isNews = top !== null && isAtRest(top.entry.state) && this.written.has(top.id)
    const foreign = isNews ? all.filter(({ id, isSigned }) => !isSigned && id < top.id) : []
    return discard([...replaced(all), ...foreign.map((each) => ({ ...each, isIntact: false }))], this.ports)
  }
}
