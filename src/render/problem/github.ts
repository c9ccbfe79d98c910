/** Explains requests that GitHub did not carry out. */
import type { Problem, Refusal } from '../../core/problem.ts'
import { type Explanation, quoted } from './explanation.ts'

/** GitHub's response, on one line. */
export function refusalText({ status, message }: Refusal): string {
  return `${status ?? 'no response'}: ${quoted(message, 200)}`
}

/**
 * The most likely reason for GitHub's rejection, and what to do.
 * @param remedy what to do about a missing permission, without a period
 */
export function adviceOn(
  refusal: Refusal,
  remedy: string,
): Pick<Explanation, 'why' | 'next' | 'fix'> & { isPermission: boolean } {
  if (refusal.kind === 'rate-limit')
    return {
      why: 'The GitHub token has used up its rate limit.',
      next: "Re-run the workflow in an hour, or use a GitHub App's token, which has its own limit.",
      fix: 'later',
      isPermission: false,
    }
  if (refusal.status === null || refusal.status >= 500)
    return {
      why: 'GitHub may be unavailable.',
      next: 'Re-run the workflow later.',
      fix: 'later',
      isPermission: false,
    }
  const { acceptedPermissions } = refusal
  const named = acceptedPermissions === undefined ? undefined : permissionsText(acceptedPermissions)
  return {
    why: '`github-token` may lack a permission, or access to the repository.',
    next: `${named === undefined ? remedy : `Give the job ${named}`}, then re-run the workflow.`,
    fix: 'maintainer',
    isPermission: true,
  }
}

/** `issues=write,contents=read; metadata=read` in the syntax of a workflow; undefined if it has another form. */
function permissionsText(accepted: string): string | undefined {
  if (!/^[a-z_]+=[a-z]+([,;] ?[a-z_]+=[a-z]+)*$/.test(accepted)) return undefined
  return accepted
    .replaceAll('_', '-')
    .replace(/(?<![a-z-])([a-z-]+)=([a-z]+)/g, '`$1: $2`')
    .replace(/, ?/g, ' and ')
    .replace(/; ?/g, ', or ')
}

/** Explains a part of the change that could not be read. */
export function explainUnreadChange({
  reading,
  refusal,
}: Extract<Problem, { type: 'change-unread' }>): Explanation {
  const [headline, what] = {
    diff: ['Could not read the change', "Could not read the change's files"],
    'pull-requests': [
      'Could not find where the push came from',
      "Could not check whether the push is the agent's own work",
    ],
    'open-pull-requests': [
      "Could not read the agent's pull requests",
      "Could not read the agent's open pull requests",
    ],
    history: ['Could not read what is new', "Could not read the default branch's commits and statuses"],
  }[reading] as [string, string]
  const said = { headline, what: `${what} (${refusalText(refusal)}).` }
  if (refusal.status === 404 && reading === 'diff')
    return {
      id: 'change-gone',
      ...said,
      why: 'After a force push, the earlier commit is gone. Or the token has no access to the repository.',
      next: 'Give the job `contents: read`. After a force push, start the workflow manually and say in the prompt what changed. No job was created.',
      fix: 'maintainer',
    }
  const remedy =
    reading === 'history'
      ? 'Give the job `contents: read` and `statuses: write`'
      : 'Give the job `contents: read` and `pull-requests: read`'
  const { why, next, fix } = adviceOn(refusal, remedy)
  return { id: 'change-unread', ...said, why, next: `${next} No job was created.`, fix }
}

/** Explains why a requester's role could not be checked. */
export function explainClosedGate({
  login,
  refusal,
}: Extract<Problem, { type: 'gate-closed' }>): Explanation {
  const { why, next, fix } = adviceOn(refusal, 'Check that `github-token` can read the repository')
  const headline = `Could not check ${quoted(login, 40)}'s role`
  return {
    id: 'gate-closed',
    headline,
    what: `${headline} (${refusalText(refusal)}).`,
    why,
    next: `${next} No job was created.`,
    fix,
  }
}

/** Explains a thread that could not be read. */
export function explainUnreadThread({ refusal }: Extract<Problem, { type: 'thread-unread' }>): Explanation {
  const { why, next, fix } = adviceOn(refusal, 'Give the job `issues: write` and `pull-requests: write`')
  return {
    id: 'thread-unread',
    headline: 'Could not read the thread',
    what: `Could not read the thread (${refusalText(refusal)}).`,
    why: `${why} An earlier run may already have a job for this request.`,
    next: `${next} No job was created.`,
    fix,
  }
}

/** Explains marks that could not be read. */
export function explainUnreadMarks({ refusal }: Extract<Problem, { type: 'settle-unread' }>): Explanation {
  const remedy = 'Give the job the permissions that TROUBLESHOOTING.md lists'
  const { why, next, fix } = adviceOn(refusal, remedy)
  return {
    id: 'settle-unread',
    headline: 'Could not look for open jobs',
    what: `Could not read the repository's comments and statuses (${refusalText(refusal)}).`,
    why,
    next,
    fix,
  }
}

/** Explains commit statuses that could not be read. */
export function explainUnreadStatuses({
  refusal,
}: Extract<Problem, { type: 'statuses-unread' }>): Explanation {
  // GitHub names the permission to read, but the step also needs the one to write.
  const { acceptedPermissions: _, ...rest } = refusal
  const { why, next, fix } = adviceOn(rest, 'Give the job `statuses: write`')
  return {
    id: 'statuses-unread',
    headline: "Could not read the commit's statuses",
    what: `Could not read the commit's statuses (${refusalText(refusal)}).`,
    why: `${why} An earlier run may already have a job for this request.`,
    next: `${next} No job was created.`,
    fix,
  }
}

/** Explains a mark that could not be written. */
export function explainUnwrittenMark({
  where,
  refusal,
}: Extract<Problem, { type: 'mark-unwritten' }>): Explanation {
  const [what, permissions] =
    where === 'comment'
      ? ['the comment that records the job', '`issues: write` and `pull-requests: write`']
      : ['the commit status that records the job', '`statuses: write`']
  const { why, next, fix } = adviceOn(refusal, `Give the job ${permissions}`)
  return {
    id: 'mark-unwritten',
    headline: 'Could not record the job',
    what: `Could not write ${what} (${refusalText(refusal)}).`,
    why: `${why} Without that record, a re-run could start the job twice, so nothing was sent.`,
    next,
    fix,
  }
}
