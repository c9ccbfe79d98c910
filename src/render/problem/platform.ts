/** Explains failed requests to Mintlify. */
import { isAnalytics, isSend, type OperationName } from '../../core/job/operation.ts'
import { type Failure, mayHaveArrived, type UnreachableReason } from '../../core/job/response.ts'
import type { PlatformProblem } from '../../core/problem.ts'
import { apiKeysUrl, dashboardUrl, type Explained, inCode, type JobRef, quoted } from './explanation.ts'

/** The name of each operation in sentences. */
export const operations: Record<OperationName, { request: string; again: string; nothingDone: string }> = {
  create: {
    request: 'the request to create the job',
    again: 're-run the workflow',
    nothingDone: 'No job was created.',
  },
  message: {
    request: 'the follow-up to the job',
    again: 're-run the workflow',
    nothingDone: 'The job got no follow-up.',
  },
  // The job exists: starting over would create a second one.
  read: {
    request: 'the status request',
    again: 'set `job-id` to wait for the job',
    nothingDone: '',
  },
  visitors: analytics('the request for visitors'),
  'feedback-by-page': analytics('the request for votes'),
  feedback: analytics('the request for comments'),
  searches: analytics('the request for searches'),
  assistant: analytics('the request for questions'),
}

function analytics(request: string) {
  return { request, again: 're-run the workflow', nothingDone: '' }
}

/** Explains a failed request to Mintlify. */
export function explainPlatform({ operation, failure }: PlatformProblem, jobRef: JobRef): Explained {
  const explanation = explainFailure(failure, operation, jobRef)
  if (!isSend(operation)) return explanation
  if (mayHaveArrived(failure))
    return {
      ...explanation,
      id: 'unconfirmed',
      headline: 'Mintlify did not confirm the request',
      next: whereToLook(operation, jobRef),
    }
  return { ...explanation, next: `${explanation.next} ${operations[operation].nothingDone}` }
}

function whereToLook(operation: OperationName, { projectId, jobId }: JobRef): string {
  const perhaps =
    operation === 'create' ? 'The job may exist' : `Job ${inCode(jobId ?? '')} may have the follow-up`
  return [
    `${perhaps}, so the request is not sent again.`,
    `Look at project ${inCode(projectId)} on ${dashboardUrl} and at its repository's open pull requests.`,
    'If nothing is there, start a new run or comment again: a re-run is not enough.',
  ].join(' ')
}

function explainFailure(failure: Failure, operation: OperationName, jobRef: JobRef): Explained {
  const { request, again } = operations[operation]
  switch (failure.kind) {
    case 'unreachable':
      return explainUnreachable(failure.reason, failure.code, operation, jobRef)
    case 'no-response':
      return {
        id: 'no-response',
        headline: 'No response from Mintlify',
        what: `Mintlify did not respond to ${request} (${failure.code}).`,
        why: 'The connection broke or timed out after the request was sent.',
        next: `Wait a while, then ${again}.`,
        fix: 'later',
      }
    case 'unreadable':
      return {
        id: 'unreadable',
        headline: 'Unreadable response from Mintlify',
        what: `Mintlify's response to ${request} (${failure.status}) cannot be read: ${quoted(failure.problem)}.`,
        why: 'A proxy may have truncated or replaced it, or `base-url` may point to another service.',
        next: `Check \`base-url\` and the network, then ${again}.`,
      }
    case 'redirected':
      return {
        id: 'redirected',
        headline: 'The API redirects',
        what: `${host(jobRef)} redirects ${request} (${failure.status}) to ${quoted(failure.location, 200) || 'nowhere'}.`,
        why: 'The API may have moved, or a sign-in page is in front of it. The key is never sent to another address.',
        next: 'Set `base-url` to the address of the API itself.',
      }
    case 'rejected':
      return explainRejected(failure, operation, jobRef)
    case 'broken':
      return {
        id: 'broken',
        headline: `Mintlify returned an error (${failure.status})`,
        what: `Mintlify returned an error for ${request} (${failure.status})${words(failure.detail)}.`,
        why: "The error is on Mintlify's side.",
        next: `Check Mintlify's status page, then ${again}.`,
        fix: 'later',
      }
  }
}

function explainUnreachable(
  reason: UnreachableReason,
  code: string,
  operation: OperationName,
  jobRef: JobRef,
): Explained {
  const at = host(jobRef)
  const said: Record<UnreachableReason, [cause: string, why: string, next: string]> = {
    connection: [
      `Could not connect to ${at}`,
      'The host may be down, or a firewall may block it.',
      'Check `base-url` and the network',
    ],
    name: [
      `Could not find the host ${at}`,
      '`base-url` may be misspelled, or the runner has no DNS.',
      'Check `base-url` and the network',
    ],
    certificate: [
      `The certificate of ${at} is not trusted`,
      'It may have expired or belong to another host, or a company proxy may use its own CA.',
      "To trust your own CA, set `NODE_EXTRA_CA_CERTS` in the job's `env`",
    ],
    tls: [
      `Could not open a TLS connection to ${at}`,
      'The server there does not use TLS.',
      'Check `base-url` and the proxy',
    ],
    proxy: [
      `The proxy did not connect to ${at}`,
      'The proxy may be down, require a sign-in, or block the host.',
      "Check `https_proxy`, `http_proxy` and `no_proxy` in the job's `env`",
    ],
  }
  const [headline, why, next] = said[reason]
  return {
    id: `unreachable-${reason}`,
    headline,
    what: `${headline} (${quoted(code, 60)}).`,
    why,
    next: `${next}, then ${operations[operation].again}.`,
    ...(reason === 'connection' && { fix: 'later' as const }),
  }
}

function explainRejected(
  { status, detail, retryAfter }: Extract<Failure, { kind: 'rejected' }>,
  operation: OperationName,
  jobRef: JobRef,
): Explained {
  const { request, again } = operations[operation]
  const project = inCode(jobRef.projectId)
  const say = (headline: string, what = headline) => ({
    headline: `${headline} (${status})`,
    what: `${what} (${status})${words(detail)}.`,
  })
  switch (status) {
    case 400:
      return {
        ...say('Mintlify rejected the request', `Mintlify rejected ${request}`),
        ...onBadRequest(operation),
      }
    case 401:
      return {
        id: 'rejected-401',
        ...say('Mintlify rejected the API key'),
        why: 'The key has expired (by default after 90 days), was deleted, or is not an admin key.',
        next: `Create an admin key (\`mint_…\`) on ${apiKeysUrl}. Store it in the secret that \`api-key\` reads.`,
      }
    case 403:
      return {
        id: 'rejected-403',
        ...say('The API key lacks access', 'The API key does not allow this'),
        why: `The key and project ${project} may be in different organizations. The key may lack the scope \`${isSend(operation) ? 'write' : 'read'}\` or access from this IP address, or the plan may lack API access.`,
        next: `Check \`project-id\`. The key's scopes and IP ranges are on ${apiKeysUrl}.`,
      }
    case 404:
      return operation === 'create' || isAnalytics(operation)
        ? {
            id: 'rejected-404-project',
            ...say('Unknown project', `Mintlify has no project ${project}`),
            why: '`project-id` or `base-url` is probably misspelled.',
            next: `Copy the project ID from ${apiKeysUrl}.`,
          }
        : {
            id: 'rejected-404-job',
            ...say(
              'Unknown job',
              `Mintlify has no ${jobRef.jobId === null ? 'such job' : `job ${inCode(jobRef.jobId)}`} in project ${project}`,
            ),
            why: 'The job ID may be misspelled or belong to another project, or the job is gone.',
            next: 'Check `job-id` and `project-id`.',
          }
    case 413:
      return {
        id: 'rejected-413',
        ...say('The request is too large', `Mintlify or a proxy says that ${request} is too large`),
        why: 'The prompt, including its files and diff, is over the size limit.',
        next: 'Shorten the prompt, or match fewer files with `context-files` and `context-paths`.',
      }
    case 429:
      return {
        id: isAnalytics(operation) ? 'rejected-429-visitors' : 'rejected-429',
        ...say("Mintlify's rate limit is reached"),
        fix: 'later',
        why: isAnalytics(operation)
          ? 'An organization is limited to 100 analytics requests per hour, across all of its tools.'
          : 'A project is limited to 100 new jobs and 100 follow-ups per hour, across all workflows.',
        next: `${retryAfter === undefined ? 'Wait an hour' : `Wait as long as Mintlify asks (Retry-After: ${quoted(retryAfter, 60)})`}, then ${again}.`,
      }
    default:
      return {
        id: 'rejected',
        ...say('Mintlify rejected the request', `Mintlify rejected ${request}`),
        why: 'The API may have changed, or something between the runner and Mintlify rejected it.',
        next: 'Check `base-url`, and look for a newer version of this action.',
      }
  }
}

/** Why the request is most likely invalid, and what to do. */
function onBadRequest(operation: OperationName): Pick<Explained, 'id' | 'why' | 'next'> {
  switch (operation) {
    case 'read':
      return {
        id: 'rejected-400-job',
        why: 'The job ID is probably wrong.',
        next: 'Check `job-id`.',
      }
    case 'visitors':
    case 'feedback-by-page':
    case 'feedback':
    case 'searches':
    case 'assistant':
      return {
        id: 'rejected-400-visitors',
        why: 'The period may be too long, or may begin before the first day with analytics.',
        next: 'Choose a later or shorter period.',
      }
    default:
      return {
        id: 'rejected-400-prompt',
        why: 'The prompt is probably too long.',
        next: 'Shorten the prompt, then re-run the workflow.',
      }
  }
}

/** Mintlify's message, at the end of a sentence. */
function words(detail: string): string {
  const said = quoted(detail).replace(/[.\s]+$/, '')
  return said === '' ? '' : `: “${said}”`
}

function host({ baseUrl }: JobRef): string {
  return URL.parse(baseUrl)?.host ?? baseUrl
}
