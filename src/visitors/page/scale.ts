/** Calculates axes. Does not use the DOM. */

/** The values to label on an axis that starts at zero. They are round, and the last is at or above `max`. */
export function ticksUpTo(max: number): number[] {
  const rough = Math.max(max, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10) * power)
  const top = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: top + 1 }, (_, index) => index * step)
}

/** The places to label so that no labels overlap, counted from the last one, which always has a label. */
export function placesToLabel(places: number, room: number, needed: number): Set<number> {
  const every = Math.max(1, Math.ceil((places * needed) / room))
  return new Set(Array.from({ length: Math.ceil(places / every) }, (_, index) => places - 1 - index * every))
}

/** Stretches of neighbors that have a value: no line is drawn across missing values. */
export function runs<T>(values: readonly (T | null)[]): { at: number; value: T }[][] {
  const found: { at: number; value: T }[][] = [[]]
  values.forEach((value, at) => {
    if (value === null) found.push([])
    else found.at(-1)?.push({ at, value })
  })
  return found.filter((run) => run.length > 0)
}
