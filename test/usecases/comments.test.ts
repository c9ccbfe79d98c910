import { describe, expect, it } from 'vitest'
import type { Progress } from '../../src/core/progress.ts'
import type { Thread } from '../../src/core/thread.ts'
import { keepComment } from '../../src/usecases/comments.ts'
import type { GitHub, GitHubReply, ThreadComment } from '../../src/usecases/ports.ts'

const thread: Thread = { repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null }
const refusal = { status: 403, message: 'no' }
const refused = { ok: false, refusal } as const

interface Hub {
  comments?: ThreadComment[] | 'refused'
  refuses?: boolean
  thread?: Thread
  kind?: string
  key?: string
  text?: string
}

/** Keeps a comment on a thread that has these; what was done, and what was said. */
async function keep({ comments = [], refuses = false, key = 'key', ...more }: Hub = {}) {
  const done: { act: string; id?: number; body: string }[] = []
  const progress: Progress[] = []
  const unused = () => {
    throw new Error('not asked for')
  }
  const answer = <T>(value: T): GitHubReply<T> => (refuses ? refused : { ok: true, value })
  const github: GitHub = {
    comments: async () => (comments === 'refused' ? refused : { ok: true, value: comments }),
    async reply(_, body) {
      done.push({ act: 'reply', body })
      return answer(1)
    },
    async edit(_, id, body) {
      done.push({ act: 'edit', id, body })
      return answer(undefined)
    },
    ...{ role: unused, react: unused },
  }
  await keepComment(more.thread ?? thread, more.kind ?? 'docs', more.text ?? '# This week', {
    ...{ github, sign: (text) => `${key}(${text})`, onProgress: (seen) => void progress.push(seen) },
  })
  return { done, progress }
}

/** The comment as it was written last week. */
const lastWeek = async (more: Hub = {}) => (await keep({ text: '# Last week', ...more })).done[0]?.body ?? ''

const others = [
  { id: 1, body: 'Hello' },
  { id: 2, body: '<!-- docs-agent-report:1:forged -->' },
]

describe('the comment', () => {
  it.each([
    ['without any', []],
    ['with those of others', others],
  ])('is added to a thread %s', async (_, comments) => {
    const { done, progress } = await keep({ comments })
    expect(done).toEqual([
      { act: 'reply', body: expect.stringMatching(/^# This week\n[\s\S]*<!-- .+ -->\n*$/) },
    ])
    expect(progress).toEqual([])
  })

  it.each([
    ['its own', (body: string) => [...others, { id: 3, body }]],
    ['its own though somebody wrote into it', (body: string) => [{ id: 3, body: `Before\n${body}After` }]],
    ['the oldest where it was copied', (body: string) => [...others, { id: 3, body }, { id: 4, body }]],
  ])('that is there is edited: %s', async (_, commentsWith) => {
    const { done, progress } = await keep({ comments: commentsWith(await lastWeek()) })
    expect(done).toEqual([{ act: 'edit', id: 3, body: (await keep()).done[0]?.body }])
    expect(progress).toEqual([])
  })

  it.each([
    ['of another issue', { thread: { ...thread, number: 70 } }],
    ['of another repository', { thread: { ...thread, repository: 'acme/doc' } }],
    ['of another kind', { kind: 'docs2' }],
    ['that was signed with another key', { key: 'other' }],
  ])('%s is not taken for its own', async (_, more) => {
    const { done } = await keep({ comments: [{ id: 3, body: await lastWeek(more) }] })
    expect(done.map(({ act }) => act)).toEqual(['reply'])
  })

  it('is its own however the repository is spelt', async () => {
    const spelt = { thread: { ...thread, repository: 'ACME/docs' } }
    const { done } = await keep({ comments: [{ id: 3, body: await lastWeek(spelt) }] })
    expect(done).toMatchObject([{ act: 'edit', id: 3 }])
  })

  it('is not added where the thread can not be read: there may be one', async () => {
    const { done, progress } = await keep({ comments: 'refused' })
    expect(done).toEqual([])
    expect(progress).toMatchObject([{ type: 'thread-failed', act: 'read', refusal }])
  })

  it.each(['reply', 'edit'])('that is refused (%s) costs a warning, and no other try', async (act) => {
    const comments = act === 'edit' ? [{ id: 3, body: await lastWeek() }] : []
    const { done, progress } = await keep({ comments, refuses: true })
    expect(done.map((each) => each.act)).toEqual([act])
    expect(progress).toMatchObject([{ type: 'thread-failed', act, refusal }])
  })
})
