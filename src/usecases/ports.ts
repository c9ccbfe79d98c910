/** What the use cases need of the world. Adapters implement these; tests write them as literals. */

import type { Job } from '../core/job/job.ts'
import type { HttpRequest, SendName } from '../core/job/operation.ts'
import type { Exchange } from '../core/job/response.ts'
import type { StepName } from '../core/mark.ts'
import type { FileFault, Problem, Refusal } from '../core/problem.ts'
import type { JobOrigin, Progress } from '../core/progress.ts'
import type { ChangedFiles } from '../core/prompt/diff.ts'
import type { ContextFile } from '../core/prompt/prompt.ts'
import type { SeenPull } from '../core/pull.ts'
import type { HistoryCommit } from '../core/since-last.ts'
import type { Thread } from '../core/thread.ts'
import type { Range } from '../core/trigger/change.ts'
import type { Account } from '../core/trigger/event.ts'
import type { AccountRole } from '../core/trigger/permission.ts'
import type { LineComment } from '../core/trigger/request.ts'

export interface Clock {
  /** Milliseconds on a clock that only runs forward, from an unknown start: for durations and deadlines. */
  now(): number
  /** Milliseconds since the epoch. Someone may set this clock while the step runs. */
  date(): number
  /** Resolves after that many milliseconds, or at once if the signal is aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** How long one request may take, in milliseconds. */
export interface RequestTimeout {
  /** From the start to the last byte of the reply. */
  total: number
  /** From the moment at which the step is cancelled. */
  onceCancelled: number
}

export interface Http {
  /** Sends one request, once; never rejects, never follows a redirect. */
  exchange(request: HttpRequest, timeout: RequestTimeout): Promise<Exchange>
}

export type FileResult<T> = { ok: true; value: T } | { ok: false; fault: FileFault }

/** Files of the workspace (or the runner's temporary folder), and nothing outside of it. */
export interface Workspace {
  /** The whole text of a file. */
  readText(input: string, path: string): Promise<FileResult<string>>
  /** The files that globs name, sorted by path, and at most so many bytes of each. */
  readMatching(input: string, globs: readonly string[], bytes: number): Promise<FileResult<ContextFile[]>>
}

/** This run of the workflow, as its environment names it. */
export interface RunIdentity {
  /** `GITHUB_RUN_ID`, which a re-run keeps; empty outside a run. */
  id: string
  step: Omit<StepName, 'project'>
  actors: RunActors
}

/** The account that started this run. */
export interface RunActors {
  /** `GITHUB_ACTOR`: on a re-run still who started the first run (GitHub's docs). */
  actor: Account
  /** `GITHUB_TRIGGERING_ACTOR`: the account that started this attempt. GitHub does not give its id. */
  triggeringActor: Account
  isRerun: boolean
}

/** What a use case needs to call the platform. */
export interface PlatformPorts {
  http: Http
  clock: Clock
  /** When the step's calls to the platform end, on the clock's `now`. */
  deadline: number
  /** In [0, 1). */
  random(): number
  /** Aborted when the step is to end. */
  cancelled: AbortSignal
  /** Shows what happens, when it happens. Nothing depends on it. */
  onProgress(progress: Progress): void
}

/** A job that is recorded, so that a killed step does not lose it. */
export interface StartedJob {
  jobId: string
  /** As the platform showed it in its response; null if it was not shown. */
  job: Job | null
  origin: JobOrigin
}

/**
 * What must be recorded while a job starts, for a step that is killed and for the run after it. What a caller continues
 * with comes out of each call, so a forgotten `await` does not compile.
 */
export interface Journal {
  /** Records that an operation is about to be sent. Nothing may be sent unless this is ok. */
  sending(operation: SendName): Promise<{ ok: true } | { ok: false; problem: Problem }>
  /** Records the job. Never fails; gives back what it recorded. */
  job(started: StartedJob): Promise<StartedJob>
}

/** The folder of the report's files. */
export interface ReportFolder {
  /** Creates the folder if it does not exist. Fails if it is outside the writable folders, or cannot be created. */
  open(): Promise<FileResult<void>>
  /** Writes a file in place of an earlier one, and gives its path. */
  write(name: string, chunks: Iterable<string>): Promise<FileResult<string>>
}

export interface AgentPorts extends PlatformPorts {
  workspace: Workspace
  journal: Journal
}

export type GitHubReply<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }

export interface ThreadComment {
  id: number
  body: string
}

/** Roles on a repository. Nothing here rejects. */
export interface Roles {
  /** An account's role; null if GitHub knows none (404: not a user, no access). */
  role(repository: string, login: string): Promise<GitHubReply<AccountRole | null>>
}

/** A comment as a later run finds it. */
export interface FoundComment extends ThreadComment {
  /** Its id in GraphQL. */
  nodeId: string
  /** As REST names it: a bot has its `[bot]`. null if the account is gone. */
  author: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** A list that can be incomplete. `isCut`: GitHub, or our own limit, ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}

/** The action's own comments: how they are written, found again, replaced and hidden. Nothing here rejects. */
export interface OwnComments {
  /** The login of the account that the token acts as, as REST names it (GraphQL `viewer`). Asked once a step. */
  viewer(): Promise<GitHubReply<string>>
  /** The comments of a thread, oldest first, up to 3,000. */
  comments(thread: Thread): Promise<GitHubReply<Bounded<FoundComment>>>
  /** Adds a comment, and gives its id. Never repeated, unless GitHub certainly did not carry it out. */
  reply(thread: Thread, body: string): Promise<GitHubReply<number>>
  edit(thread: Thread, id: number, body: string): Promise<GitHubReply<void>>
  /** Deletes a comment. `gone`: someone else deleted it before. Only one of several callers gets `deleted`. */
  remove(thread: Thread, id: number): Promise<GitHubReply<'deleted' | 'gone'>>
  /** Reacts to a comment or, without an id, to the issue or pull request itself. */
  react(thread: Thread, id: number | null, content: Reaction): Promise<GitHubReply<void>>
  /** Hides a comment as outdated (GraphQL `minimizeComment`). */
  hide(nodeId: string): Promise<GitHubReply<void>>
  /** Comments of the whole repository that were updated since a time, newest first; bounded. */
  recentComments(
    repository: string,
    kind: 'issue' | 'review',
    since: number,
  ): Promise<GitHubReply<Bounded<FoundComment & { thread: Thread }>>>
}

/** A commit status (GitHub's REST API docs, "Commit statuses"). */
export interface CommitStatus {
  context: string
  state: 'pending' | 'success' | 'failure' | 'error'
  /** At most 140 characters. */
  description: string
  /** Empty for none. */
  targetUrl: string
}

export interface FoundStatus extends CommitStatus {
  /** As REST names it; null if the account is gone. */
  creator: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** Commit statuses. Nothing here rejects. */
export interface Statuses {
  /** All statuses of a commit, newest first; bounded. */
  statuses(repository: string, commit: string): Promise<GitHubReply<Bounded<FoundStatus>>>
  /** Adds a status. Repeating it does no harm, so it is tried again. */
  setStatus(repository: string, commit: string, status: CommitStatus): Promise<GitHubReply<void>>
  /**
   * The latest status of each context on recent commits: those of the default branch, and the heads of the pull
   * requests that were updated last; newest commits first. One GraphQL query, bounded. It also gives `viewer`, so
   * no further query asks for it.
   */
  recentStatuses(repository: string): Promise<GitHubReply<Bounded<FoundStatus & { commit: string }>>>
}

/** A pull request in full. */
export interface PullRequestDetails extends PullRequest {
  title: string
  isOpen: boolean
  /** Milliseconds since the epoch; null if it is not merged. */
  mergedAt: number | null
  /** Whether it comes from another repository, or from one that is gone. */
  isFork: boolean
  headBranch: string
  changedFiles: number
  additions: number
  deletions: number
}

/** The fields of a pull request that the action uses. */
export interface PullRequest {
  number: number
  author: string | null
  url: string
  isMerged: boolean
  headCommit: string
  /** `owner/name` of the repository that it comes from; null if that is gone. */
  headRepository: string | null
  /**
   * The commit that it was merged by; null if it is not merged. Also null if it is merged and GitHub does not name the commit:
   * a search for the pull request behind a commit must then assume that it may be this one.
   */
  mergeCommit: string | null
}

/** Some commits of the default branch, newest first. `next`: where the next page begins; null if there is none. */
export interface HistoryPage {
  commits: HistoryCommit[]
  next: string | null
}

/** What of a repository's changes and pull requests is read. Nothing here rejects. */
export interface Repositories {
  changedFiles(repository: string, range: Range): Promise<GitHubReply<ChangedFiles>>
  /** A text file at a commit; null if there is none. */
  file(repository: string, path: string, commit: string): Promise<GitHubReply<string | null>>
  /**
   * A hundred commits of the default branch, in one GraphQL query.
   * @param context of the statuses that mark commits
   * @param after where the page begins; null for the newest commit
   */
  history(repository: string, context: string, after: string | null): Promise<GitHubReply<HistoryPage>>
  /** The pull requests that a commit belongs to. */
  pullsOf(repository: string, commit: string): Promise<GitHubReply<PullRequest[]>>
  /** The open pull requests, newest first. */
  openPulls(repository: string): Promise<GitHubReply<PullRequest[]>>
}

/** What more of a repository is read. Nothing here rejects. */
export interface RepositoryDetails {
  /** A pull request; null if GitHub knows none, or shows it to another token only (404). */
  pull(repository: string, number: number): Promise<GitHubReply<PullRequestDetails | null>>
  /** The comments of a review on lines of a pull request, oldest first; bounded. */
  reviewComments(
    repository: string,
    number: number,
    review: number,
  ): Promise<GitHubReply<Bounded<LineComment>>>
  /**
   * The paths that differ between two commits, read from their trees: for a comparison that GitHub cuts at 300 files.
   * `isCut` if a tree is cut, too.
   */
  changedPaths(repository: string, base: string, head: string): Promise<GitHubReply<Bounded<string>>>
}

/** A pull request in one look at many of them. */
export interface PullView extends SeenPull {
  /** The latest status of each context on its last commits, newest commit first. */
  statuses: (FoundStatus & { commit: string })[]
}

export interface PublishedRelease {
  tag: string
  /** Milliseconds since the epoch. */
  publishedAt: number
}

/** What is done with the agent's pull requests, and how they fare. Nothing here rejects. */
export interface PullRequests {
  /** Adds labels, which GitHub makes if there are none of the name. Repeating it does no harm. */
  addLabels(repository: string, number: number, labels: readonly string[]): Promise<GitHubReply<void>>
  /** Asks people and teams (by their slugs) for a review. If GitHub rejects one of them, it asks none (422). */
  requestReviews(
    repository: string,
    number: number,
    from: { logins: readonly string[]; teams: readonly string[] },
  ): Promise<GitHubReply<void>>
  closePull(repository: string, number: number): Promise<GitHubReply<void>>
  /** The logins of its commits' authors; null for one without an account. */
  commitAuthors(repository: string, number: number): Promise<GitHubReply<(string | null)[]>>
  /** Whether a branch or tag contains a commit. */
  contains(repository: string, ref: string, commit: string): Promise<GitHubReply<boolean>>
  /**
   * Pull requests by their numbers, and the repository's latest releases, newest first, without drafts and prereleases. A
   * GraphQL query for each 50. It also gives `viewer`.
   */
  pullViews(
    repository: string,
    numbers: readonly number[],
  ): Promise<GitHubReply<{ pulls: PullView[]; releases: PublishedRelease[] }>>
}

/** GitHub as a whole. */
export interface GitHubPorts
  extends Roles,
    OwnComments,
    Statuses,
    Repositories,
    RepositoryDetails,
    PullRequests {}

export type Reaction = 'eyes' | 'rocket' | 'confused'
