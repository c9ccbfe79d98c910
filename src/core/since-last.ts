/** What is new on the default branch since a step's last job, and which of these changes need no job. */
import type { Accounts } from './problems.ts'
import { isMerged, type PullFacts } from './sources.ts'
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
 * `last` is the newest job up to whose commit no changes are missing: each job there has ended well or is active, or a
 * later run has sent its changes again, because it knew of the failure. `failed` is the newest job whose changes no
 * later job got. Each is null if there is none.
 * @param history the branch's commits, newest first
 * @param jobs in the order of their commits
 */
export function coverageOf(history: readonly HistoryCommit[], jobs: readonly BranchJob[]) {
  const ages = new Map(history.map(({ sha }, index) => [sha, index]))
  /** 0 for the newest commit. */
  const ageOf = ({ commit }: BranchJob) => ages.get(commit) ?? history.length
  const good = jobs.filter(({ isGood }) => isGood)
  const isSentAgain = (failure: BranchJob) => {
    const { endedAt } = failure
    return (
      endedAt !== null &&
      good.some((job) => ageOf(job) <= ageOf(failure) && job.begunAt > endedAt + reportMargin)
    )
  }
  const gaps = jobs.filter((job) => !job.isGood && !isSentAgain(job))
  return {
    last: good.find((job) => gaps.every((gap) => ageOf(gap) < ageOf(job))) ?? null,
    failed: gaps[0]?.job ?? null,
  }
}

/**
 * The branch's commit at `time`. Only first parents are followed: other parents were not yet on the branch, even if
 * they are older. If every known commit is newer, this is the oldest of them.
 * @param history commits of the branch, newest first
 * @param time milliseconds since the epoch
 */
export function commitAt(history: readonly HistoryCommit[], head: string, time: number) {
  const commits = new Map(history.map((commit) => [commit.sha, commit]))
  let sha = head
  for (let commit = commits.get(head); commit !== undefined; commit = commits.get(commit.parent ?? '')) {
    sha = commit.sha
    if (commit.date < time) break
  }
  return sha
}

/** The commits after `start`, up to `head`; none if `head` does not follow `start`. */
export function commitsSince(history: readonly HistoryCommit[], start: string, head: string) {
  const from = history.findIndex(({ sha }) => sha === head)
  const end = history.findIndex(({ sha }) => sha === start)
  return history.slice(from, Math.max(from, end))
}

/**
 * What new commits bring: titles of merged pull requests, with their numbers, and subjects of commits without one, oldest
 * first.
 * @param pulls the pull requests that contain each commit
 * @param done those that need no job: documented ones, and the agent's own
 */
export function newsIn(
  commits: readonly HistoryCommit[],
  pulls: readonly PullFacts[][],
  done: readonly { number: number }[],
) {
  const numbers = done.map(({ number }) => number)
  const subjects = commits.map(({ subject }, index) => {
    const merged = (pulls[index] ?? []).filter(isMerged)
    if (merged.length === 0) return [subjectOf(subject)]
    const news = merged.filter(({ number }) => !numbers.includes(number))
    return news.map(({ number, title }) => `#${number} ${subjectOf(title)}`)
  })
  const all = [...new Set(subjects.reverse().flat())]
  const more = all.length - subjectLimit
  if (more <= 0) return all
  return [`(${more} earlier ones are not listed)`, ...all.slice(more)]
}
