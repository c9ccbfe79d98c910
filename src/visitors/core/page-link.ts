/** A page's path and URL. A path is outside text, so it may try to lead elsewhere. */
import { cut, showHidden } from '../../core/text.ts'

/** Maximum length of a linked URL, in characters: browsers and proxies accept little more. */
const addressLimit = 2_000

/** A path on one line, safe to show and store: hidden characters and line breaks become visible. */
export function visiblePath(path: string): string {
  return showHidden(path).replace(/[\n\t]/g, (character) => (character === '\n' ? '\\u{A}' : '\\u{9}')) || '/'
}

/** Whether a path is a file for machines, such as /llms.txt, and not a page. */
export function isForMachines(path: string): boolean {
  return /\.(?:txt|json|ya?ml|xml|md|mdx)$/i.test(path) || path.startsWith('/.well-known/')
}

/** A path for display, with at most `limit` characters. The rest of a longer path is not processed. */
export function shortPath(path: string, limit = 120): string {
  return cut(visiblePath(path.slice(0, 3 * limit)), limit)
}

/**
 * A page's URL; null unless it is http(s), on the site's host and under the site's path. Also null for a path with
 * hidden characters, because its link would not open the page that it shows.
 * @param site the URL of the docs; null if pages are not linked
 */
export function pageAddress(site: string | null, path: string): string | null {
  if (site === null || path.length > addressLimit || visiblePath(path) !== (path || '/')) return null
  const base = URL.parse(site)
  const address = URL.parse(`${site}${path.startsWith('/') ? '' : '/'}${path}`)
  // If the site's URL had a "?" or "#", the path would become part of its query or fragment.
  if (base === null || address === null || /[?#]/.test(site)) return null
  // `origin` leaves out the user name, which could imitate another host.
  const hasAccount = address.username !== '' || address.password !== ''
  if (!/^https?:$/.test(base.protocol) || address.origin !== base.origin || hasAccount) return null
  // With a final slash, because /docs-internal is not under /docs.
  const folder = base.pathname.replace(/\/*$/, '/')
  const isInside = `${address.pathname}/`.startsWith(folder)
  return isInside && address.href.length <= addressLimit ? address.href : null
}
