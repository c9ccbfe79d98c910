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
 * The newest commit up to which each job has ended well or is active; null if there is none. `failed`: the newest job
 * after it whose changes no later job got. A later run that knew of the failure has sent the changes again.
 * @param history the branch's commits, newest first
 * @param jobs in the order of their commits
 */
export function lastCovered(
  history: readonly HistoryCommit[],
  jobs: readonly BranchJob[],
): { last: BranchJob | null; failed: string | null } {
  const position = new Map(history.map(({ sha }, index) => [sha, index]))
  const at = ({ commit }: BranchJob) => position.get(commit) ?? history.length
  const good = jobs.filter(({ isGood }) => isGood)
  const isSentAgain = (failed: BranchJob) =>
    good.some(
      (job) =>
        at(job) <= at(failed) && failed.endedAt !== null && job.begunAt > failed.endedAt + reportMargin,
    )
  const lost = jobs.filter((job) => !job.isGood && !isSentAgain(job))
  const last = good.find((job) => lost.every((failed) => at(failed) < at(job))) ?? null
  return { last, failed: lost[0]?.job ?? null }
}

/**
 * The branch's commit at `time`. Only first parents are followed: other parents were not yet on the branch, even if
 * they are older. If every known commit is newer, this is the oldest of them.
 * @param history commits of the branch, newest first
 * @param time milliseconds since the epoch
 */
export function commitAt(history: readonly HistoryCommit[], head: string, time: number): string {
  const known = new Map(history.map((commit) => [commit.sha, commit]))
  let sha = head
  for (;;) {
    const commit = known.get(sha)
    if (commit === undefined || commit.date < time) return sha
    if (commit.parent === null || !known.has(commit.parent)) return sha
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
export interface News {
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
): News {
  const needsNothing = (pull: MergedPull) => isOwn(pull) || documented.has(pull.number)
  const subjects = commits.toReversed().flatMap(({ subject, pulls }) => {
    if (pulls.length === 0) return [subjectOf(subject)]
    const open = pulls.filter((pull) => !needsNothing(pull))
    return open.map(({ number, title }) => `#${number} ${subjectOf(title)}`)
  })
  const all = [...new Set(subjects)]
  const more = all.length - subjectLimit
  return {
    subjects: more > 0 ? [`(${more} earlier ones are not listed)`, ...all.slice(more)] : all,
    own: pullsIn(commits).filter(isOwn),
    isDone: commits.every((commit) => commit.pulls.some(needsNothing)),
  }
}

/** Each pull request of some commits, once. */
export function pullsIn(commits: readonly HistoryCommit[]): MergedPull[] {
  return [...new Map(commits.flatMap(({ pulls }) => pulls.map((pull) => [pull.number, pull]))).values()]
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
