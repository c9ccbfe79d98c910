/** What reading a report needs, in addition to calls to the platform. */
import type { PlatformPorts } from '../../usecases/ports.ts'
import type { ReportProgress } from '../core/progress.ts'

export interface ReadingPorts extends PlatformPorts {
  onProgress(progress: ReportProgress): void
}
