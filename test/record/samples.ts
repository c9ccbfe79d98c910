/** Entries that tests of the ledger start from. */
import fc from 'fast-check'
import { minuteMs } from '../../src/core/units.ts'
import { type FoundEntry, type State, type Statement, states } from '../../src/record/entry.ts'
import { start } from '../run/world.ts'

export const link = 'https://github.com/acme/docs/pull/7'

/** A statement of the writer `a`, whose run can last an hour. */
export function stated(state: State, more: Partial<Statement> = {}): Statement {
  const hasJob = !['asked', 'open', 'not-sent', 'unconfirmed'].includes(state)
  return {
    attempt: 1,
    writer: 'aaaa',
    state,
    job: hasJob ? 'job_1' : null,
    link: state === 'pull-request' || state === 'out-of-bounds' ? link : null,
    since: start,
    until: start + 60 * minuteMs,
    isLeft: false,
    ...more,
  }
}

/** Signed entries, with ascending ids. */
export function ledger(...entries: Statement[]): FoundEntry[] {
  return entries.map((entry, index) => ({ id: index + 1, entry, isSigned: true }))
}

/** Entries of up to three writers about up to three attempts. */
export const anyLedger: fc.Arbitrary<FoundEntry[]> = fc
  .array(
    fc.record({
      state: fc.constantFrom(...states),
      writer: fc.constantFrom('aaaa', 'bbbb', 'cccc'),
      attempt: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 8 },
  )
  .map((all) => ledger(...all.map(({ state, ...more }) => stated(state, more))))
