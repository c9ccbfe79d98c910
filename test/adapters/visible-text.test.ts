import { describe, expect, it } from 'vitest'
import { readVisible } from '../../src/adapters/visible-text.ts'

describe('text made to block its parser', () => {
  it.each([
    ['would take a parser minutes', `x${'<?'.repeat(60_000)}`],
    ['would overflow the stack', '> '.repeat(30_000)],
  ])('text that %s is rejected in time', (_, markdown) => {
    expect(readVisible(markdown, 100)).toBeNull()
  })
})

it('ordinary text is read', () => {
  expect(readVisible('fix <!-- x --> it')).toBe('fix  it')
})
