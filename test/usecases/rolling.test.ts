import { describe, expect, it } from 'vitest'
import type { PullRequest } from '../../src/usecases/ports.ts'
import { Calls, type Mishap, refused } from './github.ts'
import { aChange, command, event, issue, linkOf, pullThread, Stage } from './step.ts'

const agent = 'mintlify[bot]'
/** A command on the agent's pull request 101. */
const onPull = { comment: 9, thread: pullThread(101), openedBy: agent }
const detached = { inputs: { wait: 'false' } }

/** Ends a job whose step does not wait for it. */
function end(stage: Stage, id: string, prLink: string | null = linkOf(101)): void {
  const job = stage.platform.jobs.get(id)
  if (job !== undefined) Object.assign(job, { status: 'completed', prLink, activeReads: 0 })
}

describe("a command on the agent's pull request goes to the job behind it, which", () => {
  it('a command elsewhere made and did not wait for', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, detached)
    end(stage, 'job_1')
    await command(stage, onPull)
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + request 9'])
  })

  it('a push made and did not wait for', async () => {
    const stage = new Stage()
    await event(stage, aChange('aaaa'), detached)
    end(stage, 'job_1')
    await command(stage, onPull)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + request 9'])
  })

  it('a command elsewhere made, whose own comment there was deleted', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    stage.github.comments.splice(0, Number.POSITIVE_INFINITY, ...stage.github.on(issue))
    await command(stage, onPull)
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + request 9'])
  })

  it('a review thread on it asks about, too', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 })
    await command(stage, { ...onPull, thread: { ...pullThread(101), reviewRoot: 33 } })
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + request 9'])
  })
})

describe('a command makes its own job', () => {
  it.each([
    ["on someone else's pull request", { ...onPull, openedBy: 'mona' }],
    ['on an issue', { comment: 9, openedBy: agent, thread: issue }],
  ])('%s, without any search', async (_, asked) => {
    const stage = new Stage()
    await command(stage, { comment: 1, thread: pullThread(8) }, detached)
    end(stage, 'job_1')
    const { calls } = await command(stage, asked)
    expect(stage.platform.jobs.size).toBe(2)
    expect(calls.made.join()).not.toMatch(/recent/)
  })

  it("if no job has the agent's pull request, of which five are read", async () => {
    const stage = new Stage()
    for (const comment of [1, 2, 3, 4, 5, 6, 7])
      await command(stage, { comment, thread: pullThread(comment) }, detached)
    for (const id of stage.platform.jobs.keys()) end(stage, id, null)
    // Older than those that are read.
    end(stage, 'job_2')
    const { calls } = await command(stage, onPull)
    const before = calls.made.slice(0, calls.made.indexOf('send'))
    expect(before.filter((call) => call === 'read job')).toHaveLength(5)
    expect(stage.platform.jobs.size).toBe(8)
  })

  it('if the token may not read statuses', async () => {
    const stage = new Stage()
    const forbidden: Mishap = { status: 200, message: 'no', kind: 'permission' }
    const calls = new Calls((_, name) => (name === 'recentStatuses' ? forbidden : undefined))
    const { result } = await command(stage, onPull, { calls })
    expect(result?.outcome).toBe('pull-request')
  })
})

it('a command sends nothing if GitHub does not tell the job behind the pull request', async () => {
  const stage = new Stage()
  const calls = new Calls((_, name) => (name === 'recentComments' ? refused : undefined))
  const { result } = await command(stage, onPull, { calls })
  expect(result).toMatchObject({ outcome: 'error', problem: { type: 'thread-unread' } })
  expect(stage.platform.sends).toEqual([])
})

describe('at the limit of open pull requests', () => {
  const open = (number: number): PullRequest => ({
    number,
    author: agent,
    url: linkOf(number),
    isMerged: false,
    headCommit: 'aaaa',
    headRepository: 'acme/docs',
    mergeCommit: null,
  })
  const rolling = { inputs: { 'open-limit': '1', 'on-open-limit': 'follow-up' } }

  it('a push goes on with the job of a command that was not waited for', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, detached)
    end(stage, 'job_1')
    stage.github.pulls = [open(101)]
    await event(stage, aChange('aaaa'), rolling)
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + Do'])
  })

  it('reads what steps left once, however many are open', async () => {
    const stage = new Stage()
    stage.github.pulls = [open(103), open(102), open(101)]
    const { result, calls } = await event(stage, aChange('aaaa'), rolling)
    expect(result).toMatchObject({ outcome: 'error', problem: { type: 'open-limit', jobless: true } })
    expect(calls.made.filter((call) => call.startsWith('recent'))).toHaveLength(3)
  })
})
