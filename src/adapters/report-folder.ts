/** Writes the report's files, only inside the allowed folders. Links that lead outside are not followed. */

import { mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FileFault } from '../core/problem.ts'
import type { FileResult, ReportFolder } from '../usecases/ports.ts'
import { contains, isInGit, resolveContained } from './contained-path.ts'

/** Number of characters to write at once: a system call for each line would be slow. */
const batchSize = 64 * 1024

/**
 * Makes the writer for a report's folder.
 * @param path the folder as in the input
 * @param folders the allowed folders, one of which must contain it; a relative path starts at the first one
 */
export function createReportFolder(path: string, folders: readonly [string, ...string[]]): ReportFolder {
  // Resolves “..” first: if it follows a folder that does not exist yet, its target cannot be checked.
  const folder = resolve(folders[0], path)
  const isInside = (existing: string) => staysInside(existing, folder, folders)
  return {
    open: () =>
      guarded(path, async () => {
        // Checked before creating any folder, because a link in the path could point elsewhere.
        const isRejected = isInGit(folder) || !(await isInside(await deepestThatIs(folder)))
        if (isRejected) return fault('outside', path)
        await mkdir(folder, { recursive: true })
        return { ok: true, value: undefined }
      }),

    write: (name, chunks) =>
      guarded(path, async () => {
        if (!(await isInside(folder))) return fault('outside', path)
        const target = join(folder, name)
        const partial = `${target}.partial`
        await rm(partial, { force: true })
        // An existing file or link is replaced, and never written through.
        const file = await open(partial, 'wx')
        try {
          // On an almost full disk, file.write could write only a part of the data.
          await file.writeFile(batches(chunks)).finally(() => file.close())
          await rename(partial, target)
        } catch (error) {
          // In an artifact, half a file would look complete.
          await rm(partial, { force: true })
          throw error
        }
        return { ok: true, value: target }
      }),
  }
}

/**
 * Whether a path, after all links, is in the allowed folder that contains the report's folder.
 * @param path the report's folder, or its nearest parent that exists
 */
async function staysInside(path: string, report: string, folders: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(folders.map(async (given) => ({ given, real: await realpath(given) })))
  const holding = roots.filter(({ given, real }) =>
    [resolve(given), real].some((root) => root === report || contains(root, report)),
  )
  const real = await realpath(path)
  const allowed = holding.map((root) => root.real)
  return allowed.includes(real) || (await resolveContained(real, allowed)) !== undefined
}

/** The path itself, or its nearest parent that exists. */
async function deepestThatIs(path: string): Promise<string> {
  try {
    await realpath(path)
    return path
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    return deepestThatIs(dirname(path))
  }
}

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

function fault(kind: 'outside' | 'unwritable', path: string): { ok: false; fault: FileFault } {
  return { ok: false, fault: { kind, input: 'report-dir', path } }
}

/** Turns file system errors into faults. Any other error is a bug and is rethrown. */
async function guarded<T>(path: string, act: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
  try {
    return await act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return fault('unwritable', path)
  }
}
