import { describe, expect, it } from 'vitest'
import { problems } from '../../src/core/problems.ts'
import {
  active,
  answer,
  done,
  halfway,
  job,
  type Options,
  of,
  recordedSends,
  reset,
  run,
  type Script,
  sent,
  texts,
  unfinished,
  unsent,
} from './world.ts'

const prompt = { prompt: 'Fix it' }
const follow = { prompt: 'More', 'job-id': 'job_1' }
const limit = answer(429, { error: 'slow down' })

describe('a new job', () => {
  it('a new job is created with the prompt, and recorded before it is first polled', async () => {
    const seen = await run(prompt, { create: [active], read: [active, done] })
    expect(seen.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v2/agent/docs/job',
      body: { prompt: 'Fix it' },
    })
    expect(seen.requests[1]).toMatchObject({ method: 'GET', path: '/v2/agent/docs/job/job_1' })
    expect(seen.progress.map(({ text, at }) => [text, at])).toEqual([
      ['Fix it', 0],
      ['Created job job_1.', 0],
      ['After 20 s, the job is completed.', 20_000],
    ])
    expect(seen.result).toMatchObject({
      outcome: 'pull-request',
      jobId: 'job_1',
      problem: null,
      elapsed: 20_000,
    })
    expect(seen.result.prompt?.text).toBe('Fix it')
  })

  it.each([
    ['a new job', prompt],
    ['a follow-up', follow],
    ['a job that is resumed', { 'job-id': 'job_1' }],
  ])('%s sends each request only after all earlier writes have finished', async (_, inputs) => {
    const seen = await run(inputs, { create: [active], message: [active], read: [active, done] })
    expect(seen.result.outcome).toBe('pull-request')
    expect(seen.requests.filter(({ early }) => early)).toEqual([])
  })

  it.each([
    ['a new job', prompt],
    ['a follow-up', follow],
  ])('%s sends nothing if the send cannot be recorded', async (_, inputs) => {
    const unrecorded = { status: 403, message: 'no' }
    const seen = await run(inputs, { read: [done] }, { unrecorded })
    expect(sent(seen).filter((operation) => operation !== 'read')).toEqual([])
    expect(seen.result).toMatchObject({ outcome: 'error', problem: { id: 'record-unwritten' } })
  })

  it('a step writes in this order: its record, the send, the job, the outputs, the log, and its end', async () => {
    const { journal } = await run(prompt, { create: [active], read: [done] })
    expect(journal.map(({ type }) => type)).toEqual([
      'open',
      'sending',
      'started',
      'job',
      'output',
      'finish',
      'end',
    ])
  })

  it('nothing is sent if the runner cannot save anything', async () => {
    const seen = await run(prompt, {}, { isDiskFull: true })
    expect(seen.result).toMatchObject({ outcome: 'error', problem: { id: 'unsaved-state' } })
    expect(sent(seen)).toEqual([])
  })

  it('the job is recorded before it is polled', async () => {
    const seen = await run(prompt, { create: [active], read: [done] }, { cancelIn: 3 })
    expect(seen.cancelledIn).toBe('job')
    expect(sent(seen)).toEqual(['create'])
    expect(seen.result).toMatchObject({ outcome: 'cancelled', jobId: 'job_1' })
  })

  it('wait: false never polls', async () => {
    const seen = await run({ ...prompt, wait: 'false' }, { create: [active] })
    expect(sent(seen)).toEqual(['create'])
    expect(seen.result).toMatchObject({ outcome: 'detached', jobId: 'job_1', job: { status: 'active' } })
  })

  it('a new job with an unknown status keeps its id', async () => {
    const seen = await run(
      { ...prompt, wait: 'false' },
      { create: [answer(201, { id: 'x', status: 'queued' })] },
    )
    expect(seen.result).toMatchObject({
      outcome: 'detached',
      jobId: 'x',
      job: { status: 'queued', prLink: null },
    })
  })
})

describe('a prompt', () => {
  const files = { ok: true, value: [{ path: 'a.md', size: 2, text: 'A\n' }] } as const

  it('a prompt is read from its file, with its context', async () => {
    const seen = await run(
      { 'prompt-file': 'p.md', 'context-files': '*.md', wait: 'false' },
      { create: [active] },
      { files: { ok: true, value: [...files.value] } },
    )
    expect(seen.requests[0]?.body?.prompt).toMatch(/^From a file\n[\s\S]*### a\.md/)
    expect(texts(seen.progress)).toContain('Added 1 file to the prompt.')
  })

  it('a prompt whose globs match no file is sent without files, and the log says so', async () => {
    const seen = await run({ ...prompt, 'context-files': '*.md', wait: 'false' }, { create: [active] })
    expect(seen.requests[0]?.body).toEqual({ prompt: 'Fix it' })
    expect(of(seen, 'no-files')).toHaveLength(1)
  })

  it.each([
    ['prompt-file', { 'prompt-file': 'p.md' }, 'promptFile'],
    ['context-files', { ...prompt, 'context-files': 'a' }, 'files'],
  ] as const)(
    'a prompt that cannot be read from %s ends the step before any request',
    async (input, inputs, option) => {
      const fault = { kind: 'missing', input, path: 'p.md' } as const
      const seen = await run(inputs, {}, { [option]: { ok: false, fault } })
      expect(seen.requests).toEqual([])
      expect(seen.result).toMatchObject({ outcome: 'error', jobId: null, problem: problems.file(fault) })
    },
  )
})

describe('a prompt with a secret in it', () => {
  const key = 'the key is mint_0123456789.'
  const token = 'ghs_0123456789'
  it.each([
    ['the token', { prompt: `the token is ${token}.`, 'github-token': token }, {}, 'github-token'],
    ['the key in the prompt', { prompt: key }, {}],
    ['the key in its file', { 'prompt-file': 'p.md' }, { promptFile: { ok: true, value: key } }],
    [
      'the key in its context',
      { ...prompt, 'context-files': '*' },
      { files: { ok: true, value: [{ path: 'a', size: key.length, text: key }] } },
    ],
    ['the key in a dry run', { prompt: key, 'dry-run': 'true' }, {}],
    ['the key in a follow-up', { ...follow, prompt: key }, {}],
  ] as [string, Record<string, string>, Options, ('api-key' | 'github-token')?][])(
    'a prompt with a secret (%s) is neither sent nor shown',
    async (_, inputs, options, secret = 'api-key') => {
      const seen = await run(inputs, {}, options)
      expect(seen.requests).toEqual([])
      expect(seen.progress).toEqual([])
      expect(seen.result).toMatchObject({
        outcome: 'error',
        prompt: null,
        problem: secret === 'api-key' ? problems.keyInPrompt() : problems.tokenInPrompt(),
      })
    },
  )
})

describe('a create', () => {
  it.each([
    ['the connection was rejected', unsent],
    ['the name was not resolved', { ...unsent, code: 'ENOTFOUND' }],
    ['TLS failed', { ...unsent, code: 'EPROTO' }],
    ['the limit was reached', limit],
  ])('a create is sent again if %s', async (_, failure) => {
    const seen = await run({ ...prompt, wait: 'false' }, { create: [failure, failure, active] })
    expect(sent(seen)).toEqual(['create', 'create', 'create'])
    expect(seen.requests.map(({ at }) => at)).toEqual([0, 1_500, 4_500])
    expect(texts(of(seen, 'failing')).map((text) => text.slice(-20))).toEqual([
      'Next attempt in 2 s.',
      'Next attempt in 3 s.',
    ])
    expect(seen.result.outcome).toBe('detached')
  })

  it.each([
    ['no response arrived', reset],
    ['the response broke off', halfway],
    ['the response is not JSON', { type: 'response', status: 201, headers: {}, text: '<html>' } as const],
    ['the response has no id', answer(201, { status: 'active' })],
    ['the response is empty', { type: 'response', status: 201, headers: {}, text: '' } as const],
    ['the platform failed (500)', answer(500)],
    ['the platform failed (502)', answer(502)],
    ['the platform failed (503)', answer(503, {}, { 'retry-after': '1' })],
    ['the platform failed (504)', answer(504)],
    ['the server timed out (408)', answer(408)],
  ])('a create is sent exactly once and ends unconfirmed if %s', async (_, failure) => {
    const seen = await run(prompt, { create: [failure] })
    expect(sent(seen)).toEqual(['create'])
    expect(seen.result).toMatchObject({ outcome: 'unconfirmed', jobId: null, job: null })
    expect(seen.result.problem).toMatchObject({ call: { name: 'create' } })
  })

  it('a create is also unconfirmed, and not sent again, if a later attempt may have arrived', async () => {
    const seen = await run(prompt, { create: [unsent, limit, reset] })
    expect(sent(seen)).toEqual(['create', 'create', 'create'])
    expect(seen.result).toMatchObject({ outcome: 'unconfirmed' })
  })

  it.each([400, 401, 403, 404, 409, 413, 422, 301])(
    'a create that is rejected with %i is an error at once',
    async (status) => {
      const seen = await run(prompt, { create: [answer(status)] })
      expect(sent(seen)).toEqual(['create'])
      expect(seen.result).toMatchObject({
        outcome: 'error',
        jobId: null,
        problem: { call: { name: 'create' } },
      })
      expect(seen.took).toBe(0)
    },
  )

  it('a create that meets an untrusted certificate is an error at once', async () => {
    const seen = await run(prompt, { create: [{ ...unsent, code: 'CERT_HAS_EXPIRED' }] })
    expect(sent(seen)).toEqual(['create'])
    expect(seen.result.outcome).toBe('error')
  })

  it('a create is attempted at most five times', async () => {
    const seen = await run(prompt, { create: [unsent] })
    expect(sent(seen)).toHaveLength(5)
    expect(seen.result).toMatchObject({ outcome: 'error', problem: { call: {} } })
  })

  it('a create waits as long as Retry-After says', async () => {
    const seen = await run(
      { ...prompt, wait: 'false' },
      { create: [answer(429, {}, { 'retry-after': '600' }), active] },
    )
    expect(seen.requests.map(({ at }) => at)).toEqual([0, 600_000])
  })

  it('a create does not wait if Retry-After is beyond the deadline', async () => {
    const seen = await run(
      { ...prompt, timeout: '5m' },
      { create: [answer(429, {}, { 'retry-after': '301' })] },
    )
    expect(seen.took).toBe(0)
    expect(seen.result).toMatchObject({ outcome: 'error', problem: { call: { failure: { status: 429 } } } })
  })

  it.each([
    ['60m', 60_000],
    ['10s', 15_000],
  ])(
    'a create with a timeout of %s may take %i ms, or five seconds once the step is cancelled',
    async (timeout, total) => {
      const seen = await run({ ...prompt, timeout, wait: 'false' }, { create: [active] })
      expect(seen.requests[0]?.timeout).toEqual({ total, onceCancelled: 5_000 })
    },
  )

  it.each([
    ['only an id', { id: 'job_1' }, 'pull-request'],
    ['no id', { status: 'active' }, 'unconfirmed'],
    ['an id that is not a path segment', { id: '..' }, 'unconfirmed'],
  ])('a create needs only a usable id in its response: %s', async (_, reply, outcome) => {
    const seen = await run(prompt, { create: [answer(201, reply)], read: [done] })
    expect(seen.result).toMatchObject({ outcome, jobId: outcome === 'unconfirmed' ? null : 'job_1' })
  })

  it('a create is not sent after the deadline', async () => {
    const seen = await run({ ...prompt, timeout: '1s' }, { create: [active] }, { late: 1_000 })
    expect(seen.result).toMatchObject({ outcome: 'error', problem: { id: 'too-late' } })
    expect(seen.requests).toEqual([])
  })
})

describe('a follow-up', () => {
  it('a follow-up polls the job, sends one message, and waits for new work', async () => {
    const old = job('completed', { prLink: 'https://github.com/acme/docs/pull/1' })
    const seen = await run(follow, { read: [old, active, done], message: [active] })
    expect(sent(seen)).toEqual(['read', 'message', 'read', 'read'])
    expect(seen.requests[1]).toMatchObject({
      path: '/v2/agent/docs/job/job_1/message',
      body: { prompt: 'More' },
    })
    expect(recordedSends(seen)).toEqual(['message'])
    expect(texts(of(seen, 'job'))).toEqual(['Sent the prompt to job job_1.'])
    expect(seen.result).toMatchObject({
      outcome: 'pull-request',
      job: { prLink: expect.stringContaining('/7') },
    })
  })

  it('a follow-up with wait: false ends once it is sent', async () => {
    const seen = await run({ ...follow, wait: 'false' }, { read: [done], message: [active] })
    expect(sent(seen)).toEqual(['read', 'message'])
    expect(seen.result).toMatchObject({ outcome: 'detached', jobId: 'job_1', job: { status: 'active' } })
  })

  it.each([400, 401, 403, 404])(
    'a follow-up sends nothing if the first poll of its job is rejected with %i',
    async (status) => {
      const seen = await run(follow, { read: [answer(status)] })
      expect(sent(seen)).toEqual(['read'])
      expect(recordedSends(seen)).toEqual([])
      expect(seen.result).toMatchObject({
        outcome: 'error',
        jobId: 'job_1',
        problem: { call: null },
      })
    },
  )

  it.each([
    ['no response arrived', reset],
    ['the platform failed', answer(503)],
    ['the response is unreadable', halfway],
  ])('a follow-up is sent exactly once and ends unconfirmed if %s', async (_, failure) => {
    const seen = await run(follow, { read: [done], message: [failure] })
    expect(sent(seen)).toEqual(['read', 'message'])
    expect(seen.result).toMatchObject({
      outcome: 'unconfirmed',
      jobId: 'job_1',
      job: { status: 'completed' },
      problem: { call: { name: 'message' } },
    })
  })

  it('a follow-up is sent again if it certainly did not arrive', async () => {
    const seen = await run({ ...follow, wait: 'false' }, { read: [done], message: [unsent, limit, active] })
    expect(sent(seen)).toEqual(['read', 'message', 'message', 'message'])
    expect(seen.result.outcome).toBe('detached')
  })

  it('a follow-up whose first poll fails twenty times logs little, and continues once the poll succeeds', async () => {
    const failing = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? reset : answer(503)))
    const seen = await run(
      { ...follow, wait: 'false', timeout: '2h' },
      { read: [...failing, done], message: [active] },
    )
    expect(sent(seen).filter((name) => name === 'message')).toHaveLength(1)
    expect(seen.result.outcome).toBe('detached')
    expect(of(seen, 'failing').length).toBeLessThan(20)
  })
})

describe('a cancelled step', () => {
  const late: Script = { create: [active], read: [active, active, unfinished, done], message: [active] }
  const lost = { ...reset, code: 'CANCELLED' }
  const inputs = [
    ['a new job', { 'prompt-file': 'p', 'context-files': '*' }],
    ['a follow-up', { ...follow, prompt: '', 'prompt-file': 'p', 'context-files': '*' }],
    ['waiting for a job', { 'job-id': 'job_1' }],
  ] as const

  describe.each(inputs)('(%s)', (_, given) => {
    it('a step that is cancelled at any point ends at once, sends nothing more, and keeps the known job id', async () => {
      const whole = await run(given, late)
      expect(whole.result.outcome).toBe('pull-request')
      for (let cancelIn = 0; cancelIn < whole.awaited; cancelIn++) {
        const seen = await run(given, late, { cancelIn })
        const where = `cancelled in ${seen.cancelledIn} (${cancelIn}): ${sent(seen)}`
        expect(seen.result.outcome, where).toBe('cancelled')
        expect(
          seen.requests.filter((request) => request.late),
          where,
        ).toEqual([])
        const known = 'job-id' in given || sent(seen).includes('create')
        expect(seen.result.jobId, where).toBe(known ? 'job_1' : null)
        const isJobOurs = given === inputs[2][1] || sent(seen).some((name) => name !== 'read')
        expect(of(seen, 'job'), where).toHaveLength(isJobOurs ? 1 : 0)
      }
    })

    it('a cancelled step says what it knows about a send without a response', async () => {
      const whole = await run(given, late)
      for (let cancelIn = 0; cancelIn < whole.awaited; cancelIn++) {
        const seen = await run(given, late, { cancelIn, sendAtCancel: lost })
        const isLost = ['create', 'message'].includes(seen.cancelledIn ?? '')
        expect(seen.result.outcome).toBe('cancelled')
        if (isLost) expect(seen.result.problem).toMatchObject({ id: 'unconfirmed' })
        else if (seen.result.problem !== null) expect(seen.result.problem).toMatchObject({ call: null })
      }
    })
  })

  it('a cancelled step does not finish the pause before the next attempt', async () => {
    const seen = await run(prompt, { create: [limit, limit, active] }, { cancelAt: 2_000 })
    expect(sent(seen)).toEqual(['create', 'create'])
    expect(seen.took).toBe(2_000)
    expect(seen.result).toMatchObject({
      outcome: 'cancelled',
      jobId: null,
      problem: { call: { failure: { status: 429 } } },
    })
  })
})
