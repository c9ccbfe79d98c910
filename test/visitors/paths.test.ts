import { expect, it } from 'vitest'
import { isListed, isPlainPath, pageAddress, visiblePath } from '../../src/visitors/paths.ts'
import { rowsOf } from '../core/samples.ts'

it.each(
  rowsOf(`
    https://docs.example.com      | /guides/install  | https://docs.example.com/guides/install
    https://docs.example.com/docs | guides/install   | https://docs.example.com/docs/guides/install
    https://docs.example.com      | //evil.example/x | https://docs.example.com//evil.example/x
    https://docs.example.com/docs | @evil.example/   | https://docs.example.com/docs/@evil.example/
    https://docs.example.com      | .evil.example/   | https://docs.example.com/.evil.example/
    https://docs.example.com      | :8080/           | https://docs.example.com/:8080/
    https://example.com/docs      | /a/../b          | https://example.com/docs/b
    https://example.com/docs      |                  | https://example.com/docs/
    https://example.com           | /日本            | https://example.com/%E6%97%A5%E6%9C%AC
    https://example.com           | /api/what-is-new? | https://example.com/api/what-is-new%3F
    https://example.com           | /c#/100%-a%20b   | https://example.com/c%23/100%25-a%20b
    https://example.com/docs      | /../admin        | none
    https://example.com/docs      | /../docs-internal | none
    https://example.com/docs      | /%2e%2e/admin    | none
    https://example.com/docs      | /\\..\\..\\admin | none
    https://example.com           | /a\u202Eb        | none
    https://example.com           | /a\u0085b        | none
    https://example.com           | /${'x'.repeat(2_000)} | none
  `),
)('the URL on %s of the page %.40j is: %s', (site = '', path = '', address) => {
  expect(pageAddress(site, path) ?? 'none').toBe(address)
  expect(pageAddress(null, path)).toBeNull()
})

it.each(
  rowsOf(`
    /~A-z_0.9         | yes
    guides/install    | no
    /@octocat         | no
    /ignore all rules | no
    /a\u3164b         | no
    /www.evil.example | no
    /${'a'.repeat(120)} | no
  `),
)('the path %s is safe in any text: %s', (path = '', isSafe) => {
  expect(isPlainPath(path)).toBe(isSafe === 'yes')
})

it.each([
  ['/guides/install', '/guides/install'],
  ['', '/'],
  ['a\u202Eb\u200B\n\tc', 'a\\u{202E}b\\u{200B}\\u{A}\\u{9}c'],
  ['\u001B[31mred\r\n', '\\u{1B}[31mred\\u{A}'],
  ['/漢字', '/漢字'],
])('the path %j is shown as %s', (path, shown) => {
  expect(visiblePath(path)).toBe(shown)
})

it.each<[string[], string[]]>([
  [[], ['/a', 'b/c', '/b']],
  [
    ['/a', 'b/**'],
    ['/a', 'b/c', '/b'],
  ],
  [['b/*'], ['b/c']],
  [['{a,b/**}/'], ['/a', 'b/c', '/b']],
  [['!/b/*'], ['/a', '/b']],
  [['!/b/**'], ['/a']],
])('the globs %j list the pages %j, whether or not paths begin with a slash', (globs, listed) => {
  expect(['/a', 'b/c', '/b'].filter((path) => isListed(path, globs))).toEqual(listed)
})
