/** The report's headline: one sentence, starting with the worst news. All its figures are also in the tables. */

import { cut } from '../../core/text.ts'
import { type Change, changeBetween } from '../core/change.ts'
import type { VisitorCounts } from '../core/counts.ts'
import {
  changeText,
  counted,
  countText,
  fractionText,
  plainPercent,
  rangeText,
  signedText,
} from '../core/figures.ts'
import { changeOfPage, type Move, type MovedPage, type Movement } from '../core/movers.ts'
import { isForMachines, visiblePath } from '../core/page-link.ts'
import { previousOf, type VisitorsReport } from '../core/report.ts'

/** A page in a headline. Its path is outside text, and `shown` is the part that fits. */
interface HeadlinePage {
  path: string
  shown: string
}

/** Words and figures, or a page's path, which is outside text. `shown` is the part of the path that fits. */
export type HeadlinePart = string | HeadlinePage

/** In characters. */
export const headlineLimit = 90
/** Larger relative changes say nothing, because they start from almost zero. */
const maxFraction = 10_000
/** Minimum number of characters to show of a path: fewer would not identify the page. */
const minPath = 24

/** A sentence without its final punctuation: words, with at most one page between them. */
interface Clause {
  before: string
  page: string | null
  after: string
  /** What replaces `before` after another clause: next to a page or a group of visitors, “visitors” would be ambiguous. */
  second?: string
}

/** The headline in parts, so that each form of the report can link the page. */
export function headline(report: VisitorsReport): HeadlinePart[] {
  const [first, ...others] = clauses(report)
  if (first === undefined) return []
  // Tries to fit a second clause, and otherwise shows the first alone.
  for (const second of [...others, null]) {
    const parts = fitted(first, second)
    if (parts !== undefined) return parts
  }
  return [cut(`${first.before}${first.after}.`, headlineLimit)]
}

/** The headline as one text. @param show the text for a page */
export function headlineText(report: VisitorsReport, show: (page: HeadlinePage) => string): string {
  return headline(report)
    .map((part) => (typeof part === 'string' ? part : show(part)))
    .join('')
}

/** The headline as plain text on one line. */
export const plainHeadline = (report: VisitorsReport) => headlineText(report, ({ shown }) => shown)

/** The headline as one line of plain text, after the report's dates, for chat messages. */
export function datedHeadline(report: VisitorsReport): string {
  return `Docs visitors, ${rangeText(report.current.period)}: ${plainHeadline(report)}`
}

/** The clauses as parts; undefined if they do not fit, or if both name a page. */
function fitted(lead: Clause, second: Clause | null): HeadlinePart[] | undefined {
  const first = { ...lead, before: lead.before.charAt(0).toUpperCase() + lead.before.slice(1) }
  const joint = second === null ? '.' : `; ${second.second ?? second.before}`
  const end = second === null ? '' : `${second.after}.`
  const pages = [first.page, second?.page ?? null].filter((page) => page !== null)
  if (pages.length > 1) return undefined
  const room = headlineLimit - `${first.before}${first.after}${joint}${end}`.length
  const [page] = pages
  if (page === undefined) return room < 0 ? undefined : [`${first.before}${first.after}${joint}${end}`]
  const whole = visiblePath(page)
  if (room < Math.min(whole.length, minPath)) return undefined
  const part = { path: page, shown: cut(whole, room) }
  const parts =
    first.page === null
      ? [`${first.before}${first.after}${joint}`, part, end]
      : [first.before, part, `${first.after}${joint}${end}`]
  return parts.filter((each) => each !== '')
}

const unsigned = (text: string) => text.replace(/^[+\u2212]/, '')

const plain = (before: string): Clause => ({ before, page: null, after: '' })

/** All findings by importance. The headline contains the first, and the first of the others that fits. */
function clauses(report: VisitorsReport): Clause[] {
  const { total } = report.current.totals
  if (previousOf(report) === null) return uncompared(report)
  const all = changeOfTotals(report, 'total')
  const alerts = alertClauses(report)
  const said = all.before === 0 ? `${counted(total, 'visitor')}, after none in the previous period` : ''
  if (all.before === 0) return [...alerts, plain(total === 0 ? 'No visitors in either period' : said)]
  const pages = pageClauses(report)
  const falls = groupClauses(report, 'down')
  const good = [...groupClauses(report, 'up'), ...pages.good]
  const level = all.direction === 'level' ? [levelClause(all, report)] : []
  // An alert already reports the fall in visitors, so a page matters more than another total.
  const bad = alerts.length > 0 ? [...alerts, ...pages.bad, ...falls] : [...falls, ...pages.bad]
  if (bad.length > 0) return [...bad, ...good, ...level]
  return [...level, ...good, ...quietClauses(report)]
}

function levelClause(all: Change, report: VisitorsReport): Clause {
  const size = sizeOf(all, report)
  const text = `${counted(all.now, 'visitor')} (${size})`
  return { ...plain(text), second: `total visitors: ${countText(all.now)} (${size})` }
}

function uncompared(report: VisitorsReport): Clause[] {
  const { total } = report.current.totals
  if (total === 0) return [plain('No visitors')]
  const { ids, book, current } = report
  const all = plain(counted(total, 'visitor'))
  const top = ids.find((id) => !isForMachines(book.pathOf(id)))
  const visitors = top === undefined ? 0 : current.pages.totalOf(top)
  if (top === undefined || visitors === 0) return [all]
  return [all, { before: 'most visited: ', page: book.pathOf(top), after: ` (${countText(visitors)})` }]
}

function alertClauses(report: VisitorsReport): Clause[] {
  const [alert] = report.alerts
  if (alert === undefined) return []
  const change = changeOfTotals(report, 'human')
  const isFine = !Number.isInteger(Math.round(alert.threshold * 1e9) / 1e6)
  const fall = unsigned(fractionText(change.fraction ?? 0, isFine))
  const small = change.isSmall ? 'small numbers; ' : ''
  return [
    plain(
      `${daily(report, 'human visitors')} fell by ${fall} (${small}alert at ${plainPercent(-alert.threshold)})`,
    ),
  ]
}

const groupNames = { total: 'visitors', human: 'human visitors', ai: 'AI readers' } as const

/** The total and the visitor groups that changed in one direction. A group that changed like the total is left out. */
function groupClauses(report: VisitorsReport, way: 'up' | 'down'): Clause[] {
  const hasAlert = report.alerts.length > 0
  const keys = (['total', 'human', 'ai'] as const).filter(
    (key) => !(hasAlert && way === 'down' && key === 'human'),
  )
  const changed = keys.filter((key) => changeOfTotals(report, key).direction === way)
  return (changed.includes('total') ? changed.slice(0, 1) : changed).map((key) => {
    const change = changeOfTotals(report, key)
    const isShown = change.fraction !== null && change.fraction < maxFraction
    const by = isShown ? ` by ${unsigned(changeText(change))}` : ''
    // After an alert, there is no room for the new total.
    const to = report.scale === 1 && !(hasAlert && key === 'total') ? ` to ${countText(change.now)}` : ''
    const text = `${daily(report, groupNames[key])} ${way === 'up' ? 'rose' : 'fell'}${by}${to}`
    return { ...plain(text), ...(key === 'total' && { second: `total ${text}` }) }
  })
}

/**
 * The page with the largest loss, and the one with the largest other change. A page that lost all its visitors was
 * probably moved or removed by the team itself, so any other loss is bigger news.
 */
function pageClauses({ movers, scale }: VisitorsReport): { bad: Clause[]; good: Clause[] } {
  if (movers === null) return { bad: [], good: [] }
  const first = (...kinds: Move[]) => movers.find(({ move }) => kinds.includes(move))
  const clauses = (page: Movement | undefined): Clause[] =>
    page === undefined ? [] : [{ before: '', page: page.path, after: ` ${moveText(page, scale)}` }]
  return { bad: clauses(first('falls') ?? first('gone')), good: clauses(first('rises', 'new')) }
}

function moveText(page: Movement, scale: number): string {
  if (page.move === 'new') return `is new, with ${counted(page.current?.total ?? 0, 'visitor')}`
  if (page.move === 'gone') return `has no visitors now (${countText(page.previous?.total ?? 0)} before)`
  const way = page.move === 'falls' ? ['lost', 'fell by'] : ['gained', 'rose by']
  return scale === 1
    ? `${way[0]} ${counted(Math.abs(changeOfPage(page, scale).difference), 'visitor')}`
    : `${way[1]} ${unsigned(pageChange(page, scale))} (daily average)`
}

function quietClauses({ movers, ids, paths }: VisitorsReport): Clause[] {
  if (movers === null) return []
  if (ids.length === 0) return paths.length > 0 ? [plain('no page matches the input paths')] : []
  return [plain('no single page stands out')]
}

/** A page's change: the difference, or the percentage of the daily average if the periods differ in length. */
export function pageChange(page: MovedPage, scale: number): string {
  const change = changeOfPage(page, scale)
  return scale === 1 ? signedText(change.difference) : changeText(change)
}

function changeOfTotals(report: VisitorsReport, key: keyof VisitorCounts): Change {
  const then = previousOf(report)?.totals[key] ?? 0
  return changeBetween(report.current.totals[key], then, report.scale)
}

function sizeOf(change: Change, report: VisitorsReport): string {
  const average = report.scale === 1 ? '' : 'daily average '
  return `${average}${changeText(change)}${change.isSmall ? ', small numbers' : ''}`
}

/** Adds “daily” to a name if periods of unequal length are compared. */
function daily({ scale }: VisitorsReport, name: string): string {
  return scale === 1 ? name : `daily ${name}`
}
