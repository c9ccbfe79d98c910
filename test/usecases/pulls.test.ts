/** What the action writes on pull requests. `test/usecases/holds.test.ts` has what settle does there later. */

import { describe, expect, it } from 'vitest'
import type { AgentResult } from '../../src/core/outcome.ts'
import type { CodePull, Origin } from '../../src/core/pull.ts'
import { announce, type PullSettings, type RequestRef } from '../../src/life/pull.ts'
import { aJob } from '../core/samples.ts'
import { aResult, someChanges } from '../say/samples.ts'
import { Calls, lost, type Mishap, rejected } from './github.ts'
import { issue, linkOf, pullThread, Stage, words } from './step.ts'
import { start } from './world.ts'

const ref: RequestRef = { request: 'run:1', step: 's1', project: 'p1', writer: 'w1', since: start }
const agentLogin = 'mintlify[bot]'
const elsewhere = 'https://github.com/acme/other/pull/5'

interface Telling extends Partial<Pick<AgentResult, 'delivery' | 'jobId' | 'changes'>> {
  /** The last commit of the documented change. */
  head?: string | null
  /** The change's pull request. */
  number?: number | null
  settings?: Partial<PullSettings>
  requester?: string | null
  code?: CodePull | null
  prLink?: string | null
  thread?: Origin['thread']
}

/** Announces results in turn, while GitHub's calls with these names have these mishaps. */
async function tell(
  tellings: readonly Telling[],
  mishaps: Record<string, Mishap[]> = {},
  strangers: string[] = [],
) {
  const stage = new Stage()
  stage.github.strangers = strangers
  const calls = Calls.meeting(mishaps)
  const log: string[] = []
  const ports = {
    ...stage.ports(
      calls,
      (...entries) => void log.push(...entries.map(({ text }) => text.replace(/ (on|to|of) acme.*/s, ''))),
    ),
    words,
  }
  for (const telling of tellings) {
    const { head = 'a', number = null, prLink = linkOf(101), jobId = 'job_1' } = telling
    const { thread = null, delivery = 'sent', requester = 'mona', code = null, settings = {} } = telling
    const repository = 'acme/docs'
    const { changes = someChanges({ opened: { author: agentLogin, branch: 'b' } }) } = telling
    const change = head === null ? null : { repository, head, number, author: 'mona' }
    const result = aResult({ delivery, jobId, job: aJob({ prLink }), changes })
    const none = { pullRequestLabels: [], reviewers: [], allowedPaths: [], agentLogin }
    await announce(
      result,
      { repository, thread, change, requester, code },
      ref,
      { ...none, ...settings },
      ports,
    )
  }
  const wrote = calls.made.filter((call) => /^(add|request|reply|edit|setStatus)/.test(call))
  return { wrote, log, seen: stage.github.seen, github: stage.github }
}

const settings = { pullRequestLabels: ['docs', 'ai'], reviewers: ['requester', 'acme/writers', 'rita'] }
const code = { repository: 'acme/docs', number: 12, head: 'a', hold: 'merge' } as const
const introduced = 'reply acme/docs#101'
const opened = (author: string, branch = 'b') => someChanges({ opened: { author, branch } })

describe("the agent's pull request", () => {
  it.each<[name: string, tellings: Telling[], lines: string[], mishaps?: Record<string, Mishap[]>]>([
    ['whatever comes later', [{}, { head: 'b' }, {}], ['+ documents a']],
    ['if the response was lost', [{}, { head: 'b' }], ['+ documents a'], { reply: [lost] }],
    ['for each job', [{}, { head: null, jobId: 'job_2' }], ['+ documents a', '+ documents a request']],
    ['unless it cannot be read', [{}], [], { comments: [rejected] }],
  ])(
    "the agent's pull request gets one comment, which never changes: %s",
    async (_, tellings, lines, mishaps) => {
      const { seen } = await tell(tellings, mishaps)
      expect(seen['acme/docs#101'] ?? []).toEqual(lines)
    },
  )

  it.each<[name: string, telling: Telling, wrote: string[], log?: string[]]>([
    [
      'has all that the workflow sets',
      { settings: { ...settings, allowedPaths: ['docs/**'] }, code },
      [
        ...['addLabels 101', 'requestReviews 101', 'requestReviews 101', 'requestReviews 101'],
        ...[introduced, 'setStatus pending', 'setStatus success'],
      ],
    ],
    [
      'is the agent’s if it has the branch of the job',
      { changes: opened('mona', aJob().ref ?? '') },
      [introduced],
    ],
    [
      'is left alone if someone else opened it',
      { changes: opened('mona'), settings, code },
      [],
      ['Nothing was written'],
    ],
    ['is left alone if its files cannot be read', { changes: null, settings, code }, []],
    ['is left alone in another repository', { prLink: elsewhere }, []],
    [
      'is written on in another repository if the workflow sets something',
      { prLink: elsewhere, settings: { pullRequestLabels: ['docs'] } },
      ['addLabels 5', 'reply acme/other#5'],
    ],
    ['is left alone on another server', { prLink: 'https://github.example/acme/docs/pull/101' }, []],
    ['does not exist yet', { prLink: null }, []],
    ['is left alone if the job may not have received the follow-up', { delivery: 'uncertain' }, []],
    ['gets no comment if it is the thread of the request', { thread: { ...issue, number: 101 } }, []],
    [
      'gets no review from a bot that asked',
      { settings: { reviewers: ['requester'] }, requester: 'dependabot[bot]' },
      [introduced],
    ],
    [
      'gets no review if no one asked',
      { settings: { reviewers: ['requester'] }, requester: null },
      [introduced],
    ],
  ])("the agent's pull request %s", async (_, telling, wrote, log = []) => {
    const told = await tell([telling])
    expect([told.wrote, told.log]).toEqual([wrote, log])
  })

  it('a pull request whose record GitHub rejects is not held, because nothing would lift the hold', async () => {
    const { wrote } = await tell([{ code }], { reply: [rejected] })
    expect(wrote).toEqual([introduced])
  })

  it.each<
    [
      name: string,
      reviewers: string[],
      log: string[],
      mishaps: Record<string, Mishap[]>,
      strangers?: string[],
    ]
  >([
    [
      'again, without effect, if the comment was rejected',
      ['mona', 'writers', 'rita'],
      ['No comment was left'],
      { reply: [rejected] },
    ],
    ['except those without access', ['mona', 'writers'], ['Could not ask `rita` for a review'], {}, ['rita']],
    [
      'even if the labels were rejected',
      ['mona', 'writers', 'rita'],
      ['Could not add the labels `docs`, `ai`'],
      { addLabels: [rejected] },
    ],
  ])('reviewers are asked one by one: %s', async (_, reviewers, log, mishaps, strangers) => {
    const told = await tell([{ settings }, { settings }], mishaps, strangers)
    expect([told.github.reviewers[101], told.log]).toEqual([reviewers, log])
    expect(told.seen['acme/docs#101']).toEqual(['+ documents a'])
  })
})

it.each<[name: string, links: string[], last: string, mishaps?: Record<string, Mishap[]>]>([
  ['which always links to the latest docs', [linkOf(101), linkOf(101), linkOf(102)], `~ see ${linkOf(102)}`],
  ['for docs in another repository', [elsewhere], `+ see ${elsewhere}`],
  [
    "even if the agent's pull request cannot be read",
    [linkOf(101)],
    `+ see ${linkOf(101)}`,
    { comments: [rejected] },
  ],
])("the change's pull request gets one comment, %s", async (_, links, last, mishaps) => {
  const { seen } = await tell(
    links.map((prLink) => ({ number: 12, prLink })),
    mishaps,
  )
  const lines = seen['acme/docs#12'] ?? []
  expect([lines.filter((line) => line.startsWith('+')).length, lines.at(-1)]).toEqual([1, last])
})

it.each<[globs: string[], status: string | undefined]>([
  [['docs/**'], 'success: All files are within the allowed paths'],
  [['docs/*.md', 'docs/n*'], 'failure: 3 files are outside the allowed paths'],
  [[], undefined],
])('allowed-paths %j sets this status on each new commit: %s', async (allowedPaths, expected) => {
  const heads = ['a', 'b'].map((head) => ({
    changes: someChanges({ head, opened: { author: agentLogin, branch: 'b' } }),
    settings: { allowedPaths },
    thread: pullThread(101),
  }))
  const { github } = await tell(heads)
  const shown = github.statuses.map(({ commit, state, description }) => `${commit} ${state}: ${description}`)
  expect(shown).toEqual(expected === undefined ? [] : [`a ${expected}`, `b ${expected}`])
})
