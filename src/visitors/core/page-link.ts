/** A page's path and address. A path is text from outside: it may try to lead elsewhere. */
import { cut, showHidden } from '../../core/text.ts'

/** Longest address that is linked, in characters: browsers and proxies take little more. */
const addressLimit = 2_000

/** A path on one line, as it may be shown and stored: hidden characters and line breaks are visible. */
export function visiblePath(path: string): string {
  const visible = showHidden(path).replace(/[\n\t]/g, (character) =>
    character === '\n' ? '\\u{A}' : '\\u{9}',
  )
  return visible === '' ? '/' : visible
}

/** Whether a path is a file that machines read, such as /llms.txt, and no page. */
export function isForMachines(path: string): boolean {
  return /\.(?:txt|json|ya?ml|xml|md|mdx)$/i.test(path) || path.startsWith('/.well-known/')
}

/** A path as it is shown, in at most so many characters. The rest of a long path is not processed. */
export function shortPath(path: string, limit = 120): string {
  return cut(visiblePath(path.slice(0, 10 * limit)), limit)
}

/**
 * A page's address; null unless it is http(s), on the site's host and under its path. A path with hidden characters has
 * none either: what it opens would not be what is shown.
 * @param site the address of the docs; null if pages are not linked
 */
export function pageAddress(site: string | null, path: string): string | null {
  if (site === null || path.length > addressLimit || visiblePath(path) !== (path || '/')) return null
  const base = URL.parse(site)
  const address = URL.parse(`${site}${path.startsWith('/') ? '' : '/'}${path}`)
  // After a "?" or a "#" the path would be no path.
  if (base === null || address === null || /[?#]/.test(site)) return null
  // The origin says nothing about a user name, which would make the host look like another.
  const hasAccount = address.username !== '' || address.password !== ''
  if (!/^https?:$/.test(base.protocol) || address.origin !== base.origin || hasAccount) return null
  // With a slash at its end: beside /docs there may be /docs-internal.
  const folder = base.pathname.replace(/\/*$/, '/')
  const isInside = `${address.pathname}/`.startsWith(folder)
  return isInside && address.href.length <= addressLimit ? address.href : null
}
