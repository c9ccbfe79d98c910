/** What a reader of Markdown on GitHub sees: hidden text must not reach the agent. */
import { stripHidden } from '../text.ts'

/**
 * Where something may begin that has to be looked at. A fence counts as one only if a blank line comes before it and
 * nothing is left of it: then no list, quote or HTML block can hold it, and what it holds is shown.
 */
const opener =
  /<!--|<\?|<![A-Za-z[]|<([A-Za-z][\w-]*)(?=[\s/>])|(?<=\n[ \t]*\n)(?:`{3,}(?=[^`\n]*\n)|~{3,})|^(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*\[((?:[^[\]\\\n]|\\.|\n(?![ \t]*\n)){1,999})\]:/gm

const tag = /<[A-Za-z][\w-]*((?:[^<>"']|"[^"]*"|'[^']*')*)>/y

/** Destination and title of a link definition (CommonMark, 4.7). */
const definition =
  /[ \t]*(?:\n[ \t>]*)?(<[^<>\n]*>|[^\s<]\S*)((?:[ \t]+|[ \t]*\n[ \t>]*)(?:"(?:[^"\\\n]|\\.|\n(?![ \t]*\n)){0,9999}"|'(?:[^'\\\n]|\\.|\n(?![ \t]*\n)){0,9999}'|\((?:[^()\\\n]|\\.|\n(?![ \t]*\n)){0,9999}\)))?[ \t]*(?=\n|(?![\s\S]))/y

/** Definitions that may stay; each costs a search through the text. */
const definitionLimit = 100

/**
 * Removes what a reader does not see: hidden characters, comments, hidden elements, and link definitions except plain
 * addresses that the text refers to. If in doubt, text goes: a comment in an inline code span, for example.
 */
export function visibleText(markdown: string): string {
  return new Cleaner(stripHidden(markdown)).clean()
}

class Cleaner {
  private readonly text: string
  private readonly lastClose: number
  /** Where a raw element ends. */
  private rawUntil = 0
  private kept = 0

  constructor(text: string) {
    this.text = text
    this.lastClose = text.lastIndexOf('>')
  }

  clean(): string {
    let shown = ''
    let from = 0
    const next = new RegExp(opener)
    for (let match = next.exec(this.text); match !== null; match = next.exec(this.text)) {
      const end = this.endOfHidden(match)
      const shownTo = end === undefined ? this.endOfShown(match) : match.index
      shown += this.text.slice(from, shownTo)
      from = end ?? shownTo
      next.lastIndex = from
    }
    return shown + this.text.slice(from)
  }

  /** The end of something hidden; undefined if it is shown. */
  private endOfHidden({ 0: start, 1: element, 2: label, index }: RegExpExecArray): number | undefined {
    if (label !== undefined) return this.endOfDefinition(label, index + start.length)
    if (element !== undefined) return this.endOfElement(element, index)
    if (start === '<!--') return this.endOfComment(index)
    return start.startsWith('<') ? this.endOfDeclaration(index) : undefined
  }

  /** The end of what is shown as it is: a code block whole, anything else up to where it begins. */
  private endOfShown({ 0: start, index }: RegExpExecArray): number {
    const sign = start[0]
    if ((sign !== '`' && sign !== '~') || index < this.rawUntil) return index + start.length
    const close = new RegExp(`\\n {0,3}${sign}{${start.length},}[ \\t]*(?=\\n|(?![sS]))`, 'g')
    close.lastIndex = index
    return close.exec(this.text) === null ? this.text.length : close.lastIndex
  }

  private endOfComment(index: number): number {
    const close = /(?<=<!--)-?>|--!?>/g
    close.lastIndex = index + '<!--'.length
    return close.exec(this.text) === null ? this.text.length : close.lastIndex
  }

  /** `<!DOCTYPE …>`, `<![CDATA[…` and `<?…`. Without an end, they hide the rest only if they begin a line. */
  private endOfDeclaration(index: number): number | undefined {
    if (index <= this.lastClose) return this.text.indexOf('>', index) + 1
    // No more of the line is looked at than decides: a long one may have thousands of these.
    const before = this.text.slice(Math.max(0, index - 4), index)
    const beginsLine = /\n {0,3}$/.test(before) || (index < 4 && /^ *$/.test(before))
    return beginsLine ? this.text.length : undefined
  }

  private endOfElement(name: string, index: number): number | undefined {
    if (rawElements.has(name.toLowerCase()) && index >= this.rawUntil) {
      const close = this.text.toLowerCase().indexOf(`</${name.toLowerCase()}`, index)
      this.rawUntil = close === -1 ? this.text.length : close
    }
    tag.lastIndex = index
    const [whole = '', attributes = ''] = tag.exec(this.text) ?? []
    if (!isHidden(attributes)) return undefined
    let end = index + whole.length
    // Someone who writes about such a tag sets it in code.
    if (this.text[index - 1] === '`' && this.text[end] === '`') return undefined
    if (voidElements.has(name.toLowerCase())) return end
    const tags = new RegExp(`<(/?)${name}(?=[\\s/>])[^>]*>`, 'gi')
    tags.lastIndex = end
    let depth = 1
    while (depth > 0) {
      const match = tags.exec(this.text)
      if (match === null) return this.text.length
      depth += match[1] === '/' ? -1 : 1
      end = tags.lastIndex
    }
    return end
  }

  private endOfDefinition(label: string, index: number): number | undefined {
    definition.lastIndex = index
    const match = definition.exec(this.text)
    if (match === null) return undefined
    const [, destination = '', title] = match
    const isPlain = title === undefined && /^https?:\/\/[^\s<>]+$/.test(destination)
    if (isPlain && this.kept < definitionLimit && this.isReferredTo(label)) {
      this.kept++
      return undefined
    }
    return definition.lastIndex
  }

  private isReferredTo(label: string): boolean {
    return this.text.toLowerCase().split(`[${label.toLowerCase()}]`).length > 2
  }
}

/** Elements that blank lines do not end, so that a fence inside is none (CommonMark, 4.6). */
const rawElements = new Set(['pre', 'script', 'style', 'textarea'])

/** Elements without content, which therefore hide nothing after them (HTML, 13.1.2). */
const voidElements = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
])

function isHidden(attributes: string): boolean {
  const [, style = ''] = /(?<![\w-])style\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/i.exec(attributes) ?? []
  const names = attributes.replace(/"[^"]*"|'[^']*'/g, '""')
  return (
    /(?<![\w-])hidden(?![\w-])/i.test(names) ||
    /display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|(font-size|opacity)\s*:\s*0/i.test(style)
  )
}
