/** What changed between two snapshots: file by file as GitHub counts it, and as the text of `git diff`. */
import { byPath, type StoredFile, type Tree } from './commits.ts'
import { type LineDiff, lineDiff } from './lines.ts'

export interface FileChange {
  status: 'added' | 'removed' | 'modified' | 'renamed'
  filename: string
  /** Only for a renamed file. */
  previousFilename?: string
  /** The blob; for a removed file, its last one. */
  sha: string
  /** 0 for a binary file, as GitHub counts. */
  additions: number
  deletions: number
  /** The hunks; undefined for a binary file, empty if a file was only renamed, or is empty. */
  patch: string | undefined
  /** As `git diff` shows it, with a line end after the last line. */
  text: string
}

/** A path and what is there. */
type Entry = readonly [string, StoredFile]

interface Pair {
  before: Entry | undefined
  after: Entry | undefined
}

/** git's: a file that is at least half another one is that one renamed. */
const leastSimilarity = 50
/** Pairs of files up to which files that were renamed and changed are looked for; git has such a limit too. */
const mostPairs = 1_000
const noBlob = '0000000'

/** What a first commit is compared with. */
export const treeWithoutFiles: Tree = new Map()

/** Earlier results: GitHub's pages are read one by one, and a pull request of 3,000 files has 30. */
const compared = new WeakMap<Tree, WeakMap<Tree, readonly FileChange[]>>()

/** Every file that differs, by path. */
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

export function diffText(changes: readonly FileChange[]): string {
  return changes.map(({ text }) => text).join('')
}

/** First the files that only moved, then those that also changed, as git goes about it. */
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

/** In percent. */
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
    text: gitText(pair, lines),
  }
}

function statusOf({ before, after }: Pair): FileChange['status'] {
  if (before === undefined) return 'added'
  if (after === undefined) return 'removed'
  return before[0] === after[0] ? 'modified' : 'renamed'
}

function gitText(pair: Pair, lines: LineDiff | undefined): string {
  const { before, after } = pair
  const oldName = `a/${(before ?? after)?.[0]}`
  const newName = `b/${(after ?? before)?.[0]}`
  const [oldSha, newSha] = [before?.[1].sha, after?.[1].sha]
  const isSame = oldSha === newSha
  const blobs = [oldSha, newSha].map((sha = noBlob) => sha.slice(0, noBlob.length)).join('..')
  const head = [
    `diff --git ${quoted(oldName)} ${quoted(newName)}`,
    ...(before ? [] : ['new file mode 100644']),
    ...(after ? [] : ['deleted file mode 100644']),
    ...renameLines(pair),
    ...(isSame ? [] : [`index ${blobs}${before && after ? ' 100644' : ''}`]),
  ]
  const body = bodyLines(before ? oldName : '/dev/null', after ? newName : '/dev/null', isSame, lines)
  return `${[...head, ...body].join('\n')}\n`
}

function bodyLines(oldSide: string, newSide: string, isSame: boolean, lines: LineDiff | undefined): string[] {
  if (isSame) return []
  if (lines === undefined) return [`Binary files ${quoted(oldSide)} and ${quoted(newSide)} differ`]
  if (lines.patch === '') return []
  return [`--- ${ended(oldSide)}`, `+++ ${ended(newSide)}`, lines.patch]
}

function renameLines({ before, after }: Pair): string[] {
  if (before === undefined || after === undefined || before[0] === after[0]) return []
  return [
    `similarity index ${similarity(before, after)}%`,
    `rename from ${quoted(before[0])}`,
    `rename to ${quoted(after[0])}`,
  ]
}

/** git ends a name with a space in it by a tab here, so that it is not taken for a name and a time. */
function ended(name: string): string {
  const shown = quoted(name)
  return shown.includes(' ') && !shown.startsWith('"') ? `${shown}\t` : shown
}

const escapes: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '"': '\\"', '\\': '\\\\' }

/** How git writes names by default (git's docs, "core.quotePath"). */
function quoted(name: string): string {
  const bytes = [...Buffer.from(name)]
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c)) return name
  const shown = bytes.map((byte) => {
    const letter = String.fromCharCode(byte)
    if (escapes[letter] !== undefined) return escapes[letter]
    return byte >= 0x20 && byte < 0x7f ? letter : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return `"${shown.join('')}"`
}
