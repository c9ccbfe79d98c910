/** One operation at the platform, with its retries. */
import { isSend, type Operation, toRequest } from '../core/job/operation.ts'
import { type Reply, toReply } from '../core/job/response.ts'
import { retryAfter } from '../core/job/retry.ts'
import type { PlatformPorts, RequestTimeout } from './ports.ts'

/** Milliseconds that a request may take. A send gets longer: to give up on it is to not know what it did. */
const readPatience = 30_000
const sendPatience = 60_000
/** Milliseconds by which a request that began before the deadline may run over it. */
const graceAtDeadline = 5_000
/** A cancelled step has two seconds; a send in flight gets most of them, for the job's id is worth it. */
const sendPatienceOnceCancelled = 1_300

/** What is sent, and how its answer is read: `parse` gives undefined for JSON that is not of the shape. */
export interface Calling<T> {
  operation: Operation
  parse: (json: unknown) => T | undefined
  /** Milliseconds since the epoch. */
  deadline: number
}

/** Sends one operation once, within the patience that the deadline leaves. */
export async function callOnce<T>(
  { operation, parse, deadline }: Calling<T>,
  ports: PlatformPorts,
): Promise<Reply<T>> {
  const patience = isSend(operation.name)
    ? { total: sendPatience, onceCancelled: sendPatienceOnceCancelled }
    : { total: readPatience, onceCancelled: 0 }
  return toReply(await ports.http.exchange(toRequest(operation), within(deadline, patience, ports)), parse)
}

function within(deadline: number, patience: RequestTimeout, { clock }: PlatformPorts): RequestTimeout {
  return {
    ...patience,
    total: Math.min(patience.total, Math.max(0, deadline - clock.now()) + graceAtDeadline),
  }
}

/** Milliseconds between two lines that say that the step still waits. */
const heartbeat = 60_000

/** Sleeps until a time, and says each minute that it does and for how long still. Ends at once when cancelled. */
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

/** When the next line is due, over many sleeps. */
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

/** A reply, and how many attempts it took. */
export type Called<T> = Reply<T> & { attempts: number }

/**
 * Sends an operation until it succeeds, the policy gives up, the deadline is near, or the step is cancelled.
 * @param mayRepeat asked before each further attempt
 */
export async function call<T>(
  calling: Calling<T>,
  ports: PlatformPorts,
  mayRepeat: () => boolean | Promise<boolean> = () => true,
): Promise<Called<T>> {
  const { operation, deadline } = calling
  const { clock, cancelled } = ports
  const beats = new Heartbeat(clock.now())
  for (let attempt = 1; ; attempt++) {
    const reply = await callOnce(calling, ports)
    if (reply.ok || cancelled.aborted) return { ...reply, attempts: attempt }
    const { failure } = reply
    const now = clock.now()
    const wait = retryAfter({ operation: operation.name, failure, attempt, now, random: ports.random() })
    if (wait === undefined || now + wait > deadline) return { ...reply, attempts: attempt }
    // A send has a handful of attempts, each worth a line; a read may have hundreds.
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
