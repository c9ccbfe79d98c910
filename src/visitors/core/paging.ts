/** How a period's pages are read: which request comes next, and what ends the reading. */
import { isSame, type VisitorCounts } from './counts.ts'
import { pageSize, type VisitorsPage } from './visitors.ts'

/** Why a list may lack pages although the platform rejected no request. */
export type PagingFault = 'empty-page' | 'offset-ignored'

export type PagingStep = { next: 'read' } | { next: 'end' } | { next: 'stop'; fault: PagingFault }

/** Signs that the site changed while its pages were read: what was read is a mix of two states. */
export type Mixed = 'moving' | 'shifting'

/** The state of a reading. */
export class Paging {
  /** The cursor of the next request. */
  offset = 0
  /** The site's totals as last seen; null before the first reply. */
  totals: VisitorCounts | null = null
  /** `moving`: the totals changed from reply to reply; `shifting`: a row came in two replies, so others came in none. */
  mixed: Mixed | null = null
  private hasProbed = false

  /**
   * Takes in a reply; says what comes next.
   * @param newRows number of its pages that no earlier reply had
   */
  saw({ totals, rows, hasMore }: VisitorsPage, newRows: number): PagingStep {
    if (new Set(rows.map(({ path }) => path)).size > newRows) this.mixed ??= 'shifting'
    if (this.totals !== null && !isSame(this.totals, totals)) this.mixed = 'moving'
    this.totals = totals
    if (!hasMore) return { next: 'end' }
    if (rows.length === 0) {
      // The same offset once more: if the reply was empty by mistake, the next one would hide its rows.
      if (this.hasProbed) return { next: 'stop', fault: 'empty-page' }
      this.hasProbed = true
      return { next: 'read' }
    }
    if (newRows === 0) return { next: 'stop', fault: 'offset-ignored' }
    this.hasProbed = false
    // By the limit, not by the rows that came (openapi.yaml): a reply may be short although there are more.
    this.offset += pageSize
    return { next: 'read' }
  }
}
