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
import { rangeText } from '../period.ts'
import type { VisitorsReport } from '../report.ts'
import { style } from './style.ts'

/** Maximum number of rows in a table. visitors.csv and report.json have the others. */
const rowLimit = 50

/** The page. */
export function reportHtml(report: VisitorsReport): string {
  const blocks = blocksOf(report).map((block) => htmlOf(block, report.siteUrl))
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

function htmlOf(block: Block, site: string | null) {
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
    // Each figure has its own line.
    case 'chart':
      return ''
    case 'notes': {
      const items = block.notes.map((note) => `<li>${escapeHtml(note)}</li>`)
      return fold(block.title, `<ul>${items.join('')}</ul>`)
    }
    case 'table':
      return tableHtml(block, site)
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

/** A line on an axis that starts at zero. Screen readers get its dates and values. */
function trendLine(title: string, trend: Figure['trend']) {
  const values = trend.map(({ value }) => value)
  const low = Math.min(0, ...values)
  const height = Math.max(1, ...values) - low
  const last = Math.max(1, values.length - 1)
  const points = values.map((value, at) => {
    const x = (at / last) * 100
    const y = 38 - ((value - low) / height) * 36
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const facts = trend.map(({ period, value }) => `${rangeText(period)}: ${countText(value)}`)
  const label = escapeHtml(`${title}. ${facts.join('; ')}`)
  const paths = `<path class="axis" d="M0 38h100"/><path d="M${points.join('L')}"/><path class="dot" d="M${points.at(-1)}h0"/>`
  return `<svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="${label}">${paths}</svg>`
}

function tableHtml(block: Table, site: string | null) {
  const title = foldTitle(block)
  const first = Iterator.from(block.rows).take(rowLimit)
  const rows = first.map((row) => rowHtml(row, block, site)).toArray()
  const content = [soft(noteOf(block)), gridHtml(block, rows), restHtml(block, rows.length)].join('')
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
function restHtml({ id, rows }: Table, count: number) {
  const file = id === 'pages' ? 'visitors.csv' : 'report.json'
  const rest = `<a href="${file}">${file}</a> has all of them.</p>`
  if (count < rows.length) return `<p class="soft">${partText(count, rows.length)} shown. ${rest}`
  if (id === 'pages' && count > 0) return `<p class="soft">${rest}`
  return ''
}
