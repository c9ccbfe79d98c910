import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containsSecret, redactor } from '../../src/core/redact.ts'
import { aKey, hostileText } from './samples.ts'

const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')
const each = (key: string, dress: (character: string) => string) => [...key].map(dress).join('')
const named: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A redactor takes long to make and little to use, so the tests share the keys of a run. */
const redactors = new Map(fc.sample(aKey, 100).map((key) => [key, redactor([key])]))
const sampleKey = fc.constantFrom(...redactors.keys())
const redact = (key: string, text: string) => (redactors.get(key) ?? redactor([key]))(text)

/** What a platform may make of a key when it prints it back. */
const dresses: [name: string, dress: (key: string) => string][] = [
  ['plain', (key) => key],
  ['URL-encoded', encodeURIComponent],
  [
    'URL-encoded in lower case',
    (key) => encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['URL-encoded whole', (key) => each(key, (character) => `%${hexOf(character)}`)],
  [
    'URL-encoded whole, in upper case',
    (key) => each(key, (character) => `%${hexOf(character).toUpperCase()}`),
  ],
  ['URL-encoded twice', (key) => encodeURIComponent(encodeURIComponent(key))],
  ['URL-encoded whole, twice', (key) => each(key, (character) => `%25${hexOf(character)}`)],
  ['as JSON', (key) => JSON.stringify(key)],
  ['as JSON in JSON', (key) => JSON.stringify(JSON.stringify(key))],
  ['as JSON escapes', (key) => each(key, (character) => `\\u00${hexOf(character)}`)],
  [
    'as JSON escapes in upper case',
    (key) => each(key, (character) => `\\u00${hexOf(character).toUpperCase()}`),
  ],
  ['as JSON escapes in JSON', (key) => each(key, (character) => `\\\\u00${hexOf(character)}`)],
  ['as a literal of code', (key) => each(key, (character) => `\\x${hexOf(character)}`)],
  ['as decimal entities', (key) => each(key, (character) => `&#${character.charCodeAt(0)};`)],
  ['as padded entities', (key) => each(key, (character) => `&#00${character.charCodeAt(0)};`)],
  ['as hexadecimal entities', (key) => each(key, (character) => `&#x${hexOf(character)};`)],
  [
    'as upper-case hexadecimal entities',
    (key) => each(key, (character) => `&#X${hexOf(character).toUpperCase()};`),
  ],
  ['as HTML', (key) => each(key, (character) => named[character] ?? character)],
  ['in hexadecimal', (key) => each(key, hexOf)],
  ['in upper-case hexadecimal', (key) => each(key, hexOf).toUpperCase()],
  ['in hexadecimal by bytes', (key) => [...key].map(hexOf).join(' ')],
  ['in hexadecimal as an array', (key) => [...key].map((character) => `0x${hexOf(character)}`).join(', ')],
  ['in hexadecimal on several lines', (key) => each(key, hexOf).replace(/.{10}/g, '$&\n  ')],
  ['reversed', (key) => [...key].toReversed().join('')],
  ['as Markdown', (key) => key.replace(/[\\`*_{}[\]()#+.!|<>~-]/g, '\\$&')],
]

describe('a key', () => {
  it.each(dresses)('does not survive %s', (_, dress) => {
    fc.assert(
      fc.property(sampleKey, hostileText, hostileText, (key, before, after) => {
        const dressed = dress(key)
        // Where the text around it happens to hold on to the key's ends, it is another text.
        fc.pre(!/[\\&%#]$/.test(before))
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

  it.each([0, 1, 2, 3, 4, 5])('does not survive in base64 %i characters into a text', (offset) => {
    fc.assert(
      fc.property(sampleKey, fc.string({ maxLength: 5 }), fc.boolean(), (key, after, url) => {
        const encoded = base64(`${'x'.repeat(offset)}${key}${after}`)
        const dressed = url ? encoded.replaceAll('+', '-').replaceAll('/', '_') : encoded
        const told = redact(key, dressed)
        expect(told).toContain('***')
        // Fewer than three of its bytes stand on either side of what was taken out.
        const left = told.replaceAll('***', '')
        expect(left.length).toBeLessThan(dressed.length - Math.floor((key.length - 4) / 3) * 4 + 4)
      }),
    )
  })

  // Wrapped as base64, openssl, diffs, quotes, YAML, JSON and comments do it.
  it.each(['\n', '\r\n', '\n  ', '\n+', '\n> ', '\n# ', '\\n', '\\r\\n', '\\\n', '\n * '])(
    'does not survive broken into lines by %j, plain or in base64',
    (lineBreak) => {
      const key = 'mint_0123456789abcdefghijklmnop'
      for (const [text, size] of [
        [key, 12],
        [base64(key), 16],
        [base64(`xy${key}`), 20],
      ] as const) {
        const wrapped = text.replace(new RegExp(`.{${size}}`, 'g'), `$&${lineBreak}`)
        expect(wrapped).not.toBe(text)
        expect(redactor([key])(`a ${wrapped} b`)).toMatch(/^a .{0,4}\*\*\*[\s\S]{0,8} b$/)
        expect(containsSecret(`a ${wrapped} b`, [key])).toBe(true)
      }
    },
  )

  it('does not survive in the base64 of its header', () => {
    fc.assert(
      fc.property(sampleKey, (key) => {
        for (const header of [`Bearer ${key}`, `Authorization: Bearer ${key}\r\n`, `user:${key}`]) {
          const told = redact(key, base64(header))
          expect(Buffer.from(told.split('***')[0] ?? '', 'base64').toString('latin1')).not.toContain(
            key.slice(0, 3),
          )
          expect(told).toContain('***')
        }
      }),
    )
  })

  it('is taken out wherever it stands, as often as it stands there', () => {
    expect(redactor(['mint_0123456789'])('mint_0123456789mint_0123456789, mint%5F0123456789')).toBe(
      '******, ***',
    )
  })

  it('is taken out whole beside another that it begins with', () => {
    const redact = redactor(['mint_0123', 'mint_0123456789'])
    expect(redact('a mint_0123456789 b')).toBe('a *** b')
  })

  it('of fewer than eight characters is left: it would blacken ordinary words', () => {
    expect(redactor(['ordinar', ''])('ordinary words')).toBe('ordinary words')
  })
})

describe('all other text', () => {
  it('stays as it is', () => {
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
    'stays as it is, though it is like the key: %s',
    (text) => {
      expect(redactor(['mint_0123456789'])(text)).toBe(text)
    },
  )

  it('without secrets stays as it is', () => {
    expect(redactor([])('anything at all')).toBe('anything at all')
  })

  // One look at a character for each of so many would be 4 * 10^9 of them: the test would run out of its time.
  it.each([
    ['backslashes', '\\'],
    ['zeros of an entity', '&#0'],
    ['beginnings of the key', 'mint_'],
    ['percent signs', '%25'],
  ])('of 64 KiB of %s is read in time that grows with its length', { timeout: 2_000 }, (_, part) => {
    const text = part.repeat((64 * 1024) / part.length)
    expect(redactor(['mint_0123456789'])(text)).toBe(text)
  })
})
