import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Sign } from '../../../src/core/mark.ts'
import type { Thread } from '../../../src/core/thread.ts'
import { type LogEntry, say } from '../../../src/say/messages.ts'
import type { FoundComment, GitHubReply } from '../../../src/usecases/ports.ts'
import { type IssuePorts, postReport, type Series } from '../../../src/visitors/usecases/issue.ts'

const thread: Thread = { repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null }
const week: Series = { projectId: 'docs', period: { from: '2026-11-09', to: '2026-11-16' }, paths: [] }
const own = 'github-actions[bot]'
const rejection = { status: 403, message: 'no' }

interface Hub {
  comments?: FoundComment[]
  /** Calls that GitHub rejects. */
  rejects?: string
  isCut?: boolean
  series?: Series
  on?: Thread
  key?: string
}

/** Posts a report on a thread; returns the calls, the thread afterwards, and the reported progress. */
async function post({
  comments = [],
  rejects,
  isCut = false,
  series = week,
  on = thread,
  key = 'key',
}: Hub = {}) {
  const held = [...comments]
  const acts: string[] = []
  const progress: LogEntry[] = []
  const answer = <T>(act: string, value: () => T, what: string | number = ''): GitHubReply<T> => {
    acts.push(`${act} ${what}`.trim())
    return act === rejects ? { ok: false, rejection } : { ok: true, value: value() }
  }
  const comment = (id: number, body: string) => ({
    id,
    body,
    author: own,
    nodeId: `node_${id}`,
    createdAt: id,
  })
  const at = (id: number) => held.findIndex((each) => each.id === id)
  const github: IssuePorts['github'] = {
    viewer: async () => answer('viewer', () => own),
    comments: async () => answer('comments', () => ({ items: [...held], isCut })),
    reply: async (_, body) =>
      answer('reply', () => {
        const id = Math.max(0, ...held.map((each) => each.id)) + 1
        held.push(comment(id, body))
        return id
      }),
    edit: async (_, id, body) => answer('edit', () => void held.splice(at(id), 1, comment(id, body)), id),
    remove: async (_, id) => answer('remove', () => void held.splice(at(id), 1), id),
    hide: async (nodeId) => answer('hide', () => {}, nodeId),
  }
  const sign: Sign = (text) => createHmac('sha256', key).update(text).digest('base64url')
  const log = (...seen: LogEntry[]) => void progress.push(...seen)
  const why = await postReport('# Report', on, series, { github, sign, log })
  return { acts, held, progress, why }
}

/** A thread with a comment for each report. */
async function threadOf(...reports: Hub[]): Promise<FoundComment[]> {
  let comments: FoundComment[] = []
  for (const each of reports) {
    const { held } = await post(each)
    comments = [
      ...comments,
      ...held.map((comment) => ({
        ...comment,
        id: comments.length + 1,
        nodeId: `node_${comments.length + 1}`,
      })),
    ]
  }
  return comments
}
const before = { series: { ...week, period: { from: '2026-11-02', to: '2026-11-09' } } }
const earlier = { series: { ...week, period: { from: '2026-10-26', to: '2026-11-02' } } }

const [posted] = await threadOf({})
const found = (more: Partial<FoundComment>) => [
  { id: 3, nodeId: 'x', createdAt: 1, body: '', author: own, ...posted, ...more },
]
const body = posted?.body ?? ''
const others: [string, FoundComment[]][] = [
  ["another account's comment", found({ author: 'mallory' })],
  ['a comment without an account', found({ author: null })],
  ['a report on another issue', await threadOf({ on: { ...thread, number: 70 } })],
  ['a report signed with another key', await threadOf({ key: 'other' })],
  ['a report of another project', await threadOf({ series: { ...week, projectId: 'other' } })],
  ['a report with other paths', await threadOf({ series: { ...week, paths: ['/a'] } })],
  [
    'a monthly report',
    await threadOf({ series: { ...week, period: { from: '2026-10-01', to: '2026-11-01', isMonth: true } } }),
  ],
  [
    'a report of 28 days',
    await threadOf({ series: { ...week, period: { from: '2026-10-19', to: '2026-11-16' } } }),
  ],
  [
    'a mark that was edited',
    found({ body: body.replace(/(report:2:)[^:]+/, `$1${btoa('["2026-11-02","2026-11-09"]')}`) }),
  ],
  ['a mark followed by more text', found({ body: `${body}\nand more` })],
  ['a comment without a mark', found({ body: '# Report' })],
]

describe('a report', () => {
  it.each<[string, Hub[], string[], number]>([
    ['is posted on an empty issue', [], ['reply'], 1],
    ['hides the report of the previous period', [earlier, before], ['reply', 'hide node_2'], 3],
    ['is edited by a re-run', [before, {}], ['edit 2', 'hide node_1'], 2],
    ['replaces copies by runs at the same time', [{}, {}], ['remove 2', 'edit 1'], 1],
    [
      'is found whatever the case of the repository’s name',
      [{ on: { ...thread, repository: 'acme/DOCS' } }],
      ['edit 1'],
      1,
    ],
  ])('a report %s', async (_, reports, acts, count) => {
    const { acts: done, held } = await post({ comments: await threadOf(...reports) })
    expect(done).toEqual(['comments', 'viewer', ...acts])
    expect(held).toHaveLength(count)
    expect(held.at(-1)?.body).toMatch(/^# Report\n\n<!-- docs-agent-report:2:\S+ -->$/)
    // GitHub mails it.
    expect(held.at(-1)?.body.length).toBeLessThan(200)
  })

  it.each(others)('%s is left alone', async (_, comments) => {
    const { acts, held } = await post({ comments })
    expect(acts).toEqual(['comments', 'viewer', 'reply'])
    expect(held.slice(0, -1)).toEqual(comments)
  })
})

it.each<[string, Hub, string[], boolean]>([
  ['viewer', { rejects: 'viewer' }, ['comments', 'viewer'], true],
  ['comments', { rejects: 'comments' }, ['comments'], true],
  ['reply', { rejects: 'reply' }, ['comments', 'viewer', 'reply'], true],
  ['edit', { rejects: 'edit', series: before.series }, ['comments', 'viewer', 'edit 1'], true],
  ['hide', { rejects: 'hide' }, ['comments', 'viewer', 'reply', 'hide node_1'], false],
])('a rejection of `%s` ends the post, unless the report is posted already', async (_, hub, acts, ends) => {
  const { acts: done, why, progress } = await post({ comments: await threadOf(before), ...hub })
  expect([done, why?.what.includes('post the report on Acme/Docs#7') ?? false]).toEqual([acts, ends])
  expect(progress).toEqual(ends ? [] : [say.rejected('hide', thread, rejection)])
})

it('nothing is posted if the issue has more comments than are read', async () => {
  const { acts, why } = await post({ isCut: true })
  expect(acts).not.toContain('reply')
  expect(why?.what).toContain('more comments')
})
