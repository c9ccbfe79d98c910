import { describe, expect, it } from 'vitest'
import type { Progress } from '../../../src/core/progress.ts'
import type { Thread } from '../../../src/core/thread.ts'
import type { FoundComment, GitHubReply } from '../../../src/usecases/ports.ts'
import type { Period } from '../../../src/visitors/core/period.ts'
import { type Series, writeReportMark } from '../../../src/visitors/core/report-mark.ts'
import { type PostPorts, postReport } from '../../../src/visitors/usecases/post-report.ts'

const thread: Thread = { repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null }
const series: Series = {
  thread,
  name: 'weekly',
  sign: (text) =>
    `${text.length}x${[...text].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1e9, 7)}`,
}
const week: Period = { from: '2026-11-09', to: '2026-11-16' }
const weekBefore: Period = { from: '2026-11-02', to: '2026-11-09' }
const own = 'github-actions[bot]'

const markOf = (comment: number, period = week, more: Partial<Series> = {}) =>
  writeReportMark({ period, comment }, { ...series, ...more })
const comment = (id: number, body: string, author: string | null = own): FoundComment => ({
  id,
  body,
  author,
  nodeId: `node_${id}`,
  createdAt: id,
})
/** A report's comment as it is after its second edit. */
const report = (id: number, period = week, text = '# Old') => comment(id, `${text}\n\n${markOf(id, period)}`)

interface Hub {
  comments?: FoundComment[]
  /** Comments that another run adds while this one posts. */
  meanwhile?: FoundComment[]
  refuses?: string[]
  isCut?: boolean
}

const refusal = { status: 403, message: 'no' }

/** Posts the report to a thread; what was done, what the thread holds then, and what was told. */
async function post({ comments = [], meanwhile = [], refuses = [], isCut = false }: Hub = {}) {
  const held = [...comments]
  const acts: string[] = []
  const progress: Progress[] = []
  const answer = <T>(act: string, value: () => T, what: string | number = ''): GitHubReply<T> => {
    acts.push(`${act} ${what}`.trim())
    return refuses.includes(act) ? { ok: false, refusal } : { ok: true, value: value() }
  }
  const github: PostPorts['github'] = {
    viewer: async () => answer('viewer', () => own),
    comments: async () => answer('comments', () => ({ items: [...held], isCut })),
    reply: async (_, body) =>
      answer('reply', () => {
        held.push(...meanwhile)
        const id = Math.max(0, ...held.map((each) => each.id)) + 1
        held.push(comment(id, body))
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
  }
  const befores: (string | null)[] = []
  const textAfter = (before: string | null) => {
    befores.push(before)
    return '# This week'
  }
  await postReport(textAfter, week, series, { github, onProgress: (seen) => void progress.push(seen) })
  return { acts, held, progress, befores }
}

const posted = (id: number) => comment(id, `# This week\n\n${markOf(id)}`)

describe('the first report of a period', () => {
  it('is a new comment, which is then bound to its id', async () => {
    const { acts, held, progress, befores } = await post()
    expect(acts).toEqual(['viewer', 'comments', 'reply', 'comments', 'edit 1'])
    expect(held).toEqual([posted(1)])
    expect(progress).toEqual([])
    expect(befores).toEqual([null])
  })

  it('hides the one before as outdated, and no other comment', async () => {
    const others = [
      comment(5, 'Hello', 'mona'),
      report(2, weekBefore),
      report(1, { from: '2026-10-26', to: '2026-11-02' }),
    ]
    const { acts, held, befores } = await post({ comments: others })
    expect(acts.slice(2)).toEqual(['reply', 'comments', 'edit 6', 'hide node_2'])
    expect(befores).toEqual([report(2, weekBefore).body])
    expect(held.at(-1)).toEqual(posted(6))
  })
})

describe('a re-run within the period', () => {
  it('edits its comment, and hides the one before again', async () => {
    const { acts, held, befores } = await post({ comments: [report(2, weekBefore), report(3)] })
    expect(acts).toEqual(['viewer', 'comments', 'edit 3', 'hide node_2'])
    expect(befores).toEqual([report(2, weekBefore).body])
    expect(held.at(-1)).toEqual(posted(3))
  })

  it('edits nothing if nothing changed', async () => {
    expect((await post({ comments: [posted(3)] })).acts).toEqual(['viewer', 'comments'])
  })

  it('takes over a comment whose run was killed before it was bound', async () => {
    const { acts, held } = await post({ comments: [comment(3, `# Old\n\n${markOf(0)}`)] })
    expect(acts).toEqual(['viewer', 'comments', 'edit 3'])
    expect(held).toEqual([posted(3)])
  })
})

describe('two runs at the same time', () => {
  it('leave one comment: the later one removes its own', async () => {
    const { acts, held } = await post({ meanwhile: [comment(1, `# Other run\n\n${markOf(0)}`)] })
    expect(acts).toEqual(['viewer', 'comments', 'reply', 'comments', 'remove 2'])
    expect(held.map(({ id }) => id)).toEqual([1])
  })

  it('leave one comment: the earlier one stays', async () => {
    const { acts } = await post({ comments: [] })
    expect(acts).not.toContain('remove 1')
  })

  it('that left two comments because one was killed are cleaned up by the next', async () => {
    const { acts, held } = await post({ comments: [report(3), comment(4, `# Other run\n\n${markOf(0)}`)] })
    expect(acts).toEqual(['viewer', 'comments', 'remove 4', 'edit 3'])
    expect(held).toEqual([posted(3)])
  })
})

describe('marks in comments that are not the own ones', () => {
  it.each<[string, FoundComment]>([
    ['by someone else', comment(3, `x\n\n${markOf(3)}`, 'mona')],
    ['by an account that is gone', comment(3, `x\n\n${markOf(3)}`, null)],
    ['copied from another comment', comment(3, `x\n\n${markOf(2)}`)],
    ['signed with another key', comment(3, `x\n\n${markOf(3, week, { sign: () => 'forged' })}`)],
    ['of another series', comment(3, `x\n\n${markOf(3, week, { name: 'monthly' })}`)],
  ])('direct nothing: %s', async (_, each) => {
    const { acts, held } = await post({ comments: [each] })
    expect(acts).toEqual(['viewer', 'comments', 'reply', 'comments', 'edit 4'])
    expect(held[0]).toEqual(each)
  })

  it('hide nothing, if they are not bound', async () => {
    const { acts } = await post({ comments: [comment(3, `x\n\n${markOf(0, weekBefore)}`)] })
    expect(acts.filter((act) => act.startsWith('hide'))).toEqual([])
  })
})

describe('a refusal', () => {
  it.each<[string, string[], string]>([
    ['viewer', ['viewer'], 'read'],
    ['comments', ['viewer', 'comments'], 'read'],
    ['reply', ['viewer', 'comments', 'reply'], 'reply'],
    ['edit', ['viewer', 'comments', 'reply', 'comments', 'edit 3', 'hide node_2'], 'edit'],
    ['hide', ['viewer', 'comments', 'reply', 'comments', 'edit 3', 'hide node_2'], 'hide'],
  ])('of %s costs a warning, and posts nothing twice', async (act, expected, told) => {
    const { acts, progress } = await post({ comments: [report(2, weekBefore)], refuses: [act] })
    expect(acts).toEqual(expected)
    expect(progress).toEqual([{ type: 'thread-failed', act: told, thread, refusal }])
  })

  it('of the second look leaves the comment', async () => {
    let looks = 0
    const refuses: string[] = []
    const hub: Hub = { comments: [report(2, weekBefore)], refuses }
    Object.defineProperty(refuses, 'includes', { value: (act: string) => act === 'comments' && ++looks > 1 })
    const { acts, progress } = await post(hub)
    expect(acts.slice(2)).toEqual(['reply', 'comments', 'edit 3', 'hide node_2'])
    expect(progress).toHaveLength(1)
  })
})
