/** Events while a report is read, in addition to those of every mode. */
import type { ListName } from '../../core/job/operation.ts'
import type { Progress } from '../../core/progress.ts'
import type { Period } from './period.ts'
import type { Missing } from './sections/lists.ts'

export type ReportProgress =
  | Progress
  /** A response with pages of a period was handled. `pages` and `requests` are the period's totals so far. */
  | { type: 'pages'; period: Period; pages: number; requests: number }
  | { type: 'period-read'; period: Period; pages: number; isComplete: boolean }
  /** The platform's totals changed while the pages of a period were read. */
  | { type: 'reread'; period: Period }
  /** The first rows of a list of readers' words arrived. */
  | { type: 'list-read'; list: ListName; period: Period; seen: number; hasMore: boolean }
  | { type: 'list-missing'; list: ListName; gap: Missing }
