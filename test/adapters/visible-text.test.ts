import { describe, expect, it } from 'vitest'
import { readVisible } from '../../src/adapters/visible-text.ts'

describe('a text made to block its reader', () => {
  it.each([
    ['takes a parser minutes', `x${'<?'.repeat(60_000)}`],
    ['overflows the stack', '> '.repeat(30_000)],
  ])('a text made to block its reader is given up if it %s', (_, markdown) => {
    expect(readVisible(markdown, 100)).toBeNull()
  })
})

it('reads what people write', () => {
  expect(readVisible('fix <!-- x --> it')).toBe('fix  it')
})
