/** Writes a visitors report to files. */
import type { FileFault } from '../../core/problem.ts'
import type { ReportFolder } from '../../usecases/ports.ts'

/** A file of the report, in pieces. */
export interface ReportFile<Name extends string> {
  /** The output with its path; null if there is none. */
  output: Name | null
  name: string
  chunks: Iterable<string>
}

/** The paths by output, or what is wrong with a file. */
export type Written<Name extends string> =
  | { ok: true; paths: Partial<Record<Name, string>> }
  | { ok: false; paths: Partial<Record<Name, string>>; fault: FileFault }

/** Writes files one after another. If one fails, the earlier ones stay. */
export async function writeFiles<Name extends string>(
  files: readonly ReportFile<Name>[],
  folder: ReportFolder,
): Promise<Written<Name>> {
  const paths: Partial<Record<Name, string>> = {}
  for (const { output, name, chunks } of files) {
    const written = await folder.write(name, chunks)
    if (!written.ok) return { ok: false, paths, fault: written.fault }
    if (output !== null) paths[output] = written.value
  }
  return { ok: true, paths }
}
