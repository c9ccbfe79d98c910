/** Says what happened, why most likely, and what to do next, for everything that can go wrong. */

import { isAnalytics, isSend, type OperationName } from '../core/job/operation.ts'
import { type Failure, mayHaveArrived, type UnreachableReason } from '../core/job/response.ts'
import type { FileFault, PlatformProblem, Problem, Refusal } from '../core/problem.ts'
import { oneLine } from '../core/text.ts'

/** Three sentences for a person. `id` is the heading under which TROUBLESHOOTING.md says more. */
export interface Explanation {
  id: string
  what: string
  why: string
  next: string
}

/** What the explanations name. */
export interface JobRef {
  baseUrl: string
  projectId: string
  jobId: string | null
}

export function explain(problem: Problem, jobRef: JobRef): Explanation {
  switch (problem.type) {
    case 'inputs':
      return {
        id: 'inputs',
        what: problem.faults
          .map(({ input, got, expected }) => `${input}: got ${got}; takes ${expected}.`)
          .join('\n'),
        why: `${problem.faults.length === 1 ? 'An input' : `${problem.faults.length} inputs`} of the step can't be used.`,
        next: 'Change the lines under “with:”. Nothing was sent.',
      }
    case 'file':
      return explainFile(problem.fault)
    case 'secrets-withheld':
      return {
        id: 'secrets-withheld',
        what: `There is no api-key: ${problem.why}.`,
        why: 'Code that nobody here has reviewed shall not get at the secrets.',
        next: 'Nothing to do, or for Dependabot: add the key to the Dependabot secrets too.',
      }
    case 'not-for-us':
      return {
        id: 'not-for-us',
        what: `Nothing to do: ${oneLine(problem.reason)}.`,
        why: 'With command set, the step acts on new comments that begin with that word.',
        next: 'Nothing to do.',
      }
    case 'event-refused':
      return explainRefusedEvent(problem)
    case 'no-instruction':
      return {
        id: 'no-instruction',
        what: `The comment says no more than ${oneLine(problem.command, 60)}.`,
        why: 'What is to be done stands after the command.',
        next: 'Comment again, with an instruction.',
      }
    case 'not-allowed':
      return {
        id: 'not-allowed',
        what: `${oneLine(problem.login, 60)} may not give the command.`,
        why: problem.isBot
          ? 'A bot may only where allowed-bots names it.'
          : `It takes the role ${problem.required} or a higher one on the repository.`,
        next: 'Somebody with that role can give the command, or change required-permission or allowed-bots.',
      }
    case 'gate-closed':
      return {
        id: 'gate-closed',
        what: `GitHub did not say what role ${oneLine(problem.login, 60)} has (${refusalText(problem.refusal)}).`,
        why: 'The token may lack access to the repository, or GitHub is out of order.',
        next: 'Check github-token; then re-run the workflow. No job was created.',
      }
    case 'thread-unread':
      return {
        id: 'thread-unread',
        what: `The thread can't be read (${refusalText(problem.refusal)}), so whether the first run made a job is not known.`,
        why: 'The token may lack the permission issues: read or pull-requests: read, or GitHub is out of order.',
        next: 'Give the token the permission, or comment the command anew. No job was created.',
      }
    case 'no-change':
      return {
        id: 'no-change',
        what: `Nothing to do: ${oneLine(problem.reason)}.`,
        why: 'The event brings nothing that the docs could follow.',
        next: 'Nothing to do; or change context-paths.',
      }
    case 'own-change':
      return {
        id: 'own-change',
        what: `Nothing to do: ${oneLine(problem.login, 60)} caused this.`,
        why: "What the agent's own account did, or its pull request brought, would start it again and again.",
        next: 'Nothing to do; if this is another account than the agent’s, change agent-login.',
      }
    case 'open-limit':
      return {
        id: 'open-limit',
        what: `${problem.links.length} of the agent's pull requests are open, and open-limit is ${problem.limit}.`,
        why: problem.jobless
          ? 'None of them has a note of this action that names a job which could go on.'
          : 'Another one would be one more to review.',
        next: 'Merge or close one, or raise open-limit. No job was created.',
      }
    case 'change-unread':
      return explainUnreadChange(problem)
    case 'unsent-message': {
      const { id, what, why } = explainPlatform(problem.cause, jobRef)
      const isWrongId = id === 'refused-404-job' || id === 'refused-400-job'
      const next = isWrongId ? 'Check job-id and project-id.' : 'Run the workflow again once that is mended.'
      return { id, what, why, next: `${next} The job got no message.` }
    }
    case 'defect':
      return {
        id: 'defect',
        what: 'The action has a defect.',
        why: 'It came upon something that it does not expect.',
        next: `Please report it, with these lines:\n${problem.text}`,
      }
    case 'too-late':
      return {
        id: 'too-late',
        what: 'The time was up before anything could be sent.',
        why: 'GitHub or the platform was slow, or could not be reached for a while.',
        next: `Run the workflow again, with a longer timeout. ${nothingDone(jobRef.jobId === null ? 'create' : 'message')}`,
      }
    case 'key-in-prompt':
      return {
        id: 'key-in-prompt',
        what: 'The prompt contains the API key.',
        why: 'It stands in the instruction, in the diff or in one of the context files.',
        next: 'Take it out, and since it stood in the open, make a new key. Nothing was sent.',
      }
    case 'platform':
      return explainPlatform(problem, jobRef)
  }
}

function explainRefusedEvent({ event, why }: Extract<Problem, { type: 'event-refused' }>): Explanation {
  const name = oneLine(event, 60)
  switch (why) {
    case 'target':
      return {
        id: 'event-target',
        what: 'The event pull_request_target is not supported.',
        why: "It gives secrets and a write token to workflows that run for a fork's code.",
        next: 'Use pull_request, or push after the merge. Nothing was sent.',
      }
    case 'no-command':
      return {
        id: 'event-no-command',
        what: `The event ${name} needs the input command.`,
        why: 'Anyone can comment on a public repository. Without a command, every comment would start the agent.',
        next: 'Set command, for example to /docs. Nothing was sent.',
      }
    case 'unreadable':
      return {
        id: 'event-unreadable',
        what: `The payload of the event ${name} is not what GitHub documents.`,
        why: 'The file that GITHUB_EVENT_PATH names may be missing or changed by an earlier step.',
        next: 'Check the steps before this one. Nothing was sent.',
      }
  }
}

function explainUnreadChange({ reading, refusal }: Extract<Problem, { type: 'change-unread' }>): Explanation {
  const what = {
    diff: "The change's files could not be read",
    'pull-requests': 'Whether the push came by a pull request of the agent could not be asked',
    'open-pull-requests': "The agent's open pull requests could not be read",
  }[reading]
  const id = refusal.status === 404 && reading === 'diff' ? 'change-gone' : 'change-unread'
  return {
    id,
    what: `${what} (${refusalText(refusal)}).`,
    why:
      id === 'change-gone'
        ? 'The commit before is most likely gone after a force push, or the token is not let at the repository.'
        : 'The token may lack a permission, or GitHub is out of order.',
    next:
      id === 'change-gone'
        ? 'Give the job contents: read; after a force push, run the workflow by hand with a prompt that says what changed. No job was created.'
        : 'Give the job contents: read and pull-requests: read; then re-run the workflow. No job was created.',
  }
}

/** GitHub's word, on one line. */
export function refusalText({ status, message }: Refusal): string {
  return `${status ?? 'no answer'}: ${oneLine(message, 200)}`
}

function explainFile(fault: FileFault): Explanation {
  if (fault.kind === 'too-many')
    return {
      id: 'too-many-files',
      what: `${fault.input} names more than ${fault.limit} files.`,
      why: 'A glob such as ** most likely takes in a build or a dependency folder.',
      next: 'Narrow the globs, or exclude folders with a line that begins with “!”. Nothing was sent.',
    }
  const path = oneLine(fault.path, 200)
  const said = {
    missing: [
      'does not exist',
      'Most likely the workflow has no actions/checkout step before this one, or the path has a slip.',
    ],
    'not-a-file': ['is not a file', 'A folder or a device can not be read as text.'],
    outside: [
      'is outside the workspace',
      'It leads there by “..”, by an absolute path or by a symbolic link; or it lies in “.git”, where a token may stand.',
    ],
    'not-text': ['is not text in UTF-8', 'It is binary, or in another encoding.'],
    empty: ['is empty', 'There is nothing in it to send.'],
    unreadable: ['can not be read', 'The runner has no permission to, or the disk failed.'],
    unwritable: [
      'can not be written',
      'The runner has no permission to, a file stands in its place, or the disk is full.',
    ],
  }[fault.kind]
  return {
    id: `file-${fault.kind}`,
    what: `${fault.input}: ${path} ${said[0]}.`,
    why: said[1] ?? '',
    next: nextForFile(fault.input),
  }
}

function nextForFile(input: string): string {
  switch (input) {
    case 'context-files':
      return 'Leave it out with a line such as !path, or change the globs. Nothing was sent.'
    case 'report-dir':
      return "Give a folder inside the workspace or the runner's temporary folder."
    default:
      return 'Give the path of a text file inside the workspace. Nothing was sent.'
  }
}

function explainPlatform(problem: PlatformProblem, jobRef: JobRef): Explanation {
  const { operation, failure } = problem
  const explanation = explainFailure(failure, operation, jobRef)
  if (!isSend(operation)) return explanation
  return mayHaveArrived(failure)
    ? { ...explanation, id: 'unconfirmed', next: whereToLook(operation, jobRef) }
    : { ...explanation, next: `${explanation.next} ${nothingDone(operation)}` }
}

function nothingDone(operation: OperationName): string {
  return operation === 'create' ? 'No job was created.' : 'The job got no message.'
}

function whereToLook(operation: OperationName, { projectId, jobId }: JobRef): string {
  const perhaps =
    operation === 'create'
      ? `The job may have been created all the same, so nothing is sent again.`
      : `Job ${jobId} may have got the message all the same, so nothing is sent again.`
  return `${perhaps} Look at project ${projectId} in the platform's dashboard and at the open pull requests of its repository; run the workflow again only if nothing is there.`
}

function explainFailure(failure: Failure, operation: OperationName, jobRef: JobRef): Explanation {
  switch (failure.kind) {
    case 'unreachable':
      return explainUnreachable(failure.reason, failure.code, operation, jobRef)
    case 'no-answer':
      return {
        id: 'no-answer',
        what: `The platform did not answer ${doing(operation)} (${failure.code}).`,
        why: 'The connection broke, or patience ran out, after the request had gone out.',
        next: `Later, ${tryAgain(operation)}.`,
      }
    case 'unreadable':
      return {
        id: 'unreadable',
        what: `The platform's answer to ${doing(operation)} (${failure.status}) can't be read: ${oneLine(failure.problem)}.`,
        why: 'Something between the runner and the platform cut or replaced it, or base-url is not the platform.',
        next: `Check base-url and the network; then ${tryAgain(operation)}.`,
      }
    case 'redirected':
      return {
        id: 'redirected',
        what: `${host(jobRef)} answered ${doing(operation)} with a redirect (${failure.status}) to ${oneLine(failure.location, 200) || 'nowhere'}.`,
        why: 'base-url has most likely moved, or a sign-in page stands before it. The key is never sent after a redirect.',
        next: 'Set base-url to the address of the API itself.',
      }
    case 'refused':
      return explainRefused(failure, operation, jobRef)
    case 'broken':
      return {
        id: 'broken',
        what: `The platform failed at ${doing(operation)} (${failure.status})${words(failure.detail)}.`,
        why: 'The fault is on its side.',
        next: `Look at the platform's status page, and later ${tryAgain(operation)}.`,
      }
  }
}

function explainUnreachable(
  reason: UnreachableReason,
  code: string,
  operation: OperationName,
  jobRef: JobRef,
): Explanation {
  const at = host(jobRef)
  const said: Record<UnreachableReason, [string, string, string]> = {
    connection: [
      `No connection to ${at} came about`,
      'It is down, or a firewall stands between.',
      'Check base-url and the network.',
    ],
    name: [
      `The name ${at} can't be resolved`,
      'base-url has a slip, or the runner has no DNS.',
      'Check base-url and the network.',
    ],
    certificate: [
      `The certificate of ${at} is not trusted`,
      'It has expired, is for another name, or a company proxy signs with its own authority.',
      'With an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate in the env of the job.',
    ],
    tls: [
      `No TLS connection to ${at} came about`,
      'Something that speaks no TLS answers there.',
      'Check base-url and the proxy.',
    ],
    proxy: [
      `The proxy gave no connection to ${at}`,
      'It is down, wants a sign-in, or does not let this host through.',
      'Check https_proxy, http_proxy and no_proxy in the env of the job.',
    ],
  }
  const [what, why, next] = said[reason]
  return {
    id: `unreachable-${reason}`,
    what: `${what} (${oneLine(code, 60)}).`,
    why,
    next: `${next} Then ${tryAgain(operation)}.`,
  }
}

function explainRefused(
  { status, detail, retryAfter }: Extract<Failure, { kind: 'refused' }>,
  operation: OperationName,
  jobRef: JobRef,
): Explanation {
  const said = words(detail)
  const scope = isSend(operation) ? 'write' : 'read'
  switch (status) {
    case 400:
      return {
        ...unaccepted(operation),
        what: `The platform did not accept ${doing(operation)} (400)${said}.`,
      }
    case 401:
      return {
        id: 'refused-401',
        what: `The platform refused the API key (401)${said}.`,
        why: 'It has expired (keys last 90 days unless told otherwise), was deleted, or is of another kind.',
        next: "Make an admin key (mint_…) on the API keys page of the platform's dashboard and put it into the secret that api-key reads.",
      }
    case 403:
      return {
        id: 'refused-403',
        what: `The API key may not do this (403)${said}.`,
        why: `It lacks the scope “${scope}”, is limited to IP ranges that this runner is not in, belongs to another project than ${jobRef.projectId}, or the plan does not include the interface.`,
        next: `Check the key's scopes and IP ranges on the API keys page of the platform's dashboard, and project-id.`,
      }
    case 404:
      return operation === 'create' || isAnalytics(operation)
        ? {
            id: 'refused-404-project',
            what: `The platform knows no project ${jobRef.projectId} (404)${said}.`,
            why: 'project-id or base-url most likely has a slip.',
            next: "Copy the project's id from the API keys page of the platform's dashboard.",
          }
        : {
            id: 'refused-404-job',
            what: `The platform knows no job ${jobRef.jobId ?? 'of this id'} in project ${jobRef.projectId} (404)${said}.`,
            why: 'The id has a slip, is of another project, or the job is gone.',
            next: 'Check job-id and project-id.',
          }
    case 429:
      return {
        id: isAnalytics(operation) ? 'refused-429-visitors' : 'refused-429',
        what: `The platform's limit is reached (429)${said}.`,
        why: isAnalytics(operation)
          ? 'An organisation has 100 analytics requests an hour, for all of its tools together.'
          : 'A project takes 100 new jobs and 100 messages an hour, from all workflows together.',
        next: `${retryAfter === undefined ? 'In an hour' : `When it says (Retry-After: ${oneLine(retryAfter, 60)})`}, ${tryAgain(operation)}.`,
      }
    default:
      return {
        id: 'refused',
        what: `The platform refused ${doing(operation)} (${status})${said}.`,
        why: 'Its interface may have changed, or something between the runner and the platform refused it.',
        next: 'Check base-url, and look for a newer release of this action.',
      }
  }
}

/** Why the platform most likely finds fault with a request, and what to do; by the operation. */
function unaccepted(operation: OperationName): Omit<Explanation, 'what'> {
  switch (operation) {
    case 'read':
      return {
        id: 'refused-400-job',
        why: 'The job id is most likely not one of its own.',
        next: 'Check job-id.',
      }
    case 'visitors':
    case 'feedback-by-page':
    case 'feedback':
    case 'searches':
    case 'assistant':
      return {
        id: 'refused-400-visitors',
        why: 'The period most likely lies before what it keeps, or is too long for it.',
        next: 'Choose a later or shorter period.',
      }
    default:
      return {
        id: 'refused-400-prompt',
        why: 'The prompt is most likely too long for it, or says nothing.',
        next: 'Change the prompt, or lower context-limit, and run the workflow again.',
      }
  }
}

/** After a failed read there is a job: to run the workflow again would make a second one. */
function tryAgain(operation: OperationName): string {
  return operation === 'read' ? 'wait for the job again by its job-id' : 'run the workflow again'
}

function doing(operation: OperationName): string {
  return {
    create: 'the creation of the job',
    read: 'the reading of the job',
    message: 'the message to the job',
    visitors: 'the reading of the visitors',
    'feedback-by-page': 'the reading of the votes',
    feedback: 'the reading of the comments',
    searches: 'the reading of the searches',
    assistant: 'the reading of the questions',
  }[operation]
}

function words(detail: string): string {
  const said = oneLine(detail).replace(/[.\s]+$/, '')
  return said === '' ? '' : `: “${said}”`
}

function host({ baseUrl }: JobRef): string {
  return URL.parse(baseUrl)?.host ?? baseUrl
}
