/** Where the report's files are written: inside the given folders, wherever links lead. */

import { mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FileFault } from '../core/problem.ts'
import type { FileResult, ReportFolder } from '../usecases/ports.ts'
import { isInGit, resolveContained } from './contained-path.ts'

/** Characters that are written at once: a line each would be a system call each. */
const batchSize = 64 * 1024

/**
 * @param path as the input names it
 * @param folders in one of which it has to lie; a relative path begins at the first
 */
export function createReportFolder(path: string, folders: readonly [string, ...string[]]): ReportFolder {
  // Without “..”: behind a folder that is yet to be made, what it leads to could not be looked at.
  const folder = resolve(folders[0], path)
  return {
    open: () =>
      guarded(path, async () => {
        // Before anything is made: a link on the way must not have folders made elsewhere.
        const isRefused = isInGit(folder) || !(await isInside(await deepestThatIs(folder), folders))
        if (isRefused) return fault('outside', path)
        await mkdir(folder, { recursive: true })
        return { ok: true, value: undefined }
      }),

    write: (name, chunks) =>
      guarded(path, async () => {
        if (!(await isInside(folder, folders))) return fault('outside', path)
        const target = join(folder, name)
        const partial = `${target}.partial`
        await rm(partial, { force: true })
        // A file that is there, or a link in its place, is replaced and not written through.
        const file = await open(partial, 'wx')
        try {
          // Not by file.write: on a disk that is nearly full it may write less than it was given.
          await file.writeFile(batches(chunks)).finally(() => file.close())
          await rename(partial, target)
        } catch (error) {
          // Who takes the folder up as an artifact takes half a file for one.
          await rm(partial, { force: true })
          throw error
        }
        return { ok: true, value: target }
      }),
  }
}

async function isInside(path: string, folders: readonly string[]): Promise<boolean> {
  const roots = await Promise.all(folders.map((root) => realpath(root)))
  const real = await realpath(path)
  return roots.includes(real) || (await resolveContained(real, roots)) !== undefined
}

/** The nearest folder above, or the path itself, that there is already. */
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

/** Turns the file system's errors into a fault; any other error is a defect and goes on. */
async function guarded<T>(path: string, act: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
  try {
    return await act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return fault('unwritable', path)
  }
}
