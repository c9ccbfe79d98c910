/** The words of mode settle: a row for each job that earlier runs left open. */
import type { LogEntry } from '../core/log.ts'
import {
  type AgentResult,
  failsSettling,
  type Outcome,
  type SettledJob,
  type SettledPull,
  type SettleResult,
} from '../core/outcome.ts'
import { nameOf } from '../core/thread.ts'
import { counted, formatTime } from '../core/units.ts'
import { conclude, inLines } from './conclusion.ts'
import { blocks, code, link, prose, pullLink, table } from './markdown.ts'
import { info } from './messages.ts'
import { explain } from './problems.ts'

const icons: Record<SettleResult['outcome'], string> = {
  settled: '📬',
  cancelled: '🛑',
  error: '❌',
}

const pullTexts: Record<SettledPull['did'], string> = {
  released: 'The code is merged or released, so the docs can be merged',
  closed: "Commented that the code's pull request was closed without a merge",
  shown: 'Set the status of the hold',
  guarded: 'Set the status for `allowed-paths`',
}

const cutText =
  'GitHub listed more comments, statuses or pull requests than this action reads. Older open jobs may be missing.'

function headlineFor({ outcome, jobs, problem }: SettleResult): string {
  if (outcome === 'cancelled') return 'Cancelled'
  if (outcome === 'error')
    return problem?.kind === 'allowed-paths' ? 'A pull request was not checked' : 'Could not settle open jobs'
  if (jobs.length === 0) return 'No open jobs'
  const settled = jobs.filter(({ state }) => state === 'settled').length
  return `${counted(settled, 'result')} reported, ${counted(jobs.length - settled, 'job')} still open`
}

/** The log's last entries: a line for each job and each pull request, then the result. */
export function settleEntries(
  result: SettleResult,
  failOn: ReadonlySet<Outcome>,
  serverUrl: string,
): LogEntry[] {
  const { jobs, pulls, problem, isCut } = result
  const title = headlineFor(result)
  const words = problem && explain(problem)
  const text = words === null ? `${title}.` : inLines(`${words.what} ${words.next}`)
  return [
    ...jobs.map((job) => info(jobLine(job, serverUrl))),
    ...pulls.map(({ did, link }) => info(`${pullTexts[did]}: ${link}`)),
    ...(isCut
      ? [{ level: 'warning', title: 'Some lists are incomplete', text: inLines(cutText) } as const]
      : []),
    failsSettling(result, failOn) ? { level: 'error', title, text } : info(text),
  ]
}

/** The summary of a result. */
export function settleSummary(result: SettleResult, serverUrl: string): string {
  const { outcome, problem } = result
  const words = problem && explain(problem)
  const parts = [
    `## ${icons[outcome]} ${prose(headlineFor(result))}`,
    prose(words?.what ?? ''),
    prose(words?.next ?? ''),
    ...jobBlocks(result, serverUrl),
  ]
  return `${blocks(parts)}\n`
}

/** A table of the jobs, and a note about missing ones. */
export function jobBlocks({ jobs, pulls, isCut }: SettleResult, serverUrl: string): string[] {
  const rows = jobs.map((job) => {
    const pull = job.result?.job?.link
    return [
      link(placeName(job), placeUrl(job, serverUrl)),
      `${stateText(job)}${pull ? `: ${pullLink(pull)}` : ''}`,
      job.job === null ? '' : code(job.job),
      formatTime(job.since),
    ]
  })
  const told = pulls.map(({ link, did }) => `- ${pullLink(link)}: ${prose(pullTexts[did])}`)
  return [
    rows.length === 0 ? '' : table('texts', ['Requested in', 'Result', 'Job', 'Since'], rows),
    told.join('\n'),
    isCut ? cutText : '',
  ].filter((part) => part !== '')
}

function jobLine(job: SettledJob, serverUrl: string): string {
  const name = job.job === null ? 'No job' : `Job ${job.job}`
  const pull = job.result?.job?.link
  return `${name}, requested in ${placeUrl(job, serverUrl)}: ${stateText(job)}${pull ? `: ${pull}` : ''}`
}

function stateText({ state, result }: SettledJob): string {
  const how = result === null ? '' : endText(result)
  switch (state) {
    case 'settled':
      return how
    case 'unreported':
      return how === '' ? 'Its record could not be read' : `${how}, but could not be reported on GitHub`
    case 'pending':
      return how === '' ? 'No result yet' : `${how}, not reported`
    case 'left':
      return 'Left to a settle step with the same `allowed-paths`, for 24 hours after the request'
  }
}

/** How a request ended. A poll only ends one if the job does not exist. */
function endText(result: AgentResult): string {
  return result.problem?.kind === 'call-failed' ? 'No longer on Mintlify' : conclude(result).headline
}

function placeName({ link }: SettledJob): string {
  const { repository } = link
  return 'commit' in link ? `${repository}@${link.commit.slice(0, 7)}` : nameOf(link)
}

function placeUrl({ link }: SettledJob, serverUrl: string): string {
  const at = `${serverUrl}/${link.repository}`
  if ('commit' in link) return `${at}/commit/${link.commit}`
  return `${at}/${link.isPullRequest ? 'pull' : 'issues'}/${link.number}`
}
