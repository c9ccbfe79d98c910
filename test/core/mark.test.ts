import fc from 'fast-check'
import { expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { readMark, writeMark } from '../../src/core/mark.ts'
import { hostileText } from './samples.ts'

const sign = signWith('mint_0123456789')

it('any value survives in a mark, which is ASCII and signed for its place', () => {
  fc.assert(
    fc.property(hostileText, (value) => {
      const mark = writeMark('docs-agent', [value], 'here', sign)
      expect(mark).toMatch(/^<!-- [\w:+/=-]+ -->$/)
      const read = readMark('docs-agent', `Words\n\n${mark}\n`, 'here', sign)
      expect(read).toEqual({ value: [value], isSigned: true, words: 'Words' })
      expect(readMark('docs-agent', mark, 'elsewhere', sign)).toMatchObject({ isSigned: false })
    }),
    { examples: [['éé\u{1F600}']] },
  )
})
