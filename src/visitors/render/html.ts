/** The report as a page without scripts, which opens from disk. */
import { showHidden } from '../../core/text.ts'
import {
  type Block,
  type Column,
  type Figure,
  isChange,
  type PageRef,
  type Row,
  type Table,
} from '../core/blocks.ts'
import type { Change } from '../core/change.ts'
import { blocksOf } from '../core/compose.ts'
import { changeText, countText, rangeText } from '../core/format.ts'
import { pageAddress, shortPath } from '../core/page-link.ts'
import type { VisitorsReport } from '../core/report.ts'
import { style } from './style.ts'

/** Maximum number of rows in a table. visitors.csv and report.json have the others. */
const rowLimit = 200

/** The page. */
export function reportHtml(report: VisitorsReport): string {
  const { brief, details } = blocksOf(report)
  const blocks = [...brief, ...details].map((block) => htmlOf(block, report.siteUrl))
  const title = `Docs visitors: ${escaped(report.projectId)}`
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

function htmlOf(block: Block, site: string | null): string {
  switch (block.kind) {
    case 'title':
      return `<p class="soft"><strong>${block.days}</strong> ${block.against}.</p>`
    case 'headline': {
      const parts = block.parts.map((part) =>
        typeof part === 'string' ? escaped(part) : pageLink(part, site),
      )
      return `<p class="headline${block.isAlert ? ' alert' : ''}">${parts.join(' ')}</p>`
    }
    case 'figures':
      return `<dl class="figures">${block.figures.map(figureHtml).join('')}</dl>`
    case 'warning':
      return `<p class="warning">${escaped(block.text)}</p>`
    case 'heading':
      return `</section>\n<section>\n<h2>${escaped(block.text)}</h2>`
    case 'paragraph':
      return soft(block.text)
    case 'command': {
      const about =
        typeof block.about === 'string' ? `“${escaped(block.about)}”` : pageLink(block.about, site)
      return `<h3>${about}</h3><pre>${escaped(block.command)}</pre>${soft(block.because)}`
    }
    // Each figure has its own line.
    case 'chart':
      return ''
    case 'notes':
      return folded(
        block.title,
        `<ul>${block.notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>`,
      )
    case 'table':
      return tableHtml(block, site)
  }
}

/** Outside text as text, with hidden characters visible. */
function escaped(text: string): string {
  return showHidden(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

function soft(text: string): string {
  return text === '' ? '' : `<p class="soft">${escaped(text)}</p>`
}

function folded(title: string, content: string): string {
  return `<details><summary>${escaped(title)}</summary>\n${content}\n</details>`
}

function pageLink({ page, shown = shortPath(page) }: PageRef, site: string | null): string {
  const address = pageAddress(site, page)
  const text = `<bdi>${escaped(shown)}</bdi>`
  return address === null ? text : `<a href="${escaped(address)}">${text}</a>`
}

function figureHtml({ id, title, now, change, remark, trend }: Figure): string {
  const facts = [change === null ? '' : changeHtml(change), escaped(remark), trendLine(title, trend)]
  const more = facts.map((fact) => (fact === '' ? '' : `<dd>${fact}</dd>`)).join('')
  return `<div class="${id}"><dt>${title}</dt><dd class="now">${countText(now)}</dd>${more}</div>`
}

function changeHtml(change: Change): string {
  return `<span class="${change.direction}">${changeText(change)}</span>`
}

/** A line on an axis that starts at zero. Screen readers get its dates and values. */
function trendLine(title: string, trend: Figure['trend']): string {
  const known = trend.flatMap(({ value }) => value ?? [])
  const [low, high] = [Math.min(0, ...known), Math.max(1, ...known)]
  const points = trend.map(({ value }, at) => {
    if (value === null) return null
    const x = (at / Math.max(1, trend.length - 1)) * 100
    return `${x.toFixed(1)} ${(38 - ((value - low) / (high - low)) * 36).toFixed(1)}`
  })
  const line = points
    .map((point, at) => (point === null ? '' : `${points[at - 1] ? 'L' : 'M'}${point}`))
    .join('')
  const values = trend.map(
    ({ period, value }) => `${rangeText(period)}: ${value === null ? 'not read' : countText(value)}`,
  )
  const dot = `<path class="dot" d="M${points.at(-1)}h0"/>`
  return `<svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="${escaped(`${title}. ${values.join('; ')}`)}"><path class="axis" d="M0 38h100"/><path d="${line}"/>${dot}</svg>`
}

function tableHtml(block: Table, site: string | null): string {
  const { size, gap, nothing = '', fold } = block
  const columns = block.columns.filter(({ title }) => title !== null)
  const rows: string[] = []
  for (const row of block.rows) {
    if (rows.length === rowLimit) break
    rows.push(`<tr>${columns.map((column, at) => cellHtml(column, row, at === 0, site)).join('')}</tr>`)
  }
  const head = columns.map(({ kind, title }) => `<th scope="col" class="${kind}">${title}</th>`).join('')
  const body = `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>${rows.join('\n')}</tbody>\n</table>`
  const parts = [
    soft(gap ?? (size === 0 ? nothing : '')),
    rows.length === 0 ? '' : body,
    leftHtml(block, rows.length),
  ]
  return fold === undefined || size === 0
    ? parts.join('')
    : folded(`${fold} (${countText(size)})`, parts.join(''))
}

function cellHtml(column: Column, row: Row, isFirst: boolean, site: string | null): string {
  const value = row[column.key]
  const isPage = column.kind === 'page' && typeof value === 'string'
  const text = isPage ? pageLink({ page: value }, site) : escaped(column.text(row)) || '–'
  if (isFirst) return `<th scope="row">${text}</th>`
  return `<td class="${column.kind}">${isChange(value) && text !== '–' ? changeHtml(value) : text}</td>`
}

/** Where the rows are that the page does not show. */
function leftHtml({ id, size }: Table, shown: number): string {
  const file = id === 'pages' ? 'visitors.csv' : 'report.json'
  if (shown === size && (id !== 'pages' || size === 0)) return ''
  return `<p class="soft">${countText(shown)} of ${countText(size)} shown. <a href="${file}">${file}</a> has all of them.</p>`
}
