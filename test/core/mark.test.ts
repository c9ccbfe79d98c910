import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decode, encode } from '../../src/core/mark.ts'
import { hostileText } from './samples.ts'

it('any text survives encoding, which is ASCII', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(encode(text)).toMatch(/^[A-Za-z0-9+/=]+$/)
      expect(decode(encode(text))).toBe(text)
    }),
    { examples: [['éé\u{1F600}']] },
  )
})
