import { describe, expect, it } from 'vitest'
import { checkPaths, type FileChange, isOpenedFor, type Opened } from '../../src/core/pull-changes.ts'
import { someChanges } from '../say/samples.ts'
import { rowsOf } from './samples.ts'

const file = (path: string, more: Partial<FileChange> = {}): FileChange => {
  const counts = { additions: 1, deletions: 0 }
  return { path, id: 'x', previousPath: null, status: 'modified', kind: 'file', ...counts, url: '', ...more }
}
it.each<[name: string, more: Partial<Opened>, ref: string | null, isAgents: boolean]>([
  ["is the agent's if the agent's account opened it", { author: 'Mintlify[bot]' }, null, true],
  ["is the agent's if its branch is the job's", { author: 'mona' }, 'docs/job_1', true],
  ["is not the agent's if its branch is another one", { author: 'mona' }, 'docs/job_2', false],
  ["is not the agent's if the job has no branch", { author: 'mona' }, null, false],
  ["is not the agent's if only a fork has the branch", { author: 'eve', branch: null }, 'docs/job_1', false],
  ["is not the agent's if neither is known", { author: 'eve', branch: null }, null, false],
])('a pull request %s', (_, more, ref, isAgents) => {
  const opened = { author: 'mintlify[bot]', branch: 'docs/job_1', ...more }
  expect(isOpenedFor(opened, ref, 'MINTLIFY[bot]')).toBe(isAgents)
})

describe('allowed-paths', () => {
  const page = file('docs/a.mdx')
  /** A file as `path`, `removed>path`, `renamed>old>new`, `copied>old>new`, `other>path` or `unknown>path`. */
  function fileOf(text: string): FileChange {
    const [path = '', before = null, status = 'modified'] = text.split('>').reverse()
    if (before === null) return file(path)
    if (before === 'removed') return file(path, { status: before })
    if (before === 'other' || before === 'unknown') return file(path, { kind: before })
    return file(path, { previousPath: before, status })
  }
  const spelled = '.GitHub/workflows/ci.yml docs/Cafe\u0301/a.md \u017Frc/a.md \u03F4/a.md'
  const table = `
    everything is allowed without globs         | package.json           |                     |
    one matching glob is enough                 | docs/a.mdx README.md   | docs/** *.md        |
    a file that no glob matches is outside      | docs/a.mdx src/a.ts    | docs/**             | src/a.ts
    an excluded file is outside                 | docs/a.mdx docs/x/b    | docs/** !docs/x/**  | docs/x/b
    exclusions alone allow all other files      | docs/a.mdx ci.yml      | !*.yml              | ci.yml
    a deleted file counts                       | removed>a.ts           | docs/**             | a.ts
    a file that leaves the docs is outside      | renamed>docs/a>a       | docs/**             | a
    a file that enters the docs was outside     | renamed>a>docs/a       | docs/**             | a
    the source of a copy does not count         | copied>a>docs/a        | docs/**             |
    any other former path counts                | changed>a>docs/a new>b>docs/b | docs/**      | a b
    paths are sorted and listed once            | b renamed>a>b          | docs/**             | a b
    a change without files is inside            |                        | docs/**             |
    no spelling evades an exclusion | ${spelled} | ** .*/** !.github/** !docs/caf\u00E9/** !src/** !\u03B8/** | ${spelled}
    only exclusions ignore the case             | Docs/a.md              | docs/**             | Docs/a.md
    a negated set is read with its case         | docs/A.md              | docs/[!a-z]*        |
    a link needs its own glob                   | other>docs/evil other>docs/kit | docs/** docs/kit | docs/evil
    a path without an entry is outside          | unknown>docs/a         | docs/** docs/a      | docs/a
    a new path without an entry is outside      | unknown>docs/a docs/b  | docs/**             | docs/a
    a removed file has no entry                 | removed>docs/a         | docs/**             |
    σ, ς and Σ are one letter                   | ς/a Σ/a                | ** !σ/**            | Σ/a ς/a
    ς in a glob stands for Σ                    | ΑΣ/a                   | ** !ας/**           | ΑΣ/a
    ẞ, ß and ss are one spelling                | ẞ/a SS/a ß/a           | ** !ss/**           | SS/a ß/a ẞ/a
    a ligature is its letters                   | ﬁle/a                  | ** !file/**         | ﬁle/a
    a dot at the end of a name                  | docs/x./a docs/x.      | ** !x/**            | docs/x. docs/x./a
    a space at the end of a name                | docs/x_/a              | ** !x/**            | docs/x_/a
    a stream of a file                          | docs/a:b               | ** !x/**            | docs/a:b
    a short name                                | GITHUB~1/a             | ** !.github/**      | GITHUB~1/a
    a hidden character                          | docs/\u200Ca          | ** !x/**            | docs/\u200Ca
    the former path of a file has such a name   | renamed>a~1>docs/a     | ** !x/**            | a~1
    a removed file has such a name              | removed>docs/a.        | ** !x/**            | docs/a.
    such a name can have a glob of its own      | docs/a~1               | ** !x/** docs/a~1   |
    such a name matters only with a \`!\`        | docs/a~1 docs/x./a     | docs/**             |
    a dot, a space and ~ elsewhere are usual    | .docs/v1.2_x/~a/b~.md  | ** .docs/** !x/**   |`
  // In the table, a space separates paths, and \`_\` stands for one.
  const list = (text = '') =>
    text
      .split(' ')
      .filter(Boolean)
      .map((each) => each.replaceAll('_', ' '))
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
