import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import type { Thread } from '../../src/core/thread.ts'
import { Calls, type GitHub, refused } from './github.ts'
import { type Options, settleOn } from './settle-step.ts'
import { aChange, aPull, command, event, linkOf, pullThread, Stage } from './step.ts'
import { answer } from './world.ts'

const hour = 60 * 60_000
const day = 24 * hour
const unwaited = { wait: 'false' }
const docs = pullThread(101)
const code = pullThread(12)
const dateOfRelease = (stage: Stage) => stage.clock.date() + hour

/** A command on a thread and a run on a commit, whose jobs have both ended. */
async function withEnded(): Promise<Stage> {
  const stage = new Stage()
  await command(stage, { comment: 1 }, { inputs: unwaited })
  await event(stage, null, { run: '2', inputs: unwaited })
  end(stage)
  return stage
}

function end(stage: Stage): void {
  stage.now += hour
  for (const job of stage.platform.jobs.values()) job.activeReads = 0
}

const rows = async (stage: Stage, options: Options = {}) => {
  stage.now += hour
  const { result } = await settleOn(stage, options)
  return result?.jobs.map(({ job, state, outcome }) => `${job} ${state} ${outcome ?? ''}`.trim())
}

/** A held pull request of the agent, 101, with its last commit `docs1`, for code in pull request 12. */
async function held(hold: 'merge' | 'release' = 'merge'): Promise<Stage> {
  const stage = new Stage()
  stage.github.details[12] = aPull(12)
  stage.github.details[101] = aPull(101, 'docs1')
  stage.github.changeView('acme/docs', 12, { head: 'aaaa' })
  stage.github.changeView('acme/docs', 101, { head: 'docs1' })
  await command(stage, { comment: 1, thread: code }, { inputs: { hold } })
  return stage
}

function merge({ github, clock }: Stage): void {
  github.changeView('acme/docs', 12, { state: 'merged', mergeCommit: 'merge', closedAt: clock.date() })
}

const did = async (stage: Stage, options: Options = {}) => {
  stage.now += hour
  return (await settleOn(stage, options)).result?.pulls.map((pull) => pull.did)
}

/** Calls that GitHub rejects by their names, and otherwise carries out. */
const rejecting = (...names: string[]) => new Calls((_, name) => (names.includes(name) ? refused : undefined))

describe('settle does not settle', () => {
  it.each<[whose: string, list: (github: GitHub) => void, reads: string[]]>([
    [
      "another account's comments",
      (github) => {
        for (const comment of github.comments) comment.author = 'eve'
      },
      ['statuses', 'read job job_2', 'statuses', 'statuses'],
    ],
    [
      "another account's statuses",
      (github) => {
        for (const status of github.statuses) status.creator = 'eve'
      },
      ['read job job_1'],
    ],
  ])('settle does not settle %s', async (_, change, reads) => {
    const stage = await withEnded()
    change(stage.github)
    const { calls } = await settleOn(stage)
    expect(calls.made.filter((call) => /^(read job|statuses)/.test(call))).toEqual(reads)
  })

  it('settle does not read the commit of a status that another key signed', async () => {
    const stage = new Stage()
    await event(stage, null, { inputs: unwaited, sign: signWith('mint_another_key') })
    end(stage)
    const { calls } = await settleOn(stage)
    expect(calls.made).not.toContain('statuses')
  })

  it("settle does not settle another repository's requests, although docs there wait for code here", async () => {
    const stage = new Stage()
    const app = { ...code, repository: 'acme/app' }
    for (const repository of ['acme/docs', 'acme/app'])
      stage.github.changeView(repository, 12, { head: 'aaaa' })
    stage.github.details[12] = aPull(12)
    stage.github.details[101] = aPull(101, 'docs1')
    stage.github.changeView('acme/docs', 101, { head: 'docs1' })
    await command(stage, { comment: 1, thread: app }, { inputs: { hold: 'merge' } })
    await command(stage, { comment: 2 }, { run: '2', inputs: unwaited })
    end(stage)
    expect(await rows(stage, { repository: 'acme/app' })).toEqual([])
    expect(await rows(stage)).toEqual(['job_2 settled pull-request'])
  })
})

describe('a result', () => {
  it('a result on a commit is reported once if another settle reports it in the meantime', async () => {
    const stage = new Stage()
    await event(stage, null, { inputs: unwaited })
    end(stage)
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

  it('a result is listed as unreported if GitHub rejects it', async () => {
    const stage = new Stage()
    await event(stage, null, { inputs: unwaited })
    end(stage)
    expect(await rows(stage, { calls: rejecting('setStatus') })).toEqual(['job_1 unreported pull-request'])
    expect(await rows(stage)).toEqual(['job_1 settled pull-request'])
  })

  it('a result on a commit is corrected if its pull request appears later', async () => {
    const stage = new Stage()
    await event(stage, null, { inputs: unwaited })
    end(stage)
    const read = (id: string) => answer(200, { id, status: 'completed', prLink: null })
    expect(await rows(stage, { read })).toEqual(['job_1 settled no-changes'])
    expect(await rows(stage)).toEqual(['job_1 settled pull-request'])
  })
})

describe('a held pull request whose code is closed', () => {
  const about12: Options = { pull: { number: 12, openedBranch: null, author: 'mona' } }
  const closeCode = ({ github, clock }: Stage) =>
    github.changeView('acme/docs', 12, { state: 'closed', closedAt: clock.date() })
  const stateOf = ({ github }: Stage) => github.views['acme/docs#101']?.state

  it.each<[of: string, ask: (stage: Stage) => Promise<unknown>]>([
    ['a request on it', (stage) => command(stage, { comment: 5, thread: docs }, { run: '5' })],
    [
      'another change in it',
      (stage) =>
        event(stage, aChange('cccc', { number: 3, pullHead: 'cccc' }), {
          run: '6',
          inputs: { 'job-id': 'job_1' },
        }),
    ],
  ])('stays open because of %s, even after two months', async (_, ask) => {
    const stage = await held()
    await ask(stage)
    stage.now += 60 * day
    closeCode(stage)
    expect(await did(stage, about12)).toEqual(['left-open'])
    expect(stateOf(stage)).toBe('open')
  })

  it.each<[of: string, ask: (stage: Stage) => Promise<unknown>]>([
    [
      'a request on it',
      (stage) => command(stage, { comment: 5, thread: docs }, { run: '5', inputs: unwaited }),
    ],
    [
      'another change',
      (stage) => {
        let isSent = false
        const calls = new Calls((_, name) => {
          isSent ||= name === 'send'
          return isSent && name === 'read job' ? 'killed before' : undefined
        })
        return event(stage, aChange('cccc'), { run: '6', inputs: { 'job-id': 'job_1' }, calls })
      },
    ],
  ])('stays open while its job works on %s', async (_, ask) => {
    const stage = await held()
    await ask(stage)
    for (const job of stage.platform.jobs.values()) job.activeReads = 1_000
    closeCode(stage)
    expect(await did(stage, about12)).toEqual(['left-open'])
  })

  it('stays open if a request on it may have been sent', async () => {
    const stage = await held()
    const calls = new Calls((_, name) =>
      name === 'send' ? { status: null, message: 'lost', hasEffect: true } : undefined,
    )
    const { result } = await command(stage, { comment: 5, thread: docs }, { run: '5', calls })
    expect(result?.outcome).toBe('unconfirmed')
    closeCode(stage)
    expect(await did(stage, about12)).toEqual(['left-open'])
  })

  it.each(['https://GitHub.com/acme/docs/pull/101', `${linkOf(101)}/`, `${linkOf(101)}/files`])(
    'stays open because of another change, although Mintlify names it %s',
    async (spelling) => {
      const stage = await held()
      await event(stage, aChange('cccc'), { run: '6', inputs: { 'job-id': 'job_1' } })
      for (const status of stage.github.statuses)
        if (status.targetUrl === linkOf(101)) status.targetUrl = spelling
      closeCode(stage)
      expect(await did(stage, about12)).toEqual(['left-open'])
    },
  )

  const app = { ...code, repository: 'acme/app' }
  it.each<[repository: string, of: string, thread: Thread]>([
    ['acme/app', 'a comment on it', docs],
    ['acme/app', 'a comment on a line of it', { ...docs, reviewRoot: 77 }],
    ['acme/docs', 'another pull request with code', { ...app, number: 13 }],
  ])(
    'stays open if settle runs in %s, because of %s in the other repository',
    async (repository, _, thread) => {
      const stage = new Stage()
      stage.github.details = { 12: aPull(12), 13: aPull(13, 'cccc'), 101: aPull(101, 'docs1') }
      for (const where of ['acme/docs', 'acme/app']) stage.github.changeView(where, 12, { head: 'aaaa' })
      stage.github.changeView('acme/docs', 101, { head: 'docs1' })
      await command(stage, { comment: 1, thread: app }, { inputs: { hold: 'merge' } })
      await command(stage, { comment: 5, thread }, { run: '5', inputs: { 'job-id': 'job_1' } })
      stage.github.changeView('acme/app', 12, { state: 'closed', closedAt: stage.clock.date() })
      expect(await did(stage, { repository })).toEqual(['left-open'])
    },
  )

  it('stays open if GitHub lists only some of what else it may document', async () => {
    const stage = await held()
    closeCode(stage)
    const isCut = async () => ({ ok: true as const, value: { items: [], isCut: true } })
    expect(await did(stage, { ...about12, github: () => ({ recentStatuses: isCut }) })).toEqual(['left-open'])
  })

  it('stays open if GitHub does not say what else it documents', async () => {
    const stage = await held()
    closeCode(stage)
    expect(await did(stage, { ...about12, calls: rejecting('recentStatuses') })).toEqual(['left-open'])
    expect(stateOf(stage)).toBe('open')
  })
})

describe('a hold', () => {
  it("a hold is shown on a new commit although another account's status is there", async () => {
    const stage = await held()
    const { github } = stage
    github.changeView('acme/docs', 101, { head: 'docs2' })
    const shown = github.statuses.find(({ context, commit }) => /hold/.test(context) && commit === 'docs1')
    if (shown !== undefined) github.statuses.push({ ...shown, commit: 'docs2', creator: 'eve' })
    expect(await did(stage)).toEqual(['shown'])
  })

  it('a hold does not ask about releases that are older than the merge', async () => {
    const stage = await held('release')
    stage.github.releases.unshift({ tag: 'v1', publishedAt: stage.clock.date() })
    stage.github.contained.v1 = ['merge']
    stage.now += hour
    merge(stage)
    expect(await did(stage)).toEqual([])
  })

  it('a hold stays if GitHub does not say what a release contains', async () => {
    const stage = await held('release')
    merge(stage)
    stage.github.releases.unshift({ tag: 'v2', publishedAt: dateOfRelease(stage) })
    expect(await did(stage, { calls: rejecting('contains') })).toEqual([])
    stage.github.contained.v2 = ['merge']
    expect(await did(stage)).toEqual(['released'])
  })

  it('a hold is lifted with one notice, which is not edited if the record is late', async () => {
    const stage = await held()
    merge(stage)
    let edits = 0
    // The first edit binds the notice, and the second one records it.
    const calls = new Calls((_, name) => (name === 'edit' && ++edits === 2 ? refused : undefined))
    await did(stage, { calls })
    await did(stage)
    const said = stage.github.seen['acme/docs#12'] ?? []
    expect(said.filter((line) => line.includes('released'))).toEqual([
      `+ released ${linkOf(101)}`,
      `~ released ${linkOf(101)}`,
    ])
  })
})
