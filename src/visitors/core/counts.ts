/** The figures: numbers of unique visitors, and everything derived from them. */

/**
 * Approximate numbers of unique visitors. A visitor can count as both `human` and `ai`, so `total` can be less than
 * their sum. A visitor who reads several pages counts on each of them, so the pages' counts can add up to more than
 * the site's totals.
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
 * The share of AI readers among all visitors; null if there are no visitors. The shares of AI readers and human visitors
 * can add up to more than 1.
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

/** A page's counts: zeros if a complete reading lacks the page, null if an incomplete reading lacks it. */
export function countsOrNone(
  read: VisitorCounts | null | undefined,
  isComplete: boolean,
): VisitorCounts | null {
  return read ?? (isComplete ? noVisitors : null)
}
