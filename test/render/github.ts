/** Markdown as GitHub shows it, as a tree to ask questions of. */
import type { Element, Nodes, Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

const pipeline = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeSanitize)

export function render(markdown: string): Root {
  return pipeline.runSync(pipeline.parse(markdown))
}

/** The names of all elements, in document order. */
export function elements(tree: Nodes): string[] {
  return elementsOf(tree).map(({ tagName }) => tagName)
}

/** Where the links lead. */
export function links(tree: Nodes): string[] {
  return all(tree, 'a').map(({ properties }) => String(properties.href))
}

/** The first element of a name. */
export function find(tree: Nodes, name: string): Element {
  const found = elementsOf(tree).find(({ tagName }) => tagName === name)
  if (found === undefined) throw new Error(`no <${name}>`)
  return found
}

/** All elements of a name. */
export function all(tree: Nodes, name: string): Element[] {
  return elementsOf(tree).filter(({ tagName }) => tagName === name)
}

/** What a reader reads. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/**
 * What GitHub would make links of once the Markdown is HTML: it looks for names of people and numbers of issues in all
 * text but that of links and code.
 */
export function mentions(node: Nodes): string[] {
  if (node.type === 'text') return node.value.match(/(?<![\w/])@[a-z\d][\w-]*|(?<![\w&])#\d+\b/gi) ?? []
  if (node.type === 'element' && ['a', 'code', 'pre'].includes(node.tagName)) return []
  return 'children' in node ? node.children.flatMap(mentions) : []
}

function elementsOf(node: Nodes): Element[] {
  const inner = 'children' in node ? node.children.flatMap(elementsOf) : []
  return node.type === 'element' ? [node, ...inner] : inner
}
