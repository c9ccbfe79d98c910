/** Everything that can go wrong, in two sentences: what happened, with the value, and what to do next. */
import type { InputFault } from '../core/inputs/inputs.ts'
import { isAnalytics, isSend, type OperationName } from '../core/job/job.ts'
import { type Failure, mayHaveArrived } from '../core/job/response.ts'
import type { FileFault, Problem, Reading, Rejection } from '../core/problem.ts'
import { promptFileLimit } from '../core/prompt/prompt.ts'
import type { OutOfBounds } from '../core/review.ts'
import { oneLine } from '../core/text.ts'
import { counted, formatSize } from '../core/units.ts'

/** Mintlify's dashboard, where maintainers manage jobs and keys (Mintlify's docs). */
export const dashboardUrl = 'https://app.mintlify.com'
export const apiKeysUrl = `${dashboardUrl}/settings/organization/api-keys`

/** What went wrong, for people. Sentences are prose, with code between backticks. */
export interface Explanation {
  /** The problem's kind. Readers can act in the same way on all problems of one kind. */
  id: string
  /** What happened, with the value and the service's own message. */
  what: string
  /** What to do; empty if there is nothing to do. */
  next: string
  /**
   * The people who can fix it, so that a reply to a commenter contains only steps that commenters can take. `later`:
   * the problem may be temporary.
   */
  fix: 'maintainer' | 'commenter' | 'later'
  /** The things that the sentences are about. */
  list?: ListItem[]
  /** Lines to show unchanged. */
  lines?: string
}

/** An item of a list: a sentence, or a link. */
export type ListItem = { text: string } | { url: string }

/** The names that explanations use. */
export interface JobRef {
  /** The action's name in the workflow: `owner/name@ref`, or `./`. */
  uses: string
  /** The files of this version of the action on GitHub; `.` for a local action. */
  actionUrl: string
  baseUrl: string
  projectId: string
  jobId: string | null
}

/** Outside text for a sentence: on one line, and without backticks, which would mark code. */
export function quoted(text: string, limit?: number): string {
  return oneLine(text, limit).replaceAll('`', "'")
}

/** Outside text as code in a sentence. */
export function inCode(text: string, limit?: number): string {
  return `\`${quoted(text, limit)}\``
}

/** Explains a problem. */
export function explain(problem: Problem, jobRef: JobRef): Explanation {
  switch (problem.type) {
    case 'inputs':
      return inputs(problem.faults)
    case 'file':
      return file(problem.fault)
    case 'platform':
      return platform(problem.operation, problem.failure, jobRef)
    case 'unsent-message':
      return platform(problem.cause.operation, problem.cause.failure, jobRef)
    case 'gate-closed':
      return unreadRole(problem.login, problem.rejection)
    case 'unread':
      return unread(problem.reading, problem.rejection)
    case 'report-unposted':
      return rejected(
        'report-unposted',
        `Could not post the report on ${quoted(problem.issue, 100)}`,
        `Give the workflow job \`issues: write\`. ${startOver}`,
        problem.rejection,
      )
    case 'record-unwritten':
      return unwrittenRecord(problem.where, problem.rejection)
    case 'out-of-bounds':
      return outOfBounds(problem.files)
    case 'event-rejected':
      return rejectedEvents[problem.why](inCode(problem.event, 60))
    case 'no-prompt':
      return noPrompt(problem.command, problem.isHelp)
    case 'not-allowed':
      return notAllowed(problem.login, problem.required, problem.isBot)
    case 'open-limit':
      return openLimit(problem.limit, problem.links)
    case 'secrets-withheld':
      return told(
        'secrets-withheld',
        `Skipped: ${quoted(problem.why)}.`,
        'For Dependabot, add the key to the Dependabot secrets as well.',
      )
    case 'not-for-us':
    case 'no-change':
      return told(problem.type, `Skipped: ${quoted(problem.reason, 1200)}.`, '', 'commenter')
    case 'own-change':
      return told(
        'own-change',
        `Skipped: this change comes from ${inCode(problem.login, 60)}, the account in \`agent-login\`.`,
        "If that is not the agent's account, change `agent-login`.",
      )
    case 'start-unknown':
      return told(
        'start-unknown',
        'The step does not record its jobs, so it cannot find the commit of its last job.',
        `Set \`github-token\`, give the workflow job \`statuses: write\`. ${startOver}`,
      )
    case 'unsaved-state':
      return told(
        'unsaved-state',
        "Could not save the step's state on the runner.",
        'Free disk space on the runner, then re-run the workflow.',
      )
    case 'too-late':
      return told(
        'too-late',
        '`timeout` expired before anything could be sent.',
        `Raise \`timeout\`. ${startOver}`,
        'later',
      )
    case 'secret-in-prompt':
      return problem.secret === 'api-key'
        ? told(
            'secret-in-prompt',
            'The prompt contains the API key.',
            `Remove it from the prompt, the diff or the context files. Delete the key and create a new one on ${apiKeysUrl}.`,
          )
        : told(
            'secret-in-prompt',
            'The prompt contains the GitHub token.',
            "Remove it from the prompt, the diff or the context files. Revoke the token, unless it is `GITHUB_TOKEN` or a GitHub App's: those expire soon.",
          )
    case 'unfinished-run':
      return told(
        'unfinished-run',
        'An earlier run was killed before it could record a job, and may have created one.',
        lookAt(jobRef),
        'commenter',
      )
    case 'key-changed':
      return told(
        'unfinished-run',
        "The API key changed after this request's first run, so that run's record cannot be verified.",
        lookAt(jobRef),
        'commenter',
      )
    case 'unstarted-run':
      return told(
        'unstarted-run',
        'The run ended before it sent anything.',
        'Re-run the workflow, or comment again.',
        'commenter',
      )
    case 'no-result':
      return told('unfinished-run', 'The job was still active after 14 days.', lookAt(jobRef), 'commenter')
    case 'reported':
      return told(
        'reported',
        'An earlier run of this request reported this result.',
        'To ask for more, start a new run or comment again.',
        'commenter',
      )
    case 'defect':
      return {
        ...told(
          'defect',
          'Unexpected error.',
          'This is a bug in the action. Please report it with these lines.',
        ),
        lines: problem.text,
      }
  }
}

function told(id: string, what: string, next: string, fix: Explanation['fix'] = 'maintainer'): Explanation {
  return { id, what, next, fix }
}

/** After a change to the workflow file. A re-run would use the file of its first run. */
const startOver = 'Commit it, and start a new run (for a comment: comment again).'

function inputs(faults: readonly InputFault[]): Explanation {
  const said = faults.map(
    ({ input, got, expected }) => `\`${input}\` got ${quoted(got)}, expected ${expected}.`,
  )
  const what = said.length === 1 ? said[0] : `${counted(said.length, 'input')} are invalid.`
  const list = said.length === 1 ? {} : { list: said.map((text) => ({ text })) }
  return { ...told('inputs', `The workflow is misconfigured: ${what}`, remedyFor(faults)), ...list }
}

/** Where to correct invalid inputs: secrets and variables are not in the workflow file. */
function remedyFor(faults: readonly InputFault[]): string {
  const isKey = ({ input }: InputFault) => input === 'api-key'
  const isVariable = ({ input, got }: InputFault) => input === 'project-id' && got === 'nothing'
  const others = faults.filter((fault) => !isKey(fault) && !isVariable(fault))
  const ofFile =
    others.length < faults.length ? 'Correct the rest in the workflow file.' : 'Correct the workflow file.'
  return [
    ...(faults.some(isKey)
      ? [`Create an admin key on ${apiKeysUrl}. Store it in the secret that \`api-key\` reads.`]
      : []),
    ...(faults.some(isVariable) ? ['Store the project ID in the variable that `project-id` reads.'] : []),
    ...(others.length > 0 ? [ofFile] : []),
  ].join(' ')
}

const fileFaults: Record<Exclude<FileFault['kind'], 'too-many'>, string> = {
  missing: 'does not exist',
  'not-a-file': 'is not a file',
  outside: 'is outside the workspace',
  'not-text': 'is not UTF-8 text',
  empty: 'is empty',
  'too-large': `is larger than ${formatSize(promptFileLimit)}`,
  unreadable: 'cannot be read',
  unwritable: 'cannot be written',
}

function file(fault: FileFault): Explanation {
  if (fault.kind === 'too-many')
    return told(
      'too-many-files',
      `\`${fault.input}\` matches more than ${fault.limit} files.`,
      'Narrow the globs, or exclude folders with a line such as `!node_modules/**`.',
    )
  const what = `\`${fault.input}\`: ${inCode(fault.path, 200)} ${fileFaults[fault.kind]}.`
  const missing =
    fault.kind === 'missing' ? 'Check that an `actions/checkout` step comes before this one. ' : ''
  return told('file', what, `${missing}${nextFor(fault.input)}`)
}

function nextFor(input: string): string {
  switch (input) {
    case 'context-files':
      return 'Exclude it with a line such as `!path`, or change the globs.'
    case 'report-dir':
      return "Use a folder inside the workspace or the runner's temporary folder."
    default:
      return "Use a text file inside the workspace or the runner's temporary folder."
  }
}

const rejectedEvents: Record<
  Extract<Problem, { type: 'event-rejected' }>['why'],
  (event: string) => Explanation
> = {
  target: (event) =>
    told(
      'event-rejected',
      `The step does not run on ${event}, which gives secrets to runs for forks.`,
      'Use `pull_request` or `push`.',
    ),
  'no-command': (event) =>
    told(
      'event-rejected',
      `The step runs on ${event} without a \`command\`: any commenter could start the agent.`,
      'Set `command` to a word such as `/docs`.',
    ),
  unreadable: (event) =>
    told(
      'defect',
      `The payload of ${event} is not what GitHub documents.`,
      'Please report this as a bug in the action.',
    ),
}

function noPrompt(command: string | null, isHelp: boolean): Explanation {
  const named = command === null ? 'the command' : inCode(command, 60)
  const what = isHelp ? `The comment asks how to use ${named}.` : `The comment has no text after ${named}.`
  return told('no-prompt', what, `After ${named}, write what to change in the docs.`, 'commenter')
}

function notAllowed(login: string, required: string, isBot: boolean): Explanation {
  const who = inCode(login, 60)
  return isBot
    ? told(
        'not-allowed',
        `Skipped: ${who} is a bot, and \`allowed\` does not list it.`,
        'To allow it, add its login to `allowed`.',
        'commenter',
      )
    : told(
        'not-allowed',
        `Skipped: ${who} does not have the \`${required}\` role on this repository.`,
        'Someone with that role can ask instead. To allow more people, change the role in `allowed`.',
        'commenter',
      )
}

function openLimit(limit: number, links: readonly string[]): Explanation {
  const are = links.length === 1 ? 'is' : 'are'
  const what = `${links.length} of the agent's pull requests ${are} open, \`open-limit\` is ${limit}, and no job can take a follow-up.`
  return {
    ...told('open-limit', what, 'Merge or close one, or raise `open-limit`.'),
    list: links.map((url) => ({ url })),
  }
}

/** Maximum number of listed paths. */
const pathLimit = 10

function outOfBounds(files: OutOfBounds): Explanation {
  const say = (what: string, next: string) => told('out-of-bounds', what, next, 'commenter')
  switch (files.kind) {
    case 'outside': {
      const named = files.paths.slice(0, pathLimit).map((path) => ({ text: inCode(path, 200) }))
      const more = files.paths.length - named.length
      return {
        ...say(
          `The agent's pull request changes ${counted(files.paths.length, 'file')} outside \`allowed-paths\`.`,
          'Review these files before you merge. If the agent may change them, add them to `allowed-paths`.',
        ),
        list: more > 0 ? [...named, { text: `and ${more} more` }] : named,
      }
    }
    case 'unreadable':
      return say(
        "The pull request's files could not be read, so `allowed-paths` was not checked.",
        'Review the files before you merge. Set `github-token` to a token that can read them.',
      )
    case 'unchecked':
      return say(
        'Not checked: for 24 hours, no settle step had the same `allowed-paths`.',
        'Review the files before you merge. Set the same `allowed-paths` in the settle step.',
      )
    case 'cut':
      return say(
        `GitHub lists ${files.listed} of the pull request's ${files.total} files, so \`allowed-paths\` was not checked.`,
        'Review the files before you merge.',
      )
  }
}

/** GitHub's response, on one line. GraphQL also reports errors with the status 200. */
export function rejectionText({ status, message }: Rejection): string {
  const said = quoted(message, 200)
  return status === 200 ? said : `${status ?? 'no response'}: ${said}`
}

/** What to do about GitHub's rejection. @param remedy what to do about a missing permission */
export function adviceOn(
  rejection: Rejection,
  remedy: string,
): Pick<Explanation, 'next' | 'fix'> & { isPermission: boolean } {
  if (rejection.kind === 'rate-limit')
    return {
      next: "The token's rate limit is used up. Re-run the workflow in an hour, or use a GitHub App's token.",
      fix: 'later',
      isPermission: false,
    }
  if (rejection.status === null || rejection.status >= 500)
    return {
      next: 'GitHub may be unavailable. Re-run the workflow later.',
      fix: 'later',
      isPermission: false,
    }
  return { next: remedy, fix: 'maintainer', isPermission: true }
}

/** All permissions that a step needs, so that the next run does not ask for another one. */
const onCommit = `Give the workflow job \`contents: read\`, \`pull-requests: write\` and \`statuses: write\`. ${startOver}`
const onThread = `Give the workflow job \`contents: read\`, \`issues: write\` and \`pull-requests: write\`. ${startOver}`
const everywhere = `Give the job \`contents: read\`, \`issues: write\`, \`pull-requests: write\` and \`statuses: write\`. ${startOver}`

const readings: Record<Reading, [what: string, remedy: string]> = {
  diff: ["Could not read the change's files", onCommit],
  'pull-requests': ["Could not check whether the push is the agent's own work", onCommit],
  'open-pull-requests': ["Could not read the agent's open pull requests", onCommit],
  history: ["Could not read the default branch's commits and statuses", onCommit],
  thread: ['Could not read the thread', onThread],
  text: ['GitHub did not render the text', onThread],
  statuses: ["Could not read the commit's statuses", onCommit],
  'open-jobs': ["Could not read the repository's comments and statuses", everywhere],
}

function unread(reading: Reading, rejection: Rejection): Explanation {
  const [what, remedy] = readings[reading]
  if (rejection.status === 404 && reading === 'diff')
    return told(
      'change-gone',
      `${what} (${rejectionText(rejection)}).`,
      `After a force push, the earlier commit may be gone. Start the workflow manually, and say in the prompt what changed. Otherwise, give the workflow job \`contents: read\`. ${startOver}`,
    )
  return rejected('unread', what, remedy, rejection)
}

function unreadRole(login: string, rejection: Rejection): Explanation {
  const remedy = `Give \`github-token\` access to the repository. ${startOver}`
  return rejected('unread-role', `Could not check ${quoted(login, 40)}'s role`, remedy, rejection)
}

function unwrittenRecord(where: 'comment' | 'status', rejection: Rejection): Explanation {
  const [what, remedy] = where === 'comment' ? ['the comment', onThread] : ['the commit status', onCommit]
  return rejected('record-unwritten', `Could not write ${what} that records the job`, remedy, rejection)
}

function rejected(id: string, what: string, remedy: string, rejection: Rejection): Explanation {
  const { next, fix } = adviceOn(rejection, remedy)
  return told(id, `${what} (${rejectionText(rejection)}).`, next, fix)
}

/** The name of each operation in sentences. */
const requests: Record<OperationName, string> = {
  create: 'the request to create the job',
  read: 'the status request',
  message: 'the follow-up to the job',
  visitors: 'the request for visitors',
  list: 'the request for what readers say',
}

/** Explains a failed request to Mintlify. */
function platform(operation: OperationName, failure: Failure, jobRef: JobRef): Explanation {
  const explanation = failed(operation, failure, jobRef)
  if (!isSend(operation) || !mayHaveArrived(failure)) return explanation
  const perhaps =
    operation === 'create' ? 'The job may exist' : `Job ${inCode(jobRef.jobId ?? '')} may have the follow-up`
  return {
    ...explanation,
    id: 'unconfirmed',
    next: `${perhaps}, so the request is not sent again. ${lookAt(jobRef)}`,
  }
}

function lookAt({ projectId }: JobRef): string {
  return `Look at project ${inCode(projectId)} on ${dashboardUrl} and at its repository's open pull requests. If nothing is there, start a new run or comment again: a re-run is not enough.`
}

function failed(operation: OperationName, failure: Failure, jobRef: JobRef): Explanation {
  const request = requests[operation]
  const host = URL.parse(jobRef.baseUrl)?.host ?? jobRef.baseUrl
  switch (failure.kind) {
    case 'unreachable': {
      const code = ` (${quoted(failure.code, 60)}).`
      if (failure.reason === 'certificate')
        return told(
          'certificate',
          `The certificate of ${host} is not trusted${code}`,
          `If a company proxy uses its own CA, set \`NODE_EXTRA_CA_CERTS\` in the job's \`env\`. ${startOver}`,
        )
      if (failure.reason === 'proxy')
        return told(
          'proxy',
          `The proxy did not connect to ${host}${code}`,
          `Check the proxy, and \`https_proxy\`, \`http_proxy\` and \`no_proxy\` in the job's \`env\`.`,
        )
      return told(
        'unreachable',
        `Could not connect to ${host}${code}`,
        'Check `base-url` and the network.',
        failure.reason === 'connection' ? 'later' : 'maintainer',
      )
    }
    case 'no-response':
      return unavailable(`Mintlify did not respond to ${request} (${failure.code}).`)
    case 'broken':
      return unavailable(
        `Mintlify returned an error for ${request} (${failure.status})${words(failure.detail)}.`,
      )
    case 'unreadable':
      return told(
        'unreadable',
        `Mintlify's response to ${request} (${failure.status}) cannot be read: ${quoted(failure.problem)}.`,
        'Check `base-url` and the proxy.',
      )
    case 'redirected':
      return told(
        'redirected',
        `${host} redirects ${request} (${failure.status}) to ${quoted(failure.location, 200) || 'nowhere'}.`,
        'Set `base-url` to the address of the API itself. The key is never sent to another address.',
      )
    case 'rejected':
      return onRejection(operation, failure, jobRef)
  }
}

function unavailable(what: string): Explanation {
  return told('unavailable', what, "Check Mintlify's status page.", 'later')
}

function onRejection(
  operation: OperationName,
  { status, detail, retryAfter }: Extract<Failure, { kind: 'rejected' }>,
  { projectId, jobId }: JobRef,
): Explanation {
  const request = requests[operation]
  const project = inCode(projectId)
  const say = (id: string, what: string, next: string) =>
    told(id, `${what} (${status})${words(detail)}.`, next, status === 429 ? 'later' : 'maintainer')
  switch (status) {
    case 400:
      if (operation === 'read') return say('no-job', `Mintlify rejected ${request}`, 'Check `job-id`.')
      return isAnalytics(operation)
        ? say('bad-period', `Mintlify rejected ${request}`, 'Choose a later or shorter period.')
        : say('bad-prompt', `Mintlify rejected ${request}`, 'Shorten the prompt.')
    case 401:
      return say(
        'bad-key',
        'Mintlify rejected the API key',
        `Create an admin key (\`mint_…\`) on ${apiKeysUrl}. Store it in the secret that \`api-key\` reads.`,
      )
    case 403:
      return say(
        'no-access',
        'The API key does not allow this',
        `Check the key on ${apiKeysUrl}. It needs the organization of project ${project}, the scope \`${isSend(operation) ? 'write' : 'read'}\`, and access from this IP address.`,
      )
    case 404:
      return operation === 'create' || isAnalytics(operation)
        ? say('no-project', `Mintlify has no project ${project}`, `Copy the project ID from ${apiKeysUrl}.`)
        : say(
            'no-job',
            `Mintlify has no ${jobId === null ? 'such job' : `job ${inCode(jobId)}`} in project ${project}`,
            'Check `job-id` and `project-id`.',
          )
    case 413:
      return say(
        'bad-prompt',
        `Mintlify or a proxy says that ${request} is too large`,
        'Shorten the prompt, or match fewer files with `context-files` and `context-paths`.',
      )
    case 429: {
      const wait =
        retryAfter === undefined
          ? 'Wait an hour'
          : `Wait as long as Mintlify asks (Retry-After: ${quoted(retryAfter, 60)})`
      return say('rate-limit', "Mintlify's rate limit is reached", `${wait}.`)
    }
    default:
      return say(
        'rejected',
        `Mintlify rejected ${request}`,
        'Check `base-url`, and look for a newer version of this action.',
      )
  }
}

/** Mintlify's message, at the end of a sentence. */
function words(detail: string): string {
  const said = quoted(detail).replace(/[.\s]+$/, '')
  return said === '' ? '' : `: “${said}”`
}
