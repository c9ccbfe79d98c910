import { describe, expect, it } from 'vitest'
import type { FileFault, Progress } from '../../src/core/progress.ts'
import type { Thread } from '../../src/core/trigger.ts'
import type { GitHub, GitHubReply, ReportFolder, ThreadComment } from '../../src/usecases/ports.ts'
import { keepComment, writeFiles } from '../../src/usecases/publish.ts'

const fault: FileFault = { kind: 'unwritable', input: 'report-dir', path: 'reports' }

describe('the files', () => {
  const files = ['visitors.csv', 'report.json', 'report.md'].map((name) => ({
    output: name,
    name,
    chunks: [name, '!'],
  }))

  /** A folder that takes no file of that name. */
  async function write(refused?: string) {
    const texts: string[] = []
    const folder: ReportFolder = {
      open: async () => ({ ok: true, value: undefined }),
      async write(name, chunks) {
        texts.push([...chunks].join(''))
        return name === refused ? { ok: false, fault } : { ok: true, value: `/reports/${name}` }
      },
    }
    return { written: await writeFiles(files, folder), texts }
  }

  it('are written one after another, and their paths are told', async () => {
    expect(await write()).toEqual({
      written: {
        ok: true,
        paths: {
          'visitors.csv': '/reports/visitors.csv',
          'report.json': '/reports/report.json',
          'report.md': '/reports/report.md',
        },
      },
      texts: ['visitors.csv!', 'report.json!', 'report.md!'],
    })
  })

  it.each([
    ['visitors.csv', 1, {}],
    ['report.json', 2, { 'visitors.csv': '/reports/visitors.csv' }],
    ['report.md', 3, { 'visitors.csv': '/reports/visitors.csv', 'report.json': '/reports/report.json' }],
  ])('end with the first that can not be written (%s); those before it stay', async (name, tried, paths) => {
    const { written, texts } = await write(name)
    expect(written).toEqual({ ok: false, paths, fault })
    expect(texts).toHaveLength(tried)
  })
})

describe('the comment', () => {
  const thread: Thread = { repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null }
  const refusal = { status: 403, message: 'no' }
  const refused = { ok: false, refusal } as const

  interface Hub {
    comments?: ThreadComment[] | 'refused'
    refuses?: boolean
    thread?: Thread
    projectId?: string
    key?: string
  }

  /** Keeps a comment on a thread that has these; what was done, and what was said. */
  async function keep({ comments = [], refuses = false, key = 'key', ...more }: Hub = {}) {
    const done: unknown[][] = []
    const progress: Progress[] = []
    const unused = () => {
      throw new Error('not asked for')
    }
    const act = <T>(value: T, ...words: unknown[]): GitHubReply<T> => {
      done.push(words)
      return refuses ? refused : { ok: true, value }
    }
    const github: GitHub = {
      comments: async () => (comments === 'refused' ? refused : { ok: true, value: comments }),
      reply: async (_, body) => act(1, 'reply', body),
      edit: async (_, id, body) => act(undefined, 'edit', id, body),
      ...{ role: unused, react: unused },
    }
    await keepComment(more.thread ?? thread, more.projectId ?? 'docs', '# Report', {
      ...{ github, sign: (text) => `${key}(${text})`, onProgress: (seen) => void progress.push(seen) },
    })
    return { done, progress }
  }

  const marker = '<!-- docs-agent-report:1:key(acme/docs#7 docs) -->'
  const body = `# Report\n${marker}\n`
  const others = [
    { id: 1, body: 'Hello' },
    { id: 2, body: '<!-- docs-agent-report:1:forged -->' },
  ]

  it.each([
    ['without any', []],
    ['with those of others', others],
  ])('is added to a thread %s', async (_, comments) => {
    expect(await keep({ comments })).toEqual({ done: [['reply', body]], progress: [] })
  })

  it.each([
    ['its own', [...others, { id: 3, body }]],
    ['its own though somebody wrote into it', [{ id: 3, body: `before ${marker} after` }]],
    ['the oldest where the marker was copied', [...others, { id: 3, body }, { id: 4, body }]],
  ])('that is there is edited: %s', async (_, comments) => {
    expect(await keep({ comments })).toEqual({ done: [['edit', 3, body]], progress: [] })
  })

  it.each([
    ['of another issue', { thread: { ...thread, number: 70 } }],
    ['of another repository', { thread: { ...thread, repository: 'acme/doc' } }],
    ['of another project', { projectId: 'docs2' }],
    ['that was signed with another key', { key: 'other' }],
  ])('%s is not taken for its own', async (_, more) => {
    const { done } = await keep({ comments: [{ id: 3, body }], ...more })
    expect(done.map(([act]) => act)).toEqual(['reply'])
  })

  it('is its own however the repository is spelt', async () => {
    const spelt = { thread: { ...thread, repository: 'ACME/docs' } }
    expect((await keep({ comments: [{ id: 3, body }], ...spelt })).done).toEqual([['edit', 3, body]])
  })

  it('is not added where the thread can not be read: there may be one', async () => {
    const failed = { type: 'thread-failed', act: 'read', isPullRequest: false, refusal }
    expect(await keep({ comments: 'refused' })).toEqual({ done: [], progress: [failed] })
  })

  it.each([
    ['reply', []],
    ['edit', [{ id: 3, body }]],
  ])('that is refused (%s) costs a warning, and no other try', async (act, comments) => {
    const { done, progress } = await keep({ comments, refuses: true })
    expect(done.map(([word]) => word)).toEqual([act])
    expect(progress).toEqual([{ type: 'thread-failed', act, isPullRequest: false, refusal }])
  })
})
