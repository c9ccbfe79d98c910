/**
 * Poll schedules for modeled job durations: how late a job's end is noticed, and how many polls that takes. Times are
 * in seconds.
 */
import { nextPoll, type PollInterval } from '../src/core/job/schedule.ts'
import { randomFrom } from './random.ts'

/** A lognormal distribution, truncated: a duration below `shortest` or above `longest` is drawn again. */
const model = { median: 4 * 60, sigma: 0.9, shortest: 20, longest: 60 * 60 }
/** Number of cells for numerical integration. They have equal widths in the logarithm of the duration. */
const cells = 50_000
/** Number of runs, each with different jitter, that a schedule is averaged over. */
const runs = 200

interface Evaluation {
  meanLag: number
  /** The longest time until a job's end is noticed, over all durations and runs. */
  worstLag: number
  /** Number of polls up to the one that notices the end. */
  polls: number
  /** Number of polls for a job that lasts `longest`. */
  pollsOfLongest: number
}

/** The model's durations in cells, in ascending order. `survives`: the chance that a job outlasts the cell's middle. */
interface Cell {
  duration: number
  width: number
  chance: number
  survives: number
}

const distribution = integrationGrid()

function integrationGrid(): Cell[] {
  const { median, sigma, shortest, longest } = model
  const step = Math.log(longest / shortest) / cells
  const bell = Array.from({ length: cells }, (_, at) => {
    const duration = shortest * Math.exp((at + 0.5) * step)
    return { duration, density: Math.exp(-((Math.log(duration / median) / sigma) ** 2) / 2) }
  })
  const total = bell.reduce((sum, { density }) => sum + density, 0)
  let below = 0
  return bell.map(({ duration, density }) => {
    const chance = density / total
    below += chance
    return { duration, width: duration * step, chance, survives: 1 - below + chance / 2 }
  })
}

/**
 * An approximate lower bound on mean lag × polls, if polls are frequent compared with the durations. With density f,
 * survival S(t) = P(duration > t) and r(t) polls per second, a job that ends at t is seen 1 / 2r late on average, so
 *
 *     mean lag = ∫ f / 2r dt      expected polls = ∫ r S dt      polls of the longest job = ∫ r dt
 *
 * and by the Cauchy–Schwarz inequality, ∫ a² dt · ∫ b² dt ≥ (∫ ab dt)², whatever r is:
 *
 *     mean lag × expected polls ≥ (∫ √(f S / 2) dt)²             reached by r ∝ √(f / S)
 *     mean lag × polls of the longest job ≥ (∫ √(f / 2) dt)²     reached by r ∝ √f
 *
 * No single schedule reaches both. The unit is seconds.
 */
export function lowerBounds(): { expected: number; longest: number } {
  const squared = (integrand: (cell: Cell, density: number) => number) =>
    distribution.reduce((sum, cell) => sum + integrand(cell, cell.chance / cell.width) * cell.width, 0) ** 2
  return {
    expected: squared(({ survives }, density) => Math.sqrt((density * survives) / 2)),
    longest: squared((_, density) => Math.sqrt(density / 2)),
  }
}

/** Evaluates a schedule. Assumes that responses take no time. The figures are the same each time. */
export function evaluate(interval: PollInterval): Evaluation {
  const random = randomFrom(1)
  let [lagSum, pollSum, longestSum, worstLag] = [0, 0, 0, 0]
  for (let run = 0; run < runs; run++) {
    const polls = pollTimes(interval, random)
    longestSum += polls.length
    let next = 0
    for (const { duration, chance } of distribution) {
      while ((polls[next] ?? Number.POSITIVE_INFINITY) < duration) next++
      const lag = (polls[next] ?? Number.POSITIVE_INFINITY) - duration
      lagSum += lag * chance
      pollSum += (next + 1) * chance
      worstLag = Math.max(worstLag, lag)
    }
  }
  return { meanLag: lagSum / runs, worstLag, polls: pollSum / runs, pollsOfLongest: longestSum / runs }
}

/** The ages at which a job that lasts `longest` is polled, up to the poll that shows its end. */
function pollTimes(interval: PollInterval, random: () => number): number[] {
  const times: number[] = []
  for (let age = 0; age < model.longest; times.push(age))
    age += nextPoll(interval, age * 1000, times.length, random()) / 1000
  return times
}
