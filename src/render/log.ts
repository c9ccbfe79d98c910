/** The log: one line on each change, one a minute while nothing changes, quiet otherwise. */
import type { LogEntry } from '../core/log-entry.ts'
import { type Failable, failsStep } from '../core/outcome.ts'
import type { AgentResult, Progress } from '../core/progress.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import { cut, oneLine } from '../core/text.ts'
import { byteLength, formatDuration, formatSize } from '../core/units.ts'
import { rangeText } from '../core/visitors/figures.ts'
import { conclude } from './conclusion.ts'
import { explain, type JobRef, refusalText } from './problem.ts'
import { listNames, missingReason } from './report/missing.ts'
import { resumeStep, type StepIdentity } from './resume.ts'

/** Longest stretch of the prompt that the log shows, in characters. */
const promptLimit = 64 * 1024

/** The log's lines for one thing that happened. */
export function describe(progress: Progress, jobRef: JobRef): LogEntry[] {
  switch (progress.type) {
    case 'prompt':
      return describePrompt(progress.prompt, progress.dryRun, jobRef)
    case 'no-files':
      return [
        warning(
          'No context',
          `${progress.input} matched no file. Is there a step with actions/checkout before this one, and are the globs right?`,
        ),
      ]
    case 'job':
      return [info(describeOrigin(progress))]
    case 'status':
      return [
        info(
          `${formatDuration(progress.age)}: the job is ${oneLine(progress.job.status ?? 'without a status')}.`,
        ),
      ]
    case 'unknown-status':
      return [
        warning(
          'Unknown status',
          `The platform calls the job “${oneLine(progress.status, 80)}”, which this version does not know. It goes on waiting.`,
        ),
      ]
    case 'waiting':
      return [info(describeWaiting(progress))]
    case 'failing': {
      const { what } = explain({ ...progress, type: 'platform', attempts: 1 }, jobRef)
      return [info(`${what} Next attempt in ${formatDuration(progress.nextAttempt)}.`)]
    }
    case 'retrying':
      return [
        info(
          `Still trying, after ${count(progress.attempts, 'attempt')}. Next attempt in ${formatDuration(progress.nextAttempt)}.`,
        ),
      ]
    case 'recovered':
      return [info(`The platform answers again, after ${count(progress.failures, 'failed read')}.`)]
    case 'thread-failed':
      return [warning('The thread was not told', describeThreadFailure(progress))]
    case 'job-over':
      return [
        info(
          `Job ${oneLine(progress.jobId)} of this thread is ${oneLine(progress.status)}; a new one is made.`,
        ),
      ]
    case 'loop-unchecked':
      return [
        warning(
          'Loops are not ruled out',
          `Whether this push came by a pull request of the agent could not be asked (${refusalText(progress.refusal)}). Give the job pull-requests: read and contents: read. The step goes on.`,
        ),
      ]
    case 'no-change-event':
      return [info(`The event ${oneLine(progress.event, 60)} brings no change, so there is no diff to add.`)]
    case 'pages':
      // A page comes within a second or so; a line for each would bury the rest.
      return progress.requests % 20 === 0
        ? [info(`${rangeText(progress.period)}: ${count(progress.pages, 'page')} so far.`)]
        : []
    case 'period-read':
      return [
        info(
          `Read ${rangeText(progress.period)}: ${count(progress.pages, 'page')}${progress.isComplete ? '' : ', not all of them'}.`,
        ),
      ]
    case 'reread':
      return [
        info(
          `The totals of ${rangeText(progress.period)} changed while its pages were read; it is read once more.`,
        ),
      ]
    case 'list-read':
      return [
        info(
          `Read the ${listNames[progress.list]}: ${count(progress.seen, 'row')}${progress.hasMore ? ', and there are more' : ''}.`,
        ),
      ]
    case 'list-missing':
      return [info(`Could not read the ${listNames[progress.list]}: ${missingReason(progress.gap)}.`)]
    case 'unchanged':
      return [
        warning(
          'No sign of new work',
          `The job has shown the same end (${oneLine(progress.job.status ?? 'without a status')}) for ${formatDuration(progress.age)} since the message, and is taken at its word.`,
        ),
      ]
  }
}

/** The log's last lines. */
export function describeResult(
  result: AgentResult,
  jobRef: JobRef,
  step: StepIdentity,
  failOn: ReadonlySet<Failable>,
): LogEntry[] {
  const { headline, text, resumable, ...conclusion } = conclude(result, jobRef)
  const level = failsStep(result.outcome, failOn) ? 'error' : conclusion.level
  const resume =
    resumable && result.jobId !== null
      ? [info(`To wait for the job again, run this step:\n${resumeStep(step, result.jobId)}`)]
      : []
  return [
    level === 'info' ? info(`${headline}. ${text}`) : { level, title: headline, text: text || headline },
    ...resume,
  ]
}

function describePrompt(prompt: Prompt, dryRun: boolean, { baseUrl, projectId, jobId }: JobRef): LogEntry[] {
  const to = jobId === null ? `project ${projectId}` : `job ${jobId} of project ${projectId}`
  const size = formatSize(byteLength(prompt.text))
  const title = `${dryRun ? 'Would send' : 'Sending'} the prompt (${size}) to ${to} at ${baseUrl}`
  const entries: LogEntry[] = [{ level: 'group', title, text: cut(prompt.text, promptLimit) }]
  if (prompt.included.length > 0)
    entries.push(info(`Context: ${count(prompt.included.length, 'file')} appended.`))
  if (prompt.leftOut.length > 0) {
    const named = prompt.leftOut.map(({ path, why }) => `${oneLine(path, 200)} (${why})`)
    const counted = count(named.length, 'file')
    const cutOff = prompt.leftOut.filter(({ byRule }) => byRule !== true).length
    const text = `${count(cutOff, 'file')} not in the prompt, or not whole; the log and the prompt name them.`
    // An annotation holds 4,096 characters; the group holds every name.
    if (cutOff > 0) entries.push(warning('Context left out', text))
    entries.push({
      level: 'group',
      title: `Not in the prompt, or not whole (${counted})`,
      text: named.join('\n'),
    })
  }
  return entries
}

/** Reactions and comments on a pull request need its own permission: that for issues is not enough (GitHub's docs). */
function describeThreadFailure({
  act,
  thread,
  refusal,
}: Extract<Progress, { type: 'thread-failed' }>): string {
  const deed = {
    react: 'add a reaction',
    reply: 'reply',
    edit: 'edit the reply',
    read: 'read the thread',
    remove: 'delete a comment',
    hide: 'hide a comment',
  }[act]
  const permission = `${thread.isPullRequest ? 'pull-requests' : 'issues'}: ${act === 'read' ? 'read' : 'write'}`
  const cure =
    refusal.status === 403 || refusal.status === 404
      ? ` Add \`${permission}\` to the job's permissions; for another repository than the workflow's, github-token has to be one for it.`
      : ''
  const where = `#${thread.number} of ${thread.repository}`
  return `GitHub did not let the action ${deed} on ${where} (${refusalText(refusal)}).${cure} The step goes on.`
}

function describeOrigin({ jobId, job, origin }: Extract<Progress, { type: 'job' }>): string {
  const status = job?.status ? `; it is ${oneLine(job.status)}` : ''
  return {
    created: `Created job ${jobId}${status}.`,
    continued: `Sent the prompt to job ${jobId}${status}.`,
    resumed: `Waiting for job ${jobId}.`,
  }[origin]
}

function describeWaiting({
  age,
  status,
  nextRead,
  failures,
}: Extract<Progress, { type: 'waiting' }>): string {
  const trouble = failures > 0 ? `; the last ${failures === 1 ? 'read' : `${failures} reads`} failed` : ''
  return `${formatDuration(age)}: still ${oneLine(status)}${trouble}. Next read in ${formatDuration(nextRead)}.`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function info(text: string): LogEntry {
  return { level: 'info', text }
}

function warning(title: string, text: string): LogEntry {
  return { level: 'warning', title, text }
}
