import { describe, expect, it } from 'vitest'
import {
  type CodeSeen,
  type HoldState,
  holdStates,
  isNews,
  pullStatsOf,
  stateToShow,
} from '../../src/core/pull.ts'

describe('a hold', () => {
  const codes: CodeSeen['code'][] = [null, 'open', 'closed', 'merged']
  const all = holdStates.flatMap((state) =>
    (['merge', 'release'] as const).flatMap((hold) =>
      codes.flatMap((code) =>
        [false, true].map((isReleased) => ({ hold, state, seen: { code, isReleased } })),
      ),
    ),
  )

  it.each(all)('a $state hold that waits for a $hold follows its code: $seen', ({ hold, state, seen }) => {
    const { code, isReleased } = seen
    const isOver = code === 'merged' && (hold === 'merge' || isReleased)
    const follows = { open: 'held', closed: 'closed', merged: isOver ? 'lifted' : 'held' } as const
    const expected = state === 'lifted' ? 'lifted' : code && follows[code]
    expect(stateToShow({ hold, state }, seen)).toBe(expected)
  })

  it.each<[state: HoldState, recorded: HoldState[]]>([
    ['held', []],
    ['closed', ['held']],
    ['lifted', ['held', 'closed']],
  ])('a hold reports to people that it is %s only if its record is lower: %j', (state, recorded) => {
    expect(holdStates.filter((each) => isNews(state, { state: each }))).toEqual(recorded)
  })
})

describe('the statistics of pull requests', () => {
  const day = 24 * 60 * 60_000
  const pull = (state: 'open' | 'merged' | 'closed', createdAt: number, closedAt: number | null = null) => ({
    state,
    createdAt: createdAt * day,
    closedAt: closedAt === null ? null : closedAt * day,
  })
  const period = { from: 28 * day, to: 56 * day }

  it('the statistics of pull requests count only what happened in the period', () => {
    const pulls = [
      pull('merged', 10, 27),
      pull('merged', 20, 30),
      pull('merged', 30, 32),
      pull('closed', 30, 40),
      pull('open', 5),
      pull('open', 55),
      pull('merged', 50, 57),
      pull('open', 56),
    ]
    expect(pullStatsOf(pulls, period)).toEqual({
      opened: 4,
      merged: 2,
      closed: 1,
      waiting: 3,
      timeToMerge: 6 * day,
      rate: null,
    })
  })

  it('the statistics contain the merge rate of the last 28 days if at least five pull requests ended in that time', () => {
    const five = [28, 29, 30, 31]
      .map((at) => pull('merged', 1, at))
      .concat(pull('closed', 1, 55), pull('closed', 1, 27))
    expect(pullStatsOf(five, { from: 49 * day, to: 56 * day }).rate).toEqual({ merged: 4, of: 5 })
    expect(pullStatsOf(five.slice(1), period).rate).toBeNull()
  })

  it('the time to merge is null if nothing was merged', () => {
    expect(pullStatsOf([pull('closed', 30, 31)], period)).toMatchObject({
      timeToMerge: null,
      merged: 0,
      closed: 1,
    })
  })
})
