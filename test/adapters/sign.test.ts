import { expect, it } from 'vitest'
import { seal, signWith, unseal } from '../../src/adapters/sign.ts'

const sign = signWith('mint_0123456789')
const text = '{"told": "a b"}'

it('sealed text is read with the key that sealed it', () => {
  expect(unseal(seal(text, sign), sign)).toBe(text)
})

it.each([
  ['not sealed', text],
  ['sealed with another key', seal(text, signWith('mint_somebody_elses'))],
  ['sealed without a key', seal(text, signWith(''))],
  ['given the seal of another text', `${seal('{}', sign).split(' ')[0]} ${text}`],
  ['signed for another purpose', `${sign(text)} ${text}`],
  ['not JSON', '{'],
  ['empty', ''],
])('text is not accepted if it is %s', (_, sealed) => {
  expect(unseal(sealed, sign)).toBeUndefined()
})
