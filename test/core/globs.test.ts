import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSelected, matchesGlob } from '../../src/core/globs.ts'
import { runs } from './samples.ts'

describe('an exclusion', () => {
  it.each([
    ['**/*.yml', '.github/workflows/x.yml'],
    ['**/*.yml', 'docs/.hidden.yml'],
    ['*/workflows/**', '.github/workflows/x.yml'],
    ['**', '.env'],
    ['.github/**', '.github/.a/b'],
    ['**/[!a]github/**', '.github/x'],
    ['{a,?}env', '.env'],
  ])('the exclusion !%s leaves out %s', (glob, path) => {
    expect(isSelected(path, ['**', '.*', '.*/**', '**/.*', `!${glob}`])).toBe(false)
  })

  it('a path over 1,024 characters is left out, whatever the globs are', () => {
    expect(isSelected(`docs/${'a'.repeat(1_019)}`, ['docs/**'])).toBe(true)
    expect(isSelected(`docs/${'a'.repeat(1_020)}`, ['docs/**'])).toBe(false)
    expect(isSelected('a/'.repeat(600), [])).toBe(false)
  })
})

it.each([
  ['docs/**', 'docs/.a.md'],
  ['**/*.yml', '.github/x.yml'],
  ['*', '.env'],
])('the glob %s alone does not select %s', (glob, path) => {
  expect(isSelected(path, [glob])).toBe(false)
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
  const path = fc.array(fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', '..a')).map((names) => names.join('/'))
  fc.assert(
    fc.property(path, glob, (path, glob) => {
      fc.pre(
        path !== '' &&
          !/(^|[/{,])\.{1,2}($|[/},])|\*\*\*|(^|[{,])\/|\/($|[},])/.test(`${glob} ${path}`.trim()),
      )
      expect(matchesGlob(path, glob)).toBe(posix.matchesGlob(path, glob))
    }),
    runs(500),
  )
})

// With Node's own function, the first row takes over two minutes, so the test would time out.
it.each([
  ['*a*a*a*b', 'a'.repeat(1_024)],
  ['**/a/**/a/**/a/**/b', 'a/'.repeat(512)],
  ['*a*a*a*/**/*a*a*a*b', `${'a'.repeat(500)}/${'a'.repeat(500)}`],
])(
  'the glob %s can be matched against a long path 3,000 times within the time limit of a test',
  (glob, path) => {
    for (let times = 0; times < 3_000; times++) expect(matchesGlob(path, glob)).toBe(false)
  },
)
