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
  /** The hunks; undefined for a binary file; empty if the file is empty, or was only renamed. */
  patch: string | undefined
}

/** A path, and the file at that path. */
type Entry = readonly [string, StoredFile]

interface Pair {
  before: Entry | undefined
  after: Entry | undefined
}

/** Minimum similarity in percent for a file to count as renamed, as in git. */
const leastSimilarity = 50
/** Maximum number of pairs of files to compare when looking for renamed files with changes. git has a similar limit. */
const mostPairs = 1_000

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
  return [...modified, ...withRenames(removed, added)]
    .map(changeOf)
    .sort((a, b) => byPath([a.filename, a], [b.filename, b]))
}

/** As in git, finds first the files that were only moved, then those that also changed. */
function withRenames(removed: readonly Entry[], added: readonly Entry[]): Pair[] {
  const gone = new Set(removed)
  const paired = (entries: readonly Entry[], find: (after: Entry) => Entry | undefined): Pair[] => {
    return entries.map((after) => {
      const before = find(after)
      if (before !== undefined) gone.delete(before)
      return { before, after }
    })
  }
  const moved = paired(added, ([, file]) => {
    return file.bytes.length === 0 ? undefined : [...gone].find(([, { sha }]) => sha === file.sha)
  })
  const left = moved.filter(({ before }) => before === undefined).map(({ after }) => after as Entry)
  const isSearched = gone.size * left.length <= mostPairs
  const changed = paired(left, (after) => (isSearched ? mostSimilar([...gone], after) : undefined))
  const removals = [...gone].map((before) => ({ before, after: undefined }))
  return [...moved.filter(({ before }) => before !== undefined), ...changed, ...removals]
}

function mostSimilar(candidates: readonly Entry[], after: Entry): Entry | undefined {
  const scored = candidates.map((before) => ({ before, score: similarity(before, after) }))
  const best = scored.sort((a, b) => b.score - a.score)[0]
  return best !== undefined && best.score >= leastSimilarity ? best.before : undefined
}

/** How similar two files are, in percent. */
function similarity([, before]: Entry, [, after]: Entry): number {
  if (before.sha === after.sha) return 100
  if (before.text === undefined || after.text === undefined) return 0
  const longer = Math.max(before.bytes.length, after.bytes.length)
  return Math.min(99, Math.floor((100 * lineDiff(before.text, after.text).kept) / longer))
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
