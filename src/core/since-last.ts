/** What is new on the default branch since a step's last job, and which of these changes need no job. */
import type { Mark } from './mark.ts'
import type { ChangedFile } from './prompt/diff.ts'
import { type ChangeContext, textContext } from './prompt/prompt.ts'
import { hasNoResult, type RequestRecord } from './record.ts'
import type { Thread } from './thread.ts'
import { subjectOf } from './trigger/change.ts'

/** A merged pull request that contains a commit. */
export interface MergedPull {
  number: number
  title: string
  /** The login, as in REST; null if the account is gone. */
  author: string | null
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
  /** Whether it has a status in the requested context. */
  isMarked: boolean
}

/** The pull requests that the action's comment names as documented, each with the link to its docs. */
export function linksIn(
  { role, prLink, changes = [] }: Pick<Mark, 'role' | 'prLink' | 'changes'>,
  { repository, number }: Pick<Thread, 'repository' | 'number'>,
): [number: number, link: string][] {
  if (prLink === null) return []
  if (role === 'link') return [[number, prLink]]
  const here = changes.filter((change) => change.repository.toLowerCase() === repository.toLowerCase())
  return here.flatMap((change) => (change.number === null ? [] : [[change.number, prLink]]))
}

/** Whether a record's job processed its prompt: the job is active, or has not failed. */
export function hasProcessedPrompt(record: RequestRecord): boolean {
  if (record.state === 'job') return true
  return record.state === 'ended' && record.job !== null && record.outcome !== 'error' && !hasNoResult(record)
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
  return from === -1 || end === -1 ? [] : history.slice(from, Math.max(from, end))
}

/** What is new on the branch. */
export interface News {
  /** Titles of pull requests, with their numbers, and subjects of commits without one, oldest first. */
  subjects: string[]
  /** The agent's own pull requests, newest first. */
  own: MergedPull[]
  /** Pull requests with docs of their own: links by number. */
  documented: ReadonlyMap<number, string>
  /** Whether every commit is documented or the agent's own. */
  isDone: boolean
}

const subjectLimit = 50

/**
 * Summarizes new commits: what to list in the prompt, what is the agent's own, and what is documented already.
 * @param isOwn whether a pull request is the agent's
 * @param links URLs of the pull requests with the docs, by the number of the documented pull request
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

/** The files of a change, except for those that the agent's own merges changed in exactly the same way. */
export function withoutOwn(files: readonly ChangedFile[], own: readonly ChangedFile[]): ChangedFile[] {
  return files.filter((file) => !own.some((each) => isSameChange(file, each)))
}

function isSameChange(one: ChangedFile, other: ChangedFile): boolean {
  const isSame =
    one.path === other.path &&
    one.previousPath === other.previousPath &&
    one.status === other.status &&
    one.patch === other.patch
  // Without a patch, only a file that was moved unchanged is known to be the same.
  return isSame && (one.patch !== null || (one.status === 'renamed' && one.additions + one.deletions === 0))
}

/** Lists the pull requests that the agent must leave alone, by number and link only: their titles are outside text. */
export function documentedNote(documented: ReadonlyMap<number, string>): ChangeContext {
  const lines = [...documented].map(([number, link]) => `- #${number}: ${link}`)
  const head = 'The docs of these pull requests are already written. Do not document them again:'
  return textContext(`---\n\n${[head, ...lines].join('\n')}`)
}
