/**
 * A request's memory on its thread: the "working" comment, which carries the mark before anything is sent, and then the
 * result, which is a comment of its own since GitHub notifies people of new comments and not of edits. The new one
 * comes first and the old one is deleted after it, so that a crash leaves two of them and never none.
 */
import { type FoundMark, type Mark, type Standing, standingOf } from '../core/mark.ts'
import { isGood, isUnfinished } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import type { Thread } from '../core/thread.ts'
import {
  type CommentPorts,
  editMarked,
  findMarks,
  keepFirst,
  type MarkedText,
  postUnbound,
  putMarked,
  warnOnRefusal,
} from './comments.ts'
import { type Memory, stateAfter } from './memory.ts'
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

/** What a thread is told at the end of a step. */
interface ToldText extends MarkedText {
  /** Whether it takes the place of “working”, and is no comment of its own. */
  isEdit: boolean
}

/** What the post step needs to end the reply of a step that was killed. */
export interface SavedReply {
  thread: Thread
  /** The comment that says that the agent is at work; null before it is posted. */
  working: number | null
  mark: MarkedText['mark']
  /** What was about to be told; null before the end. */
  told: ToldText | null
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
  /** Comments that the next result replaces. */
  private spare: number[] = []
  /** Whether an earlier run left the job, so that another run may tell its end at the same time. */
  private isShared = false
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
  async takeOver(standing: Standing): Promise<void> {
    const { job, working, isSpent } = standing
    const { result, spare } = toReplace(standing)
    if (working !== null || result !== null) {
      const posted = this.working
      this.working = working
      if (posted !== null) await this.remove(posted)
    }
    this.jobId = isSpent ? null : job
    this.result = result
    this.spare = spare
    this.isShared = standing.kind === 'job'
  }

  /** Binds the mark: from here on, something may have been sent. */
  async open(choice: JobChoice): Promise<void> {
    this.choice = choice
    // If only the edit fails, the next try edits the same comment.
    const posted = this.working === null ? await this.post() : { ok: true as const, value: this.working }
    const put = posted.ok
      ? await putMarked(this.ref.thread, posted.value, this.marked('open'), this.ports)
      : posted
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
    const isEdit = isUnfinished(result.outcome)
    const told: ToldText = {
      text: isEdit ? words.unfinished(result) : words.result(result),
      mark: {
        ...this.mark(state),
        job: state === 'open' || state === 'not-sent' ? null : (result.jobId ?? this.jobId),
        outcome: isEdit ? null : result.outcome,
        prLink: result.job?.prLink ?? null,
      },
      isEdit,
    }
    this.save(told)
    const isTold = isEdit ? await this.editWorking(told) : await this.tellResult(told)
    if (isTold) this.ports.save(null)
    if (isEdit) return isTold
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
    const { thread } = this.ref
    // A result that an earlier run has told already is corrected in place: nobody needs a second mail.
    const isCorrected = this.result !== null
    const posted = this.result ?? (await this.tell('reply', postUnbound(thread, told, this.ports)))
    if (posted === undefined) return this.working !== null && this.editWorking(told)
    const first = isCorrected || !this.isShared ? posted : await this.keepFirst(posted, told)
    const id = await this.tell('edit', putMarked(thread, first, told, this.ports))
    // The post step, or the next run, binds it.
    if (id === undefined) return false
    for (const spare of this.spare) await this.remove(spare)
    if (this.working === null || this.working === id) return true
    const removed = await this.remove(this.working)
    // The post step, or the next run, removes it.
    if (removed === undefined) return false
    if (removed === 'deleted') return true
    // Another run reported the result at the same time: the run that deleted the working comment is the one.
    const marks = await this.tell('read', findMarks(this.ref.thread, this.ports))
    const others = (marks ?? []).filter(({ comment }) => comment !== id)
    if (!isCorrected && standingOf(this.ref, others).result !== null) await this.remove(id)
    return true
  }

  private keepFirst(posted: number, { mark: { job } }: MarkedText): Promise<number> {
    const { thread, request, step } = this.ref
    const isSame = (mark: Mark) =>
      mark.request === request && mark.step === step && mark.state === 'ended' && mark.job === job
    return keepFirst(thread, posted, isSame, this.ports)
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

  private save(told: ToldText | null): void {
    // Nothing was sent yet if the mark does not stand.
    const before = this.isMarked.ok ? 'open' : 'not-sent'
    const mark = this.mark(this.jobId === null ? before : 'job')
    this.ports.save({ thread: this.ref.thread, working: this.working, mark, told })
  }

  private tell: ReturnType<typeof warnOnRefusal> = (act, reply) =>
    warnOnRefusal(this.ref.thread, this.ports)(act, reply)
}

/** What the next result corrects, and what it replaces: the end of a job without anything to show is told again. */
function toReplace({ isSpent, result, spare }: Standing): Pick<Standing, 'result' | 'spare'> {
  return isSpent && result !== null ? { result: null, spare: [...spare, result] } : { result, spare }
}

/**
 * Ends the reply of a step that was killed: tells what was about to be told, or says that the step ended. The mark
 * stays, so that a later run can go on.
 * @param killed the text for a step that had nothing to tell yet
 */
export async function finishReply(
  { thread, working, mark, told }: SavedReply,
  killed: string,
  ports: CommentPorts,
): Promise<void> {
  const tell = warnOnRefusal(thread, ports)
  const marks = await tell('read', findMarks(thread, ports))
  if (marks === undefined) return
  if (told === null || told.isEdit) {
    if (working === null) return
    const { text, mark: kept } = told ?? { text: killed, mark: lastMark(mark, working, marks) }
    await tell('edit', editMarked(thread, working, { text, mark: kept }, ports))
    return
  }
  const standing = standingOf(mark, marks)
  // The killed step may have posted it.
  const posted = marks.findLast(
    (found) => found.comment !== working && found.isSigned && isSameRun(found.mark, told.mark),
  )
  const { result, spare } = toReplace(standing)
  const id = await tell('reply', putMarked(thread, posted?.comment ?? result, told, ports))
  if (id === undefined) return
  for (const old of [standing.working, ...spare])
    if (old !== null && old !== id) await tell('delete', ports.github.remove(thread, old))
}

/** A disk that was full kept an older state: a mark that stands in its comment is never taken back. */
function lastMark(
  saved: MarkedText['mark'],
  working: number,
  marks: readonly FoundMark[],
): MarkedText['mark'] {
  const found = marks.find(({ comment, isSigned, isBound }) => comment === working && isSigned && isBound)
  return saved.job === null && found !== undefined ? found.mark : saved
}

function isSameRun(one: Omit<Mark, 'at'>, other: Omit<Mark, 'at'>): boolean {
  return (['request', 'step', 'since', 'state'] as const).every((name) => one[name] === other[name])
}
