import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { say } from '../../src/say/messages.ts'
import { Calls, rejected } from './github.ts'
import {
  aChange,
  agentsPull,
  aPull,
  command,
  event,
  issue,
  linkOf,
  pullThread,
  Stage,
  type StepOptions,
} from './step.ts'

const agent = 'mintlify[bot]'
/** A command on the agent's pull request 101. */
const onPull = { comment: 9, thread: pullThread(101), openedBy: agent }
const detached = { inputs: { wait: 'false' } }
const rejecting = (...names: string[]) => ({ calls: Calls.where(rejected, ...names) })

/** Ends a job whose step does not wait for it. */
function end(stage: Stage, id: string, prLink: string | null = linkOf(101)): void {
  const job = stage.platform.jobs.get(id)
  if (job !== undefined) Object.assign(job, { status: 'completed', prLink, activeReads: 0 })
}

const forgetComments = ({ github }: Stage) => github.comments.splice(0)
const forgetStatuses = ({ github }: Stage) => github.statuses.splice(0)

/** The stage after a push made a job, whose pull request is open. */
async function opened(inputs: Record<string, string> = {}): Promise<Stage> {
  const stage = new Stage()
  await event(stage, aChange('aaaa'), { inputs })
  stage.github.pulls = [agentsPull(101)]
  return stage
}

describe("a command on the agent's pull request", () => {
  it.each<[name: string, prepare: (stage: Stage) => Promise<unknown>, thread?: typeof issue]>([
    [
      'goes to the job that a command elsewhere did not wait for',
      async (stage) => {
        await command(stage, { comment: 1 }, detached)
        end(stage, 'job_1')
      },
    ],
    [
      'goes to the job that a push did not wait for',
      async (stage) => {
        await event(stage, aChange('aaaa'), detached)
        end(stage, 'job_1')
      },
    ],
    [
      'goes to the job of a command elsewhere if the comment on the pull request was deleted',
      async (stage) => {
        await command(stage, { comment: 1 })
        stage.github.comments.splice(0, Number.POSITIVE_INFINITY, ...stage.github.on(issue))
      },
    ],
    [
      'goes to the job in a review thread, too',
      (stage) => command(stage, { comment: 1 }),
      { ...pullThread(101), reviewRoot: 33 },
    ],
  ])("a command on the agent's pull request %s", async (_, prepare, thread = pullThread(101)) => {
    const stage = new Stage()
    await prepare(stage)
    await command(stage, { ...onPull, thread })
    expect(stage.platform.sends.map((sent) => sent.replace(/: .*/, ''))).toEqual([
      'job_1',
      'job_1 + request 9',
    ])
  })

  it.each([true, false])(
    'a command on a closed pull request makes a new job, and says so (merged: %s)',
    async (isMerged) => {
      const stage = new Stage()
      await command(stage, { comment: 1 })
      stage.github.details[101] = agentsPull(101, isMerged ? 'merged' : 'closed')
      await command(stage, onPull)
      expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_2: request 9'])
      expect(stage.github.seen['acme/docs#101']).toContain('~ working (finished)')
    },
  )

  it('a command makes its own job if none of the five latest jobs belongs to the pull request', async () => {
    const stage = new Stage()
    for (const comment of [1, 2, 3, 4, 5, 6, 7])
      await command(stage, { comment, thread: pullThread(comment) }, detached)
    for (const id of stage.platform.jobs.keys()) end(stage, id, null)
    // This job is older than the five that are read.
    end(stage, 'job_2')
    const { calls } = await command(stage, onPull)
    const before = calls.made.slice(0, calls.made.indexOf('send'))
    expect(before.filter((call) => call === 'read job')).toHaveLength(5)
    expect(stage.platform.jobs.size).toBe(8)
  })

  it('a command makes its own job if the token cannot read statuses', async () => {
    const forbidden = { status: 200, message: 'no', kind: 'permission' } as const
    const { result } = await command(new Stage(), onPull, { calls: Calls.where(forbidden, 'recentStatuses') })
    expect(result?.outcome).toBe('pull-request')
  })

  it('a command sends nothing if GitHub rejects the list of comments that may name its job', async () => {
    const stage = new Stage()
    const { result } = await command(stage, onPull, rejecting('recentComments'))
    expect(result).toMatchObject({ outcome: 'error', problem: { id: 'unread' } })
    expect(stage.platform.sends).toEqual([])
  })
})

it.each([
  ["someone else's pull request", { ...onPull, openedBy: 'mona' }],
  ['an issue', { comment: 9, openedBy: agent, thread: issue }],
])('a command on %s makes its own job, without a search for an earlier one', async (_, asked) => {
  const stage = new Stage()
  await command(stage, { comment: 1, thread: pullThread(8) }, detached)
  end(stage, 'job_1')
  const { calls } = await command(stage, asked)
  expect(stage.platform.jobs.size).toBe(2)
  expect(calls.made.join()).not.toMatch(/recent/)
})

describe('a push at the limit of open pull requests', () => {
  const rolling = { 'open-limit': '1' }
  const limited = (stage: Stage, options: StepOptions = {}) =>
    event(stage, aChange('bbbb'), { run: '2', ...options, inputs: { ...rolling, ...options.inputs } })

  it.each<[name: string, prepare: (stage: Stage) => unknown, inputs?: Record<string, string>]>([
    ['goes to the job that the comment on the pull request names', forgetStatuses],
    ['goes to the job whose status links to the pull request', forgetComments],
    [
      'goes to a job that was not waited for',
      (stage) => {
        forgetComments(stage)
        end(stage, 'job_1')
      },
      { wait: 'false' },
    ],
    [
      'skips pull requests that are not from its own jobs',
      ({ github }) => github.pulls.unshift(agentsPull(100)),
    ],
  ])('a push at the limit %s', async (_, prepare, inputs) => {
    const stage = await opened(inputs)
    prepare(stage)
    const { result } = await limited(stage)
    expect(result?.outcome).toBe('pull-request')
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do'])
    // People get one mail about the pull request.
    expect(stage.github.said(pullThread(101))).toHaveLength(1)
  })

  it('a push at the limit goes to the job of a command with wait: false', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, detached)
    end(stage, 'job_1')
    stage.github.pulls = [agentsPull(101)]
    await limited(stage)
    expect(stage.platform.sends).toEqual(['job_1: request 1', 'job_1 + Do'])
  })

  it("a push at the limit skips a job that is over, and goes to the next pull request's job", async () => {
    const stage = await opened()
    await event(stage, aChange('cccc'), { run: '3' })
    stage.github.pulls = [agentsPull(102), agentsPull(101)]
    const second = stage.platform.jobs.get('job_2')
    if (second) second.status = 'archived'
    stage.platform.ends = ['completed', 'archived']
    await limited(stage)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do', 'job_2: Do'])
  })

  it.each<[name: string, prepare: (stage: Stage) => unknown]>([
    ['failed', (stage) => Object.assign(stage.platform, { ends: ['failed'] })],
    ['is gone', (stage) => stage.platform.jobs.clear()],
    [
      'has a merged pull request',
      ({ github }) => Object.assign(github.details, { 101: agentsPull(101, 'merged') }),
    ],
  ])('a push at the limit fails if the only job %s', async (_, prepare) => {
    const stage = await opened()
    prepare(stage)
    const { result } = await limited(stage)
    expect(result).toMatchObject({
      outcome: 'error',
      problem: { id: 'open-limit', list: [{ url: linkOf(101) }] },
    })
    expect(stage.platform.sends.filter((sent) => sent.includes('+'))).toEqual([])
  })

  it.each([
    ['goes to the next one', ['job_1', 'job_2'], ['job_1: Do', 'job_1 + Do', 'job_2: request 9']],
    ['fails if there is no other one', ['job_2'], ['job_1: Do', 'job_2: request 9']],
  ])('a push at the limit ignores a held pull request, and %s', async (_, open, sends) => {
    const stage = await opened()
    stage.github.details[12] = aPull(12)
    await command(stage, { comment: 9, thread: pullThread(12) }, { run: '3', inputs: { hold: 'merge' } })
    stage.github.pulls = [agentsPull(102), ...(open.length > 1 ? [agentsPull(101)] : [])]
    const { result } = await limited(stage)
    expect(stage.platform.sends).toEqual(sends)
    expect(result?.outcome).toBe(open.length > 1 ? 'pull-request' : 'error')
  })

  it('the log of a push at the limit says so if the repository has more comments than the step reads', async () => {
    const stage = await opened()
    forgetComments(stage)
    const { github } = stage
    const ports = github.ports.bind(github)
    github.ports = (calls) => {
      const all = ports(calls)
      const recentComments: typeof all.recentComments = async (...asked) => {
        const read = await all.recentComments(...asked)
        return read.ok ? { ...read, value: { ...read.value, isCut: true } } : read
      }
      return { ...all, recentComments }
    }
    const { progress } = await limited(stage)
    expect(progress).toContainEqual(say.commentsCut('acme/docs'))
  })

  it.each<[name: string, isDeleted?: string]>([
    ['openPulls'],
    ['comments'],
    ['recentStatuses', 'comments deleted'],
  ])('a push at the limit is an error if GitHub rejects `%s`', async (name, isDeleted) => {
    const stage = await opened()
    if (isDeleted !== undefined) forgetComments(stage)
    const { result } = await limited(stage, rejecting(name))
    expect(result).toMatchObject({
      outcome: 'error',
      problem: { id: 'unread' },
    })
  })

  it.each<[name: string, inputs: Record<string, string>, prepare: (stage: Stage) => unknown]>([
    ['below the limit', { 'open-limit': '2' }, () => {}],
    ["if the pull requests are other people's", {}, ({ github }) => (github.pulls = [aPull(101)])],
    [
      "if the pull requests are from the agent's automations",
      {},
      (stage) => {
        stage.github.pulls = [agentsPull(103), agentsPull(102)]
      },
    ],
  ])('a push makes a new job %s', async (_, inputs, prepare) => {
    const stage = await opened()
    prepare(stage)
    await limited(stage, { inputs })
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })

  it('a push lists the pull requests that the limit ignores, and reads the records once for all of them', async () => {
    const stage = new Stage()
    stage.github.pulls = [agentsPull(103), agentsPull(102), agentsPull(101)]
    const { progress, calls } = await limited(stage)
    const links = [linkOf(103), linkOf(102), linkOf(101)]
    expect(progress.filter(({ text }) => text.includes('from other sources'))).toEqual([
      say.otherPulls(links),
    ])
    expect(calls.made.filter((call) => call.startsWith('recent'))).toHaveLength(3)
  })

  it('a push goes to the job in job-id, whatever the limit', async () => {
    const stage = await opened()
    const { calls } = await limited(stage, { inputs: { 'job-id': 'job_1' } })
    expect(calls.made).not.toContain('openPulls')
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_1 + Do'])
  })
})

it("a command on a person's pull request never goes to a job that links to the pull request", async () => {
  const stage = new Stage()
  await command(stage, { comment: 1 }, detached)
  end(stage, 'job_1')
  await command(stage, { ...onPull, openedBy: 'mona' }, { run: '2' })
  expect([...stage.platform.jobs.keys()]).toEqual(['job_1', 'job_2'])
})

describe('the open limit', () => {
  const limited = { run: '2', inputs: { 'open-limit': '1' } }

  it("a pull request does not count toward the open limit if only another account's status names it", async () => {
    const stage = await opened()
    forgetComments(stage)
    for (const status of stage.github.statuses) status.creator = 'eve'
    await event(stage, aChange('cccc'), limited)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })

  it('a pull request does not count toward the open limit if only a status signed with another key names it', async () => {
    const stage = new Stage()
    await event(stage, aChange('aaaa'), { sign: signWith('mint_another_key') })
    stage.github.pulls = [agentsPull(101)]
    forgetComments(stage)
    await event(stage, aChange('bbbb'), limited)
    expect(stage.platform.sends).toEqual(['job_1: Do', 'job_2: Do'])
  })
})
