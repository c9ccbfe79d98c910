/** Explains requests that GitHub did not carry out. */
import type { Problem, Reading, Rejection } from '../../core/problem.ts'
import { type Explained, type Explanation, quoted } from './explanation.ts'

/** GitHub's response, on one line. */
export function rejectionText({ status, message }: Rejection): string {
  return `${status ?? 'no response'}: ${quoted(message, 200)}`
}

/**
 * The most likely reason for GitHub's rejection, and what to do.
 * @param remedy what to do about a missing permission, without a period
 */
export function adviceOn(
  rejection: Rejection,
  remedy: string,
): Pick<Explanation, 'why' | 'next' | 'fix'> & { isPermission: boolean } {
  if (rejection.kind === 'rate-limit')
    return {
      why: 'The GitHub token has used up its rate limit.',
      next: "Re-run the workflow in an hour, or use a GitHub App's token, which has its own limit.",
      fix: 'later',
      isPermission: false,
    }
  if (rejection.status === null || rejection.status >= 500)
    return {
      why: 'GitHub may be unavailable.',
      next: 'Re-run the workflow later.',
      fix: 'later',
      isPermission: false,
    }
  const { acceptedPermissions } = rejection
  const named = acceptedPermissions === undefined ? undefined : permissionsText(acceptedPermissions)
  return {
    why: '`github-token` may lack a permission, or access to the repository.',
    next: `${named === undefined ? remedy : `Give the workflow job ${named}`}, then re-run the workflow.`,
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

interface ReadingWords {
  id: string
  headline: string
  /** The headline by default. */
  what?: string
  remedy: string
}

const mayHaveJob = ' An earlier run may already have a job for this request.'
const noJob = ' No job was created.'
const forChange = 'Give the workflow job `contents: read` and `pull-requests: read`'

const readings: Record<Reading, ReadingWords> = {
  diff: {
    id: 'change-unread',
    headline: 'Could not read the change',
    what: "Could not read the change's files",
    remedy: forChange,
  },
  'pull-requests': {
    id: 'change-unread',
    headline: 'Could not find where the push came from',
    what: "Could not check whether the push is the agent's own work",
    remedy: forChange,
  },
  'open-pull-requests': {
    id: 'change-unread',
    headline: "Could not read the agent's pull requests",
    what: "Could not read the agent's open pull requests",
    remedy: forChange,
  },
  history: {
    id: 'change-unread',
    headline: 'Could not read what is new',
    what: "Could not read the default branch's commits and statuses",
    remedy: 'Give the workflow job `contents: read` and `statuses: write`',
  },
  thread: {
    id: 'thread-unread',
    headline: 'Could not read the thread',
    remedy: 'Give the workflow job `issues: write` and `pull-requests: write`',
  },
  text: {
    id: 'text-unread',
    headline: 'GitHub did not render the text',
    remedy: 'Give the workflow job `contents: read`',
  },
  statuses: {
    id: 'statuses-unread',
    headline: "Could not read the commit's statuses",
    remedy: 'Give the workflow job `statuses: write`',
  },
  'open-jobs': {
    id: 'settle-unread',
    headline: 'Could not look for open jobs',
    what: "Could not read the repository's comments and statuses",
    remedy:
      'The job needs `contents: read`. Give it write access to `issues`, `pull-requests` and `statuses`',
  },
}

/** Explains what could not be read. */
export function explainUnread({ reading, rejection }: Extract<Problem, { type: 'unread' }>): Explained {
  const { id, headline, what = headline, remedy } = readings[reading]
  if (rejection.status === 404 && reading === 'diff')
    return {
      id: 'change-gone',
      headline,
      what: `${what} (${rejectionText(rejection)}).`,
      why: 'The earlier commit may be gone (force push), or the token may have no access to the repository.',
      next: 'Give the workflow job `contents: read`. After a force push, start the workflow manually and say in the prompt what changed. No job was created.',
    }
  // GitHub names the permission for one request, but a diff needs several, and statuses must also be written.
  const { acceptedPermissions, ...rest } = rejection
  const known = reading === 'statuses' || reading === 'diff' ? rest : rejection
  const why = reading === 'thread' || reading === 'statuses' ? mayHaveJob : ''
  return { ...rejected(known, headline, what, remedy, why, reading === 'open-jobs' ? '' : noJob), id }
}

/** Explains why a requester's role could not be checked. */
export function explainClosedGate({
  login,
  rejection,
}: Extract<Problem, { type: 'gate-closed' }>): Explained {
  const headline = `Could not check ${quoted(login, 40)}'s role`
  const remedy = 'Check that `github-token` can read the repository'
  return rejected(rejection, headline, headline, remedy, '', noJob)
}

/** Explains a mark that could not be written. */
export function explainUnwrittenRecord({
  where,
  rejection,
}: Extract<Problem, { type: 'record-unwritten' }>): Explained {
  const [what, permissions] =
    where === 'comment'
      ? ['the comment that records the job', '`issues: write` and `pull-requests: write`']
      : ['the commit status that records the job', '`statuses: write`']
  const why = ' Without that record, a re-run could start the job twice, so nothing was sent.'
  const remedy = `Give the workflow job ${permissions}`
  return rejected(rejection, 'Could not record the job', `Could not write ${what}`, remedy, why)
}

function rejected(
  rejection: Rejection,
  headline: string,
  what: string,
  remedy: string,
  moreWhy = '',
  moreNext = '',
): Explained {
  const { why, next, fix } = adviceOn(rejection, remedy)
  return {
    headline,
    what: `${what} (${rejectionText(rejection)}).`,
    why: `${why}${moreWhy}`,
    next: `${next}${moreNext}`,
    fix,
  }
}
