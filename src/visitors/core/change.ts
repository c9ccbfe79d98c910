/** How a count changed between two periods. Every form of the report derives a change's words, arrow and color from this. */

/** The change of a count from the compared period (`before`) to the current one (`now`). */
export interface Change {
  now: number
  before: number
  /** (now − before) / before, of daily averages if the periods differ in length; null if before is 0. */
  fraction: number | null
  /** now − before, with `before` scaled to the length of the current period. */
  difference: number
  /** `up` and `down` only if the change is larger than chance explains, and does not round to 0.0%. */
  direction: 'up' | 'down' | 'level'
  /** Whether to mark the change as “small numbers”: it may be chance, and both counts are below `smallNumbers`. */
  isSmall: boolean
}

/** If both counts are below this, a change that may be chance is marked as “small numbers”. */
export const smallNumbers = 500
/** Smaller fractions are shown as 0.0%. */
const smallestShown = 0.0005
/** Larger than the rounding errors of binary fractions. */
const tolerance = 1e-9

/** Compares two counts. @param scale length of the current period divided by the length of the compared one */
export function changeBetween(now: number, before: number, scale: number): Change {
  const expected = before * scale
  const difference = now - expected
  const relative = difference / Math.abs(expected)
  const fraction = Number.isFinite(relative) ? relative : null
  const isShown = fraction === null || Math.abs(fraction) + tolerance >= smallestShown
  const isReal = isShown && isBeyondNoise(now, expected)
  const way = difference > 0 ? 'up' : 'down'
  return {
    now,
    before,
    fraction,
    difference,
    direction: isReal ? way : 'level',
    isSmall: !isReal && isShown && difference !== 0 && Math.max(now, expected) < smallNumbers,
  }
}

/**
 * Whether a difference is larger than chance explains: more than three standard deviations. The standard deviation of
 * a difference between two counts of independent visits is the square root of their sum.
 */
function isBeyondNoise(one: number, other: number): boolean {
  return Math.abs(one - other) > 3 * Math.sqrt(Math.abs(one) + Math.abs(other))
}

/** The fraction with at most four decimals, for files; null if it is too large for a file. */
export function rounded(fraction: number | null): number | null {
  // Adding 0 turns -0 into 0.
  const value = Math.round((fraction ?? Number.NaN) * 10_000) / 10_000 + 0
  return Number.isFinite(value) ? value : null
}
