/** A request's entries on its commit: statuses, which also link people to the commit's docs. */
import { fingerprint } from '../core/mark.ts'
import { type AgentResult, failsStep, type Outcome } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import type { Origin } from '../core/trigger/change.ts'
import type { AgentPorts, GitHubReply } from '../usecases/ports.ts'
import { orWarn } from './comments.ts'
import { fold, isOpen, type Statement } from './entry.ts'
import { type EntryStatus, type StatusEntry, writeStatus } from './format.ts'
import { byRun, type StepStatus, stepStatuses } from './lists.ts'
import { type About, type Place, type Shown, twice } from './place.ts'

/** A request on a commit, and its run. */
export interface CommitRequest extends Pick<StatusEntry, 'run' | 'follows' | 'number' | 'globs'> {
  commit: string
  /** The first of the step's contexts. */
  context: string
  runUrl: string
  /** Outcomes that set the status to `failure`. */
  failOn: readonly Outcome[]
}

/**
 * Keeps a request's entries on its commit. A context shows only its latest status, so a request begins in one in which no
 * other request is open, and stays there. If two begin at once, the end of one says that it hides the other.
 */
export class CommitPlace implements Place {
  readonly kind = 'commit'
  isOff = false
  /** The step's statuses when the commit was last read. */
  listed: StepStatus[] = []
  /** What this step wrote, newest first: lists lag. */
  private readonly written: EntryStatus[] = []
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
    const { run, context } = this.request
    const { project } = this.ports.run.step
    const names = { request: `run:${run}`, step: fingerprint(`${project}\n${context}`) }
    const origin = this.origin ?? (await readOrigin(this.request, this.ports))
    return { ...origin, ...names, project: fingerprint(project) }
  }

  async list(): Promise<GitHubReply<EntryStatus[]>> {
    if (this.isOff) return { ok: true, value: [] }
    const { commit, context } = this.request
    const read = await twice(() => stepStatuses(commit, [context], this.ports))
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

  async write(statement: Statement, shown: Shown): Promise<GitHubReply<unknown>> {
    const { isReport } = shown
    const isFirst = this.written.length === 0
    // What the run saw when it began may have changed.
    const read = isReport || isFirst ? await this.list() : null
    const on = `commit ${this.request.commit.slice(0, 7)}`
    // Without the list, a report might contradict what is known.
    if (isReport && isFirst && read?.ok === false) return orWarn('status', on, read, this.ports)
    if (this.isOff) return { ok: true, value: null }
    const hides = isReport && (read?.ok === false || this.others().length > 0)
    const set = () => this.set({ ...this.request, ...statement, hides }, shown)
    // A report comes once: the first call may have been carried out, and then, another request can have the context.
    return orWarn('status', on, isReport ? set() : twice(set), this.ports)
  }

  /** The newest status, if it shows the request as open although it is at rest: a run withdrew later. */
  get leftovers(): EntryStatus[] {
    const own = this.own()
    const newest = own.slice(0, 1).filter(({ isSigned, state }) => isSigned && state === 'pending')
    return isOpen(fold(own)) ? [] : newest
  }

  /** Repeats the request's end. */
  async clear(): Promise<boolean> {
    const { top } = fold(this.own())
    if (top === null || this.leftovers.length === 0) return true
    const { commit, context, state, description, targetUrl } = top
    const status = { context, state, description, targetUrl }
    return (await this.ports.github.setStatus(this.ports.run.repository, commit, status)).ok
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

  /** The entries of each of the step's requests, newest first. */
  private requests(): Map<string, EntryStatus[]> {
    return byRun([...this.written, ...this.listed].toSorted((one, other) => other.id - one.id))
  }

  private own(): EntryStatus[] {
    return this.requests().get(this.request.run) ?? []
  }

  /** The other requests that are open. */
  private others(): EntryStatus[][] {
    const others = [...this.requests()].filter(([run]) => run !== this.request.run)
    return others.map(([, entries]) => entries).filter((entries) => isOpen(fold(entries)))
  }

  /** The context of the request's statuses; for its first one, the first context that shows no open request. */
  private context(): string {
    const { context: first } = this.request
    const signed = (entries: EntryStatus[]) => entries.find(({ isSigned }) => isSigned)?.context
    const own = signed(this.own())
    if (own !== undefined) return own
    const isTaken = (context: string) => {
      const latest = this.listed.find((each) => each.context === context)
      // A pending status without an entry may be another project's.
      const isUnknown = latest?.entry === null && latest.state === 'pending'
      return isUnknown || this.others().some((other) => signed(other) === context)
    }
    let context = first
    for (let number = 2; isTaken(context); number++) context = `${first} · ${number}`
    return context
  }

  private async set(
    entry: StatusEntry,
    { words, state, link: targetUrl }: Shown,
  ): Promise<GitHubReply<unknown>> {
    const { github, run, sign } = this.ports
    const { commit } = this.request
    const { repository, step } = run
    const context = this.context()
    const place = { repository, commit, context, project: step.project, targetUrl }
    const status = { context, state, description: writeStatus(words, entry, place, sign), targetUrl }
    const set = await github.setStatus(repository, commit, status)
    if (set.ok) {
      const found = { id: set.value, commit, author: null, createdAt: 0, entry, isSigned: true }
      this.written.unshift({ ...status, ...found })
      return set
    }
    this.mayHaveWritten ||= set.rejection.isUncertain === true
    return this.turnOff(set.rejection) ? { ok: true, value: null } : set
  }
}

/** What a request on a commit is about. A commit that merged its pull request has no code to wait for or to compare with. */
async function readOrigin(request: CommitRequest, { github, run }: AgentPorts): Promise<Origin> {
  const { commit: head, follows, number } = request
  const { repository } = run
  const read = number === null ? null : await github.pull(repository, number)
  const pull = read?.ok ? read.value : null
  const author = pull?.author ?? null
  const change = follows === 'nothing' ? null : { repository, head, number, author }
  const hold = follows === 'merge' || follows === 'release' ? follows : null
  const isCode = number !== null && pull?.mergeCommit !== head
  return { thread: null, change, requester: author, code: isCode ? { repository, number, head, hold } : null }
}
