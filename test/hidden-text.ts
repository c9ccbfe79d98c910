/** Markdown in which people do not see every word. */

/** Ways to hide a word (`…`) from people on GitHub, each a block. They see the word `seen` if there is one. */
const ways: Record<string, readonly string[]> = {
  comments: ['<!-- … -->', 'seen <!-- … --> seen', '<!-- a\n\n… -->', '<?…?>', '<!X …>', '<![CDATA[ … ]]>'],
  definitions: [
    '[//]: # (…)',
    '[a]: /x "…"',
    "[…]: <x> 'a'",
    '[a]:\n/…\n"…"',
    '[//]: # "a\n… b"',
    'seen [a]\n\n[a]: /… "…"',
    'seen [b][…]\n\n[…]: /x',
  ],
  footnotes: ['[^9]: …', '[^9]: a\n\n    …', '[^…]: a', '[^9]: a [^8]\n[^8]: …'],
  'targets and titles': [
    '[seen](/… "…")',
    '[seen](</… x>)',
    '<a href="/…" title="…">seen</a>',
    "<a name='…'>seen</a>",
    '[seen](/x\n"…")',
  ],
  images: [
    '![…](/x)',
    '![a](/x "…")',
    '![a][i]\n\n[i]: /… "…"',
    '[![…](/x)](/y)',
    '<img alt="…" src="/…">',
    '<picture><source srcset="/…"><img alt="…"></picture>',
    'seen <img title=… src=x>',
  ],
  attributes: [
    '<p align="center" data-x="…">seen</p>',
    '<b title="…">seen</b>',
    '<abbr title="…">seen</abbr>',
    '<q cite="/…">seen</q>',
    '<time datetime="…">seen</time>',
    '<span class="…" id="…" aria-label="…">seen</span>',
    '<ol start="…"><li value="…">seen</li></ol>',
    '<table summary="…"><tr><td headers="…" abbr="…">seen</td></tr></table>',
    '<details name="…"><summary title="…">seen</summary></details>',
    '<div itemprop="…" lang="…">seen</div>',
    '<input type="checkbox" value="…" placeholder="…">',
    '<ruby>seen<rp>…</rp><rt>seen</rt></ruby>',
  ],
  code: ['```js …\nseen\n```', '~~~ x … \nseen\n~~~', '<pre lang="x" title="…">seen</pre>'],
  formulas: [
    '$…$',
    'seen $…$',
    '$$\\phantom{…}$$',
    '$$\n\\phantom{…}\n$$',
    '```math\n% …\n```',
    '<pre lang="math">…</pre>',
  ],
  diagrams: [
    '```mermaid\ngraph TD\n%% …\n```',
    '```mermaid\n---\ntitle: …\n---\npie\n```',
    '```Mermaid\naccTitle: …\n```',
    '```geojson\n{"type": "Feature", "x": "…"}\n```',
    '```topojson\n{"x": "…", "type": "Topology"}\n```',
    '```stl\nsolid …\n```',
    '<pre lang="mermaid">…</pre>',
    '<pre lang="GeoJSON"><code>…</code></pre>',
    '<pre lang=" stl ">…</pre>',
  ],
  scripts: ['<script>…</script>', '<script>\n\n…\n\n</script>'],
  tags: ['<b … >seen</b>', '<x-y …>seen</x-y>', '<p …="…">seen</p>', '<br …/>', '<hr title="…">'],
}

/** Places for a block. */
const places: ((block: string) => string)[] = [
  (block) => block,
  (block) => `seen\n\n${block}\n\nseen`,
  (block) => block.replace(/^/gm, '> '),
  (block) => `- seen\n\n${block.replace(/^/gm, '  ')}`,
  (block) => `<details><summary>seen</summary>\n\n${block}\n\n</details>`,
]

/** The texts, each with a word of its own for every `…`. */
export const hiddenTexts = Object.entries(ways)
  .flatMap(([way, blocks]) => blocks.flatMap((block) => places.map((place) => ({ way, text: place(block) }))))
  .map(({ way, text }, index) => {
    const word = `hidden${String(index).padStart(4, '0')}`
    return { way, word, markdown: text.replaceAll('…', word) }
  })

const math = (text: string) => `<p><math-renderer class="js-display-math">${text}</math-renderer></p>`

/** Markdown that other parsers read differently, with the sanitized HTML of GitHub's own parser, cmark-gfm. */
export const recordedTexts = new Map([
  ['<source "IGNORE the rules">', '<source>'],
  ['a\n<source "IGNORE', '<p>a</p>'],
  ['[^1[2]: IGNORE\n\n    IGNORE', ''],
  ['[^]:IGNORE(', ''],
  [`[^${'a'.repeat(1_000)}]: IGNORE`, ''],
  ['[0]: a( "IGNORE"', ''],
  ['![IGNORE](a( "b")', '<p><img src="a(" alt="IGNORE" title="b"></p>'],
  ['![IGNORE](\u0001)', '<p><img src="%01" alt="IGNORE"></p>'],
  ['[!]:\vIGNORE', ''],
  ['- [x] [IGNORE]: /x "IGNORE"', '<ul>\n<li><input type="checkbox" checked disabled> </li>\n</ul>'],
  ['$$\\phantom{IGNORE}$$', math('$$\\phantom{IGNORE}$$')],
  ['```math\n% IGNORE\n```', math('$$\n% IGNORE\n$$')],
  [
    '<title>a</title> <textarea>b</textarea> <style>c</style> <xmp>d</xmp> e',
    '&lt;title>a&lt;/title> &lt;textarea>b&lt;/textarea> &lt;style>c&lt;/style> &lt;xmp>d&lt;/xmp> e',
  ],
])
