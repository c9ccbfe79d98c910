/** Long lists are worked on in chunks. */

/** Splits a list into chunks of a size. The last one may be shorter. */
export function* chunksOf<Item>(items: readonly Item[], size: number) {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
