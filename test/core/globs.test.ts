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
  ])('!%s leaves out %s', (glob, path) => {
    expect(isSelected(path, ['**', '.*', '.*/**', '**/.*', `!${glob}`], matchesGlob)).toBe(false)
  })

  it('leaves out a path over 1,024 characters, whatever the globs are', () => {
    expect(isSelected(`docs/${'a'.repeat(1_019)}`, ['docs/**'], matchesGlob)).toBe(true)
    expect(isSelected(`docs/${'a'.repeat(1_020)}`, ['docs/**'], matchesGlob)).toBe(false)
    expect(isSelected('a/'.repeat(600), [], matchesGlob)).toBe(false)
  })
})

it.each([
  ['docs/**', 'docs/.a.md'],
  ['**/*.yml', '.github/x.yml'],
  ['*', '.env'],
])('%s alone does not select %s', (glob, path) => {
  expect(isSelected(path, [glob], matchesGlob)).toBe(false)
})

it('matches as node does', () => {
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
    runs(1000),
  )
})

// node's own takes over two minutes for the first. The test would run out of its time.
it.each([
  ['*a*a*a*b', 'a'.repeat(1_024)],
  ['**/a/**/a/**/a/**/b', 'a/'.repeat(512)],
  ['*a*a*a*/**/*a*a*a*b', `${'a'.repeat(500)}/${'a'.repeat(500)}`],
])('decides on %s for 3,000 paths before the test runs out of time', (glob, path) => {
  for (let times = 0; times < 3_000; times++) expect(matchesGlob(path, glob)).toBe(false)
})
