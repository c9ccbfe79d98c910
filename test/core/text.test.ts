import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cut, fill, firstOf, joinTexts, oneLine, showHidden, withoutCommands } from '../../src/core/text.ts'
import { hostileText, runs } from './samples.ts'

describe('hidden characters', () => {
  it.each([
    ['right-to-left override', 'a\u202Eb', 'a\\u{202E}b'],
    ['zero-width space', 'a\u200Bb', 'a\\u{200B}b'],
    ['byte order mark', '\uFEFFa', '\\u{FEFF}a'],
    ['tag character', '\u{E0041}', '\\u{E0041}'],
    ['escape', '\u001B[31m', '\\u{1B}[31m'],
    ['null', '\0', '\\u{0}'],
    ['C1 control', '\u0085', '\\u{85}'],
    ['lone surrogate', '\uD800', '\\u{D800}'],
    ['line separator', '\u2028', '\\u{2028}'],
    ['Hangul filler', '\u3164', '\\u{3164}'],
    ['private use', '\uE000', '\\u{E000}'],
    ['lone carriage return', 'a\rb', 'a\\u{D}b'],
    ['carriage return before a line end', 'a\r\nb', 'a\nb'],
    ['soft hyphen', '\u00AD', '\\u{AD}'],
    ['variation selector', 'a\u{E0100}', 'a\\u{E0100}'],
    ['emoji selector after a letter', 'a\uFE0F', 'a\\u{FE0F}'],
    ['emoji selector after a digit', '1\uFE0F', '1\\u{FE0F}'],
    ['combining grapheme joiner', 'a\u034Fb', 'a\\u{34F}b'],
    ['empty Braille cell', 'a\u2800b', 'a\\u{2800}b'],
    ['emoji selector twice', '❤\uFE0F\uFE0F', '❤\uFE0F\\u{FE0F}'],
  ])('hidden characters are shown: %s', (_, text, shown) => {
    expect(showHidden(text)).toBe(shown)
  })

  it.each(['plain', 'tab\tand\nline', 'Ünïcödé 漢字', '😀', '❤️', 'e\u0301'])(
    'hidden characters are not found in %j',
    (text) => {
      expect(showHidden(text)).toBe(text)
    },
  )

  it('hidden characters are gone once shown: a second pass finds none', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = showHidden(text)
        expect(shown.isWellFormed()).toBe(true)
        expect(shown.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u)
        expect(showHidden(shown)).toBe(shown)
      }),
    )
  })
})

describe('text without commands', () => {
  it.each([
    ['::error::x', ': :error::x'],
    ['  ::set-output name=a::b', '  : :set-output name=a::b'],
    ['ok\n::stop-commands::t', 'ok\n: :stop-commands::t'],
    ['a ##[add-path]/x', 'a ## [add-path]/x'],
    ['\u00A0::error::x', '\u00A0: :error::x'],
    ['a::b', 'a::b'],
    ['## Heading', '## Heading'],
    ['\n\n ::a::', '\n\n : :a::'],
  ])('the text %j is printed as %j', (text, printed) => {
    expect(withoutCommands(text)).toBe(printed)
  })

  it('text without commands contains no line that the runner would treat as a command', () => {
    const lines = fc.array(
      fc.constantFrom(
        '::',
        ':',
        '##',
        '#',
        '[',
        'error',
        ' ',
        '\t',
        '\n',
        '\r',
        '\r\n',
        '\u3000',
        '\u2028',
        ']',
      ),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          hostileText,
          lines.map((parts) => parts.join('')),
        ),
        (text) => {
          for (const line of withoutCommands(text).split(/[\n\r]/)) {
            expect(line.trimStart().startsWith('::')).toBe(false)
            expect(line).not.toContain('##[')
          }
        },
      ),
      runs(400),
    )
  })
})

// If the scan started over at each line, such text would take minutes, so the test would time out.
it.each(['\n', ' ', '\t\n', '\u00A0', ':', '#'])(
  '512 KiB of %j is searched for commands in linear time',
  {
    timeout: 5_000,
  },
  (part) => {
    const text = part.repeat((512 * 1024) / part.length)
    expect(withoutCommands(text).length).toBeGreaterThanOrEqual(text.length)
  },
)

describe('one line', () => {
  it('one line has no leading or double space, stays within its limit, and has only whole characters', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const line = oneLine(text, limit)
        expect(line.length).toBeLessThanOrEqual(limit)
        expect(line).not.toMatch(/[\n\r\t]|^\s|\s\s/u)
        expect(line.isWellFormed()).toBe(true)
      }),
    )
  })

  it.each([
    ['a\n\n b\t c ', 300, 'a b c'],
    ['a\u00A0\u3000b', 300, 'a b'],
    ['abcdef', 4, 'abc…'],
  ])('one line of %j with at most %i characters is %j', (text, limit, line) => {
    expect(oneLine(text, limit)).toBe(line)
  })
})

describe('templates and lists', () => {
  it('a value replaces the word in capitals that names it, and is not filled itself', () => {
    const values = { JOB: 'TIME', TIME: '1 s' }
    expect(fill('Job `JOB` took TIME on the API: JOBS', values)).toBe('Job `TIME` took 1 s on the API: JOBS')
  })

  it('joined texts have no gaps where one is missing', () => {
    expect(joinTexts(['a', '', null, undefined, false, 'b'], ', ')).toBe('a, b')
  })

  it.each([
    [['a', 'b'], 2, ['a', 'b'], undefined],
    [['a', 'b', 'c'], 2, ['a', 'b', 'and 1 more'], undefined],
    [['a', 'b'], 2, ['a', 'b', 'and 3 more'], 5],
    [['a', 'b'], 1, ['a', 'and 1 more'], 1],
  ])('the list %j with a limit of %i is %j', (items, limit, shown, total) => {
    expect(firstOf(items, limit, total)).toEqual(shown)
  })
})

describe('cut text', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['a😀b', 3, 'a…'],
    ['a😀b', 4, 'a😀b'],
    ['', 1, ''],
  ])('the text %j cut to a length of %i is %j', (text, limit, kept) => {
    expect(cut(text, limit)).toBe(kept)
  })
})
