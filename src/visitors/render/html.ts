/** The report as a page without scripts, which opens from disk. */
import { showHidden } from '../../core/text.ts'
import { countText } from '../../core/units.ts'
import {
  type Block,
  type Figure,
  foldTitle,
  noteOf,
  type Part,
  type Row,
  subjectOf,
  type Table,
  targetOf,
} from '../blocks.ts'
import { blocksOf } from '../compose.ts'
import { changeText, partText } from '../figures.ts'
import { pageAddress } from '../paths.ts'
import { rangeText } from '../period.ts'
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
export function reportHtml(report: VisitorsReport, runUrl: string) {
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

function htmlOf(block: Block, links: Links) {
  switch (block.kind) {
    case 'title':
      return `<p class="soft"><strong>${block.days}</strong> ${block.against}.</p>`
    case 'headline': {
      const parts = block.parts.map((part) => partHtml(part, links))
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
      const subject = partHtml(targetOf(block), links)
      return `<h3>${subject}</h3><pre>${escapeHtml(block.command)}</pre>${soft(block.because)}`
    }
    case 'chart':
      return chartHtml(block)
    case 'notes': {
      const items = block.notes.map((note) => `<li>${escapeHtml(note)}</li>`)
      return fold(block.title, `<ul>${items.join('')}</ul>`)
    }
    case 'table':
      return tableHtml(block, links)
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

/** @param title null if nothing is folded */
function fold(title: string | null, content: string) {
  if (title === null) return content
  return `<details><summary>${escapeHtml(title)}</summary>\n${content}\n</details>`
}

function partHtml({ text, page }: Part, { site }: Links) {
  if (page === undefined) return escapeHtml(text)
  const address = pageAddress(site, page)
  const path = `<bdi>${escapeHtml(text)}</bdi>`
  if (address === null) return path
  return `<a href="${escapeHtml(address)}">${path}</a>`
}

function figureHtml(figure: Figure) {
  const { id, title, now, change, remark } = figure
  const facts = [changeHtml(changeText(change)), escapeHtml(remark), lineHtml(figure)]
  const more = facts.filter(Boolean).map((fact) => `<dd>${fact}</dd>`)
  return `<div class="${id}"><dt>${title}</dt><dd class="now">${countText(now)}</dd>${more.join('')}</div>`
}

/** A change, colored by its arrow. */
function changeHtml(text: string) {
  if (text.startsWith('▲')) return `<span class="up">${text}</span>`
  if (text.startsWith('▼')) return `<span class="down">${text}</span>`
  return text
}

function valuesOf({ trend }: Figure) {
  return trend.map(({ value }) => value)
}

/** A figure's line, between the lowest and the highest of `values`. Screen readers get its dates and values. */
function lineHtml(figure: Figure, values = valuesOf(figure)) {
  const { id, title, trend } = figure
  if (trend.length === 0) return ''
  const low = Math.min(...values)
  const height = Math.max(...values) - low || 1
  const last = Math.max(1, trend.length - 1)
  const points = trend.map(({ value }, at) => {
    const x = (at / last) * 100
    const y = 38 - ((value - low) / height) * 36
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const facts = trend.map(({ period, value }) => `${rangeText(period)}: ${countText(value)}`)
  const label = escapeHtml(`${title}. ${facts.join('; ')}`)
  const paths = `<path d="M${points.join('L')}"/><path class="dot" d="M${points.at(-1)}h0"/>`
  return `<svg class="${id}" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="${label}">${paths}</svg>`
}

/** The lines of all figures on one axis, which starts at zero. */
function chartHtml({ labels, figures }: Extract<Block, { kind: 'chart' }>) {
  const values = [0, ...figures.flatMap(valuesOf)]
  const lines = figures.map((figure) => lineHtml(figure, values))
  const names = figures.map(({ id, title }) => `<span class="key ${id}">${title}</span>`)
  const axis = `<p class="axis soft"><span>${labels[0]}</span><span>${labels.at(-1)}</span></p>`
  return `<p>${names.join(' ')}</p><div class="chart">${lines.join('')}</div>${axis}`
}

function tableHtml(block: Table, links: Links) {
  const rows = block.rows.slice(0, rowLimit).map((row) => rowHtml(row, block, links))
  const content = [soft(noteOf(block)), gridHtml(block, rows), restHtml(block, links)]
  return fold(foldTitle(block), content.join(''))
}

function gridHtml({ columns }: Table, rows: string[]) {
  if (rows.length === 0) return ''
  const heads = columns.map(({ kind, title }) => `<th scope="col" class="${kind}">${title}</th>`)
  return `<table>\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>${rows.join('\n')}</tbody>\n</table>`
}

function rowHtml(row: Row, { columns: [first, ...others] }: Table, links: Links) {
  const subject = partHtml(subjectOf(first, row), links) || '–'
  const facts = others.map((column) => {
    const text = escapeHtml(column.text(row)) || '–'
    return `<td class="${column.kind}">${changeHtml(text)}</td>`
  })
  return `<tr><th scope="row">${subject}</th>${facts.join('')}</tr>`
}

/** Where the rows are that the page does not show. */
function restHtml({ id, rows }: Table, { runUrl }: Links) {
  if (rows.length <= rowLimit) return ''
  const file = id === 'pages' ? 'visitors.csv' : 'report.json'
  const run = `<a href="${escapeHtml(runUrl)}">the run</a>`
  return `<p class="soft">${partText(rowLimit, rows.length)} shown. ${file} of ${run} has all of them.</p>`
}
