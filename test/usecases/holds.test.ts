import { describe, expect, it } from 'vitest'
import type { Thread } from '../../src/core/thread.ts'
import type { PullEvent } from '../../src/core/trigger/event.ts'
import { Calls, lost, type Mishap, rejected } from './github.ts'
import { leftBy, type Options, settleOn } from './settle-step.ts'
import { aChange, agentsPull, aPull, command, event, linkOf, pullThread, Stage } from './step.ts'
import { answer } from './world.ts'

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
  stage.github.details[number] = aPull(number, head)
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
const sends = ({ platform }: Stage) => platform.sends.map((sent) => sent.slice(0, 60))
const files = (github: object) => ({
  ...github,
  changedFiles: async () => ({
    ok: true as const,
    value: {
      files: [
        { path: 'a.ts', previousPath: null, status: 'modified', additions: 1, deletions: 0, patch: '+a' },
      ],
      isCut: false,
    },
  }),
})
const settle = async (stage: Stage, options: Options = {}) => {
  stage.now += hour
  return settleOn(stage, { ...options, github: (ports) => ({ ...files(ports), ...options.github?.(ports) }) })
}
const rows = async (stage: Stage, options: Options = {}) =>
  (await settle(stage, options)).result?.pulls.map(({ did }) => did)
const unwaited = { wait: 'false' }
const keepWorking = ({ platform }: Stage) => {
  for (const job of platform.jobs.values()) job.activeReads = 1_000
}
const endJobs = ({ platform }: Stage) => platform.endJobs()
const someStatuses = async () => ({ ok: true as const, value: { items: [], isCut: true } })
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
    docsAre(stage, 'docs2', { state, mergeable: 'no' })
    expect(await rows(stage)).toEqual([])
  })

  it('a held pull request takes one job and no follow-up if the code is merged unchanged', async () => {
    const stage = await asked()
    codeIs(stage, 'merged')
    await rows(stage)
    expect(holdOn(stage, 'docs1')).toBe('success: lifted acme/docs#12')
    expect(stage.github.said(code)).toEqual(['result: pull-request job_1', `released ${linkOf(docs)}`])
    expect(sends(stage)).toHaveLength(1)
    const calls = (await settle(stage)).calls.made
    expect(calls.filter((call) => /^(reply|edit|setStatus|send|remove)/.test(call))).toEqual([])
  })

  it('a held pull request gets one follow-up and is then released if the code changed', async () => {
    const stage = await asked()
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['sent'])
    expect(holdOn(stage, 'docs1')).toBe('pending: held acme/docs#12')
    expect(await rows(stage)).toEqual([])
    endJobs(stage)
    expect(await rows(stage)).toEqual(['released'])
    await settle(stage)
    expect(sends(stage)).toEqual([
      'job_1: request 1',
      'job_1 + The pull request acme/docs#12 changed after you got ',
    ])
    expect(stage.github.said(code).at(-1)).toBe(`released ${linkOf(docs)}`)
  })

  it('a held pull request gets no follow-up if an earlier command gave the agent the last commit', async () => {
    const stage = await asked()
    codeIs(stage, 'open', 'bbbb')
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['released'])
    expect(sends(stage)).toHaveLength(2)
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

  it('settle sends no final diff if the agent got the last commit from a command that this settle reports', async () => {
    const stage = await asked()
    await killedAt(stage, 'bbbb')
    expect(await rows(stage)).toEqual(['released'])
    expect(sends(stage)).toHaveLength(2)
  })

  it('a held pull request gets no final diff if its job also documents another pull request', async () => {
    const stage = await asked()
    const other = pullThread(13)
    stage.github.details[13] = aPull(13, 'cccc')
    await command(stage, { comment: 3, thread: other }, { inputs: { ...held, 'job-id': 'job_1' }, run: '3' })
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual(['released'])
  })

  it('a held pull request gets no final diff if settle reports an earlier command after a later one', async () => {
    const stage = new Stage()
    codeIs(stage, 'open')
    docsAre(stage)
    await command(stage, { comment: 1, thread: code }, { inputs: { ...held, wait: 'false' } })
    codeIs(stage, 'open', 'bbbb')
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
    await settle(stage)
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['released'])
    expect(sends(stage)).toHaveLength(2)
  })

  it('a pull request is marked as outdated if its job accepts no follow-up', async () => {
    const stage = await asked()
    for (const job of stage.platform.jobs.values()) job.status = 'archived'
    stage.platform.ends = ['archived']
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['outdated'])
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(pullThread(docs)).filter((line) => line.startsWith('outdated'))).toHaveLength(1)
  })

  it.each([
    [
      'rejected with 400 is not sent again, and the docs are reported as outdated',
      400,
      ['outdated'],
      ['outdated at bbbb'],
    ],
    ['rejected with 401 is sent again, and leaves no comment', 401, ['unsent'], []],
    ['rejected with 404 is sent again, because the job existed before', 404, ['unsent'], []],
  ])('a final diff %s', async (_, status, did, said) => {
    const stage = await asked()
    const before = stage.github.said(pullThread(docs))
    codeIs(stage, 'merged', 'bbbb')
    stage.platform.next = answer(status)
    expect(await rows(stage)).toEqual(did)
    expect(stage.github.said(pullThread(docs))).toEqual([...before, ...said])
    expect(await rows(stage)).toEqual(did[0] === 'unsent' ? ['sent'] : ['released'])
    expect(stage.github.said(pullThread(docs)).filter((line) => line.includes('error'))).toEqual([])
  })

  it('a final diff without files is not sent, and the docs are not reported as outdated', async () => {
    const stage = await asked()
    codeIs(stage, 'merged', 'bbbb')
    stage.now += hour
    const { result } = await settleOn(stage)
    expect(result?.pulls).toEqual([])
    expect(await rows(stage)).toEqual(['released'])
    expect(stage.github.said(pullThread(docs)).filter((line) => line.startsWith('outdated'))).toEqual([])
  })

  it('a hold is lifted even if the final diff went to a job that never ended', async () => {
    const stage = await asked()
    codeIs(stage, 'merged', 'bbbb')
    expect(await rows(stage)).toEqual(['sent'])
    for (const job of stage.platform.jobs.values()) job.activeReads = 10_000
    expect(await rows(stage)).toEqual([])
    stage.now += 15 * 24 * hour
    expect(await rows(stage)).toEqual(['released'])
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

  it('a held pull request waits for the release that contains the merge, and each release is checked once', async () => {
    const stage = await asked({ hold: 'release' })
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual([])
    const release = (tag: string) =>
      stage.github.releases.unshift({ tag, publishedAt: stage.clock.date() + hour })
    release('v1.1-backport')
    expect(await rows(stage)).toEqual([])
    expect((await settle(stage)).calls.made.filter((call) => call.startsWith('contains'))).toEqual([])
    release('v2')
    stage.github.contained.v2 = ['merge']
    expect(await rows(stage)).toEqual(['released'])
  })

  it('the log says so if an open pull request that is no longer listed cannot be read', async () => {
    const stage = new Stage()
    stage.github.pulls = [agentsPull(101)]
    const { progress } = await settleOn(stage, { calls: Calls.where(rejected, 'pullViews') })
    expect(progress.map(({ type }) => type)).toEqual(['pulls-unread'])
  })

  it('a held pull request is found even after 60 days, and its comments are read only once', async () => {
    const stage = await asked({ hold: 'release' })
    stage.github.pulls = [agentsPull(docs)]
    stage.now += 60 * 24 * hour
    const reads = async () =>
      (await settle(stage)).calls.made.filter((call) => call === `comments acme/docs#${docs}`).length
    expect([await reads(), await reads()]).toEqual([1, 0])
    codeIs(stage, 'merged')
    stage.github.releases.unshift({ tag: 'v2', publishedAt: stage.clock.date() + hour })
    stage.github.contained.v2 = ['merge']
    stage.now += 60 * 24 * hour
    expect(await rows(stage)).toEqual(['released'])
  })

  it.each<[name: string, change: (stage: Stage) => unknown, did: string, state: string]>([
    ["is closed with the code's pull request", () => {}, 'closed', 'closed'],
    [
      'stays open after a commit by a person',
      (stage) => docsAre(stage, 'docs1', { authors: ['mintlify[bot]', 'rita'] }),
      'left-open',
      'open',
    ],
    [
      'stays open after a command by a person',
      (stage) => command(stage, { comment: 5, thread: pullThread(docs) }, { run: '5' }),
      'left-open',
      'open',
    ],
    [
      'stays open if it also documents another change',
      async (stage) => {
        const change = { number: 3, pullHead: 'cccc' }
        await event(stage, aChange('cccc', change), { run: '6', inputs: { 'job-id': 'job_1' } })
      },
      'left-open',
      'open',
    ],
    [
      'stays open while its job works on a command by a person',
      async (stage) => {
        await command(stage, { comment: 5, thread: pullThread(docs) }, { run: '5', inputs: unwaited })
        keepWorking(stage)
      },
      'left-open',
      'open',
    ],
    [
      'stays open while its job works on another change',
      async (stage) => {
        let isSent = false
        const calls = new Calls((_, name) => {
          isSent ||= name === 'send'
          return isSent && name === 'read job' ? 'killed before' : undefined
        })
        await event(stage, aChange('cccc'), { run: '6', inputs: { 'job-id': 'job_1' }, calls })
        keepWorking(stage)
      },
      'left-open',
      'open',
    ],
    [
      'stays open if a command by a person may have been sent',
      async (stage) => {
        const calls = Calls.where(lost, 'send')
        const { result } = await command(stage, { comment: 5, thread: pullThread(docs) }, { run: '5', calls })
        expect(result?.outcome).toBe('unconfirmed')
      },
      'left-open',
      'open',
    ],
    [
      'stays open if the records of what it documents are older than those that settle lists',
      (stage) => {
        stage.now += 60 * 24 * hour
      },
      'left-open',
      'open',
    ],
  ])('a held pull request %s', async (_, change, did, state) => {
    const stage = await asked()
    await change(stage)
    codeIs(stage, 'closed')
    stage.now += hour
    expect(await rows(stage, about(12))).toEqual([did])
    expect(stage.github.views[`${repository}#${docs}`]?.state).toBe(state)
    expect(await rows(stage)).toEqual([])
    const said = stage.github.said(pullThread(docs)).filter((line) => line.startsWith('abandoned'))
    expect(said).toEqual([`abandoned, ${state === 'closed' ? 'closing' : 'left open'}`])
  })

  it.each(['https://GitHub.com/acme/docs/pull/101', `${linkOf(docs)}/`, `${linkOf(docs)}/files`])(
    "another change keeps a held pull request open, however Mintlify spells the pull request's link: %s",
    async (spelling) => {
      const stage = await asked()
      await event(stage, aChange('cccc'), { run: '6', inputs: { 'job-id': 'job_1' } })
      for (const status of stage.github.statuses)
        if (status.targetUrl === linkOf(docs)) status.targetUrl = spelling
      codeIs(stage, 'closed')
      expect(await rows(stage, about(12))).toEqual(['left-open'])
    },
  )

  const app = { ...code, repository: 'acme/app' }
  it.each<[repository: string, what: string, thread: Thread]>([
    ['acme/app', 'on the held pull request', pullThread(docs)],
    ['acme/app', 'on a line of the held pull request', { ...pullThread(docs), reviewRoot: 77 }],
    ['acme/docs', 'on another pull request with code', { ...app, number: 13 }],
  ])(
    'settle in %s leaves a held pull request open because of a command in the other repository: %s',
    async (where, _, thread) => {
      const stage = new Stage()
      stage.github.details = { 12: aPull(12), 13: aPull(13, 'cccc') }
      stage.github.changeView('acme/app', 12, { head: 'aaaa' })
      docsAre(stage)
      await command(stage, { comment: 1, thread: app }, { inputs: held })
      await command(stage, { comment: 5, thread }, { run: '5', inputs: { 'job-id': 'job_1' } })
      stage.github.changeView('acme/app', 12, { state: 'closed', closedAt: stage.clock.date() })
      expect(await rows(stage, { repository: where })).toEqual(['left-open'])
    },
  )

  it.each<[how: string, options: Options]>([
    [
      'only some of the other changes that it documents',
      { github: () => ({ recentStatuses: someStatuses }) },
    ],
    ['none of the other changes that it documents', { calls: Calls.where(rejected, 'recentStatuses') }],
  ])('a held pull request stays open if GitHub lists %s', async (_, options) => {
    const stage = await asked()
    codeIs(stage, 'closed')
    expect(await rows(stage, { ...about(12), ...options })).toEqual(['left-open'])
    expect(stage.github.views[`${repository}#${docs}`]?.state).toBe('open')
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
    // The first edit binds the notice, and the second one records it.
    await settle(stage, { calls: Calls.meeting({ edit: [undefined, rejected] }) })
    await settle(stage)
    const said = stage.github.seen['acme/docs#12'] ?? []
    const notice = `released ${linkOf(docs)}`
    expect(said.filter((line) => line.includes('released'))).toEqual([`+ ${notice}`, `~ ${notice}`])
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

  it("a pull request that stayed open is held again if the code's pull request is reopened and gets a command", async () => {
    const stage = await asked()
    docsAre(stage, 'docs1', { authors: ['mintlify[bot]', 'rita'] })
    codeIs(stage, 'closed')
    expect(await rows(stage)).toEqual(['left-open'])
    codeIs(stage, 'open')
    await command(stage, { comment: 2, thread: code }, { inputs: held, run: '2' })
    expect(holdOn(stage, 'docs1')).toBe('pending: held acme/docs#12')
    codeIs(stage, 'merged')
    expect(await rows(stage)).toEqual(['released'])
    expect(holdOn(stage, 'docs1')).toBe('success: lifted acme/docs#12')
  })

  it('a pull request whose record GitHub rejects is not held, because nothing would lift the hold', async () => {
    const stage = new Stage()
    codeIs(stage, 'open')
    docsAre(stage)
    const calls: Calls = new Calls((_, name) =>
      name === 'edit' && calls.made.at(-1) === `reply acme/docs#${docs}` ? rejected : undefined,
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
  ])('docs in another repository wait, get the final diff, and are released by %s', async (_, options) => {
    const stage = new Stage()
    appIs(stage, 'open')
    docsAre(stage)
    await command(stage, { comment: 1, thread: app }, { inputs: held })
    expect(holdOn(stage, 'docs1')).toBe('pending: held acme/app#12')
    appIs(stage, 'merged', 'bbbb')
    expect(await rows(stage, options)).toEqual(['sent'])
    endJobs(stage)
    expect(await rows(stage, options)).toEqual(['released'])
    expect(stage.github.said(app)).toEqual(['result: pull-request job_1', `released ${linkOf(docs)}`])
    expect(stage.github.said(pullThread(docs)).at(-1)).toMatch(/^result: pull-request/)
    expect(sends(stage)).toHaveLength(2)
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

describe('a conflict', () => {
  it('a conflict is reported once until it is resolved', async () => {
    const stage = await asked({})
    const says = () => stage.github.said(pullThread(docs)).filter((line) => line === 'conflict').length
    docsAre(stage, 'docs1', { mergeable: 'no' })
    expect(await rows(stage)).toEqual(['conflict'])
    docsAre(stage, 'docs2', { mergeable: 'no' })
    expect(await rows(stage)).toEqual([])
    docsAre(stage, 'docs2', { mergeable: 'yes' })
    await settle(stage)
    docsAre(stage, 'docs3', { mergeable: 'no' })
    expect(await rows(stage)).toEqual(['conflict'])
    expect([says(), sends(stage).length]).toEqual([2, 1])
  })

  it('a conflict is left to the next run if GitHub does not know the mergeability at the second check', async () => {
    const stage = await asked({})
    docsAre(stage, 'docs1', { mergeable: 'unknown' })
    const { calls, result } = await settle(stage)
    expect(calls.made.filter((call) => call.startsWith('pullViews'))).toHaveLength(2)
    expect(result?.pulls).toEqual([])
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
    sends: number
    end: (stage: Stage) => string | undefined
    is: string
  }
  const released = [`released ${linkOf(docs)}`]
  const onDocs = (head: string) => (stage: Stage) => holdOn(stage, head)
  const lifted = { end: onDocs('docs1'), is: 'success: lifted acme/docs#12' }
  const pending = 'pending: held acme/docs#12'
  const flows: Flow[] = [
    { name: 'a merge', set: (stage) => codeIs(stage, 'merged'), said: released, sends: 1, ...lifted },
    {
      name: 'a merge of code that changed',
      set: (stage) => codeIs(stage, 'merged', 'bbbb'),
      said: released,
      sends: 2,
      ...lifted,
    },
    {
      name: 'a close',
      set: (stage) => codeIs(stage, 'closed'),
      said: ['abandoned, closing'],
      sends: 1,
      end: (stage) => stage.github.views[`${repository}#${docs}`]?.state,
      is: 'closed',
    },
    {
      name: 'a conflict',
      set: (stage) => docsAre(stage, 'docs1', { mergeable: 'no' }),
      said: ['conflict'],
      sends: 1,
      end: onDocs('docs1'),
      is: pending,
    },
    {
      name: 'a new commit',
      set: (stage) => docsAre(stage, 'docs2'),
      said: [],
      sends: 1,
      end: onDocs('docs2'),
      is: pending,
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
          endJobs(stage)
          await settle(stage)
        }
        const all = [...stage.github.said(code), ...stage.github.said(pullThread(docs))]
        const notices = all.filter((line) => /^(released|abandoned|conflict|outdated)/.test(line))
        const seen = { notices, end: flow.end(stage), isSent: sends(stage).length <= flow.sends }
        expect(seen, after).toEqual({ notices: flow.said, end: flow.is, isSent: true })
      }
    },
  )
})
