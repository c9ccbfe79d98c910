/** Writes a visitors report to files. */
import type { FileFault } from '../../core/problem.ts'
import type { ReportFolder } from '../../usecases/ports.ts'

/** A file of the report, in pieces. */
export interface ReportFile {
  name: string
  chunks: Iterable<string>
}

/** Writes files one after another. Each key is the output that gets the file's path. If one fails, the earlier ones stay. */
export async function writeFiles<Output extends string>(
  files: Record<Output, ReportFile>,
  folder: ReportFolder,
): Promise<{ paths: Partial<Record<Output, string>>; fault: FileFault | null }> {
  const paths: Partial<Record<Output, string>> = {}
  for (const [output, { name, chunks }] of Object.entries(files) as [Output, ReportFile][]) {
    const written = await folder.write(name, chunks)
    if (!written.ok) return { paths, fault: written.fault }
    paths[output] = written.value
  }
  return { paths, fault: null }
}
