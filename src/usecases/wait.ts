/** Waits for a job: one loop, with decisions from the core. */

import { isKnownStatus, isTerminal, type Job, outcomeOfJob } from '../core/job/job.ts'
import { isMissing } from '../core/job/response.ts'
import { nextPoll, type PollInterval, retryAfter } from '../core/job/schedule.ts'
import type { AgentOutcome, AgentResult } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { say } from '../say/messages.ts'
import { type Called, callOnce, polling, sleeper } from './jobs.ts'
import type { PlatformPorts } from './ports.ts'

/** What to wait for, and what is known about it. */
export interface Wait {
  projectId: string
  jobId: string
  /** The job as last seen, such as in the response to its creation or follow-up; null if it was not. */
  job: Job | null
  /** The job before this step sent a follow-up; null if it sent none. */
  before: Job | null
  /** Whether a record names the job, so that its id is certainly right. */
  isRecorded: boolean
  interval: PollInterval
}

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
): Promise<Pick<AgentResult, 'outcome' | 'job' | 'problem'>> {
  const { clock, cancelled, deadline } = ports
  const watch = new Watch(wait, ports)
  const sleepUntil = sleeper(ports)
  let end = deadline
  for (;;) {
    const nextRead = clock.now() + watch.nextRead()
    await sleepUntil(Math.min(nextRead, end), (left) => watch.reportWaiting(left))
    if (cancelled.aborted) return watch.end('cancelled')
    const reply = await callOnce(polling(wait.projectId, wait.jobId), ports)
    if (cancelled.aborted) return watch.end('cancelled')
    const outcome = reply.ok ? watch.observe(reply.value) : watch.missed(reply, end)
    if (outcome !== undefined) return watch.end(outcome)
    await meanwhile()
    if (clock.now() < end) continue
    if (end > deadline || !watch.needsSecondLook) return watch.end(watch.atDeadline())
    end = clock.now() + linkGraceAtDeadline
  }
}

/** Polls that failed since the last successful one. */
interface Outage {
  failures: number
  problem: Problem
  /** When the first of its 404s arrived, on the clock's `now`. */
  missingSince: number | undefined
  retryIn: number
}

class Watch {
  /** Whether the last poll was the first to show the job completed without a link. */
  needsSecondLook = false
  private readonly wait: Wait
  private readonly ports: PlatformPorts
  private readonly since: number
  private job: Job | null
  private outage: Outage | null = null
  private saidFailingAt = Number.NEGATIVE_INFINITY
  private reads = 0
  private settled: boolean
  private warned = false

  constructor(wait: Wait, ports: PlatformPorts) {
    this.wait = wait
    this.ports = ports
    this.since = ports.clock.now()
    this.job = wait.job
    // The response to a follow-up proves nothing: a later poll, from a replica that lags, may still show the earlier
    // result.
    this.settled = wait.before === null
  }

  private age(): number {
    return this.ports.clock.now() - this.since
  }

  /** Milliseconds until the next poll. A job that this step only waits for is polled immediately. */
  nextRead(): number {
    if (this.outage !== null) return this.outage.retryIn
    if (this.reads === 0 && this.job === null) return 0
    const wait = nextPoll(this.wait.interval, this.age(), this.reads, this.ports.random())
    return this.job !== null && isTerminal(this.job.status) ? Math.min(wait, linkGrace) : wait
  }

  /** Handles a poll; returns an outcome if the wait is over. */
  observe(job: Job): AgentOutcome | undefined {
    const { log } = this.ports
    const { status } = job
    this.outage = null
    this.reads++
    if (status !== null && status !== this.job?.status) log(say.status(status, this.age()))
    if (status !== null && !isKnownStatus(status) && !this.warned) {
      this.warned = true
      log(say.unknownStatus(status))
    }
    this.job = job
    const outcome = this.isSettled(job) ? outcomeOfJob(job) : undefined
    // The link may appear shortly after the status.
    this.needsSecondLook = outcome === 'no-changes' && !this.needsSecondLook
    return this.needsSecondLook ? undefined : outcome
  }

  /** Handles a failed poll; returns an outcome if waiting cannot help. @param end when the wait ends */
  missed({ failure, problem }: Extract<Called<Job>, { ok: false }>, end: number): AgentOutcome | undefined {
    const { clock, random, log } = this.ports
    const now = clock.now()
    const failures = (this.outage?.failures ?? 0) + 1
    const missingSince = this.outage?.missingSince ?? (isMissing(failure) ? now : undefined)
    // The id of a job that was never seen may be wrong, so the first 404 ends the wait.
    const hasVanished = missingSince !== undefined && (this.job !== null || this.wait.isRecorded)
    const retryIn = retryAfter({
      operation: 'read',
      failure,
      attempt: failures,
      date: clock.date(),
      random: random(),
      ...(hasVanished && { missingFor: now - missingSince }),
    })
    this.outage = { failures, problem, missingSince, retryIn: retryIn ?? 0 }
    if (retryIn === undefined) return 'error'
    // Reported once in each outage: the heartbeat shows how many polls have failed since.
    if (failures === 1 && now - this.saidFailingAt >= quiet) {
      this.saidFailingAt = now
      const nextAttempt = Math.max(0, Math.min(retryIn, end - now))
      log(say.failing(problem, nextAttempt))
    }
    return undefined
  }

  /** The outcome at the deadline. A job without a link only counts as ended once a second poll confirms it. */
  atDeadline(): AgentOutcome {
    if (this.job === null) return 'error'
    const outcome = this.settled ? outcomeOfJob(this.job) : undefined
    return outcome === undefined || outcome === 'no-changes' ? 'timed-out' : outcome
  }

  reportWaiting(nextRead: number): void {
    const [status, failures] = [this.job?.status ?? null, this.outage?.failures ?? 0]
    this.ports.log(say.waiting(this.age(), status, nextRead, failures))
  }

  end(outcome: AgentOutcome): Awaited<ReturnType<typeof waitForJob>> {
    return { outcome, job: this.job, problem: this.outage?.problem ?? null }
  }

  /** Whether a job's status is current: after a follow-up, once something has changed or enough time has passed. */
  private isSettled(job: Job): boolean {
    const { before } = this.wait
    if (this.settled || before === null) return true
    // A response without a status shows neither an end nor a change.
    if (job.status === null) return false
    const age = this.age()
    const moved =
      job.status !== before.status || job.prLink !== before.prLink || job.archivedAt !== before.archivedAt
    this.settled = moved || age >= settling
    if (this.settled && !moved && isTerminal(job.status)) this.ports.log(say.unchanged(job.status, age))
    return this.settled
  }
}
