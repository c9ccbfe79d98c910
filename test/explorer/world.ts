/**
 * GitHub and Mintlify in memory, at the level of the ports, with what people would notice. Everything is plain data and
 * never changes in place. What it assumes of GitHub: a list lags by less than ten seconds and then shows an older
 * version of everything, ids ascend, single calls are atomic, and there is no compare-and-swap.
 */
import type { Lists, Places, StoredPull } from '../github.ts'

export const repository = 'acme/docs'
/** The pull request with the code that a hold waits for. */
export const codeNumber = 12

/** How a job ends: with a pull request, whose link may appear 30 minutes late, or without a result. */
export type JobEnd = 'pull' | 'late' | 'failed'

/** What was sent to a job. */
interface Sent {
  request: string
  /** The actor that got the response; null if none did. */
  knownBy: number | null
  /** Whether the request's record has named the job. */
  isRecorded: boolean
}

export interface StoredJob {
  id: string
  sent: readonly Sent[]
  /** When it got the last request. */
  since: number
  takes: number
  end: JobEnd
}

/** A result in a new comment. `beside`: the other actors that were at work at that moment. */
interface Report {
  about: string
  job: string
  outcome: string
  beside: readonly number[]
}

export interface World extends Places {
  /** The invariant that something broke. */
  broken: string | null
  jobs: readonly StoredJob[]
  pulls: readonly StoredPull[]
  /** How many of the scenario's acts people have carried out. */
  acts: number
  /** Older versions of the lists, and until when GitHub had them. */
  past: readonly (Lists & { until: number })[]
  reports: readonly Report[]
}

/** What is recorded about a request, according to the code itself. */
export interface Recorded {
  state: 'none' | 'open' | 'not-sent' | 'job' | 'ended'
  job: string | null
}

/** What the world needs to know about the code, and about a scenario. */
export interface Setting {
  /** How the jobs end, in turn, and how long they take in milliseconds. */
  ends: readonly JobEnd[]
  takes: number
  /** The link of the nth job's pull request. */
  linkOf: (job: number) => string
  requests: readonly string[]
  /** How many calls can fail. */
  faults: number
  /** What people do to the code's pull request, in turn; `stacked`: they merge it into another branch than `main`. */
  acts: readonly (StoredPull['state'] | 'stacked')[]
}

/** Whether a request was sent to a job. */
export function isFor(request: string) {
  return ({ sent }: StoredJob) => sent.some((each) => each.request === request)
}

export function isActive({ since, takes }: StoredJob, now: number): boolean {
  return now < since + takes
}

/** Whether a job can no longer succeed. */
export function hasFailed(job: StoredJob, now: number): boolean {
  return !isActive(job, now) && job.end === 'failed'
}

/** Remembers the results of a function of values that never change. */
export function once<Value extends object, Result>(make: (value: Value) => Result): (value: Value) => Result {
  const results = new WeakMap<Value, { result: Result }>()
  return (value) => {
    const known = results.get(value) ?? { result: make(value) }
    results.set(value, known)
    return known.result
  }
}
