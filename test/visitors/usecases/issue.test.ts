import { describe, expect, it } from 'vitest'
import { type LogEntry, say } from '../../../src/say/messages.ts'
import type { FoundComment, GitHubReply } from '../../../src/usecases/ports.ts'
import type { Period } from '../../../src/visitors/core/period.ts'
import { type IssuePorts, postReport } from '../../../src/visitors/usecases/issue.ts'
import { reportIn, series, signWith, thread, week } from '../core/report-mark-samples.ts'

const weekBefore: Period = { from: '2026-11-02', to: '2026-11-09' }
const own = 'github-actions[bot]'

const comment = (id: number, body: string, author: string | null = own): FoundComment => ({
  id,
  body,
  author,
  nodeId: `node_${id}`,
  createdAt: id,
})
const report = (id: number, period = week) => comment(id, reportIn({}, period))
const fresh = reportIn().replace('# Report', '# This week')

interface Hub {
  comments?: FoundComment[]
  /** Calls that GitHub rejects. */
  rejects?: (act: string) => boolean
  isCut?: boolean
}

const rejection = { status: 403, message: 'no' }

/** Posts the report on a thread; returns the calls, the thread afterwards, and the reported progress. */
async function post({ comments = [], rejects = () => false, isCut = false }: Hub = {}) {
  const held = [...comments]
  const acts: string[] = []
  const progress: LogEntry[] = []
  const answer = <T>(act: string, value: () => T, what: string | number = ''): GitHubReply<T> => {
    acts.push(`${act} ${what}`.trim())
    return rejects(act) ? { ok: false, rejection } : { ok: true, value: value() }
  }
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
    react: async () => answer('react', () => {}),
    recentComments: async () => answer('recentComments', () => ({ items: [], isCut: false })),
  }
  const log = (...seen: LogEntry[]) => void progress.push(...seen)
  const why = await postReport('# This week', week, series, { github, log })
  return { acts, held, progress, why }
}

describe('a report', () => {
  it('a report is posted, and the report of the previous period is hidden', async () => {
    const { acts, held } = await post({
      comments: [report(1, { from: '2026-10-26', to: '2026-11-02' }), report(2, weekBefore)],
    })
    expect(acts).toEqual(['comments', 'viewer', 'reply', 'hide node_2'])
    expect(held.at(-1)).toEqual(comment(3, fresh))
  })

  it('a re-run edits the comment for the same period', async () => {
    const first = await post({ comments: [report(2, weekBefore), report(3)] })
    expect(first.acts).toEqual(['comments', 'viewer', 'edit 3', 'hide node_2'])
    expect((await post({ comments: first.held })).held).toEqual(first.held)
  })

  it('a duplicate from a run at the same time is removed', async () => {
    const { acts } = await post({ comments: [report(3), report(4)] })
    expect(acts).toEqual(['comments', 'viewer', 'remove 4', 'edit 3'])
  })

  it.each([
    ["another account's comment", comment(3, reportIn(), 'mallory')],
    ['a comment without an account', comment(3, reportIn(), null)],
    ['a comment signed with another key', comment(3, reportIn({ sign: signWith('other') }))],
    ['a report of another series', comment(3, reportIn({ name: 'monthly' }))],
    ['a comment without a mark', comment(3, '# Report')],
  ])('%s is left alone', async (_, each) => {
    const { acts, held } = await post({ comments: [each] })
    expect(acts).toEqual(['comments', 'viewer', 'reply'])
    expect(held).toEqual([each, comment(4, fresh)])
  })

  it('nothing is posted if the issue has more comments than are read', async () => {
    const { acts, why } = await post({ isCut: true })
    expect(acts).toEqual(['comments'])
    expect(why?.message).toContain('more comments')
  })
})

describe('a rejection', () => {
  it.each([
    ['viewer', ['comments', 'viewer']],
    ['comments', ['comments']],
    ['reply', ['comments', 'viewer', 'reply']],
  ])('a rejection of `%s` is returned, and nothing else happens', async (act, expected) => {
    const hub = { comments: [report(2, weekBefore)], rejects: (each: string) => each === act }
    const { acts, why } = await post(hub)
    expect([acts, why]).toEqual([expected, rejection])
  })

  it('a rejection of an edit is returned', async () => {
    expect((await post({ comments: [report(2)], rejects: (act) => act === 'edit' })).why).toEqual(rejection)
  })

  it('a report that cannot be hidden only causes a warning', async () => {
    const { why, progress } = await post({
      comments: [report(2, weekBefore)],
      rejects: (act) => act === 'hide',
    })
    expect(why).toBeNull()
    expect(progress).toEqual([say.threadFailed('hide', thread, rejection)])
  })
})
