/** What a month of pushes takes: jobs and follow-ups, and the runner minutes that GitHub bills for them. */
import { randomFrom } from './random.ts'

/** Duration of a job in seconds: the median that bench/poll.ts assumes. */
const jobTime = 4 * 60
/** Seconds that a runner takes before and after the step (an assumption). */
const overhead = 15
const days = 30

/** The month begins on a Monday. */
const isWorkday = (day: number) => day % 7 < 5

/** When each of 100 pushes arrives, in days since the month began: at random times on workdays, the same in every run. */
export const pushes: readonly number[] = pushTimes(100)

function pushTimes(count: number): number[] {
  const workdays = Array.from({ length: days }, (_, day) => day).filter(isWorkday)
  const random = randomFrom(1)
  const times = Array.from({ length: count }, () => {
    const day = workdays[Math.floor(random() * workdays.length)] ?? 0
    // From 8:00 to 18:00.
    return day + (8 + 10 * random()) / 24
  })
  return times.sort((one, other) => one - other)
}

export interface Rhythm {
  name: string
  /** When the step runs, in days since the month began. */
  runs: readonly number[]
}

/** The morning of a day, as in examples/daily.yml. */
const morning = 6 / 24
const mornings = (isRun: (day: number) => boolean) =>
  Array.from({ length: days }, (_, day) => day)
    .filter(isRun)
    .map((day) => day + morning)

export const rhythms: readonly Rhythm[] = [
  { name: 'as they come', runs: pushes },
  { name: 'once a day', runs: mornings(isWorkday) },
  { name: 'once a week', runs: mornings((day) => day % 7 === 0) },
]

/** Number of runs that find new pushes, and so start a job or a follow-up. */
export function agentRuns({ runs }: Rhythm): number {
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
    const minutes = [idle + count * billed(jobTime), idle + 2 * count * billed(0) + days * billed(0)]
    return [rhythm.name, ...[count, ...minutes].map(String)]
  })
}

export const monthHead = ['100 pushes a month', 'jobs and follow-ups', 'minutes', 'minutes without waiting']
