/** Waits for a job: one loop, whose every decision is the core's. */

import { isKnownStatus, isTerminal, type Job, outcomeOfJob, parseJob } from '../core/job/job.ts'
import type { Failure } from '../core/job/response.ts'
import { retryAfter } from '../core/job/retry.ts'
import { nextPoll, type PollInterval } from '../core/job/schedule.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { Problem } from '../core/problem.ts'
import { callOnce, Heartbeat, sleepWithHeartbeat } from './call.ts'
import type { AgentPorts } from './ports.ts'

export interface Wait {
  projectId: string
  jobId: string
  /** The job as the platform showed it when it was created or sent its message; null where it was never read. */
  job: Job | null
  /** The job as it was before this step sent it a message; null where it sent none. */
  before: Job | null
  /** Whether this step created the job: the platform may not know it at once. */
  created: boolean
  interval: PollInterval
  /** Milliseconds since the epoch. */
  deadline: number
}

export interface Waited {
  outcome: AgentOutcome
  job: Job | null
  problem: Problem | null
}

/** Milliseconds between two lines about outages: one that comes and goes is told once. */
const quiet = 60_000
/** Milliseconds before the one more read that a job completed without a link is given. */
const linkGrace = 5_000
/**
 * Milliseconds for which a job may still show the end of its earlier work after a message: whether it is active again
 * at once is not documented (openapi.yaml).
 */
const settling = 180_000

/** Reads the job by the poll schedule until its end, the deadline, or the step's. */
export async function waitForJob(wait: Wait, ports: AgentPorts): Promise<Waited> {
  const { clock, cancelled, onProgress } = ports
  const watch = new Watch(wait, clock.now(), onProgress)
  for (;;) {
    await pause(watch, watch.nextRead(clock.now(), ports.random()), ports)
    if (cancelled.aborted) return watch.end('cancelled')
    const reply = await callOnce(
      { operation: { name: 'read', ...wait }, parse: parseJob, deadline: wait.deadline },
      ports,
    )
    if (cancelled.aborted) return watch.end('cancelled')
    const outcome = reply.ok
      ? watch.saw(reply.value, clock.now())
      : watch.missed(reply.failure, clock.now(), ports.random())
    if (outcome !== undefined) return watch.end(outcome)
    if (clock.now() >= wait.deadline) return watch.end(watch.atDeadline())
  }
}

/** Sleeps until the next read, but never past the deadline. */
function pause(watch: Watch, ms: number, ports: AgentPorts): Promise<void> {
  const until = Math.min(ports.clock.now() + ms, watch.wait.deadline)
  return sleepWithHeartbeat(
    until,
    ports,
    (nextRead) => watch.reportWaiting(ports.clock.now(), nextRead),
    watch.heartbeat,
  )
}

/** What is known of the job so far. */
class Watch {
  readonly wait: Wait
  readonly heartbeat: Heartbeat
  private readonly since: number
  private readonly onProgress: AgentPorts['onProgress']
  private job: Job | null
  private failure: Failure | null = null
  private failures = 0
  private saidFailingAt = Number.NEGATIVE_INFINITY
  private saysRecovery = false
  private reads = 0
  private retryIn: number | undefined
  private lookedTwice = false
  private settled: boolean
  private warned = false

  constructor(wait: Wait, now: number, onProgress: AgentPorts['onProgress']) {
    this.wait = wait
    this.since = now
    this.heartbeat = new Heartbeat(now)
    this.onProgress = onProgress
    this.job = wait.job
    // The message's own reply settles nothing: a read behind it may still show the old end.
    this.settled = wait.before === null
  }

  /** Milliseconds until the next read. A job that this step did not touch is read at once. */
  nextRead(now: number, random: number): number {
    if (this.retryIn !== undefined) return this.retryIn
    const { interval, created, before } = this.wait
    if (this.reads === 0 && !created && before === null) return 0
    const wait = nextPoll(interval, now - this.since, this.reads, random)
    return this.job !== null && isTerminal(this.job.status) ? Math.min(wait, linkGrace) : wait
  }

  /** Takes in a job that was read; says what it means for the step, or undefined: go on. */
  saw(job: Job, now: number): AgentOutcome | undefined {
    if (this.saysRecovery) this.onProgress({ type: 'recovered', failures: this.failures })
    this.saysRecovery = false
    this.failures = 0
    this.failure = null
    this.retryIn = undefined
    this.reads++
    const age = now - this.since
    if (job.status !== this.job?.status) this.onProgress({ type: 'status', job, age })
    if (!isKnownStatus(job.status) && !this.warned) {
      this.warned = true
      this.onProgress({ type: 'unknown-status', status: job.status })
    }
    this.job = job
    if (!this.isSettled(job, age)) return undefined
    return this.secondLook(outcomeOfJob(job))
  }

  /** Takes in a read that failed; says that the step is over where no wait would mend it. */
  missed(failure: Failure, now: number, random: number): AgentOutcome | undefined {
    this.failures++
    this.failure = failure
    const { created } = this.wait
    const jobAge = created && this.reads === 0 ? { jobAge: now - this.since } : {}
    this.retryIn = retryAfter({ operation: 'read', failure, attempt: this.failures, now, random, ...jobAge })
    if (this.retryIn === undefined) return 'error'
    // Once an outage, and not for every hiccup: the heartbeat tells how many reads have failed since.
    if (this.failures === 1 && now - this.saidFailingAt >= quiet) {
      this.saidFailingAt = now
      this.saysRecovery = true
      const nextAttempt = Math.max(0, Math.min(this.retryIn, this.wait.deadline - now))
      this.onProgress({ type: 'failing', operation: 'read', failure, nextAttempt })
    }
    return undefined
  }

  /** What the last read before the deadline left: an end that was seen counts, whatever was still to be checked. */
  atDeadline(): AgentOutcome {
    if (this.job === null) return 'error'
    return (this.settled ? outcomeOfJob(this.job) : undefined) ?? 'timed-out'
  }

  /** Says that the step still waits. */
  reportWaiting(now: number, nextRead: number): void {
    const { failures } = this
    const status = this.job?.status ?? null
    this.onProgress({ type: 'waiting', age: now - this.since, status, nextRead, failures })
  }

  end(outcome: AgentOutcome): Waited {
    const { job, failure } = this
    const problem = failure && {
      type: 'platform' as const,
      operation: 'read' as const,
      failure,
      attempts: this.failures,
    }
    return { outcome, job, problem }
  }

  /** After a message, the end of the earlier work is not the end of this: something must have moved since. */
  private isSettled(job: Job, age: number): boolean {
    const { before } = this.wait
    if (this.settled || before === null) return true
    const moved =
      job.status !== before.status || job.prLink !== before.prLink || job.archivedAt !== before.archivedAt
    this.settled = moved || age >= settling
    if (this.settled && !moved) this.onProgress({ type: 'unchanged', job, age })
    return this.settled
  }

  /** A job that completed without a link is read once more: the link may come a moment after the status. */
  private secondLook(outcome: AgentOutcome | undefined): AgentOutcome | undefined {
    if (outcome !== 'no-changes' || this.lookedTwice) return outcome
    this.lookedTwice = true
    return undefined
  }
}
