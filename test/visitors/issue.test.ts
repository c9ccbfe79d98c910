/** The comments on the report's issue: a report changes only those of its own series. */
import { expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import type { LogEntry } from '../../src/core/log.ts'
import type { Thread } from '../../src/core/thread.ts'
import { say } from '../../src/say/messages.ts'
import { explain } from '../../src/say/problems.ts'
import { postReport, type Series } from '../../src/visitors/issue.ts'
import { addComment, viewer } from '../github.ts'
import { Calls, GitHub, rejected } from '../run/github.ts'
import { issue, Stage } from '../run/step.ts'

const thread: Thread = issue
const weekFrom = (from: string, to: string) => ({ projectId: 'docs', period: { from, to }, paths: [] })
const week = weekFrom('2026-11-09', '2026-11-16')
const before = { series: weekFrom('2026-11-02', '2026-11-09') }
const earlier = { series: weekFrom('2026-10-26', '2026-11-02') }

interface Post {
  series?: Series
  on?: Thread
  key?: string
  calls?: Calls
}

/** Posts a report; returns the calls, the problem and the log. */
async function post(
  github: GitHub,
  { series = week, on = thread, key = 'key', calls = new Calls() }: Post = {},
) {
  const progress: LogEntry[] = []
  const log = (...seen: LogEntry[]) => void progress.push(...seen)
  const ports = { ...new Stage().ports(calls, log), github: github.ports(calls), sign: signWith(key) }
  const problem = await postReport('# Report', on, series, ports)
  return { acts: calls.made.map((call) => call.split(' ')[0]), problem, progress }
}

const hub = () => new GitHub(() => 0)
const shown = ({ comments }: GitHub) => comments.map(({ isHidden }) => (isHidden ? 'hidden' : 'shown'))

/** The text of a report's comment. */
async function bodyOf(more: Post): Promise<string> {
  const github = hub()
  await post(github, more)
  return github.comments[0]?.body ?? ''
}

const body = await bodyOf({})
const ofSeries = (series: Partial<Series>) => bodyOf({ series: { ...week, ...series } })
const month = { from: '2026-10-01', to: '2026-11-01', isMonth: true } as const

const renamed = { on: { ...thread, repository: 'acme/handbook' } }
it.each<[title: string, posts: Post[], signs: string, comments: string]>([
  ['is posted on an empty issue', [], '+', 'shown'],
  ['hides the report of the previous period', [earlier, before], '+++', 'hidden,hidden,shown'],
  ['is edited by a re-run', [before, {}], '++~', 'hidden,shown'],
  ['is found after a rename', [renamed], '+~', 'shown'],
])('a report %s', async (_, posts, signs, comments) => {
  const github = hub()
  for (const each of [...posts, {}]) await post(github, each)
  expect(Object.values(github.seen).flat()).toEqual([...signs].map((sign) => `${sign} # Report`))
  expect(shown(github).join()).toBe(comments)
  // GitHub mails it.
  expect(github.comments.at(-1)?.body).toMatch(/^# Report\n\n<!-- docs-agent-report:\S{1,150} -->$/)
})

it('a report replaces copies that simultaneous runs posted', async () => {
  const github = hub()
  const [first] = [github.add(thread, body), github.add(thread, body)]
  expect((await post(github)).acts).toEqual(['comments', 'remove', 'edit'])
  expect(github.comments.map(({ id }) => id)).toEqual([first])
})

it.each<[string, string, string | null]>([
  ["another account's comment", body, 'mallory'],
  ['a comment without an account', body, null],
  ['a report on another issue', await bodyOf({ on: { ...thread, number: 70 } }), viewer],
  ['a report signed with another key', await bodyOf({ key: 'other' }), viewer],
  ['a report of another project', await ofSeries({ projectId: 'other' }), viewer],
  ['a report with other paths', await ofSeries({ paths: ['/a'] }), viewer],
  ['a monthly report', await ofSeries({ period: month }), viewer],
  ['a report of 31 days', await ofSeries({ period: { from: '2026-10-01', to: '2026-11-01' } }), viewer],
  [
    'a mark that was edited',
    body.replace(/(report:)[^:]+/, `$1${btoa('["2026-11-02","2026-11-09"]')}`),
    viewer,
  ],
  ['a mark followed by more text', `${body}\nand more`, viewer],
  ['a comment without a mark', '# Report', viewer],
])('%s is left alone', async (_, text, author) => {
  const github = hub()
  Object.assign(github, addComment(github, thread, text, { author }))
  await post(github)
  expect(github.comments.map((comment) => comment.body)).toEqual([text, body])
  expect(shown(github)).toEqual(['shown', 'shown'])
})

it.each<[string, Post, acts: string, ends: boolean]>([
  ['comments', {}, 'comments', true],
  ['reply', {}, 'comments,reply', true],
  ['edit', before, 'comments,edit', true],
  ['hide', {}, 'comments,reply,hide', false],
])(
  'a rejection of `%s` ends the post, unless the report is posted already',
  async (name, more, acts, ends) => {
    const github = hub()
    await post(github, before)
    const seen = await post(github, { ...more, calls: Calls.where(rejected, name) })
    const said = seen.problem && explain(seen.problem).what
    expect([seen.acts.join(), said]).toEqual([
      acts,
      ends ? 'Could not post the report on `acme/docs#7` (403: no).' : null,
    ])
    const forbidden = { kind: 'rejected', status: 403, detail: 'no' } as const
    expect(seen.progress).toEqual(ends ? [] : [say.githubFailed('hide', thread, forbidden)])
  },
)

it('nothing is posted if the issue has more comments than are read', async () => {
  const github = hub()
  const failure = { kind: 'too-long' } as const
  const { problem } = await post(github, { calls: Calls.where(failure, 'comments') })
  expect(problem).toMatchObject({ kind: 'github-failed', need: 'report', failure })
  expect(github.comments).toEqual([])
})
