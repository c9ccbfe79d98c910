/** A request and its job: what is sent when, and how the wait ends. Time only passes while something waits. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Exchange, RequestTimeout } from '../../src/core/http.ts'
import { minuteMs } from '../../src/core/units.ts'
import { rowsOf } from '../core/samples.ts'
import { Calls } from '../run/github.ts'
import type { Platform, PlatformRequest } from '../run/mintlify.ts'
import { connected, event, quiet, Stage, type StagePorts } from '../run/step.ts'
import { answer, halfway, job, reset, unsent } from '../run/world.ts'

type Operation = 'create' | 'message' | 'read'
type Inputs = Record<string, string>
type Scripts = Partial<Record<Operation, string>>

const link = 'https://github.com/acme/docs/pull/7'
const old = 'https://github.com/acme/docs/pull/1'
const prompt = { prompt: 'Fix it' }
const resume = { prompt: '', 'job-id': 'job_1' }
const follow = { prompt: 'More', 'job-id': 'job_1' }

/** The words of a script. A number is a response with that status. */
const replies: Record<string, Exchange> = {
  done: job('completed', { prLink: link }),
  linkless: job('completed'),
  old: job('completed', { prLink: old }),
  'old-archived': job('completed', { prLink: old, archivedAt: '2026-11-02T10:00:00Z' }),
  'old-failed': job('failed', { prLink: old }),
  'archived-pull': job('archived', { prLink: link }),
  nothing: answer(200, {}),
  id: answer(201, { id: 'job_1' }),
  'bad-id': answer(201, { id: '..' }),
  'no-id': answer(201, { status: 'active' }),
  list: answer(200, []),
  html: { type: 'response', status: 201, headers: {}, text: '<html>' },
  reset,
  unsent,
  halfway,
  certificate: { ...unsent, code: 'CERT_HAS_EXPIRED' },
  '429/100': answer(429, {}, { 'retry-after': '100' }),
  '429/301': answer(429, {}, { 'retry-after': '301' }),
  '429/year': answer(429, {}, { 'retry-after': '31536000' }),
}

/** `active*3 done`: the responses to an operation. The last one is also the response to all later requests. */
function read(script: string): Exchange[] {
  return script.split(' ').flatMap((word) => {
    const [name = '', count = '1'] = word.split('*')
    const reply = replies[name] ?? (/^\d+$/.test(name) ? answer(Number(name)) : job(name))
    return Array.from({ length: Number(count) }, () => reply)
  })
}

interface How {
  /** The wait, counted from 0, in which the step is cancelled. */
  cancelIn?: number
  /** Whether the response to a send that a cancel interrupts is lost. */
  losesSend?: boolean
  /** Milliseconds by which a sleep is late, and by which the wall clock was moved. */
  oversleep?: (at: number) => number
  wallShift?: (at: number) => number
  /** The platform's deadline, and whether the runner's disk is full. */
  deadline?: number
  isDiskFull?: boolean
}

interface Sent extends PlatformRequest {
  operation: Operation
  at: number
  timeout: RequestTimeout
}

/** What the messages about one thing have in common. */
const about = {
  job: /^(Created|Sent the prompt to|Waiting for) job/,
  status: /^The job's status is/,
  unknown: /does not know/,
  waiting: /^Still waiting/,
  failing: /Next attempt/,
  unchanged: /still shows its earlier result/,
}

const operationOf = ({ method, path }: PlatformRequest): Operation => {
  if (method === 'GET') return 'read'
  return path.endsWith('/message') ? 'message' : 'create'
}

/** Runs a step without a token, with scripted responses of the platform. */
async function run(inputs: Inputs, scripts: Scripts, how: How = {}) {
  const stage = new Stage()
  const begun = 1000
  const at = () => stage.now - begun
  const controller = new AbortController()
  const left = { create: 'active', message: 'active', read: 'active', ...scripts }
  const queues = { create: read(left.create), message: read(left.message), read: read(left.read) }
  const sent: Sent[] = []
  const log: string[] = []
  let waits = 0
  let cancelledIn: string | undefined
  const point = async (name: string) => {
    if (waits > 20_000) throw new Error('The step never ends')
    if (waits++ === how.cancelIn) {
      cancelledIn = name
      controller.abort()
    }
    await Promise.resolve()
  }
  const onPlatform: Platform = async (request, timeout) => {
    const operation = operationOf(request)
    expect(controller.signal.aborted, `${operation} after a cancel`).toBe(false)
    sent.push({ ...request, operation, at: at(), timeout })
    await point(operation)
    if (controller.signal.aborted && (operation === 'read' || how.losesSend))
      return { ...reset, code: 'CANCELLED' }
    const queue = queues[operation]
    return (queue.length > 1 ? queue.shift() : queue[0]) ?? reset
  }
  const ports = ({ hooks, deadline }: StagePorts): Partial<StagePorts> => ({
    onPlatform,
    clock: {
      now: () => stage.now,
      date: () => stage.clock.date() + (how.wallShift?.(at()) ?? 0),
      follow: () => {},
      async sleep(ms, signal) {
        await point('sleep')
        if (!signal.aborted) stage.now += Math.max(0, ms) + (how.oversleep?.(at()) ?? 0)
      },
    },
    workspace: {
      async readText() {
        await point('file')
        return { ok: true, value: 'From a file' }
      },
      async readMatching() {
        await point('files')
        return { ok: true, value: [{ path: 'a.md', text: 'A\n', isStart: false }] }
      },
    },
    log: (...entries) => log.push(...entries.map(({ text }) => text)),
    deadline: how.deadline ?? deadline,
    ...(how.isDiskFull && {
      hooks: { ...hooks, beforeSend: () => ({ problem: { kind: 'unsaved-state' } }) },
    }),
  })
  const options = { inputs: { 'github-token': '', ...inputs }, cancelled: controller.signal, ports }
  const { result } = await event(stage, null, options)
  if (result === undefined) throw new Error('The step was killed')
  const times = sent.map(
    (each) => `${each.operation === 'read' ? '' : `${each.operation} `}${each.at / 1000}`,
  )
  const count = (thing: keyof typeof about) => log.filter((text) => about[thing].test(text)).length
  return {
    result,
    sent,
    log,
    count,
    waits,
    cancelledIn,
    took: at(),
    told: [result.outcome, ...times].join(', '),
  }
}

/** The inputs in a cell: those of a step that sends a prompt, waits or sends a follow-up, and others. */
function inputsIn(cell = ''): Inputs {
  const [step = '', ...more] = cell.split(', ')
  const usual: Record<string, Inputs> = { prompt, resume, follow }
  return { ...usual[step], ...Object.fromEntries(more.map((each) => each.split(' '))) }
}

/** The scripts in a cell: `create unsent active; read done`. */
function scriptsIn(cell = ''): Scripts {
  return Object.fromEntries(cell.split('; ').map((each) => each.split(/ (.*)/).slice(0, 2)))
}

describe('the polls of a job, in seconds', () => {
  const rows = rowsOf(`
    it completed | prompt | done | pull-request, create 0, 15
    it failed | prompt | failed | failed, create 0, 15
    it was archived with a pull request | prompt | archived-pull | archived, create 0, 15
    it completed later | prompt | active active done | pull-request, create 0, 15, 20, 25
    it changed nothing, twice | prompt | linkless | no-changes, create 0, 15, 20
    its link is late | prompt | linkless done | pull-request, create 0, 15, 20
    it changed nothing, then failed | prompt | linkless failed | failed, create 0, 15, 20
    it is active again after it changed nothing | prompt | linkless active linkless | no-changes, create 0, 15, 20, 25, 30
    responses have no fields | prompt | nothing id done | pull-request, create 0, 15, 20, 25
    the timeout is short | prompt, timeout 17s | active | timed-out, create 0, 15, 17
    the interval is fixed | prompt, timeout 60s, poll-interval 20s | active | timed-out, create 0, 20, 40, 60
    the interval is longer than the timeout | prompt, timeout 60s, poll-interval 1h | active | timed-out, create 0, 60
    a link is missing, and the interval is long | prompt, poll-interval 10m | linkless | no-changes, create 0, 600, 605
    only the last poll shows its result | prompt, timeout 60s, poll-interval 60s | failed | failed, create 0, 60
    the last poll shows no link | prompt, timeout 60s, poll-interval 60s | linkless | no-changes, create 0, 60, 65
    the last poll is repeated for a link | prompt, timeout 60s, poll-interval 60s | linkless done | pull-request, create 0, 60, 65
    the repeated poll shows it active | prompt, timeout 60s, poll-interval 60s | linkless active | timed-out, create 0, 60, 65
    the repeated poll fails | prompt, timeout 60s, poll-interval 60s | linkless reset | timed-out, create 0, 60, 65
    a link is missing shortly before the deadline | prompt, timeout 20s | linkless active | timed-out, create 0, 15, 20
    polls fail | prompt | reset*7 active reset done | pull-request, create 0, 15, 16.5, 19.5, 25.5, 37.5, 61.5, 106.5, 151.5, 156.5, 158
    Retry-After is long | prompt, timeout 10m | 429/100 429/year | timed-out, create 0, 15, 115
    the key is rejected | prompt | active 401 | error, create 0, 15, 20
    a redirect answers | prompt | active 302 | error, create 0, 15, 20
    the certificate is untrusted | prompt | active certificate | error, create 0, 15, 20
    it seems to be missing | prompt | 404 404 done | pull-request, create 0, 15, 16.5, 19.5
    it is missing for a minute | prompt | 404 | error, create 0, 15, 16.5, 19.5, 25.5, 37.5, 61.5, 106.5
    it seems to be missing after an outage | prompt | reset*6 404 done | pull-request, create 0, 15, 16.5, 19.5, 25.5, 37.5, 61.5, 106.5, 151.5
    the last poll does not find it | prompt, timeout 60s, poll-interval 60s | 404 | timed-out, create 0, 60
    it is missing before and after an outage | prompt | active 404 503*7 404 done | pull-request, create 0, 15, 20, 21.5, 24.5, 30.5, 42.5, 66.5, 111.5, 156.5, 201.5, 246.5
    it was never found | resume | 404 | error, 0
    it is resumed, and seems to be missing | resume | active 404 done | pull-request, 0, 5, 6.5
    it is resumed | resume | active done | pull-request, 0, 5
    it is resumed after its end | resume, poll-interval 10m | done | pull-request, 0
    a follow-up has another link | follow | old old done | pull-request, 0, message 0, 15, 20
    a follow-up has another status | follow | old old old-failed | failed, 0, message 0, 15, 20
    a follow-up has another archive time | follow | old old old-archived | pull-request, 0, message 0, 15, 20
    a follow-up’s response has no status | follow | old nothing old done | pull-request, 0, message 0, 15, 20, 25
    a follow-up changes nothing by the deadline | follow, timeout 20s | old | timed-out, 0, message 0, 15, 20
  `)
  it.each(rows)('the polls of a job end as they should if %s', async (_, inputs, reads, told) => {
    expect((await run(inputsIn(inputs), { read: reads })).told).toBe(told)
  })

  it('the polls of a job end at the deadline even if the machine was suspended', async () => {
    const how = { oversleep: (at: number) => (at === 15_000 ? 3_600_000 : 0) }
    const { told } = await run({ ...prompt, timeout: '5m' }, {}, how)
    expect(told).toBe('timed-out, create 0, 15, 3620')
  })

  it('the polls of a job become rarer as it ages', async () => {
    const { sent } = await run({ ...prompt, timeout: '15m' }, {})
    const at = sent.slice(1).map((each) => each.at / 1000)
    expect(at.slice(0, 4)).toEqual([15, 20, 25, 30])
    const late = at.filter((time) => time > 600)
    for (const [index, time] of late.slice(1, -1).entries())
      expect(time - (late[index] ?? 0)).toBeGreaterThan(6)
  })

  it.each([-3_600_000, 3_600_000])(
    'the polls of a job do not move with the wall clock (%i ms)',
    async (shift) => {
      const inputs = { ...prompt, timeout: '5m' }
      const seen = await run(inputs, {}, { wallShift: (at) => (at < 20_000 ? 0 : shift) })
      expect(seen.told).toBe((await run(inputs, {})).told)
    },
  )

  it.each(['old', 'linkless', 'failed', 'archived'])(
    'the polls of a job that still shows “%s” three minutes after its follow-up end with one line in the log',
    async (state) => {
      const { took, count } = await run(follow, { read: state })
      expect([Math.floor(took / 15_000), count('unchanged')]).toEqual([12, 1])
    },
  )

  it.each(
    rowsOf(`
      each change of status | prompt | read active*2 queued*2 active done | status: 3
      each unknown status | prompt | read queued*3 thinking*3 done | unknown: 2
      each failed poll | prompt | read active reset*20 done | failing: 20
      each failed send | prompt | create unsent*2 active; read done | failing: 2
      a job that is briefly missing, often | prompt | read active 404*5 active 404*5 done | status: 1
      no result as old while a follow-up works | follow | read active*60 done | unchanged: 0
      a line each minute | prompt, timeout 10m, poll-interval 50s | read active | waiting: 10
    `),
  )('the log shows %s', async (_, inputs, scripts, log = '') => {
    const { count } = await run(inputsIn(inputs), scriptsIn(scripts))
    for (const [thing = '', times] of log.split(', ').map((each) => each.split(': ')))
      expect(count(thing as keyof typeof about), thing).toBe(Number(times))
  })

  it('a wait whose polls fail until the deadline keeps what it knows', async () => {
    const { result } = await run({ ...prompt, timeout: '5m' }, { read: '503' })
    const known = { outcome: 'timed-out', jobId: 'job_1', job: { status: 'active' } }
    expect(result).toMatchObject({ ...known, problem: { call: 'read', why: { status: 503 } } })
    const missed = await run({ ...resume, timeout: '5m' }, { read: 'reset' })
    expect(missed.result).toMatchObject({ outcome: 'error', jobId: 'job_1', job: null })
  })

  it('the deadline is exceeded by at most five seconds, whatever the platform responds', async () => {
    const words = ['active', 'linkless', 'queued', 'reset', 'halfway', 'unsent', '503', '429/year']
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 900 }),
        fc.constantFrom<Inputs>(prompt, resume, follow),
        async (reads, timeout, inputs) => {
          const script = { read: [...reads, 'active'].join(' ') }
          const seen = await run({ ...inputs, timeout: `${timeout}s` }, script)
          expect(seen.took).toBeLessThanOrEqual(timeout * 1000 + 5000)
          expect(['no-changes', 'timed-out', 'error']).toContain(seen.result.outcome)
        },
      ),
    )
  })
})

it.each([
  ['with the deadline', quiet.cancelled, 8],
  ['with a cancel', AbortSignal.abort(), 0],
])('the polls of recorded jobs, eight at the same time, end %s', async (_, cancelled, count) => {
  const stage = new Stage()
  const polled: string[] = []
  stage.platform.read = (id) => {
    if (polled.push(id) > 99) throw new Error('The polls never end')
    stage.now += 2 * minuteMs
    return reset
  }
  const deadline = stage.clock.now() + 5 * minuteMs
  const { mintlify } = connected({ ...stage.ports(new Calls(), () => {}), deadline, cancelled })
  const ids = Array.from({ length: 9 }, (_, index) => `job_${index}`)
  await mintlify.readJobs(ids, new Map())
  expect([...new Set(polled)]).toEqual(ids.slice(0, count))
})

describe('a send', () => {
  const rows = rowsOf(`
    did not arrive, twice | prompt, wait false | create unsent 429 active | detached, create 0, create 1.5, create 4.5
    never arrives | prompt | create unsent | error, create 0, create 1.5, create 4.5, create 10.5, create 22.5
    may have arrived in a later attempt | prompt | create unsent reset | unconfirmed, create 0, create 1.5
    must wait | prompt, wait false | create 429/100 active | detached, create 0, create 100
    must wait beyond the deadline | prompt, timeout 5m | create 429/301 | error, create 0
    meets an untrusted certificate | prompt | create certificate | error, create 0
    gets only an id | prompt | create id; read done | pull-request, create 0, 15
    needs no wait | prompt, wait false | | detached, create 0
    is a follow-up | follow | read old active done | pull-request, 0, message 0, 15, 20
    is a follow-up without a wait | follow, wait false | read done | detached, 0, message 0
    is a follow-up that did not arrive | follow, wait false | read done; message unsent 429 active | detached, 0, message 0, message 1.5, message 4.5
    is a follow-up to a job that cannot be polled | follow | read 404 | error, 0
  `)
  const unclear = ['reset', 'halfway', 'html', 'no-id', 'bad-id', '500', '503', '408']
  const clear = ['400', '401', '404', '413', '301']
  const followUps = ['reset', '503', 'halfway']
  it.each([
    ...rows,
    ...unclear.map((reply) => [`gets “${reply}”`, 'prompt', `create ${reply}`, 'unconfirmed, create 0']),
    ...clear.map((reply) => [`is rejected with ${reply}`, 'prompt', `create ${reply}`, 'error, create 0']),
    ...followUps.map((reply) => [
      `is a follow-up that gets “${reply}”`,
      'follow',
      `read done; message ${reply}`,
      'unconfirmed, 0, message 0',
    ]),
  ])('a send that %s is never repeated if it may have arrived', async (_, inputs, scripts, told) => {
    expect((await run(inputsIn(inputs), scriptsIn(scripts))).told).toBe(told)
  })

  it('a send has the prompt, and keeps the job', async () => {
    const files = { prompt: '', 'prompt-file': 'p.md', 'context-files': '*.md' }
    const { sent, log, result } = await run(files, { read: 'done' })
    expect(sent[0]).toMatchObject({ method: 'POST', path: '/v2/agent/docs/job' })
    expect(sent[0]?.body?.prompt).toMatch(/^From a file\n[\s\S]*### a\.md/)
    expect(log.at(-1)).toMatch(about.status)
    expect(result).toMatchObject({ jobId: 'job_1', problem: null, elapsed: 15_000 })
  })

  it.each([
    ['60m', 60_000],
    ['10s', 15_000],
  ])(
    'a send with a timeout of %s has %i ms, or five seconds after a cancel, and a poll ends at once',
    async (timeout, total) => {
      const { sent } = await run({ ...prompt, timeout }, {})
      expect(sent[0]?.timeout).toEqual({ total, onceCancelled: 5_000 })
      const poll = Math.min(30_000, total - (sent[1]?.at ?? 0))
      expect(sent[1]?.timeout).toEqual({ total: poll, onceCancelled: 0 })
    },
  )

  const secret = 'mint_0123456789'
  it.each<[string, Inputs, How?]>([
    ['is too late', prompt, { deadline: 0 }],
    ['cannot be saved for the post step', prompt, { isDiskFull: true }],
    ['contains the key', { prompt: `It is ${secret}.` }],
    ['contains the key in a follow-up', { ...follow, prompt: secret }],
    ['contains the token', { prompt: 'ghs_0123456789', 'github-token': 'ghs_0123456789' }],
  ])('a send is not made if it %s', async (_, inputs, how) => {
    const { result, sent } = await run(inputs, {}, how)
    expect([result.outcome, sent]).toEqual(['error', []])
  })
})

const given: [string, Inputs, create?: string][] = [
  ['a new job', { prompt: '', 'prompt-file': 'p', 'context-files': '*' }],
  ['a new job that is sent twice', prompt, 'unsent active'],
  ['a follow-up', { ...follow, 'context-files': '*' }],
  ['a job that is resumed', resume],
]
it.each(given)(
  'a cancelled step ends at once, at any point, and keeps what it knows: %s',
  async (_, inputs, create = 'active') => {
    const script = { create, read: 'active active linkless done' }
    const { waits, result } = await run(inputs, script)
    expect(result.outcome).toBe('pull-request')
    const points = Array.from({ length: waits }, (_, cancelIn) => cancelIn)
    for (const how of points.flatMap((cancelIn) => [{ cancelIn }, { cancelIn, losesSend: true }])) {
      const seen = await run(inputs, script, how)
      const where = `${JSON.stringify(how)} ${seen.cancelledIn}`
      const isLost = 'losesSend' in how && ['create', 'message'].includes(seen.cancelledIn ?? '')
      const creates = seen.sent.filter(({ operation }) => operation === 'create').length
      const isCreated = !isLost && creates === create.split(' ').length
      const jobId = isCreated || 'job-id' in inputs ? 'job_1' : null
      expect(seen.result, where).toMatchObject({ outcome: 'cancelled', jobId })
      const { problem } = seen.result
      if (isLost) expect(problem, where).toMatchObject({ why: { kind: 'no-response' } })
      else expect(problem, where).not.toMatchObject({ call: 'read' })
    }
  },
)
