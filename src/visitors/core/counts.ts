/** The figures: numbers of unique visitors, and everything derived from them. */

/**
 * Approximate numbers of unique visitors. A visitor may count under both `human` and `ai`, so `total` can be less than
 * their sum. A visitor of several pages counts on each, so pages do not add up to the site's totals.
 */
export interface VisitorCounts {
  human: number
  ai: number
  total: number
}

export const noVisitors: VisitorCounts = { human: 0, ai: 0, total: 0 }

export function isSame(one: VisitorCounts, other: VisitorCounts): boolean {
  return one.human === other.human && one.ai === other.ai && one.total === other.total
}

/**
 * The share of AI readers among all visitors; null if there are none. Together with the share of human visitors, it can
 * exceed 1.
 */
export function aiShare({ ai, total }: VisitorCounts): number | null {
  const share = ai / total
  return Number.isFinite(share) ? share : null
}

/** A page's counts in both periods; null if unknown. */
export interface PageFigures {
  now: VisitorCounts | null
  before: VisitorCounts | null
}

/** A page's counts. A page missing from a complete reading had no visitors; otherwise, its counts are unknown. */
export function countsOrNone(
  read: VisitorCounts | null | undefined,
  isComplete: boolean,
): VisitorCounts | null {
  return read ?? (isComplete ? noVisitors : null)
}
