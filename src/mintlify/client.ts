/** Calls Mintlify over HTTP, with limits on time. Repeats a call if that cannot do harm. */
import type { Clock } from '../core/clock.ts'
import {
  type Failure,
  isLimited,
  isMissing,
  isWorthwhile,
  mayHaveArrived,
  toReply,
  type Wire,
  waitBefore,
} from '../core/http.ts'
import type { LogEntry } from '../core/log.ts'
import type { CallName, FailedCall, Problem } from '../core/problems.ts'
import type { Result } from '../core/result.ts'

const agent = '/v2/agent'

/**
 * A send gets more time, because its effect is unknown after a timeout, and some once the step is cancelled, because the
 * response contains the job's id. The runner kills the step 10 s after the cancel; the rest is for the outputs and GitHub.
 */
const send = {
  method: 'POST',
  api: agent,
  timeout: { total: 60_000, onceCancelled: 5_000 },
  attempts: 5,
}
const timeout = { total: 30_000, onceCancelled: 0 }

/**
 * The calls by name. `api` is the part of the path before the project's id, `attempts` the maximum number of attempts, and
 * `timeout` as in `RequestTimeout`.
 */
const calls = {
  create: send,
  message: send,
  // Only the deadline ends its attempts.
  read: { method: 'GET', api: agent, timeout, attempts: Number.POSITIVE_INFINITY },
  // Each attempt counts against the hourly limit that an organization's tools share.
  analytics: { method: 'GET', api: '/v1/analytics', timeout, attempts: 3 },
}

/** Whether a call changes something on Mintlify, and so must never be repeated blindly. */
export function isSend(name: CallName) {
  return calls[name].method === 'POST'
}

/** Whether Mintlify may have carried out a request although its call failed, so that the request is not sent again. */
export function isUnconfirmed(problem: Problem | null) {
  return problem?.kind === 'call-failed' && isSend(problem.call) && mayHaveArrived(problem.why)
}

/** The dashboard, where maintainers manage jobs and keys (Mintlify's docs). */
export const dashboardUrl = 'https://app.mintlify.com'
export const apiKeysUrl = `${dashboardUrl}/settings/organization/api-keys`

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
  /** Hears that a call failed, and will be repeated after a wait in milliseconds. */
  onFailure(failure: FailedCall, wait: number): void
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
  const { clock, deadline, random, cancelled, onFailure } = options
  const send = createSender(name, request, options)
  for (let attempt = 1; ; attempt++) {
    const reply = await send()
    if (reply.ok || cancelled.aborted) return reply
    const { failure } = reply
    const { why } = failure
    const wait = retryAfter(name, why, attempt, random())
    if (!isWorthwhile(wait, deadline - clock.now(), isLimited(why))) return reply
    onFailure(failure, wait)
    await clock.sleep(wait, cancelled)
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
  /** Since when a job that exists appears missing. */
  let missingSince: number | undefined
  return async (): Promise<Called<T>> => {
    const total = Math.min(timeout.total, Math.max(0, deadline - clock.now()) + graceAtDeadline)
    const exchange = await wire(wireRequest, { ...timeout, total })
    const reply = toReply(exchange, parse)
    if (reply.ok) return reply
    let why = reply.failure
    if (!isKnown || why.kind !== 'rejected' || !isMissing(why)) missingSince = undefined
    else {
      missingSince ??= clock.now()
      if (clock.now() - missingSince < missingGrace) why = { ...why, kind: 'broken' }
    }
    return { ok: false, failure: { kind: 'call-failed', call: name, jobId, project: projectId, host, why } }
  }
}

/** First and longest wait between attempts, in milliseconds. Each wait is twice as long as the previous one. */
const firstWait = 2_000
const maxWait = 60_000

/**
 * Milliseconds until the next attempt; infinite to give up. The caller compares the wait with its deadline.
 * @param attempt how many attempts in a row have failed, from 1
 * @param random in [0, 1)
 */
export function retryAfter(name: CallName, failure: Failure, attempt: number, random: number) {
  if (attempt >= calls[name].attempts) return Number.POSITIVE_INFINITY
  // It is unknown when the shared limit resets.
  const isLimit = failure.kind === 'rejected' && failure.status === 429
  if (name === 'analytics' && isLimit && failure.wait === undefined) return Number.POSITIVE_INFINITY
  const wait = Math.min(maxWait, firstWait * 2 ** (attempt - 1))
  // Randomly shortened by up to half, so that parallel steps do not all retry at once.
  return waitBefore(failure, !isSend(name), Math.round(wait / 2 + (wait / 2) * random))
}
