import { describe, expect, test } from 'vitest'
import { helpText, parseOptions } from '../../sandbox/options.ts'
import { readAction } from '../../sandbox/runner/action.ts'

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
      },
    })
  })

  test('takes a flag for every input of action.yml, always as text', () => {
    const names = Object.keys(readAction().inputs)
    const parsed = parseOptions(names.flatMap((name) => [`--${name}`, 'false']))
    expect(parsed).toMatchObject({
      kind: 'run',
      options: { inputs: Object.fromEntries(names.map((name) => [name, 'false'])) },
    })
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
    [['--push', '--comment', '/docs x'], '--comment and --push are two events: give one.'],
    [['--push', '--mode', 'visitors'], '--push is only for mode agent on the embedded platform.'],
    [['--comment', '/docs x', '--live'], '--comment is only for mode agent on the embedded platform.'],
    [['--mode', 'visitors', '--ends', 'failed'], '--ends is only for mode agent on the embedded platform.'],
    [['--live', '--ends', 'pull-request'], '--ends is only for mode agent on the embedded platform.'],
  ])('refuses %j', (args, text) => {
    expect(parseOptions(args)).toEqual({ kind: 'fault', text })
  })
})

test('the help lists every input with its description', () => {
  const help = helpText()
  for (const [name, { description }] of Object.entries(readAction().inputs)) {
    expect(help).toContain(`--${name}`)
    expect(help).toContain(description)
  }
})
