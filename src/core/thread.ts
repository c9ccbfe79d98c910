/** Threads on GitHub: an issue, a pull request, or a review thread on one of its lines. */
import { isSameName } from './text.ts'

/** A repository on GitHub. */
export interface Repository {
  /** `owner/name`. It only finds the repository: GitHub redirects after a rename, until another one takes the name. */
  repository: string
  /** GitHub's ID, which stays the same if the repository is renamed or moved. */
  repositoryId: string
}

/** A pull request to find. `repositoryId`: null if only the name of its repository is known. */
export interface PullName {
  repository: string
  repositoryId: string | null
  number: number
}

/** The place of a comment. GitHub's API separates review comments from a thread's other comments. */
export interface Thread extends Repository {
  number: number
  isPullRequest: boolean
  /** The comment that started a review thread on a line; null for the conversation of an issue or pull request. */
  reviewRoot: number | null
}

/** What has a page on GitHub. */
export type Page =
  | Pick<Thread, 'repository' | 'number' | 'isPullRequest'>
  | { repository: string; commit: string }

/** The thread of a pull request itself. */
export function pullThread({ repository, repositoryId }: Repository, number: number) {
  return { repository, repositoryId, number, isPullRequest: true, reviewRoot: null }
}

/** A name that GitHub turns into a link. */
export function nameOf({ repository, number }: Pick<Thread, 'repository' | 'number'>) {
  return `${repository}#${number}`
}

/** The name of a thread: equal for equal threads, whatever the name of their repository. */
export function threadName({ repositoryId, number, reviewRoot }: Thread) {
  const name = `${repositoryId}#${number}`
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
 * The pull request that a link names. Null for any other link, including one to another server: the token belongs to the
 * server that runs the workflow.
 * @param serverUrl `GITHUB_SERVER_URL`
 * @param home the workflow's repository, whose ID is known
 */
export function pullOfLink(
  link: string | null | undefined,
  serverUrl: string,
  home?: Repository,
): PullName | null {
  const url = URL.parse(link ?? '')
  if (url === null || url.origin !== URL.parse(serverUrl)?.origin) return null
  const [, repository, digits] =
    /^\/([\w.-]+\/[\w.-]+)\/pull\/0*([1-9]\d{0,14})(?:\/|$)/.exec(url.pathname) ?? []
  if (repository === undefined) return null
  const isHome = home !== undefined && isSameName(repository, home.repository)
  return { repository, repositoryId: isHome ? home.repositoryId : null, number: Number(digits) }
}
