/** The words of failed calls to GitHub. */
import { type GitHubFailure, isMissing, isTemporary } from '../core/http.ts'
import type { Problem } from '../core/problems.ts'
import { fill, listed, quote } from '../core/text.ts'
import { type Explanation, startOver, unreadableText, waitForReset, webPage } from './calls.ts'

/** All permissions that a step needs, so that the next run does not ask for another one. */
const onCommit = ['`contents: read`', '`pull-requests: write`', '`statuses: write`']
const onThread = ['`contents: read`', '`issues: write`', '`pull-requests: write`']

/** What the job needs from GitHub: what failed, and the permissions. NAME stands for what the need is about. */
export const needs = {
  diff: ["Could not read the change's files", onCommit],
  'pull-requests': ["Could not read the change's pull requests", onCommit],
  'open-pull-requests': ["Could not read the agent's open pull requests", onCommit],
  history: ["Could not read the default branch's commits and statuses", onCommit],
  thread: ['Could not read the thread', onThread],
  text: ['GitHub did not render the text', onThread],
  statuses: ["Could not read the commit's statuses", onCommit],
  'open-jobs': [
    "Could not read or write the repository's comments and statuses",
    [...onThread, '`statuses: write`'],
  ],
  role: ["Could not check `NAME`'s role", ['a token with access to the repository']],
  comment: ['Could not write the comment that records the job', onThread],
  status: ['Could not write the commit status that records the job', onCommit],
  report: ['Could not post the report on `NAME`', ['`issues: write`']],
} as const

/**
 * What the job does not need from GitHub, and the permission for it. NAMES stands for labels or reviewers. THREAD stands for
 * `issues` or `pull-requests`: the permission for issues does not cover comments and reactions on pull requests (GitHub's docs).
 */
export const acts = {
  begin: ['add a reaction on', '`THREAD: write`'],
  react: ['add a reaction on', '`THREAD: write`'],
  reply: ['comment on', '`THREAD: write`'],
  record: ['write the comment that records the request on', '`THREAD: write`'],
  read: ['read the comments on', '`THREAD: read`'],
  delete: ['delete the outdated comment on', '`THREAD: write`'],
  hide: ['hide the outdated comment on', '`THREAD: write`'],
  label: [
    'add the labels NAMES to',
    '`pull-requests: write`, and `issues: write` for a label that does not exist yet',
  ],
  review: ['ask NAMES for a review of', '`pull-requests: write`'],
  pending: ['set the status of', '`statuses: write`'],
  status: ['set the status of', '`statuses: write`'],
  'record-hold': ['hold', '`pull-requests: write`'],
  hold: ['set the status of the hold on', '`statuses: write`'],
  guard: ['set the status for `allowed-paths` on', '`statuses: write`'],
  link: ['leave a comment on', '`pull-requests: write`'],
  files: ['read the files of', '`pull-requests: read`'],
  pulls: ["read the agent's pull requests in", '`pull-requests: read`'],
} as const

export type GitHubAct = keyof typeof acts

/** The permissions for what the job needs. */
export function permissionsOf(need: keyof typeof needs) {
  return needs[need][1]
}

/**
 * If one of these fails, a line of the log is enough: the result is also shown elsewhere, or the same cause ends the step
 * or makes the report fail.
 */
export const minorActs: GitHubAct[] = ['begin', 'record', 'pending', 'guard', 'link', 'files', 'pulls']

/** A part of GitHub's message, what people who can change the workflow can do, and the statuses of REST. */
type Reason = readonly [words: string, remedy: string, ...statuses: number[]]

/** GitHub's reasons that only people can mend, with their sources. GraphQL has 200 for what REST rejects with 403. */
export const reasons: Reason[] = [
  // renovatebot/renovate#6215
  ['issue is locked', 'Unlock the conversation, or use another one.', 403],
  // r-universe-org/help#247; GraphQL: actions-automation/manage-your-labels#4
  ['Repository was archived', 'Unarchive the repository.', 403],
  // cockpit-project/cockpit#8417
  ['more than 2500 comments', 'Use another issue or pull request.', 403],
  // antfu/github-doorcat#18
  ['This issue was deleted', 'Use another issue.', 410],
  // ingydotnet/git-hub#72: “Issues are disabled for this repo”; newer: “Issues has been disabled in this repository.”
  ['disabled', "Enable issues in the repository's settings.", 410],
  // GitHub's docs: "API Versions" (410: retired), "Troubleshooting the REST API" (400: never existed). They do not quote it.
  ['version', 'Update this action and, if you use it, GitHub Enterprise Server.', 400, 410],
  // GitHub's docs, "Blocking a user from your organization"; 422 with the field `user`.
  ['is blocked', "Let the repository's owner unblock the token's account.", 403, 422],
  ['account was suspended', "Use another account's token.", 403],
  // SalesforceFoundation/NPSP#7247
  ['IP allow list', "Use a runner whose IP address is on the organization's list.", 403],
  // cli/cli#2661; GraphQL: fwouts/prmonitor#1042
  ['SAML enforcement', "Authorize the token for SSO, or use a GitHub App's token.", 403],
  // GitHub's docs, "Authenticating to the REST API"
  [
    'Bad credentials',
    "`github-token` expired or was revoked. A GitHub App's token lasts an hour, so create it in the same job.",
    401,
  ],
  // yykamei/block-merge-based-on-time#199
  ['maximum number of statuses', 'Push a new commit: GitHub accepts 1,000 for each name.', 422],
  // peter-evans/create-pull-request#1835
  ['from pull request author', "Remove the pull request's author from `reviewers`.", 422],
  // peter-evans/create-pull-request#4138
  ['from collaborators', 'In `reviewers`, name only people and teams with access.', 422],
  // peter-evans/create-pull-request#155
  [
    'Could not resolve to a node',
    "Check the team in `reviewers`. Use a GitHub App's token that can read the organization's members.",
    422,
  ],
]

/** Explains a failed call to GitHub that the job needs. */
export function explainNeed({ need, failure, name = '' }: Problem & { kind: 'github-failed' }): Explanation {
  const [what, permissions] = needs[need]
  const reason = `(${githubFailureText(failure)}).`
  if (need === 'diff' && isMissing(failure))
    return [
      `Could not find the change's files ${reason}`,
      'After a force push, the earlier commit may be gone. Start the workflow manually, and say in the prompt what changed.',
    ]
  const text = `${fill(what, { NAME: quote(name) })} ${reason}`
  return [text, remedyOf(failure, `Give the workflow ${listed(permissions, 'and')}. ${startOver}`)]
}

/** What to do about a failure; empty if its reason is unknown. @param ifDenied what to do if a permission is missing */
export function remedyOf(failure: GitHubFailure, ifDenied: string) {
  const { kind } = failure
  if (kind === 'permission') return ifDenied
  if (kind === 'rate-limit')
    return `GitHub's rate limit for this token is reached. ${waitForReset(failure.wait)}`
  if (isTemporary(failure)) return 'GitHub may be unavailable. Re-run the workflow later.'
  if (kind === 'too-long') return 'Use another issue, pull request or commit.'
  if (isMissing(failure))
    return 'Check that it still exists, and that `github-token` has access to the repository.'
  if (kind !== 'rejected') return ''
  const restStatus = failure.status === 200 ? 403 : failure.status
  const reason = reasons.find(
    ([words, , ...statuses]) => statuses.includes(restStatus) && failure.detail?.includes(words),
  )
  return reason?.[1] ?? ''
}

/**
 * What one change mends, and so has one annotation: what GitHub says with the same words. About a limit or an error of its
 * own, GitHub adds the request's ID to them.
 */
export function causeOf(failure: GitHubFailure) {
  return (failure.kind === 'rejected' && failure.detail) || failure.kind
}

/** A failure on one line. */
export function githubFailureText(failure: GitHubFailure) {
  switch (failure.kind) {
    case 'redirected':
      return responseText(failure.status, 'GitHub points elsewhere')
    case 'unreachable':
    case 'no-response':
      if (['TIMED_OUT', 'CANCELLED'].includes(failure.code))
        return 'no response: GitHub did not respond in time'
      return `no response: The connection failed (${failure.code})`
    case 'unreadable':
      return `no response: The response is unreadable: ${unreadableText(failure)}`
    case 'undocumented':
      return 'no response: The response is unreadable: it is not what GitHub documents'
    case 'no-time':
      return 'no response: No time is left'
    case 'too-long':
      return 'the list has over 3,000 items'
    case 'other-account':
      return 'the response is about another account'
    case 'other-server':
      return 'the link is not on this GitHub server'
    case 'other-repository':
      return 'another repository has taken its name'
    default:
      return responseText(failure.status, failure.detail)
  }
}

/** GitHub's status and message. GraphQL also reports errors with the status 200. */
function responseText(status: number, message: string | null) {
  const text = quote(message ?? webPage, 200)
  return status === 200 ? text : `${status}: ${text}`
}
