/** The report's headline: an alert, or what changed most and the totals. It names no figure that the tables lack. */

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
import type { LikelyMove } from '../core/moved-pages.ts'
import { changeOfPage, type MovedPage, type Movers, moves } from '../core/movers.ts'
import { shortPath } from '../core/page-link.ts'
import { type Alert, pageOf, previousOf, type VisitorsReport } from '../core/report.ts'

/** Fixed words and figures, or a page's path, which is text from outside. */
export type HeadlinePart = string | { path: string }

/** Pages that the headline names: two changes and the largest likely move, or three changes. */
const mostNamed = 3

/** The headline in parts, so that each form of the report can link the pages. */
export function headline(report: VisitorsReport): HeadlinePart[] {
  const [alert] = report.alerts
  const sentences =
    alert === undefined
      ? [totalsSentence(report), ...moveSentences(report)]
      : [alertSentence(alert, report), ...moveSentences(report), totalsAfterAlert(report)]
  return sentences.flatMap((sentence, at) => (at === 0 ? sentence : [' ', ...sentence]))
}

/** The headline as plain text on one line. */
export function plainHeadline(report: VisitorsReport): string {
  return headline(report)
    .map((part) => (typeof part === 'string' ? part : shortPath(part.path)))
    .join('')
}

/** One line of plain text with the period, for chat messages. */
export function datedHeadline(report: VisitorsReport): string {
  return `Docs visitors, ${rangeText(report.current.period)}: ${plainHeadline(report)}`
}

/** What is said if no page changed by more than chance explains. */
export const noMovers = 'No single page stands out.'

type Sentence = HeadlinePart[]

function alertSentence({ threshold }: Alert, report: VisitorsReport): Sentence {
  const change = changeOfTotals(report, 'human')
  const isFine = !Number.isInteger(Math.round(threshold * 1e9) / 1e6)
  const fall = fractionText(change.fraction ?? 0, isFine).replace(/^[+\u2212]/, '')
  return [
    `People fell by ${fall}${daily(report)}, from ${countText(change.before)} to ${countText(change.now)}`,
    ` (the alert is set to ${plainPercent(-threshold)}).`,
    change.isSmall ? ' These are small numbers, so it may be chance.' : '',
  ].filter((part) => part !== '')
}

function totalsSentence(report: VisitorsReport): Sentence {
  const { total } = report.current.totals
  if (previousOf(report) === null)
    return total === 0 ? ['No visitors.'] : [`${counted(total, 'visitor')}.`, ...mostVisited(report)]
  const change = changeOfTotals(report, 'total')
  if (change.before === 0)
    return total === 0
      ? ['No visitors in either period.']
      : [`${counted(total, 'visitor')}, after none in the period before.`]
  if (total === 0) return [`No visitors (${changeText(change)}), after ${countText(change.before)}.`]
  return [`${counted(total, 'visitor')} (${sizeOf(change, report)})${groups(report)}.`]
}

function totalsAfterAlert(report: VisitorsReport): Sentence {
  const change = changeOfTotals(report, 'total')
  if (change.fraction === null) return [`${counted(change.now, 'visitor')} in all.`]
  if (change.now === 0) return [`No visitors at all (${changeText(change)}).`]
  const ai = changeOfTotals(report, 'ai')
  const more = ai.direction === 'up' ? `; ${nameGroup('AI readers', ai)}` : ''
  return [`${counted(change.now, 'visitor')} in all (${sizeOf(change, report)})${more}.`]
}

/** Both groups of visitors if they went different ways; the totals alone would hide that. */
function groups(report: VisitorsReport): string {
  const [people, ai] = [changeOfTotals(report, 'human'), changeOfTotals(report, 'ai')]
  if (people.now === 0) return ', all of them AI readers'
  if (people.direction === ai.direction) return ''
  const named = [nameGroup('people', people), nameGroup('AI readers', ai)].filter((text) => text !== '')
  return named.length < 2 ? '' : `: ${named.join(', ')}`
}

function nameGroup(name: string, change: Change): string {
  if (change.fraction !== null) return `${name} ${changeText(change)}`
  return change.now === 0 ? '' : `${name} from 0 to ${countText(change.now)}`
}

function mostVisited(report: VisitorsReport): Sentence {
  const pages = report.ids
    .slice(0, mostNamed)
    .map((id) => pageOf(report, id))
    .filter(({ current }) => (current?.total ?? 0) > 0)
  if (pages.length === 0) return []
  return [' Most visited: ', ...listed(pages, ({ current }) => ` (${countText(current?.total ?? 0)})`), '.']
}

function moveSentences(report: VisitorsReport): Sentence[] {
  const { movers, ids } = report
  if (previousOf(report) === null || movers === null) return []
  if (ids.length === 0) return isNarrowed(report) ? [['No page matches the filter.']] : []
  const named = largestMoves(movers, report.scale).slice(0, mostNamed - Math.min(1, movers.moved.length))
  const is = (...kinds: string[]) => named.filter(({ move }) => kinds.includes(move))
  const changed = listed(is('rises', 'falls'), (page) => ` ${pageChange(page, report.scale)}`)
  const sentences = [
    ...(changed.length === 0 ? [] : [[...changed, '.']]),
    ...is('new').map((page) => [
      path(page),
      ` is new, with ${counted(page.current?.total ?? 0, 'visitor')}.`,
    ]),
    ...is('gone').map((page) => [
      path(page),
      ` has no visitors now, after ${countText(page.previous?.total ?? 0)}.`,
    ]),
    ...movers.moved.slice(0, 1).map((pair) => likelyMove(pair, movers.moved.length - 1)),
  ]
  return sentences.length === 0 ? [[noMovers]] : sentences
}

function likelyMove({ from, to, previous, current }: LikelyMove, others: number): Sentence {
  const visitors = `${countText(previous?.total ?? 0)} → ${countText(current?.total ?? 0)} visitors`
  const more = others === 0 ? '' : `, and ${counted(others, 'other page')} likely moved`
  return [{ path: from }, ' likely moved to ', { path: to }, ` (${visitors})${more}.`]
}

/** A page that changed, and how. */
export type Movement = MovedPage & { move: (typeof moves)[number] }

/** Pages that changed, the largest change first; likely moves are not among them. */
export function largestMoves(movers: Movers, scale: number): Movement[] {
  const size = (page: MovedPage) => Math.abs(changeOfPage(page, scale).difference)
  return moves
    .flatMap((move) => movers[move].map((page) => ({ ...page, move })))
    .sort((one, other) => size(other) - size(one))
}

/** A page's change: the difference or, if the periods differ in length, the percentage of the daily average. */
export function pageChange(page: MovedPage, scale: number): string {
  const change = changeOfPage(page, scale)
  return scale === 1 ? signedText(change.difference) : changeText(change)
}

export function isNarrowed({ filter }: Pick<VisitorsReport, 'filter'>): boolean {
  return filter.include.length + filter.exclude.length > 0
}

function changeOfTotals(report: VisitorsReport, key: keyof VisitorCounts): Change {
  const then = previousOf(report)?.totals[key] ?? 0
  return changeBetween(report.current.totals[key], then, report.scale)
}

function sizeOf(change: Change, report: VisitorsReport): string {
  return `${changeText(change)}${daily(report)}${change.isSmall ? ', small numbers' : ''}`
}

function daily({ scale }: VisitorsReport): string {
  return scale === 1 ? '' : ' a day'
}

function listed<T extends MovedPage>(pages: readonly T[], text: (page: T) => string): Sentence {
  return pages.flatMap((page, at) => [...(at === 0 ? [] : [', ']), path(page), text(page)])
}

function path({ path }: MovedPage): HeadlinePart {
  return { path }
}
