import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/core/trigger/change.ts'
import { explain } from '../../src/say/problems.ts'
import type { StoredPull } from '../github.ts'
import { Calls, rejected } from '../run/github.ts'
import {
  aChange,
  aFile,
  agentsPull,
  aPull,
  command,
  event,
  label,
  linkOf,
  pullThread,
  Stage,
  type StepOptions,
  settleOn,
} from '../run/step.ts'
import { answer } from '../run/world.ts'

const merge = (number: number) => `merge${number}`
const merged = (number: number, head = 'aaaa') => ({
  ...aPull(number, head, 'merged'),
  mergeCommit: merge(number),
})

/** Merged pull requests with code, each documented by one of the agent's pull requests. */
async function documented(
  numbers: readonly number[],
  inputs: Record<string, string> = {},
  prepare: (stage: Stage) => unknown = () => {},
) {
  const stage = new Stage()
  prepare(stage)
  for (const [index, number] of numbers.entries()) {
    stage.github.details[number] = aPull(number)
    stage.github.details[101 + index] = aPull(101 + index, 'docs')
    await label(stage, { thread: pullThread(number), run: `${number}`, inputs })
    stage.github.details[number] = merged(number)
  }
  return stage
}

/**
 * A push with one commit for each merged pull request: why it was skipped, or what its new job got. A push that does
 * neither has no result here.
 */
async function push(stage: Stage, numbers: readonly number[], options: StepOptions = {}) {
  for (const number of numbers) {
    const pull = stage.github.details[number]
    stage.github.pullsBehind[merge(number)] = pull === undefined ? [] : [pull]
  }
  const commits = numbers.map(merge)
  const before = stage.platform.sends.length
  const { result } = await event(stage, aChange(commits.at(-1) ?? '', { commits }), { run: '90', ...options })
  const sent = stage.platform.sends.slice(before)
  if (result?.outcome === 'skipped' && result.problem !== null && sent.length === 0)
    return explain(result.problem).what
  const last = `job_${stage.platform.jobs.size}`
  return sent.join() === `${last}: Do` ? stage.platform.jobs.get(last)?.prompt : undefined
}

/** What an event of a pull request says about its change. */
const ofPull = { number: 12, range: { by: 'pull', number: 12 } } as const
const ofOpenPull = { ...ofPull, isOpen: true }

/** Why a push is skipped if its pull request is documented. */
const already = 'Skipped: already in acme/docs#101.'
const covered = 'Skipped: an earlier job already covers it.'
const detailsAre = (number: number, more: object) => (stage: Stage) =>
  Object.assign(stage.github.details[number] ?? {}, more)
const newer = detailsAre(12, { head: 'bbbb' })
const closed = detailsAre(101, aPull(101, 'docs', 'closed'))
const followUp = (stage: Stage, instruction = 'More') =>
  command(stage, { comment: 5, thread: pullThread(12), instruction }, { run: '5' })

describe('a push that merges one pull request', () => {
  it.each<[name: string, does: string, set: (stage: Stage) => unknown, inputs?: object]>([
    ['has an open docs pull request', already, () => {}],
    ['has a merged docs pull request', already, detailsAre(101, aPull(101, 'docs', 'merged'))],
    [
      'has unreadable docs',
      already,
      ({ platform, github }) => {
        // Otherwise, a poll of the job opens the pull request again.
        platform.onPull = () => {}
        delete github.details[101]
      },
    ],
    ['got a follow-up without a diff after it was documented', already, (stage) => followUp(stage)],
    ['got a request for help after it was documented', already, (stage) => followUp(stage, 'help')],
    ['has a job that cannot be polled', already, ({ platform }) => (platform.read = () => answer(403))],
    [
      'has a newer job without the diff',
      'Do',
      (stage) => {
        closed(stage)
        return followUp(stage)
      },
    ],
    ['has an active job', covered, () => {}, { wait: 'false' }],
    ['changed after its diff was sent', 'Do', newer],
    ['is held, and changed', 'Do', newer, { hold: 'merge' }],
    ['has a job that is gone', 'Do', (stage) => stage.platform.jobs.clear()],
    ['has closed docs', 'Do', closed],
    ['has no records by the action', 'Do', (stage) => stage.github.comments.splice(0)],
  ])('a push whose pull request %s: %s', async (_, does, set, inputs = {}) => {
    const stage = await documented([12], { ...inputs })
    await set(stage)
    expect(await push(stage, [12])).toBe(does)
  })

  it.each<[end: string, does: string]>([
    ['failed', 'Do'],
    ['archived', 'Do'],
    ['completed', covered],
  ])('a push whose pull request has a job that ended as %s without docs: %s', async (end, does) => {
    const stage = await documented([12], {}, ({ platform }) => {
      platform.end = (_, job) => (job.status = end)
    })
    expect(await push(stage, [12])).toBe(does)
  })

  it('a push whose pull request has comments that cannot be read starts a job, and the log says why', async () => {
    const stage = await documented([12])
    stage.github.pullsBehind[merge(12)] = [merged(12)]
    const calls = Calls.where(rejected, 'comments')
    const { result, progress } = await event(stage, aChange(merge(12)), { run: '90', calls })
    expect(result?.jobId).toBe('job_2')
    expect(progress[0]?.text).toBe('Could not read the comments on acme/docs#12 (403: no).')
  })

  it('a push is skipped if a command sent the diff of the last commit', async () => {
    const stage = new Stage()
    stage.github.details[12] = aPull(12)
    stage.github.files = [aFile('a.ts')]
    await command(stage, { comment: 1, thread: pullThread(12) }, { inputs: { 'context-diff': 'true' } })
    stage.github.details[12] = merged(12)
    expect(await push(stage, [12])).toBe(already)
  })

  it.each<[event: string, Partial<Change>]>([
    ['push', {}],
    ['pull request', { ...ofPull, commits: ['aaaa'] }],
    ['upstream run', { upstreamRun: 7 }],
  ])('a fast-forward to the last commit of its pull request is skipped: %s', async (_, more) => {
    const stage = await documented([12])
    stage.github.pullsBehind.aaaa = [{ ...merged(12), mergeCommit: 'aaaa' }]
    const { result } = await event(stage, aChange('aaaa', more), { run: '90' })
    expect(result?.problem && explain(result.problem).what).toBe(already)
  })

  it('a push with `job-id` goes to that job, also if its pull request is documented', async () => {
    const stage = await documented([12])
    stage.github.pullsBehind[merge(12)] = [merged(12)]
    await event(stage, aChange(merge(12)), { run: '90', inputs: { 'job-id': 'job_1' } })
    expect(stage.platform.sends.at(-1)).toBe('job_1 + Do')
  })

  it('a push starts a new job for another project, and for each step with its own prompt', async () => {
    const stage = await documented([12])
    expect(await push(stage, [12], { inputs: { 'project-id': 'other' } })).toBe('Do')
    const fresh = new Stage()
    fresh.github.details[12] = merged(12)
    for (const step of ['guides', 'reference']) expect(await push(fresh, [12], { step: { step } })).toBe('Do')
  })

  it('other events for a documented pull request are skipped, unless it is still open or a tag is pushed', async () => {
    const stage = await documented([12])
    stage.github.pullsBehind = { aaaa: [aPull(12)], later: [merged(12)], [merge(12)]: [merged(12)] }
    const changes = [
      aChange(merge(12), ofPull),
      aChange('later', { upstreamRun: 7 }),
      aChange('aaaa', ofOpenPull),
      aChange('aaaa', { upstreamRun: 8 }),
      aChange('later', { isTag: true }),
    ]
    const ends: unknown[] = []
    for (const [index, change] of changes.entries())
      ends.push((await event(stage, change, { run: `${index}` })).result?.outcome)
    expect(ends).toEqual(['skipped', 'skipped', ...Array(3).fill('pull-request')])
  })
})

it.each<[name: string, change: Partial<Change>, wait: string, does?: string]>([
  ['the run of its pull request', ofOpenPull, 'true'],
  ['the run of a step for an upstream run', { upstreamRun: 7 }, 'true'],
  ['settle', ofOpenPull, 'false'],
  ['settle, for an upstream run,', { upstreamRun: 7 }, 'false'],
  ['settle, for a push to a branch,', { commits: ['aaaa'] }, 'false', 'Do'],
])(
  'a push after %s linked the docs of the last commit is skipped only if they document its pull request',
  async (_, change, wait, does = already) => {
    const stage = new Stage()
    stage.github.details[12] = aPull(12)
    stage.github.pullsBehind.aaaa = [aPull(12)]
    await event(stage, aChange('aaaa', change), { inputs: { wait } })
    stage.platform.endJobs()
    stage.now += 60 * 60_000
    expect((await settleOn(stage)).result?.jobs).toHaveLength(wait === 'true' ? 0 : 1)
    stage.github.details[12] = merged(12)
    expect(await push(stage, [12])).toBe(does)
    stage.github.details[12] = merged(12, 'bbbb')
    expect(await push(stage, [12])).toBe('Do')
  },
)

describe('a pull request with others stacked on it', () => {
  const ofMerge = { branch: 'feature', defaultBranch: 'main' }

  it.each<[name: string, does: string, offMain: string[], calls?: Calls]>([
    ['is not on the default branch', 'Skipped: it was merged into feature, not yet into main.', [merge(12)]],
    ['is on the default branch', already, []],
    [
      'is somewhere unknown',
      "Could not read the change's pull requests (403: no).",
      [],
      Calls.where(rejected, 'contains'),
    ],
  ])('the event of a merge whose code %s: %s', async (_, does, offMain, calls = new Calls()) => {
    const stage = await documented([12])
    Object.assign(stage.github, {
      offMain,
      pullsBehind: { [merge(12)]: [{ ...merged(12), base: 'feature' }] },
    })
    const change = aChange(merge(12), { ...ofPull, ...ofMerge })
    const { result } = await event(stage, change, { run: '90', calls })
    expect(result?.problem && explain(result.problem).what).toBe(does)
  })

  it.each<[name: string, isNamed: boolean, change: Partial<Change>, parent?: object]>([
    ['the event of its merge', true, { ...ofPull, number: 13 }],
    ['a push that squashes it', true, {}],
    ['a push that squashes it before a direct commit', true, { commits: [merge(13), 'ffff'], head: 'ffff' }],
    ['a push that squashes it, from a fork,', false, {}, { isFork: true }],
  ])('%s starts a job, whose prompt names the documented ones: %s', async (_, isNamed, more, parent = {}) => {
    const stage = await documented([12])
    const squash = { ...merged(13), branch: 'feature', ...parent }
    stage.github.details[12] = { ...merged(12), base: 'feature' }
    stage.github.pullsBehind = { [merge(13)]: [squash] }
    await event(stage, aChange(merge(13), more), { run: '90' })
    const named = [...stage.platform.jobs.values()].at(-1)?.prompt.includes(`- #12: ${linkOf(101)}`)
    expect([stage.platform.jobs.size, named]).toEqual([2, isNamed])
  })
})

describe('a push that merges several pull requests', () => {
  it("a push is skipped if each of its pull requests is documented or the agent's", async () => {
    const stage = await documented([12, 13])
    stage.github.details[50] = { ...merged(50), author: agentsPull(50).author }
    const reason = 'Skipped: already in acme/docs#101, acme/docs#102.'
    expect([await push(stage, [50, 12, 13]), await push(stage, [50, 12])]).toEqual([reason, already])
  })

  it.each<[name: string, numbers: number[], pull?: StoredPull]>([
    ['another pull request', [12, 13], merged(13, 'cccc')],
    [
      "the documented pull request's branch, which was merged with another one",
      [12],
      { ...merged(12), base: 'other' },
    ],
    ['a commit without a pull request', [12, 14]],
    ['a pull request that was merged elsewhere', [13, 12], { ...merged(13), base: 'other' }],
  ])(
    'a push starts one job, whose prompt names what is documented, if it also brings %s',
    async (_, numbers, pull) => {
      const stage = await documented([12])
      if (pull !== undefined) stage.github.details[pull.number] = pull
      expect(await push(stage, numbers)).toContain(`Do not document them again:\n- #12: ${linkOf(101)}`)
    },
  )
})
