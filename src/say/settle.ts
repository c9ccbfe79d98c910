/** The words of mode settle: a line for each job that earlier runs left open, and for each of the agent's pull requests. */
import {
  failsSettling,
  type OpenPull,
  type Outcome,
  type SettledJob,
  type SettleResult,
} from '../core/outcome.ts'
import { firstOf, joinTexts } from '../core/text.ts'
import { type Page, pageUrl } from '../core/thread.ts'
import { counted, dayMs } from '../core/units.ts'
import { conclude } from './conclusion.ts'
import { bullets, code, pageLink, prose, pullLink, pullRequestName, summary } from './markdown.ts'
import { entry, info, inLines } from './messages.ts'
import { explain, recordedBy } from './problems.ts'
import { waitsFor } from './replies.ts'

/** How each end looks in the summary. If the step settled, its headline has the counts. */
const ends: Record<SettleResult['outcome'], readonly [icon: string, headline?: string]> = {
  settled: ['📬'],
  cancelled: ['🛑', 'Cancelled'],
  error: ['❌', 'Could not settle all jobs'],
}

/** What a line says about a job without a result. */
const states: Record<SettledJob['state'], string> = {
  settled: '',
  unreported: 'Its record could not be read',
  pending: 'No result yet',
  left: 'Left to a settle step with the same `allowed-paths`, for 24 hours after the request',
  postponed: "Left to the next run, because of GitHub's limits",
}

const cutText = 'Some comments, statuses or pull requests were not read. Open jobs may be missing.'

/** How lines show the page of a request, and the URL of a pull request: as links in the summary, as URLs in the log. */
interface Links {
  page(page: Page): string
  pull(url: string): string
}

/** The end of a step: in the log a line for each job and each pull request, then the result; and the summary. */
export function settleEnding(result: SettleResult, failOn: ReadonlySet<Outcome>, serverUrl: string) {
  const { outcome, jobs, problem, isCut } = result
  const settled = jobs.filter(({ state }) => state === 'settled').length
  const counts = `${counted(settled, 'result')} reported, ${counted(jobs.length - settled, 'job')} still open`
  const [icon, headline = jobs.length === 0 ? 'No open jobs to report' : counts] = ends[outcome]
  const { what, next } = explain(problem)
  const text = problem === null ? `${headline}.` : inLines(`${what} ${next}`)
  const level = failsSettling(result, failOn) ? 'error' : 'info'
  const inLog = linesOf(result, { page: (page) => pageUrl(page, serverUrl), pull: pullRequestName })
  const inSummary = linesOf(result, { page: (page) => pageLink(page, serverUrl), pull: pullLink })
  const gaps = isCut ? [cutText] : []
  const warnings = gaps.map((gap) => entry('warning', 'Some lists are incomplete', inLines(gap)))
  return {
    entries: [...inLog.map((line) => info(inLines(line))), ...warnings, entry(level, headline, text)],
    summary: summary(icon, headline, [prose(what), prose(next), bullets([...inSummary, ...gaps])]),
  }
}

function linesOf({ jobs, pulls }: SettleResult, links: Links) {
  const pullLines = pulls.map((pull) => pullLine(pull, links))
  const lines = [...jobs.map((row) => jobLine(row, links)), ...firstOf(pullLines, 100)]
  const postponed = jobs.filter(({ state }) => state === 'postponed')
  if (postponed.length > 0) lines.push(`The next run continues with ${counted(postponed.length, 'job')}.`)
  return lines
}

function pullLine({ link, hold, age }: OpenPull, { pull }: Links) {
  const days = counted(Math.floor(age / dayMs), 'day')
  return `${pull(link)} waits for ${waitsFor(hold) || 'someone to merge or close it'} (open for ${days})`
}

function jobLine(row: SettledJob, links: Links) {
  return joinTexts(
    [`${links.page(row.link)}: ${resultText(row, links)}`, row.job !== null && `(job ${code(row.job)})`],
    ' ',
  )
}

function resultText({ state, result, accounts }: SettledJob, { pull }: Links) {
  if (accounts !== null) return recordedBy('The request', accounts)
  if (result === null) return states[state]
  const link = result.job?.link
  // A failed poll ends a request only if the job does not exist.
  const end = result.problem?.kind === 'call-failed' ? 'No longer on Mintlify' : conclude(result).headline
  const text = state === 'unreported' ? `${end}, but could not be reported on GitHub` : end
  return joinTexts([text, link && pull(link)], ': ')
}
