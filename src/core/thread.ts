/** Threads on GitHub: an issue, a pull request, or a review thread on one of its lines. */

/** The place of a comment. GitHub's API separates review comments from a thread's other comments. */
export interface Thread {
  /** `owner/name`. */
  repository: string
  number: number
  isPullRequest: boolean
  /** The comment that started a review thread on a line; null for the conversation of an issue or pull request. */
  reviewRoot: number | null
}

/** The thread of a pull request itself. */
export function pullThread(repository: string, number: number): Thread {
  return { repository, number, isPullRequest: true, reviewRoot: null }
}

/** A name that GitHub turns into a link. */
export function nameOf({ repository, number }: Pick<Thread, 'repository' | 'number'>): string {
  return `${repository}#${number}`
}

/** The name of a thread: equal for equal threads. */
export function threadName({ repository, number, reviewRoot }: Thread): string {
  return `${repository.toLowerCase()}#${number}${reviewRoot === null ? '' : `/${reviewRoot}`}`
}

/** Whether two names, `owner/name`, are of one repository. */
export function isSameRepository(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
