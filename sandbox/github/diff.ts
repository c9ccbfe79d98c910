/** What changed between two snapshots, file by file, as GitHub shows it. */
import { byPath, type StoredFile, type Tree } from './commits.ts'
import { lineDiff } from './lines.ts'

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

/** A path, and the file at that path. */
type Entry = readonly [string, StoredFile]

interface Pair {
  before: Entry | undefined
  after: Entry | undefined
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
  const modified = [...before].flatMap((entry): Pair[] => {
    const file = after.get(entry[0])
    return file === undefined || file.sha === entry[1].sha ? [] : [{ before: entry, after: [entry[0], file] }]
  })
  const removed = [...before].filter(([path]) => !after.has(path))
  const added = [...after].filter(([path]) => !before.has(path))
  return [...modified, ...withMoves(removed, added)]
    .map(changeOf)
    .sort((a, b) => byPath([a.filename, a], [b.filename, b]))
}

/** Pairs files that were moved unchanged. git also finds moved files with changes. */
function withMoves(removed: readonly Entry[], added: readonly Entry[]): Pair[] {
  const gone = new Set(removed)
  const arrived = added.map((after): Pair => {
    const [, { bytes, sha }] = after
    const before = bytes.length === 0 ? undefined : [...gone].find(([, file]) => file.sha === sha)
    if (before !== undefined) gone.delete(before)
    return { before, after }
  })
  return [...arrived, ...[...gone].map((before) => ({ before, after: undefined }))]
}

function changeOf(pair: Pair): FileChange {
  const { before, after } = pair
  const [filename, { sha }] = (after ?? before) as Entry
  const isBinary = [before, after].some((side) => side !== undefined && side[1].text === undefined)
  const lines = isBinary ? undefined : lineDiff(before?.[1].text ?? '', after?.[1].text ?? '')
  const status = statusOf(pair)
  return {
    status,
    filename,
    ...(status === 'renamed' && before && { previousFilename: before[0] }),
    sha,
    additions: lines?.additions ?? 0,
    deletions: lines?.deletions ?? 0,
    patch: lines?.patch,
  }
}

function statusOf({ before, after }: Pair): FileChange['status'] {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  return before[0] === after[0] ? 'modified' : 'renamed'
}
