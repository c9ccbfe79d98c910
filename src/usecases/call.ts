/** One operation of the platform, with its retries. */
import { isSend, type Operation, toRequest } from '../core/job/operation.ts'
import { type Reply, toReply } from '../core/job/response.ts'
import { retryAfter } from '../core/job/retry.ts'
import type { PlatformPorts, RequestTimeout } from './ports.ts'

/** Milliseconds that a request may take. A send gets longer: giving up on it means not knowing what it did. */
const readTimeout = 30_000
const sendTimeout = 60_000
/** Milliseconds by which a request that began before the deadline may exceed it. */
const graceAtDeadline = 5_000
/**
 * Milliseconds that a send may still take once the step is cancelled, because its reply holds the job's id. The runner
 * kills the step 10 s after the cancel; the rest is for the outputs and for GitHub.
 */
const sendTimeoutOnceCancelled = 5_000

/** What is sent, and how the reply is read: `parse` returns undefined for JSON of another shape. */
export interface Calling<T> {
  operation: Operation
  parse: (json: unknown) => T | undefined
}

/** Sends one operation once, within the time that the deadline leaves. */
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

/** Milliseconds between two log lines while the step waits. */
const heartbeat = 60_000

/** Sleeps until a time on the clock's `now`, and reports the time left each minute. Ends at once when cancelled. */
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

/** When the next log line is due, across sleeps. */
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

/** A reply and the number of attempts it took. */
export type Called<T> = Reply<T> & { attempts: number }

/**
 * Sends an operation until it succeeds, the retry policy gives up, the deadline is near, or the step is cancelled.
 * @param mayRepeat asked before each attempt but the first
 */
export async function call<T>(
  calling: Calling<T>,
  ports: PlatformPorts,
  mayRepeat: () => boolean | Promise<boolean> = () => true,
): Promise<Called<T>> {
  const { operation } = calling
  const { clock, cancelled, deadline } = ports
  const beats = new Heartbeat(clock.now())
  for (let attempt = 1; ; attempt++) {
    const reply = await callOnce(calling, ports)
    if (reply.ok || cancelled.aborted) return { ...reply, attempts: attempt }
    const { failure } = reply
    const now = clock.now()
    const wait = retryAfter({
      operation: operation.name,
      failure,
      attempt,
      date: clock.date(),
      random: ports.random(),
    })
    if (wait === undefined || now + wait > deadline) return { ...reply, attempts: attempt }
    // A send has at most five attempts, each worth a log line; a read may have hundreds.
    if (isSend(operation.name) || attempt === 1)
      ports.onProgress({ type: 'failing', operation: operation.name, failure, nextAttempt: wait })
    await sleepWithHeartbeat(
      now + wait,
      ports,
      (nextAttempt) =>
        ports.onProgress({ type: 'retrying', operation: operation.name, attempts: attempt, nextAttempt }),
      beats,
    )
    if (cancelled.aborted || !(await mayRepeat())) return { ...reply, attempts: attempt }
  }
}
