/** What the agent's pull request changes, and whether `allowed-paths` allows it. */
import { isSelected } from './globs.ts'
import { fingerprint } from './mark.ts'
import type { PathsProblem } from './problems.ts'
import type { ChangedFile, ChangedFiles } from './prompt/diff.ts'
import { isSameName } from './text.ts'

/** The context of the guard: the commit status on the agent's pull request that says whether `allowed-paths` allows it. */
export const guardContext = 'Docs agent / allowed paths'

/** A file that a pull request changes. */
export interface FileChange extends Omit<ChangedFile, 'patch'> {
  /** Link to the file on the pull request's page of changed files. */
  url: string
  /** Whether it is a symbolic link or a submodule. Only read if `allowed-paths` must be checked. */
  isLink?: boolean
}

/** The account and the branch that a pull request was opened from. */
export interface Opened {
  author: string | null
  /** null if it is in another repository. */
  branch: string | null
}

/** What a pull request changes, as GitHub shows it. */
export interface PullRequestChanges {
  /** The ID of the pull request's repository. */
  repositoryId: string
  opened: Opened
  /** Outside text. */
  title: string
  head: string
  /** Sorted by path. */
  files: FileChange[]
  /** GitHub's own count; `files` may have fewer. */
  total: Totals
  /** Whether some files are missing from `files`. */
  isCut: boolean
  /** What changed since the last reply, for a follow-up. No files if there are no new commits. */
  since?: Totals
}

/** GitHub's counts of files and lines. */
interface Totals {
  files: number
  additions: number
  deletions: number
}

interface PullRequestTotals {
  repositoryId: string
  url: string
  title: string
  author: string | null
  headBranch: string
  headCommit: string
  isFork: boolean
  changedFiles: number
  additions: number
  deletions: number
}

/** Whether the agent opened a pull request for a job: from the agent's account, or from the job's branch. */
export function isOpenedFor({ author, branch }: Opened, ref: string | null, agentLogin: string) {
  return isSameName(author, agentLogin) || (branch !== null && branch === ref)
}

/**
 * Combines a pull request and its files.
 * @param links the paths of symbolic links and submodules
 * @param sha256 returns a string's digest in hex; GitHub's link to a changed file contains the digest of its path
 */
export function pullRequestChanges(
  pull: PullRequestTotals,
  { files, isCut }: ChangedFiles,
  links: readonly string[],
  sha256: (text: string) => string,
): PullRequestChanges {
  const {
    repositoryId,
    url,
    title,
    author,
    headBranch,
    headCommit,
    changedFiles,
    additions,
    deletions,
    isFork,
  } = pull
  const changes = files.map(({ patch: _, ...file }) => ({
    ...file,
    url: `${url}/files#diff-${sha256(file.path)}`,
    ...(links.includes(file.path) && { isLink: true }),
  }))
  return {
    repositoryId,
    opened: { author, branch: isFork ? null : headBranch },
    title,
    head: headCommit,
    files: changes.sort((one, other) => (one.path < other.path ? -1 : 1)),
    total: { files: changedFiles, additions, deletions },
    isCut: isCut || files.length < changedFiles,
  }
}

/** The counts of what changed between two commits. */
export function totalsOf({ files }: ChangedFiles) {
  const totals = { files: files.length, additions: 0, deletions: 0 }
  for (const { additions, deletions } of files) {
    totals.additions += additions
    totals.deletions += deletions
  }
  return totals
}

/**
 * Checks a pull request against `allowed-paths`; undefined if it stays within them, or if there are no globs. A renamed
 * file counts under both paths. A symbolic link or a submodule is out of bounds unless a glob is its path. Fails closed:
 * files that could not be read are out of bounds.
 */
export function checkPaths(
  changes: PullRequestChanges | null,
  globs: readonly string[],
): PathsProblem | undefined {
  if (globs.length === 0) return undefined
  if (changes === null) return { kind: 'allowed-paths', reason: 'unreadable', paths: [] }
  const paths = changes.files.flatMap((file) => pathsOutside(file, globs)).sort()
  if (paths.length > 0) return { kind: 'allowed-paths', reason: 'outside', paths: [...new Set(paths)] }
  if (changes.isCut) return { kind: 'allowed-paths', reason: 'cut', paths }
  return undefined
}

function pathsOutside(file: FileChange, globs: readonly string[]) {
  if (file.isLink && !globs.includes(file.path)) return [file.path]
  return pathsOf(file).filter((path) => !isAllowed(path, globs))
}

/** Whether globs allow a path. `!` excludes every spelling of a path that some file system reads as the same path. */
function isAllowed(path: string, globs: readonly string[]) {
  const excluded = globs.filter((glob) => glob.startsWith('!'))
  return isSelected(path, globs) && isSelected(foldCase(path), excluded.map(foldCase))
}

function foldCase(path: string) {
  return path.toUpperCase().toLowerCase().normalize('NFC')
}

/** Every path that a file touches. */
function pathsOf({ path, previousPath, status }: FileChange) {
  // A copy leaves its source as it was. Any other change with a former path removes that path.
  if (previousPath === null || status === 'copied') return [path]
  return [path, previousPath]
}

/** The short name of a step's `allowed-paths`, for the records of its requests; null if the step has none. */
export function globsName(globs: readonly string[]): string | null {
  return globs.length === 0 ? null : fingerprint(JSON.stringify(globs))
}

/**
 * The globs with which a settle step checks a result; null if it has other globs than the step that asked, so that it
 * cannot check the result.
 * @param name the name of the other step's globs in the record: see `globsName`
 */
export function globsToCheck(name: string | null, own: string[]): string[] | null {
  if (name === null) return []
  return name === globsName(own) ? own : null
}
