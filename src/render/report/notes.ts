/** What a reader has to know of the figures, in every form of the report. */
import type { VisitorsReport } from '../../core/visitors/report.ts'

export function notesOf({ timezone, filter }: VisitorsReport): string[] {
  return [
    'Counts are of unique visitors, and approximate; who reads as a person and through AI is counted under both.',
    "A visitor of several pages is counted on each, so pages do not add up to the site's totals.",
    `Periods are whole days as ${timezone} has them; where the platform's days begin is not documented.`,
    ...(filter.include.length + filter.exclude.length > 0
      ? ['include and exclude narrow the lists of pages, not the totals.']
      : []),
  ]
}
