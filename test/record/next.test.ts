import { describe, expect, it } from 'vitest'
import { agentResult } from '../../src/core/outcome.ts'
import type { Problem } from '../../src/core/problems.ts'
import { dayMs, minuteMs } from '../../src/core/units.ts'
import { type FoundEntry, isAtRest, progressAt, type State, states } from '../../src/record/entry.ts'
import type { StatusEntry } from '../../src/record/format.ts'
import type { StepStatus } from '../../src/record/lists.ts'
import type { JobPoll, RunActor, SettleActor } from '../../src/record/next.ts'
import { isSettledContext, jobToPoll, lagMs, mayGetJob, next, stateAfter } from '../../src/record/next.ts'
import { aJob, rowsOf } from '../core/samples.ts'
import { start } from '../run/world.ts'
import { aboutCommit, ledger, link, stated } from './samples.ts'

const hourMs = 60 * minuteMs

/** A re-run of the run `aaaa`. */
const self = { writer: 'bbbb', before: ['aaaa'], since: start, attempt: 1, isFirst: false, waits: true }
const run: RunActor = { ...self, state: 'asked', openedAt: null, isSender: true }

/** Entries that only another account has written. */
const elsewhere = (...entries: Parameters<typeof ledger>) =>
  ledger(...entries).map((each) => ({
    ...each,
    isSigned: false,
    accounts: { recorder: 'app[bot]', own: 'me' },
  }))

describe('a run before it sends', () => {
  /** What comes next for a re-run after a look at a time. */
  const rerun = (found: FoundEntry[], at = start + lagMs) => next.run(run, progressAt(found, at))

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

  it('a re-run repeats the result of an archived job that has a pull request', () => {
    expect(rerun(ledger(stated('archived', { link })))).toEqual({ do: 'repeat' })
  })

  it('a record with another key stops a run, unless it says that nothing was sent', () => {
    for (const state of states) {
      const foreign = ledger(stated(state)).map((each) => ({ ...each, isSigned: false }))
      const expected =
        state === 'not-sent' ? { do: 'open', attempt: 1 } : { do: 'give-up', attempt: 1, why: 'key-changed' }
      expect(rerun(foreign)).toEqual(expected)
    }
  })

  it('a run that does not wait looks again before it says that its job is active', () => {
    const listed = ledger(stated('job'))
    expect(next.run({ ...run, waits: false }, progressAt(listed, start))).toEqual({
      do: 'look',
      at: start + lagMs,
    })
    expect(next.run({ ...run, waits: false }, progressAt(listed, start + lagMs))).toMatchObject({
      do: 'wait',
    })
    expect(rerun(listed, start)).toMatchObject({ do: 'wait' })
  })

  it('a record of another account stops a run at its second look, whatever it says', () => {
    for (const state of states) {
      const others = elsewhere(stated(state, { isLeft: true }))
      expect(rerun(others, start)).toEqual({ do: 'look', at: start + lagMs })
      expect(rerun(others)).toEqual({ do: 'give-up', attempt: 1, why: 'other-account' })
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
      return { id: Number(id), entry, isSigned: true, accounts: null }
    })
    const sender = { ...run, openedAt: start }
    expect(next.sender(sender, progressAt(found, start + lagMs))).toEqual({ do: step })
  })

  it('a run that is about to send waits until lists show every entry that is older than its own', () => {
    const sender = { ...run, openedAt: start }
    const wait = { do: 'look', at: start + lagMs }
    expect(next.sender(sender, null)).toEqual(wait)
    expect(next.sender(sender, progressAt(ledger(stated('open')), start + lagMs - 1))).toEqual(wait)
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
  expect(next.reporter({ ...reporter, ...more }, progressAt(found, start + lagMs))).toEqual({ do: step })
})

it.each(['open', 'job'] as const)(
  'a run that ends while its request is “%s” states that at once',
  (state) => {
    expect(next.reporter({ ...reporter, state }, null)).toEqual({ do: 'quit', state })
  },
)

it.each<[name: string, listed: FoundEntry[], state: State, step: object]>([
  ['says that nothing was sent', ledger(stated('asked')), 'asked', { do: 'quit', state: 'not-sent' }],
  ['adds nothing to a record that was never written', [], 'open', { do: 'leave' }],
  ['never lowers what the run wrote', ledger(stated('job')), 'open', { do: 'quit', state: 'job' }],
])('the post step %s', (_, listed, state, step) => {
  const post = { writer: 'aaaa', since: start, state, hasResult: false }
  expect(next.post(post, progressAt(listed, start + lagMs))).toEqual(step)
})

describe('settle', () => {
  const read = (status: string, link: string | null = null): JobPoll => ({
    ok: true,
    value: aJob({ status, link }),
  })
  const settler = { since: 0, isOpened: false, canCheck: true, hasLeftovers: false } as const
  const failing = (status: number) => {
    const why = { kind: 'rejected', status, detail: '' } as const
    const call = { call: 'read', jobId: 'job_1', project: 'docs', host: 'api.example' } as const
    return { ok: false, failure: { kind: 'call-failed', ...call, why } } as const
  }
  const [gone, unread] = [failing(404), failing(500)]
  const settle = (found: FoundEntry[], at: number, poll: JobPoll = unread, more: Partial<SettleActor> = {}) =>
    next.settle({ ...settler, poll, ...more }, progressAt(found, start + at))
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

  const ended = { failed: read('failed'), linked: read('completed', link), linkless: read('completed') }
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
      no link after 60 minutes              | no-changes | 60    | linkless | leave
    `),
  )('for %s (%s, %s min, %s), settle does this: %s', (_, state, minutes, job, expected) => {
    const found = ledger(stated(state as State, { isLeft: state === 'job' }))
    const step = settle(found, Number(minutes) * minuteMs, jobs[job ?? ''])
    expect(Object.values(step).join(' ').trim()).toBe(expected)
  })

  it.each<[name: string, state: State, problem: Problem]>([
    ['does not end', 'error', { kind: 'gave-up', why: 'no-result', project: 'docs', accounts: null }],
    ['is gone', 'error', gone.failure],
    ['has changes that no one checked', 'error', { kind: 'allowed-paths', reason: 'unchecked', paths: [] }],
    ['cannot be polled', 'job', unread.failure],
  ])('an error because a job %s is stated as “%s”', (_, state, problem) => {
    const result = agentResult('error', problem, { delivery: 'sent', jobId: 'job_1' })
    expect(stateAfter(result)).toMatchObject({ state, isLeft: state === 'job' })
  })

  it('settle handles even a young job if its pull request was just opened', () => {
    expect(settle(left, minuteMs, read('completed', link), { isOpened: true })).toMatchObject({ do: 'end' })
  })

  it('settle only looks again for a record of another account, and polls no job for it', () => {
    for (const state of states) {
      const others = elsewhere(stated(state, { isLeft: true }))
      expect(settle(others, 3 * dayMs, ended.linked)).toEqual(leave)
      expect(next.settle({ ...settler, poll: ended.linked }, progressAt(others, 0))).toEqual({
        do: 'look',
        at: lagMs,
      })
      expect(jobToPoll(progressAt(others, start + hourMs))).toBeNull()
    }
  })

  const jobAt = (state: State, at: number) => jobToPoll(progressAt(ledger(stated(state)), start + at))

  it('settle polls a job without a result, and for two days a job without a link', () => {
    expect(states.filter((state) => jobAt(state, hourMs) !== null)).toEqual(['job', 'no-changes'])
    expect([jobAt('no-changes', 2 * dayMs - 1), jobAt('no-changes', 2 * dayMs)]).toEqual(['job_1', null])
  })

  it("settle reads a commit's other statuses, unless the latest is a final end, not too early, and no copy", () => {
    const createdAt = start + hourMs
    const trusted = (state: State, more: object = {}, said: Partial<StatusEntry> = {}, at = 2 * dayMs) => {
      const [found] = ledger(stated(state)) as [FoundEntry]
      const entry = { ...found.entry, ...aboutCommit, writtenAt: createdAt, hides: false, ...said }
      const status = { state: 'success', createdAt, ...found, entry, ...more } as StepStatus
      return isSettledContext(status, start + at)
    }
    for (const state of states) {
      const isFinal = isAtRest(state) && !['not-sent', 'failed', 'archived'].includes(state)
      expect(trusted(state)).toBe(isFinal)
      expect(trusted(state, { createdAt: createdAt + 2 * minuteMs })).toBe(isFinal)
      expect(trusted(state, { createdAt: createdAt + 2 * minuteMs + 1 })).toBe(false)
      for (const more of [{ state: 'pending' }, { isSigned: false }, { entry: null }])
        expect(trusted(state, more)).toBe(false)
      expect(trusted(state, {}, { hides: true })).toBe(false)
      expect(trusted(state, { createdAt: start + minuteMs }, { writtenAt: start + minuteMs })).toBe(false)
    }
    expect(trusted('archived', {}, { link })).toBe(true)
    expect(trusted('no-changes', {}, {}, hourMs)).toBe(false)
  })
})

it.each<[name: string, state: State, id: number, now: number, expected: boolean]>([
  ['waits for an earlier one', 'open', 1, start, true],
  ['does not wait for one with a job', 'job', 1, start, false],
  ['does not wait for a later one', 'open', 9, start, false],
  ['does not wait for one that began 90 seconds ago', 'asked', 1, start + 90_000, false],
])('a command %s', (_, state, id, now, expected) => {
  const [other] = ledger(stated(state)) as [FoundEntry]
  expect(mayGetJob({ ...other, id }, 5, now)).toBe(expected)
})
