import { posix } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSelected, matchesGlob } from '../../src/core/globs.ts'
import { runs } from './samples.ts'

it.each([
  ['**/*.yml', '.github/workflows/x.yml'],
  ['**/*.yml', 'docs/.hidden.yml'],
  ['*/workflows/**', '.github/workflows/x.yml'],
  ['**', '.env'],
  ['**/[!a]github/**', '.github/x'],
  ['{b,?}env', '.env'],
])('the glob %s alone does not select %s, but its exclusion leaves it out', (glob, path) => {
  expect(isSelected(path, [glob])).toBe(false)
  expect(isSelected(path, [path])).toBe(true)
  expect(isSelected(path, [path, `!${glob}`])).toBe(false)
})

it.each(['a[!c]b', 'a[^c]b', 'a[.-0]b', 'a?b', 'a*b'])(
  'no sign of the glob %s in a name matches a slash',
  (glob) => {
    expect([matchesGlob('a/b', glob), posix.matchesGlob('a/b', glob)]).toEqual([false, false])
  },
)

it('a path over 1,024 characters is left out, whatever the globs are', () => {
  expect(isSelected(`docs/${'a'.repeat(1_019)}`, ['docs/**'])).toBe(true)
  expect(isSelected(`docs/${'a'.repeat(1_020)}`, ['docs/**'])).toBe(false)
  expect(isSelected('a/'.repeat(600), [])).toBe(false)
})

it('a glob matches as it does in Node.js', () => {
  const signs = [
    'a',
    'b',
    'a',
    '/',
    '/',
    '.',
    '*',
    '**',
    '?',
    '[ab]',
    '[!a]',
    '{a,b}',
    '{a/,.b,{a,*}}',
    '}',
    '^',
  ]
  const glob = fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 8 }).map((all) => all.join(''))
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', '..a'), { minLength: 1 })
    .map((names) => names.join('/'))
  // Node.js resolves `.` and `..`, and accepts more slashes and stars than this action.
  const isOther = /(^|[/{,])\.{1,2}($|[/},])|\*\*\*|(^|[{,])\/|\/($|[},])/
  fc.assert(
    fc.property(
      path,
      glob.filter((text) => !isOther.test(text)),
      (path, glob) => {
        expect(matchesGlob(path, glob)).toBe(posix.matchesGlob(path, glob))
      },
    ),
    runs(500),
  )
})

// With Node's own function, the first row takes over two minutes, so the test would time out.
it.each([
  ['*a*a*a*b', 'a'.repeat(1_024)],
  ['**/a/**/a/**/a/**/b', 'a/'.repeat(512)],
  [`${'**/*a*/'.repeat(20)}b`, 'a/'.repeat(512)],
  ['*a*a*a*/**/*a*a*a*b', `${'a'.repeat(500)}/${'a'.repeat(500)}`],
])('the glob %s is matched against a long path 3,000 times before the test times out', (glob, path) => {
  for (let times = 0; times < 3_000; times++) expect(matchesGlob(path, glob)).toBe(false)
})
