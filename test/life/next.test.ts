import { describe, expect, it } from 'vitest'
import { problems } from '../../src/core/problems.ts'
import { type Found, fold, isAtRest, type State } from '../../src/life/entry.ts'
import {
  isSettledContext,
  type JobSeen,
  jobToPoll,
  lagMs,
  next,
  type Post,
  type Reporter,
  type Runner,
  type Settler,
} from '../../src/life/next.ts'
import { aJob } from '../core/samples.ts'
import { start } from '../usecases/world.ts'
import { ledger, link, minute, stated, states } from './samples.ts'

const day = 24 * 60 * minute
const hour = 60 * minute

describe('a run before it sends', () => {
  const run: Runner = {
    kind: 'run',
    writer: 'bbbb',
    before: ['aaaa'],
    isFirst: false,
    since: start,
    opened: null,
  }
  /** What comes next for a re-run of the run `aaaa`, long after its first look. */
  const rerun = (found: Found[], more: Partial<Runner> = {}, at = start + lagMs) =>
    next({ ...run, ...more }, fold(found), at)

  it.each<[State, object]>([
    ['asked', { do: 'open', attempt: 1 }],
    ['open', { do: 'give-up', why: 'unfinished-run' }],
    ['not-sent', { do: 'open', attempt: 2 }],
    ['unconfirmed', { do: 'repeat' }],
    ['job', { do: 'follow', attempt: 1, job: 'job_1' }],
    ['no-changes', { do: 'repeat' }],
    ['archived', { do: 'open', attempt: 2 }],
    ['failed', { do: 'open', attempt: 2 }],
    ['error', { do: 'repeat' }],
    ['out-of-bounds', { do: 'repeat' }],
    ['pull-request', { do: 'repeat' }],
  ])('a re-run after “%s”: %j', (state, step) => {
    expect(rerun(ledger(stated(state)))).toEqual(step)
  })

  it('a re-run trusts its first look only if that prevents a send', () => {
    const look = { do: 'look', at: start + lagMs }
    expect(rerun([], {}, start)).toEqual(look)
    for (const state of states) {
      const { do: now } = rerun(ledger(stated(state)), {}, start)
      const { do: later } = rerun(ledger(stated(state)))
      expect(now).toBe(later === 'open' || later === 'give-up' ? 'look' : later)
    }
  })

  it('a first run does not look twice', () => {
    expect(rerun([], { isFirst: true }, start)).toEqual({ do: 'open', attempt: 1 })
  })

  it('a run waits while another run may be about to send, until that one must have ended', () => {
    for (const state of ['asked', 'open'] as const) {
      const found = ledger(stated(state, { writer: 'cccc' }))
      expect(rerun(found)).toMatchObject({ do: 'look' })
      expect(rerun(found, {}, start + 70 * minute)).toMatchObject({ do: 'look' })
      expect(rerun(found, {}, start + 71 * minute).do).not.toBe('look')
    }
  })

  it('a record with another key stops a run, unless it says that nothing was sent', () => {
    for (const state of states) {
      const foreign = ledger(stated(state)).map((each) => ({ ...each, isSigned: false }))
      const expected =
        state === 'not-sent' ? { do: 'open', attempt: 1 } : { do: 'give-up', why: 'key-changed' }
      expect(rerun(foreign)).toEqual(expected)
    }
  })

  it('a run that withdrew from an attempt does not send it later', () => {
    const found = ledger(stated('asked'), stated('not-sent', { writer: 'bbbb' }))
    expect(rerun(found)).toEqual({ do: 'open', attempt: 2 })
  })

  const opened = { attempt: 1, id: 10, at: start }
  const own = { id: 10, entry: stated('open', { writer: 'bbbb' }), isSigned: true }
  const other = (id: number, state: State, attempt = 1): Found => ({
    id,
    entry: stated(state, { writer: 'cccc', attempt }),
    isSigned: true,
  })
  it.each<[name: string, others: Found[], step: 'send' | 'withdraw']>([
    ['nobody else does', [], 'send'],
    ['another run said so later', [other(11, 'open')], 'send'],
    ['another run said so earlier', [other(9, 'open')], 'withdraw'],
    ['another run said so earlier, and withdrew', [other(9, 'open'), other(12, 'not-sent')], 'send'],
    ['another run was asked earlier', [other(9, 'asked')], 'withdraw'],
    ['another run said so later, and has a job', [other(11, 'open'), other(12, 'job')], 'withdraw'],
    ['another run has begun the next attempt', [other(11, 'open', 2)], 'withdraw'],
  ])('a run that said that it sends looks again, and continues if %s', (_, others, step) => {
    const found = [own, ...others]
    expect(rerun(found, { opened }, start)).toEqual({ do: 'look', at: start + lagMs })
    expect(rerun(found, { opened })).toEqual({ do: step })
  })
})

describe('a result', () => {
  const reporter: Reporter = {
    kind: 'reporter',
    writer: 'bbbb',
    before: ['aaaa'],
    since: start,
    attempt: 1,
    isSender: false,
  }
  it.each<[name: string, found: Found[], more: Partial<Reporter>, step: 'report' | 'leave']>([
    ['is reported by the run that sent the request', ledger(stated('failed')), { isSender: true }, 'report'],
    ['is reported by a re-run if the earlier run has ended', ledger(stated('job')), {}, 'report'],
    ['is left to a run that still waits', ledger(stated('job', { writer: 'cccc' })), {}, 'leave'],
    ['is not reported twice', ledger(stated('job'), stated('failed', { writer: 'cccc' })), {}, 'leave'],
    ['is not reported after a later attempt', ledger(stated('open', { attempt: 2 })), {}, 'leave'],
  ])('a result %s', (_, found, more, step) => {
    expect(next({ ...reporter, ...more }, fold(found), start + lagMs)).toEqual({ do: step })
    const look = { do: 'look', at: start + lagMs }
    const early = more.isSender ? { do: 'report' } : look
    expect(next({ ...reporter, ...more }, fold(found), start)).toEqual(early)
  })
})

describe('the post step', () => {
  const post: Post = { kind: 'post', writer: 'aaaa', since: start, state: 'open', hasResult: false }
  it.each<[name: string, found: Found[], more: Partial<Post>, step: object]>([
    ['says that nothing was sent', [], { state: 'asked' }, { do: 'quit', state: 'not-sent' }],
    ['leaves what is unclear', ledger(stated('open')), {}, { do: 'quit', state: 'open' }],
    ['leaves the job', ledger(stated('open')), { state: 'job' }, { do: 'quit', state: 'job' }],
    ['never lowers what the run wrote', ledger(stated('job')), {}, { do: 'quit', state: 'job' }],
    ['reports the saved result', ledger(stated('job')), { hasResult: true }, { do: 'report' }],
    ['leaves a result that the run reported', ledger(stated('failed')), { hasResult: true }, { do: 'leave' }],
  ])('the post step %s, once GitHub must list what the run wrote', (_, found, more, step) => {
    expect(next({ ...post, ...more }, fold(found), start)).toEqual({ do: 'look', at: start + lagMs })
    expect(next({ ...post, ...more }, fold(found), start + lagMs)).toEqual(step)
  })
})

describe('settle', () => {
  const read = (status: string, prLink: string | null = null): JobSeen => ({
    kind: 'read',
    job: aJob({ status, prLink }),
  })
  const gone: JobSeen = { kind: 'gone', problem: problems.tooLate() }
  const unread: JobSeen = { kind: 'unread' }
  const settle = (found: Found[], at: number, job: JobSeen = unread, more: Partial<Settler> = {}) =>
    next({ kind: 'settle', job, isOpened: false, canCheck: true, ...more }, fold(found), start + at)
  const left = ledger(stated('job', { isLeft: true }))

  it('a run holds its request until ten minutes after its deadline', () => {
    for (const state of ['asked', 'open', 'job'] as const) {
      expect(settle(ledger(stated(state)), 70 * minute, read('failed'))).toEqual({ do: 'leave' })
      expect(settle(ledger(stated(state)), 70 * minute + 1, read('failed')).do).not.toBe('leave')
    }
    const twice = ledger(stated('job', { isLeft: true }), stated('open', { writer: 'bbbb' }))
    expect(settle(twice, hour, read('failed'))).toEqual({ do: 'leave' })
  })

  it.each<[name: string, found: Found[], at: number, job: JobSeen, step: object]>([
    [
      'a request that was never sent',
      ledger(stated('asked')),
      2 * hour,
      unread,
      { do: 'give-up', why: 'unstarted-run' },
    ],
    [
      'a request without a job',
      ledger(stated('open')),
      2 * hour,
      unread,
      { do: 'give-up', why: 'unfinished-run' },
    ],
    ['a job that ended', left, hour, read('failed'), { do: 'report', outcome: 'failed', isUnchecked: false }],
    ['a job that is gone', left, hour, gone, { do: 'report', outcome: 'error', isUnchecked: false }],
    ['a job that is active', left, hour, read('active'), { do: 'leave' }],
    ['a job that cannot be polled', left, 15 * day, unread, { do: 'leave' }],
    [
      'a job that is active after 14 days',
      left,
      15 * day,
      read('active'),
      { do: 'give-up', why: 'no-result' },
    ],
    ['a young job', left, 9 * minute, read('failed'), { do: 'leave' }],
    ['no changes', ledger(stated('no-changes')), hour, read('completed'), { do: 'leave' }],
    [
      'a link that appears late',
      ledger(stated('no-changes')),
      hour,
      read('completed', link),
      { do: 'report', outcome: 'pull-request', isUnchecked: false },
    ],
  ])('settle, for %s', (_, found, at, job, step) => {
    expect(settle(found, at, job)).toEqual(step)
  })

  it('settle handles even a young job if its pull request was just opened', () => {
    expect(settle(left, minute, read('completed', link), { isOpened: true })).toMatchObject({ do: 'report' })
  })

  it('settle leaves a pull request that it cannot check to another step for a day, and never calls it ready', () => {
    const done = read('completed', link)
    expect(settle(left, day - 1, done, { canCheck: false })).toEqual({ do: 'leave', toOther: true })
    expect(settle(left, day, done, { canCheck: false })).toEqual({
      do: 'report',
      outcome: 'error',
      isUnchecked: true,
    })
  })

  it('settle polls a job without a result, and for a day a job without a link', () => {
    const polled = states.filter((state) => jobToPoll(fold(ledger(stated(state))), start + hour) !== null)
    expect(polled).toEqual(['job', 'no-changes'])
    expect(jobToPoll(fold(ledger(stated('no-changes'))), start + day)).toBeNull()
  })

  it('settle looks behind a status unless it shows an end that came late enough', () => {
    for (const state of states) {
      const known = fold(ledger(stated(state)))
      expect(isSettledContext(known, start + hour, start + 2 * day)).toBe(isAtRest(state))
      expect(isSettledContext(known, start + minute, start + 2 * day)).toBe(false)
    }
    expect(isSettledContext(fold(ledger(stated('no-changes'))), start + hour, start + hour)).toBe(false)
  })
})
