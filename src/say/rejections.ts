/** The words of GitHub's rejections. */
import { isMissing } from '../core/http.ts'
import type { Need } from '../core/problems.ts'
import { isForGood, type Rejection } from '../core/reply.ts'
import { quoted } from '../core/text.ts'
import { unreadableText } from './calls.ts'
import { startOver } from './explanation.ts'

/** All permissions that a step needs, so that the next run does not ask for another one. */
const onCommit = `Give the workflow \`contents: read\`, \`pull-requests: write\` and \`statuses: write\`. ${startOver}`
const onThread = `Give the workflow \`contents: read\`, \`issues: write\` and \`pull-requests: write\`. ${startOver}`
const everywhere = `Give the workflow \`contents: read\`, \`issues: write\`, \`pull-requests: write\` and \`statuses: write\`. ${startOver}`

/** What failed, and what to do if a permission is missing. NAME stands for what the need is about. */
export const needs: Record<Need, [what: string, remedy: string]> = {
  diff: ["Could not read the change's files", onCommit],
  'pull-requests': ["Could not check whether the push is the agent's own work", onCommit],
  'open-pull-requests': ["Could not read the agent's open pull requests", onCommit],
  history: ["Could not read the default branch's commits and statuses", onCommit],
  thread: ['Could not read the thread', onThread],
  text: ['GitHub did not render the text', onThread],
  statuses: ["Could not read the commit's statuses", onCommit],
  'open-jobs': ["Could not read the repository's comments and statuses", everywhere],
  role: ["Could not check NAME's role", `Give \`github-token\` access to the repository. ${startOver}`],
  comment: ['Could not write the comment that records the job', onThread],
  status: ['Could not write the commit status that records the job', onCommit],
  report: ['Could not post the report on NAME', `Give the workflow \`issues: write\`. ${startOver}`],
}

const changeGone = `After a force push, the earlier commit may be gone. Start the workflow manually, and say in the prompt what changed. Otherwise, give the workflow \`contents: read\`. ${startOver}`

/** What to do about a rejected request that the step needs. */
export function remedyFor(need: Need, rejection: Rejection): string {
  if (rejection.kind === 'rate-limit')
    return "The token's rate limit is used up. Re-run the workflow in an hour, or use a GitHub App's token."
  if (!isForGood(rejection)) return 'GitHub may be unavailable. Re-run the workflow later.'
  if (rejection.kind === 'too-long') return 'Use another issue, pull request or commit.'
  if (need === 'diff' && isMissing(rejection)) return changeGone
  return needs[need][1]
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
      return connectionText(rejection.code)
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
function responseText(status: number, message: string): string {
  const said = quoted(message, 200)
  return status === 200 ? said : `${status}: ${said}`
}

function connectionText(code: string): string {
  if (code === 'TIMED_OUT' || code === 'CANCELLED') return 'no response: GitHub did not respond in time'
  return `no response: The connection failed (${code})`
}

/** Whether a permission may be missing. GraphQL's errors, with the status 200, always say so. */
export function mayLackPermission(rejection: Rejection): boolean {
  if (rejection.kind === 'permission') return true
  return 'status' in rejection && rejection.status !== 200 && isForGood(rejection)
}
