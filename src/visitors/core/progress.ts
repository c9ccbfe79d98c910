/** Events while a report is read, in addition to those of every mode. */
import type { Progress } from '../../core/progress.ts'
import type { Gap, Missing } from './gap.ts'
import type { Period } from './period.ts'

export type ReportProgress =
  | Progress
  /** A response with pages of a period was handled. `pages` and `requests` are the period's totals so far. */
  | { type: 'pages'; period: Period; pages: number; requests: number }
  | { type: 'period-read'; period: Period; pages: number; gap: Gap | null }
  /** The platform's totals changed while the pages of a period were read. */
  | { type: 'reread'; period: Period }
  /** The first rows of a list of readers' words were read; `gap` says why not. */
  | { type: 'list-read'; list: string; period: Period; gap: Missing | null }
