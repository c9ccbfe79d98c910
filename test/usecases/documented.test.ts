import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/core/trigger/change.ts'
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
  for (const [index, number] of numbers.entries()) {
    stage.github.details[number] = { ...aPull(number, 'aaaa', 'merged'), mergeCommit: merge(number) }
    stage.github.details[101 + index] = aPull(101 + index, 'docs')
    const isOpen = { ...stage.github.details[number], isOpen: true, isMerged: false, mergeCommit: null }
    const merged = stage.github.details[number]
    stage.github.details[number] = isOpen
    await label(stage, { thread: code(number), head: 'aaaa', run: `${number}`, inputs })
    stage.github.details[number] = merged
  }
  return stage
}

const push = (stage: Stage, numbers: readonly number[], options: StepOptions = {}) => {
  const head = merge(numbers.at(-1) ?? 0)
  const pull = stage.github.details[numbers.at(-1) ?? 0]
  if (pull !== undefined) stage.github.pullsBehind[head] = [pull]
  const subjects = numbers.map((number) => `Change (#${number})`)
  const change: Partial<Change> = { commits: numbers.map(merge), subjects }
  return event(stage, aChange(head, change), { run: '90', ...options })
}
const changed = (stage: Stage, number: number) =>
  Object.assign(stage.github.details[number] ?? {}, { headCommit: 'bbbb' })
const reason = ({ result }: Awaited<ReturnType<typeof push>>) =>
  result?.problem?.type === 'no-change' ? result.problem.reason : undefined

describe('a push that merges one documented pull request', () => {
  it('a push that merges one documented pull request is skipped if nothing changed', async () => {
    const stage = await documented([12])
    const run = await push(stage, [12])
    expect([run.result?.outcome, reason(run)]).toEqual(['skipped', `documented in ${linkOf(101)}`])
    expect(stage.platform.sends).toHaveLength(1)
  })

  it('a push that merges one documented pull request goes to the existing job if the code changed', async () => {
    const stage = await documented([12])
    changed(stage, 12)
    const run = await push(stage, [12])
    expect([run.result?.outcome, stage.platform.sends]).toEqual(['pull-request', ['job_1: Do', 'job_1 + Do']])
  })

  it('a push that merges one documented pull request is left to mode settle if the docs wait for the merge', async () => {
    const stage = await documented([12], { hold: 'merge' })
    changed(stage, 12)
    expect(reason(await push(stage, [12]))).toBe(`mode settle sends the final diff to ${linkOf(101)}`)
  })

  it('a push starts a new job if the code changed after a job that found nothing to change, even with a hold', async () => {
    const stage = await documented([])
    stage.github.details[12] = aPull(12, 'aaaa')
    stage.platform.end = (_, job) => (job.status = 'completed')
    await label(stage, { thread: code(12), head: 'aaaa', run: '12', inputs: { hold: 'merge' } })
    stage.github.details[12] = { ...aPull(12, 'aaaa', 'merged'), mergeCommit: merge(12) }
    expect(reason(await push(stage, [12]))).toBe('the agent found nothing to change')
    changed(stage, 12)
    await push(stage, [12], { run: '91' })
    expect([...stage.platform.jobs.keys()]).toEqual(['job_1', 'job_2'])
  })

  it.each<[name: string, ends: string, change: (stage: Stage) => void]>([
    ['failed', 'failed', () => {}],
    ['was archived', 'archived', () => {}],
    [
      'has a merged pull request',
      'completed',
      (stage) => (stage.github.details[101] = aPull(101, 'docs', 'merged')),
    ],
  ])('a push starts a new job if the earlier one %s', async (_, ends, change) => {
    const stage = await documented([12], {}, ends)
    stage.platform.ends = [ends, 'completed']
    change(stage)
    await push(stage, [12])
    expect([...stage.platform.jobs.keys()]).toEqual(['job_1', 'job_2'])
  })

  it("a push starts a new job for another project, and for a thread without the action's records", async () => {
    const stage = await documented([12])
    await push(stage, [12], { inputs: { 'project-id': 'other' } })
    stage.github.comments = []
    await push(stage, [12], { run: '91' })
    expect(stage.platform.jobs.size).toBe(3)
  })

  it('a push starts a job for each step that documents the merge with its own prompt', async () => {
    const stage = await documented([])
    stage.github.details[12] = { ...aPull(12, 'aaaa', 'merged'), mergeCommit: merge(12) }
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
})

describe('a push that merges several pull requests', () => {
  it('a push that merges several pull requests goes to the only existing job', async () => {
    const stage = await documented([12])
    stage.github.details[13] = { ...aPull(13, 'cccc', 'merged'), mergeCommit: merge(13) }
    await push(stage, [12, 13])
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do'])
    // The first thread already has the job's result.
    expect(stage.github.said(code(12))).toEqual(['result: pull-request job_1'])
    expect(stage.github.said(code(13))).toEqual([`see ${linkOf(101)}`])
  })

  it('a push that merges several pull requests with jobs starts one job, whose prompt lists what is documented', async () => {
    const stage = await documented([12, 13], {})
    await push(stage, [12, 13])
    expect(stage.platform.jobs.size).toBe(3)
    expect(stage.platform.jobs.get('job_3')?.prompt).toContain(
      `leave them out: acme/docs#12 (in ${linkOf(101)}), acme/docs#13 (in ${linkOf(102)}).`,
    )
  })

  it("a push ignores a pull request that only a commit's subject names", async () => {
    const stage = await documented([12])
    const change = { commits: ['x'], subjects: ['Revert (#12)'] }
    await event(stage, aChange('x', change), { run: '9' })
    expect([...stage.platform.jobs.keys()]).toEqual(['job_1', 'job_2'])
  })
})

it('a push is skipped while the job that documents it is active', async () => {
  const stage = await documented([12], { wait: 'false' })
  expect(reason(await push(stage, [12]))).toBe('a job is documenting the change')
})

it('a pull request that is still open starts its own job', async () => {
  const stage = await documented([12])
  const change = aChange('bbbb', { number: 12, pullHead: 'bbbb', range: { by: 'pull', number: 12 } })
  await event(stage, change, { run: '9' })
  expect([...stage.platform.jobs.keys()]).toEqual(['job_1', 'job_2'])
})

it('a push starts its own job after a command on an issue', async () => {
  const stage = await documented([])
  await command(stage, { comment: 1, thread: issue })
  await push(stage, [12])
  expect(stage.platform.jobs.size).toBe(2)
})
