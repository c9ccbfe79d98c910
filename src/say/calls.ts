/** The words of failed calls to Mintlify. */
import type { ErrorResponse, Failure } from '../core/http.ts'
import type { FailedCall } from '../core/problems.ts'
import { joinTexts, quote, sentence } from '../core/text.ts'
import { counted, hourMs, minuteMs } from '../core/units.ts'
import { apiKeysUrl, dashboardUrl, isSend, isUnconfirmed } from '../mintlify/client.ts'

/** A problem in prose, with code between backticks. Text from outside has no backticks, so a printer can escape everything else. */
export type Explanation = readonly [
  /** What happened, with the value and the service's own message. */
  what: string,
  /** What to do; empty if there is nothing to do. */
  next: string,
  /** The things that the sentences are about, each a URL or in prose. */
  list?: readonly string[],
  /** Lines to show unchanged. */
  lines?: string,
]

/** After a change to the workflow file. A re-run would use the file of its first run. */
export const startOver = 'Commit the change, and start a new run or comment again.'

export const newKey = `Create an admin key (\`mint_…\`) on ${apiKeysUrl}. Store it in the secret that \`api-key\` reads.`

const checkStatus = "Check Mintlify's status page."
const shorten = 'Shorten the prompt, or match fewer files with `context-files` and `context-paths`.'
const checkIds = 'Check `job-id` and `project-id`.'

/**
 * Each call in sentences, what to do if Mintlify says that the request is malformed or too large, and the limit (openapi.yaml
 * documents none for polls).
 */
const requests = {
  create: ['the request to create the job', shorten, '100 jobs an hour'],
  read: ['the status request', checkIds, 'status requests'],
  message: ['the follow-up to the job', shorten, '100 follow-ups an hour'],
  analytics: ['the analytics request', 'Choose a later or shorter period.', '100 analytics requests an hour'],
} as const

/** What did not work before anything was sent, and what to do. */
const unreachable = {
  certificate: [
    'Could not verify the certificate of',
    `If a company proxy uses its own CA, set \`NODE_EXTRA_CA_CERTS\` in the job's \`env\`. ${startOver}`,
  ],
  proxy: [
    'The proxy did not connect to',
    "Check the proxy, and `https_proxy`, `http_proxy` and `no_proxy` in the job's `env`.",
  ],
  connection: ['Could not connect to', 'Check `base-url` and the network.'],
} as const

/** What a service sent. Nothing from the page itself is shown. */
export const webPage = 'a web page instead of JSON'

const unreadable = {
  'too-large': 'it is larger than 20 MiB',
  'cut-off': 'it broke off',
  page: `it is ${webPage}`,
  'not-json': 'its body is not JSON',
  incomplete: 'its JSON lacks required fields',
}

/** Why a response cannot be read. */
export function unreadableText({ reason, code }: Failure & { kind: 'unreadable' }) {
  return joinTexts([unreadable[reason], code && `(${code})`], ' ')
}

/** What to do about a limit. @param wait milliseconds until it resets; an hour at most, if the service does not say */
export function waitForReset(wait = hourMs) {
  const minutes = Math.max(1, Math.ceil(wait / minuteMs))
  return `Wait ${counted(minutes, 'minute')}, then re-run the workflow.`
}

/** Explains a failed call. */
export function explainCall(problem: FailedCall): Explanation {
  const [what, next] = explainFailure(problem)
  if (!isUnconfirmed(problem)) return [what, next]
  return [what, `Mintlify may have it, so the request is not sent again. ${lookAt(problem.project)}`]
}

/** Where people can see whether a job exists. */
export function lookAt(project: string) {
  return sentence`Look at project \`${project}\` on ${dashboardUrl} and at its repository's open pull requests. If nothing is there, start a new run or comment again: a re-run is not enough.`
}

function explainFailure(problem: FailedCall): Explanation {
  const { call, host, why } = problem
  const [request] = requests[call]
  switch (why.kind) {
    case 'unreachable': {
      const [what, next] = unreachable[why.reason]
      return [sentence`${what} \`${host}\` (${why.code}).`, next]
    }
    case 'no-response':
      return [`Mintlify did not respond to ${request} (${why.code}).`, checkStatus]
    case 'broken':
      return [`Mintlify returned an error for ${request} ${responseText(why)}`, checkStatus]
    case 'unreadable':
      return [
        sentence`Mintlify's response (${why.status}) to ${request} cannot be read: ${unreadableText(why)}.`,
        'Check `base-url` and the proxy.',
      ]
    case 'redirected':
      return [
        sentence`\`${host}\` responds with a redirect (${why.status}) to \`${why.location || 'nowhere'}\`.`,
        'Set `base-url` to the address of the API itself. The key is never sent to another address.',
      ]
    case 'rejected':
      return explainRejection(problem, why)
  }
}

function explainRejection({ call, jobId, project }: FailedCall, why: ErrorResponse): Explanation {
  const [request, remedy, limit] = requests[call]
  const response = responseText(why)
  switch (why.status) {
    case 400:
    case 413:
      return [`Mintlify rejected ${request} ${response}`, remedy]
    case 401:
      return [`Mintlify rejected the API key ${response}`, newKey]
    case 403: {
      const scope = isSend(call) ? 'write' : 'read'
      return [
        `The API key does not allow this ${response}`,
        sentence`Check \`project-id\`: project \`${project}\` must belong to the key's organization. Then check on ${apiKeysUrl} that the key has the scope \`${scope}\` and allows this IP address.`,
      ]
    }
    case 404:
      if (jobId !== null)
        return [sentence`Mintlify has no job \`${jobId}\` in project \`${project}\` ${response}`, checkIds]
      return [
        sentence`Mintlify has no project \`${project}\` ${response}`,
        `Check \`project-id\`: copy it from ${apiKeysUrl}. The project must belong to the key's organization.`,
      ]
    case 429:
      return [`Mintlify's limit is reached: ${limit} ${response}`, waitForReset(why.wait)]
    default:
      return [
        `Mintlify rejected ${request} for an unknown reason ${response}`,
        'Check `base-url`, and look for a newer version of this action.',
      ]
  }
}

/** Mintlify's status and message, as the end of a sentence. */
function responseText({ status, detail }: ErrorResponse) {
  const message = quote(detail ?? webPage, 250).replace(/[.\s]+$/, '')
  return message === '' ? `(${status}).` : `(${status}): “${message}”.`
}
