/** A push or another event: its record on the commit. The explorer has all orders of calls and faults. */
import { describe, expect, it } from 'vitest'
import { readStatus } from '../../src/record/format.ts'
import { conclude } from '../../src/say/conclusion.ts'
import { say } from '../../src/say/messages.ts'
import { rowsOf } from '../core/samples.ts'
import { viewer } from '../github.ts'
import { Calls, lost, type Mishap, rejected } from '../run/github.ts'
import { aChange, event, linkOf, Stage, type StepOptions, settleOn, sign, theRun } from '../run/step.ts'
import { answer } from '../run/world.ts'

const push = aChange('aaaa')
const gone = answer(404)
const detached = { wait: 'false' }
const rerun = { isRerun: true }
const limited: Mishap = { kind: 'rate-limit', status: 429, detail: 'no' }
/** What people see on the commit, latest first, with the state of each record instead of its bytes. */
const told = ({ github }: Stage) =>
  github.statuses
    .map((status) => {
      const { state, isLeft } = readStatus({ ...status, viewer }, { run: theRun, sign })?.entry ?? {}
      const shown = isLeft ? `${state}, left` : `${state}`
      return `${status.state}: ${status.description.replace(/\S+$/, shown)}`
    })
    .reverse()

it.each([
  ['the response is 404, it does not say how to wait for the job', gone, false],
  ['Mintlify accepts it, it says how to wait for the job', undefined, true],
] as const)('if a step is cancelled while it sends a follow-up, and %s', async (_, response, isShown) => {
  const stage = new Stage()
  await event(stage, push)
  const cancel = new AbortController()
  const calls = new Calls((_, name) => void (name === 'send' && cancel.abort()))
  stage.platform.next = response
  const inputs = { 'job-id': 'job_1' }
  const { result } = await event(stage, push, { run: '2', inputs, calls, cancelled: cancel.signal })
  expect(result?.outcome).toBe('cancelled')
  expect(result && conclude(result).next.includes('To wait for the job')).toBe(isShown)
})

it("a push's statuses share a context, and link its run until there is a pull request", async () => {
  const stage = new Stage()
  await event(stage, push)
  const { statuses } = stage.github
  const run = 'https://github.com/acme/docs/actions/runs/1'
  expect(statuses.map(({ targetUrl }) => targetUrl)).toEqual([run, run, linkOf(101)])
  expect(new Set(statuses.map(({ context }) => context)).size).toBe(1)
})

it('a report that GitHub may have is not sent twice', async () => {
  const stage = new Stage()
  // The third status is the report.
  const calls = Calls.meeting({ setStatus: [undefined, undefined, lost] })
  await event(stage, push, { calls })
  expect(calls.made.filter((call) => call.startsWith('setStatus'))).toHaveLength(3)
})

it.each<[end: string, inputs: Record<string, string>, state: string]>([
  ['failed', {}, 'failure'],
  ['failed', { 'fail-on': 'none' }, 'success'],
  ['archived', {}, 'success'],
  ['archived', { 'fail-on': 'archived' }, 'failure'],
  ['active', { timeout: '1m' }, 'pending'],
  ['completed', detached, 'pending'],
])('a push whose job is %s, with the inputs %j, sets the status to %s', async (end, inputs, state) => {
  const stage = new Stage()
  stage.platform.ends = [end]
  await event(stage, push, { inputs })
  expect(told(stage)[0]).toMatch(new RegExp(`^${state}: .* · job job_1 · run 1 · [-, \\w]+$`))
})

it('a push has a separate job for each run, project, step, matrix leg, and workflow, and a re-run finds its own', async () => {
  const stage = new Stage()
  const steps = [{ step: 'other' }, { matrixIndex: '1' }, { workflow: 'Other' }].map((step) => ({ step }))
  const others: StepOptions[] = [{}, { run: '2' }, { inputs: { 'project-id': 'other' } }, ...steps]
  for (const isRerun of [false, true])
    for (const each of others) await event(stage, push, { isRerun, ...each })
  expect(stage.platform.sends).toEqual(others.map((_, index) => `job_${index + 1}: Do`))
})

it("a push never hides another run's open record, and each re-run finds its own", async () => {
  const stage = new Stage()
  const runs = ['docs', 'docs', 'other'].map((project, index) => {
    return { run: `${index + 1}`, inputs: { 'project-id': project } }
  })
  for (const { run, inputs } of runs) await event(stage, push, { run, inputs: { ...detached, ...inputs } })
  await event(stage, push, { run: '4', inputs: detached, calls: Calls.meeting({ statuses: [rejected] }) })
  const contexts = [...new Set(stage.github.statuses.map(({ context }) => context))]
  expect(contexts.map((context) => context.replace(/^.*__docs/, ''))).toEqual(['', ' · 2', ' · 3', ' · 4'])
  for (const each of runs) await event(stage, push, { ...each, isRerun: true })
  expect(stage.platform.sends).toHaveLength(4)
})

describe('statuses that GitHub rejects', () => {
  const denied = Array.from({ length: 9 }, () => rejected)
  const mishaps = { ok: [undefined], rejected, limited, lost, denied }
  /** How a run differs: that it does not wait, that no post step follows, and what GitHub's calls meet. */
  const differing = (words: string): StepOptions => {
    const met = [...words.matchAll(/(\w+): ([\w ]+)/g)].map(([, call = '', how = '']) => {
      return [call, how.split(' ').flatMap((each) => mishaps[each as keyof typeof mishaps])]
    })
    return {
      hasPost: !words.includes('alone'),
      inputs: { wait: String(!words.includes('detached')) },
      calls: Calls.meeting(Object.fromEntries(met)),
    }
  }

  it.each(
    rowsOf(`
      a schedule is sent without a record if statuses are not permitted  | alone, setStatus: denied       | alone, setStatus: denied, statuses: denied | 2 |
      a schedule is not sent after a rate limit                          | setStatus: limited limited     |                                            | 1 | success pull-request
      a schedule is recorded once the rate limit allows it               | detached, setStatus: limited   |                                            | 1 | success pull-request
      a schedule's re-run sends nothing if a record may exist            | detached                       | statuses: limited limited                  | 1 | pending job, left
      a schedule's re-run uses its first list                            | detached                       | statuses: ok rejected                      | 1 | success pull-request
      a schedule's result is reported even if the job was not            | setStatus: ok rejected         |                                            | 1 | success pull-request
    `),
  )('%s', async (_, first = '', second = '', sends, last) => {
    const stage = new Stage()
    const runs = [
      await event(stage, null, differing(first)),
      await event(stage, null, { ...differing(second), isRerun: true }),
    ]
    const end = told(stage)[0]?.replace(/:.* · /, ' ') ?? ''
    expect([`${stage.platform.sends.length}`, end]).toEqual([sends, last])
    const texts = runs.flatMap(({ progress }) => progress.map(({ text }) => text))
    if (sends === '2')
      expect(texts).toEqual(expect.arrayContaining([say.noRecord(false).text, say.noRecord(true).text]))
  })

  it('a schedule that cannot record its job does not try again', async () => {
    const { calls } = await event(new Stage(), null, differing('setStatus: denied'))
    expect(calls.made.filter((call) => /status/i.test(call))).toEqual(['statuses', 'setStatus pending'])
  })

  it('a push writes nothing without a token', async () => {
    const stage = new Stage()
    const inputs = { 'github-token': '' }
    const { calls, progress } = await event(stage, push, { inputs })
    expect(calls.made).toEqual(['send', 'read job job_1', 'read job job_1', 'finish pull-request'])
    expect(progress).not.toContainEqual(say.noRecord(true))
    const again = await event(stage, push, { ...rerun, inputs })
    expect(again.progress).toContainEqual(say.noRecord(true))
  })
})

it('a skipped schedule leaves no record, and a skipped re-run does not stay red', async () => {
  const nothingNew = { inputs: { 'context-diff': 'since-last' }, branch: 'main' }
  const stage = new Stage()
  expect((await event(stage, null, nothingNew)).result?.outcome).toBe('skipped')
  expect(told(stage)).toEqual([])
  stage.platform.next = answer(401)
  await event(stage, null)
  expect(told(stage)[0]).toBe('failure: error · run 1 · not-sent')
  await event(stage, null, { ...rerun, ...nothingNew })
  expect(told(stage)[0]).toBe('success: skipped · run 1 · not-sent')
})

it('settle links the run of a request whose status another one hid', async () => {
  const stage = new Stage()
  await event(stage, push, { run: '2', calls: Calls.where('killed before', 'send'), hasPost: false })
  // The first list is from before that, so both begin in one context.
  const lags = [60 * 60_000]
  stage.github.lag = () => lags.pop() ?? 0
  await event(stage, push)
  stage.now += 24 * 60 * 60_000
  await settleOn(stage)
  const shown = stage.github.statuses.map(({ state, targetUrl }) => `${state} ${targetUrl.split('/').at(-1)}`)
  expect(shown).toEqual(['pending 2', 'pending 1', 'pending 1', 'success 101', 'failure 2'])
})

it('one of two runs that are about to send at the same time sends, and the other one reports no prompt of its own', async () => {
  const stage = new Stage()
  const change = aChange('aaaa', { upstreamRun: 9 })
  const runs = await Promise.all(['1', '2'].map((run) => event(stage, change, { run })))
  expect(stage.platform.sends).toEqual(['job_1: Do'])
  expect(runs.map(({ result }) => [result?.jobId, result?.prompt?.text])).toEqual([
    ['job_1', 'Do'],
    ['job_1', undefined],
  ])
})
