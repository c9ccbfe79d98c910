import { describe, expect, it } from 'vitest'
import { type PullState, stateToShow } from '../../src/core/hold.ts'

describe('a hold', () => {
  type Row = [code: PullState | 'unreadable', isReleased: boolean, merge: string, release: string]
  const law: Row[] = [
    ['unreadable', false, 'held', 'held'],
    ['open', false, 'held', 'held'],
    ['closed', false, 'closed', 'closed'],
    ['merged', false, 'lifted', 'held'],
    ['merged', true, 'lifted', 'lifted'],
  ]

  it.each(law)(
    'a hold whose code is %s (released: %s) shows %s with `merge`, %s with `release`, and stays lifted',
    (code, isReleased, merge, release) => {
      const expected = { merge, release }
      for (const state of [undefined, 'closed', 'lifted'] as const)
        for (const hold of ['merge', 'release'] as const) {
          const record = { repository: 'acme/app', repositoryId: '2', number: 1, head: 'a', hold, state }
          const shown = stateToShow(record, code === 'unreadable' ? null : code, isReleased)
          expect(shown).toBe(state === 'lifted' ? state : expected[hold])
        }
    },
  )
})
