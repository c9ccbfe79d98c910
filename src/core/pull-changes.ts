/** What the agent's pull request changes, and whether `allowed-paths` allows it. */
import { isSelected } from './globs.ts'
import { fingerprint } from './mark.ts'
import type { PathsProblem } from './problems.ts'
import type { ChangedFile } from './prompt/diff.ts'
import { isSameName, showHidden } from './text.ts'

/** The context of the guard: the commit status on the agent's pull request that says whether `allowed-paths` allows it. */
export const guardContext = 'Docs agent / allowed paths'

/** A file that a pull request changes. */
export interface FileChange extends Omit<ChangedFile, 'patch'> {
  /** Link to the file on the pull request's page of changed files. */
  url: string
  /** What the pull request's last commit has there. */
  kind: FileKind
}

/**
 * What a commit has at the path of a listed file. `file`: what the list says. `other`: a symbolic link or a submodule.
 * `unknown`: nothing, or something else than the list says; or there is no `allowed-paths` to check.
 */
export type FileKind = 'file' | 'other' | 'unknown'

/** The account and the branch that a pull request was opened from. */
export interface Opened {
  author: string | null
  /** null if it is in another repository. */
  branch: string | null
}

/** What a pull request changes, as GitHub shows it. */
export interface PullRequestChanges extends Opened {
  /** The ID of the pull request's repository. */
  repositoryId: string
  /** Outside text. */
  title: string
  head: string
  /** Sorted by path. */
  files: FileChange[]
  /** GitHub's own count; `files` may have fewer. */
  total: { files: number; additions: number; deletions: number }
  /** Whether some files are missing from `files`. */
  isCut: boolean
  /** Whether a follow-up added no commits. */
  isUnchanged?: boolean
  /** See `diffName`. */
  diffName: string
}

/** The size of what a pull request changes, by GitHub's own count, and on which branch. */
export interface DiffSize {
  base: string
  changedFiles: number
  additions: number
  deletions: number
}

/** A short name for what a pull request changes. If it differs, `allowed-paths` must be checked again. */
export function diffName({ base, changedFiles, additions, deletions }: DiffSize) {
  return fingerprint(JSON.stringify([base, changedFiles, additions, deletions]))
}

/** Whether the agent opened a pull request for a job: from the agent's account, or from the job's branch. */
export function isOpenedFor({ author, branch }: Opened, ref: string | null, agentLogin: string) {
  return isSameName(author, agentLogin) || (branch !== null && branch === ref)
}

/**
 * Checks a pull request against `allowed-paths`; undefined if it stays within them, or if there are no globs. A renamed
 * file counts under both paths. A symbolic link or a submodule is out of bounds unless a glob is its path. Fails closed:
 * what could not be read is out of bounds.
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

function pathsOutside({ path, previousPath, status, kind }: FileChange, globs: readonly string[]) {
  if (kind === 'unknown') return [path]
  if (kind === 'other' && !globs.includes(path)) return [path]
  const paths = [path]
  // A copy leaves its source as it was. Any other change with a former path removes that path.
  if (previousPath !== null && status !== 'copied') paths.push(previousPath)
  return paths.filter((each) => !isAllowed(each, globs))
}

/**
 * Whether globs allow a path. `!` excludes every spelling of a path that some file system reads as the same path. Which
 * path that is can depend on other files, so if there is a `!`, such a spelling needs a glob of its own.
 */
function isAllowed(path: string, globs: readonly string[]) {
  if (!isSelected(path, globs)) return false
  const excluded = globs.filter((glob) => glob.startsWith('!'))
  if (excluded.length > 0 && isAlias(path) && !globs.includes(path)) return false
  return isSelected(foldCase(path), excluded.map(foldCase))
}

/**
 * Whether a file system may read a path as another one: Windows removes dots and spaces at the end of a name, opens a
 * file for a name with its stream after `:`, and abbreviates names with `~1`; macOS skips hidden characters.
 */
function isAlias(path: string) {
  return /[. ](\/|$)|:|~\d/.test(path) || showHidden(path) !== path
}

/** Other orders keep differences, such as those between ς and σ, or ß and ẞ. */
function foldCase(path: string) {
  return path.toLowerCase().toUpperCase().normalize('NFC')
}

/** The short name of a step's `allowed-paths`, for the records of its requests; null if the step has none. */
export function globsName(globs: readonly string[]) {
  return globs.length === 0 ? null : fingerprint(JSON.stringify(globs))
}

/**
 * The globs with which a settle step checks a result; null if it has other globs than the step that asked, so that it
 * cannot check the result.
 * @param name the name of the other step's globs in the record: see `globsName`
 */
export function globsToCheck(name: string | null, own: string[]) {
  if (name === null) return []
  return name === globsName(own) ? own : null
}
