import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containsSecret, redactor } from '../../src/core/redact.ts'
import { aKey, hostileText } from './samples.ts'

const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

const redact = (key: string, text: string) => redactor([key])(text)

/** Encodings in which a platform may return a key. */
const dresses: [name: string, dress: (key: string) => string][] = [
  ['unencoded', (key) => key],
  ['URL-encoded', encodeURIComponent],
  ['as JSON', (key) => JSON.stringify(key)],
  ['as HTML', (key) => key.replace(/[&<>"']/g, (character) => named[character] ?? '')],
]

describe('a key', () => {
  it.each(dresses)('a key is removed if it appears %s', (_, dress) => {
    fc.assert(
      fc.property(aKey, hostileText, hostileText, (key, before, after) => {
        const dressed = dress(key)
        const told = redact(key, `${before} ${dressed} ${after}`)
        expect(told).not.toContain(dressed)
        expect(told).toContain('***')
        expect(containsSecret(`${before} ${dressed} ${after}`, ['another-secret', key])).toBe(true)
      }),
      {
        examples: [
          ['mint_a&b<c>d"e\'f', '', ''],
          ['\\\\////++%%', '', ''],
        ],
      },
    )
  })

  it.each([0, 1, 2, 3, 4, 5])(
    'a key is removed from Base64, however many characters are encoded before it: %i',
    (offset) => {
      fc.assert(
        fc.property(aKey, fc.string({ maxLength: 5 }), fc.boolean(), (key, after, url) => {
          const encoded = base64(`${'x'.repeat(offset)}${key}${after}`)
          const dressed = url ? encoded.replaceAll('+', '-').replaceAll('/', '_') : encoded
          const told = redact(key, dressed)
          expect(told).toContain('***')
          // Fewer than three of the key's bytes remain on either side of the removed part.
          const left = told.replaceAll('***', '')
          expect(left.length).toBeLessThan(dressed.length - Math.floor((key.length - 4) / 3) * 4 + 4)
        }),
      )
    },
  )

  it('every occurrence of a key is removed', () => {
    expect(redactor(['mint_0123456789'])('mint_0123456789mint_0123456789, "mint_0123456789"')).toBe(
      '******, "***"',
    )
  })

  it('a key is removed whole, even if it starts with another key', () => {
    const redact = redactor(['mint_0123', 'mint_0123456789'])
    expect(redact('a mint_0123456789 b')).toBe('a *** b')
  })

  it('a key under eight characters stays, because removing it would damage ordinary words', () => {
    expect(redactor(['ordinar', ''])('ordinary words')).toBe('ordinary words')
  })
})

describe('all other text', () => {
  it('all other text stays unchanged', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (before, after) => {
        const redact = redactor(['mint_0123456789'])
        expect(redact(before)).toBe(before)
        expect(containsSecret(before, ['mint_0123456789', 'short', ''])).toBe(false)
        expect(redact(`${before} mint_0123456789 ${after}`)).toBe(`${before} *** ${after}`)
      }),
    )
  })

  it.each(['mint_012345678', 'Mint_0123456789', 'int_0123456789', 'mint 0123456789'])(
    'all other text stays unchanged, even if it resembles the key: %s',
    (text) => {
      expect(redactor(['mint_0123456789'])(text)).toBe(text)
    },
  )

  it('text without secrets stays unchanged', () => {
    expect(redactor([])('anything at all')).toBe('anything at all')
  })
})
