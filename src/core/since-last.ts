/** What is new on the default branch since a step's last job, and which of these changes need no job. */
import { type ChangeContext, joinContexts, textContext } from './prompt/prompt.ts'
import { subjectOf } from './trigger/change.ts'
import { minuteMs } from './units.ts'

/** A merged pull request that contains a commit. */
export interface MergedPull {
  number: number
  title: string
  /** The login, as in REST; null if the account is gone. */
  author: string | null
  /** Its last commit. */
  head: string
}

/** A commit of the default branch. */
export interface HistoryCommit {
  sha: string
  subject: string
  /** When it was committed, in milliseconds since the epoch. */
  date: number
  /** Its first parent; null for the first commit. */
  parent: string | null
  pulls: MergedPull[]
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
export function lastCovered(
  history: readonly HistoryCommit[],
  jobs: readonly BranchJob[],
): { last: BranchJob | null; failed: string | null } {
  const positions = new Map(history.map(({ sha }, index) => [sha, index]))
  /** 0 for the newest commit. */
  const ageOf = ({ commit }: BranchJob) => positions.get(commit) ?? history.length
  const good = jobs.filter(({ isGood }) => isGood)
  const isSentAgain = (failure: BranchJob) => {
    const { endedAt } = failure
    if (endedAt === null) return false
    return good.some((job) => ageOf(job) <= ageOf(failure) && job.begunAt > endedAt + reportMargin)
  }
  const gaps = jobs.filter((job) => !job.isGood && !isSentAgain(job))
  const last = good.find((job) => gaps.every((gap) => ageOf(gap) < ageOf(job))) ?? null
  return { last, failed: gaps[0]?.job ?? null }
}

/**
 * The branch's commit at `time`. Only first parents are followed: other parents were not yet on the branch, even if
 * they are older. If every known commit is newer, this is the oldest of them.
 * @param history commits of the branch, newest first
 * @param time milliseconds since the epoch
 */
export function commitAt(history: readonly HistoryCommit[], head: string, time: number): string {
  const commits = new Map(history.map((commit) => [commit.sha, commit]))
  let sha = head
  for (;;) {
    const commit = commits.get(sha)
    if (commit === undefined || commit.date < time) return sha
    if (commit.parent === null || !commits.has(commit.parent)) return sha
    sha = commit.parent
  }
}

/** The commits after `start`, up to `head`; none if `head` does not follow `start`. */
export function commitsSince(
  history: readonly HistoryCommit[],
  start: string,
  head: string,
): readonly HistoryCommit[] {
  const from = history.findIndex(({ sha }) => sha === head)
  const end = history.findIndex(({ sha }) => sha === start)
  return history.slice(from, Math.max(from, end))
}

/** What is new on the branch. */
export interface BranchNews {
  /** Titles of pull requests, with their numbers, and subjects of commits without one, oldest first. */
  subjects: string[]
  /** The agent's own pull requests, newest first. */
  own: MergedPull[]
  /** Whether every commit is documented or the agent's own. */
  isDone: boolean
}

const subjectLimit = 50

/**
 * Summarizes new commits: what to list in the prompt, and what is the agent's own.
 * @param isOwn whether a pull request is the agent's
 * @param documented the numbers of documented pull requests
 */
export function newsIn(
  commits: readonly HistoryCommit[],
  isOwn: (pull: MergedPull) => boolean,
  documented: ReadonlySet<number>,
): BranchNews {
  const needsNothing = (pull: MergedPull) => isOwn(pull) || documented.has(pull.number)
  const subjects = commits.toReversed().flatMap(({ subject, pulls }) => {
    if (pulls.length === 0) return [subjectOf(subject)]
    const open = pulls.filter((pull) => !needsNothing(pull))
    return open.map(({ number, title }) => `#${number} ${subjectOf(title)}`)
  })
  return {
    subjects: newest([...new Set(subjects)]),
    own: pullsIn(commits).filter(isOwn),
    isDone: commits.every((commit) => commit.pulls.some(needsNothing)),
  }
}

/** The last subjects, after a note on how many others there are. */
function newest(subjects: string[]): string[] {
  const more = subjects.length - subjectLimit
  if (more <= 0) return subjects
  return [`(${more} earlier ones are not listed)`, ...subjects.slice(more)]
}

/** Each pull request of some commits, once. */
export function pullsIn(commits: readonly HistoryCommit[]): MergedPull[] {
  const pulls = new Map<number, MergedPull>()
  for (const commit of commits) for (const pull of commit.pulls) pulls.set(pull.number, pull)
  return [...pulls.values()]
}

/**
 * Context that also lists the pull requests that the agent must leave alone, by number and link only: their titles are
 * outside text.
 */
export function leavingAlone(
  documented: readonly { number: number; link: string | null }[],
  own: readonly MergedPull[],
  context: ChangeContext | null,
): ChangeContext | null {
  const lines = [
    ...documented.map(({ number, link }) => `- #${number}: ${link ?? 'documented by another job'}`),
    ...own.map(({ number }) => `- #${number}: your own pull request`),
  ]
  if (lines.length === 0) return context
  const head = 'The docs of these pull requests are already written. Do not document them again:'
  const note = textContext(`---\n\n${[head, ...lines].join('\n')}`)
  return context === null ? note : joinContexts(note, context)
}
