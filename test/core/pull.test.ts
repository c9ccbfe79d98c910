import { describe, expect, it } from 'vitest'
import {
  type HoldState,
  nextForPull,
  type PullRecord,
  type PullSeen,
  type PullStep,
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
