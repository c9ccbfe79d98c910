import { describe, expect, test } from 'vitest'
import { StepLog } from '../../sandbox/runner/log.ts'
import { appending, printing, runFake, shown, startFake } from './runner.fake.ts'

/** The log of a step that prints the line. */
function logged(line: string): StepLog {
  const log = new StepLog('')
  log.take(line)
  return log
}

describe('inputs and environment', () => {
  const inputs = `  some-name: {default: true}
  empty: {required: true}
  token: {default: '\${{ github.token }}'}
  kept: {default: x}`
  const main = `const { env } = process
    console.log(JSON.stringify(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('INPUT_')))))`

  test('inputs come from `with`, or otherwise from the default; missing inputs are empty', async () => {
    const options = { with: { kept: '' }, githubToken: 'ghs_1234567890' }
    const { rawStdout } = await runFake({ inputs, main }, options)
    expect(JSON.parse(rawStdout)).toEqual({
      'INPUT_SOME-NAME': 'true',
      INPUT_EMPTY: '',
      INPUT_TOKEN: 'ghs_1234567890',
      INPUT_KEPT: '',
    })
  })

  test('an unknown expression in a default is an error', () => {
    const unknown = { inputs: `  a: {default: '\${{ github.actor }}'}`, main: '' }
    expect(() => startFake(unknown)).toThrow('github.actor')
  })
})

describe('the log', () => {
  test.each([
    ['  ::error title=A%2C b,file=x.md::one%0Atwo %25', '[error] one\ntwo %'],
    ['::Warning::careful', '[warning] careful'],
    ['see ##[error]this', '[error] this'],
    ['##[notice title=a%3Bb]c%5D', '[notice] c]'],
    ['::group::Prompt', '[group] Prompt'],
    ['::endgroup::', '[endgroup]'],
    ['a ::error::b', 'a ::error::b'],
    ['::no-such::b', '::no-such::b'],
    ['::error', '::error'],
    ['\u2028text', '\u2028text'],
  ])('the log shows %j as %j', (line, expected) => {
    expect(shown({ log: logged(line).lines })).toEqual([expected])
  })

  test('a log line ends at \\n, \\r\\n or \\r, on both streams', async () => {
    const main = `process.stdout.write('a\\r::error::b\\r\\nc')
      process.stderr.write('::warning::d\\r')`
    const result = await runFake({ main })
    expect(shown(result).toSorted()).toEqual(['[error] b', '[warning] d', 'a', 'c'])
    expect(result.rawStdout).toBe('a\r::error::b\r\nc')
  })

  test.each([
    '::set-env name=A::b',
    'text ##[add-path]/tmp',
    '::set-output name=a::b',
    '::save-state name=a::b',
    '::add-matcher::x.json',
    '::stop-commands::x',
  ])('the command %j is reported, but not carried out', (line) => {
    const log = logged(line)
    expect([log.rejectedCommands, shown({ log: log.lines })]).toEqual([
      [line],
      [expect.stringMatching(/^\[error\]/)],
    ])
  })
})

describe('masks', () => {
  test('masks hide a value in later log lines, in annotations and in the summary', async () => {
    const { main } = printing('hunter22', '::add-mask::hunter22', 'a hunter22 b', '::error::hunter22')
    const write = `${main}; appendFileSync(process.env.GITHUB_STEP_SUMMARY, 'key hunter22')`
    const result = await runFake({ main: write })
    expect(shown(result)).toEqual(['hunter22', 'a *** b', '[error] ***'])
    expect(result).toMatchObject({ masks: ['hunter22'], summary: 'key ***', annotations: [{ text: '***' }] })
    expect(result.rawStdout).toContain('a hunter22 b')
  })

  test('masks hide the token from the start, including each of its lines', async () => {
    const result = await runFake(printing('a line-two b'), { githubToken: 'p/w "1\nline-two' })
    expect(shown(result)).toEqual(['a *** b'])
  })

  test('masks also apply in the post step', async () => {
    const result = await runFake({ ...printing('::add-mask::hunter22'), post: "console.log('hunter22')" })
    expect(shown(result)).toEqual(['***'])
  })
})

describe('command files', () => {
  test('command files can contain pairs and blocks', async () => {
    const text = 'a=1=2\n\nb<<EOF\nx\n\nEOF y\nEOF\nc<<E\nE\nd=<<x\ntorn\n'
    const { outputs } = await runFake(appending('GITHUB_OUTPUT', text))
    expect(outputs).toEqual({ a: '1=2', b: 'x\n\nEOF y', c: '', d: '<<x' })
  })

  test.each([
    [1_048_576, true],
    [1_048_577, false],
  ])('a summary of at most 1,048,576 bytes is kept (%i bytes: %s)', async (bytes, isKept) => {
    const main = `appendFileSync(process.env.GITHUB_STEP_SUMMARY, 'x'.repeat(${bytes}))`
    expect((await runFake({ main })).summary.length).toBe(isKept ? bytes : 0)
  })
})
