/** The log: a function for each message, which returns what to print. Warnings are also shown on the run's page. */

import { type GitHubFailure, isTemporary } from '../core/http.ts'
import type { LogEntry } from '../core/log.ts'
import type { Accounts, Problem } from '../core/problems.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import { cut, fill, joinTexts, type Optional, oneLine, sentence } from '../core/text.ts'
import { nameOf, type Thread } from '../core/thread.ts'
import { byteLength, counted, formatDuration, formatSize } from '../core/units.ts'
import { explain } from './problems.ts'
import { acts, causeOf, type GitHubAct, githubFailureText, minorActs, remedyOf } from './rejections.ts'

/** Maximum length of the prompt in the log, in characters. */
const promptLimit = 64 * 1024

/** How the step got its job: it is new, it got a follow-up, or the step only waits for it. */
const origins = { create: 'Created', message: 'Sent the prompt to', read: 'Waiting for' }

/** Where the default branch's diff starts. */
interface Start {
  branch: string
  /** The commit of the step's last job, or one from some days ago. */
  commit: string
  /** null if the step has no earlier job. */
  job: string | null
  /** How many commits are new. */
  commits: number
}

/** The messages while a step runs. Durations are in milliseconds. */
export const say = {
  /** @param jobId the job that gets the prompt; null for a new one */
  prompt({ text, leftOut }: Prompt, jobId: string | null) {
    const target = jobId === null ? 'a new job' : `job ${jobId}`
    const title = sentence`Prompt for ${target} (${formatSize(byteLength(text))})`
    const entries = [entry('group', title, cut(text, promptLimit))]
    const missing = leftOut.filter(({ byRule }) => !byRule).length
    if (missing > 0) {
      const items = counted(missing, 'item is', 'items are')
      const text = `${items} missing from the prompt, or truncated. The log says which.`
      entries.push(entry('warning', 'Prompt incomplete', text))
    }
    if (leftOut.length > 0) {
      // An annotation is limited to 4,096 characters, so all names are in a group.
      const names = leftOut.map(({ path, why }) => `${oneLine(path, 200)}: ${why}`)
      const title = `Missing, truncated or excluded: ${counted(names.length, 'item')}`
      entries.push(entry('group', title, names.join('\n')))
    }
    return entries
  },
  /** The prompt contained tokens, which are not sent. */
  tokensMasked: (count: number) => info(`Masked ${counted(count, 'token')} in the prompt.`),
  noFiles: () =>
    entry(
      'warning',
      'No context files',
      '`context-files` matches no file.\nCheck the globs, and that an `actions/checkout` step comes before this one.',
    ),
  job: (origin: keyof typeof origins, id: string) => info(sentence`${origins[origin]} job ${id}.`),
  status: (status: string) => info(sentence`The job's status is “${status}”.`),
  unknownStatus: (status: string) =>
    entry(
      'warning',
      'Unknown job status',
      sentence`Mintlify reports the status “${oneLine(status, 60)}”, which this version does not know.\nThe step keeps waiting.`,
    ),
  /** Once a minute. */
  waiting: (age: number, status: string) =>
    info(sentence`Still waiting after ${formatDuration(age)}. The job's last status is “${status}”.`),
  /** Only the log shows a page's title. */
  page: (title: string) => info(sentence`Got a web page instead of JSON: “${title}”.`),
  /** GitHub's limit resets soon enough. */
  limited: (wait: number) =>
    info(`GitHub's rate limit for this token is reached. Waiting ${formatDuration(wait)} for its reset.`),
  failing: (problem: Problem, wait: number) =>
    info(`${explain(problem).what} Next attempt in ${formatDuration(wait)}.`),
  unchanged: (status: string | null, age: number) =>
    entry(
      'warning',
      'No sign of new work',
      `${formatDuration(age)} after the follow-up, the job still shows its earlier result (${oneLine(status ?? 'no status', 60)}).\nThe agent probably found nothing more to do. The step takes this as the result.`,
    ),
  /**
   * A failed call to GitHub that the job does not need.
   * @param on a thread, or the name of something else
   * @param names labels or reviewers
   */
  githubFailed(act: GitHubAct, on: Thread | string, failure: GitHubFailure, names: readonly string[] = []) {
    const [deed, permissions] = acts[act]
    const isThread = typeof on !== 'string'
    const place = isThread ? nameOf(on) : on
    const THREAD = isThread && on.isPullRequest ? 'pull-requests' : 'issues'
    const NAMES = names.map((name) => sentence`\`${name}\``).join(', ')
    const ifDenied = `Give the workflow ${fill(permissions, { THREAD })}. \`github-token\` must have access to the repository.`
    const lines = [
      `Could not ${fill(deed, { NAMES })} ${sentence`${place} (${githubFailureText(failure)})`}.`,
      // What the job does not need is not worth another run.
      !isTemporary(failure) && inLines(remedyOf(failure, ifDenied)),
    ]
    if (minorActs.includes(act)) return info(...lines)
    return { ...entry('warning', 'A request to GitHub failed', ...lines), cause: causeOf(failure) }
  },
  holdIgnored: () =>
    info('`hold` has no effect: the request is not about an open pull request in this repository.'),
  /** A hold stays, although its code was merged into some branch. */
  notOnDefault: (code: Thread, end: number) =>
    info(sentence`${nameOf(code)} is not on the default branch yet: its chain of merges ends at #${end}.`),
  /** Mintlify named a pull request that the agent did not open, so nothing is written on it. */
  foreignPull: (thread: Thread, author: string | null, agentLogin: string) =>
    info(
      sentence`Nothing was written on ${nameOf(thread)}: ${author ?? 'a deleted account'} opened it, not ${agentLogin}.`,
    ),
  /** GitHub lists only some files of the change, and even the names of the others are unknown. */
  filesCut: (listed: number) =>
    entry(
      'warning',
      'Some changed files are unknown',
      `GitHub lists only ${counted(listed, 'file')} of this change.\nThe step runs even if none matches \`context-paths\`: the others may.`,
    ),
  sinceLast({ branch, commit, job, commits }: Start) {
    const news = `${counted(commits, 'commit')} since ${oneLine(commit.slice(0, 10))}`
    if (job !== null) return info(sentence`New on ${branch}: ${news}, the commit of job ${job}.`)
    return info(
      sentence`Found no earlier job of this step on ${branch} that ended well.`,
      "It may be this step's first run, or the API key or the branch's history may have changed.",
      `Reading the last seven days (up to 1,000 commits): ${news}.`,
    )
  },
  /** The prompt runs without a diff, although the event has a change. */
  noDiff: (reason: string) => info(sentence`The prompt gets no diff: ${reason}.`),
  /** The job of an earlier command cannot take a follow-up, so a new one is created. */
  jobOver: (id: string) =>
    info(
      sentence`The earlier job ${id} accepts no follow-up, or its pull request is merged or closed.\nStarting a new one.`,
    ),
  /** Another account has recorded a job or hold on the thread, which is therefore left alone. */
  otherAccount: (thread: Thread, { recorder, own }: Accounts) =>
    info(
      sentence`${recorder} recorded the agent's work on ${nameOf(thread)}.\nThis token belongs to ${own}, so the step leaves it alone.`,
    ),
  /** Mode settle finds nothing for its project and key: a mistake, or a project whose jobs have all been reported long ago. */
  otherRecords: (project: string) =>
    entry(
      'notice',
      'Jobs of another project or key',
      sentence`The open jobs were recorded for a project other than \`${project}\`, or with another \`api-key\`.`,
      "To report them, use their step's `project-id` and `api-key`.",
    ),
  /** An earlier command on the thread has no job yet, so the step waits for that job. */
  waitingForEarlier: () => info('Waiting for an earlier request on this thread to start its job.'),
  /** This run's job is not recorded on GitHub, so a re-run may create a second one. On a re-run, this job may be the second. */
  noRecord(isRerun: boolean) {
    if (isRerun)
      return entry(
        'warning',
        'This re-run may repeat the job',
        'Nothing on GitHub shows whether an earlier run started this job, so this re-run starts one.',
      )
    return entry(
      'notice',
      'A re-run would repeat the job',
      "Nothing on GitHub records the agent's job, so a re-run would start it again.\nGive the workflow `statuses: write` to prevent that.",
    )
  },
}

/** Plain lines of the log. */
export function info(...lines: readonly Optional[]): LogEntry {
  return { level: 'info', text: joinTexts(lines, '\n') }
}

/** An entry at any level. Plain lines have no title. */
export function entry(level: LogEntry['level'], title: string, ...lines: readonly Optional[]): LogEntry {
  if (level === 'info') return info(...lines)
  return { level, title, text: joinTexts(lines, '\n') }
}

/** A paragraph with one line for each sentence. */
export function inLines(paragraph: string) {
  return paragraph.replace(/\. (?=[A-Z`“])/g, '.\n')
}
