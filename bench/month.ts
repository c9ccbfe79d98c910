/** What a month of pushes takes: jobs and follow-ups, and the runner minutes that GitHub bills for them. */
import { randomFrom } from './random.ts'

/** Duration of a job, and what a runner takes before and after the step, in seconds (an assumption). */
const [jobTime, overhead] = [4 * 60, 15]

/** The days of a month that begins on a Monday. */
const month = Array.from({ length: 30 }, (_, day) => day)
const workdays = month.filter((day) => day % 7 < 5)
const random = randomFrom(1)

/** When each of 100 pushes arrives, in days since the month began: at random on workdays from 8:00 to 18:00, always the same. */
export const pushes: readonly number[] = Array.from({ length: 100 }, () => {
  const day = workdays[Math.floor(random() * workdays.length)] ?? 0
  return day + (8 + 10 * random()) / 24
}).sort((one, other) => one - other)

/** When the step runs: on each push, or at 6:00 as in examples/daily.yml. */
export const rhythms = [
  { name: 'as they come', runs: pushes },
  { name: 'once a day', runs: workdays.map((day) => day + 6 / 24) },
  { name: 'once a week', runs: month.filter((day) => day % 7 === 0).map((day) => day + 6 / 24) },
] as const

/** Number of runs that find new pushes, and so start a job or a follow-up. */
export function agentRuns({ runs }: { runs: readonly number[] }): number {
  return runs.filter((run, index) => {
    const last = runs[index - 1] ?? Number.NEGATIVE_INFINITY
    return pushes.some((push) => push > last && push <= run)
  }).length
}

/** Billed minutes of a run whose step takes this many seconds. GitHub rounds each run up to whole minutes. */
const billed = (seconds: number) => Math.ceil((seconds + overhead) / 60)

/**
 * Rows of the README's table: rhythm, jobs and follow-ups, minutes if a step waits for each, and minutes if none waits:
 * then, each job has a run that starts it and a run that settles it, and settle also runs once a day.
 */
export function monthRows(): string[][] {
  return rhythms.map((rhythm) => {
    const count = agentRuns(rhythm)
    const idle = (rhythm.runs.length - count) * billed(0)
    const minutes = [idle + count * billed(jobTime), idle + 2 * count * billed(0) + month.length * billed(0)]
    return [rhythm.name, ...[count, ...minutes].map(String)]
  })
}
