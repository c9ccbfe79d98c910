/** A page's path in Markdown. */
import { code, codeLink } from '../../render/markdown.ts'
import { pageAddress, shortPath } from '../core/page-link.ts'

/** A page's path, shortened if needed, and linked if its URL is on the site. */
export function pageLink(path: string, siteUrl: string | null, shown = shortPath(path)): string {
  const address = pageAddress(siteUrl, path)
  return address === null ? code(shown) : codeLink(shown, address)
}
