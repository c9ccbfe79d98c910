import { expect, it } from 'vitest'
import { readSuggestionCommand } from '../../../src/core/trigger/suggestion.ts'

it.each([
  ['fix s-1f3a9c', { act: 'fix', key: 's-1f3a9c' }],
  ['dismiss s-1f3a9c', { act: 'dismiss', key: 's-1f3a9c' }],
  [' Fix\ts-1F3A9C01 \r\n', { act: 'fix', key: 's-1f3a9c01' }],
  ...[
    'fix the install page',
    'fix s-1f3a9c and the install page',
    'fix s-1f3a9c\n\nAnd more',
    'fix s-1f3a9',
    'fix s-1f3a9g',
    'fix S-1f3a9c1f3a9c1f3a9',
    'please fix s-1f3a9c',
    'fix `s-1f3a9c`',
    'fix s-1f3a9c <!-- x -->',
    's-1f3a9c',
    '',
  ].map((text) => [text, null] as const),
] as const)('the text %j is read as the command %j', (instruction, command) => {
  expect(readSuggestionCommand(instruction)).toEqual(command)
})
