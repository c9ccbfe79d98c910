/** Lists that are worked on in parts. */

/** Splits a list into parts of a size. The last one may be shorter. */
export function* partsOf<Item>(items: readonly Item[], size: number) {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
