import { describe, expect, it } from 'vitest'
import type { StepOptions } from '../../sandbox/runner/environment.ts'
import { StepLog } from '../../sandbox/runner/log.ts'
import { startStep } from '../../sandbox/runner/step.ts'
import { workspaceWith } from '../steps/world.ts'

/** Starts a step whose main script is this code. */
function start(main: string, options: StepOptions = {}, inputs = '', post = '') {
  const runs = `runs:\n  using: node24\n  main: main.mjs\n${post && '  post: post.mjs\n'}`
  const actionDir = workspaceWith({
    'main.mjs': `import { appendFileSync } from 'node:fs'\n${main}`,
    'post.mjs': post,
    'action.yml': `name: fake\n${inputs && `inputs:\n${inputs}\n`}${runs}`,
  })
  return startStep({ ...options, actionDir })
}

const printing = (...lines: string[]) =>
  lines.map((line) => `console.log(${JSON.stringify(line)})`).join('\n')

/** The kind and text of each line. */
const shown = ({ log }: { log: StepLog['lines'] }) =>
  log.map(({ kind, text }) => (kind === 'text' ? text : `[${kind}] ${text}`.trim()))

it('inputs come from `with`, or otherwise from the default; missing inputs are empty', async () => {
  const inputs = `  some-name: {default: true}
  empty: {required: true}
  token: {default: '\${{ github.token }}'}
  kept: {default: x}`
  const main = `console.log(JSON.stringify(Object.entries(process.env).filter(([name]) => name.startsWith('INPUT_'))))`
  const { rawStdout } = await start(main, { with: { kept: '' }, githubToken: 'ghs_1234567890' }, inputs).done
  expect(Object.fromEntries(JSON.parse(rawStdout))).toEqual({
    'INPUT_SOME-NAME': 'true',
    INPUT_EMPTY: '',
    INPUT_TOKEN: 'ghs_1234567890',
    INPUT_KEPT: '',
  })
  expect(() => start('', {}, `  a: {default: '\${{ github.actor }}'}`)).toThrow('github.actor')
})

describe('the log', () => {
  const logged = (line: string) => {
    const log = new StepLog('')
    log.take(line)
    return { log: log.lines, rejected: log.rejectedCommands }
  }

  it.each([
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
    expect(shown(logged(line))).toEqual([expected])
  })

  it.each([
    '::set-env name=A::b',
    'text ##[add-path]/tmp',
    '::set-output name=a::b',
    '::save-state name=a::b',
    '::add-matcher::x.json',
    '::stop-commands::x',
  ])('the command %j is reported, but not carried out', (line) => {
    const { log, rejected } = logged(line)
    expect([rejected, shown({ log })]).toEqual([[line], [expect.stringMatching(/^\[error\]/)]])
  })

  it('a log line ends at \\n, \\r\\n or \\r, on both streams', async () => {
    const result = await start(
      `process.stdout.write('a\\r::error::b\\r\\nc'); process.stderr.write('::warning::d\\r')`,
    ).done
    expect(shown(result).toSorted()).toEqual(['[error] b', '[warning] d', 'a', 'c'])
    expect(result.rawStdout).toBe('a\r::error::b\r\nc')
  })
})

it('masks hide a value in later log lines, in annotations, in the summary and in the post step', async () => {
  const lines = printing('hunter22', '::add-mask::hunter22', 'a hunter22 line-two b', '::error::hunter22')
  const main = `${lines}; appendFileSync(process.env.GITHUB_STEP_SUMMARY, 'key hunter22')`
  const result = await start(main, { githubToken: 'p/w "1\nline-two' }, '', printing('hunter22')).done
  expect(shown(result)).toEqual(['hunter22', 'a *** *** b', '[error] ***', '***'])
  expect(result).toMatchObject({ masks: ['hunter22'], summary: 'key ***', annotations: [{ text: '***' }] })
  expect(result.rawStdout).toContain('a hunter22 line-two b')
})

it('command files can contain pairs and blocks', async () => {
  const text = 'a=1=2\n\nb<<EOF\nx\n\nEOF y\nEOF\nc<<E\nE\nd=<<x\ntorn\n'
  const { outputs } = await start(`appendFileSync(process.env.GITHUB_OUTPUT, ${JSON.stringify(text)})`).done
  expect(outputs).toEqual({ a: '1=2', b: 'x\n\nEOF y', c: '', d: '<<x' })
})

it.each([
  [1_048_576, 1_048_576],
  [1_048_577, 0],
])('a summary of %i bytes keeps %i of them', async (bytes, kept) => {
  const { summary } = await start(`appendFileSync(process.env.GITHUB_STEP_SUMMARY, 'x'.repeat(${bytes}))`)
    .done
  expect(summary.length).toBe(kept)
})
