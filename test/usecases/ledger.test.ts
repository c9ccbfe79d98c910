/** What a record must survive: stale lists, copies of old entries, kills, and runs at the same time. */
import { expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { Calls, type Mishap } from './github.ts'
import { settleOn } from './settle-step.ts'
import { aChange, command, event, issue, Stage } from './step.ts'
import { answer } from './world.ts'

const minute = 60_000
const day = 24 * 60 * minute
const detached = { inputs: { wait: 'false' } }
const rerun = { isRerun: true }
const meeting = (mishaps: Record<string, readonly (Mishap | undefined)[]>) => ({
  calls: Calls.meeting(mishaps),
})
const push = aChange('aaaa')

it('two runs of one upstream run make one job, even if both look before either writes', async () => {
  for (const delay of [0, 1, 5, 20, 60]) {
    const stage = new Stage()
    const upstream = aChange('aaaa', { upstreamRun: 77 })
    const later = async () => {
      for (let turn = 0; turn < delay; turn++) await Promise.resolve()
      return event(stage, upstream, { run: '2' })
    }
    const runs = await Promise.all([event(stage, upstream, { run: '1' }), later()])
    expect(stage.platform.sends).toEqual(['job_1: Do'])
    for (const { result } of runs) expect(result).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' })
  }
})

it('an old entry that is posted again neither makes a re-run send nor makes settle report', async () => {
  const stage = new Stage()
  stage.platform.next = answer(400)
  await event(stage, push)
  await event(stage, push, rerun)
  expect(stage.platform.sends).toEqual(['job_1: Do'])
  for (const old of [...stage.github.statuses]) {
    const { repository, commit, creator: _, createdAt: __, id: ___, ...status } = old
    await stage.github.ports(new Calls()).setStatus(repository, commit, status)
    stage.now += minute
    const { result } = await event(stage, push, rerun)
    expect(result).toMatchObject({ outcome: 'pull-request', problem: { id: 'reported' } })
    expect((await settleOn(stage)).result?.jobs).toEqual([])
  }
  expect(stage.platform.sends).toEqual(['job_1: Do'])
  const latest = new Map(stage.github.statuses.map(({ context, state }) => [context, state]))
  expect([...latest.values()]).toEqual(['success'])
})

it('one 404 for a job does not end its request, and a minute of them does', async () => {
  const stage = new Stage()
  await command(stage, { comment: 1 }, detached)
  stage.now += 20 * minute
  stage.platform.endJobs()
  let reads = 0
  const once = await settleOn(stage, { read: () => (++reads === 1 ? answer(404) : undefined) })
  expect(once.result?.jobs).toMatchObject([{ state: 'settled', outcome: 'pull-request' }])

  const other = new Stage()
  await command(other, { comment: 1 }, detached)
  other.now += 20 * minute
  const before = other.now
  const gone = await settleOn(other, { read: () => answer(404) })
  expect(gone.result?.jobs).toMatchObject([{ state: 'settled', outcome: 'error' }])
  expect(other.now - before).toBeGreaterThanOrEqual(minute)
})

it('a re-run after a failed job is not hidden by a stale list', async () => {
  const stage = new Stage()
  stage.platform.ends = ['failed', 'completed']
  await command(stage, { comment: 1 }, detached)
  stage.now += 20 * minute
  stage.platform.endJobs()
  await settleOn(stage)
  expect(stage.github.said(issue)).toEqual(['result: failed job_1'])
  // The first list is from before the report, and the later ones are not.
  const lags = [10_000]
  stage.github.lag = () => lags.shift() ?? 0
  await command(stage, { comment: 1 }, rerun)
  stage.github.lag = () => 0
  const sent = stage.platform.sends.length
  stage.now += minute
  await command(stage, { comment: 1 }, rerun)
  expect(stage.platform.sends.length).toBeLessThanOrEqual(Math.max(2, sent))
  expect(stage.github.said(issue)).toContain('result: pull-request job_2')
  expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: request 1'])
})

it('a result that could only be reported by an edit is not reverted by anyone', async () => {
  const stage = new Stage()
  await command(
    stage,
    { comment: 1 },
    meeting({ reply: [undefined, { status: 403, message: 'no' }, { status: 403, message: 'no' }] }),
  )
  expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  stage.now += minute
  await command(stage, { comment: 1 }, rerun)
  stage.now += day
  await settleOn(stage)
  expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
})

it("the agent's pull request gets one comment, even if the command of settle differs and a run was killed after its post", async () => {
  const stage = new Stage()
  const calls = new Calls((_, name) =>
    name === 'reply' && calls.made.some((call) => call.startsWith('comments acme/docs#101'))
      ? 'killed after'
      : undefined,
  )
  await command(stage, { comment: 1 }, { calls, hasPost: false })
  stage.now += 2 * 60 * minute
  await settleOn(stage, { inputs: { command: '/other' } })
  expect(stage.github.seen['acme/docs#101']?.filter((line) => line.startsWith('+'))).toHaveLength(1)
  expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
})

it('a re-run of a command for help does not answer again', async () => {
  const stage = new Stage()
  for (const isRerun of [false, true]) await command(stage, { comment: 1, instruction: 'help' }, { isRerun })
  expect(stage.github.said(issue)).toEqual(['help'])
})

it('settle does not report what another settle reported seconds before, while the lists lag', async () => {
  const stage = new Stage()
  await command(stage, { comment: 1 }, detached)
  stage.now += 20 * minute
  stage.platform.endJobs()
  await settleOn(stage)
  stage.now += 5000
  stage.github.lag = () => 10_000
  expect((await settleOn(stage)).result?.jobs).toEqual([])
  expect(stage.github.seen['acme/docs#7']?.filter((line) => line.startsWith('+ result'))).toHaveLength(1)
})

it('a comment that is signed with an earlier key is hidden beside a newer result', async () => {
  const stage = new Stage()
  stage.platform.next = answer(401)
  await command(stage, { comment: 1 }, { sign: signWith('mint_an_earlier_key') })
  expect(stage.github.said(issue)).toEqual(['result: error'])
  await command(stage, { comment: 1 }, rerun)
  expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  expect(stage.github.on(issue)).toHaveLength(2)
})
