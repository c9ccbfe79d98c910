/** The prose check finds the mistakes that its rules describe, and accepts good sentences. */
import { describe, expect, it } from 'vitest'
import { check } from '../../scripts/prose.ts'

const rulesOf = (sentence: string) => check('a.md', sentence).map(({ rule }) => rule)

describe('the prose check finds', () => {
  // Real sentences, so that the rules match mistakes that people make.
  it.each([
    ['One step gives the agent an instruction, waits for it and hands back its pull request.', 'field-words'],
    ['**Nothing runs in circles.**', 'field-words'],
    ['What the agent’s own account caused starts no job, whoever merged it.', 'name-the-person'],
    ['The platform has no way to find a job, so what may have arrived is never sent again.', 'field-words'],
    ['On a schedule it reports who reads the docs, people and AI apart.', 'name-the-person'],
    ['What GitHub or `context-paths` leaves out is said.', 'field-words'],
    ['A push that brings nothing relevant starts nothing.', 'field-words'],
    ['The role of who comments is the gate, and nothing of the fork is run.', 'name-the-person'],
    ['On a fork’s it gets no secrets, and the step is skipped.', 'one-genitive'],
    ['It says so wherever a figure is missing.', 'if-not-where'],
    ['A figure is not to be had.', 'plain-modals'],
    ['The report stands in the job summary.', 'field-words'],
    ['Commands are taken from people with the role `write`, asked of GitHub each time.', 'field-words'],
    ['The key is taken out of everything that is printed, rendered or put out.', 'field-words'],
    ['It goes to `base-url` alone, over https, and never after a redirect.', 'field-words'],
    ['That makes talking it into something harder, and does not rule it out.', 'field-words'],
    ['Review its pull requests as a stranger’s.', 'one-genitive'],
    ['[SECURITY.md](SECURITY.md) says it in full.', 'field-words'],
    ['| somebody without rights comments `/docs` | skipped |', 'name-the-person'],
    ['## By hand, and with this', 'field-words'],
    ['An organisation has 100 analytics requests an hour.', 'american-spelling'],
    ['A report takes 6 at most, if nothing has to be tried again.', 'plain-modals'],
    ['All ends before any request, with all such faults listed at once.', 'field-words'],
    ['ARCHITECTURE.md says what is where.', 'field-words'],
    ['A change with nothing relevant or of the agent’s own.', 'one-genitive'],
    ['Where GitHub does not answer, nobody is let in.', 'if-not-where'],
    ['Code that nobody has reviewed shall not get at the secrets.', 'plain-modals'],
    ['Errors tell you what to do.', 'one-word-for-one-thing'],
    ['Each request is recorded at GitHub before it is sent.', 'one-word-for-one-thing'],
    ['The job goes on.', 'one-word-for-one-thing'],
    ['The key was refused.', 'one-word-for-one-thing'],
    ['Start the workflow by hand.', 'one-word-for-one-thing'],
    ['The pull request stands open.', 'one-word-for-one-thing'],
    ['Give the agent an instruction.', 'one-word-for-one-thing'],
    ['Of a request that was unconfirmed, no more will come.', 'subject-first'],
    ['A read is no gate.', 'subject-first'],
    ['Null where the file is missing.', 'if-not-where'],
  ])('the prose check finds the mistake in: %s', (sentence, rule) => {
    expect(rulesOf(sentence)).toContain(rule)
  })
})

describe('the prose check accepts', () => {
  it.each([
    'Run Mintlify’s documentation agent from GitHub Actions and get its pull request back.',
    'The repository where the workflow runs must grant the token access.',
    'Pushes and merges of the agent’s own work never start another job.',
    'Who can start the agent?',
    'If GitHub does not answer, nobody is allowed.',
    'A push that ends in an agent merge also contains other people’s pull requests.',
    'Use `shall` and `anew` as code.',
    'The report shows human visitors and AI readers.',
    'There is no open pull request, and the job is no longer active.',
    'connect ECONNREFUSED: connection refused',
  ])('the prose check accepts: %s', (sentence) => {
    expect(rulesOf(sentence)).toEqual([])
  })
})

it("a finding names its line, even in a YAML comment or a snapshot's code block", () => {
  expect(check('a.yml', 'a: 1\n# anew\n')).toMatchObject([{ line: 2, text: 'anew' }])
  expect(check('a.md', '# A\n\n```markdown\nb\n\nanew\n```\n\n```ts\nanew\n```\n')).toMatchObject([
    { line: 6, text: 'anew' },
  ])
})

it('the check reads comments, test titles and strings in code, but not other strings in tests', () => {
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
  expect(check('a.css', 'a {}\n/* goes on */\n')).toMatchObject([{ line: 2, text: 'goes on' }])
})
