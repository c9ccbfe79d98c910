/** Parts that several sections show: a page's path, a change. */
import { type Child, html, spoken } from './dom.ts'
import { pageAddress } from './link.ts'
import { type Change, shortened, shown } from './text.ts'

/** Longer paths than this are shortened, with the whole text a click away. */
const pathLimit = 120

const arrows = { up: '▲', down: '▼' }
const words = { up: 'up ', down: 'down ', level: '' }

/** A change: its sign, an arrow and a word say the direction, the colour only repeats it. */
export function changeMark(change: Change, ...more: Child[]): HTMLElement {
  const { direction, text } = change
  return html(
    'span',
    { class: `change ${direction}` },
    direction === 'level' ? null : html('span', { class: 'arrow', 'aria-hidden': 'true' }, arrows[direction]),
    spoken(words[direction]),
    text,
    ...more,
  )
}

/** A page's path: a link where it leads to the site, else text. */
export function pathMark(site: string | null, path: string): HTMLElement {
  const whole = path === '' ? '(empty path)' : shown(path)
  const short = shortened(whole, pathLimit)
  const address = pageAddress(site, path)
  // A path reads from left to right, whatever letters are in it.
  const text = html('bdi', { dir: 'ltr' }, short)
  const mark =
    address === null ? text : html('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, text)
  if (short === whole) return html('span', { class: 'path' }, mark)
  const full = html(
    'details',
    {},
    html('summary', {}, 'Full path'),
    html('bdi', { dir: 'ltr', class: 'whole' }, whole),
  )
  return html('span', { class: 'path' }, mark, full)
}
