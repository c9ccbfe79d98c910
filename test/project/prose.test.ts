/** The prose check finds the mistakes that its rules describe, and accepts good sentences. */
import { expect, it } from 'vitest'
import { check } from '../../scripts/prose.ts'

// Real sentences, so that the rules match mistakes that people make.
it.each([
  ['It says so wherever a figure is missing.', 'if-not-where'],
  ['Null where the file is missing.', 'if-not-where'],
  ['Review its pull requests as a stranger’s.', 'one-genitive'],
  ['A figure is not to be had.', 'plain-modals'],
  ['Code that nobody has reviewed shall not get at the secrets.', 'plain-modals'],
  ['| somebody without rights comments `/docs` | skipped |', 'name-the-person'],
  ['What GitHub or `context-paths` leaves out is said.', 'field-words'],
  ['The report stands in the job summary.', 'field-words'],
  ['An organisation has 100 analytics requests an hour.', 'american-spelling'],
  ['Errors tell you what to do.', 'one-word-for-one-thing'],
  ['The key was refused.', 'one-word-for-one-thing'],
  ['Of a request that was unconfirmed, no more will come.', 'subject-first'],
  ['Run Mintlify’s documentation agent from GitHub Actions and get its pull request back.'],
  ['The repository where the workflow runs must grant the token access.'],
  ['Who can start the agent?'],
  ['A push that ends in an agent merge also contains other people’s pull requests.'],
  ['Use `shall` and `anew` as code.'],
  ['connect ECONNREFUSED: connection refused'],
])('the prose check reads: %s', (sentence, rule = '') => {
  const rules = check('a.md', sentence).map((found) => found.rule)
  expect(rules).toEqual(rule === '' ? [] : expect.arrayContaining([rule]))
})

it('the prose check reads comments, test titles and strings in code, but not other strings in tests', () => {
  const source = [
    '/** Null where the file is missing. */',
    '// The key',
    '// was refused.',
    'const text = `a file by hand`',
    "describe.each(rows)('of pushes', () => {",
    "  it('goes on', () => run('sent by hand and stored'))",
    '})',
  ].join('\n')
  const found = (name: string) => check(name, source).map(({ line, text }) => `${line} ${text}`)
  const inEach = ['1 Null where', '2 refused', '5 TITLE of', '6 goes on']
  expect(found('test/a.test.ts').sort()).toEqual(inEach)
  expect(found('src/a.ts').sort()).toEqual([...inEach, '4 by hand', '6 by hand'].sort())
})
