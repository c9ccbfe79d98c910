/** A page's address. A path is text from outside: it may try to lead elsewhere. */
import { shown } from './text.ts'

/**
 * The address of a page; null unless it is http(s), on the site's host and under its path. A path with hidden
 * characters has none either: what it opens would not be what is shown.
 */
export function pageAddress(site: string | null, path: string): string | null {
  if (site === null || shown(path) !== path) return null
  if (!URL.canParse(site) || !URL.canParse(site + path)) return null
  const base = new URL(site)
  const address = new URL(site + path)
  // After a "?" or a "#" the path would be no path.
  if (!/^https?:$/.test(base.protocol) || /[?#]/.test(site)) return null
  // The origin says nothing of a user name, which would make the host look like another.
  if (address.origin !== base.origin || address.username !== '' || address.password !== '') return null
  const folder = base.pathname.replace(/\/*$/, '/')
  return `${address.pathname}/`.startsWith(folder) ? address.href : null
}
