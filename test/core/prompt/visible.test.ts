import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../sandbox/github/markdown.ts'
import { visibleText } from '../../../src/core/prompt/visible.ts'
import { hiddenTexts, recordedTexts } from '../../hidden-text.ts'
import { hostileText, runs } from '../samples.ts'

/** HTML as GitHub's API returns it, shortened, and what people see of it. */
const shapes: Record<string, [html: string, text: string, missing?: string]> = {
  'a paragraph with line breaks, emphasis and code': [
    '<p dir="auto">Run <code class="notranslate">npm  ci</code>, <strong>not</strong><br>\n<del>npm i</del> <em>ever</em></p>',
    'Run `npm  ci`, not\n~~npm i~~ ever',
  ],
  'a heading with its anchor': [
    '<div class="markdown-heading" dir="auto"><h2 tabindex="-1" class="heading-element" dir="auto">Install</h2><a id="user-content-install" class="anchor" aria-label="Permalink: Install" href="#install"><svg class="octicon octicon-link" viewBox="0 0 16 16" aria-hidden="true"><path d="m7.775 3.275"></path></svg></a></div>',
    '## Install',
  ],
  'a mention, an issue, a commit and a shortened link': [
    '<p dir="auto"><a class="user-mention notranslate" data-hovercard-type="user" data-hovercard-url="/users/mona/hovercard" href="https://github.com/mona">@mona</a> <a class="issue-link js-issue-link" data-error-text="Failed to load title" data-id="1" data-permission-text="Title is private" data-url="https://github.com/acme/app/issues/42" data-hovercard-type="issue" href="https://github.com/acme/app/issues/42" aria-label="Hidden title">#42</a> <a class="commit-link" data-hovercard-type="commit" href="https://github.com/acme/app/commit/6dcb09b5b5" title="Hidden"><tt>6dcb09b</tt></a> <a href="https://e.example/hidden" rel="nofollow">guide</a></p>',
    '@mona #42 `6dcb09b` guide',
  ],
  'an emoji, and one that is an image': [
    '<p dir="auto"><g-emoji class="g-emoji" alias="tada">🎉</g-emoji> <img class="emoji" title=":shipit:" alt=":shipit:" src="https://github.githubassets.com/images/icons/emoji/shipit.png" height="20" width="20" align="absmiddle"></p>',
    '🎉',
    '1 image',
  ],
  'a task list': [
    '<ul class="contains-task-list">\n<li class="task-list-item"><input type="checkbox" id="" disabled="" class="task-list-item-checkbox" aria-label="Completed task" checked=""> one</li>\n<li class="task-list-item"><input type="checkbox" id="" disabled="" class="task-list-item-checkbox" aria-label="Incomplete task"> two\n<ol start="3" dir="auto">\n<li>three</li>\n<li>four</li>\n</ol>\n</li>\n</ul>',
    '- [x] one\n- [ ] two\n  3. three\n  4. four',
  ],
  'a list with paragraphs': [
    '<ol dir="auto">\n<li>\n<p dir="auto">one</p>\n<p dir="auto">more</p>\n</li>\n<li>\n<p dir="auto">two</p>\n</li>\n</ol>',
    '1. one\n\n   more\n\n2. two',
  ],
  'an alert': [
    '<div class="markdown-alert markdown-alert-warning" dir="auto"><p class="markdown-alert-title" dir="auto"><svg class="octicon octicon-alert mr-2" viewBox="0 0 16 16" aria-hidden="true"><path d="M6.457"></path></svg>Warning</p><p dir="auto">Back up first.</p>\n</div>',
    'Warning\n\nBack up first.',
  ],
  'a table': [
    '<markdown-accessiblity-table><table role="table">\n<thead>\n<tr>\n<th align="left">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="left"><code class="notranslate">c</code></td>\n<td>d<br>e</td>\n</tr>\n</tbody>\n</table></markdown-accessiblity-table>',
    '| a | b |\n| - | - |\n| `c` | d e |',
  ],
  'code with a language': [
    '<div class="highlight highlight-source-json notranslate position-relative overflow-auto" dir="auto"><pre class="notranslate">{ <span class="pl-ent">"type"</span>: <span class="pl-s"><span class="pl-pds">"</span>Card<span class="pl-pds">"</span></span> }\n\n  ```</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" class="ClipboardButton btn" value="hidden" tabindex="0" role="button"><svg aria-hidden="true" class="octicon octicon-copy"><path d="M0"></path></svg></clipboard-copy></div></div>',
    '````\n{ "type": "Card" }\n\n  ```\n````',
  ],
  'code without a language': [
    '<div class="snippet-clipboard-content notranslate position-relative overflow-auto" data-snippet-clipboard-copy-content="hidden"><pre class="notranslate"><code class="notranslate">a  &lt;b&gt;\n\tc\n</code></pre></div>',
    '```\na  <b>\n\tc\n```',
  ],
  'a table with bars and cells over several rows and columns': [
    '<table><caption>Types</caption><thead><tr><th>a</th><th colspan="2">b</th><th>c</th></tr></thead><tbody><tr><td rowspan="2">d</td><td><code>string | null</code></td><td>e\\|f</td><td></td></tr><tr><td rowspan="-1">g</td><td colspan="x">h</td><td>i</td></tr><tr><td>j</td></tr></tbody></table>',
    'Types\n\n| a | b |  | c |\n| - | - | - | - |\n| d | `string \\| null` | e\\\\\\|f |  |\n|  | g | h | i |\n| j |',
  ],
  'letters that are raised or lowered, and lists from other numbers': [
    '<p>10<sup>6</sup> 10<sup>-3</sup> x<sup>n+1</sup> 1<sup>st</sup> a<sub>i, j</sub></p><ol start="0"><li>b</li><li>c<ol start="-1"><li>d</li></ol></li></ol><ol start="x"><li>e</li></ol>',
    '10^6 10^-3 x^(n+1) 1^st a_(i, j)\n\n0. b\n1. c\n   -1. d\n\n1. e',
  ],
  'a quote and a rule': [
    '<blockquote>\n<p dir="auto">one</p>\n<blockquote><p>two</p></blockquote>\n</blockquote>\n<hr>',
    '> one\n> \n> > two\n\n---',
  ],
  'footnotes, whose heading is for screen readers': [
    '<p dir="auto">a<sup><a href="#user-content-fn-1-0f" id="user-content-fnref-1-0f" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p>\n<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only" dir="auto">Footnotes</h2>\n<ol dir="auto">\n<li id="user-content-fn-1-0f">\n<p dir="auto">note <a href="#user-content-fnref-1-0f" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref"><g-emoji class="g-emoji" alias="leftwards_arrow_with_hook">↩</g-emoji></a></p>\n</li>\n</ol>\n</section>',
    'a[^1]\n\n1. note',
  ],
  'details, which people can open': [
    '<details><summary>More</summary>\n<p dir="auto">inside</p>\n</details>',
    'More\n\ninside',
  ],
  formulas: [
    '<p dir="auto">a <math-renderer class="js-inline-math" style="display: inline-block" data-run-id="0f">$\\phantom{x}$</math-renderer> b</p>\n<p dir="auto"><math-renderer class="js-display-math" style="display: block" data-run-id="0f">$$x$$</math-renderer></p><pre lang="math" class="notranslate">x</pre>',
    'a  b',
    '3 formulas',
  ],
  'diagrams, as the API returns them and as pages do': [
    '<div class="highlight highlight-source-mermaid notranslate" dir="auto"><pre class="notranslate"><span class="pl-k">graph</span> TD</pre></div><section class="js-render-needs-enrichment render-needs-enrichment position-relative" data-identity="0f" data-host="https://viewscreen.githubusercontent.com" data-type="mermaid" aria-label="mermaid rendered output container"><div class="js-render-enrichment-target" data-json=\'{"data":"x"}\' data-plain="x" dir="auto"><div class="render-plaintext-hidden" dir="auto"><pre lang="mermaid" aria-label="Raw mermaid code">x</pre></div></div><span class="js-render-enrichment-loader" role="presentation"><span data-view-component="true"><span class="sr-only">Loading</span></span></span></section><pre lang="STL" class="notranslate">solid</pre>',
    '',
    '3 diagrams',
  ],
  'a map, which the API marks as JSON': [
    '<div class="highlight highlight-source-json"><pre class="notranslate">{<span class="pl-ent">"\\u0074ype"</span>: "FeatureCollection", "x": "x"}</pre></div>',
    '',
    '1 diagram',
  ],
  'images and a video': [
    '<p dir="auto"><a target="_blank" rel="noopener noreferrer nofollow" href="https://camo.githubusercontent.com/0f"><img src="https://camo.githubusercontent.com/0f" alt="hidden" data-canonical-src="https://e.example/a.png" style="max-width: 100%;"></a><themed-picture data-catalyst-inline="true"><picture><source media="(prefers-color-scheme: dark)" srcset="hidden"><img alt="hidden" src="x"></picture></themed-picture></p><details open="" class="details-reset border rounded-2"><summary class="px-3 py-2"><svg class="octicon octicon-device-camera-video"><path d="M16"></path></svg><span aria-label="Video description demo.mp4" class="m-1">demo.mp4</span><span class="dropdown-caret"></span></summary><video src="x" controls="controls" muted="muted"></video></details>',
    'demo.mp4',
    '2 images and 1 video',
  ],
  'marks on text': [
    '<ul>x<li>y</li></ul><p><q>a</q> <kbd>Ctrl</kbd> H<sub>2</sub>O <ruby>b<rp>(</rp><rt>c</rt><rp>)</rp></ruby> <abbr title="hidden">d</abbr></p><dl><dt>e</dt><dd>f</dd></dl>',
    'x\n- y\n\n"a" [Ctrl] H_2O b (c) d\n\ne\n\nf',
  ],
  'an element that is not on the list': [
    '<p>a <bdo dir="rtl">x</bdo><constructor>x</constructor> b</p><section>x</section><svg><text>x</text></svg>',
    'a  b',
    '3 other elements',
  ],
  'letters that are too small to read, and a table that is too low': [
    '<p>a<sub>b<sub>c<sup>d<small>e<sub>x</sub></small></sup></sub></sub><ruby>f<rt>g<ruby>h<rt>i<sup>x</sup></rt></ruby></rt></ruby></p><table height="1"><tr><td>x</td></tr></table>',
    'a_(b_(c^de))f (gh (i))',
    '2 tiny texts and 1 other element',
  ],
  'hidden elements and comments': ['<p>a<span hidden>x</span><b class="d-none">x</b><!-- x --></p>', 'a'],
  'hidden characters': ['<p>a\u202Eb\u200Bc&#x3164;d\u{E0041}e</p>', 'abcde', 'hidden characters'],
}

describe("the agent gets what people see of GitHub's HTML", () => {
  it.each(Object.entries(shapes))('the agent gets what people see of %s', (_, [html, text, missing]) => {
    const leftOut = missing === undefined ? [] : [{ why: `without ${missing}`, byRule: true }]
    expect(visibleText(html)).toEqual({ text, leftOut })
  })

  it('a page that becomes long because its lists indent each line is cut', () => {
    const lists = `${'<ol start="999999999"><li>a'.repeat(40)}${'<br>b'.repeat(80_000)}`
    const { text, leftOut } = visibleText(lists)
    expect(text.length).toBeLessThanOrEqual(256 * 1024)
    expect(text.length).toBeGreaterThan(250 * 1024)
    expect(leftOut).toEqual([{ why: 'over the context limit of 256 KiB' }])
  })

  it('a table with long spans or long rows does not become far longer than its HTML', () => {
    const wide = `<tr>${'<td colspan="999999" rowspan="2.5">'.repeat(2_000)}</tr>`
    const { text } = visibleText(`<table>${wide}${'<tr><td>a</td></tr>'.repeat(5_000)}</table>`)
    expect(text.length).toBeLessThanOrEqual(256 * 1024)
    expect(visibleText('<table><tr><td colspan="-2" rowspan="1.5">a</td></tr></table>').text).toContain(
      '| a |',
    )
  })

  it('a page that is nested too deeply is cut', () => {
    const { text, leftOut } = visibleText(`<p>a</p>${'<b><blockquote>'.repeat(20_000)}x`)
    expect(text).toBe('a')
    expect(leftOut).toEqual([{ why: 'without 1 deeply nested element', byRule: true }])
  })
})

it.each([...Map.groupBy(hiddenTexts, ({ way }) => way)])('people do not see the words in %s', (_, texts) => {
  for (const { word, markdown } of texts) {
    const { text } = visibleText(renderMarkdown(markdown))
    expect(text, markdown).not.toContain(word)
    expect(text.match(/\bseen\b/g), markdown).toEqual(markdown.match(/\bseen\b/g))
  }
})

it.each([...recordedTexts])("people do not see what GitHub's own parser hides in %j", (_, html) => {
  expect(visibleText(html).text).not.toContain('IGNORE')
})

it('people see elements that GitHub shows as text', () => {
  const shown = '<title>a</title> <textarea>b</textarea> <style>c</style> <xmp>d</xmp> e'
  expect(visibleText(recordedTexts.get(shown) ?? '').text).toBe(shown)
})

/** The start, the end and the attributes of an element with this text. */
const element = fc
  .tuple(
    fc.constantFrom(
      'p',
      'b',
      'a',
      'ul',
      'li',
      'table',
      'tr',
      'td',
      'pre',
      'code',
      'details',
      'svg',
      'select',
      'x-y',
    ),
    fc.constantFrom('title', 'alt', 'href', 'class', 'aria-label', 'value', 'lang'),
  )
  .map(([name, attribute]): [string, string] => [`<${name} ${attribute}="attribute…">`, `</${name}>`])

it('no attribute of any HTML is text', () => {
  const html = fc
    .array(
      fc.oneof(
        element.map(([start]) => start),
        element.map(([, end]) => end),
        hostileText,
      ),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(html, (page) => {
      expect(visibleText(page).text).not.toContain('attribute…')
    }),
    runs(100),
  )
})
