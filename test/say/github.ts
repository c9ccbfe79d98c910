/** Markdown as GitHub shows it, as a tree with helpers to search it. */
import type { Element, Nodes, Root } from 'hast'
import { sanitized } from '../../sandbox/page.ts'

export function render(markdown: string): Root {
  return sanitized.runSync(sanitized.parse(markdown))
}

/** The names of all elements, in document order. */
export function elements(tree: Nodes): string[] {
  return elementsOf(tree).map(({ tagName }) => tagName)
}

/** The targets of the links. */
export function links(tree: Nodes): string[] {
  return all(tree, 'a').map(({ properties }) => decoded(String(properties.href)))
}

/** A URL in which no character is encoded. Whether one is makes no difference in a path. */
export function decoded(url: string): string {
  return url.replace(/%([\da-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/** The first element with a name. */
export function find(tree: Nodes, name: string): Element {
  const found = elementsOf(tree).find(({ tagName }) => tagName === name)
  if (found === undefined) throw new Error(`no <${name}>`)
  return found
}

/** All elements with a name. */
export function all(tree: Nodes, name: string): Element[] {
  return elementsOf(tree).filter(({ tagName }) => tagName === name)
}

/** The text that readers see. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** What GitHub replaces in text, except in code, once Markdown has become HTML: mentions, issues, commits, emoji, formulas. */
const references = /(?<![\w/])@[a-z\d][\w-]*|(?<![\w&])#\d+\b|\bGH-\d+|(?<!\w)[\da-f]{7,40}(?!\w)/gi
const signs = /:[\w+-]+:|\$[^$\s][^$]*\$/g

/** The parts of a text that GitHub would replace. In the text of a link, GitHub replaces no references. */
export function mentions(node: Nodes, isInLink = false): string[] {
  if (node.type === 'text')
    return [...(isInLink ? [] : (node.value.match(references) ?? [])), ...(node.value.match(signs) ?? [])]
  if (node.type === 'element' && ['code', 'pre'].includes(node.tagName)) return []
  const isLink = isInLink || (node.type === 'element' && node.tagName === 'a')
  return 'children' in node ? node.children.flatMap((child) => mentions(child, isLink)) : []
}

function elementsOf(node: Nodes): Element[] {
  const inner = 'children' in node ? node.children.flatMap(elementsOf) : []
  return node.type === 'element' ? [node, ...inner] : inner
}
