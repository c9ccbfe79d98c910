/** The sections' names, and what they show first. */

export const sectionNames = ['feedback', 'searches', 'questions'] as const

export type SectionName = (typeof sectionNames)[number]

/** Whether more readers dislike a page than like it, two at least. */
export function isDisliked({ up, down }: { up: number; down: number }): boolean {
  return down >= 2 && down > up
}

/** Whether a term leads few of its searchers to a page: 5 searches at least, and under 20% of them with a click. */
export function isMissed<Search extends { searches: number; clickRate: number | null }>(
  search: Search,
): search is Search & { clickRate: number } {
  return search.searches >= 5 && search.clickRate !== null && search.clickRate < 0.2
}
