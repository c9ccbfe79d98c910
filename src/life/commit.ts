/** A request's entries on its commit: statuses, which also link people to the commit's docs. */
import { fingerprint } from '../core/mark.ts'
import { type AgentResult, failsStep, type Outcome } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import type { Origin } from '../core/trigger/change.ts'
import { pullAt } from '../usecases/change.ts'
import type { AgentPorts, GitHubReply } from '../usecases/ports.ts'
import { orWarn } from './comments.ts'
import { fold, isOpen, type Statement } from './entry.ts'
import { type EntryStatus, isForPull, type StatusEntry, type StatusPlace, writeStatus } from './format.ts'
import { byRun, type StepStatus, stepStatuses } from './lists.ts'
import { type About, type Place, type Shown, twice } from './place.ts'

/** A request on a commit, and its run. */
export interface CommitRequest extends StatusPlace, Pick<StatusEntry, 'run' | 'follows' | 'globs'> {
  /** The first of the step's contexts. */
  context: string
  runUrl: string
  /** Outcomes that set the status to `failure`. */
  failOn: readonly Outcome[]
}

/**
 * Keeps a request's entries on its commit. A context shows only its latest status, so nothing is written into a context
 * in which another request is open: it goes into the next one.
 */
export class CommitPlace implements Place {
  readonly kind = 'commit'
  isOff = false
  /** The step's statuses when the commit was last read. */
  listed: StepStatus[] = []
  /** What this step wrote, newest first: lists lag. */
  private readonly written: StepStatus[] = []
  readonly request: CommitRequest
  private readonly ports: AgentPorts
  private readonly origin: Origin | null
  /** Whether GitHub may have carried out a write although its response was lost. */
  private mayHaveWritten = false

  /** @param origin what the request is about, as its event says; null if GitHub must be asked */
  constructor(request: CommitRequest, ports: AgentPorts, origin: Origin | null = null) {
    this.request = request
    this.ports = ports
    this.origin = origin
  }

  async about(): Promise<About> {
    const { run, context, project } = this.request
    const step = fingerprint(`${project}\n${context}`)
    const origin = this.origin ?? (await readOrigin(this.request, this.ports))
    return { ...origin, request: `run:${run}`, step, project: fingerprint(project) }
  }

  async list(): Promise<GitHubReply<EntryStatus[]>> {
    if (this.isOff) return { ok: true, value: [] }
    const read = await twice(() => stepStatuses(this.request, [this.request.context], this.ports))
    if (read.ok) this.listed = read.value
    else if (!this.turnOff(read.rejection)) return read
    return { ok: true, value: this.own() }
  }

  pending(): Shown {
    const { runUrl: link } = this.request
    return { words: this.ports.words.status(null), state: 'pending', link, isReport: false }
  }

  result(result: AgentResult, isReport: boolean): Shown {
    const ended = failsStep(result.outcome, new Set(this.request.failOn)) ? 'failure' : 'success'
    const link = result.job?.prLink ?? this.request.runUrl
    return { words: this.ports.words.status(result), state: isReport ? ended : 'pending', link, isReport }
  }

  async write(statement: Statement, shown: Shown): Promise<GitHubReply<number>> {
    const { isReport } = shown
    const hasWritten = this.written.length > 0
    // What the run saw when it began may have changed.
    const read = isReport || !hasWritten ? await this.list() : null
    // Without the list, a report might hide another request, or contradict what is known.
    if (isReport && !hasWritten && read?.ok === false) return this.orWarn(read)
    if (this.isOff) return { ok: true, value: 0 }
    const set = () => this.set(this.freeContext(), statement, shown)
    // A report comes once: the first call may have been carried out, and then, another request can have the context.
    return this.orWarn(isReport ? set() : twice(set))
  }

  /** Repeats the request's end in the contexts that still show the request as open. */
  async clear(): Promise<boolean> {
    const { top } = fold(this.own())
    if (top === null) return true
    const { entry, words, state, targetUrl: link } = top
    let isDone = true
    for (const context of this.leftovers())
      isDone = (await this.set(context, entry, { words, state, link })).ok && isDone
    return isDone
  }

  /** The contexts that show the request as open although it is at rest. */
  leftovers(): string[] {
    if (isOpen(fold(this.own()))) return []
    const contexts = Map.groupBy(this.all(), ({ context }) => context)
    const latest = this.own([...contexts.values()].flatMap(([newest]) => newest ?? []))
    const pending = latest.filter(
      ({ isSigned, context, state }) => isSigned && state === 'pending' && this.isFree(context),
    )
    return pending.map(({ context }) => context)
  }

  /**
   * Does without a record if the commit only holds it, as on a release, if the token has no access to statuses, and if
   * nothing can be recorded yet.
   */
  private turnOff({ status, kind }: Rejection): boolean {
    const isDenied = kind !== 'rate-limit' && status !== null && status >= 400 && status < 500
    const hasRecord = this.mayHaveWritten || this.own().length > 0
    this.isOff ||= this.request.follows === 'nothing' && isDenied && !hasRecord
    return this.isOff
  }

  private all(): StepStatus[] {
    return [...this.written, ...this.listed].toSorted((one, other) => other.id - one.id)
  }

  /** The request's entries, newest first. */
  private own(statuses: readonly StepStatus[] = this.all()): EntryStatus[] {
    return byRun(statuses).find(([newest]) => newest?.entry.run === this.request.run) ?? []
  }

  /** Whether a context shows no other request, or only one at rest. */
  private isFree(context: string): boolean {
    const latest = this.all().find((each) => each.context === context)
    // A pending status may be another project's.
    if (latest?.entry === null && latest.state === 'pending') return false
    const others = byRun(this.all()).filter(([newest]) => newest?.entry.run !== this.request.run)
    return !others.some((other) => newestSigned(other)?.context === context && isOpen(fold(other)))
  }

  /** The request's context if it is free; otherwise, the step's first one that is. */
  private freeContext(): string {
    const first = this.request.context
    const own = newestSigned(this.own())?.context ?? first
    for (const context of [own, first]) if (this.isFree(context)) return context
    for (let number = 2; ; number++) if (this.isFree(`${first} · ${number}`)) return `${first} · ${number}`
  }

  private async set(
    context: string,
    statement: Statement,
    { words, state, link }: Omit<Shown, 'isReport'>,
  ): Promise<GitHubReply<number>> {
    const { repository, commit, run, follows, globs } = this.request
    const { github, sign } = this.ports
    const entry: StatusEntry = { ...statement, run, follows, globs }
    const status = {
      context,
      state,
      description: writeStatus(words, entry, { ...this.request, context }, link, sign),
      targetUrl: link,
    }
    const set = await github.setStatus(repository, commit, status)
    if (!set.ok) {
      this.mayHaveWritten ||= set.rejection.isUncertain === true
      return this.turnOff(set.rejection) ? { ok: true, value: 0 } : set
    }
    const found = { id: set.value, entry, isSigned: true, words }
    this.written.unshift({ ...status, commit, author: null, createdAt: 0, ...found })
    return set
  }

  private orWarn<R extends GitHubReply<unknown>>(reply: R | Promise<R>): Promise<R> {
    return orWarn('status', `commit ${this.request.commit.slice(0, 7)}`, reply, this.ports)
  }
}

/**
 * What a request on a commit is about: the change whose last commit this is, with its pull request. A push is only about a
 * pull request that it merges. For new commits on a branch, none is named, because they can come from several.
 */
async function readOrigin(
  { repository, commit: head, context, follows }: CommitRequest,
  { github }: AgentPorts,
): Promise<Origin> {
  const isChange = follows !== 'nothing' && follows !== 'branch'
  const read = isChange ? await github.pullsOf(repository, head) : null
  const all = read?.ok ? read.value : []
  const hold = follows === 'merge' || follows === 'release' ? follows : null
  const headed = hold !== null || isForPull(context) ? pullAt(all, repository, head) : undefined
  // Only a request of an open pull request has a hold, and that pull request can contain another one's merge.
  const merged = hold === null ? all.find(({ mergeCommit }) => mergeCommit === head) : undefined
  const pull = merged ?? headed
  const [number, requester] = [pull?.number ?? null, pull?.author ?? null]
  const change = follows === 'nothing' ? null : { repository, head, number, author: requester }
  // A merge commit is about a push, which has no code to wait for or to compare with.
  const code = pull?.headCommit === head ? { repository, number: pull.number, head, hold } : null
  return { thread: null, change, requester, code }
}

/** A request's newest signed entry, whose context the request is in. */
function newestSigned(entries: readonly EntryStatus[]): EntryStatus | undefined {
  return entries.find(({ isSigned }) => isSigned)
}
