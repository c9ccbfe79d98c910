import { describe, expect, it } from 'vitest'
import { readVisible } from '../../src/adapters/visible-text.ts'

describe('a text made to block its reader', () => {
  it.each([
    ['takes a parser minutes', `x${'<?'.repeat(60_000)}`],
    ['overflows the stack', '> '.repeat(30_000)],
  ])('a text made to block its reader is rejected in time if it %s', (_, markdown) => {
    expect(readVisible(markdown, 100)).toBeNull()
  })
})

it('texts that people write are read', () => {
  expect(readVisible('fix <!-- x --> it')).toBe('fix  it')
})
