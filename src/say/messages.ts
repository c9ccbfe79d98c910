/** The log: a line for each event, a line a minute while nothing happens, and warnings that are also shown on the run's page. */
import { isTerminal } from '../core/job/job.ts'
import { type Failable, failsStep, isEnd } from '../core/outcome.ts'
import type { Rejection } from '../core/problem.ts'
import type { AgentResult, LogEntry, Progress } from '../core/progress.ts'
import { cut, oneLine } from '../core/text.ts'
import { byteLength, counted, formatDuration, formatSize } from '../core/units.ts'
import { changesText, pullRequestName } from './changes.ts'
import { type Conclusion, conclude } from './conclusion.ts'
import { adviceOn, explain, type JobRef, rejectionText } from './problems.ts'
import { resumeStep } from './resume.ts'

/** Maximum length of the prompt in the log, in characters. */
const promptLimit = 64 * 1024

type PromptProgress = Extract<Progress, { type: 'prompt' }>

/** The log entries for an event. */
export function describe(progress: Progress, jobRef: JobRef): LogEntry[] {
  return progress.type === 'prompt' ? describePrompt(progress, jobRef) : [entryOf(progress, jobRef)]
}

function entryOf(progress: Exclude<Progress, PromptProgress>, jobRef: JobRef): LogEntry {
  switch (progress.type) {
    case 'tokens-masked':
      return info(`Masked ${counted(progress.count, 'token')} in the prompt.`)
    case 'no-files':
      return warning(
        'No context files',
        `\`${progress.input}\` matches no file.\nCheck the globs, and that an \`actions/checkout\` step comes before this one.`,
      )
    case 'job':
      return info(describeOrigin(progress))
    case 'status':
      return info(describeStatus(progress))
    case 'unknown-status':
      return warning(
        'Unknown job status',
        `Mintlify reports the status “${oneLine(progress.status, 60)}”, which this version does not know.\nThe step keeps waiting.`,
      )
    case 'waiting':
      return info(describeWaiting(progress))
    case 'failing': {
      const { what } = explain({ ...progress, type: 'platform' }, jobRef)
      return info(`${what} ${nextAttempt(progress.nextAttempt)}`)
    }
    case 'retrying': {
      const tried = counted(progress.attempts, 'failed attempt')
      return info(`Still trying after ${tried}. ${nextAttempt(progress.nextAttempt)}`)
    }
    case 'unchanged':
      return warning(
        'No sign of new work',
        `${formatDuration(progress.age)} after the follow-up, the job still shows its earlier result (${statusText(progress.job.status)}).\nThe agent probably found nothing more to do. The step takes this as the result.`,
      )
    case 'thread-failed':
      return describeThreadFailure(progress)
    case 'pull-unchanged':
      return describeUnchangedPull(progress)
    case 'hold-ignored':
      return info('`hold` has no effect: the request is not about an open pull request in this repository.')
    case 'pulls-unread':
      return info(
        `Could not read the agent's pull requests in ${oneLine(progress.repository, 100)} (${rejectionText(progress.rejection)}).`,
      )
    case 'comments-cut':
      return info(
        `${oneLine(progress.repository, 100)} has more comments than this action reads.\nJobs and docs mentioned only in older comments are not found.`,
      )
    case 'unannounced':
      return describeUnannounced(progress)
    case 'foreign-pull':
      return describeForeignPull(progress)
    case 'other-pulls': {
      const links = progress.links.slice(0, 5).map((url) => oneLine(url, 200))
      const more = progress.links.length > 5 ? ` and ${progress.links.length - 5} more` : ''
      return info(
        `\`open-limit\` does not count pull requests from other sources: ${links.join(', ')}${more}.`,
      )
    }
    case 'status-failed':
      return rejected(
        `set the status of commit ${oneLine(progress.commit.slice(0, 7))}`,
        progress.rejection,
        'Give the workflow job `statuses: write`.',
      )
    case 'loop-unchecked':
      return warning(
        'Loop check skipped',
        [
          `Could not check whether this push merges the agent's own work (${rejectionText(progress.rejection)}).`,
          'The step continues. Give the workflow job `contents: read` and `pull-requests: write`.',
        ].join('\n'),
      )
    case 'files-cut':
      return warning(
        'Some changed files are unknown',
        [
          `GitHub lists only ${progress.listed} files of this change.`,
          'The step continues, because the others may match `context-paths`.',
        ].join('\n'),
      )
    case 'since-last':
      return info(describeStart(progress))
    case 'no-diff':
      return info(`The prompt gets no diff: ${oneLine(progress.reason)}.`)
    case 'job-over': {
      const states: Record<string, string> = { gone: 'is gone', rejected: 'does not accept the follow-up' }
      const state = states[progress.status] ?? `has ended (${oneLine(progress.status, 60)})`
      return info(`The earlier job ${oneLine(progress.jobId, 60)} ${state}. Starting a new one.`)
    }
    case 'earlier-command':
      return info(
        progress.state === 'waiting'
          ? 'Waiting for an earlier request on this thread to start its job.'
          : 'The earlier request on this thread still has no job. Starting a new one.',
      )
    case 'no-record':
      return describeNoRecord(progress.isRerun)
    case 'changes-unread': {
      const name = oneLine(pullRequestName(progress.prLink), 60)
      return info(`Could not read the files of ${name} (${rejectionText(progress.rejection)}).`)
    }
  }
}

/** The log's last entries. Each must make sense without its title, which a log does not show. */
export function describeResult(
  result: AgentResult,
  jobRef: JobRef,
  failOn: ReadonlySet<Failable>,
): LogEntry[] {
  const conclusion = conclude(result, jobRef)
  const { headline: title, resumable } = conclusion
  const level = failsStep(result.outcome, failOn) ? 'error' : conclusion.level
  const text = resultLines(result, conclusion).join('\n')
  const resume =
    resumable && result.jobId !== null
      ? [info(`To wait for the job, run this step:\n${resumeStep(jobRef, result.jobId)}`)]
      : []
  const recipe =
    result.outcome === 'detached'
      ? [info(`A settle step reports the result:\n${jobRef.actionUrl}/docs/recipes.md#no-runner-waits`)]
      : []
  return [level === 'info' ? info(text) : { level, title, text }, ...recipe, ...resume]
}

function resultLines({ outcome, job, changes, elapsed }: AgentResult, conclusion: Conclusion): string[] {
  const { paragraphs, list, lines } = conclusion
  const [first, ...rest] = paragraphs.map((paragraph) => paragraph.replace(/\. (?=[A-Z`“])/g, '.\n'))
  const name = first === undefined ? conclusion.headline : 'Pull request'
  const facts = [
    ...(changes === null ? [] : [`${changesText(changes)}.`]),
    ...(elapsed === null ? [] : [`Took ${formatDuration(elapsed)}.`]),
  ]
  return [
    ...(first === undefined ? [] : [first]),
    ...list.map((item) => `- ${'url' in item ? item.url : item.text}`),
    ...rest,
    ...(lines === '' ? [] : [lines]),
    ...(job?.prLink ? [`${name}: ${job.prLink}`] : []),
    ...(job?.prLink && isEnd(outcome) && facts.length > 0 ? [facts.join(' ')] : []),
  ]
}

function describePrompt({ prompt, jobId }: PromptProgress, { baseUrl, projectId }: JobRef): LogEntry[] {
  const to = jobId === null ? `project ${projectId}` : `job ${jobId} of project ${projectId}`
  const size = formatSize(byteLength(prompt.text))
  const title = `Prompt (${size}) for ${to} at ${baseUrl}`
  const entries: LogEntry[] = [{ level: 'group', title, text: cut(prompt.text, promptLimit) }]
  if (prompt.included.length > 0) {
    entries.push(info(`Added ${counted(prompt.included.length, 'file')} to the prompt.`))
  }
  if (prompt.leftOut.length > 0) {
    const named = prompt.leftOut.map(({ path, why }) => `${oneLine(path, 200)}: ${why}`)
    const cutOff = prompt.leftOut.filter(({ byRule }) => byRule !== true).length
    const text = `${counted(cutOff, 'item is', 'items are')} missing from the prompt, or truncated. The log says which.`
    // An annotation is limited to 4,096 characters, so all names are in a group.
    if (cutOff > 0) entries.push(warning('Prompt incomplete', text))
    entries.push({
      level: 'group',
      title: `Missing, truncated or excluded: ${counted(named.length, 'item')}`,
      text: named.join('\n'),
    })
  }
  return entries
}

/** Describes a missing comment in one line, because the result is also shown elsewhere. */
function describeUnannounced({ thread, rejection }: Extract<Progress, { type: 'unannounced' }>): LogEntry {
  const name = `${oneLine(thread.repository, 100)}#${thread.number}`
  const isPermission = rejection.kind === 'permission' || rejection.status === 403
  const why = isPermission ? 'the job lacks `pull-requests: write`' : rejectionText(rejection)
  return info(`No comment was left on ${name}: ${why}.`)
}

function describeForeignPull(progress: Extract<Progress, { type: 'foreign-pull' }>): LogEntry {
  const { thread, author, agentLogin, ref } = progress
  const name = `${oneLine(thread.repository, 100)}#${thread.number}`
  const who = oneLine(author ?? 'a deleted account', 60)
  const branch = ref === null ? 'the branch of the job is unknown' : `its branch is not ${oneLine(ref, 60)}`
  return info(
    `Nothing was written on ${name}: ${who} opened it, not ${oneLine(agentLogin, 60)}.\nAlso, ${branch}.`,
  )
}

function describeThreadFailure({
  act,
  thread,
  rejection,
}: Extract<Progress, { type: 'thread-failed' }>): LogEntry {
  const deed = {
    react: 'add a reaction',
    reply: 'comment',
    edit: 'edit the comment',
    read: 'read the comments',
    delete: 'delete the outdated comment',
    hide: 'hide the outdated comment',
  }[act]
  // The permission for issues does not cover comments and reactions on pull requests (GitHub's docs).
  const permission = `${thread.isPullRequest ? 'pull-requests' : 'issues'}: ${act === 'read' ? 'read' : 'write'}`
  const cure = `Give the workflow job \`${permission}\`. \`github-token\` must have access to the repository.`
  return rejected(`${deed} on ${thread.repository}#${thread.number}`, rejection, cure)
}

/** A warning about a rejected update. @param cure what to do about a missing permission */
function rejected(deed: string, rejection: Rejection, cure: string): LogEntry {
  const next = adviceOn(rejection, '').isPermission ? `${cure}\nThe step continues.` : 'The step continues.'
  return warning('GitHub rejected an update', `Could not ${deed} (${rejectionText(rejection)}).\n${next}`)
}

/** Describes a rejected change to the agent's pull request. The status for `allowed-paths` is optional, so one line is enough. */
function describeUnchangedPull(progress: Extract<Progress, { type: 'pull-unchanged' }>): LogEntry {
  const { act, what, thread, rejection } = progress
  const on = `${oneLine(thread.repository, 100)}#${thread.number}`
  if (act === 'guard') {
    const why = adviceOn(rejection, '').isPermission
      ? 'the job lacks `statuses: write`'
      : rejectionText(rejection)
    return info(`No status for \`allowed-paths\` on ${on}: ${why}.`)
  }
  const [deed, cure] = {
    label: [
      `add labels (${oneLine(what, 200)}) to`,
      'Give the workflow job `pull-requests: write`.\nA label that does not exist yet also needs `issues: write`.',
    ],
    review: [
      `ask ${oneLine(what, 200)} for a review of`,
      'Give the workflow job `pull-requests: write`.\nFor a team, the token must be able to read the organization.',
    ],
    hold: [
      'set the status of the hold on',
      'Give the workflow job `statuses: write`. `github-token` must have access to the repository.',
    ],
  }[act] as [string, string]
  return rejected(`${deed} ${on}`, rejection, cure)
}

function describeOrigin({ jobId, job, origin }: Extract<Progress, { type: 'job' }>): string {
  // A job that is new or just got a follow-up is active unless its response says otherwise.
  const status =
    job === null || job.status === 'active' ? '' : ` Mintlify still says it ${statusVerb(job.status)}.`
  return {
    created: `Created job ${jobId}.${status}`,
    continued: `Sent the prompt to job ${jobId}.${status}`,
    resumed: `Waiting for job ${jobId}.`,
  }[origin]
}

function describeStatus({ job, age }: Extract<Progress, { type: 'status' }>): string {
  const status = `the job ${statusVerb(job.status)}.`
  return age < 1000 ? `T${status.slice(1)}` : `After ${formatDuration(age)}, ${status}`
}

/** A status as the end of a sentence about the job. */
function statusVerb(status: string | null): string {
  if (status === null) return 'has no status'
  return status === 'failed' ? 'failed' : `is ${oneLine(status, 60)}`
}

function describeStart(start: Extract<Progress, { type: 'since-last' }>): string {
  const { branch, commit, job, failed, commits } = start
  const again = failed === null ? '' : `\nJob ${oneLine(failed, 60)} failed, so its changes are sent again.`
  const name = oneLine(branch, 60)
  const what = `${counted(commits, 'commit')} since ${oneLine(commit.slice(0, 10))}`
  if (job !== null) return `New on ${name}: ${what}, the commit of job ${oneLine(job, 60)}.${again}`
  return `Found no earlier job of this step on ${name}.\nIt may be this step's first run, or the API key or the branch's history may have changed.\nReading the last seven days (up to 1,000 commits): ${what}.${again}`
}

/** A job's status in words, even if it is missing: Mintlify guarantees no fields of a job. */
function statusText(status: string | null): string {
  return status === null ? 'no status' : oneLine(status, 60)
}

function describeWaiting({
  age,
  status,
  nextRead,
  failures,
}: Extract<Progress, { type: 'waiting' }>): string {
  const minutes = formatDuration(age)
  // Polls are seconds apart, unless they fail or `poll-interval` is set.
  const next = nextRead < (failures > 0 ? 1_000 : 60_000) ? '' : ` Next poll in ${formatDuration(nextRead)}.`
  if (failures > 0) {
    const last = failures === 1 ? 'the last poll' : `the last ${failures} polls`
    const before =
      status === null ? 'none has succeeded yet' : `before that, the job was ${oneLine(status, 60)}`
    return `After ${minutes}, ${last} failed; ${before}.${next}`
  }
  if (status !== null && isTerminal(status)) return `No new work yet, ${minutes} after the follow-up.${next}`
  return `Still ${status === null ? 'waiting for a response' : oneLine(status, 60)} after ${minutes}.${next}`
}

/** Says when the next attempt is. Waits under a second are not mentioned. */
function nextAttempt(ms: number): string {
  return ms < 1_000 ? 'Trying again.' : `Next attempt in ${formatDuration(ms)}.`
}

function describeNoRecord(isRerun: boolean): LogEntry {
  return isRerun
    ? warning(
        'This re-run may repeat the job',
        'Nothing on GitHub shows whether an earlier run started this job, so this re-run starts one.',
      )
    : {
        level: 'notice',
        title: 'A re-run would repeat the job',
        text: "Nothing on GitHub records the agent's job, so a re-run would start it again.\nGive the workflow job `statuses: write` to prevent that.",
      }
}

/** A plain line of the log. */
export function info(text: string): LogEntry {
  return { level: 'info', text }
}

function warning(title: string, text: string): LogEntry {
  return { level: 'warning', title, text }
}
