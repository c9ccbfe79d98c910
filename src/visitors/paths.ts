/** A page's path and URL. A path is outside text, so it may try to lead elsewhere. */
import { isSelected } from '../core/globs.ts'
import { cut, showHidden } from '../core/text.ts'

/** Maximum length of a linked URL, in characters: browsers and proxies accept little more. */
const addressLimit = 2_000

/** A path on one line, safe to show and store: hidden characters and line breaks become visible. */
export function visiblePath(path: string) {
  return showHidden(path).replaceAll('\n', '\\u{A}').replaceAll('\t', '\\u{9}') || '/'
}

/** A path for display, with at most 120 characters. The rest of a longer path is not processed. */
export function shortPath(path: string) {
  return cut(visiblePath(path.slice(0, 360)), 120)
}

/** Whether a path is a file for machines, such as /llms.txt, which nobody improves. */
export function isForMachines(path: string) {
  return /\.(?:txt|json|ya?ml|xml|mdx?)$/i.test(path) || path.startsWith('/.well-known/')
}

/** Whether a path is safe in any text: it cannot become a mention, link, formatting or sentence. */
export function isPlainPath(path: string | null): path is string {
  return path !== null && path.length <= 120 && /^\/(?!.*www\.)[A-Za-z0-9/._~-]*$/i.test(path)
}

/**
 * Whether a list of globs selects a page. Ignores leading slashes: the platform decides whether paths have one. A folder
 * includes its first page: Mintlify gives `guides/index.mdx` the path `/guides`.
 */
export function isListed(path: string, globs: readonly string[]) {
  if (globs.length === 0) return true
  const bare = globs.map((glob) => glob.replace(/^(!?)\/+|\/+$/g, '$1'))
  // Also in braces: `{guides,api}/**`, `{guides/**,api/**}`.
  const folders = bare.map((glob) => glob.replace(/\/\*\*(?=$|[,}])/g, ''))
  return isSelected(path.replace(/^\/+/, ''), [...bare, ...folders])
}

/**
 * A page's URL; null unless it is http(s), on the site's host and under the site's path. Also null for a path with
 * hidden characters, because its link would not open the page that it shows.
 * @param site the URL of the docs; null if pages are not linked
 */
export function pageAddress(site: string | null, path: string) {
  if (site === null || path.length > addressLimit) return null
  if (visiblePath(path) !== (path || '/')) return null
  const base = URL.parse(site)
  const separator = path.startsWith('/') ? '' : '/'
  // A path from a title such as “What is new?” must not end at its question mark.
  const escapes = path.replace(/[?#]|%(?![\da-f]{2})/gi, encodeURIComponent)
  const address = URL.parse(`${site}${separator}${escapes}`)
  if (base === null || address === null) return null
  // With a final slash, because /docs-internal is not under /docs.
  const folder = base.pathname.replace(/\/*$/, '/')
  const isInside = address.origin === base.origin && `${address.pathname}/`.startsWith(folder)
  return isInside && address.href.length <= addressLimit ? address.href : null
}
