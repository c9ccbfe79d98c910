/** What settle reports, leaves, and does not trust. The explorer plays settles beside runs, kills and stale lists. */
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import type { Exchange, GitHubFailure } from '../../src/core/http.ts'
import type { SettleResult } from '../../src/core/outcome.ts'
import { pullThread, type Thread } from '../../src/core/thread.ts'
import { dayMs, minuteMs } from '../../src/core/units.ts'
import { lagMs } from '../../src/record/next.ts'
import { addStatus, type StoredComment, type StoredStatus } from '../github.ts'
import { Calls, rejected } from './github.ts'
import {
  aChange,
  aFile,
  aPull,
  command,
  event,
  issue,
  Stage,
  type StepOptions,
  settleOn,
  theRun,
} from './step.ts'
import { answer, job, start } from './world.ts'

const hourMs = 60 * minuteMs
const detached = { wait: 'false' }
const thread = (number: number): Thread => ({ ...issue, number })

/** What people see: on threads, beside commits (without the bytes of each record), and as reactions. */
function seen({ github }: Stage) {
  const threads = [...new Set(github.comments.map((comment) => comment.thread))]
  return {
    threads: threads.map((each) => [each.number, github.said(each)]),
    statuses: github.statuses.map(({ commit }) => github.told(commit)[0]?.replace(/run .*/, '')).at(-1),
    reactions: github.reactions.map(({ content }) => content),
  }
}

const rows = (result: SettleResult | undefined) =>
  result?.jobs.map(({ job, state, result }) => `${job} ${state} ${result?.outcome ?? ''}`.trim()).join()
const pollsOf = (job: string, { made }: Calls) => made.filter((call) => call === `read job ${job}`).length
const settled = async (...given: Parameters<typeof settleOn>) => rows((await settleOn(...given)).result)

/** Someone whose token belongs to the same account posts a status again. */
const addCopy = ({ github }: Stage, status: StoredStatus) =>
  Object.assign(github, addStatus(github, status.commit, { ...status }))

type Ask = (stage: Stage, inputs: Record<string, string>, calls?: Calls) => Promise<unknown>
const onThread: Ask = (stage, inputs, calls = new Calls()) =>
  command(stage, { comment: 1 }, { inputs, calls })
const onCommit: Ask = (stage, inputs, calls = new Calls()) => event(stage, aChange('aaaa'), { inputs, calls })
const places: [place: string, ask: Ask][] = [
  ['a comment', onThread],
  ['a commit', onCommit],
]

/** A request that was made an hour ago. Its job ends at the next poll. */
async function withEnded(inputs: Record<string, string> = {}, ask = onThread, stage = new Stage()) {
  await ask(stage, { ...detached, ...inputs })
  stage.now += hourMs
  stage.platform.endJobs()
  return stage
}

describe('settle reports', () => {
  const review: Thread = { ...pullThread(theRun, 3), reviewRoot: 40 }
  const inReview: Ask = (on, inputs) => command(on, { comment: 1, thread: review }, { inputs })
  const push: Ask = (stage, inputs) => {
    stage.github.pullsBehind.aaaa = [{ ...aPull(3, 'aaaa', 'merged'), mergeCommit: 'aaaa' }]
    return event(stage, aChange('aaaa'), { run: '9', inputs })
  }
  it.each<[name: string, end: string, ask: Ask]>([
    ['a command that fails', 'failed', onThread],
    ['a command in a review', 'completed', inReview],
    ['a push that fails', 'failed', push],
    ['a manual run', 'completed', (on, inputs) => event(on, null, { inputs })],
  ])('settle reports %s as if a run had waited for it', async (_, end, ask) => {
    const [waited, stage] = [new Stage(), new Stage()]
    waited.platform.ends = stage.platform.ends = [end]
    await ask(waited, {})
    await ask(stage, detached)
    const before = seen(stage)
    stage.now += hourMs
    expect([await settled(stage), seen(stage)]).toEqual(['job_1 pending', before])
    await settleOn(stage, { openedBranch: 'docs/job_1' })
    expect(seen(stage)).toEqual(seen(waited))
    expect(await settleOn(stage)).toMatchObject({ result: { outcome: 'settled', jobs: [] } })
  })

  it('settle reports a job to each of its requests, polls it once, and comments on its pull request once', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { inputs: detached })
    stage.platform.endJobs(9)
    await command(stage, { comment: 2 }, { inputs: detached, run: '2' })
    await withEnded({}, async () => {}, stage)
    stage.github.lag = () => lagMs
    const { result, calls } = await settleOn(stage)
    expect(rows(result)).toBe('job_1 settled pull-request,job_1 settled pull-request')
    expect(stage.github.seen['acme/docs#101']).toHaveLength(1)
    expect(pollsOf('job_1', calls)).toBe(1)
  })

  const [linkless, gone] = [job('completed'), answer(404)]
  it.each<[name: string, polls: Exchange[], row: string, outcome?: string]>([
    ['shows its link late', [linkless], 'job_1 settled pull-request'],
    ['has no link', [linkless, linkless], 'job_1 settled no-changes'],
    ['continues', [linkless, job('active')], 'job_1 pending'],
    ['is unknown for a moment', [gone], 'job_1 settled pull-request'],
    ['is gone', Array(99).fill(gone), 'job_1 settled error'],
    ['needs another key', [answer(401)], '', 'error'],
  ])('settle polls a job that %s', async (_, polls, row, outcome = 'settled') => {
    const stage = await withEnded()
    stage.platform.read = () => polls.shift()
    const { result } = await settleOn(stage)
    expect([rows(result), result?.outcome]).toEqual([row, outcome])
  })

  it('settle reports a result even if its sleep ends a millisecond early', async () => {
    const stage = await withEnded()
    const { sleep } = stage.clock
    stage.clock.sleep = (ms, signal) => sleep(ms - 1, signal)
    expect(await settled(stage)).toBe('job_1 settled pull-request')
  })

  it('settle does not report an earlier job for a later attempt', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed', 'completed']
    await withEnded({}, onThread, stage)
    await settleOn(stage)
    await command(stage, { comment: 1 }, { isRerun: true, inputs: detached })
    // The first lists are from the time before both.
    const calls = new Calls((number) => {
      stage.github.lag = () => (number < 3 ? minuteMs : 0)
      return undefined
    })
    await settleOn(stage, { openedBranch: 'docs/job_1', calls })
    expect(stage.github.said(issue)).toEqual(['result: failed job_1', 'unfinished: detached job_2'])
  })

  it.each([
    ['its thread is deleted', onThread, ['reply', 'edit'], 'job_1 unreported pull-request'],
    ['GitHub rejects the status', onCommit, ['setStatus'], 'job_1 unreported pull-request'],
    ['GitHub rejects the statuses', onCommit, ['statuses'], 'job_1 unreported'],
  ])('settle lists a job that it could not report because %s', async (_, ask, names, row) => {
    const stage = await withEnded({}, ask)
    expect(await settled(stage, { calls: Calls.where(rejected, ...names) })).toBe(row)
    expect(await settled(stage)).toBe('job_1 settled pull-request')
  })

  it.each<[name: string, inputs: Record<string, string>, gone: boolean, problem: string, outcome: string]>([
    ['a job that is gone', {}, true, 'call-failed', 'settled'],
    ['a job whose files were not checked', { 'allowed-paths': 'docs/**' }, false, 'allowed-paths', 'error'],
  ])('settle keeps why %s ended if GitHub rejects the report', async (_, inputs, gone, problem, outcome) => {
    const stage = await withEnded(inputs)
    stage.now += 30 * hourMs
    if (gone) stage.platform.jobs.clear()
    const { result } = await settleOn(stage, { calls: Calls.where(rejected, 'reply', 'edit') })
    expect(rows(result)).toBe('job_1 unreported error')
    expect([result?.jobs[0]?.result?.problem?.kind, result?.outcome]).toEqual([problem, outcome])
  })

  const denied: GitHubFailure = { kind: 'permission', status: 403, detail: 'Resource not accessible' }
  it.each(places)('settle fails if a permission for the result on %s is missing', async (_, ask) => {
    const stage = await withEnded({}, ask)
    const outcomeIf = async (failure: typeof rejected) =>
      (await settleOn(stage, { calls: Calls.where(failure, 'reply', 'edit', 'setStatus') })).result?.outcome
    expect([await outcomeIf(denied), await outcomeIf(rejected)]).toEqual(['error', 'settled'])
    expect(await settled(stage)).toBe('job_1 settled pull-request')
  })
})

describe('settle and allowed-paths', () => {
  const globs = { 'allowed-paths': 'docs/**' }
  async function changing(ask: Ask, inputs: Record<string, string> = globs): Promise<Stage> {
    const stage = await withEnded(inputs, ask)
    stage.github.files = [aFile('src/evil.ts')]
    return stage
  }

  it.each(places)('settle checks a result on %s only if its request asked for it', async (_, ask) => {
    expect(await settled(await changing(ask), { inputs: globs })).toBe('job_1 settled out-of-bounds')
    expect(await settled(await changing(ask, {}), { inputs: globs })).toBe('job_1 settled pull-request')
  })

  it.each(places.flatMap(([place, ask]) => ['', 'src/**'].map((given) => [place, given, ask] as const)))(
    'settle leaves the result of a request on %s for 24 hours if its allowed-paths are “%s”; then it is not checked',
    async (_, given, ask) => {
      const inputs = { 'allowed-paths': given }
      const stage = await changing(ask)
      const before = seen(stage)
      for (const wait of [0, 22.9 * hourMs]) {
        stage.now += wait
        expect(await settled(stage, { inputs })).toBe('job_1 left')
      }
      expect(seen(stage)).toEqual(before)
      stage.now += 0.1 * hourMs + minuteMs
      const { result } = await settleOn(stage, { inputs })
      expect(result).toMatchObject({ outcome: 'error', problem: { reason: 'unchecked' } })
      expect(rows(result)).toBe('job_1 settled error')
      expect(JSON.stringify(seen(stage))).not.toContain('pull-request')
      expect(stage.github.statuses.filter(({ context }) => context.endsWith('allowed paths'))).toEqual([])
      expect(await settled(stage, { inputs })).toBe('')
    },
  )
})

describe('settle waits', () => {
  it.each(places)(
    'settle leaves a request alone until its deadline if its run was killed during the send: %s',
    async (_, ask) => {
      const stage = new Stage()
      await ask(stage, {}, Calls.where('killed after', 'send'))
      expect(await settled(stage)).toBe('')
      stage.now += 2 * hourMs
      expect(await settled(stage)).toBe('null settled unconfirmed')
    },
  )

  it.each(places)(
    'settle does not wait for the deadline of a run whose post step ran: %s',
    async (_, ask) => {
      const stage = new Stage()
      await ask(stage, {}, Calls.where('killed before', 'read job'))
      stage.now += 20 * minuteMs
      stage.platform.endJobs()
      expect(await settled(stage)).toBe('job_1 settled pull-request')
    },
  )

  it('settle waits for the job whose pull request was opened until its own deadline, and polls the others once', async () => {
    const stage = await withEnded()
    await command(stage, { comment: 2, thread: thread(8) }, { inputs: detached })
    const inputs = { timeout: '5m' }
    const opening = (id: string, polls: number) => {
      stage.platform.endJobs(polls)
      return settleOn(stage, { openedBranch: `docs/${id}`, inputs })
    }
    const { result, calls } = await opening('job_1', 4)
    expect(rows(result)).toBe('job_1 settled pull-request,job_2 pending')
    expect(pollsOf('job_2', calls)).toBe(1)
    const from = stage.now
    expect(rows((await opening('job_2', 1000)).result)).toBe('job_2 pending')
    expect(stage.now - from).toBe(5 * minuteMs)
  })

  const killed = { calls: Calls.where('killed before', 'read job'), hasPost: false }
  it.each([
    ['its run may still be waiting for it', killed],
    ['another step must check its result', { inputs: { ...detached, 'allowed-paths': 'docs/**' } }],
  ])('settle does not wait for a job if %s', async (_, options) => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, options)
    stage.platform.endJobs(1000)
    const { calls } = await settleOn(stage, { openedBranch: 'docs/job_1' })
    expect(pollsOf('job_1', calls)).toBe(1)
  })
})

type Spoil = (record: StoredComment & StoredStatus) => object
const unsigned = (text = '') => text.replace(/[\w-](?= -->$|$)/, (last) => (last === 'A' ? 'B' : 'A'))
const unsign: Spoil = ({ body, description: text }) => ({ body: unsigned(body), description: unsigned(text) })
it.each<[name: string, spoil: Spoil, project?: string]>([
  [
    'by another account and in another place',
    () => ({ author: 'mallory', thread: thread(8), commit: 'bbbb' }),
  ],
  ['in another place', () => ({ thread: thread(8), commit: 'bbbb' })],
  ['with another signature', unsign],
  ['about another project', () => ({}), 'other'],
  ['that is 30 days old', () => ({})],
])('settle does not trust or poll for a record %s', async (name, spoil, project = 'docs') => {
  for (const [, ask] of places) {
    const stage = await withEnded({}, ask)
    const records = [...stage.github.comments, ...stage.github.statuses] as (StoredComment & StoredStatus)[]
    for (const each of records) Object.assign(each, spoil(each))
    if (name.includes('old')) stage.now += 30 * dayMs
    const before = seen(stage)
    const { result, calls } = await settleOn(stage, { inputs: { 'project-id': project } })
    expect([rows(result), calls.made.filter((call) => call.startsWith('read job'))]).toEqual(['', []])
    expect(seen(stage)).toEqual(before)
  }
})

it.each(places)(
  'settle names the account that alone recorded a request on %s, and does nothing else',
  async (_, ask) => {
    const stage = await withEnded({}, ask)
    for (const each of [...stage.github.comments, ...stage.github.statuses])
      Object.assign(each, { author: 'acme-app[bot]' })
    const before = seen(stage)
    const { result, calls } = await settleOn(stage)
    const accounts = { recorder: 'acme-app[bot]', own: 'github-actions[bot]' }
    expect(result?.jobs).toMatchObject([
      { job: 'job_1', state: 'pending', accounts, since: expect.any(Number) },
    ])
    expect(calls.made.filter((call) => call.startsWith('read job'))).toEqual([])
    expect(seen(stage)).toEqual(before)
  },
)

it("copies by strangers do not hide the own account's record, even if it is older than what is listed", async () => {
  const stage = await withEnded()
  const [record] = stage.github.comments as [StoredComment]
  stage.github.comments.push({ ...record, id: 6000, author: 'mallory', updatedAt: record.updatedAt + hourMs })
  expect(await settled(stage)).toBe('job_1 settled pull-request')
  stage.now += 28 * dayMs
  expect(await settled(stage)).toBe('')
  expect(stage.github.comments.some(({ id }) => id === 6000)).toBe(true)
})

// The explorer found both.
it.each([
  ['another run', 0, { run: '2' }],
  ['another run', 4, { run: '2' }],
  ['a re-run', 0, { isRerun: true }],
  ['a re-run', 4, { isRerun: true }],
])(
  'a copy of an old end does not hide the job of %s on the commit, %i minutes after the end',
  async (_, minutes, later) => {
    const stage = new Stage()
    stage.platform.ends = ['failed', 'completed']
    await onCommit(stage, {})
    const end = stage.github.statuses.at(-1) as StoredStatus
    stage.now += minutes * minuteMs
    await event(stage, aChange('aaaa'), { ...later, inputs: detached })
    addCopy(stage, end)
    stage.now += hourMs
    stage.platform.endJobs()
    expect(await settled(stage)).toBe('job_2 settled pull-request')
    expect(await settled(stage)).toBe('')
  },
)

describe('settle', () => {
  it.each(['recentStatuses', 'recentComments'])('settle fails if GitHub rejects `%s`', async (name) => {
    const { result } = await settleOn(await withEnded(), { calls: Calls.where(rejected, name) })
    const problem = { kind: 'github-failed', need: 'open-jobs' }
    expect(result).toMatchObject({ outcome: 'error', jobs: [], problem })
  })

  it('settle keeps what it reported before a cancel', async () => {
    const stage = new Stage()
    await command(stage, { comment: 2, thread: thread(8) }, { inputs: detached })
    await withEnded({}, onThread, stage)
    const controller = new AbortController()
    const calls = new Calls((_, name) => void (name === 'react' && controller.abort()))
    const { result } = await settleOn(stage, { cancelled: controller.signal, calls })
    expect(result).toMatchObject({ outcome: 'cancelled', jobs: [{ state: 'settled' }] })
  })

  it('settle reports no further request on the same commit after a cancel', async () => {
    const stage = new Stage()
    await onCommit(stage, detached)
    stage.now += 4 * minuteMs
    await event(stage, aChange('aaaa'), { run: '2', inputs: detached })
    await withEnded({}, async () => {}, stage)
    const controller = new AbortController()
    const calls = new Calls((_, name) => void (name === 'setStatus' && controller.abort()))
    const { result } = await settleOn(stage, { cancelled: controller.signal, calls })
    expect(rows(result)).toBe('job_1 settled pull-request')
  })

  it.each([
    [7, 'job_1 postponed,job_2 postponed,job_3 postponed', ''],
    [19, 'job_1 settled pull-request,job_2 postponed,job_3 postponed', ''],
    [
      26,
      'job_1 settled pull-request,job_2 settled pull-request,job_3 postponed',
      'job_3 settled pull-request',
    ],
  ])(
    'settle reports whole results, oldest first, and reads what it reports, within %i requests',
    async (limit, first, then) => {
      const stage = new Stage()
      for (const number of [8, 7, 9]) {
        await command(
          stage,
          { comment: number, thread: thread(number) },
          { inputs: detached, run: `${number}` },
        )
        stage.now += minuteMs
      }
      stage.now += hourMs
      stage.platform.endJobs()
      const calls = new Calls()
      expect(await settled(stage, { calls, room: () => limit - calls.made.length })).toBe(first)
      expect(calls.made.length).toBeLessThanOrEqual(limit)
      const read = calls.made.filter((call) => call === 'changedFiles')
      expect(read).toHaveLength(first.split(' settled ').length - 1)
      if (then !== '') expect(await settled(stage)).toBe(then)
    },
  )

  it('settle reports results even if GitHub has too little room to read the files of all of them', async () => {
    const stage = new Stage()
    stage.github.files = Array.from({ length: 900 }, (_, index) => aFile(`${index}.md`))
    for (let number = 1; number <= 12; number++)
      await command(
        stage,
        { comment: number, thread: thread(number) },
        { inputs: detached, run: `${number}` },
      )
    stage.now += hourMs
    stage.platform.endJobs()
    const calls = new Calls()
    // Nine pages.
    const cost = () => calls.made.map((call) => (call === 'changedFiles' ? 9 : 1)).reduce((a, b) => a + b, 0)
    const { result } = await settleOn(stage, { calls, room: () => 100 - cost() })
    expect(result?.jobs.filter(({ state }) => state === 'settled').length).toBeGreaterThan(4)
  })

  it('settle reports only one of two requests on a commit if there is no room for the other', async () => {
    const stage = new Stage()
    await event(stage, aChange('aaaa'), { run: '1', inputs: detached })
    stage.now += 4 * minuteMs
    await event(stage, aChange('aaaa'), { run: '2', inputs: detached })
    await withEnded({}, async () => {}, stage)
    const calls = new Calls()
    const room = () => 20 - calls.made.length
    expect(await settled(stage, { calls, room })).toBe('job_1 settled pull-request,job_2 postponed')
    expect(await settled(stage)).toBe('job_2 settled pull-request')
  })

  it('statuses that may hide requests do not use up the room that a result needs', async () => {
    const stage = new Stage()
    stage.platform.ends = ['failed']
    for (let number = 1; number <= 12; number++)
      await event(stage, aChange(`sha${number}`), { run: `${number}` })
    stage.platform.ends = ['completed']
    await withEnded({}, onThread, stage)
    const calls = new Calls()
    const room = () => 25 - calls.made.length
    expect(await settled(stage, { calls, room })).toBe('job_13 settled pull-request')
  })

  it('active jobs on many commits and threads take no request each, and jobs that ended share their reads', async () => {
    const stage = new Stage()
    for (let number = 1; number <= 25; number++) {
      await command(
        stage,
        { comment: number, thread: thread(number) },
        { inputs: detached, run: `c${number}` },
      )
      await event(stage, aChange(`sha${number}`), { inputs: detached, run: `${number}` })
    }
    stage.now += hourMs
    stage.platform.endJobs(9)
    const active = await settleOn(stage)
    expect(active.calls.made.filter((call) => !call.startsWith('read job')).length).toBeLessThanOrEqual(5)
    expect(active.result?.jobs.every(({ state }) => state === 'pending')).toBe(true)
    stage.platform.endJobs()
    const { result, calls } = await settleOn(stage)
    expect(result?.jobs.every(({ state }) => state === 'settled')).toBe(true)
    const reads = calls.made.filter((call) => /^(pull|comments|recent|openPulls|pullViews)/.test(call))
    expect(reads.length).toBeLessThanOrEqual(10)
  })

  const globs = { 'allowed-paths': 'docs/**' }

  it.each([
    ['pullViews', 'pull acme/docs#101'],
    ['treeEntries', 'pull acme/docs#101'],
    ['recentComments', 'comments acme/docs#7'],
  ])('settle reads alone what it needs if GitHub rejects %s for a group: %s', async (name, alone) => {
    const stage = await withEnded(globs)
    stage.github.files = [aFile('docs/a.md')]
    let count = 0
    const calls = new Calls((_, made) => {
      if (made !== name) return undefined
      count++
      // The first look at the comments must succeed.
      return count === (name === 'recentComments' ? 3 : 1) ? (rejected as GitHubFailure) : undefined
    })
    expect(await settled(stage, { inputs: globs, calls })).toBe('job_1 settled pull-request')
    expect(calls.made).toContain(alone)
  })

  it.each([
    ['the last commit', 'docs/a.md', 0],
    ['an earlier commit at first', 'old', 1],
  ])(
    'settle reads the files of a group together, and those of an earlier commit alone: %s',
    async (_, id, alone) => {
      const stage = await withEnded(globs)
      const calls = new Calls((_, name) => {
        const isFirst = !calls.made.some((call) => call.startsWith('changedFiles'))
        if (name === 'changedFiles') stage.github.files = [{ ...aFile('docs/a.md'), ...(isFirst && { id }) }]
        return undefined
      })
      expect(await settled(stage, { inputs: globs, calls })).toBe('job_1 settled pull-request')
      expect(calls.made.filter((call) => call.startsWith('pull acme'))).toHaveLength(alone)
    },
  )

  it("settle does not read the files of another repository's pull request that has taken the name", async () => {
    const stage = await withEnded(globs)
    stage.github.details[101] = { ...aPull(101, 'aaaa'), repositoryId: '2' }
    const calls = Calls.where({ kind: 'other-repository' }, 'pull')
    expect(await settled(stage, { inputs: globs, calls })).toBe('job_1 settled out-of-bounds')
    expect(calls.made.filter((call) => call.startsWith('changedFiles'))).toEqual([])
  })

  it('settle does nothing about a comment whose record a person removes between its two looks', async () => {
    const stage = await withEnded()
    const calls = new Calls((_, name) => {
      const [comment] = stage.github.on(issue)
      if (name === 'read job' && comment)
        Object.assign(comment, { body: 'Mine now', updatedAt: start + stage.now })
      return undefined
    })
    await settleOn(stage, { calls })
    expect(stage.github.said(issue)).toEqual(['Mine now'])
  })

  it("settle says if GitHub cut a list, and then reads the comments of the agent's pull request", async () => {
    const stage = await withEnded()
    stage.github.isCut = true
    const { result, calls } = await settleOn(stage)
    expect(result).toMatchObject({ isCut: true })
    expect(calls.made).toContain('comments acme/docs#101')
  })

  const [otherProject, otherKey] = [{ 'project-id': 'other' }, { sign: signWith('mint_an_earlier_key') }]
  it.each<[name: string, asked: StepOptions, isEnded?: true]>([
    ['another project', { inputs: { ...otherProject, ...detached } }],
    ['another key', { ...otherKey, inputs: detached }],
    ['another project, and ended', { inputs: otherProject }, true],
    ['another key, and ended', otherKey, true],
  ])(
    'settle says so if others have open jobs and it has no records of its own: %s',
    async (_, asked, isEnded) => {
      for (const ask of [
        (stage: Stage) => command(stage, { comment: 1 }, asked),
        (stage: Stage) => event(stage, aChange('aaaa'), asked),
      ]) {
        const stage = new Stage()
        await ask(stage)
        const says = async () => {
          const { result, log } = await settleOn(stage)
          expect(rows(result)).toBe('')
          return log.filter((text) => text.includes('recorded for a project other than `docs`')).length
        }
        expect(await says()).toBe(isEnded ? 0 : 1)
        await command(stage, { comment: 9 }, { run: '9' })
        expect(await says()).toBe(0)
      }
    },
  )

  it("a stranger's pending status is not an open job of another project", async () => {
    const stage = new Stage()
    await event(stage, aChange('aaaa'), { inputs: { ...otherProject, ...detached } })
    for (const status of stage.github.statuses) Object.assign(status, { author: 'mallory' })
    expect((await settleOn(stage)).log.filter((text) => text.includes('a project other than'))).toEqual([])
  })

  const tooLong: GitHubFailure = { kind: 'too-long' }
  it('settle lists a job on a commit with too many statuses, and reports the others', async () => {
    const other: Ask = (stage, inputs) => event(stage, aChange('bbbb'), { run: '2', inputs })
    const stage = await withEnded({}, other, await withEnded({}, onCommit))
    const calls = Calls.meeting({ statuses: [tooLong] })
    const { result } = await settleOn(stage, { calls })
    const jobs = [{ state: 'unreported' }, { state: 'settled' }]
    expect(result).toMatchObject({ outcome: 'settled', jobs })
  })

  it.each([
    ['cannot read', { calls: Calls.where(rejected, 'statuses') }],
    ['has no room to read', { room: () => 0 }],
  ])('settle says that jobs may be missing if it %s the statuses behind a copy', async (_, more) => {
    const stage = new Stage()
    stage.platform.ends = ['failed', 'completed']
    await onCommit(stage, {})
    const end = stage.github.statuses.at(-1) as StoredStatus
    stage.now += 4 * minuteMs
    await event(stage, aChange('aaaa'), { run: '2', inputs: detached })
    addCopy(stage, end)
    stage.now += hourMs
    stage.platform.endJobs()
    const { result } = await settleOn(stage, more)
    expect([rows(result), result?.isCut]).toEqual(['', true])
    expect(await settled(stage)).toBe('job_2 settled pull-request')
  })
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

it('a working comment that a person edits while the run waits is hidden beside the result, never deleted', async () => {
  const stage = new Stage()
  const calls = new Calls((_, name) => {
    for (const comment of stage.github.on(issue))
      if (name === 'read job') comment.body = comment.body.replace(/^working/, 'still working')
    return undefined
  })
  await command(stage, { comment: 1 }, { calls })
  expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  expect(stage.github.on(issue)).toMatchObject([
    { body: expect.stringMatching(/^still working/), isHidden: true },
    {},
  ])
})

it('a re-run of a command for help does not reply again', async () => {
  const stage = new Stage()
  for (const isRerun of [false, true]) await command(stage, { comment: 1, instruction: 'help' }, { isRerun })
  expect(stage.github.said(issue)).toEqual(['help'])
})

describe('what settle reads for several results', () => {
  const onDocs = pullThread(theRun, 101)
  const globs = { 'allowed-paths': 'docs/**' }

  it('settle believes a list of files only if it is of the last commit', async () => {
    const stage = await withEnded(globs)
    let reads = 0
    const calls = new Calls((_, name) => {
      const isLate = name === 'changedFiles' && reads++ === 0
      stage.github.files = [{ ...aFile('docs/a.md'), ...(isLate && { id: 'old' }) }]
      return undefined
    })
    expect(await settled(stage, { inputs: globs, calls })).toBe('job_1 settled pull-request')
    expect(reads).toBe(2)
  })

  it('settle checks the files of a pull request if one of its two requests asks for it', async () => {
    const stage = await withEnded(globs)
    stage.platform.endJobs(9)
    await command(stage, { comment: 2 }, { run: '2', inputs: detached })
    await withEnded({}, async () => {}, stage)
    stage.github.files = [aFile('docs/a.md')]
    const both = 'job_1 settled pull-request,job_1 settled pull-request'
    expect(await settled(stage, { inputs: globs })).toBe(both)
  })

  it('settle writes nothing on a pull request of another repository that has taken the name', async () => {
    const stage = await withEnded()
    const calls = new Calls((_, name) => {
      if (name === 'pullViews') Object.assign(stage.github.details[101] ?? {}, { repositoryId: '7' })
      return name === 'pull' ? rejected : undefined
    })
    const inputs = { 'pull-request-labels': 'docs' }
    expect(await settled(stage, { inputs, calls })).toBe('job_1 settled pull-request')
    expect([stage.github.on(onDocs), calls.made.filter((call) => call.startsWith('addLabels'))]).toEqual([
      [],
      [],
    ])
  })

  it.each([
    ['its own comment is there', 'github-actions[bot]', 1],
    ["only a stranger's copy of it is there", 'mallory', 2],
  ])(
    "settle comments on the agent's pull request once, also if the settle before was killed: %s",
    async (_, author, count) => {
      const stage = await withEnded()
      // The second comment would have been the result.
      await settleOn(stage, { calls: Calls.meeting({ reply: [undefined, 'killed before'] }) })
      for (const each of stage.github.on(onDocs)) Object.assign(each, { author })
      stage.now += hourMs
      expect(await settled(stage)).toBe('job_1 settled pull-request')
      expect(stage.github.on(onDocs)).toHaveLength(count)
    },
  )

  it("settle removes a second comment about a job on the agent's pull request", async () => {
    const stage = await withEnded()
    await settleOn(stage)
    const [first] = stage.github.on(onDocs) as [StoredComment]
    stage.github.add(onDocs, first.body)
    await settleOn(stage)
    expect(stage.github.on(onDocs).map(({ id }) => id)).toEqual([first.id])
  })

  it('settle removes a working comment that a killed run left beside its result', async () => {
    const stage = new Stage()
    await command(stage, { comment: 1 }, { calls: Calls.where('killed before', 'remove'), hasPost: false })
    expect(stage.github.said(issue)).toHaveLength(2)
    stage.now += hourMs
    await settleOn(stage)
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it('settle sees at its second look what another settle reported just before the first', async () => {
    const stage = await withEnded()
    await settleOn(stage)
    stage.now += 5_000
    const since = stage.now
    stage.github.lag = () => Math.max(0, 8_000 - (stage.now - since))
    expect(await settled(stage)).toBe('')
    expect(stage.github.said(issue)).toEqual(['result: pull-request job_1'])
  })

  it("settle introduces the agent's pull request once, even if GitHub rejects its second look", async () => {
    const stage = await withEnded()
    await settleOn(stage)
    const again: Ask = (on, inputs) => command(on, { comment: 2 }, { inputs, run: '2' })
    await withEnded({}, again, stage)
    const calls = Calls.meeting({ recentComments: [undefined, undefined, rejected] })
    expect(await settled(stage, { calls })).toBe('job_1 settled pull-request')
    expect(stage.github.said(pullThread(theRun, 101))).toHaveLength(1)
  })

  it("settle introduces the agent's pull request once, even if two groups of requests have its job", async () => {
    const stage = new Stage()
    for (let comment = 1; comment < 20; comment++)
      await command(stage, { comment, thread: thread(10 + comment) }, { inputs: detached, run: `${comment}` })
    for (const comment of [20, 21]) {
      stage.platform.endJobs(9)
      await command(stage, { comment }, { inputs: detached, run: `${comment}` })
    }
    await withEnded({}, async () => {}, stage)
    stage.github.lag = () => lagMs
    const { result } = await settleOn(stage)
    expect(result?.jobs.every(({ state }) => state === 'settled')).toBe(true)
    expect(stage.github.seen['acme/docs#120']).toHaveLength(1)
  })

  it('settle keeps one comment with the docs on a pull request whose commits have several jobs', async () => {
    const stage = new Stage()
    stage.github.details[3] = aPull(3, 'bbbb')
    const change = { number: 3, isOpen: true }
    await event(stage, aChange('aaaa', change), { inputs: detached })
    stage.now += minuteMs
    await event(stage, aChange('bbbb', change), { inputs: detached, run: '2' })
    await withEnded({}, async () => {}, stage)
    stage.github.lag = () => lagMs
    expect(await settled(stage)).toBe('job_1 settled pull-request,job_2 settled pull-request')
    expect(stage.github.said(pullThread(theRun, 3))).toEqual(['see https://github.com/acme/docs/pull/102'])
  })

  it('settle reads a thread alone if GitHub cuts the lists of its second look', async () => {
    const stage = await withEnded()
    const looks: string[] = []
    const calls = new Calls((_, name) => {
      if (name === 'recentComments') stage.github.isCut = looks.push(name) > 2
      return undefined
    })
    expect(await settled(stage, { calls })).toBe('job_1 settled pull-request')
    expect(calls.made).toContain('comments acme/docs#7')
  })
})
