import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../src/core/units.ts'
import { type FoundEntry, fold, isAtRest, type State, states } from '../../src/record/entry.ts'
import type { EntryStatus } from '../../src/record/format.ts'
import type { JobPoll, RunActor, SettleActor } from '../../src/record/next.ts'
import { isSettledContext, jobToPoll, lagMs, next, nextCommand } from '../../src/record/next.ts'
import { aJob, rowsOf } from '../core/samples.ts'
import { start } from '../run/world.ts'
import { aboutCommit, ledger, link, stated } from './samples.ts'

const hourMs = 60 * minuteMs

/** A re-run of the run `aaaa`. */
const self = { writer: 'bbbb', before: ['aaaa'], since: start, attempt: 1, isFirst: false }
const run: RunActor = { ...self, state: 'asked', openedAt: null, isSender: true }

describe('a run before it sends', () => {
  /** What comes next for a re-run after a look at a time. */
  const rerun = (found: FoundEntry[], at = start + lagMs) => next.run(run, fold(found, at))

  const rows = rowsOf(`
      asked         | open 1
      open          | give-up 1 unfinished-run
      not-sent      | open 2
      unconfirmed   | repeat
      job           | wait 1 job_1
      no-changes    | repeat
      archived      | open 2
      failed        | open 2
      error         | repeat
      out-of-bounds | repeat
      pull-request  | repeat
    `)
  it('a re-run has a rule for each state', () => {
    expect(rows.map(([state]) => state).toSorted()).toEqual(states.toSorted())
  })

  it.each(rows)('a re-run after “%s”: %s', (state, step) => {
    expect(Object.values(rerun(ledger(stated(state as State)))).join(' ')).toBe(step)
  })

  it('a record with another key stops a run, unless it says that nothing was sent', () => {
    for (const state of states) {
      const foreign = ledger(stated(state)).map((each) => ({ ...each, isSigned: false }))
      const expected =
        state === 'not-sent' ? { do: 'open', attempt: 1 } : { do: 'give-up', attempt: 1, why: 'key-changed' }
      expect(rerun(foreign)).toEqual(expected)
    }
  })

  it('an entry of a later version stops every send of its request', () => {
    const [newer] = ledger(stated('open', { writer: 'cccc' })).map((each) => ({
      ...each,
      isSigned: false,
      isNewer: true,
    }))
    for (const state of ['not-sent', 'failed'] as const) {
      const found = [...ledger(stated(state)), ...(newer ? [newer] : [])]
      expect(rerun(found)).toMatchObject({ do: 'give-up', why: 'newer-version' })
    }
  })

  it('a run that withdrew from an attempt does not send it later', () => {
    const found = ledger(stated('asked'), stated('not-sent', { writer: 'bbbb' }))
    expect(rerun(found)).toEqual({ do: 'open', attempt: 2 })
  })

  it('a run whose withdrawal could not be written does not wait for itself', () => {
    const found = ledger(stated('open', { writer: 'bbbb' }), stated('not-sent', { writer: 'cccc' }))
    expect(rerun(found)).toMatchObject({ do: 'give-up', why: 'unfinished-run' })
  })

  it.each(
    rowsOf(`
      another run said so later                 | 11 open             | send
      another run said so earlier               | 9 open              | withdraw
      another run said so earlier, and withdrew | 9 open, 12 not-sent | send
      another run said so later, and has a job  | 11 open, 12 job     | withdraw
      another run has begun the next attempt    | 11 open 2           | withdraw
      another run has withdrawn the next one    | 11 not-sent 2       | withdraw
    `),
  )('the second look of a run decides whether it sends or withdraws: %s', (_, others = '', step) => {
    const found = ['10 open', ...others.split(', ')].map((each) => {
      const [id, state, attempt = 1] = each.split(' ')
      const writer = id === '10' ? 'bbbb' : 'cccc'
      const entry = stated(state as State, { writer, attempt: Number(attempt) })
      return { id: Number(id), entry, isSigned: true }
    })
    const sender = { ...run, openedAt: start }
    expect(next.sender(sender, fold(found, start + lagMs))).toEqual({ do: step })
  })
})

const busyItself = ledger(stated('job', { writer: 'cccc', isLeft: true }), stated('open', { writer: 'bbbb' }))
const reporter: RunActor = { ...run, state: 'failed', isSender: false }
it.each<[name: string, found: FoundEntry[], more: Partial<RunActor>, step: 'report' | 'leave']>([
  ['is reported by the run that sent the request', ledger(stated('failed')), { isSender: true }, 'report'],
  ['is left to a run that still waits', ledger(stated('job', { writer: 'cccc' })), {}, 'leave'],
  ['is reported although its own withdrawal could not be written', busyItself, {}, 'report'],
  ['is not reported after a later attempt', ledger(stated('open', { attempt: 2 })), {}, 'leave'],
])('a result %s', (_, found, more, step) => {
  expect(next.reporter({ ...reporter, ...more }, fold(found))).toEqual({ do: step })
})

it('a run that leaves an active job states that at once', () => {
  expect(next.reporter({ ...reporter, state: 'job' }, null)).toEqual({ do: 'quit', state: 'job' })
})

it.each<[name: string, listed: FoundEntry[], state: State, step: object]>([
  ['says that nothing was sent', ledger(stated('asked')), 'asked', { do: 'quit', state: 'not-sent' }],
  ['adds nothing to a record that was never written', [], 'open', { do: 'leave' }],
  ['never lowers what the run wrote', ledger(stated('job')), 'open', { do: 'quit', state: 'job' }],
])('the post step %s', (_, listed, state, step) => {
  const post = { writer: 'aaaa', since: start, state, hasResult: false }
  expect(next.post(post, fold(listed))).toEqual(step)
})

describe('settle', () => {
  const read = (status: string, link: string | null = null): JobPoll => ({
    ok: true,
    value: aJob({ status, link }),
  })
  const settler = { since: 0, isOpened: false, canCheck: true, hasLeftovers: false } as const
  const failing = (status: number): JobPoll => {
    const why = { kind: 'rejected', status, detail: '' } as const
    const call = { call: 'read', jobId: 'job_1', project: 'docs', host: 'api.example' } as const
    return { ok: false, failure: { kind: 'call-failed', ...call, why } }
  }
  const [gone, unread] = [failing(404), failing(500)]
  const settle = (found: FoundEntry[], at: number, job: JobPoll = unread, more: Partial<SettleActor> = {}) =>
    next.settle({ ...settler, job, ...more }, fold(found, start + at))
  const left = ledger(stated('job', { isLeft: true }))
  const leave = { do: 'leave' }

  it('a run is busy with its request until ten minutes after its deadline', () => {
    for (const state of ['asked', 'open', 'job'] as const) {
      expect(settle(ledger(stated(state)), 70 * minuteMs, read('failed'))).toEqual(leave)
      expect(settle(ledger(stated(state)), 70 * minuteMs + 1, read('failed'))).not.toEqual(leave)
    }
    const twice = ledger(stated('job', { isLeft: true }), stated('open', { writer: 'bbbb' }))
    expect(settle(twice, hourMs, read('failed'))).toEqual(leave)
  })

  const ended = { failed: read('failed'), linked: read('completed', link) }
  const jobs: Record<string, JobPoll> = { gone, unread, active: read('active'), ...ended }
  it.each(
    rowsOf(`
      a request that was never sent         | asked      | 120   | unread | end error unstarted-run
      a request without a job               | open       | 120   | unread | end unconfirmed unfinished-run
      a job that is gone                    | job        | 60    | gone   | end error
      a job that is active                  | job        | 60    | active | leave
      a job that cannot be polled           | job        | 21600 | unread | leave
      a job that is active after 14 days    | job        | 21600 | active | end error no-result
      a young job                           | job        | 9     | failed | leave
      a link that appears after 60 minutes  | no-changes | 60    | linked | end pull-request
    `),
  )('settle, for %s', (_, state, minutes, job, expected) => {
    const found = ledger(stated(state as State, { isLeft: state === 'job' }))
    const step = settle(found, Number(minutes) * minuteMs, jobs[job ?? ''])
    expect(Object.values(step).join(' ').trim()).toBe(expected)
  })

  it('settle handles even a young job if its pull request was just opened', () => {
    expect(settle(left, minuteMs, read('completed', link), { isOpened: true })).toMatchObject({ do: 'end' })
  })

  const jobAt = (state: State, at: number) => jobToPoll(fold(ledger(stated(state)), start + at))

  it('settle polls a job without a result, and for two days a job without a link', () => {
    expect(states.filter((state) => jobAt(state, hourMs) !== null)).toEqual(['job', 'no-changes'])
    expect([jobAt('no-changes', 2 * dayMs - 1), jobAt('no-changes', 2 * dayMs)]).toEqual(['job_1', null])
  })

  it("settle reads a status's earlier entries, unless it shows an end that came late enough", () => {
    const shown = (state: State, more: Partial<EntryStatus> = {}, at = 2 * dayMs, hides = false) => {
      const [found] = ledger(stated(state)) as [FoundEntry]
      const status = { state: 'success', createdAt: start + hourMs, ...more } as EntryStatus
      return isSettledContext(
        { ...status, ...found, entry: { ...found.entry, ...aboutCommit, hides } },
        start + at,
      )
    }
    for (const state of states) {
      expect(shown(state)).toBe(isAtRest(state))
      expect(shown(state, { createdAt: start + minuteMs })).toBe(false)
      expect(shown(state, { state: 'pending' })).toBe(false)
      expect(shown(state, {}, 2 * dayMs, true)).toBe(false)
    }
    expect(shown('no-changes', {}, hourMs)).toBe(false)
  })
})

const first = (state: State, id = 1) => ledger(stated(state)).map((each) => ({ ...each, id }))
const choose = (isPending: boolean) => ({ isPending, nextLook: null })
it.each<[name: string, others: FoundEntry[], now: number, expected: object]>([
  ['waits for an earlier one', first('open'), start, { isPending: true, nextLook: start + 5000 }],
  ['does not wait for one with a job', first('job'), start, choose(false)],
  ['does not wait for a later one', first('open', 9), start, choose(false)],
  ['waits for at most 90 seconds', first('asked'), start + 90_000, choose(true)],
])('a command %s', (_, others, now, expected) => {
  expect(nextCommand(5, start, others, now)).toEqual(expected)
})
