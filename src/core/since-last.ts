/** What is new on the default branch since a step's last job, and what of that needs no job. */
import type { Mark } from './mark.ts'
import type { ChangedFile } from './prompt/diff.ts'
import type { ChangeContext } from './prompt/prompt.ts'
import { isFruitless, type RequestRecord } from './record.ts'
import type { Thread } from './thread.ts'
import { subjectOf } from './trigger/change.ts'

/** A merged pull request. */
export interface MergedPull {
  number: number
  title: string
  /** As REST names it; null if the account is gone. */
  author: string | null
}

export interface HistoryCommit {
  sha: string
  /** First line of its message. */
  subject: string
  /** When it was committed, in milliseconds since the epoch. */
  date: number
  /** Its first parent; null for a first commit. */
  parent: string | null
  /** The pull requests that it came by. */
  pulls: MergedPull[]
  /** Whether it has a status in the context asked for. */
  isMarked: boolean
}

/** The pull requests that a comment of the action says are documented, each with the link. */
export function linksIn(
  { role, prLink, changes = [] }: Pick<Mark, 'role' | 'prLink' | 'changes'>,
  { repository, number }: Pick<Thread, 'repository' | 'number'>,
): [number: number, link: string][] {
  if (prLink === null) return []
  if (role === 'link') return [[number, prLink]]
  const here = changes.filter((change) => change.repository.toLowerCase() === repository.toLowerCase())
  return here.flatMap((change) => (change.number === null ? [] : [[change.number, prLink]]))
}

/** Whether a record's job took what was sent to it: it is active, or has ended with something other than a failure. */
export function hasTaken(record: RequestRecord): boolean {
  if (record.state === 'job') return true
  return record.state === 'ended' && record.job !== null && record.outcome !== 'error' && !isFruitless(record)
}

/**
 * The commit that the branch was at. Only first parents count: a merged branch may have older commits that the branch did
 * not have then. A younger branch starts at its first commit.
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

/** The commits after `start`, up to `head`; none if the branch does not have `head` after `start`. */
export function commitsSince(
  history: readonly HistoryCommit[],
  start: string,
  head: string,
): readonly HistoryCommit[] {
  const from = history.findIndex(({ sha }) => sha === head)
  const end = history.findIndex(({ sha }) => sha === start)
  return from === -1 || end === -1 ? [] : history.slice(from, Math.max(from, end))
}

export interface News {
  /** Titles of pull requests, with their numbers, and of commits without one; the oldest first. */
  subjects: string[]
  /** The agent's own commits, newest first. */
  own: MergedPull[]
  /** Those with docs of their own: links by number. */
  documented: ReadonlyMap<number, string>
  /** Whether each commit is the agent's own, or documented. */
  isDone: boolean
}

/** Most subjects that are shown. */
const subjectLimit = 50

/**
 * Sorts what is new.
 * @param isOwn whether a pull request is the agent's
 * @param links where pull requests are documented, by number
 */
export function newsIn(
  commits: readonly HistoryCommit[],
  isOwn: (pull: MergedPull) => boolean,
  links: ReadonlyMap<number, string>,
): News {
  const pulls = new Map(commits.flatMap((commit) => commit.pulls.map((pull) => [pull.number, pull])))
  const needsNothing = (pull: MergedPull) => isOwn(pull) || links.has(pull.number)
  const subjects = commits.toReversed().flatMap(({ subject, pulls }) => {
    if (pulls.length === 0) return [subjectOf(subject)]
    const open = pulls.filter((pull) => !needsNothing(pull))
    return open.map(({ number, title }) => `#${number} ${subjectOf(title)}`)
  })
  const all = [...new Set(subjects)]
  const more = all.length - subjectLimit
  return {
    subjects: more > 0 ? [`(${more} earlier ones are not listed)`, ...all.slice(more)] : all,
    own: [...pulls.values()].filter(isOwn),
    documented: new Map([...links].filter(([number]) => pulls.has(number))),
    isDone: commits.every((commit) => commit.pulls.some(needsNothing)),
  }
}

/** The files of a change without those that merges of the agent changed in just the same way. */
export function withoutOwn(files: readonly ChangedFile[], own: readonly ChangedFile[]): ChangedFile[] {
  return files.filter((file) => !own.some((each) => isSameChange(file, each)))
}

function isSameChange(one: ChangedFile, other: ChangedFile): boolean {
  const isSame =
    one.path === other.path &&
    one.previousPath === other.previousPath &&
    one.status === other.status &&
    one.patch === other.patch
  // Without a patch, only a file that was moved as it was is known to be the same.
  return isSame && (one.patch !== null || (one.status === 'renamed' && one.additions + one.deletions === 0))
}

/** Says which pull requests the agent must leave alone. It has numbers and links only, because their titles are outside text. */
export function documentedNote(documented: ReadonlyMap<number, string>): ChangeContext {
  const lines = [...documented].map(([number, link]) => `- #${number}: ${link}`)
  const head = 'The docs of these pull requests are already written. Do not document them again:'
  return { text: ['---', [head, ...lines].join('\n')].join('\n\n'), included: [], leftOut: [], size: 0 }
}
