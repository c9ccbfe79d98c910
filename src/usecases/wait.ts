/** Waits for a job: one loop, with decisions from the core. */
import { isKnownStatus, isTerminal, type Job, outcomeOfJob, parseJob } from '../core/job/job.ts'
import { type Failure, isMissing } from '../core/job/response.ts'
import { nextPoll, type PollInterval, retryAfter } from '../core/job/schedule.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { AgentResult } from '../core/progress.ts'
import { callOnce, Heartbeat, sleepWithHeartbeat } from './jobs.ts'
import type { PlatformPorts } from './ports.ts'

/** What to wait for, and what is known about it. */
export interface Wait {
  projectId: string
  jobId: string
  /** The job in the response to its creation or follow-up; null if the response contained none. */
  job: Job | null
  /** The job before this step sent a follow-up; null if it sent none. */
  before: Job | null
  /** Whether this step created the job, so that the first poll can wait. */
  created: boolean
  /** Whether a record names the job, so that its id is certainly right. */
  isRecorded: boolean
  interval: PollInterval
}

/** How the wait ended. */
export type Waited = Pick<AgentResult, 'outcome' | 'job' | 'problem'>

/** Milliseconds between log lines about outages, so that recurring ones do not fill the log. */
const quiet = 60_000
/** Milliseconds before the second poll of a completed job without a link: normally, and at the deadline. */
const linkGrace = 5_000
const linkGraceAtDeadline = 1_000
/**
 * Milliseconds for which a job may still show its earlier result after a follow-up: whether it becomes active at once
 * is not documented (openapi.yaml).
 */
const settling = 180_000

/**
 * Polls a job on schedule until it ends, the deadline passes, or the step is cancelled.
 * @param meanwhile runs after each poll that does not end the wait
 */
export async function waitForJob(
  wait: Wait,
  ports: PlatformPorts,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Waited> {
  const { clock, cancelled, deadline, onProgress } = ports
  const { projectId, jobId } = wait
  const operation = { name: 'read', projectId, jobId } as const
  const watch = new Watch(wait, clock.now(), onProgress)
  let end = deadline
  for (;;) {
    const nextRead = clock.now() + watch.nextRead(clock.now(), ports.random())
    await pause(watch, Math.min(nextRead, end), ports)
    if (cancelled.aborted) return watch.end('cancelled')
    const reply = await callOnce({ operation, parse: (json) => parseJob(json, jobId) }, ports)
    if (cancelled.aborted) return watch.end('cancelled')
    const outcome = reply.ok
      ? watch.observe(reply.value, clock.now())
      : watch.missed(reply.failure, { now: clock.now(), date: clock.date(), random: ports.random(), end })
    if (outcome !== undefined) return watch.end(outcome)
    await meanwhile()
    if (clock.now() < end) continue
    if (end > deadline || !watch.needsSecondLook) return watch.end(watch.atDeadline())
    end = clock.now() + linkGraceAtDeadline
  }
}

function pause(watch: Watch, until: number, ports: PlatformPorts): Promise<void> {
  const report = (nextRead: number) => watch.reportWaiting(ports.clock.now(), nextRead)
  return sleepWithHeartbeat(until, ports, report, watch.heartbeat)
}

class Watch {
  /** Whether the last poll was the first to show the job completed without a link. */
  needsSecondLook = false
  readonly heartbeat: Heartbeat
  private readonly wait: Wait
  private readonly since: number
  private readonly onProgress: PlatformPorts['onProgress']
  private job: Job | null
  private failure: Failure | null = null
  private failures = 0
  /** When the first of the consecutive 404s arrived, on the clock's `now`. */
  private missingSince: number | undefined
  private saidFailingAt = Number.NEGATIVE_INFINITY
  private reads = 0
  private retryIn: number | undefined
  private settled: boolean
  private warned = false

  constructor(wait: Wait, now: number, onProgress: PlatformPorts['onProgress']) {
    this.wait = wait
    this.since = now
    this.heartbeat = new Heartbeat(now)
    this.onProgress = onProgress
    this.job = wait.job
    // The response to a follow-up proves nothing: a later poll, from a replica that lags, may still show the earlier
    // result.
    this.settled = wait.before === null
  }

  /** Milliseconds until the next poll. A job that this step only waits for is polled immediately. */
  nextRead(now: number, random: number): number {
    if (this.retryIn !== undefined) return this.retryIn
    const { interval, created, before } = this.wait
    if (this.reads === 0 && !created && before === null) return 0
    const wait = nextPoll(interval, now - this.since, this.reads, random)
    return this.job !== null && isTerminal(this.job.status) ? Math.min(wait, linkGrace) : wait
  }

  /** Handles a poll; returns an outcome if the wait is over. */
  observe(job: Job, now: number): AgentOutcome | undefined {
    this.failures = 0
    this.failure = null
    this.retryIn = undefined
    this.missingSince = undefined
    this.reads++
    const age = now - this.since
    const { status } = job
    if (status !== null && status !== this.job?.status) this.onProgress({ type: 'status', job, age })
    if (status !== null && !isKnownStatus(status) && !this.warned) {
      this.warned = true
      this.onProgress({ type: 'unknown-status', status })
    }
    this.job = job
    const outcome = this.isSettled(job, age) ? outcomeOfJob(job) : undefined
    // The link may appear shortly after the status.
    this.needsSecondLook = outcome === 'no-changes' && !this.needsSecondLook
    return this.needsSecondLook ? undefined : outcome
  }

  /**
   * Handles a failed poll; returns an outcome if waiting cannot help.
   * @param at `now` and `end` are on the clock's `now`, `date` is since the epoch, `random` is in [0, 1)
   */
  missed(
    failure: Failure,
    at: { now: number; date: number; random: number; end: number },
  ): AgentOutcome | undefined {
    const { now, date, random, end } = at
    this.failures++
    this.failure = failure
    if (isMissing(failure)) this.missingSince ??= now
    // The id of a job that was never seen may be wrong, so the first 404 ends the wait.
    const isKnown = this.job !== null || this.wait.isRecorded
    const hasVanished = isKnown && this.missingSince !== undefined
    this.retryIn = retryAfter({
      operation: 'read',
      failure,
      attempt: this.failures,
      date,
      random,
      ...(hasVanished && { missingFor: now - (this.missingSince ?? now) }),
    })
    if (this.retryIn === undefined) return 'error'
    // Reported once in each outage: the heartbeat shows how many polls have failed since.
    if (this.failures === 1 && now - this.saidFailingAt >= quiet) {
      this.saidFailingAt = now
      const nextAttempt = Math.max(0, Math.min(this.retryIn, end - now))
      this.onProgress({ type: 'failing', operation: 'read', failure, nextAttempt })
    }
    return undefined
  }

  /** The outcome at the deadline. A job without a link only counts as ended once a second poll confirms it. */
  atDeadline(): AgentOutcome {
    if (this.job === null) return 'error'
    const outcome = this.settled ? outcomeOfJob(this.job) : undefined
    return outcome === undefined || outcome === 'no-changes' ? 'timed-out' : outcome
  }

  reportWaiting(now: number, nextRead: number): void {
    const { failures } = this
    const status = this.job?.status ?? null
    this.onProgress({ type: 'waiting', age: now - this.since, status, nextRead, failures })
  }

  end(outcome: AgentOutcome): Waited {
    const { job, failure } = this
    const problem = failure && ({ type: 'platform', operation: 'read', failure } as const)
    return { outcome, job, problem }
  }

  /** Whether a job's status is current: after a follow-up, once something has changed or enough time has passed. */
  private isSettled(job: Job, age: number): boolean {
    const { before } = this.wait
    if (this.settled || before === null) return true
    // A response without a status shows neither an end nor a change.
    if (job.status === null) return false
    const moved =
      job.status !== before.status || job.prLink !== before.prLink || job.archivedAt !== before.archivedAt
    this.settled = moved || age >= settling
    if (this.settled && !moved && isTerminal(job.status)) this.onProgress({ type: 'unchanged', job, age })
    return this.settled
  }
}
