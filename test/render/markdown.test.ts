import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut, showHidden } from '../../src/core/text.ts'
import { code, entities, factTable, foldedText, link } from '../../src/render/markdown.ts'
import { hostileText } from '../core/samples.ts'
import { elements, find, links, mentions, render, textOf } from './github.ts'

const long = fc
  .tuple(hostileText, fc.integer({ min: 1, max: 300 }))
  .map(([text, times]) => text.repeat(times).slice(0, 10_000))
const outside = fc.oneof(hostileText, long)

/** How outside text reads once what is hidden is shown, on one line. */
const plain = (text: string, limit = 300) => cut(showHidden(text).replace(/\s+/g, ' ').trim(), limit)

const nasty = [
  ['emphasis', '_a_ __init__.py *b* ~~c~~'],
  ['an address', 'see www.e.example now'],
  ['an address alone', 'www.e.example'],
  ['a link', 'https://e.example/x?y=z'],
  ['mail', 'me@e.example'],
  ['a mention', '@octocat'],
  ['an issue', '#1 and acme/docs#2'],
  ['a cell', 'a | b || c'],
  ['HTML', '</code></td></table><script>alert(1)</script><img src=x onerror=y>'],
  ['backticks', '`a` ``` ```` '],
  ['a reference', '[x](//e.example) ![x](y) [^1] [x]: y'],
  ['entities', '&amp; &#60;b&#62; &lt;'],
  ['bidi', 'a\u202Eb\u200B'],
  ['lines', 'a\n\n# b\n\n- c\n\n    d'],
  ['a footnote', 'a[^1]\n\n[^1]: b'],
  ['backslashes', 'a\\|b \\` \\'],
] as const

describe('code', () => {
  it.each(nasty)('shows %s and nothing else', (_, text) => {
    const tree = render(code(text))
    expect(elements(tree)).toEqual(['p', 'code'])
    expect(textOf(tree)).toBe(plain(text))
  })

  it('is one element with the text in it, whatever the text', () => {
    fc.assert(
      fc.property(outside, (text) => {
        const tree = render(code(text))
        expect(elements(tree)).toEqual(['p', 'code'])
        expect(textOf(find(tree, 'code'))).toBe(plain(text))
        expect(mentions(tree)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('stays in its cell, whatever the text', () => {
    const row = (cell: string) => ['tr', cell, cell, 'code']
    fc.assert(
      fc.property(outside, outside, (first, second) => {
        const table = factTable([
          ['A', code(first)],
          ['B', code(second)],
        ])
        const tree = render(`before\n\n${table}\n\nafter`)
        expect(elements(tree)).toEqual(['p', 'table', 'thead', ...row('th'), 'tbody', ...row('td'), 'p'])
        expect(textOf(find(tree, 'thead')).trim().replace(/\s+/g, ' ')).toBe(`A ${plain(first)}`.trim())
        expect(textOf(find(tree, 'tbody')).trim().replace(/\s+/g, ' ')).toBe(`B ${plain(second)}`.trim())
      }),
      { numRuns: 150 },
    )
  })
})

describe('entities', () => {
  it.each(nasty)('show %s in a sentence as text', (_, text) => {
    const shown = plain(text)
    const tree = render(`It said: “${entities(shown)}”.`)
    expect(elements(tree)).toEqual(['p'])
    expect(textOf(tree)).toBe(`It said: “${shown}”.`)
    expect(mentions(tree)).toEqual([])
  })

  it('make a sentence of text and nothing else, whatever the text', () => {
    fc.assert(
      fc.property(outside, (text) => {
        const shown = plain(text)
        const tree = render(`It said: “${entities(shown)}”.`)
        expect(elements(tree)).toEqual(['p'])
        expect(textOf(tree)).toBe(`It said: “${shown}”.`)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a link', () => {
  it.each([
    ['https://github.com/acme/docs/pull/7', 'https://github.com/acme/docs/pull/7'],
    ['https://e.example/?a=b&c=d#e', 'https://e.example/?a=b&c=d#e'],
    ['http://e.example', 'http://e.example/'],
    ['https://e.example/"><script>', 'https://e.example/%22%3E%3Cscript%3E'],
    ["https://e.example/'|`[x](y)", "https://e.example/'|`[x](y)"],
    ['https://e.example/\u202E', 'https://e.example/%E2%80%AE'],
    ['HTTPS://E.EXAMPLE/A', 'https://e.example/A'],
  ])('to %j is one link to %j', (url, href) => {
    const tree = render(link('text', url))
    expect(elements(tree)).toEqual(['p', 'a'])
    expect(links(tree).map(decodeURI)).toEqual([decodeURI(href)])
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//e.example',
    '/a',
    '',
    'file:///etc/passwd',
  ])('to %j is none, but text', (url) => {
    const tree = render(link('text', url))
    expect(elements(tree)).toEqual(['p', 'code'])
    expect(textOf(tree)).toBe(url)
  })

  it.each(nasty)('has %s for its text, and no other link in it', (_, text) => {
    const tree = render(link(plain(text), 'https://e.example/'))
    expect(elements(tree)).toEqual(['p', 'a'])
    expect(textOf(tree)).toBe(plain(text))
  })

  it('has one element and leads where it says, whatever the text and the address', () => {
    const address = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      hostileText.map((text) => `https://e.example/${text}`),
    )
    fc.assert(
      fc.property(outside, address, (text, url) => {
        const href = URL.parse(url)?.href
        fc.pre(href !== undefined)
        const tree = render(`| ${link(plain(text), url)} |\n| - |`)
        expect(elements(tree)).toEqual(['table', 'thead', 'tr', 'th', 'a'])
        expect(links(tree)).toEqual([href])
        expect(textOf(find(tree, 'a'))).toBe(plain(text))
      }),
      { numRuns: 150 },
    )
  })
})

describe('a folded text', () => {
  it('holds the text as it is, whatever it is', () => {
    fc.assert(
      fc.property(outside, (text) => {
        const tree = render(`before\n\n${foldedText('Title <b>', text, 5_000)}\n\nafter`)
        expect(elements(tree)).toEqual(['p', 'details', 'summary', 'pre', 'code', 'p'])
        expect(textOf(find(tree, 'summary'))).toBe('Title <b>')
        expect(textOf(find(tree, 'code')).replace(/^\n+|\n+$/g, '')).toBe(
          cut(showHidden(text), 5_000).replace(/^\n+|\n+$/g, ''),
        )
      }),
      { numRuns: 150 },
    )
  })
})

describe('a table of facts', () => {
  it('without rows is nothing', () => {
    expect(factTable([])).toBe('')
  })

  it('of one row is a table', () => {
    expect(elements(render(factTable([['A', 'b']])))).toEqual(['table', 'thead', 'tr', 'th', 'th'])
  })
})
