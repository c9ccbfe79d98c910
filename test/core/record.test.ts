import { describe, expect, it } from 'vitest'
import type { AgentResult } from '../../src/core/progress.ts'
import {
  type JobSeen,
  jobToRead,
  type Known,
  nextForRun,
  nextForSettle,
  type RequestRecord,
  type RunStep,
  type SettleStep,
  stateAfter,
} from '../../src/core/record.ts'
import { aResult, platform } from '../render/samples.ts'
import { aJob, broken, rejected, stateNames, states } from './samples.ts'

type Name = keyof typeof states
const minute = 60_000
const day = 24 * 60 * minute
/** The times of a record whose run may take an hour. */
const times = { since: 1_800_000_000_000, until: 1_800_000_000_000 + 60 * minute }
const record = (name: Name): RequestRecord => ({ ...states[name], ...times })
const known = (name: Name): Known => ({ kind: 'record', record: record(name) })

const prLink = 'https://github.com/acme/docs/pull/7'
const unread: JobSeen = { kind: 'unread' }
const gone: JobSeen = { kind: 'gone', problem: platform('read', rejected(404)) }
const job = (status: string, link: string | null = null): JobSeen => ({
  kind: 'read',
  job: aJob({ status, prLink: link }),
})
const linked = job('completed', prLink)

type Step = RunStep | SettleStep

const send: Step = { do: 'send' }
const leave: Step = { do: 'leave' }
const abandon: Step = { do: 'abandon' }
const giveUp: Step = { do: 'give-up', why: 'unfinished-run' }
const wait: Step = { do: 'wait', job: 'job_1' }
const report = (outcome: AgentResult['outcome']): Step => ({ do: 'report', outcome })
const isReported = (name: Name) => states[name].state === 'ended'

describe('a run', () => {
  it('a run sends a request that has no record, but not one whose record another key signed', () => {
    expect(nextForRun({ kind: 'none' })).toEqual(send)
    expect(nextForRun({ kind: 'foreign' })).toEqual({ do: 'give-up', why: 'key-changed' })
  })

  const steps: Record<Name, Step | 'repeat'> = {
    open: giveUp,
    'not-sent': send,
    working: wait,
    left: wait,
    'pull-request': 'repeat',
    'out-of-bounds': 'repeat',
    'no-changes': 'repeat',
    archived: send,
    'archived with a pull request': 'repeat',
    failed: send,
    unconfirmed: 'repeat',
    error: 'repeat',
  }
  it.each(stateNames)('a run has one next step for a record: %s', (name) => {
    const step = steps[name]
    expect(nextForRun(known(name))).toEqual(step === 'repeat' ? { do: 'repeat', ended: record(name) } : step)
  })
})

describe('settle', () => {
  interface Look {
    at: number
    place?: 'comment' | 'status'
    job?: JobSeen
    isOpened?: boolean
  }
  const settled = (of: Known, { at, place = 'comment', job: seen = linked, isOpened = false }: Look) =>
    nextForSettle(of, { now: times.since + at, place, job: seen, isOpened })

  it.each<[name: string, of: Name, look: Omit<Look, 'at'>, last: number, before: Step, after: Step]>([
    [
      'gives up on a record in a comment ten minutes after its run must have ended',
      'open',
      { job: unread },
      70 * minute,
      leave,
      giveUp,
    ],
    [
      'gives up on a record in a status after a day',
      'open',
      { job: unread, place: 'status' },
      day,
      leave,
      giveUp,
    ],
    [
      'leaves a job to its run until ten minutes after the run must have ended',
      'working',
      {},
      70 * minute,
      leave,
      report('pull-request'),
    ],
    [
      "leaves a job to its run even if the job's pull request was opened",
      'working',
      { isOpened: true },
      70 * minute,
      leave,
      report('pull-request'),
    ],
    [
      'leaves a job alone in its first ten minutes, even if no run waits for it',
      'left',
      {},
      10 * minute - 1,
      leave,
      report('pull-request'),
    ],
    [
      'leaves a job that seems gone alone in its first ten minutes',
      'left',
      { job: gone },
      10 * minute - 1,
      leave,
      report('error'),
    ],
    ['abandons a job after 14 days', 'left', {}, 14 * day, report('pull-request'), abandon],
    ['abandons an unreadable job after 14 days', 'working', { job: unread }, 14 * day, leave, abandon],
  ])('settle %s', (_, of, look, last, before, after) => {
    expect(settled(known(of), { ...look, at: last })).toEqual(before)
    expect(settled(known(of), { ...look, at: last + 1 })).toEqual(after)
  })

  it.each<[name: string, seen: JobSeen, expected: Step]>([
    ['leaves a job that could not be read', unread, leave],
    ['leaves an active job', job('active'), leave],
    ['leaves a job in an unknown state', job('thinking'), leave],
    ['reports a pull request', linked, report('pull-request')],
    ['reports a job without a pull request', job('completed'), report('no-changes')],
    ['reports a job that failed', job('failed'), report('failed')],
    ['reports an archived job', job('archived'), report('archived')],
    ['reports that a job is gone', gone, report('error')],
  ])('settle %s', (_, seen, expected) => {
    expect(settled(known('left'), { at: day, job: seen })).toEqual(expected)
    // The pull request was just opened, so settle does not wait for the run.
    const opened = settled(known('left'), { at: 0, job: seen, isOpened: true })
    expect(opened).toEqual(expected)
  })

  it.each(stateNames.filter((name) => isReported(name) || name === 'not-sent'))(
    'settle leaves a record that has ended, unless its link appeared late: %s',
    (name) => {
      for (const seen of [unread, gone, job('completed'), linked]) {
        const isLate = name === 'no-changes' && seen === linked
        const expected = isLate ? report('pull-request') : leave
        for (const at of [0, day, 30 * day]) expect(settled(known(name), { at, job: seen })).toEqual(expected)
      }
    },
  )

  it('settle leaves a request alone if this key signed no record', () => {
    expect(settled({ kind: 'none' }, { at: day })).toEqual(leave)
    expect(settled({ kind: 'foreign' }, { at: day })).toEqual(leave)
  })

  it('settle polls a job for 14 days after the request, but for only one day if the job ended without a pull request', () => {
    const read = (at: number) =>
      stateNames.filter((name) => jobToRead(record(name), times.since + at) !== null)
    expect(read(day - 1)).toEqual(['working', 'left', 'no-changes'])
    expect(read(day)).toEqual(['working', 'left'])
    expect(read(14 * day)).toEqual(['working', 'left'])
    expect(read(14 * day + 1)).toEqual([])
  })
})

describe('a run that has ended', () => {
  const jobless = { jobId: null, job: null } as const
  const sent = aJob({ prLink })
  it.each<[name: string, expected: Name, result: Partial<AgentResult>]>([
    ['sent nothing', 'not-sent', { ...jobless, outcome: 'error', delivery: 'not-sent' }],
    ['sent nothing to its job', 'not-sent', { outcome: 'cancelled', delivery: 'not-sent' }],
    [
      'may have sent the request',
      'unconfirmed',
      { ...jobless, outcome: 'unconfirmed', delivery: 'uncertain' },
    ],
    ['may have sent a follow-up', 'unconfirmed', { outcome: 'unconfirmed', delivery: 'uncertain' }],
    ['was cancelled while sending', 'open', { ...jobless, outcome: 'cancelled', delivery: 'uncertain' }],
    ['timed out', 'left', { outcome: 'timed-out' }],
    ['did not wait', 'left', { outcome: 'detached' }],
    ['was cancelled while it waited', 'left', { outcome: 'cancelled' }],
    ['could not read its job', 'left', { outcome: 'error', problem: platform('read', broken(503)) }],
    [
      'was not allowed to read its job',
      'left',
      { outcome: 'error', problem: platform('read', rejected(401)) },
    ],
    ['learned that its job is gone', 'error', { outcome: 'error', problem: platform('read', rejected(404)) }],
    ['has a pull request', 'pull-request', { job: sent }],
    ['has a pull request out of bounds', 'out-of-bounds', { outcome: 'out-of-bounds', job: sent }],
    ['has a job without changes', 'no-changes', { outcome: 'no-changes' }],
    ['has an archived job', 'archived', { outcome: 'archived' }],
    [
      'has an archived job with a pull request',
      'archived with a pull request',
      { outcome: 'archived', job: sent },
    ],
    ['has a failed job', 'failed', { outcome: 'failed' }],
  ])('a run that %s leaves the record “%s”', (_, expected, result) => {
    expect(stateAfter(aResult(result))).toEqual(states[expected])
  })
})
