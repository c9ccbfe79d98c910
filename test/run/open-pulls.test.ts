/** Mode settle for the agent's pull requests, with GitHub in memory. `test/core/hold.test.ts` has the law of a hold. */
import { describe, expect, it } from 'vitest'
import { guardContext } from '../../src/core/pull-changes.ts'
import { pullThread } from '../../src/core/thread.ts'
import { rowsOf } from '../core/samples.ts'
import type { StoredPull } from '../github.ts'
import { Calls, rejected } from './github.ts'
import type { SettleOptions as Options } from './step.ts'
import {
  aChange,
  aFile,
  agentsPull,
  aPull,
  command,
  event,
  label,
  linkOf,
  Stage,
  settleOn,
  theRun,
} from './step.ts'

const hour = 60 * 60_000
const [code, docs] = [pullThread(theRun, 12), pullThread(theRun, 101)]
const held = { hold: 'merge' }
const onRelease = { hold: 'release' }

/** Sets what settle and the agent see of the code's pull request. */
function codeIs(
  stage: Stage,
  state: 'open' | 'merged' | 'closed',
  head = 'aaaa',
  home = theRun.repositoryId,
) {
  const closedAt = state === 'open' ? null : stage.clock.date()
  stage.github.details[12] = { ...aPull(12, head, state), repositoryId: home, closedAt }
}

/** Sets what settle sees of one of the agent's pull requests. */
function docsAre(stage: Stage, head: string, state: 'open' | 'merged' = 'open', number = 101) {
  stage.github.details[number] = { ...agentsPull(number, state), head }
}

/** A stage on which nothing has been asked yet. */
function fresh(): Stage {
  const stage = new Stage()
  codeIs(stage, 'open')
  docsAre(stage, 'docs1')
  stage.github.pulls = [agentsPull(101)]
  return stage
}

/** A command on the code's pull request, whose job opened pull request 101. */
async function asked(inputs: Record<string, string> = held): Promise<Stage> {
  const stage = fresh()
  await command(stage, { comment: 1, thread: code }, { inputs })
  stage.now += hour
  return stage
}

/** The latest status of the hold on the last commit. */
const holdOn = ({ github }: Stage, number = 101) =>
  github.told(github.details[number]?.head ?? '').find((status) => / acme/.test(status))
/** `did`: what people see of it: comments about the code's end, or only a status. */
const settle = async (stage: Stage, options: Options = {}) => {
  stage.now += hour
  const { length } = stage.github.statuses
  const done = await settleOn(stage, options)
  const contexts = stage.github.statuses.slice(length).map(({ context }) => context)
  const isNews = done.calls.made.some((call) => call.startsWith('edit'))
  const news = holdOn(stage)?.includes('lifted') ? 'released' : 'closed'
  const status = contexts.some((context) => /hold/.test(context)) && 'shown'
  const did = [isNews ? news : status, contexts.includes(guardContext) && 'guarded']
  return { ...done, did: did.filter(Boolean).join() }
}
/** The event of a pull request. */
const about = (number: number): Options => {
  return { pull: { number, openedBranch: null, author: number === 101 ? 'mintlify[bot]' : 'mona' } }
}
const without = (call: string): Options => ({ calls: Calls.where(rejected, call) })

const statuses: Record<string, string> = {
  held: 'pending: held',
  closed: 'failure: closed',
  lifted: 'success: lifted',
}
const released = `released ${linkOf(101)}`
const abandoned = 'acme/docs#12 was closed'

/** What can happen. */
const acts: Record<string, (stage: Stage, ...given: string[]) => unknown> = {
  nothing: () => {},
  merged: (stage) => codeIs(stage, 'merged'),
  'merged-newer': (stage) => codeIs(stage, 'merged', 'bbbb'),
  closed: (stage) => codeIs(stage, 'closed'),
  /** People merge the code into another branch than `main`. */
  stacked(stage) {
    codeIs(stage, 'merged')
    Object.assign(stage.github.details[12] ?? {}, { base: 'feature' })
    stage.github.offMain = ['merge']
  },
  /** The pull request from that branch. */
  parent({ github, clock }, state = '') {
    const parent = aPull(13, 'tip', state as 'open' | 'merged' | 'closed')
    github.details[13] = { ...parent, branch: 'feature', mergeCommit: 'merge13', closedAt: clock.date() }
    github.contained.tip = ['merge']
  },
  reopened: (stage) => codeIs(stage, 'open'),
  unread: ({ github }) => delete github.details[12],
  pushed: (stage, head = '') => docsAre(stage, head),
  'docs-merged': (stage) => docsAre(stage, 'docs1', 'merged'),
  release({ github, clock }, tag = '', ...contained) {
    github.releases.push({ tag, publishedAt: clock.date() })
    github.contained[tag] = contained
  },
  // So much later that no list shows the comments.
  later: (stage) => (stage.now += 60 * 24 * hour),
  // A second command gives the agent the code's new commit.
  'asked-again'(stage) {
    codeIs(stage, 'open', 'bbbb')
    return command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
  },
  /** A slow settle shows an earlier state. */
  overwritten({ github }) {
    const shown = github.statuses.find(({ context }) => /hold/.test(context))
    if (shown !== undefined) github.statuses.push(shown)
  },
  foreign(stage, head = '') {
    docsAre(stage, head)
    const shown = stage.github.statuses.find(({ context }) => /hold/.test(context))
    if (shown !== undefined) stage.github.statuses.push({ ...shown, commit: head, author: 'eve' })
  },
}
async function happen(stage: Stage, all: string) {
  for (const each of all.split(', ')) {
    const [act = '', ...given] = each.split(' ')
    await acts[act]?.(stage, ...given)
  }
}

describe('a held pull request', () => {
  /** What happens, what the next settle does, the status after it, and how that settle differs from others. */
  const stories: [name: string, lines: string, said: string[], inputs?: Record<string, string>][] = [
    ['the code is merged', 'merged | released | lifted \n nothing | | lifted', [released]],
    ['the code changes', 'merged-newer | released | lifted', [`${released}, and the code is newer`]],
    [
      'a command gives the agent the last commit',
      'asked-again | | held \n merged-newer | released | lifted',
      [released],
    ],
    [
      'the code is closed, reopened, closed again, and merged',
      `closed   | closed   | closed | about 12
       reopened | shown    | held   | about 12
       closed   | shown    | closed | about 12
       merged   | released | lifted | about 12
       closed   |          | lifted | about 12`,
      [abandoned, released],
    ],
    [
      'people push to it',
      `pushed docs2 | shown    | held   | about 101
       merged       | released | lifted
       pushed docs3 | shown    | lifted`,
      [released],
    ],
    [
      'releases follow the merge',
      `release v1 merge    |          | held
       merged              |          | held
       release v1-backport |          | held
       release v2 merge    |          | held   | without contains
       release v3          | released | lifted`,
      [released],
      onRelease,
    ],
    [
      'the code reaches main with another pull request',
      `stacked       |          | held
       parent open   |          | held
       parent closed | closed   | closed
       parent merged |          | closed | without pullsOn
       nothing       | released | lifted`,
      ['acme/docs#13 was closed', released],
    ],
    [
      'releases follow the merge of another pull request',
      `stacked, release v1 merge             |          | held
       parent merged, release v2-rc merge    |          | held
       release v2 merge13                    | released | lifted`,
      [released],
      onRelease,
    ],
    [
      'nobody changes its comment for a long time',
      `later                          |          | held   | without openPulls
       merged                         |          | held
       later, release v2 merge, later | released | lifted`,
      [released],
      onRelease,
    ],
    [
      'the code cannot be read',
      `closed       | closed   | closed
       unread       |          | closed
       pushed docs2 | shown    | held
       merged       | released | lifted
       unread       |          | lifted
       pushed docs3 | shown    | lifted`,
      [abandoned, released],
    ],
    [
      'another account sets the same status',
      'foreign docs2 | shown | held \n merged | released | lifted',
      [released],
    ],
    [
      'GitHub rejects the comment',
      `merged  | shown    | lifted | without reply
       nothing |          | lifted | without reply
       nothing | released | lifted`,
      [released],
    ],
    [
      'GitHub rejects the record',
      'closed | closed | closed | without edit \n nothing | closed | closed',
      [abandoned],
    ],
    [
      'GitHub rejects the status',
      'merged | | held | without setStatus \n nothing | released | lifted',
      [released],
    ],
    ['a person merges it', 'docs-merged, merged | | held', []],
  ]

  it.each(stories)('a hold follows its code and says each state once: %s', async (_, lines, said, inputs) => {
    const stage = await asked(inputs)
    for (const [happens = '', did, shown = '', differs = ''] of rowsOf(lines)) {
      await happen(stage, happens)
      const [how, what = ''] = differs.split(' ')
      const options = how === 'without' ? without(what) : about(Number(what))
      expect((await settle(stage, how === '' ? {} : options)).did).toBe(did)
      expect(holdOn(stage)).toBe(`${statuses[shown]} acme/docs#12`)
    }
    const [first, ...news] = stage.github.said(docs)
    expect([first, ...news]).toEqual(['documents a request', ...said])
    const onCode = stage.github.said(code).filter((line) => !line.startsWith('result'))
    expect(onCode).toEqual(said.filter((line) => line.startsWith('released')))
  })

  it.each([
    ['pushed docs2', 'shown,guarded'],
    ['merged', 'released'],
  ])('a dry run writes nothing, and does not stop the next run: %s', async (happens, did) => {
    const inputs = { 'allowed-paths': 'docs/**' }
    const stage = await asked({ ...held, ...inputs })
    await happen(stage, happens)
    const before = stage.save()
    await settle(stage, { inputs: { ...inputs, 'dry-run': 'true' } })
    expect({ ...stage.save(), now: before.now }).toEqual(before)
    expect((await settle(stage, { inputs })).did).toBe(did)
  })

  it('settle sets the hold if it reports a result that no run waited for, even of a commit that merged another pull request', async () => {
    const stage = fresh()
    const detached = { ...held, wait: 'false' }
    await command(stage, { comment: 1, thread: code }, { inputs: detached })
    const change = aChange('cccc', { number: 12, isOpen: true, range: { by: 'pull', number: 12 } })
    const other = { ...aPull(11, 'bbbb', 'merged'), mergeCommit: 'cccc' }
    stage.github.pullsBehind.cccc = [other, aPull(12, 'cccc')]
    await event(stage, change, { run: '2', inputs: { ...detached, ...onRelease } })
    docsAre(stage, 'docs2', 'open', 102)
    stage.github.pulls = [agentsPull(101), agentsPull(102)]
    stage.platform.endJobs()
    const { result } = await settle(stage)
    expect([holdOn(stage), holdOn(stage, 102)]).toEqual(Array(2).fill('pending: held acme/docs#12'))
    expect(result?.pulls.map(({ hold }) => hold?.state)).toEqual(['held', 'held'])
  })

  it('a hold on the same pull request for other code follows the code of the first', async () => {
    const stage = await asked()
    stage.github.details[13] = aPull(13)
    // A second job can push to the branch of the first.
    stage.platform.end = (_, job) => Object.assign(job, { status: 'completed', prLink: linkOf(101) })
    await command(stage, { comment: 2, thread: pullThread(theRun, 13) }, { inputs: held, run: '2' })
    await happen(stage, 'merged')
    expect((await settle(stage)).did).toBe('released')
    expect(holdOn(stage)).toBe('success: lifted acme/docs#12')
  })

  it('settle says that code is merged only once lists show what another settle has said', async () => {
    const stage = await asked()
    await happen(stage, 'merged')
    const saidAt: number[] = []
    const start = stage.now + hour
    await settle(stage, { calls: new Calls((_, name) => void (name === 'reply' && saidAt.push(stage.now))) })
    expect(saidAt.map((at) => at - start >= 11_000)).toEqual([true, true])
  })

  it('settle leaves the other holds to the next run after a cancel', async () => {
    const stage = await asked()
    docsAre(stage, 'docs2', 'open', 102)
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2', step: { step: 'other' } })
    const controller = new AbortController()
    const calls = new Calls((_, name) => void (name === 'setStatus' && controller.abort()))
    await happen(stage, 'merged')
    await settle(stage, { calls, cancelled: controller.signal })
    expect(calls.made.filter((call) => call.startsWith('setStatus'))).toHaveLength(1)
  })

  it.each<[state: 'open' | 'merged' | 'closed', shown: string]>([
    ['open', 'pending: held acme/docs#12'],
    ['merged', 'pending: held acme/docs#12'],
    ['closed', 'none'],
  ])('`hold: release` on a pull request that is %s sets the status “%s”', async (state, shown) => {
    const stage = fresh()
    codeIs(stage, state)
    await command(stage, { comment: 1, thread: code }, { inputs: onRelease })
    expect(holdOn(stage) ?? 'none').toBe(shown)
  })

  it.each<[name: string, options: Options]>([
    ['a schedule', {}],
    ["an event of the agent's pull request", about(101)],
  ])(
    'a hold that another account recorded stays as it is, and the log names both accounts: %s',
    async (_, options) => {
      const stage = await asked()
      for (const each of stage.github.on(docs)) Object.assign(each, { author: 'acme-app[bot]' })
      codeIs(stage, 'merged')
      const before = stage.save()
      const done = await settle(stage, options)
      expect(done.did).toBe('')
      expect(done.log.join()).toContain("acme-app[bot] recorded the agent's work on acme/docs#101")
      expect({ ...stage.save(), now: 0 }).toEqual({ ...before, now: 0 })
    },
  )

  it.each([
    ['nothing', ''],
    ['pushed docs2', 'shown'],
    ['overwritten', 'shown'],
  ])('settle keeps a lifted hold lifted, and does not read its code again: %s', async (happens, did) => {
    const stage = await asked()
    await happen(stage, 'merged')
    expect((await settle(stage)).did).toBe('released')
    await happen(stage, happens)
    const done = await settle(stage)
    expect([done.did, holdOn(stage)]).toEqual([did, 'success: lifted acme/docs#12'])
    expect(done.calls.made.filter((call) => /^(pullsOn|contains) /.test(call))).toEqual([])
  })

  it("a command on one of the agent's pull requests holds no other one", async () => {
    const stage = fresh()
    docsAre(stage, 'docs2', 'open', 90)
    const thread = pullThread(theRun, 90)
    await command(stage, { comment: 1, thread, openedBy: 'mintlify[bot]' }, { inputs: held })
    expect(holdOn(stage)).toBeUndefined()
  })

  it.each([
    ['the head of an open pull request', { number: 12, isOpen: true }, false],
    ['a merge', { number: 12 }, true],
    ['a fast-forward', { number: 12, commits: ['aaaa'] }, true],
    ['an upstream run for an open pull request', { number: 12, isOpen: true, upstreamRun: 7 }, true],
    ['a push', {}, true],
  ])(
    'the log says that hold has no effect on an event unless it is about an open pull request: %s',
    async (_, more, isSaid) => {
      const { progress } = await event(fresh(), aChange('aaaa', more), { inputs: held })
      expect(progress.some(({ text }) => text.includes('`hold` has no effect'))).toBe(isSaid)
    },
  )

  it.each<[name: string, change: (stage: Stage) => unknown, thread?: typeof code]>([
    ['an issue', () => {}, { ...code, isPullRequest: false }],
    ['a merged pull request', (stage) => codeIs(stage, 'merged')],
    ["a fork's pull request", ({ github }) => Object.assign(github.details[12] ?? {}, { isFork: true })],
  ])('hold has no effect, and the log says so once: %s', async (_, change, thread = code) => {
    const stage = fresh()
    change(stage)
    const { progress } = await command(stage, { comment: 1, thread }, { inputs: held })
    expect(progress.filter(({ text }) => text.includes('`hold` has no effect'))).toHaveLength(1)
    expect(holdOn(stage)).toBeUndefined()
  })

  it('a command with a hold sends nothing if its pull request cannot be read, even without a diff', async () => {
    const inputs = { ...held, 'context-diff': 'false' }
    const calls = Calls.where(rejected, 'pull')
    const { result, progress } = await command(fresh(), { comment: 1, thread: code }, { inputs, calls })
    expect(result).toMatchObject({ outcome: 'error', problem: { kind: 'github-failed', need: 'thread' } })
    expect(progress.filter(({ text }) => text.includes('`hold` has no effect'))).toEqual([])
  })

  it('a label starts a job without a hold or a diff even if its pull request cannot be read', async () => {
    const { result } = await label(fresh(), { thread: code, calls: Calls.where(rejected, 'pull') })
    expect(result).toMatchObject({ outcome: 'pull-request', jobId: 'job_1' })
  })

  it.each<[name: string, options: Options]>([
    ['a schedule', {}],
    ["an event of the code's pull request", about(12)],
  ])("settle in the code's repository releases docs in another one on %s", async (_, options) => {
    const app = { repository: 'acme/app', repositoryId: '2' }
    const stage = fresh()
    codeIs(stage, 'open', 'aaaa', app.repositoryId)
    await command(stage, { comment: 1, thread: { ...code, ...app } }, { inputs: held })
    await command(stage, { comment: 2 }, { run: '2', inputs: { wait: 'false' } })
    stage.platform.endJobs()
    codeIs(stage, 'merged', 'aaaa', app.repositoryId)
    const done = await settle(stage, { repository: app, ...options })
    // Its own repository's settle reports the other request.
    expect([done.did, done.result?.jobs]).toEqual(['released', []])
    expect(holdOn(stage)).toBe('success: lifted acme/app#12')
  })

  it('the log names the pull request at which the chain of merges ends', async () => {
    const stage = await asked()
    await happen(stage, 'stacked, parent open')
    const { log } = await settle(stage)
    expect(log).toEqual(['acme/docs#12 is not on the default branch yet: its chain of merges ends at #13.'])
  })

  it.each(['openPulls', 'pullViews'])('the log says so if GitHub rejects %s', async (name) => {
    const { log } = await settle(await asked(), without(name))
    expect(log).toEqual([expect.stringMatching(/^Could not read the agent's pull requests/)])
  })

  it('50 held pull requests take at most ten requests, and one that has no record takes one', async () => {
    const stage = fresh()
    for (let number = 1; number <= 50; number++) {
      docsAre(stage, `docs${number}`, 'open', 100 + number)
      await command(stage, { comment: number, thread: code }, { inputs: held, run: `${number}` })
    }
    expect((await settle(stage)).calls.made.length).toBeLessThanOrEqual(10)
    expect((await settle(stage, about(77))).calls.made).toEqual(['comments acme/docs#77'])
  })
})

describe('the open pull requests', () => {
  /** What settle lists: each pull request, what it waits for, its age in hours, and whether it is its own. */
  async function listed(stage: Stage, options: Options = {}) {
    const { result } = await settle(stage, options)
    return result?.pulls.map(({ link, hold, age, isOwn }) => {
      const reason = hold?.state === 'held' ? `${hold.hold} of ${hold.number}` : null
      return [link.replace(/.*com\//, ''), reason, Math.floor(age / hour), isOwn]
    })
  }

  it.each([
    ['the code is open', 'nothing', 'merge of 12'],
    ['the code cannot be read', 'unread', 'merge of 12'],
    ['the code is merged', 'merged', null],
    ['the code is closed', 'closed', null],
  ])('a held pull request is listed with what it waits for: %s', async (_, happens, reason) => {
    const stage = await asked()
    await happen(stage, happens)
    expect(await listed(stage)).toEqual([['acme/docs/pull/101', reason, 2, true]])
  })

  it("settle lists the agent's pull requests, oldest first, and says which are of this action's jobs", async () => {
    const stage = await asked(onRelease)
    const opened = { openedAt: new Date(stage.clock.date() - 5 * hour).toISOString() }
    Object.assign(stage.github.details, {
      90: { ...agentsPull(90), ...opened },
      91: { ...aPull(91), ...opened },
      92: { ...agentsPull(92, 'merged'), ...opened },
    })
    stage.github.pulls.push(agentsPull(90), aPull(91), agentsPull(92))
    expect(await listed(stage)).toEqual([
      ['acme/docs/pull/90', null, 6, false],
      ['acme/docs/pull/101', 'release of 12', 2, true],
    ])
    expect(await listed(stage, about(101))).toEqual([])
  })

  it("settle lists a pull request that only the request's record names, also in another repository", async () => {
    const stage = fresh()
    await event(stage, aChange('cccc'), { calls: Calls.where(rejected, 'reply') })
    expect(await listed(stage)).toEqual([['acme/docs/pull/101', null, 1, true]])
    stage.github.pulls = []
    const app = { repository: 'acme/app', repositoryId: '2' }
    await event(stage, aChange('dddd'), {
      run: '2',
      calls: Calls.where(rejected, 'reply'),
      ports: ({ run }) => ({ run: { ...run, ...app } }),
    })
    expect(await listed(stage, { repository: app })).toEqual([['acme/docs/pull/102', null, 2, true]])
  })
})

it('after a lift, each pull request gets one comment, even if GitHub rejects the second one at first', async () => {
  const stage = await asked()
  codeIs(stage, 'merged')
  const said = () => [docs, code].map((each) => stage.github.said(each).filter((line) => line === released))
  const calls = Calls.meeting({ reply: [undefined, rejected] })
  expect([(await settle(stage, { calls })).did, said()]).toEqual(['shown', [[], [released]]])
  expect([(await settle(stage)).did, said()]).toEqual(['released', [[released], [released]]])
})

it.each([
  ['docs/**', ['failure']],
  ['other/**', []],
  ['', []],
])('settle with allowed-paths %j checks new commits only if the run had the same', async (globs, shown) => {
  const stage = await asked({ 'allowed-paths': 'docs/**' })
  const guards = (head: string) =>
    stage.github.statuses.flatMap(({ commit, context, state }) =>
      commit === head && context === guardContext ? state : [],
    )
  expect(guards('docs1')).toEqual(['success'])
  docsAre(stage, 'docs2')
  stage.github.files = [aFile('a.ts')]
  for (let run = 0; run < 2; run++) await settle(stage, { inputs: { 'allowed-paths': globs } })
  expect(guards('docs2')).toEqual(shown)
})

it("settle checks allowed-paths again once GitHub's limits have room", async () => {
  const inputs = { 'allowed-paths': 'docs/**' }
  const stage = await asked(inputs)
  docsAre(stage, 'docs2')
  const checked = async (room: number) => (await settle(stage, { inputs, room: () => room })).did
  expect([await checked(0), await checked(1), await checked(1)]).toEqual(['', 'guarded', ''])
})

it.each<[what: string, change: Partial<StoredPull>, added: number]>([
  ['nothing', { title: 'Other' }, 0],
  ['its base branch', { base: 'release' }, 1],
  ['the number of its files', { changedFiles: 2 }, 1],
  ['the lines that it adds', { additions: 7 }, 1],
  ['the lines that it deletes', { deletions: 7 }, 1],
])(
  'settle checks allowed-paths once more on the same commit if the pull request changed: %s',
  async (_, change, added) => {
    const stage = await asked({ 'allowed-paths': 'docs/**' })
    const guards = () => stage.github.statuses.filter(({ context }) => context === guardContext)
    const docs = stage.github.details[101] ?? aPull(101)
    stage.github.details[101] = { ...docs, ...change }
    stage.github.files = [aFile('docs/a.md'), aFile('a.ts')]
    for (let run = 0; run < 2; run++) await settle(stage, { inputs: { 'allowed-paths': 'docs/**' } })
    expect(guards().map(({ state }) => state)).toEqual(['success', ...Array(added).fill('failure')])
  },
)
