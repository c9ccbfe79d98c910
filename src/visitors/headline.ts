/** The report's headline: one sentence with the worst news, including the page that lost most. */
import { cut } from '../core/text.ts'
import { counted, countText } from '../core/units.ts'
import type { PageRef } from './blocks.ts'
import { type Change, percentText, type VisitorCounts } from './figures.ts'
import { visiblePath } from './paths.ts'
import { changeOfTotals, pageOf, type VisitorsReport } from './report.ts'

/** In characters. */
export const headlineLimit = 90
/** Minimum number of characters to show of a path: fewer would not identify the page. */
const minPath = 12

/** The groups of visitors, as sentences name them. */
export const groups: [key: keyof VisitorCounts, name: string][] = [
  ['visitors', 'total visitors'],
  ['humanVisitors', 'human visitors'],
  ['aiVisitors', 'AI readers'],
]

/** A sentence without its final punctuation. It begins with a page, if it is about one. */
interface Clause {
  page?: string
  text: string
}

type Part = string | PageRef

/** The headline in parts, to be joined with spaces, so that each form of the report can link the page. */
export function headline(report: VisitorsReport): Part[] {
  const [first = { text: '' }, ...others] = clausesOf(report)
  const sentences = [...others.map((other) => [first, other]), [first]]
  const whole = sentences.map(fitted).find((parts) => parts !== undefined)
  return whole ?? [cut(capitalized(first.text), headlineLimit)]
}

/** A sentence in parts; undefined if it is too long, or has two pages. */
function fitted(clauses: readonly Clause[]): Part[] | undefined {
  const texts = clauses.map(({ text }, at) => `${text}${at < clauses.length - 1 ? ';' : '.'}`)
  const [page, ...more] = clauses.flatMap(({ page }) => page ?? [])
  const room = headlineLimit - texts.join(' ').length - (page === undefined ? 0 : 1)
  const whole = page === undefined ? '' : visiblePath(page)
  if (more.length > 0 || room < Math.min(whole.length, minPath)) return undefined
  const parts = clauses.flatMap((clause, at): Part[] => {
    const text = texts[at] ?? ''
    return clause.page === undefined ? [text] : [{ page: clause.page, shown: cut(whole, room) }, text]
  })
  return parts.map((part, at) => (at === 0 && typeof part === 'string' ? capitalized(part) : part))
}

/** Text that begins a sentence. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The headline as plain text on one line. */
export function plainHeadline(report: VisitorsReport): string {
  return headline(report)
    .map((part) => (typeof part === 'string' ? part : part.shown))
    .join(' ')
}

/** What there is to say, worst first. The headline has the first clause, and the first of the others that fits. */
function clausesOf(report: VisitorsReport): Clause[] {
  const { totals, scale, isComplete } = report
  const all = changeOfTotals(report, 'visitors')
  const now = totals.visitors === 0 ? 'no visitors' : counted(totals.visitors, 'visitor')
  if (all === null) return [{ text: now }]
  if (all.before === 0) return [{ text: `${now}, after none in the previous period` }]
  const size = `${scale === 1 ? '' : 'daily average '}${percentText(all)}`
  return [
    ...groupClauses(report, 'down'),
    ...pageClauses(report, 'down'),
    ...(all.direction === 'level' ? [{ text: `${now} in total (${size})` }] : []),
    ...groupClauses(report, 'up'),
    ...pageClauses(report, 'up'),
    ...(isComplete ? [{ text: 'no single page stands out' }] : []),
  ]
}

/** The total, or the first group of visitors that changed in one direction; with an alert, the human visitors. */
function groupClauses(report: VisitorsReport, way: 'up' | 'down'): Clause[] {
  const isAlert = way === 'down' && report.alerts.length > 0
  const found = groups.flatMap(([key, name]): Clause[] => {
    const change = changeOfTotals(report, key)
    const isSaid = isAlert ? key === 'humanVisitors' : change?.direction === way
    return change !== null && isSaid ? [{ text: groupText(report, name, change) }] : []
  })
  return found.slice(0, 1)
}

function groupText({ scale }: VisitorsReport, name: string, change: Change): string {
  const verb = change.difference > 0 ? 'rose' : 'fell'
  const by = change.fraction === null ? '' : ` by ${percentText(change).replace(/^[+\u2212]/, '')}`
  return scale === 1 ? `${name} ${verb}${by} to ${countText(change.now)}` : `daily ${name} ${verb}${by}`
}

/** The page with the largest fall or rise. */
function pageClauses(report: VisitorsReport, way: 'up' | 'down'): Clause[] {
  for (const id of report.movers) {
    const { path, change } = pageOf(report, id)
    if (change?.direction === way) return [{ page: path, text: pageText(change) }]
  }
  return []
}

function pageText({ now, before, difference }: Change): string {
  if (before === 0) return `is new, with ${counted(now, 'visitor')}`
  if (now === 0) return `lost all ${counted(before, 'visitor')}`
  return `${difference > 0 ? 'gained' : 'lost'} ${counted(Math.abs(now - before), 'visitor')}`
}
