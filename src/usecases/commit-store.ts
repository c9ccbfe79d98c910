/** A request's record on a commit: commit statuses, which also link people to the commit's docs. */

import { type Failable, failsStep } from '../core/outcome.ts'
import type { Rejection } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { isOpenRecord, type Known, nextForRun, type RequestState, stateAfter } from '../core/record.ts'
import {
  contextsFor,
  type Follows,
  firstContext,
  isOwnContext,
  type OwnStatus,
  readStatus,
  stateOfRun,
  writeStatus,
} from '../core/status.ts'
import { type Ended, unread } from './ended.ts'
import type { AgentPorts, Bounded, CommitStatus, FoundStatus, GitHubReply, PlacedStatus } from './ports.ts'
import { type Opened, permit, type Store } from './store.ts'

/** A request on a commit, and its run. */
export interface CommitRequestRef {
  repository: string
  commit: string
  /** See StatusMark. */
  run: string
  /** The first of the step's contexts. */
  context: string
  project: string
  follows: Follows
  /** See `recordedGlobs`. */
  globs?: string | undefined
  runUrl: string
  /** When the record was created, in milliseconds since the epoch. */
  since: number
  /** The latest time at which the run that holds the record can end, in milliseconds since the epoch. */
  until: number
  /** Outcomes that set the status to `failure`. */
  failOn: ReadonlySet<Failable>
}

/** A step's statuses on a commit, in all of its contexts, newest first. Only those by the token's own account count. */
export async function findStatuses(
  {
    repository,
    commit,
    context,
    project,
  }: Pick<CommitRequestRef, 'repository' | 'commit' | 'context' | 'project'>,
  { github, sign }: Pick<AgentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<OwnStatus[]>> {
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const statuses = await github.statuses(repository, commit)
  if (!statuses.ok) return statuses
  if (statuses.value.isCut) {
    const message = 'The commit has more statuses than the action reads'
    return { ok: false, rejection: { status: null, message } }
  }
  const isOwn = (status: FoundStatus) =>
    status.creator === viewer.value && firstContext(status.context) === context
  const own = statuses.value.items.filter(isOwn).map((status) => ({
    context: status.context,
    isPending: status.state === 'pending',
    mark: readStatus(status, { repository, commit, context: status.context, project }, sign),
  }))
  return { ok: true, value: own }
}

/** The latest status of each of the action's contexts on recent commits, by the token's own account; may be incomplete. */
export async function ownRecentStatuses(
  repository: string,
  since: number,
  { github }: Pick<AgentPorts, 'github'>,
): Promise<GitHubReply<Bounded<PlacedStatus>>> {
  const statuses = await github.recentStatuses(repository, since)
  if (!statuses.ok) return statuses
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const isOwn = ({ creator, context }: PlacedStatus) => creator === viewer.value && isOwnContext(context)
  return { ok: true, value: { ...statuses.value, items: statuses.value.items.filter(isOwn) } }
}

/** Facts about a run. They decide whether it must read the statuses, and whether it must set one. */
interface CommitRun {
  isRerun: boolean
  /** Whether it is certain that the request has no earlier run. */
  isFirst: boolean
  /** Whether the step can run without a record, as on a release. If so, a rejected status is only logged. */
  isOptional: boolean
}

/** Keeps a request's record on its commit. */
export class CommitStore implements Store {
  private readonly ref: CommitRequestRef
  private readonly run: CommitRun
  private readonly ports: AgentPorts
  private since: number
  private contexts: [string, ...string[]]
  private isKept = true
  private hasRead = false
  private seen: Known = { kind: 'none' }
  /** Whether a record exists. If so, the step must close it, and its status must not stay red after a successful re-run. */
  private isBegun = false
  private hasWarned = false

  constructor(ref: CommitRequestRef, run: CommitRun, ports: AgentPorts) {
    this.ref = ref
    this.run = run
    this.ports = ports
    this.since = ref.since
    this.contexts = [ref.context]
  }

  async find(): Promise<Known | Ended> {
    const found = await this.look()
    if (found.ok) {
      const known = stateOfRun(
        this.ref.run,
        found.value.flatMap(({ mark }) => mark ?? []),
      )
      // GitHub's lists lag, so a record that was found earlier still counts.
      if (known.kind !== 'none') this.seen = known
      this.isKept = true
      this.isBegun = this.seen.kind === 'record'
      if (this.seen.kind === 'record' && isOpenRecord(this.seen.record)) this.since = this.seen.record.since
    } else if (nextForRun(this.seen).do === 'send' && !this.run.isFirst) {
      // A list that was read earlier may have lagged, so it does not count.
      this.hasRead = false
      if (!this.mayGoWithout(found.rejection)) return unread('statuses', found.rejection)
      this.isKept = false
    }
    return this.seen
  }

  async open(): Promise<Opened> {
    if (!this.isKept) return { ok: true, permit }
    // The new status must not hide another run's open record.
    if (!this.hasRead) await this.look()
    const done = await this.pend({ state: 'open' })
    this.isBegun ||= done.ok || done.rejection.isUncertain === true
    if (done.ok) return { ok: true, permit }
    if (!this.run.isOptional)
      return { ok: false, problem: { type: 'record-unwritten', where: 'status', rejection: done.rejection } }
    if (!this.isBegun && this.mayGoWithout(done.rejection)) this.isKept = false
    return { ok: true, permit }
  }

  async job(job: string): Promise<boolean> {
    // Logged only once there is a job: without it, a re-run cannot repeat one.
    if (!this.isKept) this.ports.onProgress({ type: 'no-record', isRerun: this.run.isRerun })
    return !this.isKept || this.warn(await this.pend({ state: 'job', job, isLeft: false }))
  }

  async end(result: AgentResult): Promise<boolean> {
    // Unread statuses may include another run's open record, which a new status would hide.
    if (this.isKept && !this.hasRead && !this.run.isFirst) return false
    if (!this.isKept || (result.outcome === 'skipped' && !this.isBegun)) return true
    const state = stateAfter(result)
    const ended = failsStep(result.outcome, this.ref.failOn) ? 'failure' : 'success'
    // GitHub's list may have lagged when the run started. The status must not hide another run's open record.
    await this.look()
    const shownState = isOpenRecord(state) ? 'pending' : ended
    const targetUrl = result.job?.prLink ?? this.ref.runUrl
    const shown = { description: this.ports.words.status(result), state: shownState, targetUrl } as const
    let isDone = true
    for (const context of this.contexts)
      isDone = this.warn(await this.set(state, { ...shown, context })) && isDone
    return isDone
  }

  private pend(state: RequestState): Promise<GitHubReply<void>> {
    const description = this.ports.words.status(null)
    const [context] = this.contexts
    return this.set(state, { description, state: 'pending', targetUrl: this.ref.runUrl, context })
  }

  /** Sets a status whose description has the words in `shown`, and the record. */
  private set(state: RequestState, shown: CommitStatus): Promise<GitHubReply<void>> {
    const { repository, commit, run, follows, globs, project, until } = this.ref
    const { description: text, context, targetUrl } = shown
    const record = { ...state, since: this.since, until }
    const place = { repository, commit, context, project }
    const description = writeStatus(text, { record, run, follows, globs }, place, targetUrl, this.ports.sign)
    return this.ports.github.setStatus(repository, commit, { ...shown, description })
  }

  private warn(done: GitHubReply<void>): boolean {
    // After a rate limit, a later status may still record the job.
    const isLasting = !done.ok && done.rejection.kind !== 'rate-limit'
    if (isLasting && this.run.isOptional && !this.isBegun) this.isKept = false
    else if (!done.ok && !this.hasWarned)
      this.ports.onProgress({ type: 'status-failed', commit: this.ref.commit, rejection: done.rejection })
    this.hasWarned ||= !done.ok
    return done.ok
  }

  /**
   * Whether to continue without a record: only if the token has no access to statuses, so that earlier runs cannot have
   * left one.
   */
  private mayGoWithout({ status, kind }: Rejection): boolean {
    const isDenied = kind === 'permission' || (kind === undefined && (status === 403 || status === 404))
    return this.run.isOptional && isDenied
  }

  private async look(): Promise<GitHubReply<OwnStatus[]>> {
    const { context, run } = this.ref
    const found = await findStatuses(this.ref, this.ports)
    if (found.ok) this.contexts = contextsFor(context, run, found.value)
    this.hasRead ||= found.ok
    return found
  }
}
