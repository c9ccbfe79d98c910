import { describe, expect, it } from 'vitest'
import {
  type HoldKind,
  type HoldState,
  holdStates,
  isNews,
  type PullState,
  stateToShow,
} from '../../src/core/hold.ts'

describe('a hold', () => {
  type Row = [code: PullState | null, isReleased: boolean, merge: string, release: string]
  const law: Row[] = [
    [null, false, 'held', 'held'],
    ['open', false, 'held', 'held'],
    ['closed', false, 'closed', 'closed'],
    ['merged', false, 'lifted', 'held'],
    ['merged', true, 'lifted', 'lifted'],
  ]

  it.each(law)(
    'a hold whose code is %s (released: %s) shows %s with `merge`, %s with `release`, and stays lifted',
    (code, isReleased, merge, release) => {
      for (const state of holdStates)
        for (const [hold, expected] of Object.entries({ merge, release })) {
          const record = { repository: 'acme/app', number: 1, head: 'a', hold: hold as HoldKind, state }
          const shown = stateToShow(record, code, isReleased)
          expect(shown).toBe(state === 'lifted' ? state : expected)
        }
    },
  )

  it.each<[state: HoldState, recorded: HoldState[]]>([
    ['held', []],
    ['closed', ['held']],
    ['lifted', ['held', 'closed']],
  ])('a hold reports to people that it is %s only if its record is lower: %j', (state, recorded) => {
    expect(holdStates.filter((each) => isNews(state, each))).toEqual(recorded)
  })
})
