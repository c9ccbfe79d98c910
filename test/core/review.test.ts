import { describe, expect, it } from 'vitest'
import {
  checkPaths,
  type FileChange,
  isOpenedFor,
  openedOf,
  pullRequestChanges,
} from '../../src/core/review.ts'
import { someChanges } from '../say/samples.ts'

const sha256 = (text: string) => `hash-of-${text}`
const pull = {
  author: 'mintlify[bot]',
  headBranch: 'docs/job_1',
  isFork: false,
  url: 'https://github.com/acme/docs/pull/7',
  title: 'T',
  headCommit: 'h',
  changedFiles: 2,
  additions: 3,
  deletions: 1,
}
const read = (path: string) => ({
  path,
  previousPath: null,
  status: 'modified',
  additions: 1,
  deletions: 1,
  patch: '@@',
})

describe('the changes of a pull request', () => {
  it("the changes of a pull request are sorted, link to each file, and keep GitHub's totals", () => {
    const changes = pullRequestChanges(pull, { files: [read('b'), read('a')], isCut: false }, ['b'], sha256)
    expect(changes.files.map(({ path, url }) => [path, url])).toEqual([
      ['a', 'https://github.com/acme/docs/pull/7/files#diff-hash-of-a'],
      ['b', 'https://github.com/acme/docs/pull/7/files#diff-hash-of-b'],
    ])
    expect(changes).toMatchObject({
      title: 'T',
      total: { files: 2, additions: 3, deletions: 1 },
      isCut: false,
    })
    expect(changes.files[0]).not.toHaveProperty('patch')
    expect(changes.files.map(({ isLink }) => isLink)).toEqual([undefined, true])
  })

  it.each<[name: string, more: Partial<typeof pull>, ref: string | null, isAgents: boolean]>([
    ["is the agent's if the agent's account opened it", {}, null, true],
    ["is the agent's whatever the case of its login", { author: 'Mintlify[bot]' }, null, true],
    ["is the agent's if its branch is the job's", { author: 'mona' }, 'docs/job_1', true],
    ["is not the agent's if its branch is another one", { author: 'mona' }, 'docs/job_2', false],
    ["is not the agent's if the job has no branch", { author: 'mona' }, null, false],
    [
      "is not the agent's if only a fork has the branch",
      { author: 'eve', isFork: true },
      'docs/job_1',
      false,
    ],
  ])('a pull request %s', (_, more, ref, isAgents) => {
    expect(isOpenedFor(openedOf({ ...pull, ...more }), ref, 'mintlify[bot]')).toBe(isAgents)
  })

  it.each([
    ['GitHub cuts the list', [read('a'), read('b')], true],
    ['GitHub counts more files than it lists', [read('a')], false],
  ])('the changes of a pull request are incomplete if %s', (_, files, isCut) => {
    expect(pullRequestChanges(pull, { files, isCut }, [], sha256).isCut).toBe(true)
  })
})

describe('allowed-paths', () => {
  const changed = (path: string, more: Partial<FileChange> = {}): FileChange => ({
    path,
    previousPath: null,
    status: 'modified',
    additions: 1,
    deletions: 0,
    url: '',
    ...more,
  })
  const page = changed('docs/a.mdx')
  const renamed = (from: string, path: string, status = 'renamed') =>
    changed(path, { previousPath: from, status })
  const outside = (...paths: string[]) => ({ kind: 'outside', paths })

  it.each<[name: string, files: FileChange[], globs: string[], expected: unknown]>([
    ['everything is allowed without globs', [changed('package.json')], [], undefined],
    ['a file that a glob matches is inside', [page], ['docs/**'], undefined],
    ['one matching glob is enough', [page, changed('README.md')], ['docs/**', '*.md'], undefined],
    ['a file that no glob matches is outside', [page, changed('src/a.ts')], ['docs/**'], outside('src/a.ts')],
    [
      'an excluded file is outside',
      [page, changed('docs/x/b.mdx')],
      ['docs/**', '!docs/x/**'],
      outside('docs/x/b.mdx'),
    ],
    ['exclusions alone allow all other files', [page, changed('ci.yml')], ['!*.yml'], outside('ci.yml')],
    [
      'a deleted file is checked, too',
      [changed('src/a.ts', { status: 'removed' })],
      ['docs/**'],
      outside('src/a.ts'),
    ],
    [
      'a file moved out of the docs is outside',
      [renamed('docs/a.mdx', 'a.mdx')],
      ['docs/**'],
      outside('a.mdx'),
    ],
    [
      'a file moved into the docs is outside',
      [renamed('src/a.ts', 'docs/a.ts')],
      ['docs/**'],
      outside('src/a.ts'),
    ],
    [
      'the source of a copy is not checked',
      [renamed('src/a.ts', 'docs/a.ts', 'copied')],
      ['docs/**'],
      undefined,
    ],
    [
      'paths are sorted and listed once',
      [changed('b'), changed('a'), renamed('a', 'b')],
      ['docs/**'],
      outside('a', 'b'),
    ],
    ['a change without files is inside', [], ['docs/**'], undefined],
    [
      'an excluded file is outside, however its path is spelled',
      [changed('.GitHub/workflows/ci.yml'), changed('docs/Cafe\u0301/a.md'), changed('\u017Frc/a.md')],
      ['**', '.*/**', '!.github/**', '!docs/caf\u00E9/**', '!src/**'],
      outside('.GitHub/workflows/ci.yml', 'docs/Cafe\u0301/a.md', '\u017Frc/a.md'),
    ],
    ['only exclusions ignore the case', [changed('Docs/a.md')], ['docs/**'], outside('Docs/a.md')],
    [
      'a symbolic link or a submodule is outside, unless a glob is its path',
      [changed('docs/evil', { isLink: true }), changed('docs/kit', { isLink: true })],
      ['docs/**', 'docs/kit'],
      outside('docs/evil'),
    ],
  ])('allowed-paths is checked: %s', (_, files, globs, expected) => {
    expect(checkPaths(someChanges({ files }), globs)).toEqual(expected)
  })

  it('allowed-paths is violated if the files could not be read', () => {
    expect(checkPaths(null, ['docs/**'])).toEqual({ kind: 'unreadable' })
    expect(checkPaths(null, [])).toBeUndefined()
  })

  it('allowed-paths is violated by a list that GitHub cuts, and known violations are named first', () => {
    const cut = { isCut: true, total: { files: 9, additions: 0, deletions: 0 } }
    expect(checkPaths(someChanges({ files: [page], ...cut }), ['docs/**'])).toEqual({
      kind: 'cut',
      listed: 1,
      total: 9,
    })
    expect(checkPaths(someChanges({ files: [changed('x')], ...cut }), ['docs/**'])).toEqual(outside('x'))
    expect(checkPaths(someChanges({ files: [page], ...cut }), [])).toBeUndefined()
  })
})
