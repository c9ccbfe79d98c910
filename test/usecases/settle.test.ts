import { describe, expect, it } from 'vitest'
import { failsSettling, type SettleResult } from '../../src/core/settle.ts'
import type { Thread } from '../../src/core/thread.ts'
import type { GitHubPorts } from '../../src/usecases/ports.ts'
import { Calls, lost, type Mishap, refused } from './github.ts'
import { inputsOf, type Options, settleOn } from './settle-step.ts'
import { aChange, branchOf, command, event, issue, pullThread, Stage } from './step.ts'
import { answer, start } from './world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const detached = { wait: 'false' }
const thread = (number: number): Thread => ({ ...issue, number })

/** What people see: on threads, beside commits, and as reactions. */
function seen({ github }: Stage) {
  const threads = [...new Set(github.comments.map((comment) => comment.thread))]
  return {
    threads: Object.fromEntries(threads.map((each) => [each.number, github.said(each)])),
    statuses: Object.fromEntries(
      github.statuses.map(({ commit }) => [commit, github.told(commit)[0]?.replace(/run \d+/, '')]),
    ),
    reactions: github.reactions.map(({ content }) => content),
  }
}

const rows = (result: SettleResult | undefined) =>
  result?.jobs.map(({ job, state, outcome }) => `${job} ${state} ${outcome ?? ''}`.trim())

/** The push of a commit that came by pull request 3. */
function push(stage: Stage, head: string, inputs: Record<string, string> = {}) {
  const pull = { number: 3, author: 'mona', url: '', isMerged: true, mergeCommit: head }
  stage.github.pullsBehind[head] = [pull]
  return event(stage, aChange(head), { run: '9', inputs })
}

describe('a request that nobody waited for', () => {
  it.each<
    [name: string, ends: string, ask: (stage: Stage, inputs: Record<string, string>) => Promise<unknown>]
  >([
    ['a command', 'completed', (stage, inputs) => command(stage, { comment: 1 }, { inputs })],
    ['a command that fails', 'failed', (stage, inputs) => command(stage, { comment: 1 }, { inputs })],
    ['a push', 'completed', (stage, inputs) => push(stage, 'aaaa', inputs)],
    ['a push that fails', 'failed', (stage, inputs) => push(stage, 'aaaa', inputs)],
    ['a start by hand', 'completed', (stage, inputs) => event(stage, null, { inputs })],
  ])('is told as if it had been waited for: %s', async (_, end, ask) => {
    const waited = new Stage()
    waited.platform.ends = [end]
    await ask(waited, {})

    const stage = new Stage()
    stage.platform.ends = [end]
    await ask(stage, detached)
    const before = seen(stage)
    stage.now += hour
    const active = await settleOn(stage)
    expect([rows(active.result), seen(stage)]).toEqual([['job_1 pending'], before])
    await settleOn(stage, { openedBranch: branchOf('job_1') })
    expect(seen(stage)).toEqual(seen(waited))
    expect(await settleOn(stage)).toMatchObject({ result: { outcome: 'settled', jobs: [] } })
  })

  it('is told when the step timed out, and when it was killed', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: { timeout: '1s' } })
    const killed = new Calls((_, name) => (name === 'read job' ? 'killed before' : undefined))
    await command(stage, { comment: 2, thread: thread(8) }, { calls: killed, hasPost: false, run: '2' })
    stage.now += hour
    for (const job of stage.platform.jobs.values()) job.activeReads = 0
    expect(rows((await settleOn(stage)).result)).toEqual([
      'job_1 settled pull-request',
      'job_2 settled pull-request',
    ])
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
    expect(stage.github.said(thread(8))).toEqual(['result: pull-request job_2'])
  })

  it('is checked against allowed-paths', async () => {
    const stage = await withEnded()
    const { result } = await settleOn(stage, { inputs: { 'allowed-paths': 'docs/**' } })
    expect(rows(result)).toEqual(['job_1 settled out-of-bounds'])
  })

  it('replaces the result of a job that failed before', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed', 'completed']
    await command(stage, { comment: 1 })
    await command(stage, { comment: 1 }, { isRerun: true, inputs: detached })
    stage.now += hour
    for (const job of stage.platform.jobs.values()) job.activeReads = 0
    await settleOn(stage)
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_2'])
  })

  it('on a review thread is told there', async () => {
    const stage = new Stage()
    const review: Thread = { ...pullThread(3), reviewRoot: 40 }
    await command(stage, { comment: 1, thread: review }, { inputs: detached })
    stage.now += hour
    for (const job of stage.platform.jobs.values()) job.activeReads = 0
    await settleOn(stage)
    expect(stage.github.said(review)).toEqual(['result: pull-request job_1'])
  })
})

/** One command whose job has ended, an hour ago. */
async function withEnded(more: Partial<Parameters<typeof command>[2]> = {}): Promise<Stage> {
  const stage = new Stage()
  await command(stage, { comment: 1 }, { inputs: detached, ...more })
  stage.now += hour
  for (const job of stage.platform.jobs.values()) job.activeReads = 0
  return stage
}

describe('a job that is left alone', () => {
  it.each<[name: string, prepare: (stage: Stage) => unknown, options: Options, row: string]>([
    ['still active', (stage) => activate(stage, 9), {}, 'job_1 pending'],
    ['one that cannot be read', () => {}, { read: () => answer(500) }, 'job_1 pending'],
    ['a young one', (stage) => elapse(stage, -55 * minute), {}, 'job_1 pending'],
    [
      'a young one that is missing',
      (stage) => elapse(stage, -55 * minute),
      { read: () => answer(404) },
      'job_1 pending',
    ],
    ['one without a link that goes on', () => {}, { read: comesBack() }, 'job_1 pending'],
    ['in a dry run', () => {}, { inputs: { 'dry-run': 'true' } }, 'job_1 pending pull-request'],
    ['older than 14 days', (stage) => elapse(stage, 15 * day), {}, 'job_1 abandoned'],
  ])('%s', async (_, prepare, options, expected) => {
    const stage = await withEnded()
    await prepare(stage)
    const before = JSON.stringify([stage.github.comments, stage.github.reactions])
    const { result } = await settleOn(stage, options)
    expect(rows(result)).toEqual([expected])
    expect(JSON.stringify([stage.github.comments, stage.github.reactions])).toBe(before)
  })

  it('older than 28 days is not even listed, and one older than 14 is not read', async () => {
    const stage = await withEnded()
    elapse(stage, 15 * day)
    expect((await settleOn(stage)).calls.made).not.toContain('read job job_1')
    elapse(stage, 15 * day)
    expect(rows((await settleOn(stage)).result)).toEqual([])
  })

  const activate = (stage: Stage, reads: number) => {
    for (const job of stage.platform.jobs.values()) job.activeReads = reads
  }
  const elapse = (stage: Stage, ms: number) => {
    stage.now += ms
  }
  /** Completed without a link at first sight, and active at the second. */
  function comesBack() {
    const states = ['completed', 'active']
    return (id: string) => answer(200, { id, status: states.shift() ?? 'active', prLink: null })
  }
})

describe('a job that', () => {
  it('completed without a link is read twice before that is told', async () => {
    const stage = await withEnded()
    const read = (id: string) => answer(200, { id, status: 'completed', prLink: null })
    const { result, calls } = await settleOn(stage, { read })
    expect(rows(result)).toEqual(['job_1 settled no-changes'])
    expect(calls.made.filter((call) => call === 'read job job_1')).toHaveLength(2)
  })

  it('is gone is told once', async () => {
    const stage = await withEnded()
    stage.platform.jobs.clear()
    expect(rows((await settleOn(stage)).result)).toEqual(['job_1 settled error'])
    expect(stage.github.said(issue)).toEqual(['result: error job_1'])
    expect(rows((await settleOn(stage)).result)).toEqual([])
  })

  it('has the branch of the pull request that was opened is waited for, up to the timeout', async () => {
    const stage = await withEnded()
    await command(stage, { comment: 2, thread: thread(8) }, { inputs: detached })
    for (const job of stage.platform.jobs.values()) job.activeReads = 4
    const options = { openedBranch: branchOf('job_1'), inputs: { timeout: '5m' } }
    const { result, calls } = await settleOn(stage, options)
    expect(rows(result)).toEqual(['job_1 settled pull-request'])
    expect(calls.made.filter((call) => call === 'read job job_2')).toHaveLength(1)

    for (const job of stage.platform.jobs.values()) job.activeReads = 1000
    const from = stage.now
    const late = { openedBranch: branchOf('job_2'), inputs: { timeout: '5m' } }
    expect(rows((await settleOn(stage, late)).result)).toEqual(['job_2 pending'])
    expect(stage.now - from).toBe(5 * minute)
  })

  it('is behind several requests is read once and told to each', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: detached })
    await command(stage, { comment: 2 }, { inputs: detached, run: '2' })
    stage.now += hour
    for (const job of stage.platform.jobs.values()) job.activeReads = 0
    const { result, calls } = await settleOn(stage)
    expect(rows(result)).toEqual(['job_1 settled pull-request', 'job_1 settled pull-request'])
    expect(calls.made.filter((call) => call === 'read job job_1')).toHaveLength(1)
  })
})

describe('a mark that counts for nothing:', () => {
  const copyOf = (stage: Stage) => stage.github.on(issue)[0]?.body ?? ''

  it.each<[name: string, prepare: (stage: Stage) => void]>([
    ['a copy by a stranger', (stage) => void stage.github.add(thread(8), copyOf(stage), 'mallory')],
    ['a copy on another thread', (stage) => void stage.github.add(thread(8), copyOf(stage))],
    ['a status by someone else', (stage) => forgeStatus(stage, 'mallory')],
  ])('%s', async (_, prepare) => {
    const stage = await withEnded()
    prepare(stage)
    stage.github.comments.splice(0, 1)
    expect(rows((await settleOn(stage)).result)).toEqual([])
    expect(stage.github.comments.every(({ body }) => !body.startsWith('result'))).toBe(true)
  })

  it.each<[name: string, inputs: Record<string, string>]>([
    ['one of another project', { 'project-id': 'other' }],
    ['one that another key signed', { 'api-key': 'mint_9876543210' }],
  ])('%s', async (_, inputs) => {
    const stage = await withEnded()
    // The tests' key signs in any case.
    if ('api-key' in inputs)
      for (const comment of stage.github.comments) comment.body = resigned(comment.body)
    expect(rows((await settleOn(stage, { inputs })).result)).toEqual([])
  })

  const resigned = (body: string) => body.replace(/:[\w-]+ -->$/, ':AAAA -->')
  function forgeStatus(stage: Stage, creator: string) {
    const description = 'Working on the docs · job job_1 · run 1 · 00000000'
    const status = { context: 'Docs agent / x', state: 'pending', description, targetUrl: '' } as const
    stage.github.statuses.push({
      ...status,
      creator,
      createdAt: start,
      repository: 'acme/docs',
      commit: 'aaaa',
    })
  }
})

describe('what ends the step', () => {
  it.each(['recentStatuses', 'recentComments issue', 'recentComments review', 'viewer'])(
    'a refusal of %s: nothing can be found',
    async (name) => {
      const stage = await withEnded()
      const calls = new Calls((_, called) => (name.startsWith(called) ? refused : undefined))
      const { result } = await settleOn(stage, { calls })
      expect(result).toMatchObject({ outcome: 'error', jobs: [], problem: { type: 'settle-unread' } })
    },
  )

  it('a key that is refused', async () => {
    const stage = await withEnded()
    const { result } = await settleOn(stage, { read: () => answer(401) })
    expect(result).toMatchObject({ outcome: 'error', problem: { type: 'platform', operation: 'read' } })
    expect(stage.github.said(issue)).toEqual(['unfinished: detached job_1'])
  })

  it('a cancel: what was told until then is kept', async () => {
    const stage = await withEnded()
    await command(stage, { comment: 2, thread: thread(8) }, { inputs: detached })
    stage.now += hour
    for (const job of stage.platform.jobs.values()) job.activeReads = 0
    const controller = new AbortController()
    const github = (ports: GitHubPorts) => ({
      async react(...args: Parameters<GitHubPorts['react']>) {
        controller.abort()
        return ports.react(...args)
      },
    })
    const { result } = await settleOn(stage, { github, cancelled: controller.signal })
    expect(result).toMatchObject({ outcome: 'cancelled', jobs: [{ job: 'job_1', state: 'settled' }] })
  })

  it.each([
    ['none', false],
    ['failed', true],
    ['archived', false],
  ])('only outcomes in fail-on (%s)', async (failOn, isRed) => {
    const stage = new Stage()
    stage.platform.ends = ['failed']
    await command(stage, { comment: 1 }, { inputs: detached })
    stage.now += hour
    for (const job of stage.platform.jobs.values()) job.activeReads = 0
    const inputs = { 'fail-on': failOn }
    const { result } = await settleOn(stage, { inputs })
    expect(result && failsSettling(result, inputsOf(inputs).failOn)).toBe(isRed)
  })

  it('is said if GitHub cut a list', async () => {
    const stage = await withEnded()
    const calls = new Calls((_, name) => {
      stage.github.isCut = name.startsWith('recent')
      return undefined
    })
    expect(await settleOn(stage, { calls })).toMatchObject({ result: { isCut: true } })
  })
})

describe('requests', () => {
  const withoutViewer = ({ made }: Calls) => made.filter((call) => call.trim() !== 'viewer')

  it('are one each for the statuses, the open pull requests, the pages of comments, and each open job', async () => {
    const stage = new Stage()
    for (const number of [1, 2, 3])
      await command(stage, { comment: number, thread: thread(number) }, { inputs: detached })
    stage.now += hour
    expect(withoutViewer((await settleOn(stage)).calls)).toEqual([
      ...['recentStatuses', 'recentComments issue', 'recentComments review', 'openPulls'],
      ...['read job job_1', 'read job job_2', 'read job job_3'],
    ])
  })

  it('are, for each job that has ended, those that its telling takes', async () => {
    const { calls } = await settleOn(await withEnded())
    const onPull = 'acme/docs#101'
    const onThread = 'acme/docs#7'
    expect(withoutViewer(calls).slice(4)).toEqual([
      'pull',
      `comments ${onThread}`,
      ...[`comments ${onPull}`, `reply ${onPull}`, `edit ${onPull}`, `comments ${onPull}`],
      ...[`reply ${onThread}`, `comments ${onThread}`, `edit ${onThread}`, `remove ${onThread}`],
      'react rocket',
    ])
  })
})

/** Commands on threads and pushes of commits, all ended but for the jobs that are gone. */
async function crowd({ threads, commits, comments, goneThreads, goneJobs }: Record<string, number>) {
  const stage = new Stage()
  for (let number = 0; number < (comments ?? 0); number++)
    stage.github.add(thread(1000 + (number % 50)), `Comment ${number}`, 'mona')
  for (let number = 1; number <= (threads ?? 0); number++)
    await command(stage, { comment: number, thread: thread(number) }, { inputs: detached, run: `${number}` })
  for (let number = 1; number <= (commits ?? 0); number++)
    await event(stage, aChange(`commit${number}`), { inputs: detached, run: `${100 + number}` })
  stage.now += hour
  for (const job of stage.platform.jobs.values()) job.activeReads = 0
  const ids = [...stage.platform.jobs.keys()]
  for (const id of ids.slice(0, goneJobs ?? 0)) stage.platform.jobs.delete(id)
  const gone = new Set(
    Array.from({ length: goneThreads ?? 0 }, (_, index) => `acme/docs#${(threads ?? 0) - index}`),
  )
  return { stage, gone }
}

/** A thread that was deleted after the list of comments was read. */
const withGone = (gone: ReadonlySet<string>) => (ports: GitHubPorts) => {
  const missing = { ok: false, refusal: { status: 404, message: 'Not Found' } } as const
  const isGone = ({ repository, number }: Thread) => gone.has(`${repository}#${number}`)
  return {
    comments: async (at: Thread) => (isGone(at) ? missing : ports.comments(at)),
    reply: async (at: Thread, body: string) => (isGone(at) ? missing : ports.reply(at, body)),
  } satisfies Partial<GitHubPorts>
}

/** Each request is told, exactly once, on its thread or beside its commit, and on the agent's pull request. */
function expectToldOnce(
  stage: Stage,
  { threads = 0, commits = 0, goneThreads = 0, goneJobs = 0 },
  hasProvenance: boolean,
  mostProvenance = 1,
) {
  const { github } = stage
  for (let number = 1; number <= threads - goneThreads; number++) {
    const end = number <= goneJobs ? 'error' : 'pull-request'
    expect(github.said(thread(number))).toEqual([`result: ${end} job_${number}`])
  }
  for (let number = 1; number <= commits; number++)
    expect(github.told(`commit${number}`)[0]).toMatch(/^success: pull-request · job/)
  for (let job = goneJobs + 1; job <= threads + commits; job++) {
    if (job > threads - goneThreads && job <= threads) continue
    const provenance = github.said(pullThread(100 + job)).length
    expect(provenance).toBeLessThanOrEqual(mostProvenance)
    // A refusal there costs a warning; the result matters more.
    if (hasProvenance) expect(provenance).toBeGreaterThan(0)
  }
}

const mishaps: [name: string, mishap: Mishap][] = [
  ['refuses', refused],
  ['loses the answer', lost],
  ['is not heard before a kill', 'killed before'],
  ['is not heard after a kill', 'killed after'],
]

describe.each(mishaps)('GitHub %s at one call:', (_, mishap) => {
  const few = { threads: 3, commits: 2, goneThreads: 0, goneJobs: 1 }

  it('in the end there is one result for each request', async () => {
    const { calls } = await settleOn((await crowd(few)).stage)
    for (let at = 0; at < calls.made.length; at++) {
      const { stage } = await crowd(few)
      await settleOn(stage, { calls: new Calls((number) => (number === at ? mishap : undefined)) })
      for (let run = 0; run < 2; run++) {
        stage.now += hour
        await settleOn(stage)
      }
      expectToldOnce(stage, few, typeof mishap === 'string')
      const mails = Object.values(stage.github.seen)
        .flat()
        .filter((line) => line.startsWith('+ result'))
      expect(mails.length).toBeLessThanOrEqual(few.threads)
    }
  })
})

describe('1,000 comments, 30 open marks, 5 threads gone and 3 jobs gone', () => {
  const many = { comments: 1000, threads: 20, commits: 10, goneThreads: 5, goneJobs: 3 }

  it('come to one result each, over repeated runs in which every tenth call fails', async () => {
    const { stage, gone } = await crowd(many)
    for (const [run, [, mishap]] of mishaps.entries()) {
      const isHit = (number: number) =>
        typeof mishap === 'string' ? number === 40 * run : number % 10 === 3 + run
      const calls = new Calls((number) => (isHit(number) ? mishap : undefined))
      await settleOn(stage, { calls, github: withGone(gone) })
      stage.now += hour
    }
    await settleOn(stage, { github: withGone(gone) })
    stage.now += hour
    const { result } = await settleOn(stage, { github: withGone(gone) })
    expect(rows(result)?.filter((row) => row.includes('untold'))).toHaveLength(5)
    expect(result?.jobs).toHaveLength(5)
    expectToldOnce(stage, many, false)
  })
})

describe('two runs at once', () => {
  /** Runs A to its i-th call and B to its j-th, and then A and after it B to the end. */
  async function interleave(stage: Stage, i: number, j: number, runA: Run, runB: Run): Promise<void> {
    const a = new Gate(i)
    const b = new Gate(j)
    const runOfA = runA(stage, a.calls)
    await Promise.race([a.reached, runOfA])
    const runOfB = runB(stage, b.calls)
    await Promise.race([b.reached, runOfB])
    a.open()
    await runOfA
    b.open()
    await runOfB
  }

  type Run = (stage: Stage, calls: Calls) => Promise<unknown>
  const settling: Run = (stage, calls) => settleOn(stage, { calls })
  /** A re-run of the command or push, which waits for the job. */
  const waiting: Run = async (stage, calls) =>
    stage.github.statuses.length > 0
      ? event(stage, aChange('commit1'), { calls, isRerun: true, run: '101' })
      : command(stage, { comment: 1, thread: thread(1) }, { calls, isRerun: true })

  /** Stops before a call. */
  class Gate {
    readonly calls: Calls
    readonly reached: Promise<void>
    readonly open: () => void

    constructor(at: number) {
      const reached = Promise.withResolvers<void>()
      const opened = Promise.withResolvers<void>()
      this.reached = reached.promise
      this.open = opened.resolve
      this.calls = new GatedCalls(async (number) => {
        if (number !== at) return
        reached.resolve()
        await opened.promise
      })
    }
  }

  class GatedCalls extends Calls {
    private readonly pass: (number: number) => Promise<void>
    private count = 0

    constructor(pass: (number: number) => Promise<void>) {
      super()
      this.pass = pass
    }

    override async make<T>(...args: [name: string, where: string, act: () => T]) {
      await this.pass(this.count++)
      return super.make(...args)
    }
  }

  const places = [{ threads: 1 }, { commits: 1 }]

  it.each<[name: string, a: Run, b: Run]>([
    ['both settle', settling, settling],
    ['one settles while a step waits', settling, waiting],
    ['a step waits while one settles', waiting, settling],
  ])('leave one result, wherever they meet: %s', async (_, runA, runB) => {
    for (const place of places) {
      const [callsOfA, callsOfB] = [new Calls(), new Calls()]
      await runA((await crowd(place)).stage, callsOfA)
      await runB((await crowd(place)).stage, callsOfB)
      for (let i = 0; i <= callsOfA.made.length; i++)
        for (let j = 0; j <= callsOfB.made.length; j++) {
          const { stage } = await crowd(place)
          await interleave(stage, i, j, runA, runB)
          // A waiting step saves the second look; the next run to come unites what it doubles there.
          expectToldOnce(stage, place, true, runA === runB ? 1 : 2)
        }
    }
  })
})
