/** Markdown that shows outside text as text: no link, mention, image, HTML or table comes out of it. */
import { cut, fenced, oneLine, showHidden } from '../core/text.ts'
import { pageAddress, shortPath } from '../core/visitors/page-link.ts'

/**
 * Inline code that holds anything, in a table cell too: everything but plain characters is a numeric entity, so that
 * nothing closes the cell or the tag, and inside `<code>` GitHub links no @name, #number or address.
 */
export function code(text: string, limit = 300): string {
  return `<code>${entities(oneLine(text, limit))}</code>`
}

/** After these a link, a mention, an emoji or a formula may begin. */
const openers = '@#:$+'

/**
 * Text that stays text. Every character but letters, digits, blanks and slashes is a numeric entity, so that Markdown
 * sees no mark; and an empty comment, which GitHub takes out again, parts what would become a link (addresses, `www.`,
 * mail, @names, #numbers), an emoji or a formula.
 */
export function entities(text: string): string {
  return text
    .replace(/www(?=\.)/gi, '$&\0')
    .replace(/[^A-Za-z0-9/ \0]/gu, (character) => {
      return `&#${character.codePointAt(0)};${openers.includes(character) ? '\0' : ''}`
    })
    .replaceAll('\0', '<!-- -->')
}

/** A link with a text; both from outside. Anything but http and https is shown as text. */
export function link(text: string, url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return code(url)
  return `<a href="${inAttribute(parsed)}">${entities(showHidden(text))}</a>`
}

function inAttribute({ href }: URL): string {
  return href.replace(/[^A-Za-z0-9:/?=_.~%-]/g, (character) => `&#${character.codePointAt(0)};`)
}

/** A page's path, linked if it has an address on the site. */
export function pageLink(path: string, siteUrl: string | null): string {
  const shown = code(shortPath(path))
  const address = URL.parse(pageAddress(siteUrl, path) ?? '')
  return address === null ? shown : `<a href="${inAttribute(address)}">${shown}</a>`
}

/** A block that is folded away; the content is shown as it is, cut to so many characters. */
export function foldedText(title: string, content: string, limit: number): string {
  const shown = cut(showHidden(content), limit)
  return `<details><summary>${entities(title)}</summary>\n\n${fenced(shown, 'text')}\n\n</details>`
}

/** A table of two columns, from rows whose cells are Markdown already. */
export function factTable(rows: readonly (readonly [string, string])[]): string {
  const [first, ...rest] = rows
  if (first === undefined) return ''
  const line = ([name, value]: readonly [string, string]) => `| ${name} | ${value} |`
  return [line(first), '| :-- | :-- |', ...rest.map(line)].join('\n')
}
