/** The figures: unique visitors, and what is derived from them. Each has its one definition here. */

/**
 * Unique visitors, approximate. A visitor may be counted under both `human` and `ai`, so `total` can be less than their sum;
 * and a visitor of several pages is counted on each, so pages never add up to the site.
 */
export interface VisitorCounts {
  human: number
  ai: number
  total: number
}

export const nobody: VisitorCounts = { human: 0, ai: 0, total: 0 }

/** Whether two counts are the same. */
export function isSame(one: VisitorCounts, other: VisitorCounts): boolean {
  return one.human === other.human && one.ai === other.ai && one.total === other.total
}

/** AI readers among all visitors; null if there are none. Together with the share of human visitors, it can exceed 1. */
export function aiShare({ ai, total }: VisitorCounts): number | null {
  const share = ai / total
  return Number.isFinite(share) ? share : null
}

/** A page's counts in both periods; null if they are not known. */
export interface PageFigures {
  now: VisitorCounts | null
  before: VisitorCounts | null
}

/**
 * A page that is missing from a complete reading had no visitors. If it is missing from an incomplete reading, or if
 * nothing was read, its counts are not known.
 */
export function countsOrNone(
  read: VisitorCounts | null | undefined,
  isComplete: boolean,
): VisitorCounts | null {
  return read ?? (isComplete ? nobody : null)
}
