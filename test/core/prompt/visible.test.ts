import fc from 'fast-check'
import type { Nodes } from 'hast'
import { describe, expect, it } from 'vitest'
import { visibleText } from '../../../src/core/prompt/visible.ts'
import { stripHidden } from '../../../src/core/text.ts'
import { render } from '../../render/github.ts'
import { hostileText, runs } from '../samples.ts'

describe('the agent does not get', () => {
  it.each([
    ['a comment', 'a <!-- x --> b', 'a  b'],
    ['a comment block', 'a\n\n<!-- x\n\ny -->\n\nb', 'a\n\nb'],
    ['a comment that never ends', 'a\n\n<!-- x\n\nb', 'a'],
    ['a comment that continues after its quote', 'a\n\n> <!-- x\n\nb', 'a'],
    [
      'a comment after a fence with a line that does not close it',
      '```\na\n```x\n```\n<!-- x -->',
      '````\na\n```x\n````',
    ],
    [
      'a comment after a fence in a fence',
      'a\n```\nb\n```\n<!-- x -->\n```\nc',
      'a\n\n```\nb\n```\n\n```\nc\n```',
    ],
    ['a comment after the end of another element', '<pre>\n</prefoo>\n<!-- x -->\n</pre>b', 'b'],
    ['a processing instruction', 'a <?x y?> b', 'a   b'],
    ['a declaration', 'a <!DOCTYPE x> b', 'a   b'],
    ['CDATA', 'a\n\n<![CDATA[ x ]]>\n\nb', 'a\n\nb'],
    ['a definition that is a comment', 'a\n\n[//]: # (x y)\n\nb', 'a\n\nb'],
    ['a definition in a quote', '> [//]: # (x)\n> b', '> b'],
    ['the URL and the title of a link', '[a](https://x.example/x "x") [b][b]\n\n[b]: /x "x"', 'a b'],
    ['the description and the title of an image', 'a ![x](x "x") b ![x][i]\n\n[i]: /x', 'a  b'],
    ['an element’s attributes', '<p title="x" data-x="x" aria-label=x>a</p>', 'a'],
    ['an inline element’s attributes', 'a <b title="x">b</b> c', 'a b c'],
    ['text inside a tag that never ends', '<p title="\n\nx\n\n">b</p>\n\nb', ''],
    ['a hidden element', 'a <b hidden>x</b> b', 'a   b'],
    ['a hidden element with others inside', '<div hidden>x<div>x</div>x</div> b', 'b'],
    ['an element hidden by its style', 'a <b style="color:red;display : none">x</b> b', 'a   b'],
    ['an element hidden by a style without quotes', 'a <b style=visibility:hidden>x</b> b', 'a   b'],
    ['a template', '<template>\n\nx\n\n</template>\n\nb', 'b'],
    ['the parentheses of ruby text', '<ruby>a<rp>x</rp><rt>b</rt></ruby>', 'a b'],
    ['a style sheet', 'a <style>x</style> b', 'a   b'],
    ['text after a start tag inside a raw element', '<textarea><template></textarea>x', ''],
    ['the info of a fence', '```js title="x"\na\n```', '```\na\n```'],
    [
      'comments and settings of a diagram',
      '```mermaid\n%%{init: {}}%%\ngraph TD\n %% x\n a-->b\n```',
      '```\n\ngraph TD\n \n a-->b\n```',
    ],
    [
      'descriptions of a diagram',
      '```mermaid\npie\naccTitle: x\naccDescr {\nx\n}\n"a": 1\n```',
      '```\npie\n\n\n"a": 1\n```',
    ],
    ['the source of a map', 'a\n\n```geojson\n{"x": 1}\n```', 'a'],
    ['table cells without a column header', '| a |\n| - |\n| b | x |', '| a |\n| - |\n| b |'],
    ['a footnote that nothing refers to', 'a\n\n[^1]: x', 'a'],
    ['a footnote whose only reference is in itself', 'a\n\n[^1]: x [^1]', 'a'],
    ['a footnote that only a hidden reference names', 'a <b hidden>[^1]</b>\n\n[^1]: x', 'a'],
    ['hidden characters', 'a\u202Eb\u200Bc\u{E0041}d\u{E0101}e\uFE0Ff\u3164g', 'abcdefg'],
    ['hidden characters written as entities', 'a&#x200B;b&#x3164;c', 'abc'],
    ['text that a hidden character keeps inside a comment', 'a <!-- x --\u200B> x --> b', 'a  b'],
  ])('the agent does not get %s', (_, markdown, visible) => {
    expect(visibleText(markdown).trim()).toBe(visible)
  })
})

describe('the agent gets', () => {
  it.each([
    ['plain text, **bold**, ~~struck~~, `code`, é, 漢字 and ❤️'],
    ['a < b, a <= b, 1 <2, AT&T'],
    ['what does `<p hidden>` do?'],
    ['see https://e.example/a?b=c&d=e#f and mona@e.example'],
    ['# Title\n\ntext\n\n---\n\n## Next'],
    ['- [ ] one\n- [x] two\n  1. three\n  2. four'],
    ['> quoted\n> \n> - list'],
    ['```\n<!-- kept -->\n[//]: # (kept)\n```\n\nb'],
    ['````\n```\n<!-- kept -->\n```\n````'],
    ['| a | `b` |\n| - | - |\n| c | d |'],
    ['a[^1]\n\n[^1]: note'],
    // An inline comment cannot contain an empty line, so GitHub shows it.
    ['a <!-- x\n\ny --> b'],
  ])('the agent gets %j unchanged', (markdown) => {
    expect(visibleText(markdown)).toBe(markdown)
  })

  it.each([
    ['a&amp;b &lt;!-- seen --&gt; \\<!-- seen --\\>', 'a&b <!-- seen --> <!-- seen -->'],
    ['<details>\n<summary>More</summary>\n\ntext\n\n</details>', 'More\n\ntext'],
    ['<p align="center">R&D &amp; <b>bold</b><br>next</p>', 'R&D & bold\nnext'],
    ['add <Card title="x">text</Card>', 'add text'],
    ['```html\ncode\n```', '```\ncode\n```'],
    [
      '[^a] [^b]\n\n[^b]: two\n[^a]: one [^c]\n[^c]: three',
      '[^1] [^2]\n\n[^1]: one [^3]\n\n[^2]: two\n\n[^3]: three',
    ],
  ])('the agent gets the visible part of %j', (markdown, visible) => {
    expect(visibleText(markdown)).toBe(visible)
  })
})

/** Ways to hide text in Markdown, HTML and GitHub's extensions. Each `…` becomes a different word. */
const hiding = [
  ...['<!--', '-->', '--!>', '<!-->', '<?', '?>', '<!A', ']]>', '<![CDATA[', '>', '<', '/>', '"', "'", '='],
  ...[
    '<div …>',
    '<div title="…">',
    '</div>',
    '<p hidden>',
    '<b …="',
    '<a href=…>',
    '<pre>',
    '</pre …>',
    '</prefoo>',
  ],
  ...[
    '<template>',
    '</template>',
    '<style>',
    '</style>',
    '<textarea>',
    '</textarea>',
    '<svg><desc>',
    '</svg>',
  ],
  ...[
    '<script>',
    '</script>',
    '<select>',
    '<option …>',
    '</select>',
    '<title>',
    '<noscript>',
    '<xmp>',
    '<plaintext>',
  ],
  ...[
    '<table>',
    '<tr>',
    '<td>',
    '</table>',
    '<rp>',
    '</rp>',
    '<iframe>',
    '<math>',
    '<img alt="…">',
    '<br/>',
    '<x-y …>',
  ],
  ...[
    '[//]: # (…)',
    '[…]: ',
    '[…]',
    '[a]: /… "…"',
    '[a]',
    '[a][…]',
    '[…](/… "…")',
    '![…](/…)',
    '![…',
    '](',
    ')',
    '[',
  ],
  ...[
    '[^…]',
    '[^1]',
    '[^1]: …',
    '| … ',
    '|',
    '\n| - |\n',
    '\n|-|-|\n',
    '```… …\n',
    '```',
    '~~~',
    '`',
    '``',
    '\\',
  ],
  ...[
    '&lt;',
    '&amp',
    '&#60;',
    '&ltx…',
    '&#x200B;',
    '\u200B',
    '\u{E0041}',
    '\u3164',
    '\r\n',
    '\t',
    '\u00A0',
    '\0',
  ],
  ...[
    '\n',
    '\n',
    '\n\n',
    '\n\n',
    ' ',
    '    ',
    '> ',
    '- ',
    '1. ',
    '# ',
    '- [x] ',
    '\n===\n',
    '\n---\n',
    '**',
    '_',
  ],
  ...['…', '…', '…', 'https://e.example/…', 'www.e.example/…', '…@e.example', '<https://e.example/…>'],
]

const hostileMarkdown = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...hiding) }, hostileText), { maxLength: 24 })
  .map((parts) => {
    let words = 0
    return parts.join('').replace(/…/g, () => `word${String(words++).padStart(3, '0')}e`)
  })

it('every word that reaches the agent is on the page that GitHub shows', { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(hostileMarkdown, (markdown) => {
      const page = stripHidden(textOfPage(render(markdown)))
      const words = visibleText(markdown).match(/[\p{L}\p{N}]+/gu) ?? []
      expect(words.filter((word) => /\p{L}/u.test(word) && !page.includes(word))).toEqual([])
    }),
    runs(120),
  )
})

/** The text of a page, with an `x` for each checked box. */
function textOfPage(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && node.tagName === 'input') return node.properties.checked === true ? 'x' : ''
  return 'children' in node ? node.children.map(textOfPage).join('') : ''
}
