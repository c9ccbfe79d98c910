/** How often “Did earlier fixes help?” is wrong on made-up sites, measured with the action's own code. */
import { effectOf } from '../src/visitors/core/suggestions/effect.ts'
import { poisson, randomFrom } from './random.ts'

export interface Verdicts {
  /** Fixes with enough events to compare. */
  measured: number
  /** The fraction of the measured fixes whose interval excludes zero. */
  clear: number
  /** The mean change of the measured fixes. */
  change: number
}

const pages = 30
const fixesAWeek = 3

/**
 * Nothing is fixed: the three worst pages of a week are suggested, and the four weeks before that week are compared with
 * the four weeks after it. The events per page follow Zipf's law.
 * @param eventsAWeek expected number of events on the whole site
 */
export function nothingFixed(eventsAWeek: number, weeks: number, seed = 1): Verdicts {
  const random = randomFrom(seed)
  const weights = Array.from({ length: pages }, (_, rank) => 1 / (rank + 1))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const rates = weights.map((weight) => (eventsAWeek * weight) / all)
  const counts = Array.from({ length: weeks }, () => {
    const first = rates.map((rate) => poisson(4 * rate, random))
    const raising = rates.map((rate) => poisson(rate, random))
    const second = rates.map((rate) => poisson(4 * rate, random))
    const worst = [...raising.keys()].sort((one, other) => (raising[other] ?? 0) - (raising[one] ?? 0))
    return worst.slice(0, fixesAWeek).map((page) => countsOf(page, first, second))
  })
  return verdictsOf(counts.flat())
}

/** Each fix halves its page's events. The rest of the site has five times as many, and does not change. */
export function halved(eventsBefore: number, times: number, seed = 2): Verdicts {
  const random = randomFrom(seed)
  const rest = 5 * eventsBefore
  const counts = Array.from({ length: times }, () => ({
    is: 'counts' as const,
    first: poisson(eventsBefore, random),
    second: poisson(eventsBefore / 2, random),
    restFirst: poisson(rest, random),
    restSecond: poisson(rest, random),
  }))
  return verdictsOf(counts)
}

function countsOf(page: number, first: readonly number[], second: readonly number[]) {
  const rest = (counts: readonly number[]) =>
    counts.reduce((sum, count) => sum + count, 0) - (counts[page] ?? 0)
  return {
    is: 'counts' as const,
    first: first[page] ?? 0,
    second: second[page] ?? 0,
    restFirst: rest(first),
    restSecond: rest(second),
  }
}

function verdictsOf(all: readonly Parameters<typeof effectOf>[0][]): Verdicts {
  const effects = all.flatMap((counts) => effectOf(counts) ?? [])
  const clear = effects.filter(({ low, high }) => high < 0 || low > 0)
  const change = effects.reduce((sum, each) => sum + each.change, 0) / effects.length
  return { measured: effects.length / all.length, clear: clear.length / effects.length, change }
}
