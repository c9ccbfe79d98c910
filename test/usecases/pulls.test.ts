import type { AgentResult } from '../../src/core/outcome.ts'
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { globsName, guardedGlobs } from '../../src/core/guard.ts'
import type { CodePull, Origin } from '../../src/core/pull.ts'
import type { DocumentedChange } from '../../src/core/trigger/change.ts'
import { announce, type RequestRef } from '../../src/life/pull.ts'
import type { PullSettings } from '../../src/usecases/pull-settings.ts'
import { aJob } from '../core/samples.ts'
import { aResult, someChanges } from '../say/samples.ts'
import { Calls, lost, type Mishap, rejected } from './github.ts'
import { agentsPull, issue, key, linkOf, pullThread, Stage, words } from './step.ts'
import { start } from './world.ts'

const ref: RequestRef = { request: 'run:1', step: 's1', project: 'p1', writer: 'w1', since: start }
const agentLogin = 'mintlify[bot]'
const noSettings: PullSettings = { pullRequestLabels: [], reviewers: [], allowedPaths: [], agentLogin }
const change = (head: string, number: number | null = null): DocumentedChange => {
  return { repository: 'acme/docs', head, number, author: 'mona' }
}

interface Telling extends Partial<Pick<AgentResult, 'delivery' | 'jobId' | 'changes'>> {
  pullSettings?: Partial<PullSettings>
  requester?: string | null
  code?: CodePull | null
  prLink?: string | null
  thread?: Origin['thread']
}

/** A GitHub whose calls with these names have these mishaps, in turn. */
function world(mishaps: Record<string, Mishap[]> = {}) {
  const stage = new Stage()
  for (const number of [5, 101, 102]) stage.github.details[number] = agentsPull(number)
  const calls = Calls.meeting(mishaps)
  const progress: string[] = []
  const ports = {
    ...stage.ports(
      calls,
      (seen) => void progress.push('what' in seen ? `no ${seen.act} ${seen.what}` : seen.type),
    ),
    words,
  }
  const tell = (
    documented: DocumentedChange | null,
    {
      prLink = linkOf(101),
      jobId = 'job_1',
      thread = null,
      delivery = 'sent',
      changes = null,
      pullSettings = {},
      requester = 'mona',
      code = null,
    }: Telling = {},
  ) => {
    const origin = { repository: 'acme/docs', thread, change: documented, requester, code }
    const result = aResult({ delivery, jobId, job: aJob({ prLink }), changes })
    return announce(result, origin, ref, { ...noSettings, ...pullSettings }, ports)
  }
  const seen = (number: number) => stage.github.seen[`acme/docs#${number}`] ?? []
  return { calls, progress, tell, seen, github: stage.github }
}

describe("the agent's pull request", () => {
  it.each<[name: string, heads: string[], mishaps: Record<string, Mishap[]>]>([
    ['whatever comes later', ['a', 'b', 'a'], {}],
    ['if the response was lost', ['a', 'b'], { reply: [lost] }],
  ])("the agent's pull request gets one comment, which never changes: %s", async (_, heads, mishaps) => {
    const { tell, seen } = world(mishaps)
    for (const head of heads) await tell(change(head))
    expect(seen(101)).toEqual(['+ documents a'])
  })

  it("the agent's pull request gets one comment for each job", async () => {
    const { tell, seen } = world()
    await tell(change('a'))
    await tell(null, { jobId: 'job_2' })
    expect(seen(101).filter((line) => line.startsWith('+'))).toEqual([
      '+ documents a',
      '+ documents a request',
    ])
  })

  it("the agent's pull request gets no comment if it cannot be read, because it may already have one", async () => {
    const { progress, tell, seen } = world({ comments: [rejected] })
    await tell(change('a'))
    expect([seen(101), progress]).toEqual([[], ['unannounced']])
  })

  it.each<[string, Telling]>([
    ['is in another repository', { prLink: 'https://github.com/acme/other/pull/101' }],
    ['is on another server', { prLink: 'https://github.example/acme/docs/pull/101' }],
    ['does not exist yet', { prLink: null }],
    ['belongs to a job that may not have received the follow-up', { delivery: 'uncertain' }],
    ['is the thread of the request', { thread: { ...issue, number: 101 } }],
  ])("nothing is written if the agent's pull request %s", async (_, told) => {
    const { calls, tell } = world()
    await tell(change('a'), told)
    expect(calls.made.filter((call) => !call.startsWith('pull'))).toEqual([])
  })
})

describe('a pull request that Mintlify names', () => {
  const all = { agentLogin, pullRequestLabels: ['docs'], reviewers: ['rita'], allowedPaths: ['docs/**'] }
  const code = { repository: 'acme/docs', number: 12, head: 'a', hold: 'merge' } as const
  const by = (author: string, branch = 'b') => someChanges({ opened: { author, branch } })

  it.each([
    ['the agent opened it', by('mintlify[bot]')],
    ["it has the job's branch", by('mona', aJob().ref ?? '')],
  ])('a pull request is written on if %s', async (_, changes) => {
    const { calls, tell, github } = world()
    await tell(null, { changes, pullSettings: all, code })
    expect([github.labels[101], github.reviewers[101]]).toEqual([['docs'], ['rita']])
    const statuses = calls.made.filter((call) => call.startsWith('setStatus'))
    expect(statuses).toEqual(['setStatus pending', 'setStatus success'])
  })

  it.each([
    ['with its files', by('mona')],
    ['without its files', null],
  ])(
    'a pull request that someone else opened is left alone, and the log says why: %s',
    async (_, changes) => {
      const { calls, tell, github, progress } = world()
      github.details[101] = { ...agentsPull(101), author: 'mona' }
      await tell(null, { changes, pullSettings: all, code })
      expect(calls.made.filter((call) => call !== 'pull')).toEqual([])
      expect(progress).toEqual(['foreign-pull'])
    },
  )

  it('a pull request that cannot be read is left alone', async () => {
    const { calls, tell, progress } = world({ pull: [rejected] })
    await tell(null, { pullSettings: all, code })
    expect([calls.made, progress]).toEqual([['pull'], ['unannounced']])
  })
})

describe("the change's pull request", () => {
  it("the change's pull request gets one comment, which always links to the latest docs", async () => {
    const { tell, seen } = world()
    for (const number of [101, 101, 102]) await tell(change('a', 12), { prLink: linkOf(number) })
    expect(seen(12).filter((line) => line.startsWith('+'))).toHaveLength(1)
    expect(seen(12).at(-1)).toBe(`~ see ${linkOf(102)}`)
  })

  it("the change's pull request gets one comment, even if that comment was never bound", async () => {
    const { tell, seen } = world({ edit: [rejected] })
    for (let run = 0; run < 2; run++) await tell(change('a', 12), { thread: pullThread(101) })
    expect(seen(12).filter((line) => line.startsWith('+'))).toHaveLength(1)
  })

  it("the change's pull request gets a comment for docs in another repository", async () => {
    const { tell, seen } = world()
    await tell(change('a', 12), { prLink: 'https://github.com/acme/other/pull/5' })
    expect(seen(12).at(-1)).toBe('+ see https://github.com/acme/other/pull/5')
  })

  it("the change's pull request gets a comment even if the agent's pull request cannot be read", async () => {
    const { tell, seen } = world({ comments: [rejected] })
    await tell(change('a', 12))
    expect([seen(101), seen(12)[0]]).toEqual([[], `+ see ${linkOf(101)}`])
  })
})

describe('labels and reviewers', () => {
  const asked = { pullRequestLabels: ['docs', 'ai'], reviewers: ['requester', 'acme/writers', 'rita'] }

  it('labels and reviewers are set once, before the comment that records them', async () => {
    const { calls, tell, github } = world()
    await tell(change('a'), { pullSettings: asked })
    await tell(change('b'), { pullSettings: asked })
    expect(github.labels[101]).toEqual(['docs', 'ai'])
    expect(github.reviewers[101]).toEqual(['mona', 'rita', 'writers'])
    const writes = calls.made.filter((call) => /^(add|request|reply)/.test(call))
    expect(writes).toEqual(['addLabels 101', 'requestReviews 101', 'reply acme/docs#101'])
  })

  it('labels and reviewers are set again, without effect, if the comment that records them could not be posted', async () => {
    const { tell, github } = world({ reply: [rejected] })
    for (const _ of [1, 2]) await tell(change('a'), { pullSettings: asked })
    expect([github.labels[101], github.reviewers[101]]).toEqual([
      ['docs', 'ai'],
      ['mona', 'rita', 'writers'],
    ])
  })

  it('reviewers are asked one by one if GitHub rejects one of them', async () => {
    const { tell, github, progress } = world()
    github.strangers = ['rita']
    await tell(change('a'), { pullSettings: asked })
    expect(github.reviewers[101]).toEqual(['mona', 'writers'])
    expect(progress).toEqual(['no review `rita`'])
  })

  it.each<[requester: string | null]>([[null], ['dependabot[bot]']])(
    'no reviewer is asked if the requester is %s',
    async (requester) => {
      const { calls, tell } = world()
      await tell(null, { pullSettings: { reviewers: ['requester'] }, requester })
      expect(calls.made.filter((call) => call.startsWith('requestReviews'))).toEqual([])
    },
  )

  it('labels and reviewers that GitHub rejects cause one warning each, and never prevent the comment', async () => {
    const { tell, seen, progress } = world({ addLabels: [rejected], requestReviews: [rejected] })
    await tell(change('a'), { pullSettings: asked })
    expect(progress).toEqual(['no label `docs`, `ai`', 'no review `mona`, `acme/writers`, `rita`'])
    expect(seen(101)[0]).toBe('+ documents a')
  })

  it('labels and reviewers are set in another repository', async () => {
    const { calls, tell } = world()
    await tell(change('a'), { prLink: 'https://github.com/acme/other/pull/5', pullSettings: asked })
    expect(calls.made).toContain('addLabels 5')
  })
})

describe('allowed-paths', () => {
  it.each<[globs: string[], status: string | undefined]>([
    [['docs/**'], 'success: All files are within the allowed paths'],
    [['docs/*.md', 'docs/n*'], 'failure: 3 files are outside the allowed paths'],
    [[], undefined],
  ])('allowed-paths %j sets this status on the last commit: %s', async (allowedPaths, expected) => {
    const { tell, github } = world()
    const changes = someChanges()
    await tell(change('a'), { changes, pullSettings: { allowedPaths } })
    const [status] = github.statuses
    expect(status && `${status.state}: ${status.description.split(' · ')[0]}`).toBe(expected)
    if (status === undefined) return
    const at = { repository: 'acme/docs', commit: changes.head }
    expect(status.context).toBe('Docs agent / allowed paths')
    expect(guardedGlobs(status, at, signWith(key))).toBe(globsName(allowedPaths))
    expect(guardedGlobs(status, { ...at, commit: 'other' }, signWith(key))).toBeNull()
    const other = status.state === 'success' ? 'failure' : 'success'
    expect(guardedGlobs({ ...status, state: other }, at, signWith(key))).toBeNull()
    expect(guardedGlobs(status, at, signWith('another key'))).toBeNull()
  })

  it('allowed-paths sets its status on each new commit, also for a request on the pull request itself', async () => {
    const { tell, github } = world()
    const pullSettings = { allowedPaths: ['docs/**'] }
    for (const head of ['a', 'b'])
      await tell(null, { changes: someChanges({ head }), pullSettings, thread: pullThread(101) })
    expect(github.statuses.map(({ commit }) => commit)).toEqual(['a', 'b'])
  })
})
