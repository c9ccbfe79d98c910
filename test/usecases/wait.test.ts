import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/core/job/response.ts'
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
  unfinished,
  unsent,
} from './world.ts'

const prompt = { prompt: 'Fix it' }
const resume = { 'job-id': 'job_1' }
const follow = { prompt: 'More', 'job-id': 'job_1' }
const times = (count: number, ...exchanges: Exchange[]) =>
  Array.from({ length: count }, () => exchanges).flat()

describe('a job that is waited for', () => {
  it('is first read after 15 s, then every 5 s, and every hundredth of its age once that is more', async () => {
    const seen = await run({ ...prompt, timeout: '15m' }, { create: [active], read: [active] })
    const at = readTimes(seen)
    expect(at.slice(0, 4)).toEqual([15, 20, 25, 30])
    const late = at
      .filter((time) => time > 600)
      .map((time, index, all) => time - (all[index - 1] ?? Number.NaN))
    // The last one is cut short by the deadline.
    for (const gap of late.slice(1, -1)) expect(gap).toBeGreaterThan(6)
    expect(at.at(-1)).toBe(900)
  })

  it('is read by the fixed interval to the letter', async () => {
    const seen = await run(
      { ...prompt, timeout: '100s', 'poll-interval': '30s' },
      { create: [active], read: [active] },
    )
    expect(readTimes(seen)).toEqual([30, 60, 90, 100])
  })

  it('is read within a tenth of the schedule by chance', async () => {
    const first = async (random: number) =>
      readTimes(await run(prompt, { create: [active], read: [done] }, { random: () => random }))
    expect(await first(0)).toEqual([13.5])
    expect(await first(0.999999)).toEqual([16.5])
  })

  it.each([
    ['with a pull request', [done], 'pull-request', [15]],
    ['failed', [job('failed')], 'failed', [15]],
    ['archived', [job('archived')], 'archived', [15]],
    ['archived with a pull request', [job('archived', { prLink: pullRequest })], 'archived', [15]],
    ['after a while', [active, active, done], 'pull-request', [15, 20, 25]],
    ['without changes, on one more read', [unfinished], 'no-changes', [15, 20]],
    ['with a link that came late', [unfinished, done], 'pull-request', [15, 20]],
    ['without changes, and then failed', [unfinished, job('failed')], 'failed', [15, 20]],
    [
      'without changes, then active, then without changes',
      [unfinished, active, unfinished],
      'no-changes',
      [15, 20, 25],
    ],
  ])('ends %s', async (_, read, outcome, at) => {
    const seen = await run(prompt, { create: [active], read })
    expect(seen.result).toMatchObject({ outcome, jobId: 'job_1', problem: null })
    expect(readTimes(seen)).toEqual(at)
  })

  it('completed without a link is read once more soon, however long the interval', async () => {
    const seen = await run({ ...prompt, 'poll-interval': '10m' }, { create: [active], read: [unfinished] })
    expect(readTimes(seen)).toEqual([600, 605])
    expect(seen.result.outcome).toBe('no-changes')
  })

  it('tells each change of its status once', async () => {
    const read = [active, active, job('queued'), job('queued'), active, done]
    const seen = await run(prompt, { create: [active], read })
    expect(of(seen, 'status').map((status) => status.job.status)).toEqual(['queued', 'active', 'completed'])
  })

  it('of an unknown status is read on, with exactly one warning', async () => {
    const read = [...times(3, job('queued')), ...times(3, job('thinking')), active, job('queued'), done]
    const seen = await run(prompt, { create: [active], read })
    expect(of(seen, 'unknown-status')).toMatchObject([{ status: 'queued' }])
    expect(seen.result.outcome).toBe('pull-request')
    expect(readTimes(seen)).toHaveLength(9)
  })

  it('is given at each read no more patience than the deadline leaves, and none once cancelled', async () => {
    const seen = await run({ ...prompt, timeout: '60s' }, { create: [active], read: [active] })
    for (const { at, patience } of seen.requests.slice(1)) {
      expect(patience.total).toBe(Math.min(30_000, 60_000 - at + 5_000))
      expect(patience.onceCancelled).toBe(0)
    }
  })
})

describe('a job that does not end', () => {
  it.each([
    ['1s', 'auto', [1]],
    ['15s', 'auto', [15]],
    ['17s', 'auto', [15, 17]],
    ['60s', '1h', [60]],
    ['60s', '20s', [20, 40, 60]],
  ])(
    'is timed out exactly at the deadline of %s (interval %s), with one last read there',
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
    ['no-changes', unfinished],
  ])('until the last read is %s after all', async (outcome, last) => {
    const read = [(at: number) => (at < 60_000 ? active : last)]
    const seen = await run({ ...prompt, timeout: '60s' }, { create: [active], read })
    expect(seen.result.outcome).toBe(outcome)
    expect(seen.took).toBe(60_000)
  })

  it('never runs longer than its deadline, whatever the platform answers and however long it takes', async () => {
    const exchange = fc.constantFrom(
      active,
      unfinished,
      job('queued'),
      reset,
      halfway,
      unsent,
      answer(503),
      answer(429, {}, { retryAfter: '31536000' }),
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
          expect(seen.took).toBeLessThanOrEqual(timeout * 1000 + 3 * latency)
          expect(['no-changes', 'timed-out', 'error']).toContain(seen.result.outcome)
        },
      ),
    )
  })

  it('says once a minute that it is waited for, and when it is next read', async () => {
    const seen = await run(
      { ...prompt, timeout: '10m', 'poll-interval': '50s' },
      { create: [active], read: [active] },
    )
    const beats = of(seen, 'waiting')
    expect(beats.map(({ age }) => age / 60_000)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(beats.map(({ nextRead }) => nextRead / 1000)).toEqual([40, 30, 20, 10, 0, 40, 30, 20, 10, 0])
    expect(beats.every(({ status, failures }) => status === 'active' && failures === 0)).toBe(true)
  })

  it('says it no more often after a machine has slept', async () => {
    const oversleep = (at: number) => (at === 15_000 ? 600_000 : 0)
    const seen = await run({ ...prompt, timeout: '20m' }, { create: [active], read: [active] }, { oversleep })
    const beats = of(seen, 'waiting').map(({ at }) => at)
    for (const [index, at] of beats.entries())
      expect(at - (beats[index - 1] ?? 0)).toBeGreaterThanOrEqual(55_000)
  })
})

describe('reads that fail', () => {
  const faults: [string, Exchange][] = [
    ['no answer', reset],
    ['half an answer', halfway],
    ['no connection', unsent],
    ['no JSON', { type: 'answer', status: 200, headers: {}, text: '<html>' }],
    ['no job', answer(200, { hello: 1 })],
    ['408', answer(408)],
    ['425', answer(425)],
    ['429', answer(429)],
    ['500', answer(500)],
    ['503', answer(503)],
  ]
  it.each(faults)('twenty times with %s are told in a few words, and the job is found', async (_, fault) => {
    const seen = await run(prompt, { create: [active], read: [active, ...times(20, fault), done] })
    expect(readTimes(seen)).toHaveLength(22)
    expect(of(seen, 'failing')).toHaveLength(1)
    expect(of(seen, 'recovered')).toMatchObject([{ failures: 20 }])
    expect(seen.result).toMatchObject({ outcome: 'pull-request', problem: null })
    expect(of(seen, 'waiting').some(({ failures }) => failures > 5)).toBe(true)
  })

  it('twenty times, each otherwise than the one before, take fewer than twenty lines', async () => {
    const read = [active, ...times(10, reset, answer(503)), done]
    const seen = await run(prompt, { create: [active], read })
    expect(seen.result.outcome).toBe('pull-request')
    expect(of(seen, 'failing').length + of(seen, 'recovered').length).toBeLessThan(20)
  })

  it('twenty times, with an answer after each, take fewer than twenty lines', async () => {
    const read = [...times(20, reset, active), done]
    const seen = await run(prompt, { create: [active], read })
    expect(seen.result.outcome).toBe('pull-request')
    expect(of(seen, 'failing').length + of(seen, 'recovered').length).toBeLessThan(20)
  })

  it('back off by doubling to a minute, and start anew after an answer', async () => {
    const read = [...times(7, reset), active, reset, done]
    const seen = await run(prompt, { create: [active], read })
    const at = readTimes(seen)
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    expect(gaps).toEqual([1.5, 3, 6, 12, 24, 45, 45, 5, 1.5])
  })

  it('wait as long as Retry-After asks for, but not past the deadline', async () => {
    const read = [answer(429, {}, { retryAfter: '100' }), answer(429, {}, { retryAfter: '31536000' }), done]
    const seen = await run({ ...prompt, timeout: '10m' }, { create: [active], read })
    expect(readTimes(seen)).toEqual([15, 115, 600])
    expect(seen.result.outcome).toBe('pull-request')
  })

  it('until the deadline leave a job timed out, with why', async () => {
    const seen = await run({ ...prompt, timeout: '5m' }, { create: [active], read: [answer(503)] })
    expect(seen.took).toBe(300_000)
    expect(seen.result).toMatchObject({
      ...{ outcome: 'timed-out', jobId: 'job_1', job: { status: 'active' } },
      problem: { operation: 'read', failure: { status: 503 }, attempts: readTimes(seen).length },
    })
  })

  it('until the deadline are an error where the job was never seen', async () => {
    const seen = await run({ ...resume, timeout: '5m' }, { read: [reset] })
    expect(seen.result).toMatchObject({
      outcome: 'error',
      jobId: 'job_1',
      job: null,
      problem: { operation: 'read' },
    })
  })

  it.each([
    ['400', answer(400)],
    ['401', answer(401)],
    ['403', answer(403)],
    ['a redirect', answer(302)],
    ['a certificate that nobody trusts', { ...unsent, code: 'CERT_HAS_EXPIRED' } as Exchange],
  ])('with %s end the wait at once, and the id of the job stays', async (_, fault) => {
    const seen = await run(prompt, { create: [active], read: [active, fault] })
    expect(readTimes(seen)).toEqual([15, 20])
    expect(seen.result).toMatchObject({ outcome: 'error', jobId: 'job_1', job: { status: 'active' } })
    expect(seen.result.problem).toMatchObject({ type: 'platform', operation: 'read' })
  })
})

describe('a job that is not known', () => {
  it('within 30 s of its creation is looked for again', async () => {
    const seen = await run(prompt, { create: [active], read: [answer(404), answer(404), done] })
    expect(readTimes(seen)).toEqual([15, 16.5, 19.5])
    expect(seen.result.outcome).toBe('pull-request')
  })

  it('after that is an error', async () => {
    const seen = await run(prompt, { create: [active], read: [answer(404)] })
    const at = readTimes(seen)
    expect(at.at(-2)).toBeLessThan(30)
    expect(at.at(-1)).toBeGreaterThanOrEqual(30)
    expect(seen.result).toMatchObject({
      outcome: 'error',
      jobId: 'job_1',
      problem: { failure: { status: 404 } },
    })
  })

  it.each([
    ['once it was read', prompt, [active, answer(404)], 2],
    ['where it is not ours', resume, [answer(404)], 1],
  ])('%s is an error at once', async (_, inputs, read, count) => {
    const seen = await run(inputs, { create: [active], read })
    expect(readTimes(seen)).toHaveLength(count)
    expect(seen.result).toMatchObject({ outcome: 'error', jobId: 'job_1' })
  })
})

describe('a job that is resumed', () => {
  it('is read at once, and nothing is sent to it', async () => {
    const seen = await run(resume, { read: [active, done] })
    expect(sent(seen)).toEqual(['read', 'read'])
    expect(readTimes(seen)).toEqual([0, 5])
    expect(of(seen, 'job')).toMatchObject([{ jobId: 'job_1', job: null, origin: 'resumed' }])
    expect(seen.result.outcome).toBe('pull-request')
  })

  it('and is over already ends at once', async () => {
    const seen = await run({ ...resume, 'poll-interval': '10m' }, { read: [done] })
    expect(seen.took).toBe(0)
    expect(seen.result.outcome).toBe('pull-request')
  })
})

describe('a job that was sent a message', () => {
  const old = job('completed', { prLink: 'https://github.com/acme/docs/pull/1' })

  it('and still shows its old end is waited for: the new end counts', async () => {
    const seen = await run(follow, { read: [old, old, old, active, active, done], message: [old] })
    expect(seen.result).toMatchObject({ outcome: 'pull-request', job: { prLink: pullRequest } })
    expect(of(seen, 'unchanged')).toEqual([])
  })

  it.each([
    ['another link', done],
    ['another end', job('failed', { prLink: 'https://github.com/acme/docs/pull/1' })],
    [
      'a time of archiving',
      job('completed', { prLink: 'https://github.com/acme/docs/pull/1', archivedAt: '2026-11-02T10:00:00Z' }),
    ],
  ])('and shows %s is at a new end', async (_, end) => {
    const seen = await run(follow, { read: [old, old, end], message: [old] })
    expect(readTimes(seen)).toHaveLength(3)
    expect(of(seen, 'unchanged')).toEqual([])
  })

  it('and was active at its answer is not at its new end where a read shows the old one again', async () => {
    const seen = await run(follow, { read: [old, old], message: [active] })
    expect(readTimes(seen).at(-1)).toBe(180)
    expect(of(seen, 'unchanged')).toHaveLength(1)
    expect(seen.result.outcome).toBe('pull-request')
  })

  it.each([
    ['its link', old, 'pull-request'],
    ['no changes', unfinished, 'no-changes'],
    ['its failure', job('failed'), 'failed'],
    ['its archiving', job('archived'), 'archived'],
  ])(
    'and shows nothing but %s is taken at its word after three minutes, and that is said once',
    async (_, state, outcome) => {
      const seen = await run(follow, { read: [state], message: [state] })
      expect(seen.result.outcome).toBe(outcome)
      expect(of(seen, 'unchanged')).toHaveLength(1)
      expect(of(seen, 'unchanged')[0]?.age).toBeGreaterThanOrEqual(180_000)
      expect(seen.took).toBeGreaterThanOrEqual(180_000)
      expect(seen.took).toBeLessThan(195_000)
    },
  )

  it('and still shows its old end at the deadline is timed out', async () => {
    const seen = await run({ ...follow, timeout: '60s' }, { read: [old], message: [old] })
    expect(seen.result.outcome).toBe('timed-out')
    expect(seen.took).toBe(60_000)
  })
})
