import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut, showHidden } from '../../src/core/text.ts'
import { code, codeLink, link, prose, text } from '../../src/say/markdown.ts'
import { hostileText, runs, webUrl } from '../core/samples.ts'
import { decoded, elements, find, links, mentions, render, textOf } from './github.ts'

const long = fc
  .tuple(hostileText, fc.integer({ min: 1, max: 300 }))
  .map(([part, times]) => part.repeat(times).slice(0, 10_000))
const outside = fc.oneof(hostileText, long)

/** How outside text reads: on one line, with hidden characters visible. */
const plain = (content: string, limit = 300) => cut(showHidden(content).replace(/\s+/g, ' ').trim(), limit)

/** Checks what readers see: this text in these elements, without mentions. */
function expectShown(markdown: string, shown: string, names: string[]) {
  const tree = render(markdown)
  expect([elements(tree), textOf(tree), mentions(tree)]).toEqual([names, shown, []])
}

const nasty = [
  ['emphasis', '_a_ __init__.py *b* ~~c~~ ~d~ snake_case_ _e'],
  ['a URL without a scheme', 'see www.e.example now'],
  ['only a URL without a scheme', 'www.e.example'],
  ['a link', 'https://e.example/x?y=z'],
  ['other schemes', 'ftp://e.example mailto:me@e.example xmpp:me@e.example/x'],
  ['mail', 'me@e.example'],
  ['mail to a domain that starts with a dot', 'me@.example'],
  ['a mention', '@octocat and (@octocat) and @acme/docs'],
  ['an issue', '#1 and acme/docs#2 and GH-3 and gh-4'],
  ['a commit', '4f2c9a1b8d4f2c9a1b8d4f2c9a1b8d4f2c9a1b8d 4f2c9a1 acme@4f2c9a1b8d acme/app@4f2c9a1b8d'],
  ['an emoji', ':x: a:tada:b :+1: 10:100:20 :smile'],
  ['a formula', '$x$ $$y$$ $`z`$ costs $5 and $6'],
  ['pipes', 'a | b || c'],
  ['a delimiter row', ':-- | --:'],
  ['HTML', '</code></td></table><script>alert(1)</script><img src=x onerror=y><!-- x -->'],
  ['backticks', '`a` ``` ```` '],
  ['a reference', '[x](//e.example) ![x](y) [^1] [x]: y'],
  ['an image', 'a!'],
  ['entities', '&amp; &#60;b&#62; &lt; &copy R&D &'],
  ['bidi', 'a\u202Eb\u200B'],
  ['lines', 'a\n\n# b\n\n- c\n\n    d'],
  ['a heading', '# a'],
  ['an underline', '==='],
  ['a rule', '---'],
  ['a list', '- a'],
  ['a list with a plus sign', '+ a'],
  ['a numbered list', '1. a'],
  ['a numbered list with a parenthesis', '12) a'],
  ['a task', '[x] a'],
  ['a quote', '> a'],
  ['an alert', '> [!WARNING]'],
  ['a footnote', 'a[^1]\n\n[^1]: b'],
  ['a caret and a number', '^1'],
  ['backslashes', 'a\\|b \\` \\'],
] as const

describe('code', () => {
  it.each([
    ['docs-agent/job_1', '`docs-agent/job_1`'],
    ['feat/#12 @mona $x$ <b>', '`feat/#12 @mona $x$ <b>`'],
    ['a`b', '<code>a&#96;b</code>'],
    ['a|b', '<code>a&#124;b</code>'],
    ['', '<code></code>'],
  ])('code for %j is written as %j', (content, markdown) => {
    expect(code(content)).toBe(markdown)
  })

  it('code is one element that contains the text, whatever the text', () => {
    fc.assert(
      fc.property(outside, (content) => {
        expectShown(code(content), plain(content), ['p', 'code'])
      }),
      runs(30),
    )
  })
})

describe('text', () => {
  it.each([
    'Fix the install page (again), in 3 steps: unpack, run, check.',
    'Rename old_name to new-name; 50% of a/b, +40 −12, “quoted”',
    'Nov 21, 14:05 UTC',
    // The runner recognizes the token, and masks it.
    'Rotate mint_0123456789abcdef',
    'Installiere die Größe für 日本語',
  ])('ordinary text is not escaped: %j', (content) => {
    expect(text(content)).toBe(content)
  })

  it.each([
    ['Use <b> & *stars*', 'Use &#60;b> & &#42;stars&#42;'],
    ['ask @mona', 'ask &#64;<!-- -->mona'],
    ['fixes #12', 'fixes &#35;<!-- -->12'],
    ['see https://e.example', 'see https&#58;<!-- -->//e.example'],
    ['1. first', '1&#46; first'],
  ])('text for %j is written as %j', (content, markdown) => {
    expect(text(content)).toBe(markdown)
  })

  it.each(nasty)('text is shown literally, alone, in a sentence and in a link: %s', (_, content) => {
    const shown = plain(content)
    expectShown(text(content), shown, ['p'])
    expectShown(`It said: “${text(content)}”.`, `It said: “${shown}”.`, ['p'])
    expectShown(link(content, 'https://e.example/'), shown, ['p', 'a'])
    expectShown(link(content, 'https://e.example/(a)'), shown, ['p', 'a'])
  })

  it('text is shown as text and nothing else, whatever it contains', () => {
    fc.assert(
      fc.property(outside, (content) => {
        const shown = plain(content, 2_000)
        fc.pre(shown !== '')
        expectShown(text(content), shown, ['p'])
        expectShown(`It said: “${text(content)}”.`, `It said: “${shown}”.`, ['p'])
        expectShown(`**${text(content)}x** y`, `${shown}x y`, ['p', 'strong'])
      }),
      runs(30),
    )
  })
})

describe('a link', () => {
  it.each([
    [
      link('acme/docs#7', 'https://github.com/acme/docs/pull/7'),
      '[acme/docs#7](https://github.com/acme/docs/pull/7)',
    ],
    [link('acme/app@4f2c9a1', 'https://e.example/'), '[acme/app@4f2c9a1](https://e.example/)'],
    [codeLink('a_b.md', 'https://e.example/a#diff-1'), '[`a_b.md`](https://e.example/a#diff-1)'],
    [link('x', 'https://e.example/(a)'), '[x](https://e.example/%28a%29)'],
  ])('a link is written as %j', (markdown, expected) => {
    expect(markdown).toBe(expected)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//e.example',
    '/a',
    '',
    'file:///etc/passwd',
  ])('a link to %j becomes text', (url) => {
    for (const markdown of [link('text', url), codeLink(url, url)]) expectShown(markdown, url, ['p', 'code'])
  })

  it('a link is one element with the right target, whatever the text and the URL', () => {
    const address = fc.oneof(
      webUrl,
      hostileText.map((part) => `https://e.example/${part}`),
    )
    fc.assert(
      fc.property(outside, address, (content, url) => {
        const href = URL.parse(url)?.href
        fc.pre(href !== undefined)
        const tree = render(`| ${link(content, url)} |\n| - |`)
        expect(elements(tree)).toEqual(['table', 'thead', 'tr', 'th', 'a'])
        expect(links(tree)).toEqual([decoded(href)])
        expect(textOf(find(tree, 'a'))).toBe(plain(content, 2_000))
      }),
      runs(30),
    )
  })
})

describe('prose', () => {
  it('prose shows text between backticks as code, and links only to the dashboard', () => {
    const sentence =
      'Check `a|b` on https://app.mintlify.com/settings/organization/api-keys. Or on https://app.mintlify.com, not on https://app.mintlify.com.e.example or https://app.mintlify.computer.'
    const tree = render(prose(sentence))
    expect(textOf(tree)).toBe(
      sentence
        .replaceAll('`', '')
        .replace('https://app.mintlify.com/settings', 'app.mintlify.com/settings')
        .replace('on https://app.mintlify.com,', 'on app.mintlify.com,'),
    )
    expect(elements(tree)).toEqual(['p', 'code', 'a', 'a'])
    expect(links(tree)).toEqual([
      'https://app.mintlify.com/settings/organization/api-keys',
      'https://app.mintlify.com/',
    ])
  })
})
