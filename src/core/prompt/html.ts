/** The text in Markdown's HTML, limited to what readers of the page certainly see. If in doubt, text is removed. */
import { parseEntities } from 'parse-entities'

/** Elements whose content browsers parse by other rules, or do not always show (HTML, 13.2.6.4). */
const hidingElements = new Set([
  ...['audio', 'canvas', 'datalist', 'frameset', 'head', 'iframe', 'math', 'noembed', 'noframes', 'noscript'],
  ...['object', 'plaintext', 'rp', 'script', 'select', 'style', 'svg', 'template', 'textarea', 'title'],
  ...['video', 'xmp'],
])

/** Parsers disagree on where these elements end. */
const endless = new Set(['plaintext', 'script'])

/** Elements without content (HTML, 13.1.2). */
const voidElements = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
])

/** Parts of a table that can contain text. A parser moves any other text out of the table (HTML, 13.2.6.4.9). */
const cells = new Set(['caption', 'td', 'th'])
const tableParts = new Set([...cells, 'col', 'colgroup', 'table', 'tbody', 'tfoot', 'thead', 'tr'])

/** Elements that begin a line. */
const blockElements =
  /^(?:blockquote|br|caption|dd|details|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|summary|table|td|th|tr|ul)$/

const tagName = /<(\/?)([A-Za-z][^\t\n\f\r />]*)/y
/** An attribute's name and value. An unclosed quote extends to the end. */
const attribute =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*("[^"]*(?:"|$)|'[^']*(?:'|$)|[^\t\n\f\r >]*))?/y
const tagEnd = /[\t\n\f\r /]*>/y
/** The end of a comment. It can overlap the start: `<!-->`. */
const commentEnd = /(?<=<!--)-?>|--!?>/g

interface Tag {
  name: string
  isClosing: boolean
  isHidden: boolean
  end: number
}

/** Reads a page's pieces of HTML in order, because one piece may hide what follows it. */
export class HtmlReader {
  /** The elements that hide the current text, outermost first. */
  private readonly hiding: string[] = []
  private isBetweenCells = false
  /** Whether a tag or comment did not end within its piece, and so continues in the text after it. */
  private isBroken = false

  /** The visible text of a piece. */
  read(html: string): string {
    let shown = ''
    let at = 0
    while (at < html.length && !this.isBroken) {
      const next = html.indexOf('<', at)
      const start = next === -1 ? html.length : next
      shown += this.shown(decode(html.slice(at, start)))
      if (next === -1) break
      const { text, end } = this.readMarkup(html, start)
      shown += text
      at = end
    }
    return shown
  }

  /** The text between two pieces; empty if readers do not see it. */
  shown(text: string): string {
    const isSeen = !this.isBroken && !this.isBetweenCells && this.hiding.length === 0
    return isSeen ? text : ''
  }

  /** Reads markup that begins with `<`, as browsers do (HTML, 13.2.5.6). */
  private readMarkup(html: string, start: number): { text: string; end: number } {
    if (html.startsWith('<!--', start)) return { text: '', end: this.endOf(commentEnd, html, start + 4) }
    if (/^<(?:[!?]|\/[^A-Za-z])/.test(html.slice(start, start + 3))) {
      // Parsers disagree on where declarations and malformed comments end.
      const rest = html.slice(this.endOf(/>/g, html, start))
      return { text: this.shown(' '), end: rest.includes('<') ? this.break(html) : html.length }
    }
    const tag = readTag(html, start)
    if (tag === 'none') return { text: this.shown('<'), end: start + 1 }
    if (tag === 'unfinished') return { text: '', end: this.break(html) }
    return { text: this.pass(tag), end: tag.end }
  }

  private endOf(pattern: RegExp, html: string, from: number): number {
    pattern.lastIndex = from
    return pattern.exec(html) === null ? this.break(html) : pattern.lastIndex
  }

  private break(html: string): number {
    this.isBroken = true
    return html.length
  }

  /** Enters or leaves an element. Returns the text that the element itself shows: at most a line break. */
  private pass({ name, isClosing, isHidden }: Tag): string {
    if (isClosing && name === this.hiding.at(-1) && !endless.has(name)) this.hiding.pop()
    else if (!isClosing && !voidElements.has(name) && this.mayHide(name, isHidden)) {
      // The text before and after the element must not join into one word.
      const gap = this.shown(' ')
      this.hiding.push(name)
      return gap
    }
    if (tableParts.has(name) && this.hiding.length === 0)
      this.isBetweenCells = isClosing ? name !== 'table' : !cells.has(name)
    return this.shown(blockElements.test(name) ? '\n' : '')
  }

  private mayHide(name: string, isHidden: boolean): boolean {
    return isHidden || hidingElements.has(name) || name === this.hiding.at(-1)
  }
}

function readTag(html: string, start: number): Tag | 'none' | 'unfinished' {
  tagName.lastIndex = start
  const [opening = '', slash, name = ''] = tagName.exec(html) ?? []
  if (opening === '') return 'none'
  let [at, isHidden] = [start + opening.length, false]
  for (;;) {
    tagEnd.lastIndex = at
    const last = tagEnd.exec(html)
    if (last !== null)
      return { name: name.toLowerCase(), isClosing: slash === '/', isHidden, end: tagEnd.lastIndex }
    attribute.lastIndex = at
    const [whole, key = '', value = ''] = attribute.exec(html) ?? []
    if (whole === undefined || /^(?:"[^"]*|'[^']*)$/.test(value)) return 'unfinished'
    isHidden ||= hides(key.toLowerCase(), value)
    at += whole.length
  }
}

/** Whether an attribute hides text. GitHub removes such attributes and shows the text, but mail and other pages might hide it. */
function hides(name: string, value: string): boolean {
  if (name === 'hidden') return true
  return (
    name === 'style' &&
    /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0/i.test(value)
  )
}

function decode(text: string): string {
  return text.includes('&') ? parseEntities(text) : text
}
