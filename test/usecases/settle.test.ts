/** What settle reports, leaves, and does not trust. The explorer plays settles beside runs, kills and stale lists. */
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { failsSettling, type SettleResult } from '../../src/core/settle.ts'
import type { Thread } from '../../src/core/thread.ts'
import { dayMs, minuteMs } from '../../src/core/units.ts'
import { lagMs } from '../../src/life/next.ts'
import { Calls, rejected, type StoredComment, type StoredStatus } from './github.ts'
import { inputsOf, type Options, settleOn } from './settle-step.ts'
import { aChange, agentsPull, aPull, branchOf, command, event, issue, pullThread, Stage } from './step.ts'
import { answer } from './world.ts'

const hourMs = 60 * minuteMs
const detached = { wait: 'false' }
const thread = (number: number): Thread => ({ ...issue, number })
const noLink = (id: string) => answer(200, { id, status: 'completed', prLink: null })
const activeJob = (id: string) => answer(200, { id, status: 'active' })

/** What people see: on threads, beside commits (without the bytes of each record), and as reactions. */
function seen({ github }: Stage) {
  const threads = [...new Set(github.comments.map((comment) => comment.thread))]
  const states = github.statuses.map(({ commit }) => [commit, github.told(commit)[0]?.replace(/run .*/, '')])
  return {
    threads: Object.fromEntries(threads.map((each) => [each.number, github.said(each)])),
    statuses: Object.fromEntries(states),
    reactions: github.reactions.map(({ content }) => content),
  }
}

const rows = (result: SettleResult | undefined) =>
  result?.jobs.map(({ job, state, outcome }) => `${job} ${state} ${outcome ?? ''}`.trim())

/** Pushes a commit that merges pull request 3. */
function push(stage: Stage, inputs: Record<string, string>) {
  stage.github.pullsBehind.aaaa = [{ ...aPull(3, 'aaaa', 'merged'), mergeCommit: 'aaaa' }]
  return event(stage, aChange('aaaa'), { run: '9', inputs })
}

type Ask = (stage: Stage, inputs: Record<string, string>) => Promise<unknown>
const onThread: Ask = (stage, inputs) => command(stage, { comment: 1 }, { inputs })
const onCommit: Ask = (stage, inputs) => event(stage, aChange('aaaa'), { inputs })

/** A request that was made an hour ago. Its job ends at the next poll. */
async function withEnded(inputs: Record<string, string> = {}, ask = onThread, stage = new Stage()) {
  await ask(stage, { ...detached, ...inputs })
  stage.now += hourMs
  stage.platform.endJobs()
  return stage
}

describe('settle reports', () => {
  const review: Thread = { ...pullThread(3), reviewRoot: 40 }
  it.each<[name: string, end: string, ask: Ask]>([
    ['a command', 'completed', onThread],
    ['a command that fails', 'failed', onThread],
    [
      'a command in a review',
      'completed',
      (on, inputs) => command(on, { comment: 1, thread: review }, { inputs }),
    ],
    ['a push', 'completed', push],
    ['a push that fails', 'failed', push],
    ['a manual run', 'completed', (on, inputs) => event(on, null, { inputs })],
  ])('settle reports %s as if a run had waited for it', async (_, end, ask) => {
    const waited = new Stage()
    waited.platform.ends = [end]
    await ask(waited, {})
    const stage = new Stage()
    stage.platform.ends = [end]
    await ask(stage, detached)
    const before = seen(stage)
    stage.now += hourMs
    const active = await settleOn(stage)
    expect([rows(active.result), seen(stage)]).toEqual([['job_1 pending'], before])
    await settleOn(stage, { openedBranch: branchOf('job_1') })
    expect(seen(stage)).toEqual(seen(waited))
    expect(await settleOn(stage)).toMatchObject({ result: { outcome: 'settled', jobs: [] } })
  })

  it('settle reports a job to each of several requests, polls it once, and introduces it once', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: detached })
    for (const job of stage.platform.jobs.values()) job.activeReads = 9
    await command(stage, { comment: 2 }, { inputs: detached, run: '2' })
    await withEnded({}, async () => {}, stage)
    stage.github.lag = () => lagMs
    const { result, calls } = await settleOn(stage)
    expect(rows(result)).toEqual(['job_1 settled pull-request', 'job_1 settled pull-request'])
    expect(stage.github.seen['acme/docs#101']).toHaveLength(1)
    expect(calls.made.filter((call) => call === 'read job job_1')).toHaveLength(1)
  })

  it.each([
    ['a pull request that appears late', 1, 'pull-request'],
    ['no changes once a second poll confirms that there is no link', 2, 'no-changes'],
  ])('settle reports %s', async (_, polls, end) => {
    const stage = await withEnded()
    let polled = 0
    const { result } = await settleOn(stage, { read: (id) => (++polled <= polls ? noLink(id) : undefined) })
    expect([polled, rows(result)]).toEqual([2, [`job_1 settled ${end}`]])
  })

  it('one 404 for a job does not end its request, and a minute of them does', async () => {
    let reads = 0
    const once = await settleOn(await withEnded(), { read: () => (++reads === 1 ? answer(404) : undefined) })
    expect(rows(once.result)).toEqual(['job_1 settled pull-request'])
    const stage = await withEnded()
    const before = stage.now
    const gone = await settleOn(stage, { read: () => answer(404) })
    expect(rows(gone.result)).toEqual(['job_1 settled error'])
    expect(stage.now - before).toBeGreaterThanOrEqual(minuteMs)
  })

  it('settle does not report an earlier job for a later attempt', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed', 'completed']
    await withEnded({}, onThread, stage)
    let looks = 0
    await settleOn(stage, {
      openedBranch: branchOf('job_1'),
      github: ({ comments }) => ({
        async comments(at) {
          if (++looks > 1) return comments(at)
          await settleOn(stage)
          await command(stage, { comment: 1 }, { isRerun: true, inputs: detached })
          return comments(at)
        },
      }),
    })
    expect(stage.github.said(issue)).toEqual(['result: failed job_1', 'unfinished: detached job_2'])
  })

  it.each([
    ['its thread is deleted', onThread, 'comments', 'job_1 unreported'],
    ['GitHub rejects the status', onCommit, 'setStatus', 'job_1 unreported pull-request'],
  ])('settle lists a job that it could not report because %s', async (_, ask, call, row) => {
    const stage = await withEnded({}, ask)
    expect(rows((await settleOn(stage, { calls: Calls.where(rejected, call) })).result)).toEqual([row])
    expect(rows((await settleOn(stage)).result)).toEqual(['job_1 settled pull-request'])
  })

  it.each<[killed: 'send' | 'reply', ask: Ask, said: string, rerun: object]>([
    ['send', onThread, 'result: unconfirmed', { problem: { id: 'reported' } }],
    ['send', onCommit, 'failure: unconfirmed', { problem: { id: 'reported' } }],
    ['reply', onThread, 'result: error', { outcome: 'pull-request' }],
  ])(
    'settle ends a request whose run was killed at “%s”, ten minutes after its deadline',
    async (at, ask, said, again) => {
      const stage = new Stage()
      const killed = { calls: Calls.where('killed after', at), hasPost: false }
      const asking = (options: object) =>
        ask === onThread ? command(stage, { comment: 1 }, options) : event(stage, aChange('aaaa'), options)
      await asking(killed)
      const begun = seen(stage)
      stage.now = 70 * minuteMs
      expect([rows((await settleOn(stage)).result), seen(stage)]).toEqual([[], begun])
      stage.now += minuteMs + 1000
      expect((await settleOn(stage)).result?.jobs).toMatchObject([{ job: null, state: 'settled' }])
      const told = ask === onThread ? stage.github.said(issue) : stage.github.told('aaaa').slice(0, 1)
      expect(told).toEqual([expect.stringContaining(said)])
      expect((await settleOn(stage)).result?.jobs).toEqual([])
      expect((await asking({ isRerun: true })).result).toMatchObject(again)
    },
  )
})

describe('settle and allowed-paths', () => {
  const globs = { 'allowed-paths': 'docs/**' }
  const asks: [place: string, ask: Ask][] = [
    ['a comment', onThread],
    ['a commit', onCommit],
  ]
  async function changing(ask: Ask): Promise<Stage> {
    const stage = await withEnded(globs, ask)
    const edit = { status: 'added', previousPath: null, additions: 1, deletions: 0, patch: '+a' }
    stage.github.files = [{ path: 'src/evil.ts', ...edit }]
    stage.platform.onPull = (number) => {
      stage.github.details[number] ??= { ...agentsPull(number), changedFiles: 1 }
    }
    return stage
  }

  it.each(asks)('settle with the same allowed-paths checks the result of a request on %s', async (_, ask) => {
    const { result } = await settleOn(await changing(ask), { inputs: globs })
    expect(rows(result)).toEqual(['job_1 settled out-of-bounds'])
  })

  it('settle checks only what the request asked to check', async () => {
    const { result } = await settleOn(await withEnded(), { inputs: globs })
    expect(rows(result)).toEqual(['job_1 settled pull-request'])
  })

  it.each(asks.flatMap(([place, ask]) => ['', 'src/**'].map((given) => [place, given, ask] as const)))(
    'settle leaves the result of a request on %s for 24 hours if its allowed-paths are “%s”; then it is not checked',
    async (_, given, ask) => {
      const inputs = { 'allowed-paths': given }
      const stage = await changing(ask)
      const before = seen(stage)
      for (const wait of [0, 22.9 * hourMs]) {
        stage.now += wait
        const { result } = await settleOn(stage, { inputs })
        expect([result?.outcome, rows(result)]).toEqual(['settled', ['job_1 left']])
      }
      expect(seen(stage)).toEqual(before)
      stage.now += 0.1 * hourMs + minuteMs
      const { result } = await settleOn(stage, { inputs })
      expect(result).toMatchObject({ outcome: 'error', problem: { id: 'out-of-bounds' } })
      expect(rows(result)).toEqual(['job_1 settled error'])
      expect(JSON.stringify(seen(stage))).not.toContain('pull-request')
      expect(stage.github.statuses.filter(({ context }) => context.endsWith('allowed paths'))).toEqual([])
      const again = await settleOn(stage, { inputs })
      expect([again.result?.outcome, rows(again.result)]).toEqual(['settled', []])
    },
  )
})

describe('settle leaves', () => {
  it('settle leaves a job that completes without a link and then continues', async () => {
    const stage = await withEnded()
    const states = [noLink, activeJob]
    const { result } = await settleOn(stage, { read: (id) => (states.shift() ?? activeJob)(id) })
    expect(rows(result)).toEqual(['job_1 pending'])
  })

  it('settle does not list a request older than 28 days', async () => {
    const stage = await withEnded()
    stage.now += 30 * dayMs
    const { result, calls } = await settleOn(stage)
    expect([result?.jobs, calls.made.filter((call) => call.startsWith('read job'))]).toEqual([[], []])
  })

  it('settle waits for the job whose pull request was opened until its own deadline, and polls the others once', async () => {
    const stage = await withEnded()
    await command(stage, { comment: 2, thread: thread(8) }, { inputs: detached })
    for (const job of stage.platform.jobs.values()) job.activeReads = 4
    const inputs = { timeout: '5m' }
    const { result, calls } = await settleOn(stage, { openedBranch: branchOf('job_1'), inputs })
    expect(rows(result)).toEqual(['job_1 settled pull-request'])
    expect(calls.made.filter((call) => call === 'read job job_2')).toHaveLength(1)
    for (const job of stage.platform.jobs.values()) job.activeReads = 1000
    const from = stage.now
    expect(rows((await settleOn(stage, { openedBranch: branchOf('job_2'), inputs })).result)).toEqual([
      'job_2 pending',
    ])
    expect(stage.now - from).toBe(5 * minuteMs)
  })

  it.each<[why: string, options: object, inputs: Record<string, string>]>([
    [
      'its run may still be waiting for it',
      { calls: Calls.where('killed before', 'read job'), hasPost: false },
      {},
    ],
    ['another step must check its result', { inputs: { ...detached, 'allowed-paths': 'docs/**' } }, {}],
  ])('settle does not wait for a job if %s', async (_, options, inputs) => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, options)
    for (const job of stage.platform.jobs.values()) job.activeReads = 1000
    const { calls } = await settleOn(stage, { openedBranch: branchOf('job_1'), inputs })
    expect(calls.made.filter((call) => call === 'read job job_1')).toHaveLength(1)
  })
})

describe('settle does not trust', () => {
  const change = (stage: Stage, comment: Partial<StoredComment>, status: Partial<StoredStatus>) => {
    for (const each of stage.github.comments) Object.assign(each, comment)
    for (const each of stage.github.statuses) Object.assign(each, status)
  }
  const unsigned = (text: string) => text.replace(/\w(?= -->$|$)/, (last) => (last === 'A' ? 'B' : 'A'))
  it.each<[name: string, ask: Ask, spoil: (stage: Stage) => void, inputs?: Options['inputs']]>([
    ["another account's comment", onThread, (stage) => change(stage, { author: 'mallory' }, {})],
    ['a comment on another thread', onThread, (stage) => change(stage, { thread: thread(8) }, {})],
    [
      'a comment with another signature',
      onThread,
      ({ github: { comments } }) => {
        for (const each of comments) each.body = unsigned(each.body)
      },
    ],
    ['a comment about another project', onThread, () => {}, { 'project-id': 'other' }],
    ["another account's status", onCommit, (stage) => change(stage, {}, { creator: 'mallory' })],
    ['a status on another commit', onCommit, (stage) => change(stage, {}, { commit: 'bbbb' })],
    [
      'a status with another signature',
      onCommit,
      ({ github: { statuses } }) => {
        for (const each of statuses) each.description = unsigned(each.description)
      },
    ],
    ['a status about another project', onCommit, () => {}, { 'project-id': 'other' }],
  ])('settle does not trust %s', async (_, ask, spoil, inputs = {}) => {
    const stage = await withEnded({}, ask)
    spoil(stage)
    const before = seen(stage)
    const { result, calls } = await settleOn(stage, { inputs })
    expect([result?.jobs, calls.made.filter((call) => /^(read job|statuses)/.test(call))]).toEqual([[], []])
    expect(seen(stage)).toEqual(before)
  })
})

describe('settle', () => {
  it.each(['recentStatuses', 'recentComments issue', 'recentComments review', 'viewer'])(
    'settle ends with an error if GitHub rejects `%s`, because it cannot find the open jobs',
    async (name) => {
      const calls = new Calls((_, called) => (name.startsWith(called) ? rejected : undefined))
      const { result } = await settleOn(await withEnded(), { calls })
      expect(result).toMatchObject({ outcome: 'error', jobs: [], problem: { id: 'unread' } })
    },
  )

  it('settle ends with an error if the key is rejected', async () => {
    const stage = await withEnded()
    const { result } = await settleOn(stage, { read: () => answer(401) })
    expect(result).toMatchObject({ outcome: 'error', problem: { call: { name: 'read' } } })
    expect(stage.github.said(issue)).toEqual(['unfinished: detached job_1'])
  })

  it('settle keeps what it reported before a cancel', async () => {
    const stage = new Stage()
    await command(stage, { comment: 2, thread: thread(8) }, { inputs: detached })
    await withEnded({}, onThread, stage)
    const controller = new AbortController()
    const { result } = await settleOn(stage, {
      cancelled: controller.signal,
      github: (ports) => ({
        async react(...args) {
          controller.abort()
          return ports.react(...args)
        },
      }),
    })
    expect(result).toMatchObject({ outcome: 'cancelled', jobs: [{ state: 'settled' }] })
  })

  it.each([
    ['none', false],
    ['failed', true],
    ['archived', false],
  ])('settle with `fail-on: %s` fails after a failed job: %s', async (failOn, isRed) => {
    const stage = new Stage()
    stage.platform.ends = ['failed']
    const inputs = { 'fail-on': failOn }
    const { result } = await settleOn(await withEnded({}, onThread, stage), { inputs })
    expect(result && failsSettling(result, inputsOf(inputs).failOn)).toBe(isRed)
  })

  it('settle says if GitHub cut a list', async () => {
    const stage = await withEnded()
    const calls = new Calls((_, name) => {
      stage.github.isCut = name.startsWith('recent')
      return undefined
    })
    expect(await settleOn(stage, { calls })).toMatchObject({ result: { isCut: true } })
  })

  it('settle makes one request each for the statuses, the open pull requests, the pages of comments, and each open job', async () => {
    const stage = new Stage()
    for (const number of [1, 2])
      await command(stage, { comment: number, thread: thread(number) }, { inputs: detached })
    stage.now += hourMs
    const finding = ['recentStatuses', 'recentComments issue', 'recentComments review']
    const { made } = (await settleOn(stage)).calls
    expect(made.filter((call) => call.trim() !== 'viewer')).toEqual(
      expect.arrayContaining([...finding, 'read job job_1', 'read job job_2', 'openPulls']),
    )
    expect(made.filter((call) => call.trim() !== 'viewer')).toHaveLength(6)
  })

  it('settle makes only the requests that reporting needs, for each job that has ended', async () => {
    const { calls } = await settleOn(await withEnded())
    const made = calls.made.filter((call) => call.trim() !== 'viewer')
    const from = made.indexOf('read job job_1') + 1
    expect(made.slice(from, from + 8)).toEqual([
      ...['comments acme/docs#7', 'pull', 'changedFiles', 'comments acme/docs#101', 'reply acme/docs#101'],
      ...['reply acme/docs#7', 'react rocket', 'remove acme/docs#7'],
    ])
  })
})

describe('what a later run finds', () => {
  it('a re-run of a command for help does not answer again', async () => {
    const stage = new Stage()
    for (const isRerun of [false, true])
      await command(stage, { comment: 1, instruction: 'help' }, { isRerun })
    expect(stage.github.said(issue)).toEqual(['help'])
  })

  it('a comment that is signed with an earlier key is hidden beside a newer result', async () => {
    const stage = new Stage()
    stage.platform.next = answer(401)
    await command(stage, { comment: 1 }, { sign: signWith('mint_an_earlier_key') })
    expect(stage.github.said(issue)).toEqual(['result: error'])
    await command(stage, { comment: 1 }, { isRerun: true })
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
    expect(stage.github.on(issue)).toHaveLength(2)
  })
})
