/** Reads files of the workspace. No path can lead outside the allowed folders. */

import { createReadStream } from 'node:fs'
import { glob, stat } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { matchesGlob } from '../core/globs.ts'
import type { FileFault } from '../core/problem.ts'
import { type ContextFile, contextLimit, promptFileLimit } from '../core/prompt/prompt.ts'
import type { FileResult, Workspace } from '../usecases/ports.ts'
import { resolveContained } from './contained-path.ts'

/** Number of bytes that decide whether a file is text. */
const probe = 8 * 1024
/** Maximum number of files. If there are more, the globs are certainly too broad. */
const fileLimit = 2_000
/** Files in .git would be rejected anyway, so they are not searched. */
const neverRead = ['**/.git/**']

/**
 * Makes the reader of the workspace's files.
 * @param root the workspace
 * @param alsoAllowed other folders from which a single file can be read (the runner's temporary folder)
 */
export function createWorkspace(root: string, alsoAllowed: readonly string[]): Workspace {
  return {
    readText: (input, path) =>
      guarded(input, path, async () => {
        const real = await resolveContained(join(isAbsolute(path) ? '' : root, path), [root, ...alsoAllowed])
        if (real === undefined) return fault('outside', input, path)
        const value = textOf(await readFileStart(real, promptFileLimit))
        return typeof value === 'string' ? { ok: true, value } : fault(value.kind, input, path)
      }),

    async readMatching(input, globs) {
      const paths = await matching(root, globs)
      if (paths.length > fileLimit) return { ok: false, fault: { kind: 'too-many', input, limit: fileLimit } }
      const files: ContextFile[] = []
      let left = contextLimit
      for (const path of paths) {
        const file = await guarded<ContextFile | undefined>(input, path, async () => {
          const real = await resolveContained(join(root, path), [root])
          if (real === undefined) return fault('outside', input, path)
          // Above the limit, only the start of a file is read, to decide whether it is text.
          const start = await readFileStart(real, Math.max(left, probe))
          left -= start?.text?.length ?? 0
          return { ok: true, value: start && { path, ...start } }
        })
        if (!file.ok) return file
        if (file.value !== undefined) files.push(file.value)
      }
      return { ok: true, value: files }
    },
  }
}

/** The text of a complete file, or what is wrong with it. */
function textOf(file: Omit<ContextFile, 'path'> | undefined): string | { kind: SingleFileFault } {
  if (file === undefined) return { kind: 'not-a-file' }
  if (file.size > promptFileLimit) return { kind: 'too-large' }
  return file.text === null ? { kind: 'not-text' } : file.text.trim() || { kind: 'empty' }
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

type Fault = { ok: false; fault: FileFault }

type SingleFileFault = Exclude<FileFault['kind'], 'too-many'>

function fault(kind: SingleFileFault, input: string, path: string): Fault {
  return { ok: false, fault: { kind, input, path } }
}

/** Turns file system errors into faults. Any other error is a bug and is rethrown. */
async function guarded<T>(
  input: string,
  path: string,
  read: () => Promise<FileResult<T>>,
): Promise<FileResult<T>> {
  try {
    return await read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return fault(code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable', input, path)
  }
}

/** A file's size and the text of its first bytes (null for a binary file); undefined if it is not a file. */
async function readFileStart(path: string, bytes: number): Promise<Omit<ContextFile, 'path'> | undefined> {
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
