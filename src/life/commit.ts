/** A request's entries on its commit: statuses, which also link people to the commit's docs. */
import { fingerprint } from '../core/mark.ts'
import { type AgentResult, failsStep, type Outcome } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import type { Origin } from '../core/pull.ts'
import type { AgentPorts, GitHubReply } from '../usecases/ports.ts'
import { orWarn } from './comments.ts'
import { fold, isOpen, type Statement } from './entry.ts'
import { type FoundStatusEntry, type StatusEntry, type StatusPlace, writeStatus } from './format.ts'
import { type StepStatus, stepStatuses } from './lists.ts'
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
  private readonly originOf: (() => Promise<Origin>) | null
  /** Whether GitHub may have carried out a write although its response was lost. */
  private mayHaveWritten = false

  /** @param originOf reads what the request is about; null in the post step */
  constructor(request: CommitRequest, ports: AgentPorts, originOf: (() => Promise<Origin>) | null) {
    this.request = request
    this.ports = ports
    this.originOf = originOf
  }

  async about(): Promise<About | null> {
    if (this.originOf === null) return null
    const { run, context, project } = this.request
    const step = fingerprint(`${project}\n${context}`)
    return { ...(await this.originOf()), request: `run:${run}`, step, project: fingerprint(project) }
  }

  async list(): Promise<GitHubReply<FoundStatusEntry[]>> {
    const read = await twice(() => stepStatuses(this.request, [this.request.context], this.ports))
    if (read.ok) this.listed = read.value
    else if (!this.turnOff(read.rejection)) return read
    return { ok: true, value: this.entriesOf(this.request.run) }
  }

  pending(): Shown {
    return { words: this.ports.words.status(null), state: 'pending', link: this.request.runUrl }
  }

  result(result: AgentResult, isOpen: boolean): Shown {
    const ended = failsStep(result.outcome, new Set(this.request.failOn)) ? 'failure' : 'success'
    const link = result.job?.prLink ?? this.request.runUrl
    return { words: this.ports.words.status(result), state: isOpen ? 'pending' : ended, link }
  }

  async write(statement: Statement, shown: Shown): Promise<GitHubReply<number>> {
    if (this.written.length === 0) await this.list()
    return this.orWarn(twice(() => this.set(this.freeContext(), statement, shown)))
  }

  async report(statement: Statement, shown: Shown): Promise<GitHubReply<number>> {
    // What the run saw when it began may have changed.
    const read = await this.list()
    // Without the list, the status might hide another request, or contradict what is known.
    if (!read.ok && this.written.length === 0) return this.orWarn(read)
    return this.orWarn(this.set(this.freeContext(), statement, shown))
  }

  /** Repeats the request's end in the contexts that still show the request as open. */
  async clear(): Promise<boolean> {
    const { top } = fold(this.entriesOf(this.request.run))
    const end = this.all().find(({ found }) => found?.id === top?.id)
    let isDone = true
    for (const context of this.leftovers()) {
      if (!end?.found) continue
      const shown = { words: end.found.words, link: end.targetUrl, state: end.state }
      isDone = (await this.set(context, end.found.entry, shown)).ok && isDone
    }
    return isDone
  }

  /** The contexts that show the request as open although it is at rest. */
  leftovers(): string[] {
    const { run } = this.request
    if (isOpen(fold(this.entriesOf(run)))) return []
    const own = this.latest().filter(({ found }) => found?.isSigned && found.entry.run === run)
    const pending = own.filter(({ context, state }) => state === 'pending' && this.isFree(context))
    return pending.map(({ context }) => context)
  }

  /**
   * Does without a record if the commit only holds it, as on a release, if the token has no access to statuses, and if
   * nothing can be recorded yet.
   */
  private turnOff({ status, kind }: Rejection): boolean {
    const isDenied = kind !== 'rate-limit' && status !== null && status >= 400 && status < 500
    const { follows, run } = this.request
    const hasRecord = this.mayHaveWritten || this.entriesOf(run).length > 0
    this.isOff ||= follows === 'nothing' && isDenied && !hasRecord
    return this.isOff
  }

  private all(): StepStatus[] {
    return [...this.written, ...this.listed].toSorted((one, other) => other.id - one.id)
  }

  private entriesOf(run: string): FoundStatusEntry[] {
    return this.all().flatMap(({ found }) => (found?.entry.run === run ? [found] : []))
  }

  /** The latest status of each of the step's contexts. */
  private latest(): StepStatus[] {
    return [...Map.groupBy(this.all(), ({ context }) => context).values()].flatMap(([first]) => first ?? [])
  }

  /** The context of a request's newest entry. */
  private home(run: string): string | null {
    return this.all().find(({ found }) => found?.isSigned && found.entry.run === run)?.context ?? null
  }

  /** Whether a context shows no other request, or only one at rest. */
  private isFree(context: string): boolean {
    const latest = this.latest().find((each) => each.context === context)
    // A pending status may be another project's.
    if (latest?.found === null && latest.state === 'pending') return false
    const runs = new Set(this.all().flatMap(({ found }) => found?.entry.run ?? []))
    runs.delete(this.request.run)
    return ![...runs].some((run) => this.home(run) === context && isOpen(fold(this.entriesOf(run))))
  }

  /** The request's context if it is free; otherwise, the step's first one that is. */
  private freeContext(): string {
    const first = this.request.context
    for (const own of [this.home(this.request.run) ?? first, first]) if (this.isFree(own)) return own
    for (let number = 2; ; number++) if (this.isFree(`${first} · ${number}`)) return `${first} · ${number}`
  }

  private async set(
    context: string,
    statement: Statement,
    { words, state, link }: Shown,
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
    this.written.unshift({ ...status, commit, id: set.value, author: null, createdAt: 0, found })
    return set
  }

  private orWarn<R extends GitHubReply<unknown>>(reply: R | Promise<R>): Promise<R> {
    return orWarn('status', `commit ${this.request.commit.slice(0, 7)}`, reply, this.ports)
  }
}
