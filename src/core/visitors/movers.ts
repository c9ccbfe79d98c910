/** Which pages moved between two periods, beyond what chance would make of them. */
import type { PageCounts, PathBook } from './pages.ts'
import { isBeyondNoise, type VisitorCounts } from './visitors.ts'

export interface MovedPage {
  path: string
  current: VisitorCounts | null
  previous: VisitorCounts | null
}

export const moves = ['rises', 'falls', 'new', 'gone'] as const

export type Move = (typeof moves)[number]

/** Each list with its largest change first. `new` had no visitor before; `gone` has none now, and may well exist. */
export type Movers = Record<Move, MovedPage[]>

/** Fewer visitors than this in both periods tell nothing. */
const floor = 20

/**
 * @param ids the pages that count
 */
export function findMovers(
  ids: Iterable<number>,
  book: PathBook,
  current: PageCounts,
  previous: PageCounts,
): Movers {
  const movers: Movers = { rises: [], falls: [], new: [], gone: [] }
  for (const id of ids) {
    const move = moveOf(current.totalOf(id), previous.totalOf(id))
    if (move !== undefined)
      movers[move].push({ path: book.pathOf(id), current: current.get(id), previous: previous.get(id) })
  }
  for (const move of moves) movers[move].sort((one, other) => sizeOf(other) - sizeOf(one))
  return movers
}

/** By how many visitors a page moved; negative where it fell. */
export function differenceOf({ current, previous }: MovedPage): number {
  return (current?.total ?? 0) - (previous?.total ?? 0)
}

function moveOf(now: number, then: number): Move | undefined {
  if (Math.max(now, then) < floor || !isBeyondNoise(now, then)) return undefined
  if (then === 0) return 'new'
  if (now === 0) return 'gone'
  return now > then ? 'rises' : 'falls'
}

function sizeOf(page: MovedPage): number {
  return Math.abs(differenceOf(page))
}
