import { describe, expect, it } from 'vitest'
import type { PullEvent } from '../../src/core/trigger/event.ts'
import { Calls, lost, type Mishap, rejected } from './github.ts'
import { leftBy, type Options, settleOn } from './settle-step.ts'
import { aChange, agentsPull, aPull, command, event, linkOf, pullThread, Stage } from './step.ts'

const hour = 60 * 60_000
const docs = 101
const code = pullThread(12)
const held = { hold: 'merge' }
const repository = 'acme/docs'

/** Sets what settle and the agent see of the code's pull request. */
function codeIs(stage: Stage, state: 'open' | 'merged' | 'closed', head = 'aaaa') {
  stage.github.details[12] = aPull(12, head, state)
  const [mergeCommit, closedAt] = [
    state === 'merged' ? 'merge' : null,
    state === 'open' ? null : stage.clock.date(),
  ]
  stage.github.changeView(repository, 12, { state, head, mergeCommit, closedAt })
}

/** Sets what settle sees of the agent's pull request. */
function docsAre(
  stage: Stage,
  head = 'docs1',
  change: Partial<Stage['github']['views'][string]> = {},
  number = docs,
) {
  stage.github.details[number] = { ...agentsPull(number), headCommit: head }
  stage.github.changeView(repository, number, { head, ...change })
}

/** A command on the code's pull request, whose job opened pull request 101. */
async function asked(inputs: Record<string, string> = held): Promise<Stage> {
  const stage = new Stage()
  codeIs(stage, 'open')
  docsAre(stage)
  await command(stage, { comment: 1, thread: code }, { inputs })
  stage.now += hour
  return stage
}

const holdOn = (stage: Stage, head: string) =>
  stage.github.told(head).find((status) => /(held|lifted|closed) acme/.test(status))
const released = `released ${linkOf(docs)}`
const sends = ({ platform }: Stage) => platform.sends.map((sent) => sent.slice(0, 60))
const settle = async (stage: Stage, options: Options = {}) => {
  stage.now += hour
  return settleOn(stage, options)
}
const rows = async (stage: Stage, options: Options = {}) =>
  (await settle(stage, options)).result?.pulls.map(({ did }) => did)
const endJobs = ({ platform }: Stage) => platform.endJobs()
const about = (number: number): { pull: PullEvent } => ({
  pull: { number, openedBranch: null, author: number === docs ? 'mintlify[bot]' : 'mona' },
})

describe('a held pull request', () => {
  it('a held pull request has a pending status, and a comment that never changes', async () => {
    const stage = await asked()
    expect(holdOn(stage, 'docs1')).toBe('pending: held acme/docs#12')
    const before = stage.github.said(pullThread(docs))
    expect(await rows(stage)).toEqual([])
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(pullThread(docs))).toEqual(before)
  })

  it.each(['merged', 'closed'] as const)('a held pull request is left alone once it is %s', async (state) => {
    const stage = await asked()
    codeIs(stage, 'merged', 'bbbb')
    docsAre(stage, 'docs2', { state })
    expect(await rows(stage)).toEqual([])
  })

  it('a held pull request is released once if the code is merged unchanged', async () => {
    const stage = await asked()
    codeIs(stage, 'merged')
    await rows(stage)
    expect(holdOn(stage, 'docs1')).toBe('success: lifted acme/docs#12')
    expect(stage.github.said(code)).toEqual(['result: pull-request job_1', `released ${linkOf(docs)}`])
    const calls = (await settle(stage)).calls.made
    expect(calls.filter((call) => /^(reply|edit|setStatus|send|remove)/.test(call))).toEqual([])
  })

  it('the release of a held pull request says so if the code changed after the agent got it', async () => {
    const stage = await asked()
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(code).at(-1)).toBe(`${released}, and the code is newer`)
    expect(sends(stage)).toHaveLength(1)
  })

  it('the release of a held pull request reports no newer code if a command gave the agent the last commit', async () => {
    const stage = await asked()
    codeIs(stage, 'open', 'bbbb')
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(code).at(-1)).toBe(released)
  })

  /** A command that gave the agent another commit, and whose run was killed before it could report the result. */
  const killedAt = async (stage: Stage, head: string) => {
    codeIs(stage, 'open', head)
    let isSent = false
    const calls = new Calls((_, name) => {
      isSent ||= name === 'send'
      return isSent && name === 'read job' ? 'killed before' : undefined
    })
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2', calls })
    codeIs(stage, 'merged', head)
    endJobs(stage)
    stage.now += hour
  }

  it('the release reports no newer code if this settle reports the command that gave the agent the last commit', async () => {
    const stage = await asked()
    await killedAt(stage, 'bbbb')
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(code).at(-1)).toBe(released)
  })

  it('a hold keeps its code if its job also documents another pull request', async () => {
    const stage = await asked()
    const other = pullThread(13)
    stage.github.details[13] = aPull(13, 'cccc')
    await command(stage, { comment: 3, thread: other }, { inputs: { ...held, 'job-id': 'job_1' }, run: '3' })
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(code).at(-1)).toBe(released)
  })

  it('the release reports no newer code if settle reports an earlier command after a later one', async () => {
    const stage = new Stage()
    codeIs(stage, 'open')
    docsAre(stage)
    await command(stage, { comment: 1, thread: code }, { inputs: { ...held, wait: 'false' } })
    codeIs(stage, 'open', 'bbbb')
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
    await settle(stage)
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(code).at(-1)).toBe(released)
  })

  it('a held pull request gets its status on every new commit, before and after the merge', async () => {
    const stage = await asked()
    docsAre(stage, 'docs2')
    await settle(stage, about(docs))
    expect(holdOn(stage, 'docs2')).toBe('pending: held acme/docs#12')
    codeIs(stage, 'merged')
    await settle(stage)
    docsAre(stage, 'docs3')
    await settle(stage)
    expect(holdOn(stage, 'docs3')).toBe('success: lifted acme/docs#12')
  })

  it('a held pull request waits for a release that contains the merge, whatever is released in between', async () => {
    const stage = await asked({ hold: 'release' })
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual([])
    const release = (tag: string) =>
      stage.github.releases.unshift({ tag, publishedAt: stage.clock.date() + hour })
    release('v1.1-backport')
    expect(await rows(stage)).toEqual([])
    release('v2')
    stage.github.contained.v2 = ['merge']
    stage.now += 1
    release('v1.2-backport')
    const { result, calls } = await settle(stage)
    expect(result?.pulls.map(({ did }) => did)).toEqual(['released'])
    expect(calls.made.filter((call) => call.startsWith('contains'))).toEqual([
      'contains v1.1-backport',
      'contains v2',
    ])
  })

  it('the log says so if an open pull request that is no longer listed cannot be read', async () => {
    const stage = new Stage()
    stage.github.pulls = [agentsPull(101)]
    const { progress } = await settleOn(stage, { calls: Calls.where(rejected, 'pullViews') })
    expect(progress.map(({ type }) => type)).toEqual(['pulls-unread'])
  })

  it.each(['open', 'closed'] as const)(
    'a held pull request whose code was %s is found even after 60 days',
    async (state) => {
      const stage = await asked({ hold: 'release' })
      stage.github.pulls = [agentsPull(docs)]
      codeIs(stage, state)
      await settle(stage)
      stage.now += 60 * 24 * hour
      codeIs(stage, 'merged')
      stage.github.releases.unshift({ tag: 'v2', publishedAt: stage.clock.date() + hour })
      stage.github.contained.v2 = ['merge']
      stage.now += 60 * 24 * hour
      expect(await rows(stage)).toEqual(['released'])
    },
  )

  describe('a lost record', () => {
    const withoutRecord = async () => {
      const stage = await asked()
      stage.github.pulls = [agentsPull(docs)]
      const record = stage.github.on(pullThread(docs))[0]
      if (record !== undefined) stage.github.comments.splice(stage.github.comments.indexOf(record), 1)
      return stage
    }

    it('a hold ends as an error if a person deleted its record', async () => {
      const stage = await withoutRecord()
      expect(await rows(stage)).toEqual(['gone'])
      expect(stage.github.told('docs1')[0]).toBe('error: gone')
      expect(await rows(stage)).toEqual([])
    })

    it('a hold does not end if its record may only be missing from a list that lags', async () => {
      const stage = await withoutRecord()
      stage.now -= hour
      expect((await settleOn(stage)).result?.pulls).toEqual([])
    })

    it("a status on another account's pull request does not end, even if it is named like a hold", async () => {
      const stage = await withoutRecord()
      stage.github.pulls = [{ ...agentsPull(docs), author: 'mona' }]
      expect(await rows(stage)).toEqual([])
    })

    it.each<[name: string, options: Options]>([
      ['cannot be read', { calls: Calls.where(rejected, 'comments') }],
      ['belongs to another project', { inputs: { 'project-id': 'other' } }],
    ])('a hold does not end if its record %s', async (_, options) => {
      const stage = await asked()
      stage.github.pulls = [agentsPull(docs)]
      stage.now += 60 * 24 * hour
      expect(await rows(stage, options)).toEqual([])
      expect(holdOn(stage, 'docs1')).toBe('pending: held acme/docs#12')
    })
  })

  it("a hold fails if the code's pull request is closed, and waits again if it is reopened; only the first close is news", async () => {
    const stage = await asked()
    for (const [state, did, shown] of [
      ['closed', 'closed', 'failure: closed'],
      ['open', 'shown', 'pending: held'],
      ['closed', 'shown', 'failure: closed'],
      ['merged', 'released', 'success: lifted'],
      ['closed', undefined, 'success: lifted'],
    ] as const) {
      codeIs(stage, state)
      expect(await rows(stage, about(12))).toEqual(did === undefined ? [] : [did])
      expect(holdOn(stage, 'docs1')).toBe(`${shown} acme/docs#12`)
    }
    expect(stage.github.said(pullThread(docs))).toEqual(['documents a request', 'acme/docs#12 was closed'])
    expect(stage.github.views[`${repository}#${docs}`]?.state).toBe('open')
  })

  it.each<[what: string, set: 'merged' | 'closed', did: string[]]>([
    ['the docs can be merged', 'merged', ['released']],
    ['the code was closed', 'closed', ['closed']],
  ])('settle sets one status while GitHub rejects the comment that says that %s', async (_, state, did) => {
    const stage = await asked()
    codeIs(stage, state)
    const calls = () => Calls.where(rejected, 'reply')
    expect(await rows(stage, { calls: calls() })).toEqual(['shown'])
    expect(await rows(stage, { calls: calls() })).toEqual([])
    const before = stage.github.statuses.length
    expect(await rows(stage)).toEqual(did)
    expect(stage.github.statuses).toHaveLength(before)
  })

  it('settle posts no comment while GitHub rejects the status of the hold', async () => {
    const stage = await asked()
    codeIs(stage, 'merged')
    expect(await rows(stage, { calls: Calls.where(rejected, 'setStatus') })).toEqual([])
    expect(stage.github.said(code)).toEqual(['result: pull-request job_1'])
    expect(await rows(stage)).toEqual(['released'])
  })

  it('a new commit is held even if the code cannot be read', async () => {
    const stage = await asked()
    docsAre(stage, 'docs2')
    delete stage.github.views[`${repository}#12`]
    expect(await rows(stage)).toEqual(['shown'])
    expect(holdOn(stage, 'docs2')).toBe('pending: held acme/docs#12')
  })

  it('a held pull request gets its status on a new commit even if the commit has the same status from another account', async () => {
    const stage = await asked()
    const { github } = stage
    docsAre(stage, 'docs2')
    const shown = github.statuses.find(({ context, commit }) => /hold/.test(context) && commit === 'docs1')
    if (shown !== undefined) github.statuses.push({ ...shown, commit: 'docs2', creator: 'eve' })
    expect(await rows(stage)).toEqual(['shown'])
  })

  it('the release of a held pull request is announced once, even if GitHub rejects the record of the notice', async () => {
    const stage = await asked()
    codeIs(stage, 'merged')
    await settle(stage, { calls: Calls.meeting({ edit: [rejected] }) })
    await settle(stage)
    const said = stage.github.seen['acme/docs#12'] ?? []
    const notice = `released ${linkOf(docs)}`
    expect(said.filter((line) => line.includes('released'))).toEqual([`+ ${notice}`])
  })

  it('a held pull request waits if GitHub does not say what a release contains', async () => {
    const stage = await asked({ hold: 'release' })
    codeIs(stage, 'merged')
    stage.github.releases.unshift({ tag: 'v2', publishedAt: stage.clock.date() + hour })
    expect(await rows(stage, { calls: Calls.where(rejected, 'contains') })).toEqual([])
    stage.github.contained.v2 = ['merge']
    expect(await rows(stage)).toEqual(['released'])
  })

  it('a held pull request waits for a release that is not older than the merge', async () => {
    const stage = await asked({ hold: 'release' })
    stage.github.releases.unshift({ tag: 'v1', publishedAt: stage.clock.date() })
    stage.github.contained.v1 = ['merge']
    stage.now += hour
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual([])
  })

  it('a pull request whose record GitHub rejects is not held, because nothing would lift the hold', async () => {
    const stage = new Stage()
    codeIs(stage, 'open')
    docsAre(stage)
    const calls: Calls = new Calls((_, name) =>
      name === 'reply' && calls.made.at(-2) === `comments acme/docs#${docs}` ? rejected : undefined,
    )
    await command(stage, { comment: 1, thread: code }, { inputs: held, calls })
    expect(holdOn(stage, 'docs1')).toBeUndefined()
  })

  it('a pull request is held even if only a later request sets `hold`', async () => {
    const stage = await asked({})
    expect(holdOn(stage, 'docs1')).toBeUndefined()
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
    expect(holdOn(stage, 'docs1')).toBe('pending: held acme/docs#12')
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual(['released'])
  })

  it('a pull request for a pull_request event is held, too', async () => {
    const stage = new Stage()
    codeIs(stage, 'open')
    docsAre(stage)
    const change = aChange('aaaa', { number: 12, pullHead: 'aaaa', range: { by: 'pull', number: 12 } })
    await event(stage, change, { inputs: { hold: 'merge' } })
    expect(holdOn(stage, 'docs1')).toBe('pending: held acme/docs#12')
    codeIs(stage, 'closed')
    expect(await rows(stage, about(12))).toEqual(['closed'])
  })

  it('settle sets the hold if it reports a result that no run waited for', async () => {
    const stage = new Stage()
    codeIs(stage, 'open')
    docsAre(stage)
    await command(stage, { comment: 1, thread: code }, { inputs: { ...held, wait: 'false' } })
    const change = aChange('cccc', { number: 12, pullHead: 'cccc', range: { by: 'pull', number: 12 } })
    stage.github.pullsBehind.cccc = [aPull(12, 'cccc')]
    await event(stage, change, { run: '2', inputs: { hold: 'release', wait: 'false' } })
    docsAre(stage, 'docs2', {}, 102)
    endJobs(stage)
    await settle(stage)
    expect([holdOn(stage, 'docs1'), holdOn(stage, 'docs2')]).toEqual([
      'pending: held acme/docs#12',
      'pending: held acme/docs#12',
    ])
  })
})

describe('docs in another repository', () => {
  const app = { ...code, repository: 'acme/app' }
  const elsewhere = { repository: 'acme/app' }
  const appIs = (stage: Stage, state: 'open' | 'merged' | 'closed', head = 'aaaa') => {
    codeIs(stage, state, head)
    stage.github.changeView('acme/app', 12, stage.github.views[`${repository}#12`] ?? {})
  }

  it.each<[name: string, options: Options]>([
    ['the schedule', elsewhere],
    ["the event of the code's pull request", { ...elsewhere, ...about(12) }],
  ])('docs in another repository wait, and are released by %s', async (_, options) => {
    const stage = new Stage()
    appIs(stage, 'open')
    docsAre(stage)
    await command(stage, { comment: 1, thread: app }, { inputs: held })
    expect(holdOn(stage, 'docs1')).toBe('pending: held acme/app#12')
    appIs(stage, 'merged')
    expect(await rows(stage, options)).toEqual(['released'])
    expect(stage.github.said(app)).toEqual(['result: pull-request job_1', released])
  })

  it('settle reports no requests in another repository, even if docs wait there', async () => {
    const stage = new Stage()
    appIs(stage, 'open')
    docsAre(stage)
    await command(stage, { comment: 1, thread: app }, { inputs: held })
    await command(stage, { comment: 2 }, { run: '2', inputs: { wait: 'false' } })
    endJobs(stage)
    const jobs = async (options: Options = {}) => (await settle(stage, options)).result?.jobs
    expect(await jobs(elsewhere)).toEqual([])
    expect(await jobs()).toMatchObject([{ job: 'job_2', state: 'settled', outcome: 'pull-request' }])
  })
})

describe('hold has no effect', () => {
  it.each<[why: string, change: (stage: Stage) => void, thread: typeof code]>([
    ['event', () => {}, { ...code, isPullRequest: false }],
    ['over', (stage) => codeIs(stage, 'merged'), code],
    ['fork', (stage) => Object.assign(stage.github.details[12] ?? {}, { isFork: true }), code],
    ['unread', (stage) => delete stage.github.details[12], code],
  ])('hold has no effect, and the log gives this reason once: `%s`', async (why, change, thread) => {
    const stage = new Stage()
    codeIs(stage, 'open')
    change(stage)
    const { progress } = await command(stage, { comment: 1, thread }, { inputs: held })
    expect(progress.filter(({ type }) => type === 'hold-ignored')).toEqual([{ type: 'hold-ignored', why }])
    expect(holdOn(stage, 'docs1')).toBeUndefined()
  })
})

describe('allowed-paths', () => {
  const guarded = (stage: Stage, head: string) =>
    stage.github.statuses
      .filter(({ commit, context }) => commit === head && context === 'Docs agent / allowed paths')
      .map(({ state }) => state)

  it.each<[globs: string, renewed: string[]]>([
    ['docs/**', ['failure']],
    ['other/**', []],
    ['', []],
  ])(
    'allowed-paths is checked again on a new commit only by a step with the same globs: %j',
    async (globs, renewed) => {
      const stage = await asked({ 'allowed-paths': 'docs/**' })
      expect(guarded(stage, 'docs1')).toEqual(['success'])
      docsAre(stage, 'docs2')
      const edit = { status: 'modified', previousPath: null, additions: 1, deletions: 0, patch: '+a' }
      stage.github.files = [{ path: 'a.ts', ...edit }]
      await settle(stage, { inputs: { 'allowed-paths': globs } })
      await settle(stage, { inputs: { 'allowed-paths': globs } })
      expect(guarded(stage, 'docs2')).toEqual(renewed)
    },
  )
})

describe('requests', () => {
  it('a pull request that the action never commented on takes two requests', async () => {
    const { calls } = await settle(new Stage(), about(77))
    expect(calls.made).toEqual(['comments acme/docs#77', 'viewer'])
  })

  it('50 held pull requests take at most ten requests', async () => {
    const stage = new Stage()
    codeIs(stage, 'open')
    const inputs = held
    for (let number = 1; number <= 50; number++) {
      docsAre(stage, `docs${number}`, {}, 100 + number)
      await command(stage, { comment: number, thread: code }, { inputs, run: `${number}` })
    }
    const quiet = (await settle(stage)).calls.made
    expect(quiet.filter((call) => /^(reply|edit|setStatus|send)/.test(call))).toEqual([])
    expect(quiet.length).toBeLessThanOrEqual(10)
  })
})

describe('a settle after one that was killed or rejected at any call', () => {
  interface Flow {
    name: string
    set: (stage: Stage) => void
    said: string[]
    end: (stage: Stage) => string | undefined
    is: string
  }
  const onDocs = (head: string) => (stage: Stage) => holdOn(stage, head)
  const lifted = { end: onDocs('docs1'), is: 'success: lifted acme/docs#12' }
  const flows: Flow[] = [
    { name: 'a merge', set: (stage) => codeIs(stage, 'merged'), said: [released], ...lifted },
    {
      name: 'a close',
      set: (stage) => codeIs(stage, 'closed'),
      said: ['acme/docs#12 was closed'],
      end: onDocs('docs1'),
      is: 'failure: closed acme/docs#12',
    },
    {
      name: 'a new commit',
      set: (stage) => docsAre(stage, 'docs2'),
      said: [],
      end: onDocs('docs2'),
      is: 'pending: held acme/docs#12',
    },
  ]
  const mishaps: Mishap[] = ['killed before', 'killed after', rejected, lost]

  it.each(flows)(
    '$name: after a settle that failed at any call, later ones finish its work and repeat no part of it',
    async (flow) => {
      const begun = await asked()
      flow.set(begun)
      const states = await leftBy(mishaps, begun, (stage, calls) => settle(stage, { calls }))
      expect(states.length).toBeGreaterThan(1)
      for (const { after, stage } of states) {
        for (let run = 0; run < 4; run++) {
          await settle(stage)
        }
        const all = [...stage.github.said(code), ...stage.github.said(pullThread(docs))]
        const notices = all.filter((line) => /^released|was closed$/.test(line))
        expect({ notices, end: flow.end(stage) }, after).toEqual({ notices: flow.said, end: flow.is })
      }
    },
  )
})

describe('a dry run', () => {
  it.each<[name: string, set: (stage: Stage) => unknown, did: string[]]>([
    ['a new commit', (stage) => docsAre(stage, 'docs2'), ['shown']],
    ['a merge', (stage) => codeIs(stage, 'merged'), ['released']],
    ["the code's pull request was closed", (stage) => codeIs(stage, 'closed'), ['closed']],
    [
      'a merge and a new commit',
      (stage) => {
        codeIs(stage, 'merged')
        docsAre(stage, 'docs2')
      },
      ['released'],
    ],
    ['no change', () => {}, []],
  ])('a dry run lists what the next run does, and writes nothing, after %s', async (_, set, did) => {
    const stage = await asked()
    await set(stage)
    const before = { ...structuredClone(stage.github.seen), statuses: stage.github.statuses.length }
    const dry = await settle(stage, { inputs: { 'dry-run': 'true' } })
    expect(dry.result?.pulls.map((each) => each.did)).toEqual(did)
    const writing = /^(reply|edit|setStatus|send|remove|react|hide|addLabels|requestReviews)/
    expect(dry.calls.made.filter((call) => writing.test(call))).toEqual([])
    expect({ ...stage.github.seen, statuses: stage.github.statuses.length }).toEqual(before)
    const real = await settle(stage)
    expect(real.result?.pulls).toEqual(dry.result?.pulls)
    const reads = dry.calls.made.filter((call) => !writing.test(call))
    expect(reads.filter((call) => !real.calls.made.includes(call))).toEqual([])
  })

  it('a dry run lists the status of `allowed-paths` that a new commit would get', async () => {
    const inputs = { 'allowed-paths': 'docs/**' }
    const stage = await asked({ ...inputs, hold: 'none' })
    docsAre(stage, 'docs2')
    const dry = await settle(stage, { inputs: { ...inputs, 'dry-run': 'true' } })
    expect(dry.result?.pulls.map(({ did }) => did)).toEqual(['guarded'])
    expect((await settle(stage, { inputs })).result?.pulls).toEqual(dry.result?.pulls)
  })
})
