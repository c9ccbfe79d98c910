/** One platform operation, with its retries. */
import { isSend, type Operation, toRequest } from '../core/job/job.ts'
import { type Reply, toReply } from '../core/job/response.ts'
import { retryAfter } from '../core/job/schedule.ts'
import type { PlatformPorts, RequestTimeout } from './ports.ts'

/** Timeouts for a request, in milliseconds. A send gets more time, because its effect is unknown after a timeout. */
const readTimeout = 30_000
const sendTimeout = 60_000
/** Milliseconds that a started request may continue after the deadline. */
const graceAtDeadline = 5_000
/**
 * Milliseconds for a send once the step is cancelled, because the response contains the job's id. The runner kills the
 * step 10 s after the cancel; the rest is for the outputs and GitHub.
 */
const sendTimeoutOnceCancelled = 5_000

/** The operation, and how to read its response: `parse` returns undefined for JSON of an unexpected shape. */
export interface Calling<T> {
  operation: Operation
  parse: (json: unknown) => T | undefined
}

/** Sends an operation once, within the time left before the deadline. */
export async function callOnce<T>({ operation, parse }: Calling<T>, ports: PlatformPorts): Promise<Reply<T>> {
  const timeout = isSend(operation.name)
    ? { total: sendTimeout, onceCancelled: sendTimeoutOnceCancelled }
    : { total: readTimeout, onceCancelled: 0 }
  return toReply(await ports.http.exchange(toRequest(operation), withinDeadline(timeout, ports)), parse)
}

function withinDeadline(timeout: RequestTimeout, { clock, deadline }: PlatformPorts): RequestTimeout {
  const left = Math.max(0, deadline - clock.now())
  return { ...timeout, total: Math.min(timeout.total, left + graceAtDeadline) }
}

/** Milliseconds between log lines while the step waits. */
const heartbeat = 60_000

/** Sleeps until a time on the clock's `now`, and logs the time left each minute. Ends immediately when cancelled. */
export async function sleepWithHeartbeat(
  until: number,
  { clock, cancelled }: PlatformPorts,
  say: (left: number) => void,
  beats = new Heartbeat(clock.now()),
): Promise<void> {
  while (!cancelled.aborted && clock.now() < until) {
    await clock.sleep(Math.min(until, beats.next) - clock.now(), cancelled)
    if (!cancelled.aborted && beats.isDue(clock.now())) say(until - clock.now())
  }
}

/** Schedules log lines across several sleeps. */
export class Heartbeat {
  next: number

  constructor(now: number) {
    this.next = now + heartbeat
  }

  isDue(now: number): boolean {
    if (now < this.next) return false
    this.next = now + heartbeat
    return true
  }
}

/**
 * Repeats an operation until it succeeds, the retry policy gives up, the deadline is near, or the step is cancelled.
 * @param mayRepeat called before each attempt except the first; false ends the attempts
 */
export async function call<T>(
  calling: Calling<T>,
  ports: PlatformPorts,
  mayRepeat: () => boolean | Promise<boolean> = () => true,
): Promise<Reply<T>> {
  const { operation } = calling
  const { clock, cancelled, deadline } = ports
  const beats = new Heartbeat(clock.now())
  for (let attempt = 1; ; attempt++) {
    const reply = await callOnce(calling, ports)
    if (reply.ok || cancelled.aborted) return reply
    const { failure } = reply
    const now = clock.now()
    const wait = retryAfter({
      operation: operation.name,
      failure,
      attempt,
      date: clock.date(),
      random: ports.random(),
    })
    if (wait === undefined || now + wait > deadline) return reply
    // A send has at most five attempts, so each is logged. A read may have hundreds.
    if (isSend(operation.name) || attempt === 1)
      ports.onProgress({ type: 'failing', operation: operation.name, failure, nextAttempt: wait })
    await sleepWithHeartbeat(
      now + wait,
      ports,
      (nextAttempt) =>
        ports.onProgress({ type: 'retrying', operation: operation.name, attempts: attempt, nextAttempt }),
      beats,
    )
    if (cancelled.aborted || !(await mayRepeat())) return reply
  }
}
