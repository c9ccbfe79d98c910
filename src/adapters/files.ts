/** Files in the workspace and in the runner's temporary folder. No path leads out of them, regardless of `..` and links. */
import { createReadStream } from 'node:fs'
import { glob, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { isSelected } from '../core/globs.ts'
import type { FileFault } from '../core/problems.ts'
import { type ContextFile, contextFileLimit, contextLimit, promptFileLimit } from '../core/prompt/prompt.ts'
import type { Result } from '../core/result.ts'

/** Number of bytes that decide whether a file is text. */
const probe = 8 * 1024
/** Files in .git would be rejected anyway, so they are not searched. */
const neverRead = '**/.git/**'

/** The workspace and the runner's temporary folder. */
export type Folders = readonly [workspace: string, ...string[]]

/** See `createWorkspace`. */
export type Workspace = ReturnType<typeof createWorkspace>

/** Makes the reader of the workspace's files. A single file can also be in the temporary folder. */
export function createWorkspace(folders: Folders) {
  const [root] = folders
  return {
    /** The complete text of a file. */
    readText: (input: string, path: string) =>
      returningFaults(input, path, async () => {
        const file = await readStart(await realPathIn(resolve(root, path), folders), promptFileLimit)
        if (file === null) throw faultError('not-a-file')
        if (file.isStart) throw faultError('too-large')
        if (file.text === null) throw faultError('not-text')
        const text = file.text.trim()
        if (text === '') throw faultError('empty')
        return text
      }),

    /** The files that match globs, sorted by path, with as much of their text as the context can hold. */
    async readMatching(input: string, globs: readonly string[]): Promise<Result<ContextFile[], FileFault>> {
      const paths = await matchingPaths(root, globs)
      if (paths.length > contextFileLimit)
        return { ok: false, failure: { kind: 'file', reason: 'too-many', input, path: globs.join(' ') } }
      const files: ContextFile[] = []
      let left = contextLimit
      for (const path of paths) {
        const file = await returningFaults(input, path, async () => {
          const real = await realPathIn(join(root, path), [root])
          // Above the limit, only the start of a file is read, to decide whether it is text.
          return readStart(real, Math.max(left, probe))
        })
        if (!file.ok) return file
        if (file.value === null) continue
        left -= file.value.text?.length ?? 0
        files.push({ path, ...file.value })
      }
      return { ok: true, value: files }
    },
  }
}

/** See `createReportFolder`. */
export type ReportFolder = ReturnType<typeof createReportFolder>

/**
 * Makes the writer for a report's folder.
 * @param path the folder as in the input
 * @param folders one of these must contain it; a relative path starts at the first one
 */
export function createReportFolder(path: string, folders: Folders) {
  const folder = resolve(folders[0], path)
  const attempt = <T>(act: () => Promise<T>) => returningFaults('report-dir', path, act, 'unwritable')
  return {
    /** Creates the folder if it does not exist. */
    open: () =>
      attempt(async () => {
        // Checked first, because a link in the path could lead elsewhere.
        await realPathIn(folder, folders, nearestRealPath)
        await mkdir(folder, { recursive: true })
      }),

    /** Writes a file, replacing an earlier one, and returns its path. */
    write: (name: string, text: string) =>
      attempt(async () => {
        await realPathIn(folder, folders)
        const file = join(folder, name)
        const partial = `${file}.partial`
        await rm(partial, { force: true })
        try {
          // An existing file or link is replaced, and never written through. In an artifact, half a file would look
          // complete.
          await writeFile(partial, text, { flag: 'wx' })
          await rename(partial, file)
        } finally {
          await rm(partial, { force: true })
        }
        return file
      }),
  }
}

/** An error that carries what is wrong with a path. */
const faultError = (reason: FileFault['reason']) => Object.assign(new Error(reason), { reason })

/**
 * Turns what is wrong with a path, and errors of the file system, into faults. Any other error is a bug and is rethrown.
 * @param systemReason the reason of an error in the file system; by default, a reader's
 */
async function returningFaults<T>(
  input: string,
  path: string,
  act: () => Promise<T>,
  systemReason?: FileFault['reason'],
): Promise<Result<T, FileFault>> {
  try {
    return { ok: true, value: await act() }
  } catch (error) {
    const { code, reason } = error as { code?: string; reason?: FileFault['reason'] }
    if (code === undefined && reason === undefined) throw error
    const reading = code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable'
    return { ok: false, failure: { kind: 'file', reason: reason ?? systemReason ?? reading, input, path } }
  }
}

/** The real path of a path, or of its nearest parent that exists. */
const nearestRealPath = (path: string): Promise<string> =>
  realpath(path).catch(() => nearestRealPath(dirname(path)))

/** The real path, after all links, which must be in the same allowed folder. */
async function realPathIn(path: string, folders: readonly string[], find: typeof nearestRealPath = realpath) {
  // A link in the workspace must not lead to the runner's temporary folder, where other steps leave tokens.
  const allowed = foldersContaining(path, folders)
  const real = await find(path)
  foldersContaining(real, await Promise.all(allowed.map((folder) => realpath(folder))))
  return real
}

/**
 * Those of the allowed folders that contain a path, according to its text. A path outside of them is not looked up, so
 * that no error reveals whether it exists. Files in .git are neither read nor written: actions/checkout leaves a token in
 * .git/config.
 */
function foldersContaining(path: string, folders: readonly string[]) {
  const found = folders.filter((folder) => {
    const inside = relative(folder, path)
    return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  })
  const isInGit = path.split(sep).some((part) => part.toLowerCase() === '.git')
  if (found.length === 0 || isInGit) throw faultError('outside')
  return found
}

/** The paths in a folder that match the globs, sorted, with slashes. Links to folders match, but are not followed. */
async function matchingPaths(root: string, globs: readonly string[]) {
  const exclusions = globs.filter((pattern) => pattern.startsWith('!'))
  const wanted = globs.filter((pattern) => !pattern.startsWith('!'))
  const skipped = [neverRead, ...exclusions.map((pattern) => pattern.slice(1))]
  const paths: string[] = []
  for await (const path of glob(wanted, { cwd: root, exclude: skipped })) {
    const name = path.split(sep).join('/')
    // `exclude` does not match names that begin with a dot.
    if (isSelected(name, exclusions)) paths.push(name)
    // The count includes folders, but is only meant to stop a search through far too many files.
    if (paths.length > 10 * contextFileLimit) break
  }
  return paths.sort()
}

/** The text of a file's first bytes (null for a binary file); null if it is not a file. */
async function readStart(path: string, bytes: number) {
  // Checked before opening, because opening a named pipe could block forever.
  const found = await stat(path)
  if (!found.isFile()) return null
  const isStart = bytes < found.size
  const start = await buffer(createReadStream(path, { end: bytes - 1 }))
  return { isStart, text: decodeText(start, isStart) }
}

/** UTF-8 without NUL is text. If only part of the file was read, an incomplete last character is dropped. */
function decodeText(bytes: Buffer, isCut: boolean) {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return null
  }
}
