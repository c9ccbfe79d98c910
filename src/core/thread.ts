/** Threads of GitHub: an issue, a pull request, or a review thread on one of its lines. */

/** The place of a comment. GitHub keeps review comments apart from a thread's others. */
export interface Thread {
  /** `owner/name`. */
  repository: string
  /** The issue's or pull request's number. */
  number: number
  isPullRequest: boolean
  /** The comment that began the thread on a line of a review; null on the thread of an issue or pull request itself. */
  reviewRoot: number | null
}

/** The thread of a pull request itself. */
export function pullThread(repository: string, number: number): Thread {
  return { repository, number, isPullRequest: true, reviewRoot: null }
}

/** The name of a thread: equal for equal threads. */
export function threadName({ repository, number, reviewRoot }: Thread): string {
  return `${repository.toLowerCase()}#${number}${reviewRoot === null ? '' : `/${reviewRoot}`}`
}

/** Whether two threads are in one repository. */
export function isSameRepository(one: Thread, other: Thread): boolean {
  return one.repository.toLowerCase() === other.repository.toLowerCase()
}
