import { describe, expect, it } from 'vitest'
import { pageAddress, visiblePath } from '../../../src/visitors/core/page-link.ts'

describe('the URL of a page', () => {
  it.each([
    ['https://docs.example.com', '/guides/install', 'https://docs.example.com/guides/install'],
    ['https://docs.example.com/docs', 'guides/install', 'https://docs.example.com/docs/guides/install'],
    ['https://docs.example.com', '//evil.example/x', 'https://docs.example.com//evil.example/x'],
    ['https://docs.example.com/docs', '@evil.example/', 'https://docs.example.com/docs/@evil.example/'],
    ['https://docs.example.com', '.evil.example/', 'https://docs.example.com/.evil.example/'],
    ['https://docs.example.com', ':8080/', 'https://docs.example.com/:8080/'],
    ['https://example.com/docs', '/a/../b', 'https://example.com/docs/b'],
    ['https://example.com/docs', '', 'https://example.com/docs/'],
    ['http://localhost:3000', '/a', 'http://localhost:3000/a'],
    ['https://example.com', '/日本', 'https://example.com/%E6%97%A5%E6%9C%AC'],
    ['https://example.com/docs', 'evil', 'https://example.com/docs/evil'],
  ])('on the site %s, the page %j has the URL %s', (site, path, address) => {
    expect(pageAddress(site, path)).toBe(address)
  })

  it.each([
    [null, '/guides'],
    ['not a site', '/guides'],
    ['javascript:alert(1)//', '/guides'],
    ['data:text/html,x', '/guides'],
    ['file:///etc', '/passwd'],
    ['https://user:secret@example.com', '/guides'],
    ['https://example.com/#', '/guides'],
    ['https://example.com/?to=', '/guides'],
    ['https://example.com/docs', '/../admin'],
    ['https://example.com/docs', '/../docs-internal'],
    ['https://example.com/docs', '/%2e%2e/admin'],
    ['https://example.com/docs', '/\\..\\..\\admin'],
    ['https://example.com', '/a\u202Eb'],
    ['https://example.com', '/a\nb'],
    ['https://example.com', `/${'x'.repeat(2_000)}`],
  ])('a page has no URL if its site is invalid or its path is unsafe: %s (%#)', (site, path) => {
    expect(pageAddress(site, path)).toBeNull()
  })
})

describe('a path as it is shown', () => {
  it.each([
    ['/guides/install', '/guides/install'],
    ['', '/'],
    ['a\u202Eb\u200B\n\tc', 'a\\u{202E}b\\u{200B}\\u{A}\\u{9}c'],
    ['\u001B[31mred\r\n', '\\u{1B}[31mred\\u{A}'],
    ['/漢字', '/漢字'],
  ])('the path %j is shown as %s', (path, shown) => {
    expect(visiblePath(path)).toBe(shown)
  })
})
