/** List numbers and table cells, compared with the tree of cmark-gfm, the parser from which GitHub's is made. */
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visibleText } from '../../../src/core/prompt/visible.ts'
import { judged } from '../samples.ts'

const size = judged(5_000)
const seed = 11

function cmark(format: 'html' | 'xml', markdown: string) {
  const args = ['--extension', 'table', '--extension', 'tasklist', '--to', format]
  return spawnSync('cmark-gfm', args, { input: markdown, encoding: 'utf8', maxBuffer: 2 ** 28 })
}

const isMissing = cmark('html', '').status !== 0
if (isMissing) process.stdout.write('skipped: texts compared with cmark-gfm, which is not installed\n')

const word = fc.nat(99_999).map((number) => `w${number}`)
const indent = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** Lists with any numbers and delimiters, tight and loose, in one another. */
const { list } = fc.letrec<{ list: string; item: string }>((tie) => ({
  list: fc
    .record({
      start: fc.option(fc.oneof(fc.nat(12), fc.constantFrom(0, 10, 99, 999_999_999))),
      delimiter: fc.constantFrom('.', ')'),
      between: fc.constantFrom('\n', '\n\n'),
      zeros: fc.constantFrom('', '0'),
      items: fc.array(tie('item'), { minLength: 1, maxLength: 4 }),
    })
    .map(({ start, delimiter, between, zeros, items }) => {
      const sign = start === null ? '- ' : `${start > 99 ? '' : zeros}${start}${delimiter} `
      return items.map((item) => sign + indent(item, sign.length)).join(between)
    }),
  item: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.tuple(word, word).map((words) => words.join('\n\n')),
    fc.tuple(word, fc.constantFrom('\n', '\n\n'), tie('list')).map((parts) => parts.join('')),
    tie('list'),
  ),
}))

/** The content of a cell, with bars that do not end it. */
const content = fc
  .array(fc.oneof(word, fc.constantFrom('\\|', '`a \\| b`', '`c`', '\\\\', 'd \\| e', '')), { maxLength: 3 })
  .map((parts) => parts.join(' '))
const table = fc
  .record({
    width: fc.integer({ min: 2, max: 4 }),
    rows: fc.array(fc.array(content, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  })
  .map(({ width, rows: [head = [], ...rows] }) => {
    const first = Array.from({ length: width }, (_, at) => head[at] ?? '')
    return [first, Array(width).fill('---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  })

const texts = fc.sample(
  fc.oneof(
    list,
    table,
    fc.tuple(list, table).map((both) => both.join('\n\n')),
  ),
  {
    numRuns: size,
    seed,
  },
)

interface Node {
  name: string
  start: number | null
  text: string
  children: Node[]
}

/** cmark-gfm's XML, which has one tag on each line. */
function treeOf(xml: string): Node {
  const root: Node = { name: 'root', start: null, text: '', children: [] }
  const open = [root]
  for (const [, close, name = '', attributes = '', text = ''] of xml.matchAll(
    /<(\/?)([a-z_]+)([^>]*)>(?:(?<="preserve">)([^<]*)<\/\2>)?/g,
  )) {
    if (close) {
      open.pop()
      continue
    }
    const start = /start="(\d+)"/.exec(attributes)?.[1]
    const plain = text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    const shown = name === 'softbreak' ? '\n' : plain
    const node = { name, start: start === undefined ? null : Number(start), text: shown, children: [] }
    open.at(-1)?.children.push(node)
    if (!/\/$|xml:space/.test(attributes)) open.push(node)
  }
  return root
}

const plainOf = ({ text, children }: Node): string => text + children.map(plainOf).join('')

/** The number and first word of each item, and the cells of each row. */
function factsOf(node: Node): string[] {
  if (node.name === 'table_row' || node.name === 'table_header')
    return [node.children.map((cell) => plainOf(cell).replace(/ +/g, ' ').trim()).join(' ¦ ')]
  const own = node.children.flatMap((item, at) => {
    const [first] = item.children
    if (node.start === null || first?.name !== 'paragraph') return []
    return [`${node.start + at} ${/^w\d+/.exec(plainOf(first))}`]
  })
  return [...own, ...node.children.flatMap(factsOf)]
}

/** The same facts, from what the agent gets. */
function shownFacts(text: string) {
  return text
    .replace(/```[\s\S]*?```/g, '')
    .split('\n')
    .flatMap((line) => {
      if (/^\|( - \|)+$/.test(line)) return []
      if (line.startsWith('|')) {
        const cells = line.slice(1, -1).match(/(?:\\.|[^|])+/g) ?? []
        return [
          cells
            .map((cell) =>
              cell
                .replace(/\\([\\|])/g, '$1')
                .replaceAll('`', '')
                .trim(),
            )
            .join(' ¦ '),
        ]
      }
      const [, number, first] = /^(?: |- |\d+\. )*?(\d+)\. (w\d+)/.exec(line) ?? []
      return number === undefined ? [] : [`${number} ${first}`]
    })
}

/** In one order, because a list is listed before those in it. Rows without text do not count: an empty table is left out. */
function comparable(facts: string[]) {
  return facts
    .filter((fact) => /[^ ¦]/.test(fact))
    .sort()
    .join('\n')
}

it.skipIf(isMissing)(
  `the agent gets the list numbers and table cells of ${size} texts as cmark-gfm reads them`,
  () => {
    const whole = texts.join('\n\n# next\n\n')
    const html = cmark('html', whole).stdout.split('<h1>next</h1>\n')
    const document = treeOf(cmark('xml', whole).stdout).children.at(-1)?.children ?? []
    const trees: Node[][] = [[]]
    for (const node of document) {
      if (node.name === 'heading') trees.push([])
      else trees.at(-1)?.push(node)
    }
    expect([html.length, trees.length]).toEqual([size, size])
    const wrong = texts.filter((_, at) => {
      const shown = shownFacts(visibleText(html[at] ?? '').text)
      const root = { name: 'root', start: null, text: '', children: trees[at] ?? [] }
      return comparable(shown) !== comparable(factsOf(root))
    })
    expect(wrong).toEqual([])
  },
)
