import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/core/job/response.ts'
import { say } from '../../src/say/messages.ts'
import {
  active,
  answer,
  done,
  halfway,
  job,
  of,
  pullRequest,
  readTimes,
  reset,
  run,
  sent,
  texts,
  unfinished,
  unsent,
} from './world.ts'

const prompt = { prompt: 'Fix it' }
const resume = { 'job-id': 'job_1' }
const follow = { prompt: 'More', 'job-id': 'job_1' }
const times = (count: number, ...exchanges: Exchange[]) =>
  Array.from({ length: count }, () => exchanges).flat()

describe('waiting for a job', () => {
  it("the first poll comes after 15 s, then every 5 s or every hundredth of the job's age, whichever is longer", async () => {
    const seen = await run({ ...prompt, timeout: '15m' }, { create: [active], read: [active] })
    const at = readTimes(seen)
    expect(at.slice(0, 4)).toEqual([15, 20, 25, 30])
    const late = at
      .filter((time) => time > 600)
      .map((time, index, all) => time - (all[index - 1] ?? Number.NaN))
    // The deadline shortens the last wait.
    for (const gap of late.slice(1, -1)) expect(gap).toBeGreaterThan(6)
    expect(at.at(-1)).toBe(900)
  })

  it('a fixed interval is kept exactly', async () => {
    const seen = await run(
      { ...prompt, timeout: '100s', 'poll-interval': '30s' },
      { create: [active], read: [active] },
    )
    expect(readTimes(seen)).toEqual([30, 60, 90, 100])
  })

  it('the schedule varies by up to a tenth', async () => {
    const first = async (random: number) =>
      readTimes(await run(prompt, { create: [active], read: [done] }, { random: () => random }))
    expect(await first(0)).toEqual([13.5])
    expect(await first(0.999999)).toEqual([16.5])
  })

  it.each([
    ['completed with a pull request', [done], 'pull-request', [15]],
    ['failed', [job('failed')], 'failed', [15]],
    ['was archived', [job('archived')], 'archived', [15]],
    ['was archived with a pull request', [job('archived', { prLink: pullRequest })], 'archived', [15]],
    ['completed after a while', [active, active, done], 'pull-request', [15, 20, 25]],
    ['completed without changes, after a second poll', [unfinished], 'no-changes', [15, 20]],
    ['completed with a late link', [unfinished, done], 'pull-request', [15, 20]],
    ['completed without changes and then failed', [unfinished, job('failed')], 'failed', [15, 20]],
    [
      'completed without changes, was active again, and completed without changes once more',
      [unfinished, active, unfinished],
      'no-changes',
      [15, 20, 25, 30],
    ],
  ])('waiting ends with the result of a job that %s', async (_, read, outcome, at) => {
    const seen = await run(prompt, { create: [active], read })
    expect(seen.result).toMatchObject({ outcome, jobId: 'job_1', problem: null })
    expect(readTimes(seen)).toEqual(at)
  })

  it('a job that completed without a link is polled again after 5 s, whatever the interval', async () => {
    const seen = await run({ ...prompt, 'poll-interval': '10m' }, { create: [active], read: [unfinished] })
    expect(readTimes(seen)).toEqual([600, 605])
    expect(seen.result.outcome).toBe('no-changes')
  })

  it('each change of status is reported once', async () => {
    const read = [active, active, job('queued'), job('queued'), active, done]
    const seen = await run(prompt, { create: [active], read })
    expect(texts(of(seen, 'status')).map((text) => text.replace(/.*the job is /i, ''))).toEqual([
      'queued.',
      'active.',
      'completed.',
    ])
  })

  it('an unknown status does not end the wait, and causes exactly one warning', async () => {
    const read = [...times(3, job('queued')), ...times(3, job('thinking')), active, job('queued'), done]
    const seen = await run(prompt, { create: [active], read })
    expect(of(seen, 'unknown-status')).toMatchObject([say.unknownStatus('queued')])
    expect(seen.result.outcome).toBe('pull-request')
    expect(readTimes(seen)).toHaveLength(9)
  })

  it('responses without a status, or without any fields, do not end the wait', async () => {
    const read = [answer(200, {}), answer(200, { id: 'job_1' }), done]
    const seen = await run(prompt, { create: [answer(201, { id: 'job_1' })], read })
    expect(readTimes(seen)).toEqual([15, 20, 25])
    expect(seen.result).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' })
    expect(of(seen, 'status')).toHaveLength(1)
    expect(of(seen, 'unknown-status')).toEqual([])
  })

  it('waiting for a job times out if no response ever has a status', async () => {
    const nothing = answer(200, {})
    const seen = await run({ ...follow, timeout: '10m' }, { read: [nothing], message: [nothing] })
    expect(seen.result).toMatchObject({ outcome: 'timed-out', jobId: 'job_1', job: { status: null } })
  })

  it('each poll may take 30 s, ends at most 5 s after the deadline, and ends at once on a cancel', async () => {
    const seen = await run({ ...prompt, timeout: '60s' }, { create: [active], read: [active] })
    for (const { at, timeout } of seen.requests.slice(1)) {
      expect(timeout.total).toBe(Math.min(30_000, 60_000 - at + 5_000))
      expect(timeout.onceCancelled).toBe(0)
    }
  })

  it.each([
    ['an hour back', -3_600_000],
    ['an hour forward', 3_600_000],
  ])('the schedule and the deadline do not move when the wall clock is set %s', async (_, shift) => {
    const wallShift = (at: number) => (at < 20_000 ? 0 : shift)
    const script = { create: [active], read: [active] }
    const usual = await run({ ...prompt, timeout: '5m' }, script)
    const seen = await run({ ...prompt, timeout: '5m' }, script, { wallShift })
    expect(readTimes(seen)).toEqual(readTimes(usual))
    expect(seen.result).toEqual(usual.result)
  })

  it('the wait ends with one last poll after the machine was suspended past the deadline', async () => {
    const oversleep = (at: number) => (at === 15_000 ? 3_600_000 : 0)
    const seen = await run({ ...prompt, timeout: '5m' }, { create: [active], read: [active] }, { oversleep })
    expect(readTimes(seen)).toEqual([15, 3_620])
    expect(seen.result.outcome).toBe('timed-out')
  })
})

describe('the deadline', () => {
  it.each([
    ['1s', 'auto', [1]],
    ['15s', 'auto', [15]],
    ['17s', 'auto', [15, 17]],
    ['60s', '1h', [60]],
    ['60s', '20s', [20, 40, 60]],
  ])(
    'the deadline of %s (interval %s) is kept exactly, with one last poll',
    async (timeout, interval, at) => {
      const seen = await run(
        { ...prompt, timeout, 'poll-interval': interval },
        { create: [active], read: [active] },
      )
      expect(readTimes(seen)).toEqual(at)
      expect(seen.took / 1000).toBe(at.at(-1))
      expect(seen.result).toMatchObject({
        outcome: 'timed-out',
        jobId: 'job_1',
        job: { status: 'active' },
        problem: null,
      })
    },
  )

  it.each([
    ['pull-request', done],
    ['failed', job('failed')],
    ['archived', job('archived')],
  ])('a result that only the last poll shows is reported: %s', async (outcome, last) => {
    const read = [(at: number) => (at < 60_000 ? active : last)]
    const seen = await run({ ...prompt, timeout: '60s' }, { create: [active], read })
    expect(seen.result.outcome).toBe(outcome)
    expect(seen.took).toBe(60_000)
  })

  it.each([
    ['shows no link either', unfinished, 'no-changes'],
    ['shows a link', done, 'pull-request'],
    ['shows an active job', active, 'timed-out'],
    ['fails', reset, 'timed-out'],
  ])(
    'a last poll that shows a completed job without a link is repeated a second later: the repeat %s',
    async (_, second, outcome) => {
      const late = (at: number) => (at === 60_000 ? unfinished : second)
      const read = [(at: number) => (at < 60_000 ? active : late(at))]
      const seen = await run({ ...prompt, timeout: '60s' }, { create: [active], read })
      expect(readTimes(seen).slice(-2)).toEqual([60, 61])
      expect(seen.result.outcome).toBe(outcome)
    },
  )

  it('the deadline is not exceeded if the last poll shows a completed job as active again', async () => {
    const read = [...times(8, active), unfinished, active, unfinished]
    const seen = await run({ ...prompt, timeout: '60s' }, { create: [active], read })
    expect(readTimes(seen).slice(-2)).toEqual([55, 60])
    expect(seen.result.outcome).toBe('timed-out')
  })

  it('the deadline is exceeded by at most one second and a few responses, whatever the platform responds', async () => {
    const exchange = fc.constantFrom(
      active,
      unfinished,
      job('queued'),
      reset,
      halfway,
      unsent,
      answer(503),
      answer(429, {}, { 'retry-after': '31536000' }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(exchange, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 900 }),
        fc.nat(3_000),
        fc.constantFrom<Record<string, string>>(prompt, resume, follow),
        async (read, timeout, latency, inputs) => {
          const script = { create: [active], message: [active], read: [...read, active] }
          const seen = await run({ ...inputs, timeout: `${timeout}s` }, script, { latency })
          expect(seen.took).toBeLessThanOrEqual(timeout * 1000 + 1000 + 4 * latency)
          expect(['no-changes', 'timed-out', 'error']).toContain(seen.result.outcome)
        },
      ),
    )
  })

  it('the wait logs one line a minute, which says when the next poll is', async () => {
    const seen = await run(
      { ...prompt, timeout: '10m', 'poll-interval': '50s' },
      { create: [active], read: [active] },
    )
    const beats = of(seen, 'waiting')
    expect(texts(beats)).toEqual(
      [40, 30, 20, 10, 0, 40, 30, 20, 10, 0].map(
        (next, at) => say.waiting((at + 1) * 60_000, 'active', next * 1000, 0).text,
      ),
    )
  })

  it('the wait logs no extra lines after the machine was suspended', async () => {
    const oversleep = (at: number) => (at === 15_000 ? 600_000 : 0)
    const seen = await run({ ...prompt, timeout: '20m' }, { create: [active], read: [active] }, { oversleep })
    const beats = of(seen, 'waiting').map(({ at }) => at)
    for (const [index, at] of beats.entries())
      expect(at - (beats[index - 1] ?? 0)).toBeGreaterThanOrEqual(55_000)
  })
})

describe('failing polls', () => {
  const faults: [string, Exchange][] = [
    ['no response', reset],
    ['half a response', halfway],
    ['no connection', unsent],
    ['invalid JSON', { type: 'response', status: 200, headers: {}, text: '<html>' }],
    ['JSON that is not an object', answer(200, [])],
    ['408', answer(408)],
    ['429', answer(429)],
    ['500', answer(500)],
    ['503', answer(503)],
  ]
  it.each(faults)(
    'failing polls are reported in a few lines after twenty polls with %s, and the job’s result is found',
    async (_, fault) => {
      const seen = await run(prompt, { create: [active], read: [active, ...times(20, fault), done] })
      expect(readTimes(seen)).toHaveLength(22)
      expect(of(seen, 'failing')).toHaveLength(1)
      expect(seen.result).toMatchObject({ outcome: 'pull-request', problem: null })
      expect(texts(of(seen, 'waiting')).some((text) => /the last \d+ polls failed/.test(text))).toBe(true)
    },
  )

  it('failing polls of alternating kinds are reported in fewer than twenty lines', async () => {
    const read = [active, ...times(10, reset, answer(503)), done]
    const seen = await run(prompt, { create: [active], read })
    expect(seen.result.outcome).toBe('pull-request')
    expect(of(seen, 'failing').length).toBeLessThan(20)
  })

  it('failing polls with a success after each are reported in fewer than twenty lines', async () => {
    const read = [...times(20, reset, active), done]
    const seen = await run(prompt, { create: [active], read })
    expect(seen.result.outcome).toBe('pull-request')
    expect(of(seen, 'failing').length).toBeLessThan(20)
  })

  it('failing polls double the wait up to a minute, and a success resets it', async () => {
    const read = [...times(7, reset), active, reset, done]
    const seen = await run(prompt, { create: [active], read })
    const at = readTimes(seen)
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    expect(gaps).toEqual([1.5, 3, 6, 12, 24, 45, 45, 5, 1.5])
  })

  it('failing polls wait as long as Retry-After says, but not past the deadline', async () => {
    const read = [
      answer(429, {}, { 'retry-after': '100' }),
      answer(429, {}, { 'retry-after': '31536000' }),
      done,
    ]
    const seen = await run({ ...prompt, timeout: '10m' }, { create: [active], read })
    expect(readTimes(seen)).toEqual([15, 115, 600])
    expect(seen.result.outcome).toBe('pull-request')
  })

  it('a wait whose polls fail until the deadline times out, with the failure as the reason', async () => {
    const seen = await run({ ...prompt, timeout: '5m' }, { create: [active], read: [answer(503)] })
    expect(seen.took).toBe(300_000)
    expect(seen.result).toMatchObject({
      outcome: 'timed-out',
      jobId: 'job_1',
      job: { status: 'active' },
      problem: { call: { name: 'read', failure: { status: 503 } } },
    })
  })

  it('resuming a job ends with an error if every poll fails until the deadline', async () => {
    const seen = await run({ ...resume, timeout: '5m' }, { read: [reset] })
    expect(seen.result).toMatchObject({
      outcome: 'error',
      jobId: 'job_1',
      job: null,
      problem: { call: { name: 'read' } },
    })
  })

  it.each([
    ['400', answer(400)],
    ['401', answer(401)],
    ['403', answer(403)],
    ['a redirect', answer(302)],
    ['an untrusted certificate', { ...unsent, code: 'CERT_HAS_EXPIRED' } as Exchange],
  ])('a poll that fails with %s ends the wait at once, and the result keeps the job id', async (_, fault) => {
    const seen = await run(prompt, { create: [active], read: [active, fault] })
    expect(readTimes(seen)).toEqual([15, 20])
    expect(seen.result).toMatchObject({ outcome: 'error', jobId: 'job_1', job: { status: 'active' } })
    expect(seen.result.problem).toMatchObject({ call: { name: 'read' } })
  })
})

describe('a job that is missing (404)', () => {
  it('a missing job (404) is polled again after its creation', async () => {
    const seen = await run(prompt, { create: [active], read: [answer(404), answer(404), done] })
    expect(readTimes(seen)).toEqual([15, 16.5, 19.5])
    expect(seen.result.outcome).toBe('pull-request')
  })

  it('a missing job (404) is polled again after every successful poll', async () => {
    const read = [...times(5, active, ...times(5, answer(404))), done]
    const seen = await run(resume, { read })
    expect(readTimes(seen)).toHaveLength(31)
    expect(seen.result).toMatchObject({ outcome: 'pull-request', problem: null })
  })

  it.each([
    ['its creation', prompt, []],
    ['it was polled', resume, [active]],
  ])(
    'a missing job (404) is an error after a minute if it has been missing since %s, and the result keeps the job id',
    async (_, inputs, read) => {
      const seen = await run(inputs, { create: [active], read: [...read, answer(404)] })
      const missing = readTimes(seen).slice(read.length)
      expect((missing.at(-2) ?? 0) - (missing[0] ?? 0)).toBeLessThan(60)
      expect((missing.at(-1) ?? 0) - (missing[0] ?? 0)).toBeGreaterThanOrEqual(60)
      expect(seen.result).toMatchObject({
        outcome: 'error',
        jobId: 'job_1',
        job: { status: 'active' },
        problem: { call: { name: 'read', failure: { status: 404 } } },
      })
    },
  )

  it('a missing job (404) is an error at once if no earlier poll found it', async () => {
    const seen = await run(resume, { read: [answer(404)] })
    expect(readTimes(seen)).toEqual([0])
    expect(seen.result).toMatchObject({ outcome: 'error', jobId: 'job_1', job: null })
  })
})

describe('resuming a job', () => {
  it('resuming a job polls it at once, and sends nothing', async () => {
    const seen = await run(resume, { read: [active, done] })
    expect(sent(seen)).toEqual(['read', 'read'])
    expect(readTimes(seen)).toEqual([0, 5])
    expect(texts(of(seen, 'job'))).toEqual(['Waiting for job job_1.'])
    expect(seen.result.outcome).toBe('pull-request')
  })

  it('resuming a job ends at once if the job has ended', async () => {
    const seen = await run({ ...resume, 'poll-interval': '10m' }, { read: [done] })
    expect(seen.took).toBe(0)
    expect(seen.result.outcome).toBe('pull-request')
  })
})

describe('a job with a follow-up', () => {
  const old = job('completed', { prLink: 'https://github.com/acme/docs/pull/1' })

  it('a job with a follow-up is waited for while it shows its earlier result', async () => {
    const seen = await run(follow, { read: [old, old, old, active, active, done], message: [old] })
    expect(seen.result).toMatchObject({ outcome: 'pull-request', job: { prLink: pullRequest } })
    expect(of(seen, 'unchanged')).toEqual([])
  })

  it.each([
    ['another link', done],
    ['another outcome', job('failed', { prLink: 'https://github.com/acme/docs/pull/1' })],
    [
      'an archive time',
      job('completed', { prLink: 'https://github.com/acme/docs/pull/1', archivedAt: '2026-11-02T10:00:00Z' }),
    ],
  ])('a job with a follow-up has a new result if it shows %s', async (_, end) => {
    const seen = await run(follow, { read: [old, old, end], message: [old] })
    expect(readTimes(seen)).toHaveLength(3)
    expect(of(seen, 'unchanged')).toEqual([])
  })

  it('a job with a follow-up has no new result if the response to the follow-up shows it as active and a poll shows the earlier result again', async () => {
    const seen = await run(follow, { read: [old, old], message: [active] })
    expect(readTimes(seen).at(-1)).toBe(180)
    expect(of(seen, 'unchanged')).toHaveLength(1)
    expect(seen.result.outcome).toBe('pull-request')
  })

  it.each([
    ['the earlier link', old, 'pull-request'],
    ['no changes', unfinished, 'no-changes'],
    ['the earlier failure', job('failed'), 'failed'],
    ['its archived status', job('archived'), 'archived'],
  ])(
    'a job with a follow-up has ended if it shows %s for three minutes, which is reported once',
    async (_, state, outcome) => {
      const seen = await run(follow, { read: [state], message: [state] })
      expect(seen.result.outcome).toBe(outcome)
      expect(of(seen, 'unchanged')).toHaveLength(1)
      expect(of(seen, 'unchanged')[0]?.at).toBeGreaterThanOrEqual(180_000)
      expect(seen.took).toBeGreaterThanOrEqual(180_000)
      expect(seen.took).toBeLessThan(195_000)
    },
  )

  it('a job with a follow-up is not reported as unchanged if it stayed active until its new result', async () => {
    const read = [...Array.from({ length: 60 }, () => active), done]
    const seen = await run(follow, { read, message: [active] })
    expect(seen.result.outcome).toBe('pull-request')
    expect(seen.took).toBeGreaterThan(180_000)
    expect(of(seen, 'unchanged')).toEqual([])
  })

  it('a job with a follow-up times out if it shows its earlier result at the deadline', async () => {
    const seen = await run({ ...follow, timeout: '60s' }, { read: [old], message: [old] })
    expect(seen.result.outcome).toBe('timed-out')
    expect(seen.took).toBe(60_000)
  })

  it.each([[{}], [{ id: 'job_1' }], [{ status: 'active' }]])(
    'a job with a follow-up is waited for after the response %j',
    async (reply) => {
      const seen = await run(follow, {
        read: [old, answer(200, {}), old, done],
        message: [answer(200, reply)],
      })
      expect(sent(seen)).toEqual(['read', 'message', 'read', 'read', 'read'])
      expect(seen.result).toMatchObject({ outcome: 'pull-request', job: { prLink: pullRequest } })
    },
  )
})
