import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../src/core/units.ts'
import {
  type FoundEntry,
  fold,
  higher,
  isAtRest,
  leftoversIn,
  type State,
  states,
} from '../../src/record/entry.ts'
import { rowsOf, runs } from '../core/samples.ts'
import { start } from '../run/world.ts'
import { anyLedger, ledger, stated } from './samples.ts'

const accounts = { recorder: 'acme-app[bot]', own: 'github-actions[bot]' }
const progress = (found: readonly FoundEntry[]) => {
  const { attempt, top, writers } = fold(found)
  return { attempt, top: top?.entry, writers }
}

describe('the progress of a request', () => {
  it('copies, and the order in which entries are listed, change nothing', () => {
    fc.assert(
      fc.property(anyLedger, fc.infiniteStream(fc.nat()), (found, random) => {
        const copies = found.map((each) => ({ ...each, id: each.id + 100 }))
        const shuffled = [...found, ...copies].toSorted(() => (random.next().value % 2) - 0.5)
        expect(progress(shuffled)).toEqual(progress(found))
      }),
      runs(200),
    )
  })

  it('an older list never shows a higher state of a writer, or a later attempt', () => {
    fc.assert(
      fc.property(anyLedger, fc.nat(8), (found, length) => {
        const [older, newer] = [fold(found.slice(0, length)), fold(found)]
        expect(older.attempt).toBeLessThanOrEqual(newer.attempt)
        if (older.attempt !== newer.attempt) return
        for (const { writer, state } of older.writers) {
          const now = newer.writers.find((each) => each.writer === writer)?.state ?? 'asked'
          expect(higher(state, now)).toBe(now)
        }
      }),
      runs(200),
    )
  })

  it.each(
    rowsOf(`
      a writer that withdrew does not count with its earlier state   | open, not-sent             | not-sent
      an attempt is not sent if nobody got further than “asked”      | asked, not-sent b          | not-sent
      a job that appears later counts more than “unconfirmed”        | unconfirmed b, job         | job
      a pull request counts more than an end without one             | failed, pull-request b     | pull-request
      a pull request counts more than no changes                     | no-changes, pull-request b | pull-request
      the earliest of several ends counts                            | failed, archived b, error c | failed
    `),
  )('%s: %s → %s', (_, entries = '', state) => {
    const found = entries.split(', ').map((entry) => {
      const [each, writer = 'a'] = entry.split(' ')
      return stated(each as State, { writer })
    })
    expect(fold(ledger(...found)).top?.entry.state).toBe(state)
  })

  it('a request began with its earliest entry, whichever is listed first', () => {
    const times = [start + minuteMs, start, start + 2 * minuteMs]
    expect(fold(ledger(...times.map((since) => stated('open', { since })))).since).toBe(start)
  })

  it('entries of other accounts count only if the own account has none, and name both accounts', () => {
    fc.assert(
      fc.property(anyLedger, anyLedger, (own, copies) => {
        const others = copies.map((each) => ({ ...each, id: each.id + 50, isSigned: false, accounts }))
        const isOwn = own.length > 0 || others.length === 0
        const found = fold([...others, ...own])
        expect(progress([...others, ...own])).toEqual(progress(isOwn ? own : copies))
        expect([found.accounts, found.doubt]).toEqual(isOwn ? [null, null] : [accounts, 'other-account'])
      }),
      runs(200),
    )
  })

  it('an entry with another signature or of a later version only says whether something may have been sent', () => {
    for (const state of states) {
      const [found] = ledger(stated(state)) as [FoundEntry]
      const foreign = { ...found, isSigned: false }
      const { top, doubt } = fold([foreign])
      expect([top, doubt]).toEqual([null, state === 'not-sent' ? null : 'key-changed'])
      expect(fold([foreign, { ...foreign, isNewer: true }])).toMatchObject({ top, doubt: 'newer-version' })
    }
  })
})

it('an open request has no leftovers, and the highest entry is never one', () => {
  fc.assert(
    fc.property(anyLedger, (found) => {
      const gone = leftoversIn(found)
      const before = fold(found)
      const after = fold(found.filter((each) => !gone.includes(each)))
      expect([after.attempt, after.top]).toEqual([before.attempt, before.top])
      if (before.top !== null && !isAtRest(before.top.entry.state)) expect(gone).toEqual([])
    }),
    runs(200),
  )
})
