/** Entries that tests of the ledger start from. */
import fc from 'fast-check'
import { minuteMs } from '../../src/core/units.ts'
import type { CommitRecord } from '../../src/record/commit.ts'
import { type FoundEntry, type State, type Statement, states } from '../../src/record/entry.ts'
import { start } from '../run/world.ts'

export const link = 'https://github.com/acme/docs/pull/7'

/** What the entries of a request on a commit, and of a command, have besides a statement. */
export const aboutCommit = {
  run: '1',
  follows: 'commit',
  number: null,
  globs: null,
  writtenAt: start,
} as const
export const aboutCommand = {
  role: 'request',
  request: 'comment:1',
  step: 's',
  project: 'p',
  by: 'mona',
  isBot: false,
  code: null,
  globs: null,
} as const
export const commitRequest: CommitRecord['request'] = {
  ...aboutCommit,
  commit: 'aaaa',
  context: 'x',
  runUrl: '',
  failOn: [],
}

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
  return entries.map((entry, index) => ({ id: index + 1, entry, isSigned: true, accounts: null }))
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
