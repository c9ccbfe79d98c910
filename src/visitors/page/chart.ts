/** The trend as an SVG chart, redrawn to fit the available width, and as a table. */

import { columns, valueText } from '../core/columns.ts'
import { compactText, countText, dayText, rangeText, shortRangeText } from '../core/figures.ts'
import { html, section, spoken, svg } from './dom.ts'
import { figuresTable } from './parts.ts'
import { placesToLabel, runs, ticksUpTo } from './scale.ts'
import type { TrendPeriod } from './visitors-report.ts'

const margin = { top: 18, right: 22, bottom: 26, left: 44 }
const labelWidth = 58
/** Maximum number of periods with a marker on each: more would hide the line. */
const markersUpTo = 30

/** The section with the chart; null for fewer than two periods, as in the summary. */
export function trends(trend: readonly TrendPeriod[]): HTMLElement | null {
  if (trend.length < 2) return null
  return section('trend', 'Trend', visitorsChart(trend), alternative(trend))
}

const known = (trend: readonly TrendPeriod[]) => trend.flatMap(({ totals }) => totals ?? [])

const [, ...lines] = columns
type Series = (typeof lines)[number]['key']

/** The chart in one sentence, for people who cannot see it. */
function labelOf(trend: readonly TrendPeriod[]): string {
  const counts = known(trend)
  const missing = trend.length - counts.length
  const span = rangeText({ from: trend[0]?.from ?? '', to: trend.at(-1)?.to ?? '' })
  const gaps = missing === 0 ? '' : `; ${missing} of them not read`
  const [first, last] = [counts[0], counts.at(-1)]
  const ends = lines.map(({ key, title }) =>
    first && last
      ? `${title} from ${countText(first[key])} to ${countText(last[key])}`
      : `${title} no figures`,
  )
  return `Line chart of visitors: ${trend.length} periods, ${span}${gaps}. ${ends.join(', ')}.`
}

const height = 230

/** The chart. Its legend shows the figures of the period under the pointer. */
function visitorsChart(trend: readonly TrendPeriod[]): HTMLElement {
  const when = html('span', { class: 'when' })
  const values = { human: html('b'), ai: html('b') }
  const unread = trend.some(({ totals }) => totals === null)
  const legend = html(
    'p',
    { class: 'legend' },
    when,
    ...lines.map(({ key, title }) => html('span', { class: 'entry' }, swatch(key), `${title} `, values[key])),
    unread ? html('span', { class: 'entry' }, swatch('gap'), 'not read') : null,
  )
  const canvas = svg('svg', { role: 'img', 'aria-label': labelOf(trend), focusable: 'false' })
  const point = (at: number) => {
    const period = trend[at]
    if (period === undefined) return
    const { totals } = period
    for (const line of lines) values[line.key].textContent = valueText(line, totals)
    when.textContent = shortRangeText(period) + (totals === null ? ', not read' : '')
  }
  const latest = () => point(trend.length - 1)
  latest()
  canvas.addEventListener('pointerleave', latest)
  let drawn = 0
  // Redrawn for each width: if the chart only shrank, its labels would be too small to read on a phone.
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry?.contentRect.width ?? 0)
    if (width === 0 || width === drawn) return
    drawn = width
    draw(canvas, width, trend, point)
  }).observe(canvas)
  return html('figure', {}, html('figcaption', {}, 'Human visitors and AI readers'), legend, canvas)
}

function draw(
  canvas: SVGSVGElement,
  width: number,
  trend: readonly TrendPeriod[],
  point: (at: number) => void,
): void {
  const ticks = ticksUpTo(Math.max(0, ...known(trend).flatMap(({ human, ai }) => [human, ai])))
  const plane = planeOf(width, trend.length, ticks.at(-1) ?? 1)
  canvas.setAttribute('viewBox', `0 0 ${width} ${height}`)
  canvas.replaceChildren(
    ...trend.flatMap(({ totals }, at) => (totals === null ? gap(plane, at) : [])),
    ...ticks.flatMap((value) => gridLine(plane, value, compactText(value))),
    ...dayLabels(plane, trend),
    ...lines.map(({ key }) => line(plane, trend, key)),
    ...trend.map((_, at) => pointer(plane, at, point)),
  )
}

/** The geometry of a chart with a given width. @param top the value at its upper end */
function planeOf(width: number, periods: number, top: number) {
  const [left, right, bottom] = [margin.left, width - margin.right, height - margin.bottom]
  const band = (right - left) / periods
  return {
    periods,
    left,
    right,
    bottom,
    band,
    x: (at: number) => left + band * (at + 0.5),
    y: (value: number) => bottom - (value / top) * (bottom - margin.top),
  }
}

type Plane = ReturnType<typeof planeOf>

function gridLine(plane: Plane, value: number, label: string): SVGElement[] {
  const y = plane.y(value)
  return [
    svg('line', { class: value === 0 ? 'axis' : 'grid', x1: plane.left, x2: plane.right, y1: y, y2: y }),
    svg('text', { class: 'label', x: plane.left - 8, y: y + 4, 'text-anchor': 'end' }, label),
  ]
}

function dayLabels(plane: Plane, trend: readonly TrendPeriod[]): SVGElement[] {
  const places = placesToLabel(trend.length, plane.right - plane.left, labelWidth)
  return trend.flatMap(({ from }, at) =>
    places.has(at)
      ? svg('text', { class: 'label', x: plane.x(at), y: height - 6, 'text-anchor': 'middle' }, dayText(from))
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
function alternative(trend: readonly TrendPeriod[]): HTMLElement {
  const rows = trend.toReversed().map(({ from, to, totals }) => {
    const period = html('span', {}, rangeText({ from, to }), totals === null ? spoken(', not read') : null)
    return [period, ...columns.map((column) => valueText(column, totals))]
  })
  const table = figuresTable(['Period', ...columns.map(({ title }) => title)], rows)
  return html('details', { class: 'alternative' }, html('summary', {}, 'The figures behind the chart'), table)
}
