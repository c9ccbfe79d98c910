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

/** What has a page on GitHub. */
export type Page = Thread | { repository: string; commit: string }

/** The thread of a pull request itself. */
export function pullThread(repository: string, number: number): Thread {
  return { repository, number, isPullRequest: true, reviewRoot: null }
}

/** A name that GitHub turns into a link. */
export function nameOf({ repository, number }: Pick<Thread, 'repository' | 'number'>) {
  return `${repository}#${number}`
}

/** The name of a thread: equal for equal threads. */
export function threadName({ repository, number, reviewRoot }: Thread) {
  const name = `${repository.toLowerCase()}#${number}`
  if (reviewRoot === null) return name
  return `${name}/${reviewRoot}`
}

/** The address of a page. @param serverUrl `GITHUB_SERVER_URL` */
export function pageUrl(page: Page, serverUrl: string) {
  const start = `${serverUrl}/${page.repository}`
  if ('commit' in page) return `${start}/commit/${page.commit}`
  return `${start}/${page.isPullRequest ? 'pull' : 'issues'}/${page.number}`
}

/**
 * The thread of the pull request that a link names. Null for any other link, including one to another server: the token
 * belongs to the server that runs the workflow.
 * @param serverUrl `GITHUB_SERVER_URL`
 */
export function pullRequestThread(link: string | null, serverUrl: string): Thread | null {
  const url = URL.parse(link ?? '')
  if (url === null || url.origin !== URL.parse(serverUrl)?.origin) return null
  const [, repository, digits] = /^\/([\w.-]+\/[\w.-]+)\/pull\/(\d+)(?:\/|$)/.exec(url.pathname) ?? []
  if (repository === undefined) return null
  const number = Number(digits)
  if (!Number.isSafeInteger(number) || number === 0) return null
  return pullThread(repository, number)
}
