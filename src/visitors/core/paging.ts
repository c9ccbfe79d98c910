/** How to read the pages of a period: the next request, or the reason to stop. */
import { pageSize, type VisitorCounts, type VisitorsPage } from './visitors.ts'

/** Why pages may be missing even though the platform rejected no request. */
export type PagingFault = 'empty-page' | 'offset-ignored'

/** What to do after a response: read on, end, or stop because of a fault. */
export type PagingStep = 'read' | 'end' | PagingFault

/** Signs that the site changed while its pages were read, so that the reading mixes two states. */
export type Mixed = 'moving' | 'shifting'

/** Tracks how much of a period has been read. */
export class Paging {
  /** The offset of the next request. */
  offset = 0
  /** The site's totals in the last response; null before the first one. */
  totals: VisitorCounts | null = null
  /** `moving`: the totals changed between responses. `shifting`: a row was in two responses, so another may be in none. */
  mixed: Mixed | null = null
  private hasProbed = false

  /** Handles a response, and returns what to do next. @param newRows number of pages that no earlier response contained */
  addPage({ totals, visitors: rows, hasMore }: VisitorsPage, newRows: number): PagingStep {
    if (new Set(rows.map(({ path }) => path)).size > newRows) this.mixed ??= 'shifting'
    if (this.totals !== null && !isSame(this.totals, totals)) this.mixed = 'moving'
    this.totals = totals
    if (!hasMore) return 'end'
    if (rows.length === 0) {
      // Reads the same offset once more: if the response was empty by mistake, a later offset would miss its rows.
      if (this.hasProbed) return 'empty-page'
      this.hasProbed = true
      return 'read'
    }
    if (newRows === 0) return 'offset-ignored'
    this.hasProbed = false
    // Advances by the limit, not by the number of rows (openapi.yaml): a response can contain fewer rows even if more
    // follow.
    this.offset += pageSize
    return 'read'
  }
}

function isSame(one: VisitorCounts, other: VisitorCounts): boolean {
  return one.human === other.human && one.ai === other.ai && one.total === other.total
}
