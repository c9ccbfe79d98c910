/** Mode settle for the agent's pull requests, with GitHub in memory. `test/core/pull.test.ts` has the law of a hold. */
import { describe, expect, it } from 'vitest'
import { Calls, lost, type Mishap, rejected } from './github.ts'
import { leftBy, type Options, settleOn } from './settle-step.ts'
import { aChange, agentsPull, aPull, command, event, linkOf, pullThread, Stage } from './step.ts'

const hour = 60 * 60_000
const repository = 'acme/docs'
const code = pullThread(12)
const docs = pullThread(101)
const held = { hold: 'merge' }

/** Sets what settle and the agent see of the code's pull request. */
function codeIs(stage: Stage, state: 'open' | 'merged' | 'closed', head = 'aaaa', home = repository) {
  stage.github.details[12] = aPull(12, head, state)
  const mergeCommit = state === 'merged' ? 'merge' : null
  const closedAt = state === 'open' ? null : stage.clock.date()
  stage.github.changeView(home, 12, { state, head, mergeCommit, closedAt })
}

/** Sets what settle sees of one of the agent's pull requests. */
function docsAre(stage: Stage, head: string, state: 'open' | 'merged' | 'closed' = 'open', number = 101) {
  stage.github.details[number] = { ...agentsPull(number), headCommit: head }
  stage.github.changeView(repository, number, { head, state })
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

const askAgain = (stage: Stage, head: string) => {
  codeIs(stage, 'open', head)
  return command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
}

/** The latest status of the hold on the last commit. */
const holdOn = ({ github }: Stage, number = 101) =>
  github.told(github.views[`acme/docs#${number}`]?.head ?? '').find((status) => / acme/.test(status))
const settle = async (stage: Stage, options: Options = {}) => {
  stage.now += hour
  return settleOn(stage, options)
}
const rows = ({ result }: Awaited<ReturnType<typeof settle>>) => result?.pulls.map(({ did }) => did).join()
/** The event of a pull request. */
const about = (number: number): Options => {
  return { pull: { number, openedBranch: null, author: number === 101 ? 'mintlify[bot]' : 'mona' } }
}
const without = (call: string): Options => ({ calls: Calls.where(rejected, call) })

const nothing = () => {}
const merged = (stage: Stage) => codeIs(stage, 'merged')
const closed = (stage: Stage) => codeIs(stage, 'closed')
const unread = ({ github }: Stage) => delete github.views['acme/docs#12']
const release =
  (tag: string, ...contained: string[]) =>
  ({ github, clock }: Stage) => {
    github.releases.push({ tag, publishedAt: clock.date() })
    github.contained[tag] = contained
  }
/** So much later that no list shows the comments. */
const later = (stage: Stage) => {
  stage.now += 60 * 24 * hour
}
/** Another account sets the status of a new commit. */
function foreign(stage: Stage, head: string) {
  docsAre(stage, head)
  const shown = stage.github.statuses.find(({ context }) => /hold/.test(context))
  if (shown !== undefined) stage.github.statuses.push({ ...shown, commit: head, creator: 'eve' })
}

const [pending, failed, green] = ['pending: held', 'failure: closed', 'success: lifted']
const released = `released ${linkOf(101)}`
const abandoned = 'acme/docs#12 was closed'
/** What happens, what the next settle does, and the status after it. */
type Line = [happens: (stage: Stage) => unknown, did: string, shown: string, options?: Options]

const onRelease = { hold: 'release' }
const newer = (stage: Stage) => codeIs(stage, 'merged', 'bbbb')
const pushed = (head: string) => (stage: Stage) => docsAre(stage, head)

describe('a held pull request', () => {
  const stories: [name: string, lines: Line[], said: string[], inputs?: Record<string, string>][] = [
    [
      'the code is merged',
      [
        [merged, 'released', green],
        [nothing, '', green],
      ],
      [released],
    ],
    ['the code changes', [[newer, 'released', green]], [`${released}, and the code is newer`]],
    [
      'a command gives the agent the last commit',
      [
        [(stage) => askAgain(stage, 'bbbb'), '', pending],
        [newer, 'released', green],
      ],
      [released],
    ],
    [
      'the code is closed, reopened, closed again, and merged',
      [
        [closed, 'closed', failed, about(12)],
        [(stage) => codeIs(stage, 'open'), 'shown', pending, about(12)],
        [closed, 'shown', failed, about(12)],
        [merged, 'released', green, about(12)],
        [closed, '', green, about(12)],
      ],
      [abandoned, released],
    ],
    [
      'people push to it',
      [
        [pushed('docs2'), 'shown', pending, about(101)],
        [merged, 'released', green],
        [pushed('docs3'), 'shown', green],
      ],
      [released],
    ],
    [
      'releases follow the merge',
      [
        [release('v1', 'merge'), '', pending],
        [merged, '', pending],
        [release('v1-backport'), '', pending],
        [release('v2', 'merge'), '', pending, without('contains')],
        [release('v3'), 'released', green],
      ],
      [released],
      onRelease,
    ],
    [
      'nobody changes its comment for a long time',
      [
        [later, '', pending, without('openPulls')],
        [merged, '', pending],
        [(stage) => [later, release('v2', 'merge'), later].map((act) => act(stage)), 'released', green],
      ],
      [released],
      onRelease,
    ],
    [
      'the code cannot be read',
      [
        [closed, 'closed', failed],
        [unread, '', failed],
        [pushed('docs2'), 'shown', pending],
        [merged, 'released', green],
        [unread, '', green],
        [pushed('docs3'), 'shown', green],
      ],
      [abandoned, released],
    ],
    [
      'another account sets the same status',
      [
        [(stage) => foreign(stage, 'docs2'), 'shown', pending],
        [merged, 'released', green],
      ],
      [released],
    ],
    [
      'GitHub rejects the comment',
      [
        [merged, 'shown', green, without('reply')],
        [nothing, '', green, without('reply')],
        [nothing, 'released', green],
      ],
      [released],
    ],
    [
      'GitHub rejects the record',
      [
        [closed, 'closed', failed, without('edit')],
        [nothing, 'closed', failed],
      ],
      [abandoned],
    ],
    [
      'GitHub rejects the status',
      [
        [merged, '', pending, without('setStatus')],
        [nothing, 'released', green],
      ],
      [released],
    ],
    [
      'a person merges it',
      [[(stage) => [docsAre(stage, 'docs1', 'merged'), merged(stage)], '', pending]],
      [],
    ],
  ]

  it.each(stories)(
    'a hold follows its code, and says each state once: %s',
    async (_, lines, said, inputs) => {
      const stage = await asked(inputs)
      for (const [happens, did, shown, options] of lines) {
        await happens(stage)
        expect(rows(await settle(stage, options))).toBe(did)
        expect(holdOn(stage)).toBe(`${shown} acme/docs#12`)
      }
      const [first, ...news] = stage.github.said(docs)
      expect(first).toBe('documents a request')
      expect([...news, ...stage.github.said(code).filter((line) => !line.startsWith('result'))]).toEqual(said)
    },
  )

  const mishaps: Mishap[] = ['killed before', 'killed after', rejected, lost]

  it.each<[name: string, happens: (stage: Stage) => void, said: string[], end: string]>([
    ['a merge', merged, [released], green],
    ['a close', closed, [abandoned], failed],
    ['a new commit', pushed('docs2'), [], pending],
  ])('later settles finish what one left that failed at any call, and repeat nothing: %s', async (...row) => {
    const [, happens, said, end] = row
    const begun = await asked()
    happens(begun)
    const states = await leftBy(mishaps, begun, (stage, calls) => settle(stage, { calls }))
    expect(states.length).toBeGreaterThan(1)
    for (const { after, stage } of states) {
      for (let run = 0; run < 4; run++) await settle(stage)
      const all = [...stage.github.said(code), ...stage.github.said(docs)]
      const notices = all.filter((line) => /^released|was closed$/.test(line))
      expect([notices, holdOn(stage)], after).toEqual([said, `${end} acme/docs#12`])
    }
  })

  it.each<[name: string, happens: (stage: Stage) => void, did: string]>([
    ['a new commit', pushed('docs2'), 'shown,guarded'],
    ['a merge', merged, 'released'],
  ])('a dry run lists what the next run does, and writes nothing: %s', async (_, happens, did) => {
    const inputs = { 'allowed-paths': 'docs/**' }
    const stage = await asked({ ...held, ...inputs })
    happens(stage)
    const before = stage.save()
    const dry = await settle(stage, { inputs: { ...inputs, 'dry-run': 'true' } })
    expect(rows(dry)).toBe(did)
    stage.now = Stage.from(before).now
    expect(stage.save()).toEqual(before)
    expect(rows(await settle(stage, { inputs }))).toBe(did)
  })

  it('settle sets the hold if it reports a result that no run waited for', async () => {
    const stage = fresh()
    const detached = { ...held, wait: 'false' }
    await command(stage, { comment: 1, thread: code }, { inputs: detached })
    const change = aChange('cccc', { number: 12, pullHead: 'cccc', range: { by: 'pull', number: 12 } })
    stage.github.pullsBehind.cccc = [aPull(12, 'cccc')]
    await event(stage, change, { run: '2', inputs: { ...detached, ...onRelease } })
    docsAre(stage, 'docs2', 'open', 102)
    stage.platform.endJobs()
    await settle(stage)
    expect([holdOn(stage), holdOn(stage, 102)]).toEqual(Array(2).fill(`${pending} acme/docs#12`))
  })

  it.each<[name: string, change: (stage: Stage) => void, thread: typeof code]>([
    ['an issue', nothing, { ...code, isPullRequest: false }],
    ['a merged pull request', merged, code],
    [
      "a fork's pull request",
      ({ github }) => Object.assign(github.details[12] ?? {}, { isFork: true }),
      code,
    ],
    ['a pull request that cannot be read', ({ github }) => delete github.details[12], code],
  ])('hold has no effect, and the log says so once: %s', async (_, change, thread) => {
    const stage = fresh()
    change(stage)
    const { progress } = await command(stage, { comment: 1, thread }, { inputs: held })
    expect(progress.filter(({ text }) => text.includes('`hold` has no effect'))).toHaveLength(1)
    expect(holdOn(stage)).toBeUndefined()
  })

  it.each<[name: string, options: Options]>([
    ['a schedule', {}],
    ["an event of the code's pull request", about(12)],
  ])("docs in another repository are released by %s in the code's", async (_, options) => {
    const app = 'acme/app'
    const stage = fresh()
    codeIs(stage, 'open', 'aaaa', app)
    await command(stage, { comment: 1, thread: { ...code, repository: app } }, { inputs: held })
    await command(stage, { comment: 2 }, { run: '2', inputs: { wait: 'false' } })
    stage.platform.endJobs()
    codeIs(stage, 'merged', 'aaaa', app)
    const done = await settle(stage, { repository: app, ...options })
    // Its own repository's settle reports the other request.
    expect([rows(done), done.result?.jobs]).toEqual(['released', []])
    expect(holdOn(stage)).toBe(`${green} acme/app#12`)
  })

  it.each(['openPulls', 'pullViews'])('the log says so if GitHub rejects %s', async (name) => {
    const stage = await asked()
    const { progress } = await settle(stage, without(name))
    expect(progress.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Could not read the agent's pull requests/),
    ])
  })

  it('50 held pull requests take at most ten requests, and one that has no record takes two', async () => {
    const stage = fresh()
    for (let number = 1; number <= 50; number++) {
      docsAre(stage, `docs${number}`, 'open', 100 + number)
      await command(stage, { comment: number, thread: code }, { inputs: held, run: `${number}` })
    }
    expect((await settle(stage)).calls.made.length).toBeLessThanOrEqual(10)
    expect((await settle(stage, about(77))).calls.made).toEqual(['comments acme/docs#77', 'viewer'])
  })
})

describe('the status for allowed-paths', () => {
  it.each<[globs: string, inputs: Record<string, string>, shown: string[]]>([
    ['docs/**', {}, ['failure']],
    ['docs/**', held, ['failure']],
    ['other/**', {}, []],
    ['', {}, []],
  ])(
    'allowed-paths is checked again on a new commit only by a step with the same globs: %j, %j',
    async (...row) => {
      const [globs, inputs, shown] = row
      const guarded = (stage: Stage, head: string) =>
        stage.github.statuses.flatMap(({ commit, context, state }) =>
          commit === head && context === 'Docs agent / allowed paths' ? state : [],
        )
      const stage = await asked({ ...inputs, 'allowed-paths': 'docs/**' })
      expect(guarded(stage, 'docs1')).toEqual(['success'])
      docsAre(stage, 'docs2')
      const edit = { status: 'modified', previousPath: null, additions: 1, deletions: 0, patch: '+a' }
      stage.github.files = [{ path: 'a.ts', ...edit }]
      for (let run = 0; run < 2; run++) await settle(stage, { inputs: { 'allowed-paths': globs } })
      expect(guarded(stage, 'docs2')).toEqual(shown)
    },
  )
})
