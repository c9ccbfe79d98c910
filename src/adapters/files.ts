/** Files in the workspace and in the runner's temporary folder. No path leads out of them, regardless of `..` and links. */
import { createReadStream } from 'node:fs'
import { glob, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { matchesGlob } from '../core/globs.ts'
import type { FileFault } from '../core/problems.ts'
import { type ContextFile, contextLimit, promptFileLimit } from '../core/prompt/prompt.ts'
import type { FileResult, ReportFolder, Workspace } from '../usecases/ports.ts'

/** Number of bytes that decide whether a file is text. */
const probe = 8 * 1024
/** Maximum number of files. If there are more, the globs are certainly too broad. */
const fileLimit = 2_000
/** Number of characters to write at once. */
const batchSize = 64 * 1024
/** Files in .git would be rejected anyway, so they are not searched. */
const neverRead = ['**/.git/**']

/**
 * Makes the reader of the workspace's files.
 * @param root the workspace
 * @param alsoAllowed other folders from which a single file can be read (the runner's temporary folder)
 */
export function createWorkspace(root: string, alsoAllowed: readonly string[]): Workspace {
  return {
    readText(input, path) {
      const { fault, guarded } = faultsOf(input, path)
      return guarded(async () => {
        const real = await resolveContained(join(isAbsolute(path) ? '' : root, path), [root, ...alsoAllowed])
        if (real === undefined) return fault('outside')
        const file = await readStart(real, promptFileLimit)
        const kind = faultOf(file)
        return kind === null ? { ok: true, value: file?.text?.trim() ?? '' } : fault(kind)
      })
    },

    async readMatching(input, globs) {
      const paths = await matching(root, globs)
      if (paths.length > fileLimit) return { ok: false, fault: { kind: 'too-many', input, limit: fileLimit } }
      const files: ContextFile[] = []
      let left = contextLimit
      for (const path of paths) {
        const { fault, guarded } = faultsOf(input, path)
        const file = await guarded(async () => {
          const real = await resolveContained(join(root, path), [root])
          // Above the limit, only the start of a file is read, to decide whether it is text.
          return real === undefined
            ? fault('outside')
            : { ok: true, value: await readStart(real, Math.max(left, probe)) }
        })
        if (!file.ok) return file
        left -= file.value?.text?.length ?? 0
        if (file.value !== undefined) files.push({ path, ...file.value })
      }
      return { ok: true, value: files }
    },
  }
}

/**
 * Makes the writer for a report's folder.
 * @param path the folder as in the input
 * @param folders the allowed folders, one of which must contain it; a relative path starts at the first one
 */
export function createReportFolder(path: string, folders: readonly [string, ...string[]]): ReportFolder {
  // Resolves “..” first: if it follows a folder that does not exist yet, its target cannot be checked.
  const folder = resolve(folders[0], path)
  const { fault, guarded } = faultsOf('report-dir', path, 'unwritable')
  return {
    open: () =>
      guarded(async () => {
        // Checked before creating any folder, because a link in the path could point elsewhere.
        const real = await resolveContained(folder, folders, await deepestExisting(folder))
        if (real === undefined) return fault('outside')
        await mkdir(folder, { recursive: true })
        return { ok: true, value: undefined }
      }),

    write: (name, chunks) =>
      guarded(async () => {
        if ((await resolveContained(folder, folders)) === undefined) return fault('outside')
        const value = join(folder, name)
        const partial = `${value}.partial`
        await rm(partial, { force: true })
        try {
          // An existing file or link is replaced, and never written through. In an artifact, half a file would look
          // complete.
          await writeFile(partial, batches(chunks), { flag: 'wx' })
          await rename(partial, value)
        } catch (error) {
          await rm(partial, { force: true })
          throw error
        }
        return { ok: true, value }
      }),
  }
}

/** Joins chunks, because a system call for each line would be slow. */
function* batches(chunks: Iterable<string>): Generator<string> {
  let batch = ''
  for (const chunk of chunks) {
    batch += chunk
    if (batch.length < batchSize) continue
    yield batch
    batch = ''
  }
  yield batch
}

/**
 * The real path, after all links, if it is still in the same allowed folder; otherwise undefined.
 * @param existing the path itself, or its nearest parent that exists
 */
async function resolveContained(path: string, folders: readonly string[], existing = path) {
  // A link in the workspace must not lead to the runner's temporary folder, where other steps leave tokens.
  const holding = folders.filter((folder) => contains(folder, path))
  // A path whose text leads out of the folders is not looked up, so that no error reveals whether it exists.
  if (holding.length === 0 || isInGit(path)) return undefined
  const real = await realpath(existing)
  const roots = await Promise.all(holding.map((folder) => realpath(folder)))
  return !isInGit(real) && roots.some((root) => contains(root, real)) ? real : undefined
}

/** Files in .git are neither read nor written: actions/checkout leaves a token in .git/config. */
function isInGit(path: string): boolean {
  return path.split(sep).some((part) => part.toLowerCase() === '.git')
}

/** Whether a path is a folder or below it. Only their texts are compared: links are not resolved. */
function contains(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}

/** The path itself, or its nearest parent that exists. */
async function deepestExisting(path: string): Promise<string> {
  try {
    await realpath(path)
    return path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return deepestExisting(dirname(path))
  }
}

/** The paths in a folder that match the globs, sorted, with slashes. Links to folders match, but are not followed. */
async function matching(root: string, globs: readonly string[]): Promise<string[]> {
  const wanted = globs.filter((pattern) => !pattern.startsWith('!'))
  const excluded = globs.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const paths: string[] = []
  for await (const path of glob(wanted, { cwd: root, exclude: [...neverRead, ...excluded] })) {
    const name = path.split(sep).join('/')
    // `**` also matches the folder itself, and `exclude` does not match names that begin with a dot.
    const isExcluded = excluded.some((pattern) => matchesGlob(name, pattern, true))
    if (path !== '.' && !isExcluded) paths.push(name)
    // The count includes folders, but is only meant to stop a search through far too many files.
    if (paths.length > 10 * fileLimit) break
  }
  return paths.sort()
}

type PathFault = Exclude<FileFault['kind'], 'too-many'>

/** Why a file cannot be the prompt; null if it can. */
function faultOf(file: Omit<ContextFile, 'path'> | undefined): PathFault | null {
  if (file === undefined) return 'not-a-file'
  if (file.size > promptFileLimit) return 'too-large'
  if (file.text === null) return 'not-text'
  return file.text.trim() === '' ? 'empty' : null
}

/** How to report what is wrong with a path. @param failed the fault of an error in the file system; by default, a reader's */
function faultsOf(input: string, path: string, failed?: PathFault) {
  const fault = (kind: PathFault) => ({ ok: false, fault: { kind, input, path } }) as const
  return {
    fault,
    /** Turns file system errors into faults. Any other error is a bug and is rethrown. */
    async guarded<T>(act: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
      try {
        return await act()
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === undefined) throw error
        return fault(failed ?? (code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable'))
      }
    },
  }
}

/** A file's size and the text of its first bytes (null for a binary file); undefined if it is not a file. */
async function readStart(path: string, bytes: number): Promise<Omit<ContextFile, 'path'> | undefined> {
  // Checked before opening, because opening a named pipe could block forever.
  const found = await stat(path)
  if (!found.isFile()) return undefined
  const { size } = found
  const length = Math.min(bytes, size)
  const start = length === 0 ? Buffer.alloc(0) : await buffer(createReadStream(path, { end: length - 1 }))
  return { size, text: decodeText(start, bytes < size) }
}

/** UTF-8 without NUL is text. If only part of the file was read, an incomplete last character is dropped. */
function decodeText(bytes: Buffer, isCut: boolean): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    return null
  }
}
