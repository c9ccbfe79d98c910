/** Commits as in git: each has a snapshot of all files, and its parent commits. */
import { hash } from 'node:crypto'

export interface StoredFile {
  /** The id of git's blob. */
  readonly sha: string
  readonly text: string
  readonly isBinary: boolean
  /** git's mode. */
  readonly mode: FileMode
}

/** A file, a symbolic link, or a submodule. */
export type FileMode = '100644' | '120000' | '160000'

/** The files of a snapshot, by path. */
export type Tree = ReadonlyMap<string, StoredFile>

export interface Commit {
  readonly sha: string
  readonly treeSha: string
  readonly tree: Tree
  readonly parents: readonly Commit[]
  readonly message: string
  /** The login of its author and committer; null if no account has the email address. */
  readonly author: string | null
  readonly date: string
}

export interface CommitOptions {
  /** The files that it changes, by path: the new file, or null for a deleted one. None by default. */
  files?: Readonly<Record<string, string | null>>
  /** The modes of changed files that are not ordinary files, by path. */
  modes?: Readonly<Record<string, FileMode>>
  /** Empty for a first commit; two for a merge, which combines their files. */
  parents?: readonly Commit[]
  message?: string
  author?: string | null
  /** By default, a minute after its latest parent, so that commits are in order. */
  date?: string
}

const firstDate = '2026-11-02T10:00:00Z'
const minute = 60_000

/** Makes a commit. It belongs to a repository once a branch, tag or pull request leads to it. */
export function commit(options: CommitOptions = {}): Commit {
  const { parents = [], message = 'Change the files', author = 'mona' } = options
  const tree = changed(mergedTree(parents), options)
  const { date = dateAfter(parents) } = options
  const treeSha = sha1(
    [...tree]
      .map(([path, file]) => `${path}\0${file.sha}\n`)
      .sort()
      .join(''),
  )
  const head = [treeSha, ...parents.map((parent) => parent.sha), String(author), date]
  // Commits with equal fields have the same SHA.
  return { sha: sha1(head.join('\n'), '\n\n', message), treeSha, tree, parents, message, author, date }
}

/** Creates `count` successive commits, each with its own file, and returns the last one. */
export function commits(count: number): Commit {
  let parents: Commit[] = []
  for (let number = 1; number <= count; number++) {
    const message = `Change ${number}`
    parents = [commit({ parents, message, files: { [`changes/${number}.md`]: `${message}\n` } })]
  }
  return parents[0] ?? commit()
}

/** A commit and all its ancestors. */
export function historyOf(...tips: readonly Commit[]): Map<string, Commit> {
  const found = new Map<string, Commit>()
  const waiting = [...tips]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next.sha)) continue
    found.set(next.sha, next)
    waiting.push(...next.parents)
  }
  return found
}

/** The result of `git log base..head`, oldest first. */
export function commitsBetween(base: Commit | undefined, head: Commit): Commit[] {
  const seen = new Set(base === undefined ? [] : historyOf(base).keys())
  const sorted: Commit[] = []
  const visit = (commit: Commit): void => {
    if (seen.has(commit.sha)) return
    seen.add(commit.sha)
    for (const parent of commit.parents) visit(parent)
    sorted.push(commit)
  }
  visit(head)
  return sorted
}

/** A latest common ancestor; undefined if there is none. */
export function mergeBaseOf(a: Commit, b: Commit): Commit | undefined {
  const ofA = historyOf(a)
  const common = [...historyOf(b).values()].filter(({ sha }) => ofA.has(sha))
  const older = new Set(common.flatMap(({ parents }) => parents.map(({ sha }) => sha)))
  return common.find(({ sha }) => !older.has(sha))
}

/** A file as git stores it: binary if there is a NUL in the first 8,000 bytes. */
function stored(text: string, mode: FileMode = '100644'): StoredFile {
  const sha = sha1(`blob ${Buffer.byteLength(text)}\0${text}`)
  return { sha, text, mode, isBinary: text.slice(0, 8_000).includes('\0') }
}

function changed(tree: Tree, { files = {}, modes = {} }: CommitOptions): Tree {
  const result = new Map(tree)
  for (const [path, content] of Object.entries(files)) {
    if (content === null) result.delete(path)
    else result.set(path, stored(content, modes[path]))
  }
  return result
}

/** A merge without conflicts: the first parent's files, with what each other parent changed since their merge base. */
function mergedTree([first, ...others]: readonly Commit[]): Tree {
  const result = new Map(first?.tree)
  if (first === undefined) return result
  for (const other of others) {
    const base = mergeBaseOf(first, other)?.tree ?? new Map<string, StoredFile>()
    for (const [path, file] of other.tree) if (base.get(path)?.sha !== file.sha) result.set(path, file)
    for (const path of base.keys()) if (!other.tree.has(path)) result.delete(path)
  }
  return result
}

function dateAfter(parents: readonly Commit[]): string {
  if (parents.length === 0) return firstDate
  const last = Math.max(...parents.map(({ date }) => Date.parse(date)))
  return new Date(last + minute).toISOString().replace('.000Z', 'Z')
}

export function sha1(...parts: readonly string[]): string {
  return hash('sha1', parts.join(''))
}
