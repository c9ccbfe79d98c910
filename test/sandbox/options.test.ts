import { describe, expect, test } from 'vitest'
import { helpText, parseOptions } from '../../sandbox/options.ts'
import { readAction } from '../../sandbox/runner/action.ts'
import { schemas } from '../../src/core/inputs/schema.ts'

describe('parseOptions', () => {
  test('takes nothing, and runs the demo', () => {
    expect(parseOptions([])).toEqual({
      kind: 'run',
      options: {
        inputs: {},
        ends: 'pull-request',
        live: false,
        workspace: undefined,
        comment: undefined,
        push: false,
        settle: false,
      },
    })
  })

  test.each(['agent', 'visitors'] as const)(
    'takes a flag for every input of mode %s, always as text',
    (mode) => {
      const names = Object.keys(schemas[mode].shape)
      const parsed = parseOptions(['--mode', mode, ...names.flatMap((name) => [`--${name}`, 'false'])])
      const inputs = { mode, ...Object.fromEntries(names.map((name) => [name, 'false'])) }
      expect(parsed).toMatchObject({ kind: 'run', options: { inputs } })
    },
  )

  test('leaves a mode that does not exist to the action', () => {
    expect(parseOptions(['--mode', 'agnet', '--trend', '4'])).toMatchObject({ kind: 'run' })
  })

  test('keeps an empty value apart from none', () => {
    expect(parseOptions(['--prompt='])).toMatchObject({ options: { inputs: { prompt: '' } } })
  })

  test.each([
    [['--promt', 'x'], '--promt'],
    [['--prompt'], '--prompt'],
    [['--prompt', '--live'], '--prompt'],
    [['--ends', 'well'], 'got well'],
    [['--live=yes'], '--live'],
    [['prompt'], 'prompt'],
  ])('refuses %j and names what is wrong', (args, named) => {
    expect(parseOptions(args)).toMatchObject({ kind: 'fault', text: expect.stringContaining(named) })
  })

  test('help goes before all else', () => {
    expect(parseOptions(['--help', '--ends', 'well'])).toEqual({ kind: 'help' })
  })

  test.each([
    [['--push', '--comment', '/docs x'], '--comment and --push: give one of them.'],
    [['--settle', '--push'], '--push and --settle: give one of them.'],
    [['--mode', 'settle'], '--mode settle finds no open jobs here. Use --settle.'],
    [['--trend', '4'], '--trend is for mode visitors, not for mode agent.'],
    [
      ['--mode', 'visitors', '--agent-login', 'x'],
      '--agent-login is for modes agent and settle, not for mode visitors.',
    ],
    [['--push', '--mode', 'visitors'], '--push is only for mode agent on the embedded platform.'],
    [['--comment', '/docs x', '--live'], '--comment is only for mode agent on the embedded platform.'],
    [['--mode', 'visitors', '--ends', 'failed'], '--ends is only for mode agent on the embedded platform.'],
    [['--live', '--ends', 'pull-request'], '--ends is only for mode agent on the embedded platform.'],
  ])('refuses %j', (args, text) => {
    expect(parseOptions(args)).toEqual({ kind: 'fault', text })
  })
})

test('the help lists every input with its description, grouped by mode', () => {
  const help = helpText()
  const groups = help.match(/^Inputs of .*:$/gm)
  expect(groups).toEqual(
    expect.arrayContaining(['Inputs of every mode:', 'Inputs of mode agent:', 'Inputs of mode visitors:']),
  )
  for (const [name, { description }] of Object.entries(readAction().inputs)) {
    expect(help).toContain(`--${name}`)
    expect(help).toContain(description)
  }
})
