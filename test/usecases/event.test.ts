import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '../../src/core/units.ts'
import { states } from '../../src/life/entry.ts'
import { say } from '../../src/say/messages.ts'
import { Calls, type Mishap, rejected } from './github.ts'
import { settleOn } from './settle-step.ts'
import { aChange, agentsPull, event, linkOf, Stage } from './step.ts'
import { answer, halfway } from './world.ts'

const rerun = { isRerun: true }
const push = aChange('aaaa')
const meeting = (mishaps: Record<string, readonly (Mishap | undefined)[]>) => ({
  calls: Calls.meeting(mishaps),
})
/** What people see on the commit, latest first, with the state of each record instead of its bytes. */
const told = ({ github }: Stage, commit = 'aaaa') =>
  github.told(commit).map((line) =>
    line.replace(/(\w)(\w)\w\.\S+$/, (_, state, left) => {
      const name = states[Number.parseInt(state, 36)] ?? ''
      return left === '1' ? `${name}, left` : name
    }),
  )

describe('a push', () => {
  it('a push is marked on its commit, sent, and reported there', async () => {
    const stage = new Stage()
    const { calls } = await event(stage, push)
    expect(calls.made).toMatchInlineSnapshot(`
      [
        "pullsOf",
        "pullsOf",
        "statuses",
        "viewer",
        "setStatus pending",
        "send",
        "setStatus pending",
        "read job",
        "read job",
        "pull",
        "changedFiles",
        "finish pull-request",
        "comments acme/docs#101",
        "viewer",
        "reply acme/docs#101",
        "statuses",
        "viewer",
        "setStatus success",
      ]
    `)
    expect(told(stage)).toMatchInlineSnapshot(`
      [
        "success: pull-request · job job_1 · run 1 · pull-request",
        "pending: working · job job_1 · run 1 · job",
        "pending: working · run 1 · open",
      ]
    `)
    expect(new Set(stage.github.statuses.map(({ context }) => context)).size).toBe(1)
    const targets = stage.github.statuses.map(({ targetUrl }) => targetUrl)
    const run = 'https://github.com/acme/docs/actions/runs/1'
    expect(targets).toEqual([run, run, linkOf(101)])
  })

  it.each<[end: string, inputs: Record<string, string>, state: string]>([
    ['completed', {}, 'success'],
    ['failed', {}, 'failure'],
    ['failed', { 'fail-on': 'none' }, 'success'],
    ['archived', {}, 'success'],
    ['archived', { 'fail-on': 'archived' }, 'failure'],
    ['active', { timeout: '1m' }, 'pending'],
    ['completed', { wait: 'false' }, 'pending'],
  ])(
    "a push whose job is %s, with the inputs %j, sets the commit's status to %s",
    async (end, inputs, state) => {
      const stage = new Stage()
      stage.platform.ends = [end]
      await event(stage, push, { inputs })
      expect(told(stage)[0]).toMatch(new RegExp(`^${state}: .* · job job_1 · run 1 · [-, \\w]+$`))
    },
  )

  it('a push is not sent if its status cannot be set', async () => {
    const stage = new Stage()
    const { result } = await event(stage, push, meeting({ setStatus: [rejected, rejected] }))
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'record-unwritten' } })
    expect(stage.platform.sends).toEqual([])
  })

  it('a push causes one warning if later statuses cannot be set', async () => {
    const stage = new Stage()
    const { result, progress } = await event(
      stage,
      push,
      meeting({ setStatus: [undefined, rejected, rejected] }),
    )
    expect(result?.outcome).toBe('pull-request')
    expect(progress.filter(({ text }) => text.includes('Could not set the status'))).toHaveLength(1)
    // The post step reports what the step could not.
    expect(told(stage)[0]).toBe('success: pull-request · job job_1 · run 1 · pull-request')
  })

  it('a push records its job a minute later if GitHub rejected the status at first', async () => {
    const stage = new Stage()
    stage.platform.ends = ['active']
    const mishaps = meeting({ setStatus: [undefined, rejected, undefined, 'killed before'] })
    await event(stage, push, { ...mishaps, hasPost: false, inputs: { timeout: '5m' } })
    expect(told(stage)).toEqual([
      'pending: working · job job_1 · run 1 · job',
      'pending: working · run 1 · open',
    ])
  })

  it('the post step records the job of a run that was killed before its status named the job', async () => {
    const stage = new Stage()
    await event(stage, push, meeting({ setStatus: [undefined, 'killed before'] }))
    expect(told(stage)).toEqual([
      'pending: working · job job_1 · run 1 · job, left',
      'pending: working · run 1 · open',
    ])
  })

  it("a push never hides another run's open record", async () => {
    const stage = new Stage()
    const inputs = { wait: 'false' }
    await event(stage, push, { inputs })
    await event(stage, push, { run: '2', inputs })
    const other = { run: '3', inputs: { 'project-id': 'other', ...inputs } }
    await event(stage, push, other)
    const contexts = [...new Set(stage.github.statuses.map(({ context }) => context))]
    expect(contexts.map((context) => context.replace(/^.*__docs/, ''))).toEqual(['', ' · 2', ' · 3'])
    // This is true even if GitHub rejects the run's first list of statuses.
    await event(stage, push, { run: '4', inputs, ...meeting({ statuses: [rejected] }) })
    expect(stage.github.statuses.at(-1)?.context).toMatch(/ · 4$/)
    // Each re-run finds its own record.
    for (const run of [{ run: '1' }, { run: '2' }, other]) await event(stage, push, { ...run, ...rerun })
    expect(stage.platform.sends).toHaveLength(4)
  })

  it('a push writes nothing on GitHub without a token', async () => {
    const stage = new Stage()
    const { calls } = await event(stage, push, { inputs: { 'github-token': '' } })
    expect(calls.made.filter((call) => /^(setStatus|reply|edit|statuses)/.test(call))).toEqual([])
    expect(stage.platform.sends).toEqual(['job_1: Do'])
  })
})

describe('a re-run of a push', () => {
  it.each([
    ['repeats its result', {}, { id: 'reported' }],
    ['waits for its job if the first run did not', { wait: 'false' }, null],
    ['waits for its job at the open limit', { wait: 'false', 'open-limit': '1' }, null],
  ])('a re-run of a push %s', async (_, inputs, problem) => {
    const stage = new Stage()
    await event(stage, push, { inputs })
    stage.github.pulls = [agentsPull(101)]
    const before = told(stage).length
    const { result } = await event(stage, push, { ...rerun, inputs: { ...inputs, wait: 'true' } })
    expect(result).toMatchObject({
      outcome: 'pull-request',
      jobId: 'job_1',
      job: { prLink: linkOf(101) },
      problem,
    })
    expect(stage.platform.sends).toEqual(['job_1: Do'])
    if (problem !== null) expect(told(stage)).toHaveLength(before)
  })

  it.each([
    ['another run', { run: '2' }],
    ['another step', { ...rerun, step: { step: 'other' } }],
    ['another matrix leg', { ...rerun, step: { matrixIndex: '1' } }],
    ['another project', { ...rerun, inputs: { 'project-id': 'other' } }],
    ['another workflow', { ...rerun, step: { workflow: 'Other' } }],
  ])('a push has a separate job for %s', async (_, options) => {
    const stage = new Stage()
    await event(stage, push)
    await event(stage, push, options)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })

  it.each(['failed', 'archived'])(
    'a re-run of a push makes a new job if the earlier one has the status %s',
    async (end) => {
      const stage = new Stage()
      stage.platform.ends = [end, 'completed']
      await event(stage, push)
      for (const _ of [1, 2]) await event(stage, push, rerun)
      expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
    },
  )

  it('a re-run of a push waits for a failed job whose result was never reported', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed']
    await event(stage, push, { inputs: { wait: 'false' } })
    const { result } = await event(stage, push, rerun)
    expect([result?.outcome, stage.platform.sends]).toEqual(['failed', ['job_1: Do']])
  })

  it('a re-run of a push never resends a request that may have been received', async () => {
    const stage = new Stage()
    stage.platform.next = halfway
    const first = await event(stage, push)
    expect(first.result?.outcome).toBe('unconfirmed')
    for (const _ of [1, 2]) {
      const { result } = await event(stage, push, rerun)
      expect(result).toMatchObject({ outcome: 'unconfirmed', problem: { id: 'reported' } })
    }
    expect(told(stage)[0]).toBe('failure: unconfirmed · run 1 · unconfirmed')
    expect(stage.platform.sends).toEqual([])
  })

  it('a re-run of a push sends what certainly was not sent', async () => {
    const stage = new Stage()
    stage.platform.next = answer(401)
    await event(stage, push)
    expect(told(stage)[0]).toBe('failure: error · run 1 · not-sent')
    const { result } = await event(stage, push, rerun)
    expect([result?.outcome, stage.platform.sends]).toEqual(['pull-request', ['job_1: Do']])
  })

  it.each([
    ['they cannot be read', { statuses: [rejected, rejected] }, false],
    ['the token’s account cannot be read', { viewer: [rejected, rejected] }, false],
    ['GitHub lists only some', {}, true],
  ] as const)(
    'a re-run of a push sends nothing if the statuses are unknown: %s',
    async (_, mishaps, isCut) => {
      const stage = new Stage()
      await event(stage, push)
      const before = told(stage)
      stage.github.isCut = isCut
      const { result } = await event(stage, push, { ...rerun, ...meeting(mishaps) })
      expect(result).toMatchObject({ outcome: 'error', problem: { id: 'unread' } })
      expect(stage.platform.sends).toEqual(['job_1: Do'])
      expect(told(stage)).toEqual(before)
    },
  )
})

describe('the record of a push', () => {
  const unwaited = { wait: 'false' }
  const waited = { ...rerun, inputs: { wait: 'true' } }

  it('the record of a push is still known if only the first of two lists shows it', async () => {
    const stage = new Stage()
    await event(stage, push, { inputs: unwaited })
    const lags = [0, dayMs]
    stage.github.lag = () => lags.shift() ?? 0
    await event(stage, push, waited)
    expect(stage.platform.sends).toEqual(['job_1: Do'])
  })

  it('the record of a push is ignored if another account wrote it', async () => {
    const stage = new Stage()
    await event(stage, push, { inputs: unwaited })
    for (const status of stage.github.statuses) status.creator = 'mallory'
    await event(stage, push, waited)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })

  it('no context stays pending if a lagging list made two runs begin in one', async () => {
    const stage = new Stage()
    await event(stage, push, { run: '2', inputs: unwaited })
    stage.now += minuteMs
    stage.github.lag = () => dayMs
    await event(stage, push, { inputs: unwaited })
    // The re-run's second list shows only the other run's record.
    const lags = [0, minuteMs / 2]
    stage.github.lag = () => lags.shift() ?? 0
    await event(stage, push, waited)
    stage.github.lag = () => 0
    stage.now += dayMs
    for (let settles = 0; settles < 2; settles++) await settleOn(stage)
    const latest = new Map(stage.github.statuses.map(({ context, state }) => [context, state]))
    expect([...latest.values()]).toEqual(['success', 'success'])
  })

  const nothingNew = { inputs: { 'context-diff': 'since-last' }, branch: 'main' }

  it('the record of a schedule is not created if the step is skipped', async () => {
    const stage = new Stage()
    const { result } = await event(stage, null, nothingNew)
    expect([result?.outcome, told(stage)]).toEqual(['skipped', []])
  })

  it('the record of a schedule does not stay red if a re-run is skipped', async () => {
    const stage = new Stage()
    stage.platform.next = answer(401)
    await event(stage, null)
    expect(told(stage)[0]).toBe('failure: error · run 1 · not-sent')
    const { result } = await event(stage, null, { ...nothingNew, ...rerun })
    expect([result?.outcome, told(stage)[0]]).toEqual(['skipped', 'success: skipped · run 1 · not-sent'])
  })
})

const afterRun = (upstreamRun: number) =>
  aChange('aaaa', { range: { by: 'commit', sha: 'aaaa' }, upstreamRun })

describe('a workflow_run', () => {
  it('a second run after the same upstream run continues the job', async () => {
    const stage = new Stage()
    await event(stage, afterRun(900), { run: '1' })
    const { result } = await event(stage, afterRun(900), { run: '2' })
    expect([result?.jobId, stage.platform.sends]).toEqual(['job_1', ['job_1: Do']])
    await event(stage, afterRun(901), { run: '3' })
    expect(stage.platform.sends).toHaveLength(2)
  })
})

describe('an event without a change', () => {
  const noRecords = (progress: { text: string }[]) =>
    progress.filter(({ text }) => text.includes('Nothing on GitHub'))

  it("an event without a change is marked on the run's commit, and a re-run continues the job", async () => {
    const stage = new Stage()
    const { progress } = await event(stage, null)
    expect(told(stage)[0]).toBe('success: pull-request · job job_1 · run 1 · pull-request')
    await event(stage, null, rerun)
    expect([stage.platform.sends, noRecords(progress)]).toEqual([['job_1: Do'], []])
  })

  const all: Mishap[] = [rejected, rejected, rejected]
  it('an event without a change is sent without a mark if statuses are not permitted, and each run says so', async () => {
    const stage = new Stage()
    const first = await event(stage, null, meeting({ setStatus: all }))
    expect(noRecords(first.progress)).toEqual([say.noRecord(false)])
    const mishaps = { setStatus: all, statuses: all }
    const second = await event(stage, null, { ...rerun, ...meeting(mishaps) })
    expect(noRecords(second.progress)).toContainEqual(say.noRecord(true))
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
    const warnings = [...first.progress, ...second.progress].filter(({ text }) =>
      text.includes('Could not set the status'),
    )
    expect(warnings).toEqual([])
  })

  it.each<[why: string, mishap: Mishap]>([
    ['fails', { status: 502, message: 'no' }],
    ['applies a rate limit', { status: 403, message: 'no', kind: 'rate-limit' }],
  ])(
    'the re-run of an event sends nothing if GitHub %s, because there may be a record',
    async (_, mishap) => {
      const stage = new Stage()
      await event(stage, null, { inputs: { wait: 'false' } })
      const { result } = await event(stage, null, { ...rerun, ...meeting({ statuses: [mishap, mishap] }) })
      expect([result?.outcome, stage.platform.sends]).toEqual(['error', ['job_1: Do']])
      expect((await event(stage, null, rerun)).result?.outcome).toBe('pull-request')
      expect(stage.platform.sends).toEqual(['job_1: Do'])
    },
  )

  it('an event is not sent if its statuses were rejected because of a rate limit', async () => {
    const stage = new Stage()
    const limited: Mishap = { status: 429, message: 'no', kind: 'rate-limit' }
    const { result } = await event(stage, null, meeting({ setStatus: [limited, limited] }))
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'record-unwritten' } })
    expect(stage.platform.sends).toEqual([])
    expect((await event(stage, null, rerun)).result?.outcome).toBe('pull-request')
    expect(stage.platform.sends).toEqual(['job_1: Do'])
  })

  it('an event is still recorded with its job if its first status was rejected because of a rate limit', async () => {
    const stage = new Stage()
    const limited: Mishap = { status: 429, message: 'no', kind: 'rate-limit' }
    const { progress } = await event(stage, null, {
      inputs: { wait: 'false' },
      ...meeting({ setStatus: [limited] }),
    })
    expect(noRecords(progress)).toEqual([])
    expect((await event(stage, null, rerun)).result?.outcome).toBe('pull-request')
    expect(stage.platform.sends).toEqual(['job_1: Do'])
  })

  it('an event reports its result even if GitHub rejected the status that names the job', async () => {
    const stage = new Stage()
    const { progress } = await event(stage, null, meeting({ setStatus: [undefined, rejected, rejected] }))
    expect(told(stage)[0]).toBe('success: pull-request · job job_1 · run 1 · pull-request')
    expect(progress.filter(({ text }) => text.includes('Could not set the status'))).toHaveLength(1)
  })

  it('the re-run of an event uses its first list if GitHub rejects the second one', async () => {
    const stage = new Stage()
    await event(stage, null, { inputs: { wait: 'false' } })
    await event(stage, null, { ...rerun, ...meeting({ statuses: [undefined, rejected] }) })
    expect(stage.platform.sends).toEqual(['job_1: Do'])
  })

  it('the re-run of an event reports its result even if GitHub rejected an earlier status', async () => {
    const stage = new Stage()
    await event(stage, null, { inputs: { wait: 'false' } })
    await event(stage, null, { ...rerun, ...meeting({ setStatus: [rejected] }) })
    expect(told(stage)[0]).toBe('success: pull-request · job job_1 · run 1 · pull-request')
  })
})
