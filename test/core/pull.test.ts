import { describe, expect, it } from 'vitest'
import {
  type HoldState,
  nextForPull,
  type PullRecord,
  type PullSeen,
  type PullStep,
  pullStatsOf,
} from '../../src/core/pull.ts'

const hold = (state: HoldState, kind: 'merge' | 'release' = 'merge'): PullRecord => ({
  hold: { repository: 'acme/app', number: 12, head: 'a', hold: kind, state },
  isInConflict: false,
})
const open: PullSeen = {
  mergeable: 'yes',
  hasStatus: true,
  code: { state: 'open', head: 'a' },
  isReleased: null,
  followUp: 'none',
}
const merged: PullSeen = { ...open, code: { state: 'merged', head: 'a' } }
const changed: PullSeen = { ...open, code: { state: 'merged', head: 'b' } }
const closed: PullSeen = { ...open, code: { state: 'closed', head: 'a' } }
const bare = { hasStatus: false }

const rows: [name: string, record: PullRecord, seen: PullSeen, steps: PullStep[]][] = [
  ['waits while the code is open', hold('held'), open, []],
  ['gets its status on a new commit', hold('held'), { ...open, ...bare }, ['renew']],
  ['keeps its hold if the code cannot be read', hold('held'), { ...open, code: null }, []],
  ['is released by the merge', hold('held'), merged, ['lift']],
  [
    'is not released by the merge if it waits for a release',
    hold('held', 'release'),
    { ...merged, isReleased: false },
    [],
  ],
  ['is released by the release', hold('held', 'release'), { ...merged, isReleased: true }, ['lift']],
  ['gets the final diff before it is released', hold('held'), changed, ['send']],
  [
    'gets the final diff at the merge, before the release',
    hold('held', 'release'),
    { ...changed, isReleased: false },
    ['send'],
  ],
  ['waits for the follow-up', hold('held'), { ...changed, followUp: 'active' }, []],
  ['is released after the follow-up', hold('held'), { ...changed, followUp: 'ended' }, ['lift']],
  ['is abandoned if the code’s pull request is closed', hold('held'), closed, ['abandon']],
  ['stays released on a new commit', hold('lifted'), { ...merged, ...bare }, ['renew']],
  ['stays abandoned if the code’s pull request is reopened', hold('closed'), { ...open, ...bare }, ['renew']],
  ['has nothing left to do once it is released', hold('lifted'), changed, []],
  ['is left alone without a hold', { hold: null, isInConflict: false }, { ...closed, ...bare }, []],
]

describe("the agent's pull request", () => {
  it.each(rows)("the agent's pull request %s", (_, record, seen, steps) => {
    expect(nextForPull(record, seen)).toEqual(steps)
  })

  it.each<[mergeable: PullSeen['mergeable'], isInConflict: boolean, steps: PullStep[]]>([
    ['no', false, ['report-conflict']],
    ['no', true, []],
    ['unknown', false, []],
    ['unknown', true, []],
    ['yes', true, ['forget-conflict']],
    ['yes', false, []],
  ])(
    'a pull request has at most one next step for its mergeability (%s) and a reported conflict (%s)',
    (mergeable, isInConflict, steps) => {
      expect(nextForPull({ hold: null, isInConflict }, { ...open, mergeable })).toEqual(steps)
    },
  )
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
