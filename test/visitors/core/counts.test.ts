import { describe, expect, it } from 'vitest'
import { aiShare, countsOrNone, isSame, noVisitors } from '../../../src/visitors/core/counts.ts'
import { counts } from './report-samples.ts'

describe('counts', () => {
  it.each([
    [counts(1, 2, 3), true],
    [counts(2, 2, 3), false],
    [counts(1, 3, 3), false],
    [counts(1, 2, 4), false],
  ])('counts of 1, 2 and 3 are the same as %j: %s', (other, are) => {
    expect(isSame(counts(1, 2, 3), other)).toBe(are)
  })

  it.each([
    [counts(30, 10), 0.25],
    [counts(0, 10), 1],
    [counts(10), 0],
    [counts(0), null],
    [counts(8, 4, 10), 0.4],
  ])('the counts %j have an AI share of %s', (given, share) => {
    expect(aiShare(given)).toBe(share)
  })
})

describe('a page', () => {
  it.each([
    ['that was read has its counts', counts(5), false, counts(5)],
    ['in a complete reading has its counts', counts(5), true, counts(5)],
    ['missing from a complete reading has no visitors', null, true, noVisitors],
    ['missing from an incomplete reading has unknown counts', undefined, false, null],
  ] as const)('a page %s', (_, read, isComplete, is) => {
    expect(countsOrNone(read, isComplete)).toEqual(is)
  })
})
