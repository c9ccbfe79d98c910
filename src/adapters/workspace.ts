/** Files of the workspace. Whatever a path says, nothing outside the allowed folders is read. */

import { type FileHandle, glob, open, stat } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import type { FileFault } from '../core/problem.ts'
import type { ContextFile } from '../core/prompt/prompt.ts'
import type { FileResult, Workspace } from '../usecases/ports.ts'
import { resolveContained } from './contained-path.ts'

/** Bytes by which a file is told to be text. */
const probe = 8 * 1024
/** More files than anybody means to send: a glob gone astray. */
const fileLimit = 2_000
/** Spares the walk through what is refused anyway. */
const neverRead = ['**/.git/**']

/**
 * @param root the workspace
 * @param alsoAllowed other folders from which a single file may be read (the runner's temporary folder)
 */
export function createWorkspace(root: string, alsoAllowed: readonly string[]): Workspace {
  return {
    readText: (input, path) =>
      guarded(input, path, async () => {
        const real = await resolveContained(join(isAbsolute(path) ? '' : root, path), [root, ...alsoAllowed])
        if (real === undefined) return fault('outside', input, path)
        const file = await readFileStart(real, Number.POSITIVE_INFINITY)
        if (file === undefined) return fault('not-a-file', input, path)
        if (file.text === null) return fault('not-text', input, path)
        const value = file.text.trim()
        return value === '' ? fault('empty', input, path) : { ok: true, value }
      }),

    async readMatching(input, globs, bytes) {
      const paths = await matching(root, globs)
      if (paths.length > fileLimit) return { ok: false, fault: { kind: 'too-many', input, limit: fileLimit } }
      const files: ContextFile[] = []
      let left = bytes
      for (const path of paths) {
        const file = await guarded<ContextFile | undefined>(input, path, async () => {
          const real = await resolveContained(join(root, path), [root])
          if (real === undefined) return fault('outside', input, path)
          // Once the limit is spent, a file's beginning tells whether it is text; more would be read for nothing.
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

/** The paths below a folder that globs name, with slashes, sorted. Links to folders are named, but not followed. */
async function matching(root: string, globs: readonly string[]): Promise<string[]> {
  const wanted = globs.filter((pattern) => !pattern.startsWith('!'))
  const excluded = globs.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const paths: string[] = []
  for await (const path of glob(wanted, { cwd: root, exclude: [...neverRead, ...excluded] })) {
    paths.push(path.split(sep).join('/'))
    // Folders are among them, so this is no count of files; but it ends a walk that has gone astray.
    if (paths.length > 10 * fileLimit) break
  }
  return paths.sort()
}

type Fault = { ok: false; fault: FileFault }

function fault(kind: Exclude<FileFault['kind'], 'too-many'>, input: string, path: string): Fault {
  return { ok: false, fault: { kind, input, path } }
}

/** Turns the file system's errors into faults; any other error is a defect and goes on. */
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

/** A file's size and the text of its first so many bytes, null where that is binary; undefined for no file. */
async function readFileStart(path: string, bytes: number): Promise<Omit<ContextFile, 'path'> | undefined> {
  // Asked before it is opened: opening a named pipe would wait for ever.
  const found = await stat(path)
  if (!found.isFile()) return undefined
  const { size } = found
  const file = await open(path)
  try {
    return { size, text: decodeText(await readStart(file, Math.min(bytes, size)), bytes < size) }
  } finally {
    await file.close()
  }
}

async function readStart(file: FileHandle, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

/** UTF-8 without NUL is text; where the file was not read whole, a character cut at the end is left off. */
function decodeText(bytes: Buffer, isCut: boolean): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    return null
  }
}
