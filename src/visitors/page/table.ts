/** The table of all pages, sorted and searchable, one screenful of rows at a time. */
import { columnChange, columns, valueText } from '../core/columns.ts'
import { countsOrNone, type PageFigures } from '../core/counts.ts'
import { counted, countText, pagesText, signedText } from '../core/figures.ts'
import { isForMachines, shortened, shown } from '../core/page-link.ts'
import { html, section, spoken } from './dom.ts'
import { changeMark, foldedList, pathMark } from './parts.ts'
import { type ColumnId, type Direction, figuresOf, makeSelect, scaleOf } from './rows.ts'
import type { Page, VisitorsReport } from './visitors-report.ts'

/** Number of rows to show at a time: so few that drawing them is instant on a site of any size. */
const pageSize = 20

const titles = new Map<ColumnId, string>([
  ['path', 'Page'],
  ...columns.map(({ id, title }): [ColumnId, string] => [id, title]),
  ['change', 'Change'],
])

/** The section with all pages. */
export function allPages(report: VisitorsReport): HTMLElement {
  const intro = html('p', { class: 'hint' }, introduction(report))
  if (report.pages.length === 0) {
    const none = isNarrowed(report) ? 'No page matches the filter.' : 'No page had a visitor.'
    return section('pages', 'All pages', intro, html('p', { class: 'nothing empty' }, none))
  }
  const files = report.pages.filter(({ path }) => isForMachines(path))
  const pages = report.pages.filter(({ path }) => !isForMachines(path))
  return section('pages', 'All pages', intro, ...table({ ...report, pages }), filesFold(files, report))
}

/** Files that only machines read share one row, which unfolds. */
function filesFold(files: readonly Page[], { site, period }: VisitorsReport): HTMLElement | null {
  if (files.length === 0) return null
  const items = files.map(({ path, current }) => {
    const now = countsOrNone(current, period.complete)
    return html(
      'li',
      {},
      pathMark(site, path),
      `: ${now === null ? 'not read' : counted(now.total, 'visitor')}`,
    )
  })
  return foldedList('files', `Files that machines read (${countText(files.length)})`, items)
}

const isNarrowed = ({ filter }: VisitorsReport) => filter.include.length + filter.exclude.length > 0

function introduction(report: VisitorsReport): string {
  const now = report.pages.filter(({ current }) => (current?.total ?? 0) > 0).length
  const parts = [
    pagesText(now, report.pages.length - now),
    'Someone who visits several pages counts on each page, so pages do not add up to the totals.',
  ]
  const { include, exclude } = report.filter
  if (include.length > 0) parts.push(`Only paths matching ${listed(include)}.`)
  if (exclude.length > 0) parts.push(`Paths matching ${listed(exclude)} are left out.`)
  if (report.site !== null) parts.push('Links open in a new tab.')
  return parts.join(' ')
}

const listed = (patterns: string[]) => patterns.map((pattern) => shown(pattern)).join(', ')

/** The search field, the table and the pager. They update together. */
function table(report: VisitorsReport): HTMLElement[] {
  const shownColumns = [...titles.keys()].filter((id) => id !== 'change' || report.compared !== null)
  const select = makeSelect(report)
  const state = { column: 'visitors' as ColumnId, direction: 'descending' as Direction, search: '', start: 0 }

  const search = html('input', {
    type: 'search',
    id: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'Part of a path',
  })
  const status = html('p', { class: 'status', role: 'status', 'aria-live': 'polite' })
  const toolbar = html(
    'div',
    { class: 'toolbar' },
    html('label', { for: 'search' }, 'Search pages'),
    search,
    status,
  )

  const headers = new Map(shownColumns.map((id) => [id, header(id)]))
  const body = html('tbody', { role: 'rowgroup' })
  const grid = html(
    'table',
    // Roles are explicit, because some browsers drop them when a phone's layout makes the table a grid.
    { role: 'table', class: 'all' },
    html(
      'caption',
      { class: 'spoken' },
      'All pages. Use the buttons in the column headers to sort the table.',
    ),
    html(
      'thead',
      { role: 'rowgroup' },
      html('tr', { role: 'row', 'aria-rowindex': 1 }, ...[...headers.values()].map(({ cell }) => cell)),
    ),
    body,
  )
  // On a phone, a page's figures are next to each other below its path.
  grid.style.setProperty('--figures', String(shownColumns.length - 1))
  const empty = html('p', { class: 'nothing empty', hidden: true }, 'No page matches the search.')
  const pager = makePager((start) => {
    state.start = start
    show()
    // The pager stays in view, so the page scrolls back to the first new row.
    if (grid.getBoundingClientRect().top < 0) grid.scrollIntoView({ block: 'start' })
  })

  function show(): void {
    const selected = select(state.column, state.direction, state.search)
    const end = Math.min(state.start + pageSize, selected.length)
    const visible = [...selected.subarray(state.start, end)].flatMap((index) => report.pages[index] ?? [])
    body.replaceChildren(
      ...visible.map((page, offset) => row(page, report, shownColumns, state.start + offset + 2)),
    )
    grid.setAttribute('aria-rowcount', String(selected.length + 1))
    for (const [column, { cell, arrow }] of headers) {
      const sort = column === state.column ? state.direction : 'none'
      cell.setAttribute('aria-sort', sort)
      arrow.textContent = { ascending: '↑', descending: '↓', none: '' }[sort]
    }
    grid.hidden = selected.length === 0
    empty.hidden = selected.length > 0
    const order = ` sorted by ${titles.get(state.column)}, ${state.direction}`
    status.replaceChildren(found(selected.length, report.pages.length, state.search), spoken(order))
    pager.update(state.start, end, selected.length)
  }

  for (const [column, { button }] of headers) {
    button.addEventListener('click', () => {
      const first = column === 'path' ? 'ascending' : 'descending'
      const other = state.direction === 'ascending' ? 'descending' : 'ascending'
      state.direction = column === state.column ? other : first
      state.column = column
      state.start = 0
      show()
    })
  }
  search.addEventListener('input', () => {
    state.search = search.value
    state.start = 0
    show()
  })
  show()
  return [toolbar, grid, empty, pager.element]
}

function found(matching: number, all: number, search: string): string {
  if (search.trim() === '') return counted(all, 'page')
  return `${countText(matching)} of ${counted(all, 'page')} match “${shortened(shown(search.trim()), 40)}”`
}

function header(column: ColumnId) {
  const arrow = html('span', { class: 'arrow', 'aria-hidden': 'true' })
  const button = html('button', { type: 'button' }, titles.get(column) ?? '', arrow)
  const cell = html('th', { role: 'columnheader', scope: 'col', class: column, 'aria-sort': 'none' }, button)
  return { arrow, button, cell }
}

function row(page: Page, report: VisitorsReport, shownColumns: ColumnId[], index: number): HTMLElement {
  const figures = figuresOf(page, report)
  const cells = shownColumns.map((column) =>
    column === 'path'
      ? html('th', { role: 'rowheader', scope: 'row', class: column }, pathMark(report.site, page.path))
      : html('td', { role: 'cell', class: column }, cell(column, figures, scaleOf(report))),
  )
  return html('tr', { role: 'row', 'aria-rowindex': index }, ...cells)
}

/** A dash for a missing figure, with the reason for screen readers. */
const unknown = (why: string) =>
  html('span', { class: 'unknown' }, html('span', { 'aria-hidden': 'true' }, '–'), spoken(why))

function cell(id: ColumnId, figures: PageFigures, scale: number): Node {
  if (id === 'change') return changeCell(figures, scale)
  const column = columns.find((one) => one.id === id)
  const { now } = figures
  if (now === null || column === undefined) return unknown('not read')
  return document.createTextNode(valueText(column, now))
}

function changeCell({ now, before }: PageFigures, scale: number): Node {
  if (now === null || before === null) return unknown('not read in both periods')
  const change = columnChange(columns[0], now, before, scale)
  // Between periods of unequal length, a difference would mislead, so only the percentage is shown.
  if (scale !== 1 || now.total === before.total) return changeMark({ ...change, isSmall: false })
  const difference = signedText(now.total - before.total)
  return changeMark({ ...change, text: difference, isSmall: false }, ' ', html('small', {}, change.text))
}

/** The buttons that step through the rows. A button that leads nowhere is marked as disabled, but keeps the focus. */
function makePager(go: (start: number) => void) {
  const position = { start: 0, total: 0 }
  const last = () => Math.max(0, Math.floor((position.total - 1) / pageSize) * pageSize)
  const targets = {
    First: () => 0,
    Previous: () => Math.max(0, position.start - pageSize),
    Next: () => Math.min(last(), position.start + pageSize),
    Last: last,
  }
  const range = html('p', { class: 'range', role: 'status', 'aria-live': 'polite' })
  const buttons = Object.entries(targets).map(([title, target]) => {
    const button = html('button', { type: 'button' }, title)
    button.addEventListener('click', () => {
      if (target() !== position.start) go(target())
    })
    return { button, target }
  })
  const element = html(
    'nav',
    { class: 'pager', 'aria-label': 'Rows of the table' },
    range,
    html('div', { class: 'steps' }, ...buttons.map(({ button }) => button)),
  )
  return {
    element,
    update(start: number, end: number, total: number): void {
      position.start = start
      position.total = total
      element.hidden = total <= pageSize
      range.textContent = `Rows ${countText(start + 1)}–${countText(end)} of ${countText(total)}`
      for (const { button, target } of buttons) {
        button.setAttribute('aria-disabled', String(target() === start))
      }
    },
  }
}
