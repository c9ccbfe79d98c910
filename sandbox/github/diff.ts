/** What changed between two snapshots, file by file, as GitHub shows it. */
import { structuredPatch } from 'diff'
import { byPath, type StoredFile, type Tree } from './commits.ts'

export interface FileChange {
  status: 'added' | 'removed' | 'modified' | 'renamed'
  filename: string
  /** Only for a renamed file. */
  previousFilename?: string
  /** The SHA of the file's blob; for a removed file, of its last blob. */
  sha: string
  /** 0 for a binary file, as on GitHub. */
  additions: number
  deletions: number
  /** The hunks; undefined for a binary file; empty for a file that is empty or was only renamed. */
  patch: string | undefined
}

/** The empty tree, which a first commit is compared with. */
export const treeWithoutFiles: Tree = new Map()

/** Cached results. Clients read page by page, and a pull request with 3,000 files has 30 pages. */
const compared = new WeakMap<Tree, WeakMap<Tree, readonly FileChange[]>>()

/** Every file that differs, sorted by path. */
export function changesBetween(before: Tree, after: Tree): readonly FileChange[] {
  const known = compared.get(before) ?? new WeakMap<Tree, readonly FileChange[]>()
  compared.set(before, known)
  const changes = known.get(after) ?? compare(before, after)
  known.set(after, changes)
  return changes
}

function compare(before: Tree, after: Tree): readonly FileChange[] {
  const gone = new Map([...before].filter(([path]) => !after.has(path)))
  const changes = [...after].flatMap(([path, file]): FileChange[] => {
    const old = before.get(path)
    if (old?.sha === file.sha) return []
    const shared = { filename: path, sha: file.sha, ...linesOf(old, file) }
    if (old !== undefined) return [{ status: 'modified', ...shared }]
    // Files that were moved unchanged. git also finds moved files with changes.
    const [previous] = [...gone].find(([, { sha, bytes }]) => sha === file.sha && bytes.length > 0) ?? []
    if (previous === undefined) return [{ status: 'added', ...shared }]
    gone.delete(previous)
    return [{ status: 'renamed', previousFilename: previous, ...shared, ...linesOf(file, file) }]
  })
  const removed = [...gone].map(([filename, file]): FileChange => {
    return { status: 'removed', filename, sha: file.sha, ...linesOf(file, undefined) }
  })
  return [...changes, ...removed].sort((a, b) => byPath([a.filename, a], [b.filename, b]))
}

/** The difference as git shows it. */
function linesOf(
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Pick<FileChange, 'additions' | 'deletions' | 'patch'> {
  const isBinary = [before, after].some((file) => file !== undefined && file.text === undefined)
  if (isBinary) return { additions: 0, deletions: 0, patch: undefined }
  const { hunks } = structuredPatch('', '', before?.text ?? '', after?.text ?? '', '', '', { context: 3 })
  const lines = hunks.flatMap((hunk) => hunk.lines)
  return {
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    patch: hunks
      .flatMap((hunk) => [
        `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
        ...hunk.lines,
      ])
      .join('\n'),
  }
}

/** git's notation for a range of lines: a count of 1 is omitted, and an empty range has the number of the line before it. */
function range(start: number, count: number): string {
  if (count === 0) return `${start - 1},0`
  return count === 1 ? `${start}` : `${start},${count}`
}
