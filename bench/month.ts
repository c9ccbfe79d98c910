/** What a month of pushes costs: the agent's runs, Mintlify's credits for them, and GitHub's minutes. */
import { billed } from './minutes.ts'
import { randomFrom } from './random.ts'

/** Mintlify's average credits for a run of the agent (Mintlify's credits page, 2026-08): in the editor, and after code changes. */
const creditsOfRun = [115, 180] as const
/** Duration of a job in seconds: the median that bench/poll.ts assumes. */
const jobTime = 4 * 60
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

/** Number of runs that find new pushes, and so cost credits. */
export function agentRuns({ runs }: Rhythm): number {
  return runs.filter((run, index) => {
    const last = runs[index - 1] ?? Number.NEGATIVE_INFINITY
    return pushes.some((push) => push > last && push <= run)
  }).length
}

/** What this many of the agent's runs cost, in credits, as a range such as `1,150–1,800`. */
export function creditsText(count: number): string {
  return creditsOfRun.map((each) => (each * count).toLocaleString('en-US')).join('–')
}

/** Rows of the README's table: rhythm, the agent's runs, credits, billed minutes. */
export function monthRows(): string[][] {
  return rhythms.map((rhythm) => {
    const count = agentRuns(rhythm)
    const minutes = count * billed(jobTime) + (rhythm.runs.length - count) * billed(0)
    return [rhythm.name, String(count), creditsText(count), String(minutes)]
  })
}

export const monthHead = ['100 pushes a month', 'jobs and follow-ups', 'credits', 'minutes']
