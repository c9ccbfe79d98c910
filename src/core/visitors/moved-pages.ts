/** Pages that likely moved: one lost all its visitors in the period in which another one got its first. */
import { aiShare, nobody, type VisitorCounts } from './counts.ts'
import type { MovedPage } from './movers.ts'

export interface LikelyMove {
  from: string
  to: string
  /** Of `from`. */
  previous: VisitorCounts | null
  /** Of `to`. */
  current: VisitorCounts | null
}

/** So many of either list are compared, the largest first: each pair costs a comparison. */
const most = 300

/** How alike two counts must be, as smaller / larger: the less the paths say, the more. */
const alike = { sameName: 0.5, sameFolder: 0.8, figuresAlone: 0.9 }
/** Fewer visitors than this agree by chance: then only the name tells. */
const largeEnough = 50
/** Most that the AI shares of a moved page may differ, unless the names agree. */
const sameAudience = 0.15

interface Candidate {
  from: MovedPage
  to: MovedPage
  /** The better evidence has the larger rank. */
  rank: number
  ratio: number
}

/**
 * Takes the likely pairs out of both lists, the best evidence first. Each page is in one pair at most.
 * @param scale days of the current period for each day of the compared one
 */
export function pairMoved(
  gone: readonly MovedPage[],
  added: readonly MovedPage[],
  scale: number,
): { moved: LikelyMove[]; gone: MovedPage[]; new: MovedPage[] } {
  const candidates = gone
    .slice(0, most)
    .flatMap((from) => added.slice(0, most).flatMap((to) => candidateOf(from, to, scale)))
    .sort((one, other) => other.rank - one.rank || other.ratio - one.ratio)
  const paired = new Set<MovedPage>()
  const moved: LikelyMove[] = []
  for (const { from, to, rank } of candidates) {
    if (paired.has(from) || paired.has(to)) continue
    if (rank === 0 && !isOnlyOne(candidates, from, to)) continue
    paired.add(from).add(to)
    moved.push({ from: from.path, to: to.path, previous: from.previous, current: to.current })
  }
  const unpaired = (page: MovedPage) => !paired.has(page)
  return {
    moved: moved.sort((one, other) => visitorsOf(other) - visitorsOf(one)),
    gone: gone.filter(unpaired),
    new: added.filter(unpaired),
  }
}

/** Visitors behind a move, in the period that had more. */
export function visitorsOf({ previous, current }: LikelyMove): number {
  return Math.max(previous?.total ?? 0, current?.total ?? 0)
}

function candidateOf(from: MovedPage, to: MovedPage, scale: number): Candidate[] {
  const [then, now] = [(from.previous?.total ?? 0) * scale, to.current?.total ?? 0]
  const ratio = Math.min(then, now) / Math.max(then, now)
  const shares = [from.previous ?? nobody, to.current ?? nobody].map((counts) => aiShare(counts) ?? 0)
  const isSameAudience = Math.abs((shares[0] ?? 0) - (shares[1] ?? 0)) <= sameAudience
  const candidate = (rank: number) => [{ from, to, rank, ratio }]
  if (ratio >= alike.sameName && haveSameName(from.path, to.path)) return candidate(2)
  if (!isSameAudience || Math.min(then, now) < largeEnough) return []
  if (ratio >= alike.sameFolder && haveSameFolder(from.path, to.path)) return candidate(1)
  return ratio >= alike.figuresAlone ? candidate(0) : []
}

/** Figures alone tell only if they fit no other page. */
function isOnlyOne(candidates: readonly Candidate[], from: MovedPage, to: MovedPage): boolean {
  return candidates.filter((each) => each.from === from || each.to === to).length === 1
}

/** Whether the last parts of two paths are the same or share at least half of their words. */
function haveSameName(one: string, other: string): boolean {
  const [words, others] = [nameOf(one), nameOf(other)]
  const shared = [...words].filter((word) => others.has(word)).length
  return shared > 0 && shared / Math.max(words.size, others.size) >= 0.5
}

/** The words of a path's last part: `/guides/migrate-to-v3.html` has `migrate`, `to`, `v3`. */
function nameOf(path: string): Set<string> {
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  return new Set(
    last
      .toLowerCase()
      .replace(/\.(html?|mdx?)$/, '')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  )
}

/** Whether two paths are in one folder. Most pages of a small site are in the root, so that one does not count. */
function haveSameFolder(one: string, other: string): boolean {
  const [folder, same] = [one, other].map((path) => path.replace(/\/+$/, '').replace(/\/[^/]*$/, ''))
  return folder === same && folder !== ''
}
