import { describe, expect, test } from 'vitest'
import { flagsThatNpmTook, helpText, inputGroups, parseOptions } from '../../sandbox/options.ts'
import { readAction } from '../../sandbox/runner/action.ts'
import { defaults } from '../../src/core/inputs/schema.ts'

describe('parseOptions', () => {
  test.each(['agent', 'visitors'] as const)(
    'parseOptions accepts a flag for every input of mode %s, and keeps its value as text',
    (mode) => {
      const names = Object.keys(defaults[mode])
      const parsed = parseOptions(['--mode', mode, ...names.flatMap((name) => [`--${name}`, 'false'])])
      const inputs = { mode, ...Object.fromEntries(names.map((name) => [name, 'false'])) }
      expect(parsed).toMatchObject({ kind: 'run', options: { inputs } })
    },
  )

  test.each([
    [['--promt', 'x'], '--promt'],
    [['--prompt'], '--prompt'],
    [['--prompt', '--live'], '--prompt'],
    [['--ends', 'well'], 'it is well'],
    [['--live=yes'], '--live'],
    [['prompt'], 'prompt'],
  ])('parseOptions rejects %j and names the mistake', (args, named) => {
    expect(parseOptions(args)).toMatchObject({ kind: 'fault', text: expect.stringContaining(named) })
  })

  test.each([
    [['--push', '--comment', '/docs x'], '--comment and --push are different demos. Use only one.'],
    [['--settle', '--push'], '--push and --settle are different demos. Use only one.'],
    [['--mode', 'settle'], '--mode settle finds no open jobs here. Use --settle.'],
    [['--sections', 'none'], '--sections is for mode visitors, not for mode agent.'],
    [
      ['--mode', 'visitors', '--agent-login', 'x'],
      '--agent-login is for modes agent and settle, not for mode visitors.',
    ],
    [['--push', '--mode', 'visitors'], '--push is only for mode agent with the mock of Mintlify.'],
    [['--comment', '/docs x', '--live'], '--comment is only for mode agent with the mock of Mintlify.'],
    [['--label', 'docs', '--live'], '--label is only for the mock of Mintlify: --live has no GitHub.'],
    [['--mode', 'visitors', '--ends', 'failed'], '--ends is only for mode agent with the mock of Mintlify.'],
    [['--live', '--ends', 'pull-request'], '--ends is only for mode agent with the mock of Mintlify.'],
  ])('parseOptions rejects %j', (args, text) => {
    expect(parseOptions(args)).toEqual({ kind: 'fault', text })
  })
})

test('the help lists every input once, with its description', () => {
  const help = helpText()
  for (const [name, { description }] of Object.entries(readAction().inputs)) {
    expect(help.match(new RegExp(`^  --${name} `, 'gm'))).toHaveLength(1)
    expect(help).toContain(description)
  }
})

test('the groups of inputs contain every input once', () => {
  const names = inputGroups().flatMap(({ inputs }) => inputs.map(({ name }) => name))
  expect(names.toSorted()).toEqual(Object.keys(readAction().inputs).toSorted())
})

test('flags that npm took because `--` was missing are recognized', () => {
  expect(
    flagsThatNpmTook({ npm_config_push: 'true', npm_config_fail_on: 'none', npm_config_yes: '1' }),
  ).toEqual(['fail-on', 'push'])
  expect(flagsThatNpmTook({ npm_config_dry_run: 'true' })).toEqual([])
})
