/** Writes the report's files, only inside the given folders. Links that lead out are not followed. */

import { mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { FileFault } from '../core/problem.ts'
import type { FileResult, ReportFolder } from '../usecases/ports.ts'
import { contains, isInGit, resolveContained } from './contained-path.ts'

/** Characters that are written at once: one line at a time would cost a system call for each. */
const batchSize = 64 * 1024

/**
 * @param path as the input names it
 * @param folders one of which must contain it; a relative path begins at the first
 */
export function createReportFolder(path: string, folders: readonly [string, ...string[]]): ReportFolder {
  // Without “..”: after a folder that does not exist yet, its target could not be checked.
  const folder = resolve(folders[0], path)
  const isInside = (existing: string) => staysInside(existing, folder, folders)
  return {
    open: () =>
      guarded(path, async () => {
        // Before any folder is created: a link in the path must not create folders elsewhere.
        const isRefused = isInGit(folder) || !(await isInside(await deepestThatIs(folder)))
        if (isRefused) return fault('outside', path)
        await mkdir(folder, { recursive: true })
        return { ok: true, value: undefined }
      }),

    write: (name, chunks) =>
      guarded(path, async () => {
        if (!(await isInside(folder))) return fault('outside', path)
        const target = join(folder, name)
        const partial = `${target}.partial`
        await rm(partial, { force: true })
        // An existing file or link is replaced and never written through.
        const file = await open(partial, 'wx')
        try {
          // file.write may write only a part on a disk that is nearly full.
          await file.writeFile(batches(chunks)).finally(() => file.close())
          await rename(partial, target)
        } catch (error) {
          // In an artifact, half a file would look like a whole one.
          await rm(partial, { force: true })
          throw error
        }
        return { ok: true, value: target }
      }),
  }
}

/**
 * Whether a path is in the folder that a report's path names, after every link is followed.
 * @param path the report's own, or its nearest parent that exists
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

/** The path itself, or its nearest parent, that exists. */
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

/** Turns errors of the file system into a fault; any other error is a bug and is thrown again. */
async function guarded<T>(path: string, act: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
  try {
    return await act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return fault('unwritable', path)
  }
}
