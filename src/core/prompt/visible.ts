/** What a reader of Markdown sees on GitHub: nothing hidden may reach the agent. */
import type { Nodes, Parents, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { fenced, longestBackticks, stripHidden } from '../text.ts'
import { HtmlReader } from './html.ts'

/** Reads the visible text of Markdown; null if that takes too long. */
export type ReadVisible = (markdown: string) => string | null

/** Emphasis cannot hide text, and parsing it takes most of the time, so its characters stay in the text. */
const withoutEmphasis = { disable: { null: ['attention', 'strikethrough'] } }
/** GFM without its second pass over all text, which only finds more links. */
const nodesOfGfm = gfmFromMarkdown().map(({ enter, exit }) => ({
  ...(enter && { enter }),
  ...(exit && { exit }),
}))

/**
 * The text that GitHub shows, as simple Markdown: without comments, attributes, titles, link URLs, image descriptions,
 * info strings of code fences, unused definitions and footnotes, and hidden characters. Some hostile texts take seconds
 * or overflow the stack: see `adapters/visible-text.ts`.
 */
export function visibleText(markdown: string): string {
  const tree = fromMarkdown(markdown.replace(/\r\n?/g, '\n'), {
    extensions: [gfm(), withoutEmphasis],
    mdastExtensions: nodesOfGfm,
  })
  return stripHidden(new Reader(tree).read())
}

/** Placeholder for the command, so that GitHub's rules apply to the text after it. Removed later as a hidden character. */
export const commandPlaceholder = '\u{E000}'

/** Code fences that GitHub draws as pictures: readers do not see their source. */
const drawings = new Set(['geojson', 'topojson', 'stl'])

class Reader {
  private readonly html = new HtmlReader()
  /** By their identifiers. */
  private readonly footnotes = new Map<string, Nodes>()
  /** Identifiers of the footnotes that the text refers to, in order. */
  private readonly cited: string[] = []
  private readonly root: Parents

  constructor(root: Parents) {
    this.root = root
    this.findFootnotes(root)
  }

  read(): string {
    const text = [this.blocks(this.root)]
    // A footnote may refer to others.
    for (let at = 0; at < this.cited.length; at++) {
      const note = this.footnotes.get(this.cited[at] ?? '')
      if (note !== undefined && 'children' in note)
        text.push(`[^${at + 1}]: ${indented(this.blocks(note), '    ')}`)
    }
    return joined(text, '\n\n')
  }

  private findFootnotes(node: Nodes): void {
    // If two footnotes have the same name, GitHub uses the first.
    if (node.type === 'footnoteDefinition' && !this.footnotes.has(node.identifier))
      this.footnotes.set(node.identifier, node)
    if ('children' in node) node.children.forEach((child) => void this.findFootnotes(child))
  }

  private blocks({ children }: Parents, between = '\n\n'): string {
    return joined(
      children.map((child) => this.block(child)),
      between,
    )
  }

  private block(node: Nodes): string {
    switch (node.type) {
      case 'paragraph':
        return this.inline(node)
      case 'heading':
        return prefixed(`${'#'.repeat(node.depth)} `, this.inline(node))
      case 'blockquote':
        return prefixed('> ', this.blocks(node).replaceAll('\n', '\n> '))
      case 'list':
        return joined(
          node.children.map((item, index) => {
            const sign = node.ordered ? `${(node.start ?? 1) + index}. ` : '- '
            const box = typeof item.checked === 'boolean' ? `[${item.checked ? 'x' : ' '}] ` : ''
            const text = this.blocks(item, item.spread ? '\n\n' : '\n')
            return prefixed(sign + box, indented(text, ' '.repeat(sign.length)))
          }),
          node.spread ? '\n\n' : '\n',
        )
      case 'code': {
        const shown = this.html.shown(shownCode(node.value, node.lang ?? ''))
        return shown.trim() === '' ? '' : fenced(shown)
      }
      case 'html':
        return this.html.read(node.value).trim()
      case 'table':
        return this.table(node)
      case 'thematicBreak':
        return this.html.shown('---')
      default:
        return ''
    }
  }

  /** Drops cells beyond the width of the header row, as GitHub does. */
  private table({ children: rows }: Table): string {
    const width = rows[0]?.children.length ?? 0
    const lines = rows.map(({ children: cells }) =>
      cells.slice(0, width).map((cell) => this.inline(cell).replaceAll('\n', ' ').trim()),
    )
    if (lines.flat().every((cell) => cell === '')) return ''
    const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    return [...lines.slice(0, 1), Array<string>(width).fill('-'), ...lines.slice(1)].map(row).join('\n')
  }

  private inline({ children }: Parents): string {
    return children.map((child) => this.phrase(child)).join('')
  }

  private phrase(node: Nodes): string {
    switch (node.type) {
      case 'text':
        return this.html.shown(node.value)
      case 'inlineCode':
        return this.html.shown(codeSpan(node.value))
      case 'break':
        return this.html.shown('\n')
      case 'html':
        return this.html.read(node.value)
      case 'link':
      case 'linkReference':
        return this.inline(node)
      case 'footnoteReference':
        return this.html.shown(`[^${this.numberOf(node.identifier)}]`)
      default:
        return ''
    }
  }

  private numberOf(footnote: string): number {
    const known = this.cited.indexOf(footnote)
    // A footnote is visible only if the reference to it is.
    if (known !== -1 || this.html.shown('x') === '') return known + 1
    return this.cited.push(footnote)
  }
}

/** The source of a diagram. Comments and descriptions, which the picture does not show, are removed. */
function shownCode(code: string, language: string): string {
  const name = language.toLowerCase()
  if (drawings.has(name)) return ''
  if (name !== 'mermaid') return code
  return code
    .replace(/^[ \t\n]*---\n[\s\S]*?\n[ \t]*---[ \t]*(?:\n|$)/, '')
    .replace(/%%\{[\s\S]*?(?:\}%%|$)/g, '')
    .replace(/%%.*/g, '')
    .replace(/^[ \t]*acc(?:Title|Descr)\b(?:.*\{[^}]*(?:\}|$)|.*)/gm, '')
}

function codeSpan(code: string): string {
  const longest = longestBackticks(code)
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${code}\`` : `${fence} ${code} ${fence}`
}

function joined(parts: readonly string[], between: string): string {
  return parts.filter((part) => part !== '').join(between)
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text
}

/** Indents all lines except the first. */
function indented(text: string, by: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${by}`)
}
