import { describe, expect, it } from 'vitest'
import { failsSettling, type SettleResult } from '../../src/core/settle.ts'
import type { Thread } from '../../src/core/thread.ts'
import type { GitHubPorts } from '../../src/usecases/ports.ts'

import { Calls, lost, type Mishap, rejected, type StoredComment, type StoredStatus } from './github.ts'
import { inputsOf, leftBy, type Options, settleOn } from './settle-step.ts'
import {
  aChange,
  agentsPull,
  aPull,
  branchOf,
  command,
  event,
  issue,
  pullThread,
  Stage,
  type StepOptions,
} from './step.ts'

import { answer } from './world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const detached = { wait: 'false' }
const thread = (number: number): Thread => ({ ...issue, number })
const noLink = (id: string) => answer(200, { id, status: 'completed', prLink: null })

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

/** Pushes a commit that merges pull request 3. */
function push(stage: Stage, head: string, inputs: Record<string, string> = {}) {
  stage.github.pullsBehind[head] = [{ ...aPull(3, 'aaaa', 'merged'), mergeCommit: head }]
  return event(stage, aChange(head), { run: '9', inputs })
}

/** Lets time pass. After that, each job ends at its next poll. */
function later(stage: Stage, ms = hour): void {
  stage.now += ms
  stage.platform.endJobs()
}

/** One command, sent an hour ago. Its job ends at the next poll. */
async function withEnded(inputs: Record<string, string> = {}): Promise<Stage> {
  const stage = new Stage()
  await command(stage, { comment: 1 }, { inputs: { ...detached, ...inputs } })
  later(stage)
  return stage
}

/** One run on a commit, an hour ago. Its job ends at the next poll. */
async function withEndedRun(inputs: Record<string, string> = {}): Promise<Stage> {
  const stage = new Stage()
  await event(stage, aChange('aaaa'), { inputs: { ...detached, ...inputs } })
  later(stage)
  return stage
}

/** What people see, without the bytes that say who wrote a status. */
const withoutWriters = (all: unknown) =>
  JSON.stringify(all, null, 1).replace(/[+-]\w+\.1\.\w{4}\.\S{16}"/g, '"')

describe('settle reports', () => {
  type Ask = (stage: Stage, inputs: Record<string, string>) => Promise<unknown>
  const review: Thread = { ...pullThread(3), reviewRoot: 40 }
  const asks: [name: string, end: string, ask: Ask][] = [
    ['a command', 'completed', (stage, inputs) => command(stage, { comment: 1 }, { inputs })],
    ['a command that fails', 'failed', (stage, inputs) => command(stage, { comment: 1 }, { inputs })],
    [
      'a command in a review',
      'completed',
      (stage, inputs) => command(stage, { comment: 1, thread: review }, { inputs }),
    ],
    ['a push', 'completed', (stage, inputs) => push(stage, 'aaaa', inputs)],
    ['a push that fails', 'failed', (stage, inputs) => push(stage, 'aaaa', inputs)],
    ['a manual run', 'completed', (stage, inputs) => event(stage, null, { inputs })],
  ]
  it.each(asks)('settle reports %s as if a run had waited for it', async (_, end, ask) => {
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
    expect(withoutWriters(seen(stage))).toEqual(withoutWriters(seen(waited)))
    expect(await settleOn(stage)).toMatchObject({ result: { outcome: 'settled', jobs: [] } })
  })

  it('settle reports the result of a step that timed out, and of one that was killed', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: { timeout: '1s' } })
    const killed = Calls.where('killed before', 'read job')
    await command(stage, { comment: 2, thread: thread(8) }, { calls: killed, hasPost: false, run: '2' })
    later(stage)
    // The killed step's run may still be active.
    expect(rows((await settleOn(stage)).result)).toEqual(['job_1 settled pull-request', 'job_2 pending'])
    later(stage)
    expect(rows((await settleOn(stage)).result)).toEqual(['job_2 settled pull-request'])
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
    expect(stage.github.said(thread(8))).toEqual(['result: pull-request job_2'])
  })

  it('settle reports each of several runs on one commit', async () => {
    const stage = new Stage()
    for (const run of ['1', '2', '3']) await event(stage, null, { run, inputs: detached })
    later(stage)
    expect(rows((await settleOn(stage)).result)).toHaveLength(3)
    const ended = stage.github.told('aaaa').filter((line) => line.startsWith('success'))
    expect(ended.map((line) => /job_\d · run \d/.exec(line)?.[0]).sort()).toEqual(
      [1, 2, 3].map((run) => `job_${run} · run ${run}`),
    )
  })

  it('settle reports a pull request that appears after its job was reported without one', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: detached })
    await event(stage, null, { run: '2', inputs: detached })
    later(stage)
    const { result, calls } = await settleOn(stage, { read: noLink })
    expect(rows(result)).toEqual(['job_1 settled no-changes', 'job_2 settled no-changes'])
    expect(calls.made.filter((call) => call === 'read job job_1')).toHaveLength(2)
    for (const expected of [['job_1 settled pull-request', 'job_2 settled pull-request'], []])
      expect(rows((await settleOn(stage)).result)).toEqual(expected)
    expect(stage.github.seen['acme/docs#7']?.filter((line) => line.startsWith('+ result'))).toEqual([
      '+ result: no-changes job_1',
      '+ result: pull-request job_1',
    ])
  })

  it('settle reports once that a job is gone', async () => {
    const stage = await withEnded()
    stage.platform.jobs.clear()
    expect(rows((await settleOn(stage)).result)).toEqual(['job_1 settled error'])
    expect(stage.github.said(issue)).toEqual(['result: error job_1'])
    expect(rows((await settleOn(stage)).result)).toEqual([])
  })

  it('settle reports the result of a second attempt beside the result of the first', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed', 'completed']
    await command(stage, { comment: 1 })
    await command(stage, { comment: 1 }, { isRerun: true, inputs: detached })
    later(stage)
    await settleOn(stage)
    expect(stage.github.said(issue)).toEqual(['result: failed job_1', 'result: pull-request job_2'])
  })

  it('settle reports a job to each of several requests, and polls it once', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: detached })
    await command(stage, { comment: 2 }, { inputs: detached, run: '2' })
    later(stage)
    const { result, calls } = await settleOn(stage)
    expect(rows(result)).toEqual(['job_1 settled pull-request', 'job_1 settled pull-request'])
    expect(calls.made.filter((call) => call === 'read job job_1')).toHaveLength(1)
  })

  describe('allowed-paths', () => {
    const globs = { 'allowed-paths': 'docs/**' }
    const changing = (stage: Stage) => {
      const edit = { status: 'added', previousPath: null, additions: 1, deletions: 0, patch: '+a' }
      stage.github.files = [{ path: 'src/evil.ts', ...edit }]
      stage.platform.onPull = (number) => {
        stage.github.details[number] ??= { ...agentsPull(number), changedFiles: 1 }
      }
      return stage
    }
    const asks: [place: string, ask: () => Promise<Stage>][] = [
      ['a comment', async () => changing(await withEnded(globs))],
      ['a commit', async () => changing(await withEndedRun(globs))],
    ]

    it.each(asks)(
      'settle with the same allowed-paths checks the result of a request on %s',
      async (_, ask) => {
        const stage = await ask()
        expect(rows((await settleOn(stage, { inputs: globs })).result)).toEqual([
          'job_1 settled out-of-bounds',
        ])
      },
    )

    it('settle does not check the result of a request without allowed-paths', async () => {
      const { result } = await settleOn(await withEnded(), { inputs: globs })
      expect(rows(result)).toEqual(['job_1 settled pull-request'])
    })

    const others = asks.flatMap(([place, ask]) =>
      ['', 'src/**'].map((given) => [place, given, { 'allowed-paths': given }, ask] as const),
    )

    it.each(others)(
      'settle leaves the result of a request on %s for 24 hours if its allowed-paths are “%s”',
      async (_, _given, inputs, ask) => {
        const stage = await ask()
        const before = seen(stage)
        for (const wait of [0, 22.9 * hour]) {
          stage.now += wait
          const { result } = await settleOn(stage, { inputs })
          expect([result?.outcome, rows(result)]).toEqual(['settled', ['job_1 left']])
        }
        expect(seen(stage)).toEqual(before)
        const { result } = await settleOn(stage, { inputs: globs })
        expect(rows(result)).toEqual(['job_1 settled out-of-bounds'])
      },
    )

    it.each(others)(
      'settle reports the result of a request on %s as not checked after 24 hours if its allowed-paths are “%s”',
      async (_, _given, inputs, ask) => {
        const stage = await ask()
        stage.now += day
        const { result } = await settleOn(stage, { inputs })
        const files = { kind: 'unchecked' }
        expect(result).toMatchObject({ outcome: 'error', problem: { files } })
        expect(rows(result)).toEqual(['job_1 settled error'])
        expect(JSON.stringify(seen(stage))).not.toContain('pull-request')
        expect(stage.github.statuses.filter(({ context }) => context.endsWith('allowed paths'))).toEqual([])
        const again = await settleOn(stage, { inputs })
        expect([again.result?.outcome, rows(again.result)]).toEqual(['settled', []])
      },
    )

    it('settle does not wait for a job whose result it must leave to another step', async () => {
      const stage = await withEnded(globs)
      const [before] = [stage.now]
      await settleOn(stage, { openedBranch: branchOf('job_1') })
      expect(stage.now - before).toBeLessThan(minute)
    })

    it('settle reports a failed job at once, because there is nothing to check', async () => {
      const stage = new Stage()
      stage.platform.ends = ['failed']
      await command(stage, { comment: 1 }, { inputs: { ...detached, ...globs } })
      later(stage)
      expect(rows((await settleOn(stage)).result)).toEqual(['job_1 settled failed'])
    })
  })

  it('settle reports nothing on a deleted thread, but lists the job', async () => {
    const stage = await withEnded()
    const calls = Calls.where({ status: 404, message: 'no' }, 'comments')
    expect(rows((await settleOn(stage, { calls })).result)).toEqual(['job_1 unreported pull-request'])
  })

  it('settle reports a result again if GitHub rejected it', async () => {
    const stage = await withEndedRun()
    const calls = Calls.where(rejected, 'setStatus')
    expect(rows((await settleOn(stage, { calls })).result)).toEqual(['job_1 unreported pull-request'])
    expect(rows((await settleOn(stage)).result)).toEqual(['job_1 settled pull-request'])
  })

  it('settle reports nothing on a commit if another settle has reported the result in the meantime', async () => {
    const stage = await withEndedRun()
    let looks = 0
    await settleOn(stage, {
      github: ({ statuses }) => ({
        async statuses(repository, commit) {
          looks += 1
          if (looks === 2) await settleOn(stage)
          return statuses(repository, commit)
        },
      }),
    })
    expect(stage.github.told('aaaa').filter((line) => line.startsWith('success'))).toHaveLength(1)
  })
})

describe('settle closes', () => {
  const killAt = (name: string, hasPost: boolean): StepOptions => ({
    calls: Calls.where('killed after', name),
    hasPost,
  })
  const onIssue = (stage: Stage, options: StepOptions) => command(stage, { comment: 1 }, options)
  const onCommit = (stage: Stage, options: StepOptions) => event(stage, aChange('aaaa'), options)
  const rows: [name: string, ask: typeof onIssue, killed: string, hasPost: boolean, ms: number][] = [
    ['a command whose job is not known', onIssue, 'send', false, 70 * minute],
    ['a command whose post step ran', onIssue, 'send', true, 70 * minute],
    ['a push whose job is not known', onCommit, 'send', false, 70 * minute],
  ]
  it.each(rows)('settle closes %s', async (_, ask, killed, hasPost, ms) => {
    const stage = new Stage()
    await ask(stage, killAt(killed, hasPost))
    const begun = seen(stage)
    stage.now = ms
    expect((await settleOn(stage)).result?.jobs).toEqual([])
    expect(seen(stage)).toEqual(begun)
    stage.now += minute + 1000
    const { result } = await settleOn(stage)
    expect(result?.jobs).toMatchObject([{ job: null, state: 'settled', outcome: 'unconfirmed' }])
    const told = ask === onIssue ? stage.github.said(issue) : stage.github.told('aaaa').slice(0, 1)
    expect(told).toEqual([expect.stringMatching(/^(result|failure): unconfirmed/)])
    expect((await settleOn(stage)).result?.jobs).toEqual([])
    // A re-run repeats the reported outcome.
    expect((await ask(stage, { isRerun: true })).result).toMatchObject({ problem: { id: 'reported' } })
  })

  it('settle says that a request was not sent if its run was killed before that', async () => {
    const stage = new Stage()
    await onIssue(stage, killAt('reply', false))
    stage.now = 72 * minute
    const { result } = await settleOn(stage)
    expect(result?.jobs).toMatchObject([{ job: null, state: 'settled', outcome: 'error' }])
    expect(stage.github.said(issue)).toEqual(['result: error'])
    expect((await settleOn(stage)).result?.jobs).toEqual([])
    // A re-run sends it.
    expect((await onIssue(stage, { isRerun: true })).result).toMatchObject({ outcome: 'pull-request' })
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it('settle closes no request that has a result, but removes the comment that the result replaced', async () => {
    const stage = new Stage()
    const calls = Calls.where('killed before', 'remove')
    await command(stage, { comment: 1 }, { calls, hasPost: false })
    expect(stage.github.said(issue)).toEqual(['working (own)', 'result: pull-request job_1'])
    later(stage, 2 * hour)
    expect((await settleOn(stage)).result?.jobs).toEqual([])
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })
})

describe('settle leaves', () => {
  /** A job that is completed without a link at first, and then active. */
  function comesBack() {
    const states = ['completed', 'active']
    return (id: string) => answer(200, { id, status: states.shift() ?? 'active', prLink: null })
  }
  it.each<[name: string, after: number, options: Options, row: string]>([
    ['a young job', -55 * minute, {}, 'job_1 pending'],
    ['an active job', 0, { read: (id) => answer(200, { id, status: 'active' }) }, 'job_1 pending'],
    ['a job that cannot be read', 0, { read: () => answer(500) }, 'job_1 pending'],
    ['a job that completes without a link and then continues', 0, { read: comesBack() }, 'job_1 pending'],
    ['a job older than 28 days, which it does not list', 30 * day, {}, ''],
  ])('settle leaves %s', async (_, after, options, expected) => {
    const stage = await withEnded()
    stage.now += after
    const before = JSON.stringify([stage.github.comments, stage.github.reactions])
    const { result, calls } = await settleOn(stage, options)
    expect(rows(result)?.join()).toBe(expected)
    if (after > 0) expect(calls.made).not.toContain('read job job_1')
    expect(JSON.stringify([stage.github.comments, stage.github.reactions])).toBe(before)
  })

  it('settle ends a request whose job is still active after 14 days', async () => {
    const stage = await withEnded()
    stage.now += 15 * day
    const { result } = await settleOn(stage, { read: (id) => answer(200, { id, status: 'active' }) })
    expect(rows(result)).toEqual(['job_1 settled error'])
    expect(stage.github.said(issue)).toEqual(['result: error job_1'])
    expect(rows((await settleOn(stage)).result)).toEqual([])
  })

  it('settle leaves a job that does not end in time, even if its pull request was opened', async () => {
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
})

it('settle does not wait for a job that its run may still be waiting for', async () => {
  const stage = new Stage()
  const killed = Calls.where('killed before', 'read job')
  await command(stage, { comment: 1 }, { calls: killed, hasPost: false })
  for (const job of stage.platform.jobs.values()) job.activeReads = 1000
  const { result, calls } = await settleOn(stage, { openedBranch: branchOf('job_1') })
  expect(rows(result)).toEqual(['job_1 pending'])
  expect(calls.made.filter((call) => call === 'read job job_1')).toHaveLength(1)
})

describe('settle does not trust', () => {
  const inComment = async () => withEnded()
  const change = (stage: Stage, comment: Partial<StoredComment>, status: Partial<StoredStatus>) => {
    for (const each of stage.github.comments) Object.assign(each, comment)
    for (const each of stage.github.statuses) Object.assign(each, status)
  }
  const unsigned = (text: string) => text.replace(/\w(?= -->$|$)/, (last) => (last === 'A' ? 'B' : 'A'))
  it.each<
    [name: string, begin: () => Promise<Stage>, spoil: (stage: Stage) => void, inputs?: Options['inputs']]
  >([
    ["another account's comment", inComment, (stage) => change(stage, { author: 'mallory' }, {})],
    ['a comment on another thread', inComment, (stage) => change(stage, { thread: thread(8) }, {})],
    [
      'a comment with another signature',
      inComment,
      ({ github: { comments } }) => {
        for (const each of comments) each.body = unsigned(each.body)
      },
    ],
    ['a comment about another project', inComment, () => {}, { 'project-id': 'other' }],
    ["another account's status", withEndedRun, (stage) => change(stage, {}, { creator: 'mallory' })],
    ['a status on another commit', withEndedRun, (stage) => change(stage, {}, { commit: 'bbbb' })],
    [
      'a status with another signature',
      withEndedRun,
      ({ github: { statuses } }) => {
        for (const each of statuses) each.description = unsigned(each.description)
      },
    ],
    ['a status about another project', withEndedRun, () => {}, { 'project-id': 'other' }],
  ])('settle does not trust %s', async (_, begin, spoil, inputs = {}) => {
    const stage = await begin()
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
      expect(result).toMatchObject({
        outcome: 'error',
        jobs: [],
        problem: { id: 'unread' },
      })
    },
  )

  it('settle ends with an error if the key is rejected', async () => {
    const stage = await withEnded()
    const { result } = await settleOn(stage, { read: () => answer(401) })
    expect(result).toMatchObject({ outcome: 'error', problem: { call: { name: 'read' } } })
    expect(stage.github.said(issue)).toEqual(['unfinished: detached job_1'])
  })

  it('settle keeps what it reported before a cancel', async () => {
    const stage = await withEnded()
    await command(stage, { comment: 2, thread: thread(8) }, { inputs: detached })
    later(stage)
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
  ])('settle with `fail-on: %s` fails after a failed job: %s', async (failOn, isRed) => {
    const stage = new Stage()
    stage.platform.ends = ['failed']
    await command(stage, { comment: 1 }, { inputs: detached })
    later(stage)
    const inputs = { 'fail-on': failOn }
    const { result } = await settleOn(stage, { inputs })
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

  const withoutViewer = ({ made }: Calls) => made.filter((call) => call.trim() !== 'viewer')

  it('settle makes one request each for the statuses, the open pull requests, the pages of comments, and each open job', async () => {
    const stage = new Stage()
    for (const number of [1, 2, 3])
      await command(stage, { comment: number, thread: thread(number) }, { inputs: detached })
    stage.now += hour
    expect(withoutViewer((await settleOn(stage)).calls)).toEqual([
      ...['recentStatuses', 'recentComments issue', 'recentComments review'],
      ...['read job job_1', 'read job job_2', 'read job job_3', 'openPulls'],
    ])
  })

  it('settle makes only the requests that reporting needs, for each job that has ended', async () => {
    const { calls } = await settleOn(await withEnded())
    const onPull = 'acme/docs#101'
    const onThread = 'acme/docs#7'
    expect(withoutViewer(calls).slice(4)).toEqual([
      `comments ${onThread}`,
      'pull',
      'changedFiles',
      ...[`comments ${onPull}`, `reply ${onPull}`],
      ...[`reply ${onThread}`, 'react rocket', `remove ${onThread}`],
      'openPulls',
    ])
  })
})

interface Crowd {
  threads?: number
  commits?: number
  /** Number of jobs that are gone, starting with the first. */
  gone?: number
}

/** Commands on threads and pushes of commits, whose jobs have ended or are gone. */
async function crowd({ threads = 0, commits = 0, gone = 0 }: Crowd): Promise<Stage> {
  const stage = new Stage()
  for (let number = 1; number <= threads; number++)
    await command(stage, { comment: number, thread: thread(number) }, { inputs: detached, run: `${number}` })
  for (let number = 1; number <= commits; number++)
    await event(stage, aChange(`commit${number}`), { inputs: detached, run: `${100 + number}` })
  later(stage)
  for (const id of [...stage.platform.jobs.keys()].slice(0, gone)) stage.platform.jobs.delete(id)
  return stage
}

/** Expects one result for each request, and one of these numbers of comments on each of the agent's pull requests. */
function expectOneResult(
  { github }: Stage,
  { threads = 0, commits = 0, gone = 0 }: Crowd,
  comments: number[],
) {
  for (let number = 1; number <= threads; number++) {
    const end = number <= gone ? 'error' : 'pull-request'
    expect(github.said(thread(number))).toEqual([`result: ${end} job_${number}`])
  }
  for (let number = 1; number <= commits; number++)
    expect(github.told(`commit${number}`)[0]).toMatch(/^success: pull-request · job/)
  for (let job = gone + 1; job <= threads + commits; job++)
    expect(comments).toContain(github.said(pullThread(100 + job)).length)
}

it.each<[mishaps: string, Mishap[], comments: number[]]>([
  ['a kill', ['killed before', 'killed after'], [1]],
  // If GitHub rejects the comment on the pull request, settle only warns, because the result is more important.
  ['a rejection or a lost response', [rejected, lost], [0, 1]],
])('each request ends up with one result, even if one call meets %s', async (_, mishaps, comments) => {
  const few = { threads: 2, commits: 1, gone: 1 }
  const states = await leftBy(mishaps, await crowd(few), (stage, calls) => settleOn(stage, { calls }))
  expect(states.length).toBeGreaterThan(10)
  for (const { stage } of states) {
    for (let run = 0; run < 2; run++) {
      stage.now += hour
      await settleOn(stage)
    }
    expectOneResult(stage, few, comments)
    const mails = Object.values(stage.github.seen)
      .flat()
      .filter((line) => line.startsWith('+ result'))
    expect(mails.length).toBeLessThanOrEqual(few.threads)
  }
})

describe('two runs at once', () => {
  /** Runs A up to its i-th call and B up to its j-th call, then A to the end, and then B. */
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
  // If `RUNS` is set, every overlap is tried.
  const stride = process.env.RUNS ? 1 : 5

  it.each<[name: string, a: Run, b: Run]>([
    ['both settle', settling, settling],
    ['one settles while a step waits', settling, waiting],
    ['a step waits while one settles', waiting, settling],
  ])('parallel runs leave one result at any overlap: %s', async (_, runA, runB) => {
    for (const place of places) {
      const begun = (await crowd(place)).save()
      const [callsOfA, callsOfB] = [new Calls(), new Calls()]
      await runA(Stage.from(begun), callsOfA)
      await runB(Stage.from(begun), callsOfB)
      for (let i = 0; i <= callsOfA.made.length; i++)
        for (let j = i % stride; j <= callsOfB.made.length; j += stride) {
          const stage = Stage.from(begun)
          await interleave(stage, i, j, runA, runB)
          // Two runs that report at the same moment may both leave a message. The next settle removes one.
          stage.now += minute
          await settleOn(stage)
          expectOneResult(stage, place, [1])
        }
    }
  })
})
