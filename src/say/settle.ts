/** The words of mode settle: a row for each job that earlier runs left open. */
import {
  failsSettling,
  type OpenPull,
  type Outcome,
  type SettledJob,
  type SettleResult,
} from '../core/outcome.ts'
import { firstOf, joinTexts } from '../core/text.ts'
import { pageUrl } from '../core/thread.ts'
import { counted, dayMs, formatTime } from '../core/units.ts'
import { conclude } from './conclusion.ts'
import {
  blocks,
  bullets,
  code,
  pageLink,
  prose,
  pullLink,
  pullRequestName,
  summary,
  table,
} from './markdown.ts'
import { entry, info, inLines } from './messages.ts'
import { explain, recordedBy } from './problems.ts'
import { waitsFor } from './replies.ts'

const icons = { settled: '📬', cancelled: '🛑', error: '❌' }

/** What a row says about a job without a result. */
const states: Record<SettledJob['state'], string> = {
  settled: '',
  unreported: 'Its record could not be read',
  pending: 'No result yet',
  left: 'Left to a settle step with the same `allowed-paths`, for 24 hours after the request',
  postponed: 'Left to the next run',
}

const cutText =
  'GitHub listed more comments, statuses or pull requests than this action reads. Older open jobs may be missing.'

/** How many jobs the next run continues with; empty for none. */
function postponedText({ jobs }: SettleResult) {
  const count = jobs.filter(({ state }) => state === 'postponed').length
  if (count === 0) return ''
  return `The next run continues with ${counted(count, 'job')}: this one has used its share of GitHub's limits.`
}

function headlineFor({ outcome, jobs, problem }: SettleResult) {
  if (outcome === 'cancelled') return 'Cancelled'
  if (problem?.kind === 'allowed-paths') return 'A pull request was not checked'
  if (outcome === 'error') return 'Could not settle open jobs'
  if (jobs.length === 0) return 'No open jobs'
  const settled = jobs.filter(({ state }) => state === 'settled').length
  return `${counted(settled, 'result')} reported, ${counted(jobs.length - settled, 'job')} still open`
}

/** The end of a step: in the log a line for each job and each pull request, then the result; and the summary. */
export function settleEnding(result: SettleResult, failOn: ReadonlySet<Outcome>, serverUrl: string) {
  const { outcome, jobs, pulls, problem, isCut } = result
  const headline = headlineFor(result)
  const { what, next } = explain(problem)
  const entries = jobs.map((row) => {
    const name = row.job === null ? 'No job' : `Job ${row.job}`
    return info(`${name}, requested in ${pageUrl(row.link, serverUrl)}: ${resultText(row, String)}`)
  })
  for (const line of pullLines(pulls, pullRequestName)) entries.push(info(line))
  if (isCut) entries.push(entry('warning', 'Some lists are incomplete', inLines(cutText)))
  const postponed = postponedText(result)
  if (postponed !== '') entries.push(info(postponed))
  const text = problem === null ? `${headline}.` : inLines(`${what} ${next}`)
  entries.push(entry(failsSettling(result, failOn) ? 'error' : 'info', headline, text))
  const parts = [prose(what), prose(next), jobBlocks(result, serverUrl)]
  return { entries, summary: summary(icons[outcome], headline, parts) }
}

/** A table of the jobs, the pull requests, and a note about missing ones; empty for none. */
function jobBlocks(result: SettleResult, serverUrl: string) {
  const { jobs, pulls, isCut } = result
  const rows = jobs.map((row) => {
    const job = row.job === null ? '' : code(row.job)
    const text = row.accounts === null ? resultText(row, pullLink) : prose(resultText(row, String))
    return [pageLink(row.link, serverUrl), text, job, formatTime(row.since)]
  })
  return blocks([
    rows.length > 0 && table('texts', ['Requested in', 'Result', 'Job', 'Since'], rows),
    bullets(pullLines(pulls, pullLink)),
    isCut && cutText,
    postponedText(result),
  ])
}

/** The first 100 lines about pull requests. @param show writes the URL of one */
function pullLines(pulls: OpenPull[], show: (url: string) => string) {
  const lines = pulls.map(({ link, hold, age }) => {
    const days = counted(Math.floor(age / dayMs), 'day')
    return `${show(link)} waits for ${waitsFor(hold) || 'someone to merge or close it'}, ${days}`
  })
  return firstOf(lines, 100)
}

/** A row's result. @param show writes the URL of its pull request */
function resultText({ state, result, accounts }: SettledJob, show: (url: string) => string) {
  if (accounts !== null) return recordedBy('The request', accounts)
  if (result === null) return states[state]
  const link = result.job?.link
  // A poll only ends a request if the job does not exist.
  const end = result.problem?.kind === 'call-failed' ? 'No longer on Mintlify' : conclude(result).headline
  const text = state === 'unreported' ? `${end}, but could not be reported on GitHub` : end
  return joinTexts([text, link && show(link)], ': ')
}
