/** What happens while a report is read, beside what happens in any step. */
import type { ListName } from '../../core/job/operation.ts'
import type { Progress } from '../../core/progress.ts'
import type { Period } from './period.ts'
import type { Missing } from './sections/lists.ts'

export type ReportProgress =
  | Progress
  /** A reply with pages of a period was taken in; `pages` and `requests` are the period's so far. */
  | { type: 'pages'; period: Period; pages: number; requests: number }
  | { type: 'period-read'; period: Period; pages: number; isComplete: boolean }
  /** The platform's totals changed while a period's pages were read. */
  | { type: 'reread'; period: Period }
  /** The first rows of a list of readers' words came. */
  | { type: 'list-read'; list: ListName; seen: number; hasMore: boolean }
  | { type: 'list-missing'; list: ListName; gap: Missing }
