/**
 * What a person sees of the HTML that GitHub renders: the text of a list of elements, as simple Markdown. Attributes are
 * never shown, and any element that is not on the list is left out with its content.
 */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { fenced, stripHidden } from '../text.ts'
import { counted } from '../units.ts'
import type { LeftOut } from './prompt.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** Text as people see it, and what is missing from it. */
export interface VisibleText {
  text: string
  leftOut: Omit<LeftOut, 'path'>[]
}

/** Reads HTML as GitHub's API returns it. */
export function visibleText(html: string): VisibleText {
  const page = new Page()
  const shown = joined(page.read(parseFragment(html).childNodes))
  const text = stripHidden(shown)
  const missing = [...page.missing].map(([what, count]) => counted(count, what))
  if (text !== shown) missing.push('hidden characters')
  const why = `without ${missing.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`
  return { text, leftOut: missing.length === 0 ? [] : [{ why, byRule: true }] }
}

/** Elements whose text is part of a line, with the marks around it. */
const inline = new Map<string, readonly [string, string]>([
  ...[
    ...['a', 'abbr', 'b', 'cite', 'dfn', 'em', 'g-emoji', 'i', 'ins', 'kbd', 'mark', 'ruby', 'samp'],
    ...['small', 'span', 'strong', 'sub', 'sup', 'themed-picture', 'time', 'var', 'wbr'],
  ].map((name): [string, [string, string]] => [name, ['', '']]),
  ['del', ['~~', '~~']],
  ['q', ['"', '"']],
  ['rt', [' (', ')']],
  ['s', ['~~', '~~']],
  ['strike', ['~~', '~~']],
])

/** Elements whose text begins and ends a line. GitHub's own name for the frame of a table is misspelled. */
const blocks = new Set([
  ...['dd', 'details', 'div', 'dl', 'dt', 'figcaption', 'figure', 'li'],
  ...['markdown-accessiblity-table', 'p', 'summary'],
])

/** Elements that show pictures, by what they show. */
const pictures = new Map([
  ['img', 'image'],
  ['math-renderer', 'formula'],
  ['picture', 'image'],
  ['video', 'video'],
])

/** Elements of GitHub's pages that never show text: buttons and icons. Browsers only show `rp` if they cannot show `ruby`. */
const silent = new Set(['clipboard-copy', 'input', 'rp', 'svg'])

/** Classes of text for screen readers, and of text that GitHub's pages hide. */
const unseenClass = /\b(?:d-none|sr-only|visually-hidden)\b/

/** Classes and languages of what GitHub draws: its API only marks some languages, and its pages draw any such `pre`. */
const drawn =
  /\bjs-render-needs-enrichment\b|\b(?:highlight-source|pre)-\s*(?:mermaid|geojson|topojson|stl)\b/i

/** The values of `type` in GeoJSON (RFC 7946) and TopoJSON. */
const mapTypes =
  /^(?:Feature|FeatureCollection|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon)|Topology)$/

/** A deeper page is cut: people do not nest text this deeply, and recursion needs a limit. */
const deepest = 100

/** A piece of text. A block has lines of its own. */
interface Piece {
  text: string
  isBlock: boolean
}

const partOfLine = (text: string): Piece => ({ text, isBlock: false })

class Page {
  /** How often each kind of content was left out. */
  readonly missing = new Map<string, number>()
  private depth = 0
  /** Whether the current text is code, whose white space is shown. */
  private isCode = false

  read(nodes: readonly Node[]): Piece[] {
    if (this.depth === deepest) return this.skip('deeply nested element')
    this.depth++
    const pieces = nodes.flatMap((node) => {
      if ('tagName' in node) return this.element(node)
      if (!('value' in node)) return []
      return [partOfLine(this.isCode ? node.value : node.value.replace(/[ \t\n\f\r]+/g, ' '))]
    })
    this.depth--
    return pieces
  }

  private element(element: Element): Piece[] {
    const { tagName: name, childNodes } = element
    if (isUnseen(element)) return []
    const picture = pictureOf(element)
    if (picture !== undefined) return this.skip(picture)
    const marks = inline.get(name)
    if (marks !== undefined) {
      const [before, after] = has(element, 'data-footnote-ref') ? ['[^', ']'] : marks
      return [partOfLine(before), ...this.read(childNodes), partOfLine(after)]
    }
    if (name === 'br') return [partOfLine('\n')]
    if (name === 'code' || name === 'tt')
      return this.isCode ? this.read(childNodes) : [partOfLine(`\`${onOneLine(this.code(element))}\``)]
    if (attributeOf(element, 'type') === 'checkbox')
      return [partOfLine(has(element, 'checked') ? '[x]' : '[ ]')]
    if (silent.has(name)) return []
    const text = this.block(element)
    return text === null ? this.skip('other element') : [{ text, isBlock: true }]
  }

  /** The text of a block; null if it is not on the list. */
  private block(element: Element): string | null {
    const { tagName: name, childNodes } = element
    const isFootnotes = name === 'section' && has(element, 'data-footnotes')
    if (blocks.has(name) || isFootnotes) return joined(this.read(childNodes))
    const [, level] = /^h([1-6])$/.exec(name) ?? []
    if (level !== undefined) return prefixed(`${'#'.repeat(Number(level))} `, joined(this.read(childNodes)))
    switch (name) {
      case 'hr':
        return '---'
      case 'blockquote':
        return prefixed('> ', joined(this.read(childNodes)).replaceAll('\n', '\n> '))
      case 'ol':
      case 'ul':
        return this.list(element)
      case 'pre': {
        const code = this.code(element)
        return code.trim() === '' ? '' : fenced(code)
      }
      case 'table':
        return this.table(element)
      default:
        return null
    }
  }

  private list(list: Element): string {
    const isLoose = childrenOf(list, 'li').some((item) => childrenOf(item, 'p').length > 0)
    const between = isLoose ? '\n\n' : '\n'
    let number = Number(attributeOf(list, 'start')) || 1
    const lines = list.childNodes.map((item) => {
      if (!('tagName' in item) || item.tagName !== 'li') return joined(this.read([item]))
      const sign = list.tagName === 'ol' ? `${number++}. ` : '- '
      const text = joined(this.read(item.childNodes), between)
      return prefixed(sign, text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(sign.length)}`))
    })
    return lines.filter((line) => line !== '').join(between)
  }

  private table(table: Element): string {
    const parts = [table, ...childrenOf(table, 'thead', 'tbody', 'tfoot')]
    const rows = parts.flatMap((part) => childrenOf(part, 'caption', 'tr'))
    const lines = rows.map((row) => {
      const cells = row.tagName === 'caption' ? [row] : childrenOf(row, 'td', 'th')
      return cells.map((cell) => onOneLine(joined(this.read(cell.childNodes))))
    })
    if (lines.flat().every((cell) => cell === '')) return ''
    lines.splice(1, 0, lines[0]?.map(() => '-') ?? [])
    return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  }

  private code({ childNodes }: Element): string {
    const isInside = this.isCode
    this.isCode = true
    const pieces = this.read(childNodes)
    this.isCode = isInside
    return pieces.map(({ text }) => text).join('')
  }

  private skip(what: string): Piece[] {
    this.missing.set(what, (this.missing.get(what) ?? 0) + 1)
    return []
  }
}

function isUnseen(element: Element): boolean {
  return (
    has(element, 'data-footnote-backref') ||
    has(element, 'hidden') ||
    unseenClass.test(attributeOf(element, 'class') ?? '')
  )
}

/** What an element shows instead of its text; undefined for any other element. */
function pictureOf(element: Element): string | undefined {
  const { tagName: name } = element
  const marks = `${attributeOf(element, 'class')} ${name}-${attributeOf(element, 'lang')}`
  if (/\bpre-\s*math\b/i.test(marks)) return 'formula'
  if (drawn.test(marks) || (/\bhighlight-source-json\b/.test(marks) && isMap(element))) return 'diagram'
  return pictures.get(name)
}

/** Whether code is GeoJSON or TopoJSON. GitHub's API marks both as JSON, but its pages draw a map. */
function isMap(code: Element): boolean {
  try {
    return mapTypes.test(JSON.parse(sourceOf(code))?.type)
  } catch {
    return false
  }
}

function sourceOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(sourceOf).join('') : ''
}

function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value
}

function has(element: Element, name: string): boolean {
  return attributeOf(element, name) !== undefined
}

function childrenOf({ childNodes }: Element, ...names: string[]): Element[] {
  return childNodes.filter((node) => 'tagName' in node && names.includes(node.tagName)) as Element[]
}

/** Joins pieces: what is not a block becomes a line, or several lines if it contains line breaks. */
function joined(pieces: readonly Piece[], between = '\n\n'): string {
  const parts: string[] = []
  let line = ''
  for (const { text, isBlock } of [...pieces, { text: '', isBlock: true }]) {
    if (isBlock) {
      parts.push(trimmed(line), text)
      line = ''
    } else line += text
  }
  return parts.filter((part) => part !== '').join(between)
}

function onOneLine(text: string): string {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .join(' ')
}

function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text
}
