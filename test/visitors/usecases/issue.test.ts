import { describe, expect, it } from 'vitest'
import { type Mark, writeMark } from '../../../src/core/mark.ts'
import type { Progress } from '../../../src/core/progress.ts'
import { threadName } from '../../../src/core/thread.ts'
import type { FoundComment, GitHubReply, PullRequestDetails } from '../../../src/usecases/ports.ts'
import type { Period } from '../../../src/visitors/core/period.ts'
import { type Series, writeReportMark } from '../../../src/visitors/core/report-mark.ts'
import { writeDismissal } from '../../../src/visitors/core/suggestions/commands.ts'
import type { KnownSuggestion } from '../../../src/visitors/core/suggestions/known.ts'
import { type IssuePorts, postReport, readIssue } from '../../../src/visitors/usecases/issue.ts'
import { series, sign, signWith, suggestion, thread } from '../core/suggestions/samples.ts'

const week: Period = { from: '2026-11-09', to: '2026-11-16' }
const weekBefore: Period = { from: '2026-11-02', to: '2026-11-09' }
const own = 'github-actions[bot]'

const markOf = (at: number, period = week, more: Partial<Series> = {}, suggestions: KnownSuggestion[] = []) =>
  writeReportMark(
    { at, ...period, series: more.name ?? 'weekly', project: 'docs', suggestions },
    { ...series, ...more },
  )
const comment = (id: number, body: string, author: string | null = own): FoundComment => ({
  id,
  body,
  author,
  nodeId: `node_${id}`,
  createdAt: id,
})
/** A report's comment, after the edit that binds its mark. */
const report = (id: number, period = week, known: KnownSuggestion[] = []) =>
  comment(id, `# Old\n\n${markOf(id, period, {}, known)}`)

interface Hub {
  comments?: FoundComment[]
  /** Comments that another run adds while this one posts. */
  meanwhile?: FoundComment[]
  /** Comments that another run adds after this one posted. */
  afterwards?: FoundComment[]
  rejects?: string[]
  isCut?: boolean
  pulls?: Record<number, Partial<PullRequestDetails> | null>
  /** The suggestions that the report must record. */
  known?: KnownSuggestion[]
}

const rejection = { status: 403, message: 'no' }

/** Posts the report on a thread; returns the calls, the thread afterwards, and the reported progress. */
async function post({
  comments = [],
  meanwhile = [],
  afterwards = [],
  rejects = [],
  isCut = false,
  pulls = {},
  known = [],
}: Hub = {}) {
  const held = [...comments]
  const acts: string[] = []
  const progress: Progress[] = []
  const answer = <T>(act: string, value: () => T, what: string | number = ''): GitHubReply<T> => {
    acts.push(`${act} ${what}`.trim())
    return rejects.includes(act) ? { ok: false, rejection } : { ok: true, value: value() }
  }
  const github: IssuePorts['github'] = {
    viewer: async () => answer('viewer', () => own),
    comments: async () => answer('comments', () => ({ items: [...held], isCut })),
    reply: async (_, body) =>
      answer('reply', () => {
        held.push(...meanwhile)
        const id = Math.max(0, ...held.map((each) => each.id)) + 1
        held.push(comment(id, body), ...afterwards)
        return id
      }),
    edit: async (_, id, body) =>
      answer(
        'edit',
        () =>
          void held.splice(
            held.findIndex((each) => each.id === id),
            1,
            comment(id, body),
          ),
        id,
      ),
    remove: async (_, id) =>
      answer(
        'remove',
        (): 'deleted' => {
          held.splice(
            held.findIndex((each) => each.id === id),
            1,
          )
          return 'deleted'
        },
        id,
      ),
    hide: async (nodeId) => answer('hide', () => undefined, nodeId),
    react: async () => answer('react', () => undefined),
    recentComments: async () => answer('recentComments', () => ({ items: [], isCut: false })),
    pull: async (repository, number) =>
      answer('pull', () => (pulls[number] ?? null) as PullRequestDetails | null, `${repository}#${number}`),
  }
  const ports = {
    github,
    serverUrl: 'https://github.com',
    onProgress: (seen: Progress) => void progress.push(seen),
  }
  const issue = await readIssue(series, { period: week, timezone: 'UTC' }, ports)
  if (issue !== null) await postReport({ text: '# This week', period: week, known }, issue, series, ports)
  return { acts, held, progress, issue }
}

const posted = (id: number) => comment(id, `# This week\n\n${markOf(id)}`)

describe('the first report of a period', () => {
  it("the first report of a period is a new comment, whose mark is then bound to the comment's ID", async () => {
    const { acts, held, progress } = await post()
    expect(acts).toEqual(['comments', 'viewer', 'reply', 'comments', 'viewer', 'edit 1'])
    expect(held).toEqual([posted(1)])
    expect(progress).toEqual([])
  })

  it('the first report of a period hides the previous one as outdated, and no other comment', async () => {
    const others = [
      comment(5, 'Hello', 'mona'),
      report(2, weekBefore),
      report(1, { from: '2026-10-26', to: '2026-11-02' }),
    ]
    const { acts, held } = await post({ comments: others })
    expect(acts.slice(2)).toEqual(['reply', 'comments', 'viewer', 'edit 6', 'hide node_2'])
    expect(held.at(-1)).toEqual(posted(6))
  })
})

describe('a re-run within the period', () => {
  it("a re-run in the same period edits the period's comment, and hides the previous period's comment again", async () => {
    const { acts, held } = await post({ comments: [report(2, weekBefore), report(3)] })
    expect(acts).toEqual(['comments', 'viewer', 'edit 3', 'hide node_2'])
    expect(held.at(-1)).toEqual(posted(3))
  })

  it('a re-run edits nothing if nothing changed', async () => {
    expect((await post({ comments: [posted(3)] })).acts).toEqual(['comments', 'viewer'])
  })

  it('a re-run takes over a comment whose run was killed before it could bind the mark', async () => {
    const { acts, held } = await post({ comments: [comment(3, `# Old\n\n${markOf(0)}`)] })
    expect(acts).toEqual(['comments', 'viewer', 'edit 3'])
    expect(held).toEqual([posted(3)])
  })
})

describe('two runs at the same time', () => {
  it('parallel runs leave one comment: the later run removes its own', async () => {
    const { acts, held } = await post({ meanwhile: [comment(1, `# Other run\n\n${markOf(0)}`)] })
    expect(acts).toEqual(['comments', 'viewer', 'reply', 'comments', 'viewer', 'remove 2'])
    expect(held.map(({ id }) => id)).toEqual([1])
  })

  it('parallel runs leave one comment: the earlier run keeps its own', async () => {
    const { acts, held } = await post({ afterwards: [comment(9, `# Other run\n\n${markOf(0)}`)] })
    expect(acts).toEqual(['comments', 'viewer', 'reply', 'comments', 'viewer', 'edit 1'])
    expect(held.map(({ id }) => id)).toEqual([1, 9])
  })

  it('the next run removes the second comment of two parallel runs if one was killed', async () => {
    const { acts, held } = await post({ comments: [report(3), comment(4, `# Other run\n\n${markOf(0)}`)] })
    expect(acts).toEqual(['comments', 'viewer', 'remove 4', 'edit 3'])
    expect(held).toEqual([posted(3)])
  })
})

describe('marks in other comments', () => {
  it.each<[string, FoundComment]>([
    ['by someone else', comment(3, `x\n\n${markOf(3)}`, 'mona')],
    ['by a deleted account', comment(3, `x\n\n${markOf(3)}`, null)],
    ['copied from another comment', comment(3, `x\n\n${markOf(2)}`)],
    ['signed with another key', comment(3, `x\n\n${markOf(3, week, { sign: signWith('other') })}`)],
    ['of another series', comment(3, `x\n\n${markOf(3, week, { name: 'monthly' })}`)],
  ])('marks in other comments have no effect: %s', async (_, each) => {
    const { acts, held } = await post({ comments: [each] })
    expect(acts).toEqual(['comments', 'viewer', 'reply', 'comments', 'viewer', 'edit 4'])
    expect(held[0]).toEqual(each)
  })

  it('a comment with an unbound mark is not hidden', async () => {
    const { acts } = await post({ comments: [comment(3, `x\n\n${markOf(0, weekBefore)}`)] })
    expect(acts.filter((act) => act.startsWith('hide'))).toEqual([])
  })
})

describe('a rejection', () => {
  it.each<[string, string[], string]>([
    ['viewer', ['comments', 'viewer'], 'read'],
    ['comments', ['comments'], 'read'],
    ['reply', ['comments', 'viewer', 'reply'], 'reply'],
    ['edit', ['comments', 'viewer', 'reply', 'comments', 'viewer', 'edit 3', 'hide node_2'], 'edit'],
    ['hide', ['comments', 'viewer', 'reply', 'comments', 'viewer', 'edit 3', 'hide node_2'], 'hide'],
  ])('a rejection of `%s` causes a warning, and nothing is posted twice', async (act, expected, told) => {
    const { acts, progress } = await post({ comments: [report(2, weekBefore)], rejects: [act] })
    expect(acts).toEqual(expected)
    expect(progress).toEqual([{ type: 'thread-failed', act: told, thread, rejection }])
  })

  it('the new comment stays if GitHub rejects the second read of the comments', async () => {
    let looks = 0
    const rejects: string[] = []
    const hub: Hub = { comments: [report(2, weekBefore)], rejects }
    Object.defineProperty(rejects, 'includes', { value: (act: string) => act === 'comments' && ++looks > 1 })
    const { acts, progress } = await post(hub)
    expect(acts.slice(2)).toEqual(['reply', 'comments', 'edit 3', 'hide node_2'])
    expect(progress).toHaveLength(1)
  })
})

describe('known suggestions', () => {
  const asked = (by: string, at = 20) => {
    const mark: Mark & { suggestion: string } = {
      at,
      role: 'reply',
      request: 'comment:15',
      step: 's',
      project: 'p',
      state: 'job',
      job: 'j',
      outcome: null,
      prLink: null,
      since: 1,
      by,
      suggestion: 's-1f3a9c',
    }
    return writeMark(mark, threadName(thread), sign)
  }

  it('known suggestions come from the latest bound report, with their current state', async () => {
    const { issue, acts } = await post({
      comments: [
        report(2, { from: '2026-10-26', to: '2026-11-02' }, [suggestion({ key: 's-aaaaaa' })]),
        report(3, weekBefore, [
          suggestion({
            state: { is: 'pull-request', by: 'mona', url: 'https://github.com/acme/docs/pull/101' },
          }),
        ]),
        comment(4, `x\n\n${markOf(0, week)}`),
      ],
      pulls: { 101: { isOpen: false, mergedAt: Date.parse('2026-11-10T12:00:00Z') } },
    })
    expect(issue?.known).toMatchObject([{ key: 's-1f3a9c', state: { is: 'merged', on: '2026-11-10' } }])
    expect(acts).toContain('pull acme/docs#101')
  })

  it('a re-run in the same period still shows what changed since the report of the previous period', async () => {
    const merged = {
      is: 'merged',
      by: 'mona',
      url: 'https://github.com/acme/docs/pull/1',
      on: '2026-11-10',
    } as const
    const others = [suggestion({ key: 's-aaaaaa', state: merged }), suggestion({ key: 's-bbbbbb' })]
    const { issue } = await post({
      comments: [
        report(2, weekBefore, [suggestion(), ...others]),
        report(3, week, [suggestion({ state: merged }), ...others]),
      ],
    })
    expect(issue?.known).toHaveLength(3)
    expect(issue?.changed).toEqual(['s-1f3a9c'])
  })

  it('known suggestions are recorded by the edit that binds the mark, because GitHub mails the first version', async () => {
    const known = [suggestion()]
    const { held } = await post({ known })
    expect(held).toEqual([comment(1, `# This week\n\n${markOf(1, week, {}, known)}`)])
  })

  it("a dismissal is only valid in a comment by the token's account, and names the person", async () => {
    const dismissal = writeDismissal({ key: 's-1f3a9c', by: 'mona', request: 9 }, thread, sign)
    const reply = (author: string) => comment(10, `Dismissed.\n\n${dismissal}`, author)
    const before = report(3, weekBefore, [suggestion()])
    expect((await post({ comments: [before, reply(own)] })).issue?.known).toMatchObject([
      { state: { is: 'dismissed', by: 'mona' } },
    ])
    expect((await post({ comments: [before, reply('mallory')] })).issue?.known).toMatchObject([
      { state: { is: 'open' } },
    ])
  })

  it("requests are only read from bound marks in comments by the token's account", async () => {
    const before = report(3, weekBefore, [suggestion()])
    const stateWith = async (body: string, author = own) =>
      (await post({ comments: [before, comment(20, body, author)] })).issue?.known[0]?.state
    expect(await stateWith(`⏳\n\n${asked('mona')}`, 'mallory')).toEqual({ is: 'open' })
    expect(await stateWith(`⏳\n\n${asked('mona', 21)}`)).toEqual({ is: 'open' })
  })
})
