import { describe, expect, it } from 'vitest'
import { type CodeSeen, type HoldState, holdStates, isNews, stateToShow } from '../../src/core/pull.ts'

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
