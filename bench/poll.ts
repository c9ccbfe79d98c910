/** Poll schedules for modeled job durations: how late a job's end is noticed, and how many polls that takes. */
import type { PollInterval } from '../src/core/inputs/schema.ts'
import { nextPoll } from '../src/run/wait.ts'
import { randomFrom } from './random.ts'

const jobs = 50_000

/** In seconds: lognormal with a median of 4 min and sigma 0.9. A duration below 20 s or above 60 min is drawn again. */
function durationFrom(random: () => number): number {
  // A normal distribution by Box and Muller.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const duration = 240 * Math.exp(0.9 * normal)
  return duration >= 20 && duration <= 3_600 ? duration : durationFrom(random)
}

/** Mean lag in seconds, and mean number of polls. Responses take no time. The figures are the same each time. */
export function evaluate(interval: PollInterval): [meanLag: number, polls: number] {
  const random = randomFrom(1)
  let [lags, polls] = [0, 0]
  for (let job = 0; job < jobs; job++) {
    const duration = durationFrom(random)
    let age = 0
    for (let poll = 0; age < duration; poll++) {
      age += nextPoll(interval, age * 1000, poll, random()) / 1000
      polls++
    }
    lags += age - duration
  }
  return [lags / jobs, polls / jobs]
}
