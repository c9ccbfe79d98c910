/** The trend as an SVG chart, redrawn to fit the available width, and as a table. */

import { countColumns, valueText } from '../core/columns.ts'
import { compactText, countText } from '../core/figures.ts'
import { html, section, spoken, svg } from './dom.ts'
import { labelled, runs, ticksUpTo } from './scale.ts'
import { axisDay, periodInWords, shortPeriod } from './text.ts'
import type { Counts, TrendPeriod } from './visitors-report.ts'

const margin = { top: 18, right: 22, bottom: 26, left: 44 }
const labelWidth = 58
/** Maximum number of periods with a marker on each: more would hide the line. */
const markersUpTo = 30

/** The section with the chart; null if there is no trend. */
export function trends(trend: readonly TrendPeriod[]): HTMLElement | null {
  if (trend.length === 0) return null
  return section('trend', 'Trend', visitorsChart(trend), figuresTable(trend))
}

const known = (trend: readonly TrendPeriod[]) => trend.flatMap(({ totals }) => totals ?? [])

/** The chart in one sentence, for people who cannot see it. */
function spanOf(trend: readonly TrendPeriod[]): string {
  const from = trend[0]?.from ?? ''
  const to = trend.at(-1)?.to ?? ''
  const missing = trend.length - known(trend).length
  const gaps = missing === 0 ? '' : `; ${missing} of them not read`
  return `${trend.length} periods, ${periodInWords({ from, to })}${gaps}`
}

function fromTo(values: readonly number[], format: (value: number) => string): string {
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return 'no figures'
  return `from ${format(first)} to ${format(last)}`
}

type Series = 'human' | 'ai'
const seriesTitle: Record<Series, string> = { human: 'Human visitors', ai: 'AI readers' }

function visitorsChart(trend: readonly TrendPeriod[]): HTMLElement {
  const counts = known(trend)
  const people = fromTo(
    counts.map(({ human }) => human),
    countText,
  )
  const ai = fromTo(
    counts.map((one) => one.ai),
    countText,
  )
  const entries = (['human', 'ai'] as const).map((series) => {
    const value = html('b')
    const entry = html('span', { class: 'entry' }, swatch(series), `${seriesTitle[series]} `, value)
    return {
      entry,
      show: (totals: Counts | null) => (value.textContent = totals ? countText(totals[series]) : '–'),
    }
  })
  return figure(trend, {
    title: 'Human visitors and AI readers',
    label: `Line chart of visitors: ${spanOf(trend)}. Human visitors ${people}, AI readers ${ai}.`,
    entries,
    max: Math.max(0, ...counts.flatMap(({ human, ai }) => [human, ai])),
    smallest: 1,
    tick: compactText,
    marks: (plane) => (['human', 'ai'] as const).map((series) => line(plane, trend, series)),
  })
}

/** The geometry of a chart with a given width. */
interface Plane {
  periods: number
  left: number
  right: number
  bottom: number
  band: number
  x(at: number): number
  y(value: number): number
}

interface Plan {
  title: string
  label: string
  /** The legend, which shows the figures of the period at the pointer. */
  entries: { entry: HTMLElement; show(totals: Counts | null): void }[]
  max: number
  /** The smallest step of the value axis. */
  smallest: number
  tick(value: number): string
  marks(plane: Plane): SVGElement[]
}

const height = 230

function figure(trend: readonly TrendPeriod[], plan: Plan): HTMLElement {
  const when = html('span', { class: 'when' })
  const unread = trend.some(({ totals }) => totals === null)
  const legend = html(
    'p',
    { class: 'legend' },
    when,
    ...plan.entries.map(({ entry }) => entry),
    unread ? html('span', { class: 'entry' }, swatch('gap'), 'not read') : null,
  )
  const canvas = svg('svg', { role: 'img', 'aria-label': plan.label, focusable: 'false' })
  const point = (at: number) => {
    const period = trend[at]
    if (period === undefined) return
    for (const { show } of plan.entries) show(period.totals)
    when.textContent = shortPeriod(period) + (period.totals === null ? ', not read' : '')
  }
  const latest = () => point(trend.length - 1)
  latest()
  canvas.addEventListener('pointerleave', latest)
  let drawn = 0
  // The labels of a picture that only shrinks would be too small to read on a phone.
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0)
    if (width === 0 || width === drawn) return
    drawn = width
    draw(canvas, width, trend, plan, point)
  }).observe(canvas)
  return html('figure', {}, html('figcaption', {}, plan.title), legend, canvas)
}

function draw(
  canvas: SVGSVGElement,
  width: number,
  trend: readonly TrendPeriod[],
  plan: Plan,
  point: (at: number) => void,
): void {
  const ticks = ticksUpTo(plan.max, plan.smallest)
  const plane = planeOf(width, trend.length, ticks.at(-1) ?? 1)
  canvas.setAttribute('viewBox', `0 0 ${width} ${height}`)
  canvas.replaceChildren(
    ...trend.flatMap(({ totals }, at) => (totals === null ? gap(plane, at) : [])),
    ...ticks.flatMap((value) => gridLine(plane, value, plan.tick(value))),
    ...dayLabels(plane, trend),
    ...plan.marks(plane),
    ...trend.map((_, at) => pointer(plane, at, point)),
  )
}

function planeOf(width: number, periods: number, top: number): Plane {
  const [left, right, bottom] = [margin.left, width - margin.right, height - margin.bottom]
  const band = (right - left) / periods
  return {
    periods,
    left,
    right,
    bottom,
    band,
    x: (at) => left + band * (at + 0.5),
    y: (value) => bottom - (value / top) * (bottom - margin.top),
  }
}

function gridLine(plane: Plane, value: number, label: string): SVGElement[] {
  const y = plane.y(value)
  return [
    svg('line', { class: value === 0 ? 'axis' : 'grid', x1: plane.left, x2: plane.right, y1: y, y2: y }),
    svg('text', { class: 'label', x: plane.left - 8, y: y + 4, 'text-anchor': 'end' }, label),
  ]
}

function dayLabels(plane: Plane, trend: readonly TrendPeriod[]): SVGElement[] {
  const places = labelled(trend.length, plane.right - plane.left, labelWidth)
  return trend.flatMap(({ from }, at) =>
    places.has(at)
      ? svg('text', { class: 'label', x: plane.x(at), y: height - 6, 'text-anchor': 'middle' }, axisDay(from))
      : [],
  )
}

const gap = (plane: Plane, at: number) =>
  svg('rect', {
    class: 'gap',
    x: plane.x(at) - plane.band / 2,
    y: margin.top,
    width: plane.band,
    height: plane.bottom - margin.top,
  })

function pointer(plane: Plane, at: number, point: (at: number) => void): SVGElement {
  const x = plane.x(at) - plane.band / 2
  const area = svg('rect', { class: 'pointer', x, y: 0, width: plane.band, height: plane.bottom })
  area.addEventListener('pointerenter', () => point(at))
  return area
}

/** A line with its markers, interrupted by missing values. */
function line(plane: Plane, trend: readonly TrendPeriod[], series: Series): SVGElement {
  const stretches = runs(trend.map(({ totals }) => totals?.[series] ?? null))
  const group = svg('g', { class: `series ${series}` })
  for (const stretch of stretches) {
    const points = stretch.map(({ at, value }) => `${plane.x(at).toFixed(1)},${plane.y(value).toFixed(1)}`)
    if (points.length > 1) group.append(svg('polyline', { class: 'stroke', points: points.join(' ') }))
    for (const { at, value } of stretch) {
      // A point between two gaps has no line, so it needs a marker.
      const marked = plane.periods <= markersUpTo || stretch.length === 1 || at === plane.periods - 1
      if (marked) group.append(marker(series, plane.x(at), plane.y(value)))
    }
  }
  return group
}

/** A round marker for human visitors and a square one for AI readers, so that the chart works without color. */
function marker(series: Series, x: number, y: number): SVGElement {
  if (series === 'human') return svg('circle', { class: 'marker', cx: x, cy: y, r: 3.5 })
  return svg('rect', { class: 'marker', x: x - 3.5, y: y - 3.5, width: 7, height: 7 })
}

/** The symbol of a series in the legend, as in the chart. */
function swatch(series: Series | 'gap'): SVGElement {
  const box = { class: 'swatch', width: 26, height: 12, viewBox: '0 0 26 12', 'aria-hidden': 'true' }
  if (series === 'gap')
    return svg('svg', box, svg('rect', { class: 'gap', x: 0, y: 0, width: 26, height: 12 }))
  const stroke = svg('polyline', { class: 'stroke', points: '0,6 26,6' })
  return svg('svg', box, svg('g', { class: `series ${series}` }, stroke, marker(series, 13, 6)))
}

/** The figures of the chart as a table, newest first. */
function figuresTable(trend: readonly TrendPeriod[]): HTMLElement {
  const heads = ['Period', ...countColumns.map(({ title }) => title)]
  const rows = trend.toReversed().map(({ from, to, totals }) => {
    const why = totals === null ? spoken(', not read') : null
    return html(
      'tr',
      {},
      html('th', { scope: 'row' }, periodInWords({ from, to }), why),
      ...countColumns.map((column) => html('td', {}, valueText(column, totals))),
    )
  })
  const table = html(
    'table',
    { class: 'figures' },
    html('thead', {}, html('tr', {}, ...heads.map((head) => html('th', { scope: 'col' }, head)))),
    html('tbody', {}, ...rows),
  )
  return html('details', { class: 'alternative' }, html('summary', {}, 'The figures behind the chart'), table)
}
