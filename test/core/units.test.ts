import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteLength, formatDuration, formatSize, parseDuration } from '../../src/core/units.ts'

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['1h2m3s', 3_723_000],
    ['1.5h', 5_400_000],
    ['0.5s', 500],
    ['0s', 0],
  ])('a duration written as %j is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    ...['', '90', 's', '-1s', '1 m', ' 1m', '1d', '1ms', '1M', '1.m', '.5s', '1,5h', '1m ', '١s', '1s\n'],
  ])('a duration cannot be written as %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it.each([
    [-5, '0 s'],
    [499, '0 s'],
    [500, '1 s'],
    [59_600, '1 min'],
    [252_000, '4 min 12 s'],
    [3_605_000, '1 h'],
    [3_720_000, '1 h 2 min'],
    [360_000_000, '100 h'],
  ])('a duration of %i ms is shown as %j', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })

  it('a duration is shown to the second below an hour, and to the minute above', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 * 86_400 }), (seconds) => {
        const text = formatDuration(seconds * 1000)
        const back = parseDuration(text.replaceAll(' ', '').replace('min', 'm'))
        expect(back).toBe((seconds < 3600 ? seconds : seconds - (seconds % 60)) * 1000)
      }),
    )
  })
})

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KiB'],
  [12_300, '12 KiB'],
  [1_048_575, '1.0 MiB'],
  [5_033_165, '4.8 MiB'],
])('a size of %i bytes is shown as %j', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

it('the size of a text is in bytes of UTF-8', () => {
  expect(['', 'abc', 'é', '€', '😀'].map(byteLength)).toEqual([0, 3, 2, 3, 4])
})
