/** How many runner minutes waiting costs, and how many settling costs, by GitHub's billing rules. Times are in seconds. */
import { meanOver } from './poll.ts'

/** A runner as GitHub bills it (GitHub's docs, "Actions runner pricing"): dollars per minute, and the longest job. */
export interface Runner {
  name: string
  price: number
  longest: number
}

export const runners: readonly Runner[] = [
  { name: '2-core', price: 0.006, longest: 6 * 3600 },
  { name: 'ubuntu-slim', price: 0.002, longest: 15 * 60 },
]

/** Seconds that the runner takes before and after the step (an assumption). */
const overhead = 15
/** `timeout` of steps that wait on a runner with a short limit, as in examples/. */
const shortTimeout = 12 * 60
/** `timeout` of examples/no-waiting.yml for mode settle. */
const settleTimeout = 5 * 60
/** Scheduled runs of mode settle in a month: one a day. */
const sweeps = 30

/** Billed minutes of a run whose step takes this many seconds. GitHub rounds each job up to whole minutes. */
export const billed = (seconds: number) => Math.ceil((seconds + overhead) / 60)

/** The agent's jobs in a month. */
export interface Load {
  name: string
  jobs: number
  /** Length of the longest job. */
  longest: number
  /** The mean of a function of a job's length. */
  mean(of: (length: number) => number): number
  /** Whether to count mode settle's scheduled runs. A single job does not need them. */
  hasSweeps: boolean
}

export const loads: readonly Load[] = [
  { name: '100 jobs of 4 min', jobs: 100, longest: 4 * 60, mean: (of) => of(4 * 60), hasSweeps: true },
  { name: '100 jobs as they come', jobs: 100, longest: 60 * 60, mean: meanOver, hasSweeps: true },
  { name: 'one job of 60 min', jobs: 1, longest: 60 * 60, mean: (of) => of(60 * 60), hasSweeps: false },
]

export interface Plan {
  name: string
  /** Billed minutes in a month; null if the runner's limit is too short for the plan. */
  minutes(load: Load, runner: Runner): number | null
}

/** A short run starts the job. Another run settles it: finds that the job has ended, or polls it for `poll` seconds. */
function settled(name: string, poll: number): Plan {
  const perJob = billed(0) + billed(poll)
  return { name, minutes: ({ jobs, hasSweeps }) => jobs * perJob + (hasSweeps ? sweeps * billed(0) : 0) }
}

export const plans: readonly Plan[] = [
  {
    name: 'waiting',
    minutes: ({ jobs, mean, longest }, runner) => (longest > runner.longest ? null : jobs * mean(billed)),
  },
  {
    name: 'waiting for 12 min, then settled',
    minutes: ({ jobs, mean, hasSweeps }) => {
      const perJob = (length: number) =>
        length <= shortTimeout ? billed(length) : billed(shortTimeout) + billed(0)
      return jobs * mean(perJob) + (hasSweeps ? sweeps * billed(0) : 0)
    },
  },
  settled('settled by event', 0),
  settled('settled by event, polling 1 min', 60),
  settled('settled by event, polling 5 min', settleTimeout),
]
