/** What reading a report needs, in addition to calls to the platform. */
import type { PlatformPorts } from '../../usecases/ports.ts'
import type { ReportProgress } from '../core/progress.ts'

/** The ports for reading. */
export interface ReadingPorts extends PlatformPorts {
  onProgress(progress: ReportProgress): void
}

/** The ports of mode visitors. */
export interface VisitorsPorts extends ReadingPorts {
  /** Whether a glob matches a page's path. */
  matches(path: string, glob: string): boolean
}
