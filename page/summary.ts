/** What stands above the table: verdict, alerts, totals, what moved; and the provenance at the foot. */
import { type Child, html, section } from './dom.ts'
import { changeMark, pathMark } from './parts.ts'
import {
  aiShare,
  type Change,
  changeOf,
  count,
  counted,
  moment,
  percent,
  periodInWords,
  pointsOf,
  relative,
  roundPercent,
  shown,
} from './text.ts'
import type { Counts, Page, Reading, VisitorsReport } from './visitors-report.ts'

/** The verdict, the periods, and whatever a reader must know before any figure. */
export function opening(report: VisitorsReport): HTMLElement {
  const { period, compared, alerts } = report
  const against = compared === null ? 'not compared' : `compared with ${periodInWords(compared)}`
  return html(
    'header',
    { class: 'opening' },
    html('h1', {}, 'Visitors of ', html('bdi', {}, shown(report.project))),
    html('p', { class: 'verdict' }, shown(report.verdict)),
    html('p', { class: 'periods' }, html('strong', {}, periodInWords(period)), html('span', {}, against)),
    ...alerts.map(({ change, threshold }) =>
      notice(
        'alert',
        'Alert.',
        `People: ${relative(change)} against the compared period. Alerts are raised at ${roundPercent(threshold)} or below.`,
      ),
    ),
    incomplete(period, 'This period was not read completely', 'Pages are missing from the table below.'),
    compared &&
      incomplete(
        compared,
        'The compared period was not read completely',
        'For some pages there is nothing to compare with.',
      ),
  )
}

function notice(kind: 'alert' | 'warning', title: string, text: string): HTMLElement {
  return html(
    'div',
    { class: `notice ${kind}`, role: 'note' },
    html('span', { class: 'sign', 'aria-hidden': 'true' }, '!'),
    html('p', {}, html('strong', {}, title), ' ', text),
  )
}

function incomplete(reading: Reading, title: string, consequence: string): HTMLElement | null {
  if (reading.complete) return null
  const why = reading.whyIncomplete === null ? '' : ` ${sentence(shown(reading.whyIncomplete))}`
  return notice('warning', `${title}.`, `${why} ${consequence}`.trim())
}

/** A text that others wrote, as a sentence. */
function sentence(text: string): string {
  const trimmed = text.trim()
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}

/** The four figures of the site. */
export function totals(report: VisitorsReport): HTMLElement {
  const { period, compared, change } = report
  const now = period.totals
  const before = compared?.totals ?? null
  const figures = html(
    'dl',
    {},
    total('Visitors', 'visitors', count(now.total), fromBefore(change.visitors, now, before, 'total')),
    total('People', 'human', count(now.human), fromBefore(change.humanVisitors, now, before, 'human')),
    total('AI', 'ai', count(now.ai), fromBefore(change.aiVisitors, now, before, 'ai')),
    total('AI share', 'share', shareText(now), before && sharePoints(now, before)),
  )
  const hint =
    'Unique visitors, approximately. The total counts everyone once, so people and AI need not add up to it.'
  return section('totals', 'This period', figures, html('p', { class: 'hint' }, hint))
}

function total(title: string, kind: string, figure: string, change: Child): HTMLElement {
  return html(
    'div',
    { class: `total ${kind}` },
    html('dt', {}, title),
    html('dd', { class: 'figure' }, figure),
    change === null ? null : html('dd', { class: 'against' }, change),
  )
}

function shareText(counts: Counts): string {
  const share = aiShare(counts)
  return share === null ? '–' : percent(share)
}

/** The change as the report has it; where it has none, from zero, in words. */
function fromBefore(
  ratio: number | null,
  now: Counts,
  before: Counts | null,
  key: keyof Counts,
): HTMLElement | null {
  if (before === null) return null
  const from = html('span', { class: 'from' }, `from ${count(before[key])}`)
  if (ratio !== null && ratio !== 0) {
    const change: Change = { direction: ratio > 0 ? 'up' : 'down', text: relative(ratio) }
    return changeMark(change, ' ', from)
  }
  if (ratio === 0 || before[key] === 0) return changeMark(changeOf(now[key], before[key]), ' ', from)
  return null
}

function sharePoints(now: Counts, before: Counts): HTMLElement | null {
  const [share, earlier] = [aiShare(now), aiShare(before)]
  if (share === null || earlier === null) return null
  return changeMark(
    pointsOf(share, earlier),
    ' ',
    html('span', { class: 'from' }, `from ${percent(earlier)}`),
  )
}

const firstShown = 6
const moreAtOnce = 20

/** The pages that changed beyond the usual noise. */
export function moved(report: VisitorsReport): HTMLElement {
  const { movers, site } = report
  if (movers === null) {
    const why = 'What moved is only shown when both periods were read completely.'
    return section('moved', 'What moved', html('p', { class: 'nothing' }, why))
  }
  return section(
    'moved',
    'What moved',
    html(
      'div',
      { class: 'movers' },
      moverList('Rises', movers.rises, site),
      moverList('Falls', movers.falls, site),
      moverList('New this period', movers.new, site),
      // Nobody read them, which does not say that they are not there.
      moverList('No visitors this period', movers.gone, site),
    ),
  )
}

function moverList(title: string, pages: Page[], site: string | null): HTMLElement {
  const heading = html('h3', {}, title, html('span', { class: 'tally' }, count(pages.length)))
  if (pages.length === 0) {
    return html('div', {}, heading, html('p', { class: 'nothing' }, 'Nothing beyond the usual noise'))
  }
  // A list without bullets is no list to some screen readers, unless it says so.
  const list = html('ul', { role: 'list' })
  const more = html('button', { type: 'button', class: 'more' })
  const extend = (by: number) => {
    const next = pages.slice(list.childElementCount, list.childElementCount + by)
    const items = next.map((page) => mover(page, site))
    list.append(...items)
    const left = pages.length - list.childElementCount
    more.textContent = left > moreAtOnce ? `Show ${moreAtOnce} of ${count(left)} more` : `Show ${left} more`
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

function mover({ path, current, previous }: Page, site: string | null): HTMLElement {
  const [now, before] = [current?.total ?? 0, previous?.total ?? 0]
  return html(
    'li',
    {},
    pathMark(site, path),
    html('span', { class: 'counts' }, moverCounts(now, before)),
    now > 0 && before > 0 ? changeMark(changeOf(now, before)) : null,
  )
}

function moverCounts(now: number, before: number): string {
  if (before === 0) return counted(now, 'visitor')
  if (now === 0) return `${count(before)} before`
  return `${count(before)} → ${count(now)}`
}

/** Where the figures come from. */
export function provenance(report: VisitorsReport): HTMLElement {
  const { period, compared, requests, notes } = report
  const facts: [string, string][] = [
    ['Project', shown(report.project)],
    ['Site', report.site === null ? 'not given' : shown(report.site)],
    ['Period', reading(period)],
    ['Compared with', compared === null ? 'nothing' : reading(compared)],
    ['Days in', shown(report.timezone)],
    ['Requests', `${count(requests.used)} of at most ${count(requests.limit)}`],
    ['Made', moment(report.generatedAt)],
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
    html('h2', {}, 'Where these figures come from'),
    remarks.length > 0 ? html('ul', { class: 'notes', role: 'list' }, ...remarks) : null,
    list,
  )
}

function reading(of: Reading): string {
  const read = `${periodInWords(of)}; ${counted(of.pages, 'page')} read`
  if (of.complete) return `${read}, complete`
  return of.whyIncomplete === null ? `${read}, incomplete` : `${read}, incomplete: ${shown(of.whyIncomplete)}`
}
