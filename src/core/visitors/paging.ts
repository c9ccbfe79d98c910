/** How a period's pages are read: which request comes next, and what ends the reading. */
import { isSame, pageSize, type VisitorCounts, type VisitorsPage } from './visitors.ts'

/** Why a list may lack pages although the platform never refused. */
export type PagingFault = 'empty-page' | 'offset-ignored'

export type PagingStep = { next: 'read' } | { next: 'end' } | { next: 'stop'; fault: PagingFault }

/** Where a reading stands. */
export class Paging {
  /** Of the next request. */
  offset = 0
  /** The site's totals as last seen; null before the first page. */
  totals: VisitorCounts | null = null
  /** Whether the totals changed from page to page: then pages of two states of the site were mixed. */
  moved = false
  private hasProbed = false

  /**
   * Takes in a page; says what comes next.
   * @param newRows how many of its rows were of pages not seen before
   */
  saw({ totals, rows, hasMore }: VisitorsPage, newRows: number): PagingStep {
    this.moved ||= this.totals !== null && !isSame(this.totals, totals)
    this.totals = totals
    if (!hasMore) return { next: 'end' }
    if (rows.length === 0) {
      // The same offset once more: if the page was empty by mistake, the next one would hide its rows.
      if (this.hasProbed) return { next: 'stop', fault: 'empty-page' }
      this.hasProbed = true
      return { next: 'read' }
    }
    if (newRows === 0) return { next: 'stop', fault: 'offset-ignored' }
    this.hasProbed = false
    // By the limit, not by the rows that came (openapi.yaml): a page may be short although there are more.
    this.offset += pageSize
    return { next: 'read' }
  }
}
