/** What the action writes on pull requests. `test/run/open-pulls.test.ts` has what settle does there later. */
import { describe, expect, it } from 'vitest'
import type { RunInputs } from '../../src/core/inputs/schema.ts'
import type { AgentResult } from '../../src/core/outcome.ts'
import type { Origin } from '../../src/core/trigger/change.ts'
import { nowhere } from '../../src/record/place.ts'
import { writeOnPulls } from '../../src/run/pull.ts'
import { aJob, rowsOf } from '../core/samples.ts'
import { commitRequest } from '../record/samples.ts'
import { aResult, someChanges } from '../say/samples.ts'
import { Calls, lost, type Mishap, rejected } from './github.ts'
import { home, issue, linkOf, pullThread, Stage, settleInputs } from './step.ts'
import { start } from './world.ts'

const agentLogin = 'mintlify[bot]'
const elsewhere = 'https://github.com/acme/other/pull/5'
const opened = (author: string, branch = 'b') => someChanges({ ...home, author, branch })

interface Telling
  extends Partial<Pick<AgentResult, 'delivery' | 'jobId' | 'changes'>>,
    Partial<Pick<Origin, 'thread' | 'requester' | 'isBot' | 'code'>> {
  /** The last commit of the documented change; null if there is none. */
  head?: string | null
  /** The change's pull request. */
  number?: number | null
  settings?: Partial<RunInputs>
  link?: string | null
}

/** Announces results in turn, while GitHub's calls with these names have these mishaps. */
async function tell(tellings: readonly Telling[], mishaps: Record<string, (Mishap | undefined)[]> = {}) {
  const stage = new Stage()
  const calls = Calls.meeting(mishaps)
  const logged = stage.logged(calls)
  for (const telling of tellings) {
    const { head = 'a', number = null, link = linkOf(101), jobId = 'job_1', settings } = telling
    const { thread = null, delivery = 'sent', requester = 'mona', isBot = false, code = null } = telling
    const { changes = { ...opened(agentLogin), ...(link === elsewhere && { repositoryId: '2' }) } } = telling
    const change = head === null ? null : { ...home, head, number, author: 'mona' }
    const result = aResult({ delivery, jobId, job: aJob({ link }), changes })
    const all = { ...settleInputs(), ...settings }
    const place = { ...nowhere, request: commitRequest, origin: { thread, change, requester, isBot, code } }
    await writeOnPulls({ result, place, since: start, settings: all }, logged.ports)
  }
  const wrote = calls.made.filter((call) => /^(add|request|reply|edit|setStatus)/.test(call))
  const log = logged.log.map((text) => text.replace(/( (on|to|of))? acme.*/s, ''))
  return { did: [...wrote, ...log].join(', '), log: log.join(), github: stage.github }
}

const settings = { pullRequestLabels: ['docs', 'ai'], reviewers: ['requester', 'acme/writers', 'rita'] }
const code = { repository: 'acme/docs', repositoryId: '1', number: 12, head: 'a', hold: 'merge' } as const
const introduced = 'reply acme/docs#101'
const reviewed = { reviewers: ['requester'] }
const labeled = { pullRequestLabels: ['docs'] }

describe("the agent's pull request", () => {
  it.each<[name: string, tellings: Telling[], lines: string, mishaps?: Record<string, Mishap[]>]>([
    ['whatever comes later', [{}, { head: 'b' }, {}], '+ documents a'],
    ['if the response was lost', [{}, { head: 'b' }], '+ documents a', { reply: [lost] }],
    ['for each job', [{}, { head: null, jobId: 'job_2' }], '+ documents a,+ documents a request'],
    ['unless it cannot be read', [{}], '', { comments: [rejected] }],
  ])(
    "the agent's pull request gets one comment, which never changes: %s",
    async (_, tellings, lines, mishaps) => {
      const { seen } = (await tell(tellings, mishaps)).github
      expect(seen['acme/docs#101']?.join() ?? '').toBe(lines)
    },
  )

  const all =
    'addLabels 101, requestReview 101, requestReview 101, requestReview 101, reply acme/docs#101, setStatus pending, setStatus success'
  it.each<[name: string, telling: Telling, did: string, mishaps?: Record<string, Mishap[]>]>([
    ['has all that the workflow sets', { settings: { ...settings, allowedPaths: ['docs/**'] }, code }, all],
    ['is the agent’s with its job’s branch', { changes: opened('mona', aJob().branch ?? '') }, introduced],
    [
      'is left alone if someone else opened it',
      { changes: opened('mona'), settings, code },
      'Nothing was written',
    ],
    ['is left alone if its files cannot be read', { changes: null, settings, code }, ''],
    ['is left alone in another repository', { link: elsewhere }, ''],
    [
      'is written on in another repository if the workflow sets something',
      { link: elsewhere, settings: labeled },
      'addLabels 5, reply acme/other#5',
    ],
    ['is left alone on another server', { link: 'https://github.example/acme/docs/pull/101' }, ''],
    ['does not exist yet', { link: null }, ''],
    ['is left alone if the job may not have received the follow-up', { delivery: 'uncertain' }, ''],
    ['gets no comment if it is the thread of the request', { thread: { ...issue, number: 101 } }, ''],
    ['gets no review from a bot', { settings: reviewed, requester: 'Copilot', isBot: true }, introduced],
    [
      'gets a review from a person with any login',
      { settings: reviewed, requester: 'my[bot]' },
      `requestReview 101, ${introduced}`,
    ],
    ['gets no review if no one asked', { settings: reviewed, requester: null }, introduced],
    [
      'is not held without a record, because nothing would lift the hold',
      { code },
      `${introduced}, Could not hold`,
      { reply: [rejected] },
    ],
  ])("the agent's pull request %s", async (_, telling, did, mishaps) => {
    expect((await tell([telling], mishaps)).did).toBe(did)
  })

  it.each(
    rowsOf(`
      again, without effect, if the comment was rejected | reply         | mona writers rita | Could not leave a comment
      except those without access                        | requestReview | mona writers      | Could not ask \`rita\` for a review
      even if the labels were rejected                   | addLabels     | mona writers rita | Could not add the labels \`docs\`, \`ai\`
    `),
  )('reviewers are asked one by one: %s', async (_, call = '', reviewers, log) => {
    // The third call is the one for `rita`.
    const before = call === 'requestReview' ? [undefined, undefined] : []
    const told = await tell([{ settings }, { settings }], { [call]: [...before, rejected] })
    expect([told.github.reviewers[101]?.join(' '), told.log]).toEqual([reviewers, log])
    expect(told.github.seen['acme/docs#101']).toEqual(['+ documents a'])
  })
})

it.each<[name: string, links: string[], last: string, mishaps?: Record<string, Mishap[]>]>([
  ['which always links to the latest docs', [linkOf(101), linkOf(101), linkOf(102)], `~ see ${linkOf(102)}`],
  ['for docs in another repository', [elsewhere], `+ see ${elsewhere}`],
  ["even if the agent's cannot be read", [linkOf(101)], `+ see ${linkOf(101)}`, { comments: [rejected] }],
])("the change's pull request gets one comment, %s", async (_, links, last, mishaps) => {
  const tellings = links.map((link) => ({ number: 12, link }))
  const lines = (await tell(tellings, mishaps)).github.seen['acme/docs#12'] ?? []
  expect([lines.filter((line) => line.startsWith('+')).length, lines.at(-1)]).toEqual([1, last])
})

it.each<[globs: string[], status: string, isCut?: boolean]>([
  [['docs/**'], 'success: within'],
  [['docs/*.md', 'docs/n*'], 'failure: outside (3)'],
  [['**'], 'failure: cut (0)', true],
  [[], 'none'],
])(
  'allowed-paths %j sets this status on each new commit: %s',
  async (allowedPaths, expected, isCut = false) => {
    const heads = ['a', 'b'].map((head) => ({
      changes: { ...opened(agentLogin), head, isCut },
      settings: { allowedPaths },
      thread: pullThread(101),
    }))
    const { github } = await tell(heads)
    const shown = (head: string) => {
      const statuses = github.told(head).join()
      return statuses.replace(/ · [0-9a-f]{8}$/, '') || 'none'
    }
    expect(['a', 'b'].map(shown)).toEqual([expected, expected])
  },
)
