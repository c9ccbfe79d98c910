/** The names of the sections, and the limits for showing an entry. */

export const sectionNames = ['feedback', 'searches', 'questions'] as const

export type SectionName = (typeof sectionNames)[number]

/** Whether more readers dislike a page than like it, with at least two down votes. */
export function hasMostlyDownVotes({ up, down }: { up: number; down: number }): boolean {
  return down >= 2 && down > up
}

/** Whether a term has too few clicks: at least 5 searches, and a click rate under 20%. */
export function hasFewClicks<Search extends { searches: number; clickRate: number | null }>(
  search: Search,
): search is Search & { clickRate: number } {
  return search.searches >= 5 && search.clickRate !== null && search.clickRate < 0.2
}
