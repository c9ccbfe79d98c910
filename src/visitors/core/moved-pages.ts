/** Finds pages that probably moved: one page lost all its visitors in the period in which another got its first. */
import { aiShare, type VisitorCounts } from './counts.ts'
import type { MovedPage } from './movers.ts'

/** A page that probably moved. */
export interface LikelyMove {
  from: string
  to: string
  /** The visitors of `from`. */
  previous: VisitorCounts | null
  /** The visitors of `to`. */
  current: VisitorCounts | null
}

/** Maximum number of pages compared from each list, largest first: the work grows with the number of pairs. */
const most = 300

/** How similar two counts must be, as smaller / larger. The less the paths have in common, the higher. */
const alike = { sameName: 0.5, sameFolder: 0.8, figuresAlone: 0.9 }
/** Smaller counts can be equal by chance, so then only the name decides. */
const largeEnough = 50
/** Maximum difference between the AI shares of a moved page, unless the names match. */
const sameAudience = 0.15
/** Maximum length of a path to compare, in characters. */
const pathLimit = 500

/** A page, with the features to compare. */
interface Trace {
  page: MovedPage
  visitors: number
  aiShare: number
  /** Words of the path's last segment. */
  name: Set<string>
  folder: string
}

interface Candidate {
  from: MovedPage
  to: MovedPage
  /** A higher rank is stronger evidence. */
  rank: number
  ratio: number
}

/**
 * Moves the likely pairs out of both lists, strongest evidence first. A page is in at most one pair.
 * @param scale days of the current period for each day of the compared one
 */
export function pairMoved(
  gone: readonly MovedPage[],
  added: readonly MovedPage[],
  scale: number,
): { moved: LikelyMove[]; gone: MovedPage[]; new: MovedPage[] } {
  const before = gone.slice(0, most).map((page) => traceOf(page, page.previous, scale))
  const now = added.slice(0, most).map((page) => traceOf(page, page.current, 1))
  const candidates = before
    .flatMap((from) => now.flatMap((to) => candidateOf(from, to)))
    .sort((one, other) => other.rank - one.rank || other.ratio - one.ratio)
  const fits = new Map<MovedPage, number>()
  for (const { from, to } of candidates)
    for (const page of [from, to]) fits.set(page, (fits.get(page) ?? 0) + 1)
  const paired = new Set<MovedPage>()
  const moved: LikelyMove[] = []
  for (const { from, to, rank } of candidates) {
    if (paired.has(from) || paired.has(to)) continue
    // The counts alone only decide if they match no other page.
    if (rank === 0 && ((fits.get(from) ?? 0) > 1 || (fits.get(to) ?? 0) > 1)) continue
    paired.add(from).add(to)
    moved.push({ from: from.path, to: to.path, previous: from.previous, current: to.current })
  }
  const isUnpaired = (page: MovedPage) => !paired.has(page)
  return {
    moved: moved.sort((one, other) => visitorsOf(other) - visitorsOf(one)),
    gone: gone.filter(isUnpaired),
    new: added.filter(isUnpaired),
  }
}

/** The visitors of a move, in the period with more of them. */
function visitorsOf({ previous, current }: LikelyMove): number {
  return Math.max(previous?.total ?? 0, current?.total ?? 0)
}

function traceOf(page: MovedPage, counts: VisitorCounts | null, scale: number): Trace {
  const parts = page.path.slice(0, pathLimit).replace(/\/+$/, '').split('/')
  return {
    page,
    visitors: (counts?.total ?? 0) * scale,
    aiShare: (counts && aiShare(counts)) ?? 0,
    name: wordsOf(parts.at(-1) ?? ''),
    folder: parts.slice(0, -1).join('/'),
  }
}

/**
 * `Migrate-to-v3.html` has the words `migrate`, `to` and `v3`. Numbers are ignored, because unrelated versions and
 * dates share them.
 */
function wordsOf(name: string): Set<string> {
  const words = name
    .toLowerCase()
    .replace(/\.(html?|mdx?)$/, '')
    .split(/[^\p{L}\p{N}]+/u)
  return new Set(words.filter((word) => /\D/.test(word)))
}

function candidateOf(from: Trace, to: Trace): Candidate[] {
  const [least, largest] = [Math.min(from.visitors, to.visitors), Math.max(from.visitors, to.visitors)]
  const ratio = least / largest
  const candidate = (rank: number) => [{ from: from.page, to: to.page, rank, ratio }]
  if (ratio < alike.sameName) return []
  if (haveSameName(from, to)) return candidate(2)
  if (Math.abs(from.aiShare - to.aiShare) > sameAudience || least < largeEnough) return []
  // The root folder is ignored, because it contains most pages of a small site.
  if (ratio >= alike.sameFolder && from.folder === to.folder && from.folder !== '') return candidate(1)
  return ratio >= alike.figuresAlone ? candidate(0) : []
}

/** Whether the last segments of two paths share most of their words. */
function haveSameName(one: Trace, other: Trace): boolean {
  const shared = [...one.name].filter((word) => other.name.has(word)).length
  return shared > Math.max(one.name.size, other.name.size) / 2
}
