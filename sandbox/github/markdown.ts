/** Markdown as GitHub's API renders it in comments, with the marks that GitHub adds to sanitized HTML. */
import type { Element, ElementContent, Nodes, Root } from 'hast'
import { rehypeGithubAlerts } from 'rehype-github-alerts'
import rehypeStringify from 'rehype-stringify'
import { sanitized } from '../page.ts'

const pipeline = sanitized()
  .use(rehypeGithubAlerts, {})
  .use(() => (tree: Root) => ({ ...tree, children: marked(tree.children as ElementContent[]) }))
  .use(rehypeStringify)
  .freeze()

export function renderMarkdown(markdown: string): string {
  return String(pipeline.processSync(markdown))
}

/** Languages whose code GitHub draws, with the class that its API gives them (github-linguist, languages.yml). */
const drawn: Record<string, string> = { mermaid: 'mermaid', geojson: 'json', topojson: 'json', stl: 'stl' }

/** What GitHub takes for a formula in text. */
const formula = /(\$\$[^$]+\$\$|\$(?![\s$])[^$\n]*[^\s$]\$)/

function marked(children: ElementContent[]): ElementContent[] {
  return children.flatMap((child) => {
    // White space between blocks does not break a line.
    if (child.type === 'text') return child.value.trim() === '' ? [child] : markedText(child.value)
    if (child.type !== 'element' || child.tagName === 'code') return [child]
    if (child.tagName === 'pre') return [block(child)]
    const whole = { ...child, children: marked(child.children) }
    return [child.tagName === 'table' ? element('markdown-accessiblity-table', {}, [whole]) : whole]
  })
}

/** Text in a comment: line breaks are kept, and formulas are drawn. */
function markedText(text: string): ElementContent[] {
  return text.split(formula).flatMap((part, at): ElementContent[] => {
    if (at % 2 === 1) return [mathOf(part, part.startsWith('$$') ? 'js-display-math' : 'js-inline-math')]
    return part.split('\n').flatMap((line, index): ElementContent[] => {
      const value = { type: 'text', value: line } as const
      return index === 0 ? [value] : [element('br'), { type: 'text', value: '\n' }, value]
    })
  })
}

function mathOf(value: string, name: string): Element {
  return element('math-renderer', { className: [name] }, [{ type: 'text', value }])
}

function block(pre: Element): Element {
  const [code] = pre.children
  const classes = code?.type === 'element' ? [code.properties.className ?? []].flat() : []
  const [, language = ''] = /^language-(.*)$/.exec(String(classes[0] ?? '')) ?? []
  const source: ElementContent[] = [{ type: 'text', value: textOf(pre) }]
  if (language === 'math') return mathOf(`$$\n${textOf(pre)}$$`, 'js-display-math')
  const highlight = drawn[language.toLowerCase()] ?? language
  const shown = element('pre', { className: ['notranslate'] }, highlight === '' ? pre.children : source)
  if (highlight !== '')
    return element('div', { className: ['highlight', `highlight-source-${highlight}`] }, [shown])
  // GitHub draws a `pre` that someone wrote as HTML, too.
  if (pre.properties.lang !== undefined) return { ...pre, children: source }
  return element('div', { className: ['snippet-clipboard-content'] }, [
    shown,
    element('div', { className: ['zeroclipboard-container'] }, [
      element('clipboard-copy', { ariaLabel: 'Copy', value: textOf(pre) }),
    ]),
  ])
}

function element(tagName: string, properties = {}, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children }
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
