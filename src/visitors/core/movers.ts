/** Finds the pages whose visitors changed between two periods by more than chance explains. */
import { changeBetween } from './change.ts'
import type { VisitorCounts } from './counts.ts'
import { isForMachines } from './page-link.ts'
import type { PageCounts, PathBook } from './pages.ts'

/** A page with its counts in both periods; null for a period that does not list it. */
export interface MovedPage {
  path: string
  current: VisitorCounts | null
  previous: VisitorCounts | null
}

/** A kind of change. `new`: the page had no visitors before. `gone`: it has none now, but may still exist. */
export type Move = 'rises' | 'falls' | 'new' | 'gone'

/** A page that changed, and the kind of change. */
export interface Movement extends MovedPage {
  move: Move
}

/** Pages with fewer visitors than this in both periods are ignored. */
const floor = 20

/**
 * Finds pages that changed, largest change first. Files for machines are left out.
 * @param ids the pages to check
 * @param scale length of the current period divided by the length of the compared one
 */
export function findMovers(
  ids: Iterable<number>,
  book: PathBook,
  current: PageCounts,
  previous: PageCounts,
  scale = 1,
): Movement[] {
  const found: Movement[] = []
  for (const id of ids) {
    const move = moveOf(current.totalOf(id), previous.totalOf(id), scale)
    if (move === undefined) continue
    const path = book.pathOf(id)
    if (!isForMachines(path)) found.push({ path, current: current.get(id), previous: previous.get(id), move })
  }
  const sizeOf = (page: MovedPage) => Math.abs(changeOfPage(page, scale).difference)
  return found.sort((one, other) => sizeOf(other) - sizeOf(one))
}

/** The change of a page's visitors, with 0 for a period that does not list the page. */
export function changeOfPage({ current, previous }: Pick<MovedPage, 'current' | 'previous'>, scale = 1) {
  return changeBetween(current?.total ?? 0, previous?.total ?? 0, scale)
}

function moveOf(now: number, then: number, scale: number): Move | undefined {
  if (Math.max(now, then) < floor) return undefined
  const { direction } = changeBetween(now, then, scale)
  if (direction === 'level') return undefined
  if (then === 0) return 'new'
  if (now === 0) return 'gone'
  return direction === 'up' ? 'rises' : 'falls'
}
