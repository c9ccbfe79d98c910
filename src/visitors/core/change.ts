/** How a figure changed between two periods. This one rule decides the wording, the arrow and the color of a change. */

/** Days from `from` up to, but without, `to`, as `YYYY-MM-DD`. */
interface Days {
  from: string
  to: string
}

export interface Change {
  now: number
  before: number
  /** (now − before) / before, of daily averages if the periods differ in length; null if there is no such fraction. */
  fraction: number | null
  /** now − before, with `before` scaled to the length of the current period. */
  difference: number
  /** `up` and `down` only if the change is larger than chance explains, and large enough to show. */
  direction: 'up' | 'down' | 'level'
  /** The counts are too small to separate a change from chance. */
  isSmall: boolean
}

/** Under so many visitors in both periods, a change that may be chance is marked as one of small numbers. */
export const smallNumbers = 500
/** A smaller fraction shows as 0.0%. */
const smallestShown = 0.0005
/** What binary fractions add to or take from a decimal one. */
const tolerance = 1e-9

/**
 * @param scale days of the current period for each day of the compared one
 */
export function changeBetween(now: number, before: number, scale = 1): Change {
  const expected = before * scale
  const difference = now - expected
  const relative = difference / expected
  const fraction = Number.isFinite(relative) ? relative : null
  const isShown = fraction === null || Math.abs(fraction) + tolerance >= smallestShown
  const isReal = isShown && isBeyondNoise(now, expected)
  return {
    now,
    before,
    fraction,
    difference,
    direction: isReal ? upOrDown(difference) : 'level',
    isSmall: !isReal && isShown && difference !== 0 && Math.max(now, expected) < smallNumbers,
  }
}

function upOrDown(difference: number): 'up' | 'down' {
  return difference > 0 ? 'up' : 'down'
}

/**
 * Whether a difference is larger than chance explains: counts of independent visits vary by their square root, so three
 * times that of both counts together is beyond normal variation.
 */
export function isBeyondNoise(one: number, other: number): boolean {
  return Math.abs(one - other) > 3 * Math.sqrt(one + other)
}

/** The fraction with at most four decimals, as outputs and files have it. */
export function rounded(fraction: number | null): number | null {
  // The addition turns -0 into 0.
  return fraction === null || !Number.isFinite(fraction) ? null : Math.round(fraction * 10_000) / 10_000 + 0
}

/** Days of the current period for each day of the compared one: 1 unless calendar months are compared. */
export function scaleBetween(current: Days, compared: Days): number {
  return lengthInDays(current) / lengthInDays(compared)
}

export function lengthInDays({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}
