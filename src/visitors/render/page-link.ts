/** A page's path in Markdown. */
import { code, codeLink } from '../../render/markdown.ts'
import { pageAddress, shortPath } from '../core/page-link.ts'

/** A page's path, linked if it has an address on the site. */
export function pageLink(path: string, siteUrl: string | null): string {
  const address = pageAddress(siteUrl, path)
  return address === null ? code(shortPath(path)) : codeLink(shortPath(path), address)
}
