/** The calls to Mintlify (openapi.yaml): where each goes, how long it can take, and how often it is tried. */
import { mayHaveArrived } from '../core/http.ts'
import type { CallName, Problem } from '../core/problems.ts'

const agent = '/v2/agent'
/** These calls count against the hourly limit that an organization's tools share. */
export const analytics = '/v1/analytics'

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
export const calls = {
  create: send,
  message: send,
  // Only the deadline ends its attempts.
  read: { method: 'GET', api: agent, timeout, attempts: Number.POSITIVE_INFINITY },
  visitors: { method: 'GET', api: analytics, timeout, attempts: 5 },
  // The report does not need its lists, and each attempt counts against the shared limit.
  list: { method: 'GET', api: analytics, timeout, attempts: 2 },
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
