/** Axes. Pure. */

/** The values to label on an axis that begins at zero: round ones, the last at or above `max`. */
export function ticksUpTo(max: number, smallest: number): number[] {
  const rough = Math.max(max, smallest) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(smallest, ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power)
  const top = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: top + 1 }, (_, index) => index * step)
}

/** Which of so many places get a label, so that none overlap; counted from the last, which always has one. */
export function labelled(places: number, room: number, needed: number): Set<number> {
  const every = Math.max(1, Math.ceil((places * needed) / room))
  return new Set(Array.from({ length: Math.ceil(places / every) }, (_, index) => places - 1 - index * every))
}

/** Runs of neighbours that have a value: a line is not drawn across what is missing. */
export function runs<T>(values: readonly (T | null)[]): { at: number; value: T }[][] {
  const found: { at: number; value: T }[][] = [[]]
  values.forEach((value, at) => {
    if (value === null) found.push([])
    else found.at(-1)?.push({ at, value })
  })
  return found.filter((run) => run.length > 0)
}
