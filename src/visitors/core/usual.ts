/** A page's usual range: its visitors in earlier periods. */

/** Minimum number of periods: a range over fewer says nothing. */
const minPeriods = 3

/** An earlier period: the daily average of a page's visitors, by the page's number; null if unknown. */
export type EarlierPeriod = (id: number) => number | null

/**
 * Makes an earlier period. Daily averages make it comparable if the periods are months, which differ in length.
 * @param visitorsOf returns undefined for a page that was not read
 * @param isWhole whether all pages of the period were read, so that a missing page had no visitors
 */
export function earlierPeriod(
  days: number,
  visitorsOf: (id: number) => number | undefined,
  isWhole: boolean,
): EarlierPeriod {
  return (id) => {
    const visitors = visitorsOf(id) ?? (isWhole ? 0 : null)
    return visitors === null ? null : visitors / days
  }
}

/** Whether a page's daily average is within the range of earlier periods; false if too few of them are known. */
export function isUsual(id: number, daily: number, earlier: readonly EarlierPeriod[]): boolean {
  const known = earlier.flatMap((averageOf) => averageOf(id) ?? [])
  return known.length >= minPeriods && Math.min(...known) <= daily && daily <= Math.max(...known)
}
