/** The words of GitHub's rejections. */
import { isMissing } from '../core/http.ts'
import type { Need, Problem } from '../core/problems.ts'
import { isForGood, type Rejection } from '../core/reply.ts'
import { fill, quote } from '../core/text.ts'
import { type Explanation, startOver, unreadableText } from './calls.ts'

/** All permissions that a step needs, so that the next run does not ask for another one. */
const onCommit = '`contents: read`, `pull-requests: write` and `statuses: write`'
const onThread = '`contents: read`, `issues: write` and `pull-requests: write`'
const everywhere = '`contents: read`, `issues: write`, `pull-requests: write` and `statuses: write`'

/** What the job needs from GitHub: what failed, and the permissions. NAME stands for what the need is about. */
export const needs: Record<Need, readonly [what: string, permissions: string]> = {
  diff: ["Could not read the change's files", onCommit],
  'pull-requests': ["Could not read the change's pull requests", onCommit],
  'open-pull-requests': ["Could not read the agent's open pull requests", onCommit],
  history: ["Could not read the default branch's commits and statuses", onCommit],
  thread: ['Could not read the thread', onThread],
  text: ['GitHub did not render the text', onThread],
  statuses: ["Could not read the commit's statuses", onCommit],
  'open-jobs': ["Could not read the repository's comments and statuses", everywhere],
  role: ["Could not check NAME's role", ''],
  comment: ['Could not write the comment that records the job', onThread],
  status: ['Could not write the commit status that records the job', onCommit],
  report: ['Could not post the report on NAME', '`issues: write`'],
}

/** What an act does, the permission for it, and what else to know about that permission. */
export type ActText = readonly [deed: string, permission: string, hint?: string]

/**
 * What the job does not need from GitHub, and the permission for it. NAMES stands for labels or reviewers. THREAD stands for
 * `issues` or `pull-requests`: the permission for issues does not cover comments and reactions on pull requests (GitHub's docs).
 */
export const acts = {
  react: ['add a reaction on', 'THREAD: write'],
  reply: ['comment on', 'THREAD: write'],
  edit: ['edit the comment on', 'THREAD: write'],
  read: ['read the comments on', 'THREAD: read'],
  delete: ['delete the outdated comment on', 'THREAD: write'],
  hide: ['hide the outdated comment on', 'THREAD: write'],
  label: [
    'add the labels NAMES to',
    'pull-requests: write',
    'A label that does not exist yet also needs `issues: write`.',
  ],
  review: [
    'ask NAMES for a review of',
    'pull-requests: write',
    "For a team, use a GitHub App's token that can read the organization.",
  ],
  status: ['set the status of', 'statuses: write'],
  hold: ['set the status of the hold on', 'statuses: write'],
  guard: ['set the status for `allowed-paths` on', 'statuses: write'],
  link: ['leave a comment on', 'pull-requests: write'],
  files: ['read the files of', 'pull-requests: read'],
  pulls: ["read the agent's pull requests in", 'pull-requests: read'],
} satisfies Record<string, ActText>

export type GitHubAct = keyof typeof acts

/** If GitHub rejects one of these, a line of the log is enough: the result is also shown elsewhere. */
export const minorActs: GitHubAct[] = ['guard', 'link', 'files', 'pulls']

/** Explains a rejected request that the job needs. */
export function explainNeed({ need, rejection, name = '' }: Problem & { kind: 'rejected' }): Explanation {
  const [what] = needs[need]
  const failure = fill(what, { NAME: quote(name) })
  return [`${failure} (${rejectionText(rejection)}).`, remedyFor(need, rejection)]
}

function remedyFor(need: Need, rejection: Rejection) {
  if (rejection.kind === 'rate-limit')
    return "The token's rate limit is used up. Re-run the workflow in an hour, or use a GitHub App's token."
  if (!isForGood(rejection)) return 'GitHub may be unavailable. Re-run the workflow later.'
  if (rejection.kind === 'too-long') return 'Use another issue, pull request or commit.'
  if (need === 'diff' && isMissing(rejection))
    return `After a force push, the earlier commit may be gone. Start the workflow manually, and say in the prompt what changed. Otherwise, give the workflow \`contents: read\`. ${startOver}`
  if (need === 'role') return `Give \`github-token\` access to the repository. ${startOver}`
  const [, permissions] = needs[need]
  return `Give the workflow ${permissions}. ${startOver}`
}

const tooLong = {
  comments: 'The thread has more comments than the action reads',
  statuses: 'The commit has more statuses than the action reads',
}

/** A rejection on one line. */
export function rejectionText(rejection: Rejection): string {
  switch (rejection.kind) {
    case 'rejected':
    case 'broken':
    case 'rate-limit':
    case 'permission':
      return responseText(rejection.status, rejection.detail)
    case 'redirected':
      return responseText(rejection.status, 'GitHub points elsewhere')
    case 'unreachable':
    case 'no-response':
      if (['TIMED_OUT', 'CANCELLED'].includes(rejection.code))
        return 'no response: GitHub did not respond in time'
      return `no response: The connection failed (${rejection.code})`
    case 'unreadable':
      return `no response: The response is unreadable: ${unreadableText(rejection)}`
    case 'undocumented':
      return 'no response: The response is unreadable: it is not what GitHub documents'
    case 'elsewhere':
      return 'no response: GitHub points elsewhere'
    case 'no-time':
      return 'no response: No time is left'
    case 'too-long':
      return tooLong[rejection.list]
    case 'other-account':
      return 'the response is about another account'
    case 'other-server':
      return 'the link is not on this GitHub server'
    case 'moving-head':
      return 'people keep pushing to it'
  }
}

/** GitHub's status and message. GraphQL also reports errors with the status 200. */
function responseText(status: number, message: string) {
  const text = quote(message, 200)
  return status === 200 ? text : `${status}: ${text}`
}

/** Whether a permission may be missing. GraphQL's errors, with the status 200, always say so. */
export function mayLackPermission(rejection: Rejection): boolean {
  if (rejection.kind === 'permission') return true
  return 'status' in rejection && rejection.status !== 200 && isForGood(rejection)
}
