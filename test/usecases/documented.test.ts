import { describe, expect, it } from 'vitest'
import {
  aChange,
  aPull,
  command,
  event,
  issue,
  label,
  linkOf,
  pullThread,
  Stage,
  type StepOptions,
} from './step.ts'

const code = (number: number) => pullThread(number)
const merge = (number: number) => `merge${number}`

/** Merged pull requests with code, each documented by one of the agent's pull requests. */
async function documented(
  numbers: readonly number[],
  inputs: Record<string, string> = {},
  ends = 'completed',
) {
  const stage = new Stage()
  stage.platform.ends = [ends]
  await documentIn(stage, numbers, inputs)
  return stage
}

async function documentIn(stage: Stage, numbers: readonly number[], inputs: Record<string, string> = {}) {
  for (const [index, number] of numbers.entries()) {
    stage.github.details[number] = { ...aPull(number, 'aaaa', 'merged'), mergeCommit: merge(number) }
    stage.github.details[101 + index] = aPull(101 + index, 'docs')
    const isOpen = { ...stage.github.details[number], isOpen: true, isMerged: false, mergeCommit: null }
    const merged = stage.github.details[number]
    stage.github.details[number] = isOpen
    await label(stage, { thread: code(number), head: 'aaaa', run: `${number}`, inputs })
    stage.github.details[number] = merged
  }
}

/** A push with one commit for each merged pull request. */
const push = (stage: Stage, numbers: readonly number[], options: StepOptions = {}) => {
  for (const number of numbers) {
    const pull = stage.github.details[number]
    stage.github.pullsBehind[merge(number)] = pull === undefined ? [] : [pull]
  }
  const commits = numbers.map(merge)
  return event(stage, aChange(commits.at(-1) ?? '', { commits }), { run: '90', ...options })
}
const changed = (stage: Stage, number: number) =>
  Object.assign(stage.github.details[number] ?? {}, { headCommit: 'bbbb' })
const reason = ({ result }: Awaited<ReturnType<typeof push>>) =>
  result?.problem?.id === 'skipped' ? result.problem.what.replace(/^Skipped: (.*)\.$/, '$1') : undefined
/** Whether a push starts a job of its own, and the last prompt. */
const created = async (stage: Stage, numbers: readonly number[], options: StepOptions = {}) => {
  const before = stage.platform.jobs.size
  await push(stage, numbers, options)
  const prompts = [...stage.platform.jobs.values()].map(({ prompt }) => prompt)
  return prompts.length === before + 1 ? prompts.at(-1) : undefined
}
const isMerged = (number: number, head = 'aaaa') => ({
  ...aPull(number, head, 'merged'),
  mergeCommit: merge(number),
})

describe('a push that merges one pull request', () => {
  it.each<[name: string, set: (stage: Stage) => unknown, reason: string]>([
    ['has an open docs pull request', () => {}, 'already in acme/docs#101'],
    [
      'has a merged docs pull request',
      (stage) => (stage.github.details[101] = aPull(101, 'docs', 'merged')),
      'already in acme/docs#101',
    ],
    [
      'has a docs pull request that the token cannot read',
      (stage) => delete stage.github.details[101],
      'already in acme/docs#101',
    ],
    [
      'got a follow-up without a diff after it was documented',
      async (stage) => {
        await command(stage, { comment: 5, thread: code(12) }, { run: '5', inputs: { command: '/docs' } })
      },
      'already in acme/docs#101',
    ],
  ])('a push is skipped if its pull request %s', async (_, set, expected) => {
    const stage = await documented([12])
    await set(stage)
    const before = stage.platform.sends.length
    const run = await push(stage, [12])
    expect([run.result?.outcome, reason(run)]).toEqual(['skipped', expected])
    expect(stage.platform.sends).toHaveLength(before)
  })

  it('a push is skipped while the job that documents it is active', async () => {
    const stage = await documented([12], { wait: 'false' })
    expect(reason(await push(stage, [12]))).toBe('a job is already documenting it')
  })

  it('a push is skipped if the agent found nothing to change in its last commit', async () => {
    const stage = new Stage()
    stage.platform.end = (_, job) => (job.status = 'completed')
    await documentIn(stage, [12])
    expect(reason(await push(stage, [12]))).toBe('the agent already found nothing to change')
  })

  it('a push is skipped if a command sent the diff of the last commit', async () => {
    const stage = new Stage()
    stage.github.details[12] = aPull(12)
    stage.github.files = [
      { path: 'a.ts', previousPath: null, status: 'modified', additions: 1, deletions: 0, patch: '+a' },
    ]
    await command(stage, { comment: 1, thread: code(12) }, { inputs: { 'context-diff': 'true' } })
    stage.github.details[12] = isMerged(12)
    stage.github.details[101] = aPull(101, 'docs')
    expect(reason(await push(stage, [12]))).toBe('already in acme/docs#101')
  })

  it.each<[name: string, ends: string, change: (stage: Stage) => unknown]>([
    ['changed after its diff was sent', 'completed', (stage) => changed(stage, 12)],
    ['has a job that failed', 'failed', () => {}],
    ['has a job that was archived', 'archived', () => {}],
    ['has a job that is gone', 'completed', (stage) => stage.platform.jobs.clear()],
    [
      'has a docs pull request that was closed without a merge',
      'completed',
      (stage) => (stage.github.details[101] = aPull(101, 'docs', 'closed')),
    ],
    [
      'was merged into another branch',
      'completed',
      (stage) => Object.assign(stage.github.details[12] ?? {}, { mergeCommit: 'other' }),
    ],
    ["has no records by the action's account", 'completed', (stage) => stage.github.comments.splice(0)],
  ])('a push starts a new job if its pull request %s', async (_, ends, change) => {
    const stage = await documented([12], {}, ends)
    stage.platform.ends = [ends, 'completed']
    change(stage)
    expect(await created(stage, [12])).toBe('Do')
  })

  it('a push starts a new job if the code of a held pull request changed', async () => {
    const stage = await documented([12], { hold: 'merge' })
    changed(stage, 12)
    expect(await created(stage, [12])).toBe('Do')
  })

  it('a push starts a new job for another project', async () => {
    const stage = await documented([12])
    expect(await created(stage, [12], { inputs: { 'project-id': 'other' } })).toBe('Do')
  })

  it('a push starts a job for each step that documents the merge with its own prompt', async () => {
    const stage = new Stage()
    stage.github.details[12] = isMerged(12)
    for (const step of ['guides', 'reference']) await push(stage, [12], { step: { step } })
    expect(stage.platform.jobs.size).toBe(2)
  })

  it('a closed pull request is skipped if it is already documented', async () => {
    const stage = await documented([12])
    const range = { by: 'pull', number: 12 } as const
    const closed = aChange(merge(12), { number: 12, pullHead: 'aaaa', range })
    expect((await event(stage, closed, { run: '9' })).result?.outcome).toBe('skipped')
    const unmerged = aChange('aaaa', { number: 12, pullHead: 'aaaa', range, noFiles: 'it was closed' })
    expect((await event(stage, unmerged, { run: '10' })).result?.outcome).toBe('skipped')
    expect(stage.platform.sends).toHaveLength(1)
  })

  it('a run after an upstream run is skipped if its commit is documented', async () => {
    const stage = await documented([12])
    stage.github.pullsBehind[merge(12)] = [isMerged(12)]
    const run = await event(stage, aChange(merge(12), { upstreamRun: 7 }), { run: '90' })
    expect(reason(run)).toBe('already in acme/docs#101')
  })
})

describe('a push that merges several pull requests', () => {
  it('a push is skipped if all of its pull requests are documented', async () => {
    const stage = await documented([12, 13])
    expect(reason(await push(stage, [12, 13]))).toBe('already in acme/docs#101, acme/docs#102')
  })

  it("a push is skipped if its pull requests are documented or the agent's", async () => {
    const stage = await documented([12])
    stage.github.details[50] = { ...isMerged(50), author: 'mintlify[bot]' }
    expect(reason(await push(stage, [50, 12]))).toBe('already in acme/docs#101')
  })

  const note = `leave them out: acme/docs#12 (in ${linkOf(101)}).`
  it.each<[name: string, set: (stage: Stage) => unknown, numbers: number[]]>([
    ['another pull request', (stage) => (stage.github.details[13] = isMerged(13, 'cccc')), [12, 13]],
    ['a commit without a pull request', () => {}, [12, 14]],
    [
      'a pull request that was merged elsewhere',
      (stage) => (stage.github.details[13] = { ...isMerged(13), mergeCommit: 'other' }),
      [13, 12],
    ],
    ['more commits than are checked', () => {}, [...Array.from({ length: 19 }, () => 12), 12]],
  ])(
    'a push starts one job, whose prompt names what is documented, if it also brings %s',
    async (_, set, numbers) => {
      const stage = await documented([12])
      set(stage)
      expect(await created(stage, numbers)).toContain(note)
      expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
    },
  )
})

it('a pull request that is still open starts its own job', async () => {
  const stage = await documented([12])
  const change = aChange('aaaa', { number: 12, pullHead: 'aaaa', range: { by: 'pull', number: 12 } })
  await event(stage, change, { run: '9' })
  expect([...stage.platform.jobs.keys()]).toEqual(['job_1', 'job_2'])
})

it('a push starts its own job after a command on an issue', async () => {
  const stage = await documented([])
  await command(stage, { comment: 1, thread: issue })
  await push(stage, [12])
  expect(stage.platform.jobs.size).toBe(2)
})
