/** Everything above the table of pages (headline, what is missing, what moved, totals), and the sources at the end. */

import { columnChange, columns, valueText } from '../core/columns.ts'
import { aiShare, noVisitors } from '../core/counts.ts'
import { counted, countText, momentText, rangeText, shareText } from '../core/figures.ts'
import { shown } from '../core/page-link.ts'
import { html, section, svg } from './dom.ts'
import { changeMark, pathLink, pathMark } from './parts.ts'
import { scaleOf } from './rows.ts'
import { runs } from './scale.ts'
import type { Page, Reading, VisitorsReport } from './visitors-report.ts'

/** The headline, the periods, and what readers must know before they see figures. */
export function opening(report: VisitorsReport): HTMLElement {
  const { period, compared, alerts, site } = report
  const against = compared === null ? 'not compared' : `compared with ${rangeText(compared)}`
  const headline = report.headline.map((part) =>
    typeof part === 'string' ? shown(part) : pathLink(site, part.path, shown(part.shown)),
  )
  return html(
    'header',
    { class: 'opening' },
    html('h1', {}, 'Docs visitors: ', html('bdi', {}, shown(report.project))),
    html('p', { class: 'periods' }, html('strong', {}, rangeText(period)), html('span', {}, against)),
    html('p', { class: alerts.length > 0 ? 'verdict alert' : 'verdict' }, ...headline),
    incomplete(period, 'This period was not read completely', 'Pages are missing from the table below.'),
    compared &&
      incomplete(
        compared,
        'The previous period was not read completely',
        'Some pages have nothing to compare with.',
      ),
    ...unmatched(report),
  )
}

function unmatched({ unmatched, period }: VisitorsReport): HTMLElement[] {
  const among = period.complete ? 'no page' : 'none of the pages read'
  return (['include', 'exclude'] as const).flatMap((side) =>
    unmatched[side].map((glob) => notice(`${side}: ${shown(glob)}`, `matches ${among}.`)),
  )
}

function notice(title: string, text: string): HTMLElement {
  return html(
    'div',
    { class: 'notice', role: 'note' },
    html('span', { class: 'sign', 'aria-hidden': 'true' }, '!'),
    html('p', {}, html('strong', {}, title), ' ', text),
  )
}

function incomplete(reading: Reading, title: string, consequence: string): HTMLElement | null {
  if (reading.whyIncomplete === null) return null
  return notice(`${title}.`, `${sentence(shown(reading.whyIncomplete))} ${consequence}`)
}

/** Outside text as a sentence: with a capital letter and a period. */
function sentence(text: string): string {
  const trimmed = text.trim()
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}

/** The site's figures side by side, each with its change and its trend. Only this part shows the AI share. */
export function totals(report: VisitorsReport): HTMLElement {
  const { period, compared, trend } = report
  const scale = scaleOf(report)
  const figures = columns.map((column) => {
    const then = compared?.totals ?? null
    const against = then
      ? changeMark(
          columnChange(column, period.totals, then, scale),
          ' ',
          html('span', { class: 'from' }, `from ${valueText(column, then)}`),
        )
      : null
    const share = column.id === 'ai' ? aiShare(period.totals) : null
    return html(
      'div',
      { class: `total ${column.id}` },
      html('dt', {}, column.title),
      html('dd', { class: 'figure' }, valueText(column, period.totals)),
      against === null ? null : html('dd', { class: 'against' }, against),
      share === null ? null : html('dd', { class: 'portion' }, `${shareText(share)} of visitors`),
      trend.length < 2
        ? null
        : html('dd', { class: 'spark' }, spark(trend.map(({ totals }) => totals?.[column.key] ?? null))),
    )
  })
  return html('section', { class: 'totals', 'aria-label': 'Totals' }, html('dl', {}, ...figures))
}

/** A small trend line on an axis that starts at zero, with a dot at the line's end. The trend's table has the figures. */
function spark(values: readonly (number | null)[]): SVGElement {
  const most = Math.max(1, ...values.filter((value) => value !== null))
  const x = (at: number) => (at / (values.length - 1)) * 100
  const y = (value: number) => 26 - (value / most) * 24
  const lines = runs(values).map((run) => {
    const points = run.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
    return svg('polyline', { class: 'stroke', points: points.join(' ') })
  })
  const last = values.at(-1) ?? null
  const dot = last === null ? [] : [svg('path', { class: 'dot', d: `M100 ${y(last).toFixed(1)}h0` })]
  const box = {
    viewBox: '0 0 100 28',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
    focusable: 'false',
  }
  return svg('svg', box, ...lines, ...dot)
}

const firstShown = 6
const moreAtOnce = 20

/** The pages that changed by more than chance explains, in a list for each kind of change; null if nothing is compared. */
export function moved(report: VisitorsReport): HTMLElement | null {
  const { movers, site, compared } = report
  if (compared === null) return null
  if (movers === null) {
    const why = 'Shown only if all pages of both periods were read.'
    return section('moved', 'What moved', html('p', { class: 'nothing' }, why))
  }
  const scale = scaleOf(report)
  const lists = [
    ['Up', movers.rises] as const,
    ['Down', movers.falls] as const,
    ['New', movers.new] as const,
    // These pages have no visitors, but may still exist.
    ['No visitors now', movers.gone] as const,
  ].flatMap(([title, pages]) => moverList(title, pages, (page) => mover(page, site, scale)) ?? [])
  const nothing = html('p', { class: 'nothing' }, 'No single page stands out.')
  return section(
    'moved',
    'What moved',
    lists.length === 0 ? nothing : html('div', { class: 'movers' }, ...lists),
  )
}

function moverList(title: string, pages: Page[], itemOf: (page: Page) => HTMLElement): HTMLElement | null {
  if (pages.length === 0) return null
  const heading = html('h3', {}, title, html('span', { class: 'tally' }, countText(pages.length)))
  // Without an explicit role, some screen readers do not announce a list without bullets.
  const list = html('ul', { role: 'list' })
  const more = html('button', { type: 'button', class: 'more' })
  const extend = (by: number) => {
    const next = pages.slice(list.childElementCount, list.childElementCount + by)
    const items = next.map(itemOf)
    list.append(...items)
    const left = pages.length - list.childElementCount
    more.textContent =
      left > moreAtOnce ? `Show ${moreAtOnce} of ${countText(left)} more` : `Show ${left} more`
    more.hidden = left === 0
    return items[0]
  }
  extend(firstShown)
  more.addEventListener('click', () => {
    const first = extend(moreAtOnce)
    first?.setAttribute('tabindex', '-1')
    first?.focus()
  })
  return html('div', {}, heading, list, more)
}

function mover({ path, current, previous }: Page, site: string | null, scale: number): HTMLElement {
  const [now, before] = [current?.total ?? 0, previous?.total ?? 0]
  const change = columnChange(columns[0], current ?? noVisitors, previous ?? noVisitors, scale)
  return html(
    'li',
    {},
    pathMark(site, path),
    html('span', { class: 'counts' }, moverCounts(now, before)),
    now > 0 && before > 0 ? changeMark(change) : null,
  )
}

function moverCounts(now: number, before: number): string {
  if (before === 0) return counted(now, 'visitor')
  if (now === 0) return `${countText(before)} before`
  return `${countText(before)} → ${countText(now)}`
}

/** The sources of the figures. */
export function provenance(report: VisitorsReport): HTMLElement {
  const { period, compared, requests, notes } = report
  const facts: [string, string][] = [
    ['Project', shown(report.project)],
    ['Site', report.site === null ? 'not given' : shown(report.site)],
    ['Period', reading(period)],
    ['Compared with', compared === null ? 'nothing' : reading(compared)],
    ['Time zone', shown(report.timezone)],
    ['Requests', `${countText(requests.used)} of at most ${countText(requests.limit)}`],
    ['Created', momentText(Date.parse(report.generatedAt))],
  ]
  const list = html(
    'dl',
    {},
    ...facts.flatMap(([name, text]) => [html('dt', {}, name), html('dd', {}, text)]),
  )
  const remarks = notes.map((note) => html('li', {}, shown(note)))
  return html(
    'footer',
    { class: 'provenance' },
    html('h2', {}, 'About these figures'),
    remarks.length > 0 ? html('ul', { class: 'notes', role: 'list' }, ...remarks) : null,
    list,
  )
}

function reading(of: Reading): string {
  const state = of.whyIncomplete === null ? 'complete' : `incomplete: ${shown(of.whyIncomplete)}`
  return `${rangeText(of)}; ${counted(of.pages, 'page')} read, ${state}`
}
