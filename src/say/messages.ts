/** The log: a function for each message, which returns what to print. Warnings are also shown on the run's page. */
import type { LogEntry } from '../core/log.ts'
import type { Problem } from '../core/problems.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import type { Rejection } from '../core/reply.ts'
import { cut, oneLine, sentence } from '../core/text.ts'
import { nameOf, type Thread } from '../core/thread.ts'
import { byteLength, counted, formatDuration, formatSize } from '../core/units.ts'
import { isTerminal } from '../mintlify/job.ts'
import { explain } from './problems.ts'
import { mayLackPermission, rejectionText } from './rejections.ts'

/** Maximum length of the prompt in the log, in characters. */
const promptLimit = 64 * 1024

/** How the step got its job: it is new, it got a follow-up, or the step only waits for it. */
const origins = { create: 'Created', message: 'Sent the prompt to', read: 'Waiting for' }

/** Why the job of an earlier command cannot take a follow-up. Any other status means that the job has ended. */
const overs: Record<string, string> = { gone: 'is gone', rejected: 'does not accept the follow-up' }

/** What the step does on GitHub, for the middle of a sentence; the permission that it needs; and what else to know. */
type Act = readonly [deed: string, permission?: string, more?: string]

/** What the job does not need. Without a permission: comments on a thread. NAMES stands for labels or reviewers. */
export const acts = {
  react: ['add a reaction on'],
  reply: ['comment on'],
  edit: ['edit the comment on'],
  read: ['read the comments on'],
  delete: ['delete the outdated comment on'],
  hide: ['hide the outdated comment on'],
  label: [
    'add the labels NAMES to',
    'pull-requests: write',
    '\nA label that does not exist yet also needs `issues: write`.',
  ],
  review: [
    'ask NAMES for a review of',
    'pull-requests: write',
    "\nFor a team, use a GitHub App's token that can read the organization.",
  ],
  status: ['set the status of', 'statuses: write'],
  hold: ['set the status of the hold on', 'statuses: write'],
  loop: ["check for the agent's own work in", 'pull-requests: read'],
  guard: ['set the status for `allowed-paths` on', 'statuses: write'],
  link: ['leave a comment on', 'pull-requests: write'],
  files: ['read the files of', 'pull-requests: read'],
  pulls: ["read the agent's pull requests in", 'pull-requests: read'],
} satisfies Record<string, Act>

export type GitHubAct = keyof typeof acts

/** If GitHub rejects one of these, a line of the log is enough: the result is also shown elsewhere. */
const minorActs: GitHubAct[] = ['guard', 'link', 'files', 'pulls']

/** The messages while a step runs. Durations are in milliseconds. */
export const say = {
  /** @param jobId the job that gets the prompt; null for a new one */
  prompt(prompt: Prompt, jobId: string | null, project: string, host: string): LogEntry[] {
    const { text, included, leftOut } = prompt
    const to = jobId === null ? `project ${project}` : `job ${jobId} of project ${project}`
    const title = sentence`Prompt (${formatSize(byteLength(text))}) for ${to} at ${host}`
    const named = leftOut.map(({ path, why }) => `${oneLine(path, 200)}: ${why}`)
    const missing = leftOut.filter(({ byRule }) => byRule !== true).length
    const incomplete = `${counted(missing, 'item is', 'items are')} missing from the prompt, or truncated. The log says which.`
    // An annotation is limited to 4,096 characters, so all names are in a group.
    const names = `Missing, truncated or excluded: ${counted(named.length, 'item')}`
    return [
      { level: 'group', title, text: cut(text, promptLimit) },
      ...(included.length > 0 ? [info(`Added ${counted(included.length, 'file')} to the prompt.`)] : []),
      ...(missing > 0 ? [warning('Prompt incomplete', incomplete)] : []),
      ...(named.length > 0 ? [{ level: 'group' as const, title: names, text: named.join('\n') }] : []),
    ]
  },
  /** The prompt contained tokens, which are not sent. */
  tokensMasked: (count: number) => info(`Masked ${counted(count, 'token')} in the prompt.`),
  noFiles: () =>
    warning(
      'No context files',
      '`context-files` matches no file.\nCheck the globs, and that an `actions/checkout` step comes before this one.',
    ),
  /** A job that is new or just got a follow-up is active unless its response says otherwise. */
  job(origin: keyof typeof origins, id: string, status: string) {
    const odd = status === 'active' ? '' : ` Mintlify still says it ${statusVerb(status)}.`
    return info(sentence`${origins[origin]} job ${id}.`.concat(odd))
  },
  status: (status: string, age: number) =>
    info(
      age < 1000
        ? `The job ${statusVerb(status)}.`
        : `After ${formatDuration(age)}, the job ${statusVerb(status)}.`,
    ),
  unknownStatus: (status: string) =>
    warning(
      'Unknown job status',
      sentence`Mintlify reports the status “${oneLine(status, 60)}”, which this version does not know.\nThe step keeps waiting.`,
    ),
  /** Once a minute. @param status null if the job was never polled */
  waiting(age: number, status: string | null, nextRead: number) {
    const time = formatDuration(age)
    // Polls are seconds apart, unless `poll-interval` is set.
    const next = nextRead < 60_000 ? '' : ` Next poll in ${formatDuration(nextRead)}.`
    if (status === null) return info(`Still waiting for a response after ${time}.${next}`)
    return info(
      isTerminal(status)
        ? `No new work yet, ${time} after the follow-up.${next}`
        : `Still ${oneLine(status, 60)} after ${time}.${next}`,
    )
  },
  failing: (problem: Problem, wait: number) => info(`${explain(problem).what} ${nextAttempt(wait)}`),
  retrying: (attempts: number, wait: number) =>
    info(`Still trying after ${counted(attempts, 'failed attempt')}. ${nextAttempt(wait)}`),
  unchanged: (status: string | null, age: number) =>
    warning(
      'No sign of new work',
      `${formatDuration(age)} after the follow-up, the job still shows its earlier result (${oneLine(status ?? 'no status', 60)}).\nThe agent probably found nothing more to do. The step takes this as the result.`,
    ),
  /**
   * GitHub rejected something that the job does not need.
   * @param on a thread, or the name of something else
   * @param names labels or reviewers
   */
  rejected(
    act: GitHubAct,
    on: Thread | string,
    rejection: Rejection,
    names: readonly string[] = [],
  ): LogEntry {
    const isPull = typeof on !== 'string' && on.isPullRequest
    // The permission for issues does not cover comments and reactions on pull requests (GitHub's docs).
    const usual = `${isPull ? 'pull-requests' : 'issues'}: ${act === 'read' ? 'read' : 'write'}`
    const [deed, permission = usual, more = '']: Act = acts[act]
    const named = names.map((each) => sentence`\`${each}\``).join(', ')
    const what = deed.replace('NAMES', () => named)
    const place = typeof on === 'string' ? on : nameOf(on)
    const why = sentence`${place} (${rejectionText(rejection)})`
    const cure = `Give the workflow \`${permission}\`. \`github-token\` must have access to the repository.${more}\n`
    const text = `Could not ${what} ${why}.\n${mayLackPermission(rejection) ? cure : ''}The step continues.`
    return minorActs.includes(act) ? info(text) : warning('GitHub rejected a request', text)
  },
  holdIgnored: () =>
    info('`hold` has no effect: the request is not about an open pull request in this repository.'),
  /** Jobs and pull requests that are named only in older comments are unknown. */
  commentsCut: (repository: string) =>
    info(
      sentence`${repository} has more comments than this action reads.\nJobs and pull requests mentioned only in older comments are not found.`,
    ),
  /** Mintlify named a pull request that the agent did not open, so nothing is written on it. */
  foreignPull: (thread: Thread, author: string | null, agentLogin: string) =>
    info(
      sentence`Nothing was written on ${nameOf(thread)}: ${author ?? 'a deleted account'} opened it, not ${agentLogin}.`,
    ),
  /** GitHub lists only some files of the change, and even the names of the others are unknown. */
  filesCut: (listed: number) =>
    warning(
      'Some changed files are unknown',
      `GitHub lists only ${counted(listed, 'file')} of this change.\nThe step runs even if none matches \`context-paths\`: the others may.`,
    ),
  /**
   * The start of the default branch's diff: the commit of the step's last job, or one from some days ago if `job` is
   * null. `failed`: a job that failed, whose changes are sent again.
   */
  sinceLast(start: {
    branch: string
    commit: string
    job: string | null
    failed: string | null
    commits: number
  }) {
    const { branch, commit, job, failed, commits } = start
    const what = `${counted(commits, 'commit')} since ${oneLine(commit.slice(0, 10))}`
    const again = failed === null ? '' : sentence`\nJob ${failed} failed, so its changes are sent again.`
    const first = `It may be this step's first run, or the API key or the branch's history may have changed.\nReading the last seven days (up to 1,000 commits): ${what}.`
    const from =
      job === null
        ? sentence`Found no earlier job of this step on ${branch}.\n`.concat(first)
        : sentence`New on ${branch}: ${what}, the commit of job ${job}.`
    return info(`${from}${again}`)
  },
  /** The prompt runs without a diff, although the event has a change. */
  noDiff: (reason: string) => info(sentence`The prompt gets no diff: ${reason}.`),
  /** The job of an earlier command cannot take a follow-up, so a new one is created. */
  jobOver: (id: string, status: string) =>
    info(sentence`The earlier job ${id} ${overs[status] ?? `has ended (${status})`}. Starting a new one.`),
  /** An earlier command on the thread has no job yet, so the step waits for that job. */
  waitingForEarlier: () => info('Waiting for an earlier request on this thread to start its job.'),
  /** The step has waited long enough. */
  earlierHasNoJob: () => info('The earlier request on this thread still has no job. Starting a new one.'),
  /** This run's job is not recorded on GitHub, so a re-run may create a second one. On a re-run, this job may be the second. */
  noRecord: (isRerun: boolean): LogEntry =>
    isRerun
      ? warning(
          'This re-run may repeat the job',
          'Nothing on GitHub shows whether an earlier run started this job, so this re-run starts one.',
        )
      : {
          level: 'notice',
          title: 'A re-run would repeat the job',
          text: "Nothing on GitHub records the agent's job, so a re-run would start it again.\nGive the workflow `statuses: write` to prevent that.",
        },
}

/** A plain line of the log. */
export function info(text: string): LogEntry {
  return { level: 'info', text }
}

function warning(title: string, text: string): LogEntry {
  return { level: 'warning', title, text }
}

/** A status as the end of a sentence about the job. */
function statusVerb(status: string): string {
  return status === 'failed' ? 'failed' : `is ${oneLine(status, 60)}`
}

/** Says when the next attempt is. Waits under a second are not mentioned. */
function nextAttempt(wait: number): string {
  return wait < 1_000 ? 'Trying again.' : `Next attempt in ${formatDuration(wait)}.`
}
