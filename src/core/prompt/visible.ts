/**
 * What a person sees of the HTML that GitHub renders: the text of a list of elements, as simple Markdown. Attributes are
 * never shown, and any element that is not on the list is left out with its content.
 *
 * Each element becomes a string, from the inside out. A block, such as a paragraph, has lines of its own, so its string
 * is put between two edges. The element around it splits its content at the edges: every second part is a block, and
 * the parts between blocks are text on its own. An element joins its parts before it adds edges, so edges never nest.
 */
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { fenced, listed, parseJson, stripHidden } from '../text.ts'
import { counted } from '../units.ts'
import { contextLimit, excerptOf, type LeftOut } from './prompt.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** Text as people see it, and what is missing from it. */
export interface VisibleText {
  text: string
  leftOut: Omit<LeftOut, 'path'>[]
}

/** Reads HTML as GitHub's API returns it. */
export function visibleText(html: string) {
  const omissions = new Map<string, number>()
  const { childNodes } = parseFragment(html)
  const whole = joinParts(readAll(childNodes, { omissions, depth: 0, shrinks: 0, isCode: false }))
  const shown = stripHidden(whole)
  const names = [...omissions].map(([what, count]) => counted(count, what))
  if (shown !== whole) names.push('hidden characters')
  const leftOut: VisibleText['leftOut'] = []
  if (names.length > 0) leftOut.push({ why: `without ${listed(names, 'and')}`, byRule: true })
  const { text, why } = excerptOf(shown, contextLimit)
  if (why !== null) leftOut.push({ why })
  return { text, leftOut }
}

/** What surrounds a node in its page. */
interface Surroundings {
  /** How often each kind of content was left out of the page so far. */
  omissions: Map<string, number>
  depth: number
  /** How often the letters were made smaller. */
  shrinks: number
  /** Whether the text is code, whose white space is shown. */
  isCode: boolean
}

/** Maximum depth of a page: people do not nest text this deeply, and recursion needs a limit. */
const deepest = 100

/** Letters that are made smaller more often are unreadable. */
const mostShrinks = 4

/** The string of a block is between two of these. No text of a page contains one. */
const edge = '\uFDD0'
/** Between the cells of a row. */
const cellEdge = '\uFDD1'
/** After a cell, for each row that it spans. */
const rowEdge = '\uFDD2'
const edges = /[\uFDD0-\uFDD2]/g

/** Reads nodes one after the other. */
function readAll(nodes: readonly Node[], around: Surroundings) {
  if (around.depth === deepest) return leaveOut('deeply nested element', around)
  const inside = { ...around, depth: around.depth + 1 }
  return nodes.map((node) => readNode(node, inside)).join('')
}

function readNode(node: Node, around: Surroundings) {
  if ('tagName' in node) return readElement(node, around)
  if (!('value' in node)) return ''
  const text = node.value.replace(edges, '')
  if (around.isCode) return text
  return text.replace(/[ \t\n\f\r]+/g, ' ')
}

function readElement(element: Element, around: Surroundings): string {
  const { tagName: name, childNodes } = element
  if (isUnseen(element)) return ''
  const omission = omissionOf(element)
  if (omission !== undefined) return leaveOut(omission, around)
  const shrinks = around.shrinks + shrinksOf(name)
  if (shrinks > mostShrinks) return leaveOut('tiny text', around)
  const isCode = around.isCode || /^(?:code|pre|tt)$/.test(name)
  const content = readAll(childNodes, { ...around, shrinks, isCode })
  // Each list around a text indents all of its lines, so a page could become far longer than its Markdown. What remains is
  // still over the limit, so `visibleText` says that it is cut.
  const text = content.slice(0, 2 * contextLimit)
  const write = inline.get(name) ?? blocks.get(name)
  const markdown = write?.(text, element, around) ?? ''
  return blocks.has(name) ? edge + markdown + edge : markdown
}

/** How often an element makes its letters smaller: each time, to about three quarters. */
function shrinksOf(name: string) {
  // To half, which counts twice.
  if (name === 'rt') return 2
  if (/^(?:su[bp]|small|code|pre|samp|tt|h[56])$/.test(name)) return 1
  return 0
}

function leaveOut(what: string, { omissions }: Surroundings) {
  omissions.set(what, (omissions.get(what) ?? 0) + 1)
  return ''
}

/** Writes an element as Markdown. @param text its content, with edges around each block */
type ToMarkdown = (text: string, element: Element, around: Surroundings) => string

/** Elements by their names. The tables have a row for several names. */
function byName(rows: Record<string, ToMarkdown>) {
  const entries = Object.entries(rows).flatMap(([names, write]) =>
    names.split(/\s+/).map((name) => [name, write] as const),
  )
  return new Map(entries)
}

/** Elements within a line. */
const inline = byName({
  'abbr b cite dfn em g-emoji i ins mark ruby samp small span strong tbody tfoot thead themed-picture time var wbr':
    (text) => text,
  a: (text, link) => (has(link, 'data-footnote-ref') ? `[^${text}]` : text),
  'del s strike': (text) => `~~${text}~~`,
  q: (text) => `"${text}"`,
  rt: (text) => ` (${text})`,
  kbd: (text) => `[${text}]`,
  sub: (text) => `_${group(text)}`,
  // A footnote's number already says what it is.
  sup: (text) => (text.startsWith('[^') ? text : `^${group(text)}`),
  br: () => '\n',
  'code tt': codeText,
  input: (_, input) => (has(input, 'checked') ? '[x]' : '[ ]'),
})

/** Elements that have lines of their own. GitHub's own name for the frame of a table is misspelled. */
const blocks = byName({
  'dd details div dl dt figcaption figure markdown-accessiblity-table p section summary': (text) =>
    joinParts(text),
  'h1 h2 h3 h4 h5 h6': (text, { tagName }) =>
    addPrefix(`${'#'.repeat(Number(tagName[1]))} `, joinParts(text)),
  hr: () => '---',
  blockquote: (text) => addPrefix('> ', joinParts(text).replaceAll('\n', '\n> ')),
  li: listItem,
  'ol ul': list,
  pre: (text) => fenced(text.replaceAll(edge, '')),
  tr: (text) => joinParts(text, cellEdge),
  'td th': cell,
  caption: (text) => onOneLine(joinParts(text)),
  table,
})

/** A raised or lowered text, in parentheses if it would not end where it ends: `10^6`, `x^(n + 1)`. */
function group(text: string) {
  if (/^[-+]?[\p{L}\p{N}.]*$/u.test(text)) return text
  return `(${text})`
}

function codeText(text: string, _: Element, { isCode }: Surroundings) {
  // Code within code needs no backticks of its own.
  if (isCode) return text
  return `\`${onOneLine(text.replaceAll(edge, ''))}\``
}

function listItem(text: string, { childNodes }: Element) {
  const isLoose = childNodes.some(({ nodeName }) => nodeName === 'p')
  return joinParts(text, isLoose ? '\n\n' : '\n')
}

function list(text: string, element: Element) {
  let number = numberOf(element, 'start')
  const items = partsOf(text, (item) => {
    const sign = element.tagName === 'ol' ? `${number++}. ` : '- '
    const indent = ' '.repeat(sign.length)
    return addPrefix(sign, item.replace(/\n(?=[^\n])/g, `\n${indent}`))
  })
  const isLoose = items.some((item) => item.includes('\n\n'))
  return items.join(isLoose ? '\n\n' : '\n')
}

/** Longer spans are not shown: a few short cells could make a very long table. */
const longestSpan = 50

/** A cell, and an empty one for each further column that it spans. After each, a row edge for each of its rows. */
function cell(text: string, element: Element) {
  const [height, width] = [spanOf(element, 'rowspan'), spanOf(element, 'colspan')]
  // A bar would end the cell (GFM, “Tables”).
  const content = onOneLine(joinParts(text)).replace(/(\\*)\|/g, '$1$1\\|')
  return content + Array(width).fill(rowEdge.repeat(height)).join(cellEdge)
}

function spanOf(element: Element, name: string) {
  return Math.min(Math.max(numberOf(element, name), 1), longestSpan)
}

function table(text: string) {
  const parts = partsOf(text)
  const captions = parts.filter((part) => !part.includes(rowEdge))
  const rows = gridOf(parts.filter((part) => part.includes(rowEdge)))
  const [head] = rows
  if (head === undefined || rows.flat().join('') === '') return captions.join('\n\n')
  // Other rows may be shorter. If all were as long as the longest, a table could become far longer than its Markdown.
  head.length = Math.max(...rows.map((row) => row.length))
  const lines = rows.map((row) => `| ${row.join(' | ')} |`)
  lines.splice(1, 0, `|${' - |'.repeat(head.length)}`)
  return [...captions, lines.join('\n')].join('\n\n')
}

/** The cells of each row, each in its column. A place below a cell of several rows has an empty text. */
function gridOf(rows: readonly string[]) {
  const grid: string[][] = rows.map(() => [])
  for (const [top, line] of grid.entries()) {
    let left = 0
    for (const part of rows[top]?.split(cellEdge) ?? []) {
      const [content = '', ...spanned] = part.split(rowEdge)
      while (line[left] !== undefined) left++
      for (const each of grid.slice(top, top + spanned.length)) each[left] = ''
      line[left] = content
    }
  }
  return grid
}

/** Classes of text for screen readers, and of text that GitHub's pages hide. */
const unseenClass = /\b(?:d-none|sr-only|visually-hidden)\b/

/** Elements of GitHub's pages that never show text: buttons and icons. Browsers only show `rp` if they cannot show `ruby`. */
const silent = ['clipboard-copy', 'rp', 'svg']

function isUnseen(element: Element) {
  return (
    silent.includes(element.tagName) ||
    (element.tagName === 'input' && attributeOf(element, 'type') !== 'checkbox') ||
    has(element, 'data-footnote-backref') ||
    has(element, 'hidden') ||
    unseenClass.test(attributeOf(element, 'class') ?? '')
  )
}

/** Classes and languages of what GitHub draws: its API only marks some languages, and its pages draw any such `pre`. */
const drawings =
  /\bjs-render-needs-enrichment\b|\b(?:highlight-source|pre)-\s*(?:mermaid|geojson|topojson|stl)\b/i

/** The values of `type` in GeoJSON (RFC 7946) and TopoJSON. */
const mapTypes =
  /^(?:Feature|FeatureCollection|GeometryCollection|(?:Multi)?(?:Point|LineString|Polygon)|Topology)$/

/** Elements that show pictures, by what they show. */
const pictures = new Map([
  ['img', 'image'],
  ['math-renderer', 'formula'],
  ['picture', 'image'],
  ['video', 'video'],
])

/** What is left out instead of an element's text; undefined if its text is shown. */
function omissionOf(element: Element) {
  const { tagName: name } = element
  const marks = `${attributeOf(element, 'class')} ${name}-${attributeOf(element, 'lang')}`
  if (/\bpre-\s*math\b/i.test(marks)) return 'formula'
  if (drawings.test(marks)) return 'diagram'
  if (/\bhighlight-source-json\b/.test(marks) && isMap(element)) return 'diagram'
  if (name === 'section' && !has(element, 'data-footnotes')) return 'other element'
  // GitHub's pages cut a table's content at its height.
  if (name === 'table' && has(element, 'height')) return 'other element'
  if (inline.has(name) || blocks.has(name)) return undefined
  return pictures.get(name) ?? 'other element'
}

/** Whether code is GeoJSON or TopoJSON. GitHub's API marks both as JSON, but its pages draw a map. */
function isMap(code: Element) {
  return mapTypes.test(Object(parseJson(sourceOf(code))).type)
}

function sourceOf(node: Node): string {
  if ('value' in node) return node.value
  if ('childNodes' in node) return node.childNodes.map(sourceOf).join('')
  return ''
}

function attributeOf({ attrs }: Element, name: string) {
  return attrs.find((attribute) => attribute.name === name)?.value
}

/** The whole number with which an attribute begins; 1 if there is none. */
function numberOf(element: Element, name: string) {
  const number = Number.parseInt(attributeOf(element, name) ?? '', 10)
  return Number.isNaN(number) ? 1 : number
}

function has(element: Element, name: string) {
  return attributeOf(element, name) !== undefined
}

/** The parts of a string that are not empty: its blocks, and the text between them. */
function partsOf(text: string, write = (block: string) => block) {
  // Every second part is a block.
  const parts = text.split(edge).map((part, at) => (at % 2 === 1 ? write(part) : trimLines(part)))
  return parts.filter((part) => part !== '')
}

function joinParts(text: string, between = '\n\n') {
  return partsOf(text).join(between)
}

function trimLines(text: string) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
}

function onOneLine(text: string) {
  return text.replace(/\n+/g, ' ')
}

function addPrefix(prefix: string, text: string) {
  return text === '' ? '' : prefix + text
}
