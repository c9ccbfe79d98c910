/** A request's entries on its commit: statuses, which also link people to the commit's docs. */

import { projectName } from '../core/mark.ts'
import { type AgentResult, type Failable, failsStep } from '../core/outcome.ts'
import type { Rejection } from '../core/problems.ts'
import { say } from '../say/messages.ts'
import type { AgentPorts, Bounded, FoundStatus, GitHubReply, PlacedStatus } from '../usecases/ports.ts'
import { type Found, fold, isAtRest, type Known, type Statement } from './entry.ts'
import {
  contextsOf,
  type FoundStatusEntry,
  firstContext,
  isOwnContext,
  readStatus,
  type StatusEntry,
  stepOfContext,
  writeStatus,
} from './format.ts'
import type { Place, Shown } from './place.ts'
import type { RequestRef } from './pull.ts'

/** A request on a commit, and its run. */
export interface CommitRequest extends Pick<StatusEntry, 'run' | 'follows' | 'globs'> {
  repository: string
  commit: string
  /** The first of the step's contexts. */
  context: string
  project: string
  runUrl: string
  /** Whether the step can run without a record, as on a release, if the token has no access to statuses. */
  isOptional: boolean
  /** Outcomes that set the status to `failure`. */
  failOn: readonly Failable[]
}

/** The fields that identify a request on a commit in comments about it. */
export function requestOf(
  { run, context, project }: CommitRequest,
  writer: string,
  since: number,
): RequestRef {
  const step = stepOfContext(context, project)
  return { request: `run:${run}`, step, project: projectName(project), writer, since }
}

/** What the post step needs to continue on a commit. */
export interface SavedCommit {
  kind: 'commit'
  request: CommitRequest
  /** The context that the step uses; null if it has not written anything. */
  context: string | null
}

export interface CommitPorts extends Pick<AgentPorts, 'sign' | 'log'> {
  github: Pick<AgentPorts['github'], 'viewer' | 'statuses' | 'setStatus'>
  words: AgentPorts['words']
}

/** A status of a step, and its entry; null if it has none of this project. */
export type StepStatus = FoundStatus & { found: FoundStatusEntry | null }

/**
 * A step's statuses on a commit, newest first. Only those by the token's own account count.
 * @param first the first contexts of the step; its further ones belong to them
 */
export async function stepStatuses(
  { repository, commit, project }: Pick<CommitRequest, 'repository' | 'commit' | 'project'>,
  first: readonly string[],
  { github, sign }: Pick<CommitPorts, 'github' | 'sign'>,
): Promise<GitHubReply<StepStatus[]>> {
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const statuses = await github.statuses(repository, commit)
  if (!statuses.ok) return statuses
  if (statuses.value.isCut) {
    const message = 'The commit has more statuses than the action reads'
    return { ok: false, rejection: { status: null, message } }
  }
  const own = statuses.value.items.filter(
    ({ creator, context }) => creator === viewer.value && first.includes(firstContext(context)),
  )
  const found = own.map((status) => {
    const place = { repository, commit, context: status.context, project }
    return { ...status, found: readStatus(status, place, sign) }
  })
  return { ok: true, value: found }
}

/** The entries of each of a step's requests on a commit, by run. */
export function byRun(found: readonly FoundStatusEntry[]): Map<string, FoundStatusEntry[]> {
  return Map.groupBy(found, ({ entry }) => entry.run)
}

/** The latest status of each of the action's contexts on recent commits, by the token's own account; may be incomplete. */
export async function ownRecentStatuses(
  repository: string,
  since: number,
  { github }: { github: Pick<AgentPorts['github'], 'viewer' | 'recentStatuses'> },
): Promise<GitHubReply<Bounded<PlacedStatus>>> {
  const statuses = await github.recentStatuses(repository, since)
  if (!statuses.ok) return statuses
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const isOwn = ({ creator, context }: PlacedStatus) => creator === viewer.value && isOwnContext(context)
  return { ok: true, value: { ...statuses.value, items: statuses.value.items.filter(isOwn) } }
}

/**
 * Keeps a request's entries on its commit. A context shows only its latest status, so a request's end is never written
 * into a context in which another request is open: it goes into the next one.
 */
export class CommitPlace implements Place {
  private readonly request: CommitRequest
  private readonly ports: CommitPorts
  /** The step's statuses when the commit was last read. */
  listed: StepStatus[] = []
  /** What this step wrote, newest first: lists lag. */
  private written: StepStatus[] = []
  private context: string | null
  private hasRead = false
  private mayHaveWritten = false
  private hasWarned = false

  constructor(request: CommitRequest, ports: CommitPorts, context: string | null = null) {
    this.request = request
    this.ports = ports
    this.context = context
  }

  async list(): Promise<GitHubReply<FoundStatusEntry[]>> {
    const read = await stepStatuses(this.request, [this.request.context], this.ports)
    if (!read.ok) return read
    this.listed = read.value
    this.hasRead = true
    return { ok: true, value: byRun(this.found()).get(this.request.run) ?? [] }
  }

  /** One rejected call must not hide another request. */
  private async listSurely(): Promise<GitHubReply<FoundStatusEntry[]>> {
    const first = await this.list()
    return first.ok ? first : this.list()
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
    // The status must not hide another request.
    if (!this.hasRead && this.context === null) await this.listSurely()
    const home = this.home()
    this.context ??= home !== null && this.isFree(home) ? home : this.freeContext()
    return this.set(this.context, statement, shown)
  }

  resume(): boolean {
    return this.context !== null || this.home() !== null
  }

  async report(statement: Statement, shown: Shown): Promise<GitHubReply<number>> {
    // What the run saw when it began may have changed.
    const read = await this.listSurely()
    // Without the list, the status might hide another request, or contradict what is known.
    if (!read.ok && this.context === null) {
      this.warn(read.rejection)
      return read
    }
    const shownByThis = this.latest().filter(({ found }) => found?.entry.run === this.request.run)
    const own = new Set([this.context ?? this.home() ?? [], shownByThis.map(({ context }) => context)].flat())
    const free = [...own].filter((context) => this.isFree(context))
    let done: GitHubReply<number> = { ok: true, value: 0 }
    for (const context of free.length === 0 ? [this.freeContext()] : free)
      done = await this.set(context, statement, shown)
    if (!done.ok) this.warn(done.rejection)
    return done
  }

  hasLeftovers(): boolean {
    return this.leftovers().length > 0
  }

  /** Repeats the ends of requests whose contexts still show them as open. */
  async clear(): Promise<boolean> {
    let isDone = true
    for (const { context, top } of this.leftovers()) {
      const { state, targetUrl: link, found } = this.all().find((each) => each.found?.id === top.id) ?? {}
      if (state === undefined || link === undefined) continue
      const shown: Shown = { words: found?.words ?? '', link, state: state === 'error' ? 'failure' : state }
      isDone = (await this.set(context, top.entry, shown, top.entry)).ok && isDone
    }
    return isDone
  }

  /** The contexts that show a request as open although it is at rest, and the highest entry of that request. */
  private leftovers(): { context: string; top: Found<StatusEntry> }[] {
    return this.latest().flatMap(({ context, state, found }) => {
      if (found?.isSigned !== true || state !== 'pending') return []
      const { top } = this.known(found.entry.run)
      const isOver = top !== null && isAtRest(top.entry.state) && this.isFree(context, found.entry.run)
      return isOver ? [{ context, top }] : []
    })
  }

  canDoWithout({ status, kind }: Rejection): boolean {
    const isDenied = kind !== 'rate-limit' && status !== null && status >= 400 && status < 500
    return this.request.isOptional && isDenied && !this.mayHaveWritten
  }

  saved(): SavedCommit {
    return { kind: 'commit', request: this.request, context: this.context }
  }

  private all(): StepStatus[] {
    return [...this.written, ...this.listed].toSorted((one, other) => other.id - one.id)
  }

  private found(): FoundStatusEntry[] {
    return this.all().flatMap(({ found }) => found ?? [])
  }

  private known(run: string): Known<StatusEntry> {
    return fold(byRun(this.found()).get(run) ?? [])
  }

  /** The latest status of each of the step's contexts. */
  private latest(): StepStatus[] {
    return [...Map.groupBy(this.all(), ({ context }) => context).values()].flatMap(([first]) => first ?? [])
  }

  /** The context of a request's newest entry. */
  private home(run = this.request.run): string | null {
    return this.found().find(({ isSigned, entry }) => isSigned && entry.run === run)?.context ?? null
  }

  /** Whether a context shows no other request, or only one at rest. */
  private isFree(context: string, own = this.request.run): boolean {
    const latest = this.latest().find((each) => each.context === context)
    // A pending status may be another project's.
    if (latest?.found === null && latest.state === 'pending') return false
    const runs = [...byRun(this.found()).keys()].filter((run) => run !== own)
    return !runs.some((run) => this.home(run) === context && isOpen(this.known(run)))
  }

  private freeContext(): string {
    for (const context of contextsOf(this.request.context)) if (this.isFree(context)) return context
    return this.request.context
  }

  private async set(
    context: string,
    statement: Statement,
    { words, state, link }: Shown,
    { run, follows, globs }: Pick<StatusEntry, 'run' | 'follows' | 'globs'> = this.request,
  ): Promise<GitHubReply<number>> {
    const { repository, commit, project } = this.request
    const entry: StatusEntry = { ...statement, run, follows, globs }
    const description = writeStatus(
      words,
      entry,
      { repository, commit, context, project },
      link,
      this.ports.sign,
    )
    const status = { context, state, description, targetUrl: link }
    const set = await this.ports.github.setStatus(repository, commit, status)
    this.mayHaveWritten ||= set.ok || set.rejection.isUncertain === true
    if (!set.ok) return set
    const found: FoundStatusEntry = { id: set.value, entry, isSigned: true, context, words }
    this.written.unshift({ ...status, id: set.value, creator: null, createdAt: 0, found })
    return set
  }

  warn(rejection: Rejection): void {
    if (!this.hasWarned && !this.canDoWithout(rejection))
      this.ports.log(say.statusFailed(this.request.commit, rejection))
    this.hasWarned = true
  }
}

function isOpen({ top }: Known): boolean {
  return top !== null && !isAtRest(top.entry.state)
}
