/** The report's headline: one sentence with the worst news, including the page that lost most. */
import { cut } from '../core/text.ts'
import { counted, countText } from '../core/units.ts'
import type { Part } from './blocks.ts'
import { type CountChange, percentText, type VisitorCounts } from './figures.ts'
import { visiblePath } from './paths.ts'
import { changeOfMetric, changeOfTotals, type VisitorsReport } from './report.ts'

/** In characters. */
export const headlineLimit = 90
/** Minimum number of characters to show of a path: fewer would not identify the page. */
const minPath = 24

/** The groups of visitors, as sentences name them. */
export const groups: [key: keyof VisitorCounts, name: string][] = [
  ['visitors', 'total visitors'],
  ['humanVisitors', 'human visitors'],
  ['aiVisitors', 'AI readers'],
]

/** What `alert-drop` compares, as sentences name it. */
export const metrics = { humanVisitors: 'human visitors', selectedPages: 'visits to the selected pages' }

/** The headline in parts, to be joined with spaces, so that each form of the report can link the page. */
export function headline(report: VisitorsReport) {
  const [first = { text: '' }, ...others] = clausesOf(report)
  if (first.page === undefined) first.text = capitalize(first.text)
  for (const other of others) {
    const parts = sentenceOf([first, other])
    if (parts !== undefined) return parts
  }
  // Only absurd figures make one clause too long.
  return sentenceOf([first]) ?? [{ text: cut(capitalize(first.text), headlineLimit) }]
}

/** A sentence in parts; undefined if it is too long, or has two pages. */
function sentenceOf(clauses: readonly Part[]) {
  const pages = clauses.flatMap(({ page }) => page ?? [])
  if (pages.length > 1) return undefined
  const [path = ''] = pages.map(visiblePath)
  const text = `${clauses.map((clause) => clause.text).join('; ')}.`
  // A space follows the path.
  const room = headlineLimit - text.length - pages.length
  if (room < Math.min(path.length, minPath)) return undefined
  return clauses.flatMap((clause): Part[] => {
    const end = clause === clauses.at(-1) ? '.' : ';'
    const rest = { text: `${clause.text}${end}` }
    if (clause.page === undefined) return [rest]
    return [{ page: clause.page, text: cut(path, room) }, rest]
  })
}

/** Text that begins a sentence. */
export function capitalize(text: string) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The headline as plain text on one line. */
export function plainHeadline(report: VisitorsReport) {
  return headline(report)
    .map(({ text }) => text)
    .join(' ')
}

/** What there is to say, worst first. The headline has the first clause, and the first of the others that fits. */
function clausesOf(report: VisitorsReport) {
  const { visitors } = report.totals
  const total = changeOfTotals(report, 'visitors')
  const now = visitors === 0 ? 'no visitors' : counted(visitors, 'visitor')
  if (total === null) return [{ text: now }]
  if (total.before === 0) return [{ text: `${now}, after none in the previous period` }]
  const clauses = clausesAbout(report, 'down')
  if (total.direction === 'level') {
    const kind = report.scale === 1 ? '' : 'daily average '
    clauses.push({ text: `${now} in total (${kind}${percentText(total)})` })
  }
  clauses.push(...clausesAbout(report, 'up'))
  const isCalm = report.isComplete && clauses.every(({ page }) => page === undefined)
  if (isCalm) clauses.push({ text: 'no single page stands out' })
  return clauses
}

/**
 * What changed in one direction: the total, or the first group of visitors (with an alert, the human visitors), and the
 * page that changed most.
 */
function clausesAbout(report: VisitorsReport, way: 'up' | 'down') {
  const clauses: Part[] = []
  const [[alert], [rename]] = way === 'down' ? [report.alerts, report.renames] : [[], []]
  const changes = groups.map(([key, name]) => ({ name, change: changeOfTotals(report, key) }))
  const news = alert
    ? { name: metrics[alert.metric], change: changeOfMetric(report, alert.metric) }
    : changes.find(({ change }) => change?.direction === way)
  if (news?.change) {
    const text = `${news.name} ${moveText(news.change)}`
    clauses.push({ text: report.scale === 1 ? `${text} to ${countText(news.change.now)}` : `daily ${text}` })
  }
  if (rename) clauses.push({ page: rename.path, text: 'may have moved: check the redirect' })
  const mover = report.movers.find(({ change }) => change.direction === way)
  if (mover !== undefined) clauses.push({ page: mover.path, text: pageText(mover.change) })
  return clauses
}

/** `fell by 8.1%`; `rose` for a change from zero. */
function moveText(change: CountChange) {
  const verb = change.difference > 0 ? 'rose' : 'fell'
  if (change.fraction === null) return verb
  const size = percentText(change).replace(/^[+\u2212]/, '')
  return `${verb} by ${size}`
}

function pageText({ now, before, difference }: CountChange) {
  if (before === 0) return `is new, with ${counted(now, 'visitor')}`
  if (now === 0) return `lost all ${counted(before, 'visitor')}`
  const size = counted(Math.abs(now - before), 'visitor')
  if (difference > 0) return `gained ${size}`
  return `lost ${size}`
}
