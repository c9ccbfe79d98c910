/** Calls Mintlify over HTTP, with limits on time. Repeats a call if that cannot do harm. */
import { type Clock, createSleeper } from '../core/clock.ts'
import { type Failure, isMissing, isWorthwhile, mayHaveArrived, toReply, type Wire } from '../core/http.ts'
import type { LogEntry } from '../core/log.ts'
import type { CallName, FailedCall } from '../core/problems.ts'
import { isTemporary } from '../core/reply.ts'
import type { Result } from '../core/result.ts'
import { analytics, calls, isSend } from './calls.ts'

/** The time that calls have, and their log. */
export interface CallPorts {
  clock: Clock
  /** Milliseconds on the clock's `now`. No call is repeated after it, and a call in progress ends soon. */
  deadline: number
  /** In [0, 1). */
  random(): number
  /** Aborts when the step must end. */
  cancelled: AbortSignal
  /** Shows an event as it happens. Nothing depends on it. */
  log(...entries: LogEntry[]): void
}

/** What the client needs. */
export interface MintlifyOptions extends CallPorts {
  wire: Wire
  /** Precedes the paths of the API. Has no slash at its end. */
  baseUrl: string
  apiKey: string
  projectId: string
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string
  words: RetryWords
}

/** What to log when calls failed and will be repeated. Waits are in milliseconds until the next attempt. */
interface RetryWords {
  failing(failure: FailedCall, wait: number): LogEntry
  /** Once for each minute of waiting. @param attempts how many have failed */
  retrying(attempts: number, wait: number): LogEntry
}

/** What a call sends, and how to read its response. */
interface Request<T> {
  /** The part of the path after the project's id. */
  path: string
  /** Sent as JSON. */
  body?: { prompt: string }
  /** The job that the call is about, if any. */
  jobId?: string
  /** Whether that job certainly exists, so that a 404 may be a mistake of a replica or a gateway. */
  isKnown?: boolean
  /** Returns undefined for JSON of an unexpected shape. */
  parse(json: unknown): T | undefined
  /** Called before each attempt except the first; false ends the attempts. */
  mayRepeat?(): boolean
}

/** The value of a response, or the failure. */
export type Called<T> = Result<T, FailedCall>

/** Milliseconds that a started request may continue after the deadline. */
const graceAtDeadline = 5_000
/** How long a job that exists may appear missing, in milliseconds: replicas lag, and a gateway may briefly respond with 404. */
const missingGrace = 60_000

/**
 * Makes a call until it succeeds, until another attempt would be useless or harmful, until the deadline is near, or until
 * the step is cancelled. It never throws.
 */
export async function call<T>(
  name: CallName,
  request: Request<T>,
  options: MintlifyOptions,
): Promise<Called<T>> {
  const { clock, deadline, random, cancelled, log, words } = options
  const send = createSender(name, request, options)
  const sleepUntil = createSleeper(options)
  for (let attempt = 1; ; attempt++) {
    const reply = await send()
    if (reply.ok || cancelled.aborted) return reply
    const { failure } = reply
    const { why } = failure
    const now = clock.now()
    const wait = retryAfter(name, why, attempt, random())
    const isLimit = why.kind === 'rejected' && why.status === 429
    if (wait === undefined || !isWorthwhile(wait, deadline - now, isLimit)) return reply
    // A send has at most five attempts, so each is reported. A read may have hundreds.
    if (isSend(name) || attempt === 1) log(words.failing(failure, wait))
    await sleepUntil(now + wait, (left) => log(words.retrying(attempt, left)))
    if (cancelled.aborted || request.mayRepeat?.() === false) return reply
  }
}

/** Makes the function that sends a call's request once, within the time left before the deadline. */
function createSender<T>(name: CallName, request: Request<T>, options: MintlifyOptions) {
  const { wire, baseUrl, apiKey, projectId, clock, deadline } = options
  const { path, body, jobId = null, isKnown, parse } = request
  const { method, api, timeout } = calls[name]
  const { host } = new URL(baseUrl)
  const json = 'application/json'
  const wireRequest = {
    url: `${baseUrl}${api}/${encodeURIComponent(projectId)}${path}`,
    method,
    headers: { authorization: `Bearer ${apiKey}`, accept: json, ...(body && { 'content-type': json }) },
    body: body && JSON.stringify(body),
  }
  const doubt = createDoubt(clock)
  return async (): Promise<Called<T>> => {
    const left = Math.max(0, deadline - clock.now())
    const total = Math.min(timeout.total, left + graceAtDeadline)
    const exchange = await wire(wireRequest, { ...timeout, total })
    const reply = toReply(exchange, parse)
    if (reply.ok) return reply
    const why = isKnown ? doubt(reply.failure) : reply.failure
    return { ok: false, failure: { kind: 'call-failed', call: name, jobId, project: projectId, host, why } }
  }
}

/** Makes a function that counts 404s about a job that exists as errors of Mintlify, until they have lasted. */
function createDoubt(clock: Clock) {
  let missingSince: number | undefined
  return (failure: Failure): Failure => {
    if (failure.kind !== 'rejected' || !isMissing(failure)) {
      missingSince = undefined
      return failure
    }
    missingSince ??= clock.now()
    const isDoubtful = clock.now() - missingSince < missingGrace
    return isDoubtful ? { ...failure, kind: 'broken' } : failure
  }
}

/** First and longest wait between attempts, in milliseconds. Each wait is twice as long as the previous one. */
const firstWait = 2_000
const maxWait = 60_000

/**
 * Milliseconds until the next attempt; undefined to give up. The caller compares the wait with its deadline.
 * @param attempt how many attempts in a row have failed, from 1
 * @param random in [0, 1)
 */
export function retryAfter(name: CallName, failure: Failure, attempt: number, random: number) {
  const { attempts, api } = calls[name]
  if (attempt >= attempts) return undefined
  if (!isTemporary(failure) || (isSend(name) && mayHaveArrived(failure))) return undefined
  const asked = 'wait' in failure ? failure.wait : undefined
  if (api === analytics) {
    // The whole organization shares the hourly limit. Without a Retry-After, it is unknown when the limit resets.
    if (failure.kind === 'rejected' && failure.status === 429 && asked === undefined) return undefined
    // A response that cannot be read was perhaps cut off. If it cannot be read twice, it will not change.
    if (failure.kind === 'unreadable' && attempt >= 2) return undefined
  }
  const wait = Math.min(maxWait, firstWait * 2 ** (attempt - 1))
  // Randomly shortened by up to half, so that parallel steps do not all retry at once.
  return Math.max(Math.round(wait / 2 + (wait / 2) * random), asked ?? 0)
}
