import { describe, expect, it } from 'vitest'
import { statusContext, writeStatus } from '../../src/core/status.ts'
import { Calls, type Mishap, refused, viewer } from './github.ts'
import { aChange, event, linkOf, pullThread, Stage, type StepOptions } from './step.ts'
import { answer, halfway, start } from './world.ts'

const rerun = { isRerun: true }
const push = aChange('aaaa')
function meeting(mishaps: Record<string, (Mishap | undefined)[]>) {
  const left = structuredClone(mishaps)
  return { calls: new Calls((_, name) => left[name]?.shift()) }
}
/** What people see on the commit, the latest first, without the name of the owner. */
const told = ({ github }: Stage, commit = 'aaaa') =>
  github.told(commit).map((line) => line.replace(/ · [0-9a-f]{8}$/, ''))

describe('a push', () => {
  it('is marked on its commit, sent, and told there', async () => {
    const stage = new Stage()
    const { calls } = await event(stage, push)
    expect(calls.made).toMatchInlineSnapshot(`
      [
        "pullsOf",
        "setStatus pending",
        "send",
        "setStatus pending",
        "read job",
        "read job",
        "pull",
        "setStatus success",
        "comments acme/docs#101",
        "viewer",
        "reply acme/docs#101",
        "edit acme/docs#101",
        "viewer",
        "recentStatuses",
        "comments acme/docs#101",
        "viewer",
      ]
    `)
    expect(told(stage)).toMatchInlineSnapshot(`
      [
        "success: pull-request · job job_1 · run 1",
        "pending: working · job job_1 · run 1",
        "pending: working · sending · run 1",
      ]
    `)
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
  ])('whose job is %s, with %j, leaves its commit %s', async (end, inputs, state) => {
    const stage = new Stage()
    stage.platform.ends = [end]
    await event(stage, push, { inputs })
    expect(told(stage)[0]).toMatch(new RegExp(`^${state}: .* · job job_1 · run 1$`))
  })

  it('is not sent if its status cannot be set', async () => {
    const stage = new Stage()
    const { result } = await event(stage, push, meeting({ setStatus: [refused] }))
    expect(result).toMatchObject({ outcome: 'error', problem: { type: 'mark-unwritten', where: 'status' } })
    expect(stage.platform.sends).toEqual([])
  })

  it('costs a warning if later statuses cannot be set', async () => {
    const stage = new Stage()
    const { result, progress } = await event(
      stage,
      push,
      meeting({ setStatus: [undefined, refused, refused] }),
    )
    expect(result?.outcome).toBe('pull-request')
    expect(progress.filter(({ type }) => type === 'status-failed')).toHaveLength(2)
    // The last one is set once more after the pull request was told.
    expect(told(stage)[0]).toBe('success: pull-request · job job_1 · run 1')
  })

  it.each([
    ['reply: false', { reply: 'false' }, ['job_1: Do']],
    ['a dry run', { 'dry-run': 'true' }, []],
    ['no token', { 'github-token': '' }, ['job_1: Do']],
  ])('writes nothing at GitHub with %s', async (_, inputs, sends) => {
    const stage = new Stage()
    const { calls } = await event(stage, push, { inputs })
    expect(calls.made.filter((call) => /^(setStatus|reply|edit|statuses)/.test(call))).toEqual([])
    expect(stage.platform.sends).toEqual(sends)
  })
})

describe('a re-run of a push', () => {
  it.each([
    ['that ended', {}],
    ['that was not waited for', { wait: 'false' }],
    ['with an open-limit', { 'open-limit': '1' }],
  ])('goes on with the job: %s', async (_, inputs) => {
    const stage = new Stage()
    await event(stage, push, { inputs })
    stage.github.pulls = [anAgentsPull(101)]
    const { result } = await event(stage, push, { ...rerun, inputs })
    expect(result?.jobId).toBe('job_1')
    expect(stage.platform.sends).toEqual(['job_1: Do'])
  })

  it.each([
    ['another run', { run: '2' }],
    ['another step', { ...rerun, step: { step: 'other' } }],
    ['another matrix leg', { ...rerun, step: { matrixIndex: '1' } }],
    ['another project', { ...rerun, inputs: { 'project-id': 'other' } }],
    ['another workflow', { ...rerun, step: { workflow: 'Other' } }],
  ])('is one of its own: %s has its own job', async (_, options) => {
    const stage = new Stage()
    await event(stage, push)
    await event(stage, push, options)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })

  it.each(['failed', 'archived'])('makes a new job if the one before %s', async (end) => {
    const stage = new Stage()
    stage.platform.ends = [end, 'completed']
    await event(stage, push)
    for (const _ of [1, 2]) await event(stage, push, rerun)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })

  it('waits on if the job before failed, but that was never told', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed']
    await event(stage, push, { inputs: { wait: 'false' } })
    const { result } = await event(stage, push, rerun)
    expect([result?.outcome, stage.platform.sends]).toEqual(['failed', ['job_1: Do']])
  })

  it('never sends what may have been sent', async () => {
    const stage = new Stage()
    stage.platform.next = halfway
    const first = await event(stage, push)
    expect(first.result?.outcome).toBe('unconfirmed')
    for (const _ of [1, 2]) {
      const { result } = await event(stage, push, rerun)
      expect(result).toMatchObject({ outcome: 'unconfirmed', problem: { type: 'unfinished-run' } })
    }
    expect(told(stage)[0]).toMatch(/^failure: unconfirmed · sending · run 1$/)
    expect(stage.platform.sends).toEqual([])
  })

  it('sends what certainly was not sent', async () => {
    const stage = new Stage()
    stage.platform.next = answer(401)
    await event(stage, push)
    expect(told(stage)[0]).toBe('failure: error · not sent · run 1')
    const { result } = await event(stage, push, rerun)
    expect([result?.outcome, stage.platform.sends]).toEqual(['pull-request', ['job_1: Do']])
  })

  it.each([
    ['they cannot be read', { statuses: [refused] }, false],
    ['the token’s account cannot be read', { viewer: [refused] }, false],
    ['GitHub lists only some', {}, true],
  ] as const)('sends nothing if it does not know the statuses: %s', async (_, mishaps, isCut) => {
    const stage = new Stage()
    await event(stage, push)
    stage.github.isCut = isCut
    const { result } = await event(stage, push, { ...rerun, ...meeting(structuredClone(mishaps) as never) })
    expect(result).toMatchObject({ outcome: 'error', problem: { type: 'statuses-unread' } })
    expect(stage.platform.sends).toEqual(['job_1: Do'])
  })

  const step = { workflow: 'Docs', job: 'docs', step: '__docs', matrixIndex: '0', project: 'docs' }
  const forged = {
    repository: 'acme/docs',
    commit: 'aaaa',
    context: statusContext(step),
    state: 'pending' as const,
    description: writeStatus(
      'x',
      { state: 'job', job: 'job_9', run: '1' },
      { project: 'docs', hasChange: true },
    ),
    targetUrl: '',
    creator: viewer as string | null,
    createdAt: start,
  }
  it.each([
    ['by another account', { creator: 'eve' }],
    ['by an account that is gone', { creator: null }],
    ['of another context', { context: 'ci' }],
    ['on another commit', { commit: 'bbbb' }],
    ['with other words', { description: 'job job_9' }],
  ])('is not steered by a status %s', async (_, more) => {
    const stage = new Stage()
    stage.github.statuses.push({ ...forged, ...more })
    const { result } = await event(stage, push, rerun)
    expect([result?.jobId, stage.platform.sends]).toEqual(['job_1', ['job_1: Do']])
  })
})

const afterRun = (upstreamRun: number) => aChange('aaaa', { range: { by: 'head', sha: 'aaaa' }, upstreamRun })

describe('a workflow_run', () => {
  it('goes by the run before: a second run after it goes on with the job', async () => {
    const stage = new Stage()
    await event(stage, afterRun(900), { run: '1' })
    const { result } = await event(stage, afterRun(900), { run: '2' })
    expect([result?.jobId, stage.platform.sends]).toEqual(['job_1', ['job_1: Do']])
    await event(stage, afterRun(901), { run: '3' })
    expect(stage.platform.sends).toHaveLength(2)
  })
})

describe('an event without a change', () => {
  const noMarks = (progress: { type: string }[]) => progress.filter(({ type }) => type === 'no-mark')

  it('is marked on the commit that the workflow runs on, and a re-run goes on', async () => {
    const stage = new Stage()
    const { progress } = await event(stage, null)
    expect(told(stage)[0]).toBe('success: pull-request · job job_1 · run 1')
    await event(stage, null, rerun)
    expect([stage.platform.sends, noMarks(progress)]).toEqual([['job_1: Do'], []])
  })

  const all: Mishap[] = [refused, refused, refused]
  it('is sent without a mark if statuses are not granted; each run says so', async () => {
    const stage = new Stage()
    const first = await event(stage, null, meeting({ setStatus: all }))
    expect(noMarks(first.progress)).toEqual([{ type: 'no-mark', isRerun: false }])
    const mishaps = { setStatus: all, statuses: all }
    const second = await event(stage, null, { ...rerun, ...meeting(mishaps) })
    expect(noMarks(second.progress)).toContainEqual({ type: 'no-mark', isRerun: true })
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
    const warnings = [...first.progress, ...second.progress].filter(({ type }) => type === 'status-failed')
    expect(warnings).toEqual([])
  })

  it('corrects a status that GitHub may have set', async () => {
    const stage = new Stage()
    const lost: Mishap = { status: 502, message: 'lost', isUncertain: true, hasEffect: true }
    await event(stage, null, meeting({ setStatus: [lost] }))
    expect(told(stage)[0]).toBe('success: pull-request · job job_1 · run 1')
  })
})

describe('at the open limit', () => {
  const rolling = { 'open-limit': '1', 'on-open-limit': 'follow-up' }
  const limited = (stage: Stage, options: StepOptions = {}) =>
    event(stage, aChange('bbbb'), { run: '2', inputs: rolling, ...options })
  /** One job, behind the agent's open pull request. */
  async function opened(inputs: Record<string, string> = {}) {
    const stage = new Stage()
    await event(stage, push, { inputs })
    stage.github.pulls = [anAgentsPull(101)]
    return stage
  }
  const expectFollowUp = async (stage: Stage, options: StepOptions = {}) => {
    const { result } = await limited(stage, options)
    expect([result?.outcome, stage.platform.sends]).toEqual(['pull-request', ['job_1: Do', 'job_1 + Do']])
  }
  const forget = (stage: Stage) => {
    stage.github.comments.length = 0
  }

  it('goes to the job that the provenance comment names', async () => {
    const stage = await opened()
    stage.github.statuses.length = 0
    await expectFollowUp(stage)
    expect(stage.github.said(pullThread(101))).toEqual(['documents aaaa,bbbb'])
  })

  it('goes to the job whose status links to the pull request', async () => {
    const stage = await opened()
    forget(stage)
    await expectFollowUp(stage)
  })

  it('goes to a job that was not waited for, once it has the pull request', async () => {
    const stage = await opened({ wait: 'false' })
    // It is read, and has ended by then.
    for (const job of stage.platform.jobs.values()) job.activeReads = 0
    await expectFollowUp(stage)
  })

  it('on a schedule goes to the job, too', async () => {
    const stage = await opened()
    await event(stage, null, { run: '2', inputs: rolling })
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do'])
  })

  it('goes past a job that is over, to the next pull request', async () => {
    const stage = await opened()
    await event(stage, aChange('cccc'), { run: '3' })
    stage.github.pulls = [anAgentsPull(102), anAgentsPull(101)]
    const second = stage.platform.jobs.get('job_2')
    if (second) second.status = 'archived'
    stage.platform.ends = ['completed', 'archived']
    await limited(stage)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do', 'job_2: Do'])
  })

  it.each<[string, (stage: Stage) => unknown]>([
    ['no job is known', (stage) => stage.github.statuses.splice(0) && forget(stage)],
    ['its job failed', (stage) => Object.assign(stage.platform, { ends: ['failed'] })],
    ['its job is gone', (stage) => void stage.platform.jobs.clear()],
  ])('is red if none can go on: %s', async (_, change) => {
    const stage = await opened()
    change(stage)
    const { result } = await limited(stage)
    expect(result).toMatchObject({ outcome: 'error', problem: { type: 'open-limit', jobless: true } })
    expect(stage.platform.sends.filter((sent) => sent.includes('+'))).toEqual([])
  })

  it('is skipped with on-open-limit: skip', async () => {
    const stage = await opened()
    const { result } = await limited(stage, { inputs: { 'open-limit': '1' } })
    expect(result).toMatchObject({ outcome: 'skipped', problem: { type: 'open-limit', jobless: false } })
  })

  it.each(['openPulls', 'comments', 'recentStatuses'])('is an error if GitHub refuses %s', async (name) => {
    const stage = await opened()
    if (name === 'recentStatuses') forget(stage)
    const { result } = await limited(stage, meeting({ [name]: [refused] }))
    expect(result).toMatchObject({ outcome: 'error', problem: { type: 'change-unread' } })
  })

  it.each<[string, Record<string, string>, ReturnType<typeof anAgentsPull>]>([
    ['below it', { 'open-limit': '2' }, anAgentsPull(101)],
    ['if the pull requests are others’', { 'open-limit': '1' }, { ...anAgentsPull(101), author: 'mona' }],
  ])('makes a new job %s', async (_, inputs, pull) => {
    const stage = await opened()
    stage.github.pulls = [pull]
    await limited(stage, { inputs: { ...rolling, ...inputs } })
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })

  it('goes to the job that the step names, however many are open', async () => {
    const stage = await opened()
    const { calls } = await limited(stage, { inputs: { ...rolling, 'job-id': 'job_1' } })
    expect(calls.made).not.toContain('openPulls')
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do'])
  })
})

function anAgentsPull(number: number) {
  const url = linkOf(number)
  return {
    number,
    author: 'mintlify[bot]',
    url,
    isMerged: false,
    headCommit: 'aaaa',
    headRepository: 'acme/docs',
    mergeCommit: null,
  }
}
