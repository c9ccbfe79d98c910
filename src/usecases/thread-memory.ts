/**
 * A request's memory on its thread: the "working" comment, which carries the mark before anything is sent, and then the
 * result, which is a comment of its own since GitHub notifies people of new comments and not of edits. The new one
 * comes first and the old one is deleted after it, so that a crash leaves two of them and never none.
 */
import { type Mark, type Standing, standingOf } from '../core/mark.ts'
import { isGood } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import type { Thread } from '../core/thread.ts'
import {
  type CommentPorts,
  editMarked,
  findMarks,
  type MarkedText,
  postMarked,
  postUnbound,
  putMarked,
  warnOnRefusal,
} from './comments.ts'
import { isUnfinished, type Memory, stateAfter } from './memory.ts'
import type { GitHubReply } from './ports.ts'

/** What a thread is told; Markdown. */
export interface ThreadWords {
  working(choice: JobChoice): string
  /** The result, as a comment of its own. */
  result(result: AgentResult): string
  /** In place of “working”, while the job goes on without this step. */
  unfinished(result: AgentResult): string
}

/**
 * Which job a request goes to: its own, that of the thread (at once, or after a wait for an earlier request to get it),
 * or a new one since that of the thread is over or an earlier request is unclear.
 */
export type JobChoice = 'own' | 'thread' | 'waited' | 'replaced' | 'unclear'

/** What the post step needs to end the reply of a step that was killed. */
export interface SavedReply {
  thread: Thread
  /** The comment that says that the agent is at work; null before it is posted. */
  working: number | null
  mark: MarkedText['mark']
  /** The result that was about to be told; null before the end. */
  result: MarkedText | null
}

export interface ThreadMemoryPorts extends CommentPorts {
  words: ThreadWords
  /** Saves what the post step needs; null once there is nothing left to do. */
  save(reply: SavedReply | null): void
}

/** What the memory starts from. */
export interface ThreadRequestRef extends Pick<Mark, 'request' | 'step' | 'project' | 'since' | 'by'> {
  thread: Thread
  /** The comment to react to; null to react to the issue or pull request itself. */
  comment: number | null
}

export class ThreadMemory implements Memory {
  readonly where = 'comment'
  private readonly ref: ThreadRequestRef
  private readonly ports: ThreadMemoryPorts
  private working: number | null = null
  private result: number | null = null
  /** The result of a job that ended without anything to show, until there is a better one. */
  private stale: number | null = null
  private jobId: string | null = null
  private choice: JobChoice = 'own'
  private isMarked: GitHubReply<void> = {
    ok: false,
    refusal: { status: null, message: 'The mark is not written yet' },
  }

  constructor(ref: ThreadRequestRef, ports: ThreadMemoryPorts) {
    this.ref = ref
    this.ports = ports
  }

  /** The comment that says that the agent is at work. */
  get comment(): number | null {
    return this.working
  }

  /** Posts the working comment. Its mark is not bound, so it tells that nothing was sent. */
  async post(): Promise<GitHubReply<number>> {
    const posted = await postUnbound(this.ref.thread, this.marked('open'), this.ports)
    if (posted.ok) this.working = posted.value
    this.save(null)
    return posted
  }

  /** Goes on with the comments of an earlier run. A working comment that this run posted is not needed then. */
  async takeOver({ kind, job, working, result, isSpent }: Standing): Promise<void> {
    if (working !== null || (result !== null && kind === 'job' && !isSpent)) {
      const spare = this.working
      this.working = working
      if (spare !== null) await this.remove(spare)
    }
    this.jobId = job
    this.result = isSpent ? null : result
    this.stale = isSpent ? result : null
  }

  /** Binds the mark: from here on, something may have been sent. */
  async open(choice: JobChoice): Promise<void> {
    this.choice = choice
    const put = await putMarked(this.ref.thread, this.working, this.marked('open'), this.ports)
    if (put.ok) this.working = put.value
    this.isMarked = put.ok ? { ok: true, value: undefined } : put
    this.save(null)
  }

  async sending(): Promise<GitHubReply<void>> {
    if (!this.isMarked.ok) await this.open(this.choice)
    return this.isMarked
  }

  async job(jobId: string): Promise<void> {
    this.jobId = jobId
    this.save(null)
    if (this.working === null) return
    const marked = this.marked('job')
    await this.tell('edit', editMarked(this.ref.thread, this.working, marked, this.ports))
  }

  async close(result: AgentResult): Promise<boolean> {
    const { words } = this.ports
    const state = stateAfter(result)
    const told: MarkedText = {
      text: isUnfinished(result) ? words.unfinished(result) : words.result(result),
      mark: {
        ...this.mark(state),
        job: state === 'open' || state === 'not-sent' ? null : (result.jobId ?? this.jobId),
        outcome: state === 'ended' ? result.outcome : null,
        prLink: result.job?.prLink ?? null,
      },
    }
    this.save(told)
    const isTold = isUnfinished(result) ? await this.editWorking(told) : await this.tellResult(told)
    if (isTold) this.ports.save(null)
    if (isUnfinished(result)) return isTold
    await this.tell(
      'react',
      this.ports.github.react(
        this.ref.thread,
        this.ref.comment,
        isGood(result.outcome) ? 'rocket' : 'confused',
      ),
    )
    return isTold
  }

  private async editWorking(told: MarkedText): Promise<boolean> {
    const put = putMarked(this.ref.thread, this.working ?? this.result, told, this.ports)
    return (await this.tell('edit', put)) !== undefined
  }

  private async tellResult(told: MarkedText): Promise<boolean> {
    // A result that an earlier run has told already is corrected in place: nobody needs a second mail.
    const put =
      this.result === null
        ? postMarked(this.ref.thread, told, this.ports)
        : putMarked(this.ref.thread, this.result, told, this.ports)
    const id = await this.tell('reply', put)
    if (id === undefined) return this.working === null ? false : this.editWorking(told)
    if (this.stale !== null) await this.remove(this.stale)
    if (this.working === null || this.working === id || (await this.remove(this.working)) !== 'gone')
      return true
    // Another run told the result at the same time: whoever deleted the working comment is the one who did.
    const marks = await this.tell('read', findMarks(this.ref.thread, this.ports))
    const others = (marks ?? []).filter(({ comment }) => comment !== id)
    if (this.result === null && standingOf(this.ref, others).result !== null) await this.remove(id)
    return true
  }

  private async remove(id: number): Promise<'deleted' | 'gone' | undefined> {
    return this.tell('delete', this.ports.github.remove(this.ref.thread, id))
  }

  private mark(state: Mark['state']): MarkedText['mark'] {
    const { request, step, project, since, by } = this.ref
    const job = state === 'open' ? null : this.jobId
    return { role: 'reply', request, step, project, since, by, state, job, outcome: null, prLink: null }
  }

  private marked(state: Mark['state']): MarkedText {
    return { text: this.ports.words.working(this.choice), mark: this.mark(state) }
  }

  private save(result: MarkedText | null): void {
    // Nothing was sent yet if the mark does not stand.
    const before = this.isMarked.ok ? 'open' : 'not-sent'
    const mark = this.mark(this.jobId === null ? before : 'job')
    this.ports.save({ thread: this.ref.thread, working: this.working, mark, result })
  }

  private tell: ReturnType<typeof warnOnRefusal> = (act, reply) =>
    warnOnRefusal(this.ref.thread, this.ports)(act, reply)
}

/**
 * Ends the reply of a step that was killed: tells the result that was about to be told, or says that the step ended.
 * The mark stays, so that a later run can go on.
 * @param killed the text for a step that had no result yet
 */
export async function finishReply(
  { thread, working, mark, result }: SavedReply,
  killed: string,
  ports: CommentPorts,
): Promise<void> {
  const tell = warnOnRefusal(thread, ports)
  if (result === null) {
    if (working !== null) await tell('edit', editMarked(thread, working, { text: killed, mark }, ports))
    return
  }
  const marks = await tell('read', findMarks(thread, ports))
  if (marks === undefined) return
  // The killed step may have posted it.
  const standing = standingOf(mark, marks)
  const id = await tell('reply', putMarked(thread, standing.result, result, ports))
  const spare = standing.working
  if (id !== undefined && spare !== null && spare !== id)
    await tell('delete', ports.github.remove(thread, spare))
}
