/** Parts that several sections use: a page's path, a change. */
import type { ColumnChange } from '../core/columns.ts'
import { pageAddress, shortened, visiblePath } from '../core/page-link.ts'
import { type Child, html, spoken } from './dom.ts'

/** Maximum length of a path, in characters. A click shows the rest of a longer one. */
const pathLimit = 120

const arrows = { up: '▲', down: '▼' }
const words = { up: 'up ', down: 'down ', level: '' }

/** A change. A plus or minus sign, an arrow and a word show its direction; the color only repeats it. */
export function changeMark({ direction, text, isSmall }: ColumnChange, ...more: Child[]): HTMLElement {
  return html(
    'span',
    { class: `change ${direction}` },
    direction === 'level' ? null : html('span', { class: 'arrow', 'aria-hidden': 'true' }, arrows[direction]),
    spoken(words[direction]),
    text,
    isSmall ? ' ' : null,
    isSmall ? html('small', {}, 'small numbers') : null,
    ...more,
  )
}

/** A page's path, linked if its URL is on the site. */
export function pathMark(site: string | null, path: string): HTMLElement {
  const whole = visiblePath(path)
  const short = shortened(whole, pathLimit)
  const mark = pathLink(site, path)
  if (short === whole) return html('span', { class: 'path' }, mark)
  const full = html(
    'details',
    {},
    html('summary', {}, 'Full path'),
    html('bdi', { dir: 'ltr', class: 'whole' }, whole),
  )
  return html('span', { class: 'path' }, mark, full)
}

/** A table of figures. The first column names the rows. */
export function figuresTable(head: readonly string[], rows: readonly Child[][]): HTMLElement {
  const titles = head.map((title) => html('th', { scope: 'col' }, title))
  const body = rows.map(([first = null, ...figures]) =>
    html('tr', {}, html('th', { scope: 'row' }, first), ...figures.map((figure) => html('td', {}, figure))),
  )
  return html(
    'table',
    { class: 'figures' },
    html('thead', {}, html('tr', {}, ...titles)),
    html('tbody', {}, ...body),
  )
}

/** A list that unfolds. */
export function foldedList(className: string, title: string, items: readonly HTMLElement[]): HTMLElement {
  const list = html('ul', { class: 'words', role: 'list' }, ...items)
  return html('details', { class: className }, html('summary', {}, title), list)
}

/** A link to an http(s) URL; only the text for any other URL. */
export function webLink(text: string, address: string): Child {
  const isWeb = /^https?:$/.test(URL.parse(address)?.protocol ?? '')
  return isWeb ? html('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, text) : text
}

/** A page's path within a sentence, shortened if needed. */
export function pathLink(site: string | null, path: string, shown = visiblePath(path)): HTMLElement {
  const address = pageAddress(site, path)
  // A path reads from left to right, even if its letters do not.
  const text = html('bdi', { dir: 'ltr' }, shortened(shown, pathLimit))
  return address === null
    ? text
    : html('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, text)
}
