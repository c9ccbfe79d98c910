/**
 * Poll schedules for modeled job durations: how late a job's end is noticed, and how many requests that takes. Times
 * are in seconds.
 */
import { nextPoll, type PollInterval } from '../src/core/job/schedule.ts'
import { randomFrom } from './random.ts'

/** A lognormal distribution, truncated: a duration below `shortest` or above `longest` is drawn again. */
const model = { median: 4 * 60, sigma: 0.9, shortest: 20, longest: 60 * 60 }
/** Number of cells for numerical integration. They have equal widths in the logarithm of the duration. */
const cells = 50_000
/** Number of runs, each with different jitter, that a schedule is averaged over. */
const runs = 200
/** Width of a bin in the histogram of lags. */
const bin = 0.01

/** Seconds to wait before the next poll, given the job's age and the number of polls so far. */
export type Schedule = (age: number, reads: number, random: number) => number

/** The action's own schedule, as `poll-interval` sets it. */
export const ours =
  (interval: PollInterval): Schedule =>
  (age, reads, random) =>
    nextPoll(interval, age * 1000, reads, random) / 1000

/** Waits that grow exponentially, without a limit or jitter. */
export const backOff =
  (first: number, factor: number): Schedule =>
  (_, reads) =>
    first * factor ** reads

export interface Evaluation {
  meanLag: number
  p95Lag: number
  /** The longest time until a job's end is noticed, over all durations and runs. */
  worstLag: number
  /** Number of polls up to the one that notices the end, without the request that creates the job. */
  requests: number
  /** Number of polls for a job that lasts `longest`. */
  requestsOfLongest: number
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

/** The mean of a function of a job's duration in seconds. */
export function meanOver(of: (duration: number) => number): number {
  return distribution.reduce((sum, { duration, chance }) => sum + of(duration) * chance, 0)
}

/**
 * An approximate lower bound on mean lag × requests, if polls are frequent compared with the durations. With density f,
 * survival S(t) = P(duration > t) and r(t) polls per second, a job that ends at t is seen 1 / 2r late on average, so
 *
 *     mean lag = ∫ f / 2r dt      expected requests = ∫ r S dt      requests of the longest job = ∫ r dt
 *
 * and by the Cauchy–Schwarz inequality, ∫ a² dt · ∫ b² dt ≥ (∫ ab dt)², whatever r is:
 *
 *     mean lag × expected requests ≥ (∫ √(f S / 2) dt)²             reached by r ∝ √(f / S)
 *     mean lag × requests of the longest job ≥ (∫ √(f / 2) dt)²     reached by r ∝ √f
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
export function evaluate(schedule: Schedule): Evaluation {
  const random = randomFrom(1)
  const lags = new Float64Array(Math.ceil((2 * model.longest) / bin))
  let [lagSum, requestSum, longestSum, worstLag] = [0, 0, 0, 0]
  for (let run = 0; run < runs; run++) {
    const reads = readTimes(schedule, random)
    longestSum += reads.length
    worstLag = Math.max(worstLag, worstGap(reads))
    let next = 0
    for (const { duration, chance } of distribution) {
      while ((reads[next] ?? Number.POSITIVE_INFINITY) < duration) next++
      const lag = (reads[next] ?? Number.POSITIVE_INFINITY) - duration
      lagSum += lag * chance
      requestSum += (next + 1) * chance
      const at = Math.floor(lag / bin)
      lags[at] = (lags[at] ?? 0) + chance
    }
  }
  return {
    meanLag: lagSum / runs,
    p95Lag: quantile(lags, 0.95) * bin,
    worstLag,
    requests: requestSum / runs,
    requestsOfLongest: longestSum / runs,
  }
}

/** The ages at which a job that lasts `longest` is polled, up to the poll that shows its end. */
function readTimes(schedule: Schedule, random: () => number): number[] {
  const times: number[] = []
  for (let age = 0; age < model.longest; times.push(age)) age += schedule(age, times.length, random())
  return times
}

/** The longest time until a job's end is noticed. In the worst case, a job ends just after a poll. */
function worstGap(reads: readonly number[]): number {
  return Math.max(...reads.map((time, at) => time - Math.max(reads[at - 1] ?? 0, model.shortest)))
}

/** The index of the bin below which this share of the histogram lies. */
function quantile(histogram: Float64Array, share: number): number {
  const target = share * histogram.reduce((sum, chance) => sum + chance, 0)
  let below = 0
  return histogram.findIndex((chance) => {
    below += chance
    return below >= target
  })
}
