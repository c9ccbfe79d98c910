/**
 * A request's record on its thread. The "working" comment holds the mark before anything is sent. The result is a new
 * comment, because GitHub does not notify people of edits. It is posted before the working comment is deleted, so that
 * a crash leaves two comments and never none.
 */
import type { JobChoice } from '../core/job-choice.ts'
import {
  type FoundMark,
  type Mark,
  readMark,
  stateFields,
  stateOnThread,
  type ThreadState,
} from '../core/mark.ts'
import { isGood, isUnfinished } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import type { CodePull } from '../core/pull.ts'
import { isOpenRecord, type Known, nextForRun, type RequestState, stateAfter } from '../core/record.ts'
import { type Thread, threadName } from '../core/thread.ts'
import {
  bodyOf,
  type CommentPorts,
  editFresh,
  editMarked,
  findMarks,
  isMissing,
  keepFirst,
  type MarkedText,
  marksIn,
  ownComments,
  pollForComment,
  postUnbound,
  putMarked,
  reactTo,
  warnOnRejection,
} from './comments.ts'
import { type Ended, failed, unread } from './ended.ts'
import type { FoundComment, GitHubReply } from './ports.ts'
import { type Opened, permit, type Store } from './store.ts'

/** The texts on a thread, in Markdown. */
export interface ThreadWords {
  working(choice: JobChoice): string
  /** The result: a new comment or, if the job continues without this step, the working comment's text. */
  result(result: AgentResult, code: CodePull | null): string
}

/** What the post step needs to finish a killed step's reply. */
export interface SavedReply {
  thread: Thread
  /** The working comment; null if the response to its post has not arrived. */
  working: number | null
  /** The working comment, as it was posted. */
  posted: MarkedText
  mark: MarkedText['mark']
  /** What was about to be reported; null before the end. `isEdit`: it replaces the working comment's text. */
  pending: (MarkedText & { isEdit: boolean }) | null
}

export interface ThreadStorePorts extends CommentPorts {
  words: ThreadWords
  /** Saves what the post step needs; null when nothing is left to do. */
  save(reply: SavedReply | null): void
}

/** A request on a thread, and its run. */
export interface ThreadRequestRef
  extends Pick<Mark, 'request' | 'step' | 'project' | 'since' | 'by' | 'globs'> {
  thread: Thread
  /** The latest time at which the run that holds the record can end, in milliseconds since the epoch. */
  until: number
  /** The code's pull request, if later runs must know it. */
  code: CodePull | null
}

/** Keeps a request's record on its thread. */
export class ThreadStore implements Store {
  private readonly ref: ThreadRequestRef
  private readonly isFirst: boolean
  private readonly ports: ThreadStorePorts
  /** What the thread contained when it was last read: the action's own comments and their marks. */
  comments: readonly FoundComment[] = []
  marks: readonly FoundMark[] = []
  /** Whether an earlier run posted the working comment. */
  private isTakenOver = false
  /** Whether this run knows what earlier runs left. */
  private hasLooked = false
  private seen: Known = { kind: 'none' }
  private since: number
  private working: number | null = null
  /** The comment that this run posted before it looked. */
  private posted: number | null = null
  private choice: JobChoice = 'own'
  private state: RequestState = { state: 'not-sent' }
  /** Comments that the result replaces, and comments that are only hidden. */
  private leftovers: Pick<ThreadState, 'spare' | 'outdated'> = { spare: [], outdated: [] }
  /** Whether the log already warns that the job could not be recorded. Further attempts do not warn again. */
  private hasWarned = false
  private readonly orWarn: ReturnType<typeof warnOnRejection>

  /** @param isFirst whether no other run can report this request. If so, this run posts before it looks. */
  constructor(ref: ThreadRequestRef, isFirst: boolean, ports: ThreadStorePorts) {
    this.ref = ref
    this.isFirst = isFirst
    this.ports = ports
    this.since = ref.since
    this.orWarn = warnOnRejection(ref.thread, ports)
  }

  /** The working comment, if this run posted it or took it over. */
  get comment(): number | null {
    return this.working
  }

  async find(): Promise<Known | Ended> {
    // A first run posts before it looks, so that two commands at the same time see each other.
    if (this.isFirst && this.working === null) {
      const posted = await this.post()
      if (!posted.ok)
        return failed({ type: 'record-unwritten', where: 'comment', rejection: posted.rejection })
    }
    const read = await ownComments(this.ref.thread, this.ports)
    const isStopped = nextForRun(this.seen).do !== 'send'
    this.hasLooked = read.ok || isStopped
    if (!read.ok) return isStopped ? this.seen : unread('thread', read.rejection)
    this.comments = read.value
    this.marks = marksIn(read.value, this.ref.thread, this.ports)
    const earlier = this.marks.filter(({ comment }) => comment !== this.posted)
    // GitHub's lists lag, so a record that was found earlier still counts.
    if (isStopped && stateOnThread(this.ref, earlier).known.kind === 'none') return this.seen
    this.seen = await this.takeOver(earlier)
    return this.seen
  }

  /** Takes over the comments of an earlier run. If they include a working comment, this run's own is deleted. */
  private async takeOver(earlier: readonly FoundMark[]): Promise<Known> {
    const { known, working, spare, outdated } = stateOnThread(this.ref, earlier)
    this.leftovers = { spare, outdated }
    if (known.kind === 'record' && known.record.state === 'ended') await this.tidy()
    const isNeeded = working === null && nextForRun(known).do !== 'repeat'
    if (this.posted !== null && !isNeeded)
      await this.orWarn('delete', this.ports.github.remove(this.ref.thread, this.posted))
    if (!isNeeded) this.working = working
    this.isTakenOver = working !== null
    if (known.kind === 'record' && isOpenRecord(known.record)) {
      this.state = known.record
      // This run reports for the run that left the record.
      this.since = known.record.since
    }
    return known
  }

  async open(choice: JobChoice): Promise<Opened> {
    this.choice = choice
    // One rejected call must not fail the request.
    const first = await this.put({ state: 'open' })
    const put = first.ok ? first : await this.put({ state: 'open' })
    if (put.ok) return { ok: true, permit }
    return { ok: false, problem: { type: 'record-unwritten', where: 'comment', rejection: put.rejection } }
  }

  async job(job: string): Promise<boolean> {
    const put = await this.put({ state: 'job', job, isLeft: false })
    const { thread } = this.ref
    if (!put.ok && !this.hasWarned)
      this.ports.onProgress({ type: 'thread-failed', act: 'edit', thread, rejection: put.rejection })
    this.hasWarned ||= !put.ok
    return put.ok
  }

  async end(result: AgentResult): Promise<boolean> {
    const { words, save } = this.ports
    // If this run has not read the thread, its result might contradict another run's.
    if (!this.isFirst && !this.hasLooked) return false
    const state = stateAfter(result)
    const isEdit = isUnfinished(result.outcome)
    const text = words.result(result, isEdit ? null : this.ref.code)
    const pending = { text, mark: this.mark(state), isEdit }
    this.save(pending)
    const isReported = isEdit ? await this.edit(pending) : await this.report(pending)
    if (isReported) save(null)
    if (!isEdit) await reactTo(this.ref, isGood(result.outcome) ? 'rocket' : 'confused', this.ports)
    return isReported
  }

  /** Posts the working comment. Its unbound mark shows that nothing was sent. */
  private async post(): Promise<GitHubReply<number>> {
    // Saved first, because the post step must know about a comment that may exist.
    this.save(null)
    const posted = await postUnbound(this.ref.thread, this.marked({ state: 'open' }), this.ports)
    if (posted.ok) this.posted = this.working = posted.value
    this.save(null)
    return posted
  }

  /** Writes a state into the working comment, and posts it if there is none. */
  private async put(state: RequestState): Promise<GitHubReply<number>> {
    this.state = state
    // A posted comment is known even if GitHub rejects the edit that binds it.
    const posted = this.working === null ? await this.post() : null
    if (posted?.ok === false) return posted
    this.save(null)
    const put = await putMarked(this.ref.thread, this.working, this.marked(state), this.ports)
    if (put.ok) this.working = put.value
    this.save(null)
    return put
  }

  private async edit(pending: MarkedText): Promise<boolean> {
    const put = putMarked(this.ref.thread, this.working, pending, this.ports)
    return (await this.orWarn('edit', put)) !== undefined
  }

  private async report(pending: MarkedText): Promise<boolean> {
    const { thread } = this.ref
    if (await this.isReportedElsewhere()) return true
    const posted = await this.orWarn('reply', postUnbound(thread, pending, this.ports))
    if (posted === undefined) return this.working !== null && this.edit(pending)
    const first = this.isFirst ? posted : await this.keepFirst(posted, pending)
    const id = await this.orWarn('edit', putMarked(thread, first, pending, this.ports))
    // The post step or the next run cleans up. Until a bound mark names the job, the working comment is its record.
    if (id === undefined) return false
    return this.cleanUp(id)
  }

  /**
   * Whether another run has already reported the result for the working comment that this run took over. GitHub's lists
   * lag, but an edit of a deleted comment fails immediately.
   */
  private async isReportedElsewhere(): Promise<boolean> {
    const { working } = this
    if (!this.isTakenOver || working === null) return false
    const { thread } = this.ref
    if (!isMissing(await editFresh(thread, working, this.marked(this.state), this.ports))) return false
    this.working = null
    const marks = await findMarks(thread, this.ports)
    if (!marks.ok) return false
    const { known } = stateOnThread(this.ref, marks.value)
    return known.kind === 'record' && known.record.state === 'ended'
  }

  /** Removes what a result replaces; false if GitHub rejected that. */
  private async cleanUp(result: number | null): Promise<boolean> {
    const { working } = this
    if (working !== null && working !== result) this.leftovers.spare.push(working)
    return this.tidy()
  }

  /** Removes leftovers. Marks that another account could have copied are hidden, not deleted. */
  private async tidy(): Promise<boolean> {
    const { spare, outdated } = this.leftovers
    const { github } = this.ports
    let isDone = true
    for (const comment of spare)
      isDone = (await this.orWarn('delete', github.remove(this.ref.thread, comment))) !== undefined && isDone
    for (const { nodeId } of outdated) await this.orWarn('hide', github.hide(nodeId))
    this.leftovers = { spare: [], outdated: [] }
    return isDone
  }

  private keepFirst(posted: number, { mark }: MarkedText): Promise<number> {
    const isSame = (other: Mark) =>
      isSameRun(other, mark) && other.state === mark.state && other.job === mark.job
    return keepFirst(this.ref.thread, posted, isSame, this.ports)
  }

  private mark(state: RequestState): MarkedText['mark'] {
    const { request, step, project, by, until, code, globs } = this.ref
    const { since } = this
    const fields = stateFields(state)
    const whose = { role: 'reply', request, step, project, since, by, until, globs, ...fields } as const
    return code === null ? whose : { ...whose, code }
  }

  private marked(state: RequestState): MarkedText {
    return { text: this.ports.words.working(this.choice), mark: this.mark(state) }
  }

  private save(pending: SavedReply['pending']): void {
    const { thread } = this.ref
    const posted = { text: this.ports.words.working('own'), mark: this.mark({ state: 'open' }) }
    this.ports.save({ thread, working: this.working, posted, mark: this.mark(this.state), pending })
  }
}

/**
 * Finishes a killed step's reply: reports the saved result, or that the step ended. The record stays open, so that a
 * later run can continue.
 * @param killedText the text if there is no result, by the state of the request
 */
export async function finishReply(
  saved: SavedReply,
  killedText: (state: Mark['state']) => string,
  ports: CommentPorts,
): Promise<void> {
  const { thread, mark, pending } = saved
  const orWarn = warnOnRejection(thread, ports)
  const marks = await orWarn('read', findMarks(thread, ports))
  if (marks === undefined) return
  const working = saved.working ?? lostPost(saved, marks, ports)
  if (pending === null || pending.isEdit) {
    if (working === null) return
    const last = lastMark(mark, working, marks)
    const { text, mark: kept } = pending ?? { text: killedText(last.state), mark: last }
    // The run has ended, so its job is left behind.
    const left = kept.state === 'job' ? { ...kept, isLeft: true } : kept
    await orWarn('edit', editMarked(thread, working, { text, mark: left }, ports))
    return
  }
  // The killed step may have posted the result. If the mark is not bound, the comment's body equals the one built here.
  const name = threadName(thread)
  const isPosted = (comment: FoundComment) => {
    const found = readMark(comment, name, ports.sign)
    if (found?.isBound !== true) return comment.body === bodyOf(thread, 0, pending, ports)
    return found.isSigned && isSameRun(found.mark, pending.mark) && found.mark.state === pending.mark.state
  }
  const posted = await orWarn('read', pollForComment(thread, isPosted, ports))
  if (posted === undefined) return
  const id = await orWarn('reply', putMarked(thread, posted, pending, ports))
  if (id === undefined) return
  const { spare } = stateOnThread(pending.mark, marks)
  for (const old of new Set([...spare, working]))
    if (old !== null && old !== id) await orWarn('delete', ports.github.remove(thread, old))
}

/** The working comment, if it was posted but the killed step did not receive or save the response. */
function lostPost(
  { thread, posted, mark }: SavedReply,
  marks: readonly FoundMark[],
  ports: CommentPorts,
): number | null {
  const isOurs = (found: FoundMark) =>
    found.isBound
      ? found.isSigned && isSameRun(found.mark, mark)
      : found.body === bodyOf(thread, 0, posted, ports)
  return marks.find(isOurs)?.comment ?? null
}

/** If the disk was full, the saved state may be old. A record in a comment is never reverted. */
function lastMark(
  saved: MarkedText['mark'],
  working: number,
  marks: readonly FoundMark[],
): MarkedText['mark'] {
  const found = marks.find(({ comment, isSigned, isBound }) => comment === working && isSigned && isBound)
  return saved.job === null && found !== undefined ? found.mark : saved
}

function isSameRun(one: Omit<Mark, 'at'>, other: Omit<Mark, 'at'>): boolean {
  return (['role', 'request', 'step', 'since'] as const).every((name) => one[name] === other[name])
}

/** A name for a step's request on a thread. */
export function requestName(thread: Thread, { request, step }: Pick<Mark, 'request' | 'step'>): string {
  return [threadName(thread), request, step].join(' ')
}
