/** Everything that can go wrong: one constructor for each kind, which says what happened, with the value, and what to do. */
import { isSend } from '../mintlify/calls.ts'
import { type Failure, mayHaveArrived, type UnreachableReason } from './http.ts'
import type { InputFault } from './inputs/inputs.ts'
import { contextFileLimit, promptFileLimit } from './prompt/prompt.ts'
import type { OutOfBounds } from './pull-changes.ts'
import { quoted, sentence } from './text.ts'
import { counted, countText, formatSize } from './units.ts'

/** Mintlify's dashboard, where maintainers manage jobs and keys (Mintlify's docs). */
export const dashboardUrl = 'https://app.mintlify.com'
export const apiKeysUrl = `${dashboardUrl}/settings/organization/api-keys`

/** A call to Mintlify. `create` and `message` send a prompt to a new or existing job. `list`: what readers say. */
export type CallName = 'create' | 'message' | 'read' | 'visitors' | 'list'

/** A call, and what it is about. `jobId` is null if it is not about a job. */
interface Call {
  name: CallName
  projectId: string
  jobId: string | null
}

/**
 * Why a step did not do what it was asked to do, for people: prose, with code between backticks. Text from outside has
 * no backticks, so a printer can escape everything else.
 */
export interface Problem {
  /** What happened, with the value and the service's own message. */
  what: string
  /** What to do; empty if there is nothing to do. */
  next: string
  /** Whether waiting may help. */
  isTemporary: boolean
  /** What decides more than its words. */
  kind?: 'inputs' | 'defect' | 'unconfirmed' | keyof typeof gaveUpTexts
  /** The things that the sentences are about, each a URL or in prose. */
  list?: string[]
  /** Lines to show unchanged. */
  lines?: string
  /** The call to Mintlify that failed; null if only something before it failed. */
  call?: { name: CallName; failure: Failure } | null
  /** Why the pull request is not known to stay within `allowed-paths`. */
  files?: OutOfBounds
  /** The login of the account that cannot use the command. */
  denied?: string
}

/** How GitHub rejected or failed a request. */
export interface Rejection {
  /** null if no response arrived. */
  status: number | null
  message: string
  /**
   * `rate-limit`: too many requests (403 or 429). `permission`: the token lacks the permission. `too-long`: the list has
   * more items than are read. Absent: anything else.
   */
  kind?: 'rate-limit' | 'permission' | 'too-long'
  /** Whether GitHub may have carried out the request: it was sent, but the response was lost, unreadable or a server error. */
  isUncertain?: true
}

/** What went wrong with a file that an input names, or with all files that its globs match. */
export interface FileFault {
  kind: keyof typeof fileFaults
  input: string
  path: string
}

/** After a change to the workflow file. A re-run would use the file of its first run. */
export const startOver = 'Commit the change, and start a new run or comment again.'

const startElsewhere = 'Use another issue, pull request or commit.'

/** All permissions that a step needs, so that the next run does not ask for another one. */
const onCommit = `Give the workflow \`contents: read\`, \`pull-requests: write\` and \`statuses: write\`. ${startOver}`
const onThread = `Give the workflow \`contents: read\`, \`issues: write\` and \`pull-requests: write\`. ${startOver}`
const everywhere = `Give the workflow \`contents: read\`, \`issues: write\`, \`pull-requests: write\` and \`statuses: write\`. ${startOver}`

/** What a step needs from GitHub: what failed, and what to do if a permission is missing. NAME stands for what it is about. */
export const needs = {
  diff: ["Could not read the change's files", onCommit],
  'pull-requests': ["Could not check whether the push is the agent's own work", onCommit],
  'open-pull-requests': ["Could not read the agent's open pull requests", onCommit],
  history: ["Could not read the default branch's commits and statuses", onCommit],
  thread: ['Could not read the thread', onThread],
  /** The HTML for text from outside. */
  text: ['GitHub did not render the text', onThread],
  statuses: ["Could not read the commit's statuses", onCommit],
  /** The records of open jobs in the whole repository. */
  'open-jobs': ["Could not read the repository's comments and statuses", everywhere],
  role: ["Could not check NAME's role", `Give \`github-token\` access to the repository. ${startOver}`],
  /** The entry that must be written before anything is sent. */
  comment: ['Could not write the comment that records the job', onThread],
  status: ['Could not write the commit status that records the job', onCommit],
  report: ['Could not post the report on NAME', `Give the workflow \`issues: write\`. ${startOver}`],
} as const

/** What a step needs from GitHub. */
export type Need = keyof typeof needs

const fileFaults = {
  missing: 'does not exist',
  'not-a-file': 'is not a file',
  outside: 'is outside the workspace',
  'not-text': 'is not UTF-8 text',
  empty: 'is empty',
  'too-large': `is larger than ${formatSize(promptFileLimit)}`,
  'too-many': `matches more than ${countText(contextFileLimit)} files`,
  unreadable: 'cannot be read',
  unwritable: 'cannot be written',
}

/** The constructors of all problems. */
export const problems = {
  inputs(faults: readonly InputFault[]) {
    const said = faults.map(
      ({ input, got, expected }) => `\`${input}\` got ${quoted(got)}, expected ${expected}.`,
    )
    const what = said.length === 1 ? said[0] : `${counted(said.length, 'input')} are invalid.`
    const list = said.length === 1 ? [] : said
    const remedies = new Set(faults.map(({ input }) => inputRemedies[input] ?? 'Correct the workflow file.'))
    const next = [...remedies].join(' ')
    return { ...told(`The workflow is misconfigured: ${what}`, next), kind: 'inputs' as const, list }
  },
  file({ kind, input, path }: FileFault) {
    const checkout = 'Check the path, and that an `actions/checkout` step comes before this one.'
    const remedy = kind === 'missing' ? checkout : (fileRemedies[input] ?? `Use a text file ${inFolders}`)
    return told(sentence`\`${input}\`: \`${path}\` ${fileFaults[kind]}.`, remedy)
  },
  /** A bug in the action itself. @param lines for the people who fix it */
  defect: (what: string, lines = '') => ({
    ...told(what, 'This is a bug in the action. Please report it.'),
    kind: 'defect' as const,
    lines,
  }),
  secretsWithheld: (why: string) =>
    told(sentence`Skipped: ${why}.`, 'For Dependabot, add the key to the Dependabot secrets as well.'),
  secretInPrompt(secret: 'API key' | 'GitHub token') {
    const revoke =
      secret === 'API key'
        ? `Delete the key and create a new one on ${apiKeysUrl}.`
        : "Revoke the token, unless it is `GITHUB_TOKEN` or a GitHub App's: those expire soon."
    const next = `Remove it from the prompt, the diff or the context files. ${revoke}`
    return told(`The prompt contains the ${secret}.`, next)
  },
  /** The state for the post step could not be saved, so nothing was sent. */
  unsavedState: () =>
    told(
      "Could not save the step's state on the runner.",
      'Free disk space on the runner, then re-run the workflow.',
    ),
  /** The deadline passed before anything could be sent. */
  tooLate: () =>
    told('`timeout` expired before anything could be sent.', `Raise \`timeout\`. ${startOver}`, true),
  /** The event is not for this step, or its change is not worth a job. */
  skipped: (reason: string) => told(`Skipped: ${quoted(reason, 1200)}.`, ''),
  /** The agent's own account caused the event. */
  ownChange: (login: string) =>
    told(
      sentence`Skipped: this change comes from \`${login}\`, the account in \`agent-login\`.`,
      "If that is not the agent's account, change `agent-login`.",
    ),
  untrustedEvent: (event: string) =>
    told(
      `The step does not run on \`${event}\`, which gives secrets to runs for forks.`,
      'Use `pull_request` or `push`.',
    ),
  noCommand: (event: string) =>
    told(
      `The step runs on \`${event}\` without a \`command\`: any commenter could start the agent.`,
      'Set `command` to a word such as `/docs`.',
    ),
  /** The comment contains only the command, or asks for help. Both get the same reply. */
  noPrompt(command: string | null, isHelp = false) {
    const name = command === null ? 'the command' : sentence`\`${command}\``
    const what = isHelp ? `The comment asks how to use ${name}.` : `The comment has no text after ${name}.`
    return told(what, `After ${name}, write what to change in the docs.`)
  },
  /** The account lacks the role, or is a bot that no one listed. */
  notAllowed(login: string, role: string, isBot: boolean) {
    const [why, next] = isBot
      ? ['`allowed` does not list this bot', 'To allow it, add its login to `allowed`.']
      : [
          sentence`this requires the \`${role}\` role or higher on this repository`,
          'Someone with that role can ask instead. To allow more people, change the role in `allowed`.',
        ]
    const what = `\`${quoted(login)}\` cannot ask the agent: ${why}.`
    return { ...told(what, next), denied: login }
  },
  /** GitHub rejected a request that the step needs. */
  rejected(need: Need, rejection: Rejection, name = '') {
    const { status, kind } = rejection
    const [what, remedy] = needs[need]
    const isTemporary = !isForGood(rejection)
    const later =
      kind === 'rate-limit'
        ? "The token's rate limit is used up. Re-run the workflow in an hour, or use a GitHub App's token."
        : 'GitHub may be unavailable. Re-run the workflow later.'
    const special = kind === 'too-long' ? startElsewhere : status === 404 && need === 'diff' && changeGone
    const text = `${what.replace('NAME', () => quoted(name))} (${rejectionText(rejection)}).`
    return told(text, isTemporary ? later : special || remedy, isTemporary)
  },
  /** Without records, the code that is new since the last job is unknown. */
  startUnknown: () =>
    told(
      'The step does not record its jobs, so it cannot find the commit of its last job.',
      `Set \`github-token\`, and give the workflow \`statuses: write\`. ${startOver}`,
    ),
  /** The agent has reached `open-limit`, and none of its pull requests has a job that can take a follow-up. */
  openLimit(limit: number, links: readonly string[]) {
    const are = links.length === 1 ? 'is' : 'are'
    const what = `${links.length} of the agent's pull requests ${are} open, \`open-limit\` is ${limit}, and no job can take a follow-up.`
    return { ...told(what, 'Merge or close one, or raise `open-limit`.'), list: [...links] }
  },
  /** The agent's pull request changes files outside `allowed-paths`, or could not be checked. */
  outOfBounds(files: OutOfBounds) {
    const { kind, paths } = files
    const [what, next] =
      kind === 'outside'
        ? [
            `The agent's pull request changes ${counted(paths.length, 'file')} outside \`allowed-paths\`.`,
            'Review these files before you merge. If the agent may change them, add them to `allowed-paths`.',
          ]
        : notChecked[kind]
    const list = paths.slice(0, pathLimit).map((path) => sentence`\`${path}\``)
    if (paths.length > pathLimit) list.push(`and ${paths.length - pathLimit} more`)
    return { ...told(what, next), list, files }
  },
  /** The action no longer waits for the result of a request. */
  gaveUp(why: keyof typeof gaveUpTexts, project: string) {
    const next = why === 'unstarted-run' ? 'Re-run the workflow, or comment again.' : lookAt(project)
    return { ...told(gaveUpTexts[why], next), kind: why }
  },
  /** A re-run of a request whose result was already reported. */
  reported: () =>
    told(
      'An earlier run of this request reported this result.',
      'To ask for more, start a new run or comment again.',
    ),
  /** A call to Mintlify that failed after all attempts. @param host the host in `base-url` */
  call({ name, projectId, jobId }: Call, failure: Failure, host: string) {
    const problem = failedCall({ name, projectId, jobId }, failure, host)
    const call = { name, failure }
    if (!isSend(name) || !mayHaveArrived(failure)) return { ...problem, call }
    const perhaps = jobId === null ? 'The job may exist' : sentence`Job \`${jobId}\` may have the follow-up`
    const next = `${perhaps}, so the request is not sent again. ${lookAt(projectId)}`
    return { ...told(problem.what, next), kind: 'unconfirmed' as const, call }
  },
}

/** Why no result of a request will be reported. */
const gaveUpTexts = {
  /** An earlier run may have sent it. */
  'unfinished-run': 'An earlier run was killed before it could record a job, and may have created one.',
  /** A re-run of a request whose record is signed with another key. */
  'key-changed':
    "The API key changed after this request's first run, so that run's record cannot be verified.",
  'unstarted-run': 'The run ended before it sent anything.',
  'no-result': 'The job was still active after 14 days.',
}

const changeGone = `After a force push, the earlier commit may be gone. Start the workflow manually, and say in the prompt what changed. Otherwise, give the workflow \`contents: read\`. ${startOver}`

function told(what: string, next: string, isTemporary = false): Problem {
  return { what, next, isTemporary }
}

const newKey = `Create an admin key (\`mint_…\`) on ${apiKeysUrl}. Store it in the secret that \`api-key\` reads.`

/** Where to correct an invalid input that is probably not in the workflow file. */
const inputRemedies: Partial<Record<string, string>> = {
  'api-key': newKey,
  'project-id': 'Store the project ID in the variable that `project-id` reads.',
}

const inFolders = "inside the workspace or the runner's temporary folder."
const fileRemedies: Partial<Record<string, string>> = {
  'context-files': 'Exclude files with a line such as `!node_modules/**`, or change the globs.',
  'report-dir': `Use a folder ${inFolders}`,
}

/** Maximum number of listed paths. */
const pathLimit = 10

/** Why `allowed-paths` was not checked, and what to do. */
const notChecked: Record<Exclude<OutOfBounds['kind'], 'outside'>, [what: string, next: string]> = {
  unreadable: [
    "The pull request's files could not be read, so `allowed-paths` was not checked.",
    'Review the files before you merge. Set `github-token` to a token that can read them.',
  ],
  unchecked: [
    'Not checked: for 24 hours, no settle step had the same `allowed-paths`.',
    'Review the files before you merge. Set the same `allowed-paths` in the settle step.',
  ],
  cut: [
    "GitHub does not list all of the pull request's files, so `allowed-paths` was not checked.",
    'Review the files before you merge.',
  ],
}

/** GitHub's response, on one line. GraphQL also reports errors with the status 200. */
export function rejectionText({ status, message }: Rejection): string {
  const said = quoted(message, 200)
  return status === 200 ? said : `${status ?? 'no response'}: ${said}`
}

/** Whether GitHub rejected the request for good, so that a permission is missing. */
export function isForGood({ kind, status }: Rejection): boolean {
  return kind !== 'rate-limit' && status !== null && status < 500
}

function lookAt(project: string): string {
  return sentence`Look at project \`${project}\` on ${dashboardUrl} and at its repository's open pull requests. If nothing is there, start a new run or comment again: a re-run is not enough.`
}

const shorten = 'Shorten the prompt, or match fewer files with `context-files` and `context-paths`.'
const earlier = 'Choose a later or shorter period.'

/** Each call in sentences, and what to do if Mintlify says that the request is malformed or too large. */
const requests: Record<CallName, [name: string, remedy: string]> = {
  create: ['the request to create the job', shorten],
  read: ['the status request', 'Check `job-id` and `project-id`.'],
  message: ['the follow-up to the job', shorten],
  visitors: ['the request for visitors', earlier],
  list: ['the request for what readers say', earlier],
}

/** What did not work before anything was sent, and what to do. */
const connecting: Record<UnreachableReason, [what: string, next: string]> = {
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

function failedCall(call: Call, failure: Failure, host: string) {
  const [request] = requests[call.name]
  switch (failure.kind) {
    case 'unreachable': {
      const { reason, code } = failure
      const [what, next] = connecting[reason]
      return told(sentence`${what} ${host} (${code}).`, next, reason === 'connection')
    }
    case 'no-response':
      return unavailable(`Mintlify did not respond to ${request} (${failure.code}).`)
    case 'broken':
      return unavailable(`Mintlify returned an error for ${request} ${said(failure)}`)
    case 'unreadable':
      return told(
        sentence`Mintlify's response to ${request} (${failure.status}) cannot be read: ${failure.problem}.`,
        'Check `base-url` and the proxy.',
      )
    case 'redirected':
      return told(
        sentence`${host} redirects ${request} (${failure.status}) to ${failure.location || 'nowhere'}.`,
        'Set `base-url` to the address of the API itself. The key is never sent to another address.',
      )
    case 'rejected':
      return rejectedCall(call, failure)
  }
}

function unavailable(what: string) {
  return told(what, "Check Mintlify's status page.", true)
}

function rejectedCall(call: Call, failure: Extract<Failure, { kind: 'rejected' }>) {
  const { name, projectId, jobId } = call
  const [request, remedy] = requests[name]
  const words = said(failure)
  const what = `Mintlify rejected ${request} ${words}`
  switch (failure.status) {
    case 400:
    case 413:
      return told(what, remedy)
    case 401:
      return told(`Mintlify rejected the API key ${words}`, newKey)
    case 403:
      return told(
        `The API key does not allow this ${words}`,
        sentence`Check the key on ${apiKeysUrl}. It must belong to the organization of project \`${projectId}\`, have the scope \`${isSend(name) ? 'write' : 'read'}\`, and allow this IP address.`,
      )
    case 404:
      return jobId === null
        ? told(
            sentence`Mintlify has no project \`${projectId}\` ${words}`,
            `Copy the project ID from ${apiKeysUrl}.`,
          )
        : told(
            sentence`Mintlify has no job \`${jobId}\` in project \`${projectId}\` ${words}`,
            'Check `job-id` and `project-id`.',
          )
    case 429: {
      const { retryAfter } = failure
      const wait =
        retryAfter === undefined
          ? 'Wait an hour, then re-run the workflow.'
          : sentence`Wait as long as Mintlify asks (Retry-After: ${retryAfter}).`
      return told(`Mintlify's rate limit is reached ${words}`, wait, true)
    }
    default:
      return told(what, 'Check `base-url`, and look for a newer version of this action.')
  }
}

/** Mintlify's status and message, at the end of a sentence. */
function said({ status, detail }: { status: number; detail: string }): string {
  const words = quoted(detail, 250).replace(/[.\s]+$/, '')
  return `(${status})${words && `: “${words}”`}.`
}
