import { describe, expect, test } from 'vitest'
import { renderFragment, renderPage } from '../../sandbox/page.ts'

describe('renderFragment', () => {
  test.each([
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |', '<td>2</td>'],
    ['an address', 'see https://example.com', '<a href="https://example.com">https://example.com</a>'],
    ['a struck-out word', '~~old~~', '<del>old</del>'],
    ['a task list', '- [x] done', 'type="checkbox" checked disabled'],
    [
      'details',
      '<details><summary>Prompt</summary>\n\n**bold**\n\n</details>',
      '<p><strong>bold</strong></p>\n</details>',
    ],
    ['entities in code', '<code>&#60;b&#62;</code>', '<code>&#x3C;b></code>'],
  ])('shows %s', async (_, markdown, html) => {
    expect(await renderFragment(markdown)).toContain(html)
  })

  test('shows an alert with its icon', async () => {
    const html = await renderFragment('> [!WARNING]\n> The job continues.')
    expect(html).toContain('<div class="markdown-alert markdown-alert-warning"')
    expect(html).toContain('<svg class="octicon')
    expect(html).toContain('<p>The job continues.</p>')
  })

  test.each([
    ['scripts', '<script>alert(1)</script>', 'alert'],
    ['styles', '<p style="color: red">x</p>', 'style'],
    ['event handlers', '<img src="https://example.com/x.png" onerror="alert(1)">', 'onerror'],
    ['script links', '[x](javascript:alert(1))', 'javascript'],
    ['images in the address', '![x](data:image/png;base64,AAAA)', 'data:'],
    ['inline SVG', '<svg><path d="M0 0"/></svg>', 'svg'],
  ])('drops %s', async (_, markdown, gone) => {
    expect(await renderFragment(markdown)).not.toContain(gone)
  })
})

describe('renderPage', () => {
  test('needs nothing from elsewhere', async () => {
    const html = await renderPage('Docs <Agent>', '# Done')
    expect(html).not.toMatch(/<link|<script|@import|url\((?!data:|"?data:)/)
    expect(html).toContain('<title>Docs &#60;Agent&#62;</title>')
    expect(html).toContain('<h1>Done</h1>')
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).toContain('name="viewport"')
  })
})
