/**
 * A request's entries on its thread: the "working" comment, which rises until the end, and the result. The result is a
 * new comment, because GitHub does not notify people of edits. It is posted before the working comment is deleted, so
 * that a kill leaves two comments and never none.
 */

import type { JobChoice } from '../core/job/job.ts'
import { type AgentResult, isGood } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { say } from '../say/messages.ts'
import type { AgentPorts, FoundComment, GitHubReply } from '../usecases/ports.ts'
import {
  type CommentPorts,
  discard,
  entriesIn,
  entriesOf,
  ownComments,
  post,
  put,
  reactTo,
  warnOnRejection,
} from './comments.ts'
import { fold, isAtRest, replaced, type Statement } from './entry.ts'
import type { CommentEntry, FoundEntry } from './format.ts'
import type { Place, Shown } from './place.ts'

/** A request on a thread. */
export interface ThreadRequest
  extends Pick<CommentEntry, 'request' | 'step' | 'project' | 'by' | 'code' | 'globs'> {
  thread: Thread
}

/** What the post step needs to continue on a thread. */
export interface SavedThread {
  kind: 'thread'
  request: ThreadRequest
  /** The working comment; null if the response to its post has not arrived. */
  comment: number | null
}

export interface ThreadPorts extends CommentPorts {
  words: AgentPorts['words']
}

/** Keeps a request's entries on its thread. */
export class ThreadPlace implements Place {
  /** The action's own comments when the thread was last read, and their entries. */
  comments: readonly FoundComment[] = []
  entries: readonly FoundEntry[] = []
  /** The working comment, which only this step edits. */
  comment: number | null
  /** What this step wrote, by comment: lists lag. */
  private readonly written = new Map<number, FoundEntry>()
  private readonly request: ThreadRequest
  private readonly ports: ThreadPorts

  constructor(request: ThreadRequest, ports: ThreadPorts, comment: number | null = null) {
    this.request = request
    this.ports = ports
    this.comment = comment
  }

  async list(): Promise<GitHubReply<FoundEntry[]>> {
    const read = await ownComments(this.request.thread, this.ports)
    if (!read.ok) return read
    this.comments = read.value
    this.entries = entriesIn(read.value, this.request.thread, this.ports)
    return { ok: true, value: this.known() }
  }

  private known(): FoundEntry[] {
    const listed = entriesOf({ ...this.request, role: 'request' }, this.entries)
    const others = listed.filter(({ id }) => !this.written.has(id))
    const own = [...this.written.values()].map((each) => {
      const { isIntact } = listed.find(({ id }) => id === each.id) ?? each
      return { ...each, isIntact }
    })
    return [...others, ...own]
  }

  pending(choice: JobChoice): Shown {
    return { words: this.ports.words.working(choice), state: 'pending', link: '' }
  }

  result(result: AgentResult, isOpen: boolean): Shown {
    const words = this.ports.words.result(result, this.request, isOpen ? null : this.request.code)
    return { words, state: isGood(result.outcome) ? 'success' : 'failure', link: '' }
  }

  async write(statement: Statement, { words }: Shown): Promise<GitHubReply<number>> {
    const entry = this.entryFrom(statement)
    const { thread } = this.request
    const done = await put(thread, this.comment, words, entry, this.ports)
    if (done.ok) this.comment = this.wrote(done.value, entry, words)
    return done
  }

  resume(writer: string): boolean {
    const own = entriesOf({ ...this.request, role: 'request' }, this.entries)
    this.comment ??= own.find(({ entry, isSigned }) => isSigned && entry.writer === writer)?.id ?? null
    return this.comment !== null
  }

  async report(statement: Statement, shown: Shown): Promise<GitHubReply<number>> {
    const entry = this.entryFrom(statement)
    const { thread } = this.request
    const posted = await warnOnRejection(thread, this.ports)(
      'reply',
      post(thread, shown.words, entry, this.ports),
    )
    if (posted.ok) this.wrote(posted.value, entry, shown.words)
    const done = posted.ok || this.comment === null ? posted : await this.write(statement, shown)
    await reactTo(this.request, shown.state === 'success' ? 'rocket' : 'confused', this.ports)
    return done
  }

  hasLeftovers(): boolean {
    return replaced(this.known()).length > 0
  }

  /** Removes replaced comments. Comments that are signed with another key are only hidden, once there is a newer result. */
  async clear(): Promise<boolean> {
    const all = this.known()
    const { top } = fold(all)
    if (top === null || !isAtRest(top.entry.state)) return true
    const foreign = all.filter(({ id, isSigned }) => !isSigned && this.written.has(top.id) && id < top.id)
    const isDone = await discard(this.request.thread, replaced(all), this.ports)
    await discard(
      this.request.thread,
      foreign.map((each) => ({ ...each, isIntact: false })),
      this.ports,
    )
    return isDone
  }

  canDoWithout(): boolean {
    return false
  }

  warn(rejection: Rejection): void {
    const { thread } = this.request
    this.ports.log(say.threadFailed('edit', thread, rejection))
  }

  saved(): SavedThread {
    return { kind: 'thread', request: this.request, comment: this.comment }
  }

  private entryFrom(statement: Statement): CommentEntry {
    const { thread: _, ...request } = this.request
    return { ...request, ...statement, role: 'request' }
  }

  private wrote(id: number, entry: CommentEntry, words: string): number {
    this.written.set(id, {
      id,
      entry,
      isSigned: true,
      nodeId: '',
      createdAt: entry.since,
      words,
      isIntact: true,
    })
    return id
  }
}

/** A name for a step's request on a thread. */
export function requestName(
  thread: Thread,
  { request, step }: Pick<CommentEntry, 'request' | 'step'>,
): string {
  return [threadName(thread), request, step].join(' ')
}
