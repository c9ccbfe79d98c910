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
  const missing = new Map<string, number>()
  const shown = joined(read(parseFragment(html).childNodes, { missing, depth: 0, shrunk: 0, isCode: false }))
  const text = stripHidden(shown)
  const names = [...missing].map(([what, count]) => counted(count, what))
  if (text !== shown) names.push('hidden characters')
  const why = `without ${names.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`
  return { text, leftOut: names.length === 0 ? [] : [{ why, byRule: true }] }
}

/** Where in a page an element is. */
interface Place {
  /** How often each kind of content was left out. */
  missing: Map<string, number>
  depth: number
  /** How often the letters were made smaller. */
  shrunk: number
  /** Whether the current text is code, whose white space is shown. */
  isCode: boolean
}

/** A deeper page is cut: people do not nest text this deeply, and recursion needs a limit. */
const deepest = 100

/** Elements that make letters smaller: to three quarters, or to half (`rt`), which counts twice. More make them unreadable. */
const shrinking = /^(?:su[bp]|small|code|pre|samp|tt|h[56])$/
const mostShrinking = 4

/** The text of a block is between two of these, because it has lines of its own. No text of a page contains one. */
const edge = '\0'

/** Reads nodes one after the other. */
function read(nodes: readonly Node[], place: Place): string {
  if (place.depth === deepest) return leaveOut('deeply nested element', place)
  const inside = { ...place, depth: place.depth + 1 }
  const texts = nodes.map((node) => {
    if ('tagName' in node) return readElement(node, inside)
    const text = 'value' in node ? node.value.replaceAll(edge, '') : ''
    return place.isCode ? text : text.replace(/[ \t\n\f\r]+/g, ' ')
  })
  return texts.join('')
}

function readElement(element: Element, place: Place): string {
  if (isUnseen(element)) return ''
  const { tagName: name, childNodes } = element
  const what = pictureOf(element)
  if (what !== undefined) return leaveOut(what, place)
  const shrunk = place.shrunk + (name === 'rt' ? 2 : Number(shrinking.test(name)))
  if (shrunk > mostShrinking) return leaveOut('tiny text', place)
  const isCode = place.isCode || /^(?:code|pre|tt)$/.test(name)
  return elements.get(name)?.(read(childNodes, { ...place, shrunk, isCode }), element, place) ?? ''
}

function leaveOut(what: string, { missing }: Place): '' {
  missing.set(what, (missing.get(what) ?? 0) + 1)
  return ''
}

/** Shows an element, whose text is read already. */
type Show = (text: string, element: Element, place: Place) => string

const each = (names: string, show: Show) => names.split(/\s+/).map((name): [string, Show] => [name, show])

const blocks = (names: string, show: Show) => each(names, (...shown) => edge + show(...shown) + edge)

/** Every element whose text is shown. GitHub's own name for the frame of a table is misspelled. */
const elements = new Map<string, Show>([
  ...each(
    `abbr b cite dfn em g-emoji i ins kbd mark ruby samp small span strong sub sup tbody tfoot thead themed-picture
    time var wbr`,
    (text) => text,
  ),
  ...each('a', (text, link) => (has(link, 'data-footnote-ref') ? `[^${text}]` : text)),
  ...each('del s strike', (text) => `~~${text}~~`),
  ...each('q', (text) => `"${text}"`),
  ...each('rt', (text) => ` (${text})`),
  ...each('br', () => '\n'),
  ...each('code tt', (text, _, { isCode }) =>
    isCode ? text : `\`${onOneLine(text.replaceAll(edge, ''))}\``,
  ),
  ...each('input', (_, input) => (has(input, 'checked') ? '[x]' : '[ ]')),
  ...blocks('dd details div dl dt figcaption figure markdown-accessiblity-table p section summary', (text) =>
    joined(text),
  ),
  ...blocks('h1 h2 h3 h4 h5 h6', (text, { tagName }) =>
    prefixed(`${'#'.repeat(Number(tagName[1]))} `, joined(text)),
  ),
  ...blocks('hr', () => '---'),
  ...blocks('blockquote', (text) => prefixed('> ', joined(text).replaceAll('\n', '\n> '))),
  ...blocks('li', (text, item) => joined(text, isLoose(item) ? '\n\n' : '\n')),
  ...blocks('ol ul', listOf),
  ...blocks('pre', (text) => fenced(text.replaceAll(edge, ''))),
  ...blocks('tr', (text) => `| ${joined(text, ' ')}`),
  ...blocks('td th', (text) => `${onOneLine(joined(text))} |`),
  ...blocks('caption', (text) => `| ${onOneLine(joined(text))} |`),
  ...blocks('table', tableOf),
])

function isLoose({ childNodes }: Element): boolean {
  return childNodes.some(({ nodeName }) => nodeName === 'p')
}

function listOf(text: string, list: Element): string {
  let number = Number(attributeOf(list, 'start')) || 1
  const items = partsOf(text, (item) => {
    const sign = list.tagName === 'ol' ? `${number++}. ` : '- '
    return prefixed(sign, item.replace(/\n(?=[^\n])/g, `\n${' '.repeat(sign.length)}`))
  })
  return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n')
}

function tableOf(text: string): string {
  const [head = '', ...rows] = partsOf(text)
  const isEmpty = [head, ...rows].every((row) => /^[| ]*$/.test(row))
  return isEmpty ? '' : [head, head.replace(/[^|]+/g, ' - ').trim(), ...rows].join('\n')
}

/** Classes of text for screen readers, and of text that GitHub's pages hide. */
const unseenClass = /\b(?:d-none|sr-only|visually-hidden)\b/

/** Elements of GitHub's pages that never show text: buttons and icons. Browsers only show `rp` if they cannot show `ruby`. */
const silent = ['clipboard-copy', 'rp', 'svg']

function isUnseen(element: Element): boolean {
  const { tagName: name } = element
  return (
    silent.includes(name) ||
    (name === 'input' && attributeOf(element, 'type') !== 'checkbox') ||
    has(element, 'data-footnote-backref') ||
    has(element, 'hidden') ||
    unseenClass.test(attributeOf(element, 'class') ?? '')
  )
}

/** Classes and languages of what GitHub draws: its API only marks some languages, and its pages draw any such `pre`. */
const drawn =
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

/** What an element shows instead of its text; undefined for any other element. */
function pictureOf(element: Element): string | undefined {
  const { tagName: name } = element
  const marks = `${attributeOf(element, 'class')} ${name}-${attributeOf(element, 'lang')}`
  if (/\bpre-\s*math\b/i.test(marks)) return 'formula'
  if (drawn.test(marks) || (/\bhighlight-source-json\b/.test(marks) && isMap(element))) return 'diagram'
  if (name === 'section' && !has(element, 'data-footnotes')) return 'other element'
  // GitHub's pages cut a table's content at its height.
  if (name === 'table' && has(element, 'height')) return 'other element'
  return elements.has(name) ? undefined : (pictures.get(name) ?? 'other element')
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

/** The blocks of a text, and the lines between them. */
function partsOf(text: string, show = (block: string) => block): string[] {
  const parts = text.split(edge).map((part, at) => (at % 2 === 0 ? trimmed(part) : show(part)))
  return parts.filter((part) => part !== '')
}

function joined(text: string, between = '\n\n'): string {
  return partsOf(text).join(between)
}

function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
}

function onOneLine(text: string): string {
  return text.replace(/\n+/g, ' ')
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text
}
