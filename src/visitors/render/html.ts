/** The report as a page without scripts, which opens from disk. */
import { showHidden } from '../../core/text.ts'
import { countText } from '../../core/units.ts'
import {
  type Block,
  type Figure,
  foldTitle,
  noteOf,
  type Part,
  pagePart,
  type Row,
  subjectOf,
  type Table,
} from '../blocks.ts'
import { blocksOf } from '../compose.ts'
import { changeText, partText } from '../figures.ts'
import { pageAddress } from '../paths.ts'
import { axisLabels, rangeText } from '../period.ts'
import type { VisitorsReport } from '../report.ts'
import { style } from './style.ts'

/** The addresses that the page links. */
interface Links {
  /** The URL of the docs; null if pages are not linked. */
  site: string | null
  runUrl: string
}

/** Maximum number of rows in a table. visitors.csv and report.json have the others. */
const rowLimit = 50

/** The page. */
export function reportHtml(report: VisitorsReport, runUrl: string): string {
  const blocks = blocksOf(report).map((block) => htmlOf(block, { site: report.siteUrl, runUrl }))
  const title = `Docs visitors: ${escapeHtml(report.projectId)}`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<section>
<h1>${title}</h1>
${blocks.join('\n')}
</section>
</main>
</body>
</html>
`
}

function htmlOf(block: Block, { site, runUrl }: Links) {
  switch (block.kind) {
    case 'title':
      return `<p class="soft"><strong>${block.days}</strong> ${block.against}.</p>`
    case 'headline': {
      const parts = block.parts.map((part) => partHtml(part, site))
      const look = block.isAlert ? 'headline alert' : 'headline'
      return `<p class="${look}">${parts.join(' ')}</p>`
    }
    case 'figures':
      return `<dl class="figures">${block.figures.map(figureHtml).join('')}</dl>`
    case 'warning':
      return `<p class="warning">${escapeHtml(block.text)}</p>`
    case 'heading':
      return `</section>\n<section>\n<h2>${escapeHtml(block.text)}</h2>`
    case 'paragraph':
      return soft(block.text)
    case 'command': {
      const subject = block.page === null ? { text: `“${block.search ?? ''}”` } : pagePart(block.page)
      return `<h3>${partHtml(subject, site)}</h3><pre>${escapeHtml(block.command)}</pre>${soft(block.because)}`
    }
    case 'chart':
      return chartHtml(block.figures)
    case 'notes': {
      const items = block.notes.map((note) => `<li>${escapeHtml(note)}</li>`)
      return fold(block.title, `<ul>${items.join('')}</ul>`)
    }
    case 'table':
      return tableHtml(block, { site, runUrl })
  }
}

/** Outside text as text, with hidden characters visible. */
function escapeHtml(text: string) {
  return showHidden(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

function soft(text: string) {
  if (text === '') return ''
  return `<p class="soft">${escapeHtml(text)}</p>`
}

function fold(title: string, content: string) {
  return `<details><summary>${escapeHtml(title)}</summary>\n${content}\n</details>`
}

function partHtml({ text, page }: Part, site: string | null) {
  if (page === undefined) return escapeHtml(text)
  const address = pageAddress(site, page)
  const path = `<bdi>${escapeHtml(text)}</bdi>`
  if (address === null) return path
  return `<a href="${escapeHtml(address)}">${path}</a>`
}

function figureHtml({ id, title, now, change, remark, trend }: Figure) {
  const facts = [changeHtml(changeText(change)), escapeHtml(remark), trendLine(title, trend)]
  const more = facts.filter(Boolean).map((fact) => `<dd>${fact}</dd>`)
  return `<div class="${id}"><dt>${title}</dt><dd class="now">${countText(now)}</dd>${more.join('')}</div>`
}

/** A change, colored by its arrow. */
function changeHtml(text: string) {
  if (text.startsWith('▲')) return `<span class="up">${text}</span>`
  if (text.startsWith('▼')) return `<span class="down">${text}</span>`
  return text
}

/** A figure's line, from its lowest value to its highest. Screen readers get its dates and values. */
function trendLine(title: string, trend: Figure['trend']) {
  if (trend.length === 0) return ''
  const values = trend.map(({ value }) => value)
  const facts = trend.map(({ period, value }) => `${rangeText(period)}: ${countText(value)}`)
  const label = escapeHtml(`${title}. ${facts.join('; ')}`)
  return svg(label, linePath(values, Math.min(...values), Math.max(...values)))
}

/** The lines of all figures on one axis, which starts at zero. */
function chartHtml(figures: Figure[]) {
  const [first] = figures
  if (first === undefined) return ''
  const all = figures.flatMap(({ trend }) => trend.map(({ value }) => value))
  const lines = figures.map(({ id, trend }) => {
    const values = trend.map(({ value }) => value)
    return `<g class="${id}">${linePath(values, Math.min(0, ...all), Math.max(1, ...all))}</g>`
  })
  const names = figures.map(({ id, title }) => `<span class="key ${id}">${title}</span>`)
  const ends = axisLabels(first.trend.map(({ period }) => period))
  const axis = `<p class="axis soft"><span>${ends.at(0)}</span><span>${ends.at(-1)}</span></p>`
  return `<div class="chart"><p>${names.join(' ')}</p>${svg('Trend of all visitors', lines.join(''))}${axis}</div>`
}

function svg(label: string, content: string) {
  return `<svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="${label}">${content}</svg>`
}

function linePath(values: readonly number[], low: number, high: number) {
  const last = Math.max(1, values.length - 1)
  const points = values.map((value, at) => {
    const x = (at / last) * 100
    const y = 38 - ((value - low) / (high - low || 1)) * 36
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return `<path d="M${points.join('L')}"/><path class="dot" d="M${points.at(-1)}h0"/>`
}

function tableHtml(block: Table, { site, runUrl }: Links) {
  const title = foldTitle(block)
  const first = Iterator.from(block.rows).take(rowLimit)
  const rows = first.map((row) => rowHtml(row, block, site)).toArray()
  const content = [soft(noteOf(block)), gridHtml(block, rows), restHtml(block, rows.length, runUrl)].join('')
  if (title === null) return content
  return fold(title, content)
}

function gridHtml({ columns }: Table, rows: string[]) {
  if (rows.length === 0) return ''
  const heads = columns.map(({ kind, title }) => `<th scope="col" class="${kind}">${title}</th>`)
  return `<table>\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>${rows.join('\n')}</tbody>\n</table>`
}

function rowHtml(row: Row, { columns }: Table, site: string | null) {
  const [first, ...others] = columns
  const subject = partHtml(subjectOf(first, row), site) || '–'
  const facts = others.map((column) => {
    const text = escapeHtml(column.text(row)) || '–'
    return `<td class="${column.kind}">${changeHtml(text)}</td>`
  })
  return `<tr><th scope="row">${subject}</th>${facts.join('')}</tr>`
}

/** Where the rows are that the page does not show. */
function restHtml({ id, rows }: Table, count: number, runUrl: string) {
  if (count === rows.length) return ''
  const file = id === 'pages' ? 'visitors.csv' : 'report.json'
  const run = `<a href="${escapeHtml(runUrl)}">the run</a>`
  return `<p class="soft">${partText(count, rows.length)} shown. ${file} of ${run} has all of them.</p>`
}
