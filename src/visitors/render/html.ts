/** The report as a page without scripts, which opens from disk. */
import { showHidden } from '../../core/text.ts'
import { countText } from '../../core/units.ts'
import { type Block, type Column, type Figure, type Row, shownOf, type Table } from '../blocks.ts'
import { blocksOf } from '../compose.ts'
import { changeText } from '../figures.ts'
import { pageAddress, shortPath } from '../paths.ts'
import { rangeText } from '../period.ts'
import type { VisitorsReport } from '../report.ts'
import { style } from './style.ts'

/** Maximum number of rows in a table. visitors.csv and report.json have the others. */
const rowLimit = 200

/** The page. */
export function reportHtml(report: VisitorsReport): string {
  const blocks = blocksOf(report).map((block) => htmlOf(block, report.siteUrl))
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
        typeof part === 'string' ? escaped(part) : pageLink(part.page, site, part.shown),
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
      const about = block.page === null ? `“${escaped(block.search ?? '')}”` : pageLink(block.page, site)
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

function pageLink(path: string, site: string | null, shown = shortPath(path)): string {
  const address = pageAddress(site, path)
  const text = `<bdi>${escaped(shown)}</bdi>`
  return address === null ? text : `<a href="${escaped(address)}">${text}</a>`
}

function figureHtml({ id, title, now, change, remark, trend }: Figure): string {
  const facts = [
    change === null ? '' : changeHtml(changeText(change)),
    escaped(remark),
    trendLine(title, trend),
  ]
  const more = facts.map((fact) => (fact === '' ? '' : `<dd>${fact}</dd>`)).join('')
  return `<div class="${id}"><dt>${title}</dt><dd class="now">${countText(now)}</dd>${more}</div>`
}

/** A change, colored by its arrow. */
function changeHtml(text: string): string {
  const way = text.startsWith('▲') ? 'up' : 'down'
  return /^[▲▼]/.test(text) ? `<span class="${way}">${text}</span>` : text
}

/** A line on an axis that starts at zero. Screen readers get its dates and values. */
function trendLine(title: string, trend: Figure['trend']): string {
  const values = trend.map(({ value }) => value)
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)]
  const points = values.map((value, at) => {
    const x = (at / Math.max(1, values.length - 1)) * 100
    return `${x.toFixed(1)} ${(38 - ((value - low) / (high - low)) * 36).toFixed(1)}`
  })
  const facts = trend.map(({ period, value }) => `${rangeText(period)}: ${countText(value)}`)
  const paths = `<path class="axis" d="M0 38h100"/><path d="M${points.join('L')}"/><path class="dot" d="M${points.at(-1)}h0"/>`
  return `<svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label="${escaped(`${title}. ${facts.join('; ')}`)}">${paths}</svg>`
}

function tableHtml(block: Table, site: string | null): string {
  const { columns } = block
  const { title, note, rows } = shownOf(block, rowLimit)
  const head = columns.map(({ kind, title }) => `<th scope="col" class="${kind}">${title}</th>`).join('')
  const cells = (row: Row) => columns.map((column, at) => cellHtml(column, row, at === 0, site)).join('')
  const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')
  const table = `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody>\n</table>`
  const parts = `${soft(note)}${body === '' ? '' : table}${leftHtml(block, rows.length)}`
  return title === null ? parts : folded(title, parts)
}

function cellHtml(column: Column, row: Row, isFirst: boolean, site: string | null): string {
  const { path } = row
  const isPage = column.kind === 'page' && typeof path === 'string'
  const text = isPage ? pageLink(path, site) : escaped(column.text(row)) || '–'
  if (isFirst) return `<th scope="row">${text}</th>`
  return `<td class="${column.kind}">${changeHtml(text)}</td>`
}

/** Where the rows are that the page does not show. */
function leftHtml({ id, rows: { length: size } }: Table, shown: number): string {
  const file = id === 'pages' ? 'visitors.csv' : 'report.json'
  if (shown === size && (id !== 'pages' || size === 0)) return ''
  const part = shown === size ? '' : `${countText(shown)} of ${countText(size)} shown. `
  return `<p class="soft">${part}<a href="${file}">${file}</a> has all of them.</p>`
}
