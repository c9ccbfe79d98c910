/** The report's headline: one sentence with the worst news, including the page that lost most. */
import { cut } from '../../core/text.ts'
import type { PageRef } from './blocks.ts'
import type { Change } from './change.ts'
import { counted, countText, fractionText, percentText, plainPercent, rangeText } from './format.ts'
import { visiblePath } from './page-link.ts'
import { changeOfPage, changeOfTotals, type VisitorsReport } from './report.ts'
import type { VisitorCounts } from './visitors.ts'

/** In characters. */
export const headlineLimit = 90
/** Minimum number of characters to show of a path: fewer would not identify the page. */
const minPath = 24
/** Larger relative changes say nothing, because they start from almost zero. */
const maxFraction = 10_000

/** Stands for the page in a clause. */
const slot = '\0'

/** A sentence without its final punctuation. */
interface Clause {
  long: string
  /** With fewer details, to leave room for another clause. */
  short: string
  page?: string
}

/** The headline in parts, to be joined with spaces, so that each form of the report can link the page. */
export function headline(report: VisitorsReport): (string | PageRef)[] {
  const [first, ...others] = clauses(report)
  if (first === undefined) return []
  const leads = [first.long, first.short]
  const pairs = others.flatMap(({ long, short, page }) =>
    leads.flatMap((lead) =>
      [long, short].map((end) => ({ text: `${lead}; ${end}`, page: first.page ?? page })),
    ),
  )
  for (const { text, page } of [...pairs, ...leads.map((text) => ({ text, page: first.page }))]) {
    const parts = fitted(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`, page)
    if (parts !== undefined) return parts
  }
  return [cut(first.short, headlineLimit)]
}

/** A text with its page in parts; undefined if it is too long, or has two pages. */
function fitted(text: string, page: string | undefined): (string | PageRef)[] | undefined {
  const [before = '', after = '', ...more] = text.split(slot)
  if (more.length > 0) return undefined
  const room = headlineLimit - before.length - after.length
  if (page === undefined) return room < 0 ? undefined : [before]
  const whole = visiblePath(page)
  if (room < Math.min(whole.length, minPath)) return undefined
  return [before.trim(), { page, shown: cut(whole, room) }, after.trim()].filter((part) => part !== '')
}

/** The headline as plain text on one line. */
export function plainHeadline(report: VisitorsReport): string {
  return headline(report)
    .map((part) => (typeof part === 'string' ? part : part.shown))
    .join(' ')
}

/** The headline as one line of plain text, after the report's dates, for chat messages. */
export function datedHeadline(report: VisitorsReport): string {
  return `Docs visitors, ${rangeText(report.current.period)}: ${plainHeadline(report)}`
}

/** All findings, worst first. The headline has the first, and the first of the others that fits. */
function clauses(report: VisitorsReport): Clause[] {
  const { current, movers } = report
  const { total } = current.totals
  const all = changeOfTotals(report, 'total')
  const now = total === 0 ? 'no visitors' : counted(total, 'visitor')
  if (all === null) return [plain(now)]
  if (all.before === 0) return [plain(`${now}, after none in the previous period`)]
  const alerts = alertClauses(report)
  const fall = moverClauses(report, 'down')
  const [worst, ...others] = [
    ...alerts,
    ...groupClauses(report, 'down'),
    ...fall,
    ...(all.direction === 'level' ? [levelClause(all, report)] : []),
    ...groupClauses(report, 'up'),
    ...moverClauses(report, 'up'),
  ]
  if (worst === undefined) return []
  // The page that lost most is in the headline, whatever else happened.
  const quiet = movers === null ? [] : [plain('no single page stands out')]
  return [worst, ...fall.filter((each) => each !== worst), ...others, ...quiet]
}

const plain = (long: string, short = long): Clause => ({ long, short })
const unsigned = (text: string) => text.replace(/^[+\u2212]/, '')

function alertClauses(report: VisitorsReport): Clause[] {
  const change = changeOfTotals(report, 'human')
  return report.alerts.map(({ threshold }) => {
    const isFine = !Number.isInteger(Math.round(threshold * 1e6) / 1e4)
    const by = unsigned(fractionText(change?.fraction ?? 0, isFine))
    const short = `${daily(report, 'human visitors')} fell by ${by}`
    return plain(
      `${short} (${change?.isSmall ? 'small numbers; ' : ''}alert at ${plainPercent(-threshold)})`,
      short,
    )
  })
}

const groups: [key: keyof VisitorCounts, name: string][] = [
  ['total', 'total visitors'],
  ['human', 'human visitors'],
  ['ai', 'AI readers'],
]

/** The total, or the groups of visitors that changed in one direction. An alert already says that human visitors fell. */
function groupClauses(report: VisitorsReport, way: 'up' | 'down'): Clause[] {
  const verb = way === 'up' ? 'rose' : 'fell'
  const isSaid = (key: string) => key === 'human' && way === 'down' && report.alerts.length > 0
  const found = groups.flatMap(([key, name]) => {
    const change = changeOfTotals(report, key)
    if (change?.direction !== way || isSaid(key)) return []
    const by = (change.fraction ?? maxFraction) < maxFraction ? ` by ${unsigned(percentText(change))}` : ''
    const short = `${daily(report, name)} ${verb}${by}`
    return [{ key, ...plain(`${short} to ${countText(change.now)}`, short) }]
  })
  return found[0]?.key === 'total' ? found.slice(0, 1) : found
}

/** The page with the largest fall or rise. */
function moverClauses(report: VisitorsReport, way: 'up' | 'down'): Clause[] {
  for (const id of report.movers ?? []) {
    const change = changeOfPage(report, id)
    if (change?.direction !== way) continue
    const [long, short] = moveTexts(change)
    return [{ ...plain(`${slot} ${long}`, `${slot} ${short}`), page: report.book.pathOf(id) }]
  }
  return []
}

function moveTexts({ now, before, direction }: Change): [long: string, short: string] {
  if (before === 0) return [`is new, with ${counted(now, 'visitor')}`, `is new (${countText(now)})`]
  if (now === 0) return [`lost all of its ${counted(before, 'visitor')}`, `lost all ${countText(before)}`]
  const verb = direction === 'up' ? 'gained' : 'lost'
  const by = Math.abs(now - before)
  return [`${verb} ${counted(by, 'visitor')}`, `${verb} ${countText(by)}`]
}

function levelClause(all: Change, { scale }: VisitorsReport): Clause {
  const size = `${scale === 1 ? '' : 'daily average '}${percentText(all)}${all.isSmall ? ', small numbers' : ''}`
  return plain(`${counted(all.now, 'visitor')} in total (${size})`, counted(all.now, 'visitor'))
}

/** Adds “daily” to a name if periods of unequal length are compared. */
function daily({ scale }: VisitorsReport, name: string): string {
  return scale === 1 ? name : `daily ${name}`
}
