/** The words of failed calls to Mintlify. */
import { type Failure, mayHaveArrived, type UnreachableReason, type UnreadableReason } from '../core/http.ts'
import type { FailedCall, Problem } from '../core/problems.ts'
import { quoted, sentence } from '../core/text.ts'
import { isSend } from '../mintlify/calls.ts'
import { apiKeysUrl, dashboardUrl } from '../mintlify/dashboard.ts'
import { type Explanation, startOver } from './explanation.ts'

export const newKey = `Create an admin key (\`mint_…\`) on ${apiKeysUrl}. Store it in the secret that \`api-key\` reads.`

const shorten = 'Shorten the prompt, or match fewer files with `context-files` and `context-paths`.'
const earlier = 'Choose a later or shorter period.'
const checkIds = 'Check `job-id` and `project-id`.'

/** Each call in sentences, and what to do if Mintlify says that the request is malformed or too large. */
const requests: Record<FailedCall['call'], [name: string, remedy: string]> = {
  create: ['the request to create the job', shorten],
  read: ['the status request', checkIds],
  message: ['the follow-up to the job', shorten],
  visitors: ['the request for visitors', earlier],
  list: ['the request for what readers say', earlier],
}

/** What did not work before anything was sent, and what to do. */
const connecting: Record<UnreachableReason, Explanation> = {
  certificate: [
    'Could not verify the certificate of',
    `If a company proxy uses its own CA, set \`NODE_EXTRA_CA_CERTS\` in the job's \`env\`. ${startOver}`,
  ],
  proxy: [
    'The proxy did not connect to',
    "Check the proxy, and `https_proxy`, `http_proxy` and `no_proxy` in the job's `env`.",
  ],
  connection: ['Could not connect to', 'Check `base-url` and the network.'],
}

const unreadable: Record<UnreadableReason, string> = {
  'too-large': 'it is larger than 20 MiB',
  'cut-off': 'it broke off',
  'not-json': 'its body is not JSON',
  incomplete: 'its JSON lacks required fields',
}

/** Why a response cannot be read. */
export function unreadableText({ reason, code }: Extract<Failure, { kind: 'unreadable' }>): string {
  return code === '' ? unreadable[reason] : `${unreadable[reason]} (${code})`
}

/** Whether Mintlify may have carried out a request although its call failed, so that the request is not sent again. */
export function isUnconfirmed(problem: Problem | null): boolean {
  return problem?.kind === 'call-failed' && isSend(problem.call) && mayHaveArrived(problem.why)
}

/** Explains a failed call. */
export function failedCall(problem: FailedCall): Explanation {
  const [what, next] = ofFailure(problem)
  if (!isUnconfirmed(problem)) return [what, next]
  const { jobId, project } = problem
  const mayExist = jobId === null ? 'The job may exist' : sentence`Job \`${jobId}\` may have the follow-up`
  return [what, `${mayExist}, so the request is not sent again. ${lookAt(project)}`]
}

/** Where people can see whether a job exists. */
export function lookAt(project: string): string {
  return sentence`Look at project \`${project}\` on ${dashboardUrl} and at its repository's open pull requests. If nothing is there, start a new run or comment again: a re-run is not enough.`
}

function ofFailure(problem: FailedCall): Explanation {
  const { call, host, why } = problem
  const [request] = requests[call]
  switch (why.kind) {
    case 'unreachable': {
      const [what, next] = connecting[why.reason]
      return [sentence`${what} ${host} (${why.code}).`, next]
    }
    case 'no-response':
      return [`Mintlify did not respond to ${request} (${why.code}).`, checkStatus]
    case 'broken':
      return [`Mintlify returned an error for ${request} ${said(why)}`, checkStatus]
    case 'unreadable':
      return [
        sentence`Mintlify's response to ${request} (${why.status}) cannot be read: ${unreadableText(why)}.`,
        'Check `base-url` and the proxy.',
      ]
    case 'redirected':
      return [
        sentence`${host} redirects ${request} (${why.status}) to ${why.location || 'nowhere'}.`,
        'Set `base-url` to the address of the API itself. The key is never sent to another address.',
      ]
    case 'rejected':
      return ofRejection(problem, why)
  }
}

const checkStatus = "Check Mintlify's status page."

function ofRejection(problem: FailedCall, why: Extract<Failure, { kind: 'rejected' }>): Explanation {
  const { call, project } = problem
  const [request, remedy] = requests[call]
  const words = said(why)
  switch (why.status) {
    case 400:
    case 413:
      return [`Mintlify rejected ${request} ${words}`, remedy]
    case 401:
      return [`Mintlify rejected the API key ${words}`, newKey]
    case 403:
      return [
        `The API key does not allow this ${words}`,
        sentence`Check the key on ${apiKeysUrl}. It must belong to the organization of project \`${project}\`, have the scope \`${isSend(call) ? 'write' : 'read'}\`, and allow this IP address.`,
      ]
    case 404:
      return notFound(problem, words)
    case 429:
      return [`Mintlify's rate limit is reached ${words}`, waitText(why.retryAfter)]
    default:
      return [
        `Mintlify rejected ${request} ${words}`,
        'Check `base-url`, and look for a newer version of this action.',
      ]
  }
}

function notFound({ jobId, project }: FailedCall, words: string): Explanation {
  if (jobId !== null)
    return [sentence`Mintlify has no job \`${jobId}\` in project \`${project}\` ${words}`, checkIds]
  return [
    sentence`Mintlify has no project \`${project}\` ${words}`,
    `Copy the project ID from ${apiKeysUrl}.`,
  ]
}

/** @param retryAfter `Retry-After` */
function waitText(retryAfter: string | undefined): string {
  if (retryAfter === undefined) return 'Wait an hour, then re-run the workflow.'
  return sentence`Wait as long as Mintlify asks (Retry-After: ${retryAfter}).`
}

/** Mintlify's status and message, at the end of a sentence. */
function said({ status, detail }: { status: number; detail: string }): string {
  const words = quoted(detail, 250).replace(/[.\s]+$/, '')
  return `(${status})${words && `: “${words}”`}.`
}
