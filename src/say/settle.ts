/** The words of mode settle: a row for each job that earlier runs left open. */
import type { AgentOutcome, Failable } from '../core/outcome.ts'
import type { LogEntry } from '../core/progress.ts'
import { failsSettling, type SettledJob, type SettledPull, type SettleResult } from '../core/settle.ts'
import { counted, formatTime } from '../core/units.ts'
import { pullRequestName } from './changes.ts'
import { headlineOf } from './conclusion.ts'
import { code, link, prose, table } from './markdown.ts'
import { explain, type JobRef } from './problems.ts'

/** Maximum number of rows in a summary; the log names every job. */
const rowLimit = 200

const icons: Record<SettleResult['outcome'], string> = {
  settled: '📬',
  cancelled: '🛑',
  error: '❌',
}

const pullTexts: Record<SettledPull['did'], string> = {
  released: 'The code is merged or released: the docs can be merged',
  closed: "The code's pull request was closed without a merge: commented on the docs",
  shown: 'Set the status of the hold',
  guarded: 'Set the status for `allowed-paths`',
}

const cutText =
  'GitHub listed more comments, commits or pull requests than this action reads. Older open jobs may be missing.'

function settleHeadline({ outcome, jobs, problem }: SettleResult): string {
  const settled = jobs.filter(({ state }) => state === 'settled').length
  const pending = jobs.filter(({ state }) => state !== 'settled').length
  switch (outcome) {
    case 'cancelled':
      return 'Cancelled'
    case 'error':
      return problem?.type === 'out-of-bounds'
        ? 'A pull request was not checked'
        : 'Could not settle open jobs'
    case 'settled':
      if (jobs.length === 0) return 'No open jobs'
      return `${counted(settled, 'result')} reported, ${counted(pending, 'job')} still open`
  }
}

/** The log's last entries: a line for each job and each pull request, then the result. */
export function describeSettled(
  result: SettleResult,
  jobRef: JobRef,
  failOn: ReadonlySet<Failable>,
  serverUrl: string,
): LogEntry[] {
  const rows = settledLines(result, serverUrl).map((text): LogEntry => ({ level: 'info', text }))
  const title = settleHeadline(result)
  const explanation = result.problem && explain(result.problem, jobRef)
  const text = explanation === null ? `${title}.` : [explanation.what, explanation.next].join('\n')
  const level = failsSettling(result, failOn) ? 'error' : 'info'
  const cut: LogEntry[] = result.isCut
    ? [{ level: 'warning', title: 'Some lists are incomplete', text: cutText }]
    : []
  return [...rows, ...cut, level === 'info' ? { level, text } : { level, title, text }]
}

/** The summary of a result. */
export function settleSummary(result: SettleResult, jobRef: JobRef, serverUrl: string): string {
  const explanation = result.problem && explain(result.problem, jobRef)
  return [
    `## ${icons[result.outcome]} ${prose(settleHeadline(result))}`,
    ...(explanation === null ? [] : [prose(explanation.what), prose(explanation.next)]),
    ...jobBlocks(result, serverUrl),
  ]
    .join('\n\n')
    .concat('\n')
}

/** A table of the jobs, and a note about missing ones. */
export function jobBlocks(result: SettleResult, serverUrl: string): string[] {
  const rows = result.jobs
    .slice(0, rowLimit)
    .map((job) => [
      link(placeName(job), placeUrl(job, serverUrl)),
      job.prLink === null
        ? stateText(job)
        : `${stateText(job)}: ${link(pullRequestName(job.prLink), job.prLink)}`,
      job.job === null ? '' : code(job.job),
      formatTime(new Date(job.since).toISOString()) ?? '',
    ])
  const more = result.jobs.length - rows.length
  return [
    rows.length === 0 ? '' : table('texts', ['Requested in', 'Result', 'Job', 'Since'], rows),
    more > 0 ? `And ${more} more, listed in the log.` : '',
    result.pulls
      .slice(0, rowLimit)
      .map((pull) => `- ${link(pullRequestName(pull.link), pull.link)}: ${prose(pullTexts[pull.did])}`)
      .join('\n'),
    result.isCut ? cutText : '',
  ].filter((part) => part !== '')
}

/** A line for each job and each pull request. */
function settledLines(result: SettleResult, serverUrl: string): string[] {
  return [
    ...result.jobs.map((job) => jobLine(job, serverUrl)),
    ...result.pulls.map((pull) => `${pullTexts[pull.did]}: ${pull.link}`),
  ]
}

function jobLine(job: SettledJob, serverUrl: string): string {
  const name = job.job === null ? 'No job' : `Job ${job.job}`
  const pull = job.prLink === null ? '' : `: ${job.prLink}`
  return `${name}, requested in ${placeUrl(job, serverUrl)}: ${stateText(job)}${pull}`
}

function stateText({ state, outcome, isUnchecked = false }: SettledJob): string {
  const how = outcome === null ? '' : endText(outcome, isUnchecked)
  switch (state) {
    case 'settled':
      return how
    case 'unreported':
      return `${how}, but could not be reported on GitHub`
    case 'pending':
      return how === '' ? 'No result yet' : `${how}, not reported`
    case 'left':
      return 'Left to a settle step with the same `allowed-paths`, for 24 hours after the request'
  }
}

/** The end of a settled job in words. An error means that Mintlify no longer knows the job. */
function endText(outcome: AgentOutcome, isUnchecked: boolean): string {
  if (isUnchecked) return 'Not checked against `allowed-paths`'
  return outcome === 'error' ? 'No longer on Mintlify' : headlineOf(outcome)
}

function placeName({ link }: SettledJob): string {
  if (link.kind === 'commit') return `${link.repository}@${link.commit.slice(0, 7)}`
  return `${link.thread.repository}#${link.thread.number}`
}

function placeUrl({ link }: SettledJob, serverUrl: string): string {
  if (link.kind === 'commit') return `${serverUrl}/${link.repository}/commit/${link.commit}`
  const { repository, isPullRequest, number } = link.thread
  return `${serverUrl}/${repository}/${isPullRequest ? 'pull' : 'issues'}/${number}`
}
