/** What is new on the default branch since a step's last job, and which of these changes need no job. */
import type { Accounts } from './problems.ts'
import type { PullFacts } from './sources.ts'
import { subjectLimit, subjectOf } from './trigger/change.ts'
import { minuteMs } from './units.ts'

/** A commit of the default branch. */
export interface HistoryCommit {
  sha: string
  subject: string
  /** When it was committed, in milliseconds since the epoch. */
  date: number
  /** Its first parent; null for the first commit. */
  parent: string | null
  /** Whether it has a status in one of the requested contexts. */
  isMarked: boolean
}

/** One of this step's jobs on the branch. Times are in milliseconds since the epoch. */
export interface BranchJob {
  commit: string
  job: string
  /** Whether it ended well or is active. */
  isGood: boolean
  begunAt: number
  /** When its end was reported; null if that is unknown. */
  endedAt: number | null
  /** Not null if another account recorded it. */
  accounts: Accounts | null
}

/** A run knows only failures that were reported this long before it began, in milliseconds. */
const reportMargin = 2 * minuteMs

/**
 * The newest good job up to whose commit no changes are missing: any failure there was reported before this job began,
 * so it sent those changes again. undefined if there is none.
 * @param history the branch's commits, newest first
 * @param jobs in the order of their commits
 */
export function lastJob(history: readonly HistoryCommit[], jobs: readonly BranchJob[]) {
  /** 0 for the newest commit. */
  const ageOf = ({ commit }: BranchJob) => history.findIndex(({ sha }) => sha === commit)
  const failures = jobs.filter(({ isGood }) => !isGood)
  const knows = ({ begunAt }: BranchJob, { endedAt }: BranchJob) =>
    endedAt !== null && begunAt > endedAt + reportMargin
  return jobs.find(
    (job) => job.isGood && failures.every((failure) => ageOf(failure) < ageOf(job) || knows(job, failure)),
  )
}

/**
 * The commits after `start`, up to `head`; none if `head` does not follow `start`. If `start` is not known, the oldest
 * known commit takes its place.
 */
export function commitsSince(history: readonly HistoryCommit[], start: string, head: string) {
  const indexOf = (commit: string) => history.findIndex(({ sha }) => sha === commit)
  return history.slice(indexOf(head), indexOf(start))
}

/**
 * What new commits bring: titles of merged pull requests, with their numbers, and subjects of commits without one, oldest
 * first.
 * @param bringers the pull requests that brought each commit
 * @param done those that need no job: documented ones, and the agent's own
 */
export function newsIn(
  commits: readonly HistoryCommit[],
  bringers: readonly PullFacts[][],
  done: readonly { number: number }[],
) {
  const numbers = done.map(({ number }) => number)
  const subjects = commits.map(({ subject }, index) => {
    const pulls = bringers[index] ?? []
    if (pulls.length === 0) return [subjectOf(subject)]
    const news = pulls.filter(({ number }) => !numbers.includes(number))
    return news.map(({ number, title }) => `#${number} ${subjectOf(title)}`)
  })
  return [...new Set(subjects.reverse().flat())].slice(-subjectLimit)
}
