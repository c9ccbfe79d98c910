/** What changed between two snapshots, file by file, as GitHub shows it. */
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff'
import type { StoredFile, Tree } from './commits.ts'

/** A changed file in GitHub's format. */
export interface FileChange {
  status: 'added' | 'removed' | 'modified' | 'renamed'
  filename: string
  /** The id of git's blob; for a removed file, of the one that it had. */
  sha: string
  /** Only for a renamed file. */
  previous_filename?: string
  /** 0 for a binary file, as on GitHub. */
  additions: number
  deletions: number
  /** The hunks; missing for a binary file, and for a file that is empty or was only renamed. */
  patch?: string
}

/** The empty tree, which a first commit is compared with. */
export const treeWithoutFiles: Tree = new Map()

const found = new WeakMap<Tree, WeakMap<Tree, readonly FileChange[]>>()

/** Every file that differs, sorted by path. Compares two snapshots only once, because each page of a list needs all. */
export function changesBetween(before: Tree, after: Tree): readonly FileChange[] {
  const same = found.get(before) ?? new WeakMap<Tree, readonly FileChange[]>()
  found.set(before, same)
  const changes = same.get(after) ?? compare(before, after)
  same.set(after, changes)
  return changes
}

function compare(before: Tree, after: Tree): readonly FileChange[] {
  const gone = new Map([...before].filter(([path]) => !after.has(path)))
  const changes = [...after].flatMap(([filename, file]): FileChange[] => {
    const old = before.get(filename)
    if (old?.sha === file.sha) return []
    if (old !== undefined) return [{ status: 'modified', filename, sha: file.sha, ...linesOf(old, file) }]
    // Files that were moved unchanged. git also finds moved files with changes.
    const { sha } = file
    const [moved] = [...gone].find(([, old]) => old.sha === sha && old.text !== '') ?? []
    if (moved === undefined) return [{ status: 'added', filename, sha, ...linesOf(undefined, file) }]
    gone.delete(moved)
    return [{ status: 'renamed', previous_filename: moved, filename, sha, additions: 0, deletions: 0 }]
  })
  const removed = [...gone].map(([filename, file]): FileChange => {
    return { status: 'removed', filename, sha: file.sha, ...linesOf(file, undefined) }
  })
  return [...changes, ...removed].sort((a, b) =>
    Buffer.compare(Buffer.from(a.filename), Buffer.from(b.filename)),
  )
}

/** The difference as git shows it. */
function linesOf(
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): Pick<FileChange, 'additions' | 'deletions' | 'patch'> {
  if (before?.isBinary || after?.isBinary) return { additions: 0, deletions: 0 }
  const whole = structuredPatch('', '', before?.text ?? '', after?.text ?? '', '', '', { context: 3 })
  const lines = whole.hunks.flatMap((hunk) => hunk.lines)
  // Unlike this package, git omits a count of 1.
  const patch = formatPatch(whole, OMIT_HEADERS).replace(/^@@.*@@$/gm, (head) => head.replace(/,1\b/g, ''))
  return {
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
    ...(patch.trim() && { patch: patch.replace(/\n$/, '') }),
  }
}
