import { describe, expect, it } from 'vitest'
import { checkPaths, type FileChange, isOpenedFor, pullRequestChanges } from '../../src/core/pull-changes.ts'
import { someChanges } from '../say/samples.ts'
import { rowsOf } from './samples.ts'

const file = (path: string, more: Partial<FileChange> = {}): FileChange => {
  return { path, previousPath: null, status: 'modified', additions: 1, deletions: 0, url: '', ...more }
}
const pull = {
  author: 'mintlify[bot]',
  headBranch: 'docs/job_1',
  isFork: false,
  title: 'T',
  headCommit: 'h',
  repositoryId: '1',
  url: 'https://github.com/acme/docs/pull/7',
  changedFiles: 2,
  additions: 3,
  deletions: 1,
}

describe('the changes of a pull request', () => {
  const changesOf = (paths: string[], isCut = false) => {
    const files = paths.map((path) => ({ ...file(path), patch: '@@' }))
    return pullRequestChanges(pull, { files, isCut }, ['b'], (text) => `hash-of-${text}`)
  }

  it("the changes of a pull request are sorted, link to each file, and keep GitHub's totals", () => {
    const url = (path: string) => `${pull.url}/files#diff-hash-of-${path}`
    expect(changesOf(['b', 'c', 'a'])).toEqual({
      repositoryId: '1',
      opened: { author: pull.author, branch: pull.headBranch },
      title: 'T',
      head: 'h',
      files: [
        file('a', { url: url('a') }),
        file('b', { url: url('b'), isLink: true }),
        file('c', { url: url('c') }),
      ],
      total: { files: 2, additions: 3, deletions: 1 },
      isCut: false,
    })
  })

  it('the changes of a pull request are incomplete if GitHub cuts the list, or lists fewer files than it counts', () => {
    expect([changesOf(['a', 'b'], true).isCut, changesOf(['a']).isCut]).toEqual([true, true])
  })

  it.each<[name: string, more: Partial<typeof pull>, ref: string | null, isAgents: boolean]>([
    ["is the agent's if the agent's account opened it", { author: 'Mintlify[bot]' }, null, true],
    ["is the agent's if its branch is the job's", { author: 'mona' }, 'docs/job_1', true],
    ["is not the agent's if its branch is another one", { author: 'mona' }, 'docs/job_2', false],
    ["is not the agent's if the job has no branch", { author: 'mona' }, null, false],
    [
      "is not the agent's if only a fork has the branch",
      { author: 'eve', isFork: true },
      'docs/job_1',
      false,
    ],
    ["is not the agent's if neither is known", { author: 'eve', isFork: true }, null, false],
  ])('a pull request %s', (_, more, ref, isAgents) => {
    const { opened } = pullRequestChanges({ ...pull, ...more }, { files: [], isCut: false }, [], String)
    expect(isOpenedFor(opened, ref, 'MINTLIFY[bot]')).toBe(isAgents)
  })
})

describe('allowed-paths', () => {
  const page = file('docs/a.mdx')
  /** A file as `path`, `removed:path`, `link:path`, `renamed:old:new`, or `copied:old:new`. */
  function fileOf(text: string): FileChange {
    const [path = '', previousPath = null, status = 'modified'] = text.split(':').reverse()
    if (previousPath === 'link') return file(path, { isLink: true })
    return previousPath === 'removed'
      ? file(path, { status: previousPath })
      : file(path, { previousPath, status })
  }
  const spelled = '.GitHub/workflows/ci.yml docs/Cafe\u0301/a.md \u017Frc/a.md \u03F4/a.md'
  const table = `
    everything is allowed without globs         | package.json           |                     |
    one matching glob is enough                 | docs/a.mdx README.md   | docs/** *.md        |
    a file that no glob matches is outside      | docs/a.mdx src/a.ts    | docs/**             | src/a.ts
    an excluded file is outside                 | docs/a.mdx docs/x/b    | docs/** !docs/x/**  | docs/x/b
    exclusions alone allow all other files      | docs/a.mdx ci.yml      | !*.yml              | ci.yml
    a deleted file counts                       | removed:a.ts           | docs/**             | a.ts
    a file that leaves the docs is outside      | renamed:docs/a:a       | docs/**             | a
    a file that enters the docs was outside     | renamed:a:docs/a       | docs/**             | a
    the source of a copy does not count         | copied:a:docs/a        | docs/**             |
    paths are sorted and listed once            | b renamed:a:b          | docs/**             | a b
    a change without files is inside            |                        | docs/**             |
    no spelling evades an exclusion | ${spelled} | ** .*/** !.github/** !docs/caf\u00E9/** !src/** !\u03B8/** | ${spelled}
    only exclusions ignore the case             | Docs/a.md              | docs/**             | Docs/a.md
    a negated set is read with its case         | docs/A.md              | docs/[!a-z]*        |
    a link needs its own glob                   | link:docs/evil link:docs/kit | docs/** docs/kit | docs/evil`
  const list = (text = '') => text.split(' ').filter(Boolean)
  it.each(rowsOf(table))('allowed-paths: %s', (_, files, globs, outside) => {
    const found = checkPaths(someChanges({ files: list(files).map(fileOf) }), list(globs))
    expect(found).toEqual(
      outside ? { kind: 'allowed-paths', reason: 'outside', paths: list(outside) } : undefined,
    )
  })

  it('a pull request with unknown files is out of bounds, and a known file outside is named first', () => {
    const cut = { isCut: true, total: { files: 9, additions: 0, deletions: 0 } }
    const known = [someChanges({ files: [page], ...cut }), someChanges({ files: [file('x')], ...cut }), null]
    expect(known.map((changes) => checkPaths(changes, ['docs/**']))).toEqual([
      { kind: 'allowed-paths', reason: 'cut', paths: [] },
      { kind: 'allowed-paths', reason: 'outside', paths: ['x'] },
      { kind: 'allowed-paths', reason: 'unreadable', paths: [] },
    ])
    expect(known.map((changes) => checkPaths(changes, []))).toEqual(Array(3).fill(undefined))
  })
})
