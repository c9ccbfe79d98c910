/** What the use cases need from outside. Adapters implement these ports; tests write them as literals. */

import type { MatchesGlob } from '../core/globs.ts'
import type { HttpRequest } from '../core/job/operation.ts'
import type { Exchange } from '../core/job/response.ts'
import type { Sign, StepName } from '../core/mark.ts'
import type { FileFault, Rejection } from '../core/problem.ts'
import type { AgentResult, Progress } from '../core/progress.ts'
import type { ChangedFiles } from '../core/prompt/diff.ts'
import type { ContextFile } from '../core/prompt/prompt.ts'
import type { CodePull, HoldState, Origin, SeenPull } from '../core/pull.ts'
import type { HistoryCommit } from '../core/since-last.ts'
import type { Thread } from '../core/thread.ts'
import type { Range } from '../core/trigger/change.ts'
import type { Account } from '../core/trigger/event.ts'
import type { AccountRole } from '../core/trigger/permission.ts'
import type { LineComment } from '../core/trigger/request.ts'

/** The time, and a way to wait. */
export interface Clock {
  /** Milliseconds on a clock that only runs forward, from an unknown start, for durations and deadlines. */
  now(): number
  /** Milliseconds since the epoch. This clock may be adjusted while the step runs. */
  date(): number
  /** Resolves after a number of milliseconds, or when the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** The time limit of a request, in milliseconds. */
export interface RequestTimeout {
  /** From its start to the last byte of its response. */
  total: number
  /** From the moment when the step is cancelled to the last byte. */
  onceCancelled: number
}

/** HTTP to the platform. */
export interface Http {
  /** Sends a request once. Never rejects, and never follows a redirect. */
  exchange(request: HttpRequest, timeout: RequestTimeout): Promise<Exchange>
}

/** A value, or what is wrong with a file. */
export type FileResult<T> = { ok: true; value: T } | { ok: false; fault: FileFault }

/** Files in the workspace (or the runner's temporary folder), and nowhere else. */
export interface Workspace {
  /** The complete text of a file. */
  readText(input: string, path: string): Promise<FileResult<string>>
  /** The files that match globs, sorted by path, with as much of their text as the context can hold. */
  readMatching(input: string, globs: readonly string[]): Promise<FileResult<ContextFile[]>>
}

/** This run of the workflow, from its environment. */
export interface RunIdentity {
  /** `GITHUB_RUN_ID`, which stays the same in a re-run; empty outside a run. */
  id: string
  /** `GITHUB_RUN_ATTEMPT`, from 1. */
  attempt: number
  step: Omit<StepName, 'project'>
  actors: RunActors
}

/** The accounts that started this run. */
export interface RunActors {
  /** `GITHUB_ACTOR`: still the original actor in a re-run (GitHub's docs). */
  actor: Account
  /** `GITHUB_TRIGGERING_ACTOR`: the account that started this attempt. GitHub does not provide its id. */
  triggeringActor: Account
  isRerun: boolean
}

/** What requests to the platform need from outside. */
export interface PlatformPorts {
  http: Http
  clock: Clock
  /** When calls to the platform must end, on the clock's `now`. */
  deadline: number
  /** In [0, 1). */
  random(): number
  /** Aborts when the step must end. */
  cancelled: AbortSignal
  /** Shows an event as it happens. Nothing depends on it. */
  onProgress(progress: Progress): void
}

/** The folder for the report's files. */
export interface ReportFolder {
  /** Creates the folder if it does not exist. Fails if it is outside the writable folders, or cannot be created. */
  open(): Promise<FileResult<void>>
  /** Writes a file, replacing an earlier one, and returns its path. */
  write(name: string, chunks: Iterable<string>): Promise<FileResult<string>>
}

/** A value from GitHub, or GitHub's rejection. */
export type GitHubReply<T> = { ok: true; value: T } | { ok: false; rejection: Rejection }

/** Roles in a repository. These calls never throw. */
export interface Roles {
  /** An account's role; null if it has none (404: not a user, no access). */
  role(repository: string, login: string): Promise<GitHubReply<AccountRole | null>>
}

/** A comment that was found on a thread. */
export interface FoundComment {
  id: number
  body: string
  /** Its id in GraphQL. */
  nodeId: string
  /** With a bot's `[bot]`, as in REST; null if the account is gone. */
  author: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** A comment, and the thread that it is on. */
export type PlacedComment = FoundComment & { thread: Thread }

/** A list that may be incomplete. `isCut`: GitHub or a limit of the action ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}

/** The action's own comments: writing, finding, replacing and hiding them. These calls never throw. */
export interface OwnComments {
  /** The login of the token's account (GraphQL `viewer`), with a bot's `[bot]`. Requested once in a step. */
  viewer(): Promise<GitHubReply<string>>
  /** A thread's comments, oldest first, at most 3,000. */
  comments(thread: Thread): Promise<GitHubReply<Bounded<FoundComment>>>
  /** Adds a comment, and returns its id. Retried only if GitHub certainly did not carry it out. */
  reply(thread: Thread, body: string): Promise<GitHubReply<number>>
  edit(thread: Thread, id: number, body: string): Promise<GitHubReply<void>>
  /** Deletes a comment. `gone`: someone else already did. Only one of several callers gets `deleted`. */
  remove(thread: Thread, id: number): Promise<GitHubReply<'deleted' | 'gone'>>
  /** Reacts to a comment or, if `id` is null, to the issue or pull request. */
  react(thread: Thread, id: number | null, content: Reaction): Promise<GitHubReply<void>>
  /** Hides a comment as outdated (GraphQL `minimizeComment`). */
  hide(nodeId: string): Promise<GitHubReply<void>>
  /** A repository's comments that were updated since a time, newest first; may be incomplete. */
  recentComments(
    repository: string,
    kind: 'issue' | 'review',
    since: number,
  ): Promise<GitHubReply<Bounded<PlacedComment>>>
}

/** A commit status (GitHub's REST API docs, "Commit statuses"). */
export interface CommitStatus {
  context: string
  state: 'pending' | 'success' | 'failure' | 'error'
  /** At most 140 characters. */
  description: string
  /** Empty if there is none. */
  targetUrl: string
}

/** A status that was found on a commit. */
export interface FoundStatus extends CommitStatus {
  /** Ascends with time; 0 in a list that shows only the latest status of each context. */
  id: number
  /** With a bot's `[bot]`, as in REST; null if the account is gone. */
  creator: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** A status, and the commit that it is on. */
export type PlacedStatus = FoundStatus & { commit: string }

/** Commit statuses. These calls never throw. */
export interface Statuses {
  /** All statuses of a commit, newest first; may be incomplete. */
  statuses(repository: string, commit: string): Promise<GitHubReply<Bounded<FoundStatus>>>
  /** Adds a status, and returns its id. Retried, because repeating this does no harm. */
  setStatus(repository: string, commit: string, status: CommitStatus): Promise<GitHubReply<number>>
  /**
   * The latest status of each context on recent commits: those of the default branch, and the last commits of recently
   * updated pull requests. Newest commits first. One GraphQL query, which also returns `viewer`.
   * @param since the list counts as incomplete if it does not go back to this time, in milliseconds since the epoch
   */
  recentStatuses(repository: string, since: number): Promise<GitHubReply<Bounded<PlacedStatus>>>
}

/** A pull request with all details. */
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
  /** `owner/name` of the repository that its branch is in; null if that repository is gone. */
  headRepository: string | null
  /**
   * The merge commit; null if the pull request is not merged. Also null if GitHub does not name it: any commit may then
   * be the merge commit.
   */
  mergeCommit: string | null
}

/** A page of the default branch's commits, newest first. `next`: the start of the next page; null if there is none. */
export interface HistoryPage {
  commits: HistoryCommit[]
  next: string | null
}

/** A repository's changes and pull requests. These calls never throw. */
export interface Repositories {
  changedFiles(repository: string, range: Range): Promise<GitHubReply<ChangedFiles>>
  /** A text file at a commit; null if it does not exist. */
  file(repository: string, path: string, commit: string): Promise<GitHubReply<string | null>>
  /**
   * A hundred commits of the default branch, in one GraphQL query.
   * @param contexts the contexts of statuses that mark commits
   * @param after the start of the page; null for the newest commit
   */
  history(
    repository: string,
    contexts: readonly string[],
    after: string | null,
  ): Promise<GitHubReply<HistoryPage>>
  /** The pull requests that contain a commit. */
  pullsOf(repository: string, commit: string): Promise<GitHubReply<PullRequest[]>>
  /** The open pull requests, newest first. */
  openPulls(repository: string): Promise<GitHubReply<PullRequest[]>>
  /** Those of some paths that are symbolic links or submodules at a commit. */
  links(repository: string, commit: string, paths: readonly string[]): Promise<GitHubReply<string[]>>
  /** A pull request; null if it does not exist or the token cannot see it (404). */
  pull(repository: string, number: number): Promise<GitHubReply<PullRequestDetails | null>>
  /** A review's comments on lines of a pull request, oldest first; may be incomplete. */
  reviewComments(
    repository: string,
    number: number,
    review: number,
  ): Promise<GitHubReply<Bounded<LineComment>>>
  /** The sanitized HTML that GitHub shows for Markdown in a comment of a repository. */
  render(repository: string, markdown: string): Promise<GitHubReply<string>>
  /**
   * The paths that differ between two commits, from their trees, because GitHub limits comparisons to 300 files.
   * `isCut`: GitHub returned an incomplete tree.
   */
  changedPaths(repository: string, base: string, head: string): Promise<GitHubReply<Bounded<string>>>
}

/** A pull request, as in a query for many of them. */
export interface PullView extends SeenPull {
  /** The latest status of each context on its last commits, newest commit first. */
  statuses: PlacedStatus[]
}

/** A release that is neither a draft nor a prerelease. */
export interface PublishedRelease {
  tag: string
  /** Milliseconds since the epoch. */
  publishedAt: number
}

/** Changes to the agent's pull requests, and their state. These calls never throw. */
export interface PullRequests {
  /** Adds labels, which GitHub creates if they do not exist. Repeating this does no harm. */
  addLabels(repository: string, number: number, labels: readonly string[]): Promise<GitHubReply<void>>
  /** Requests reviews from people and teams (by their slugs). If GitHub rejects one of them, it requests none (422). */
  requestReviews(
    repository: string,
    number: number,
    from: { logins: readonly string[]; teams: readonly string[] },
  ): Promise<GitHubReply<void>>
  /** Whether a branch or tag contains a commit. */
  contains(repository: string, ref: string, commit: string): Promise<GitHubReply<boolean>>
  /** A repository's releases that were published since a time, in order of publication; at most a thousand. */
  releases(repository: string, since: number): Promise<GitHubReply<PublishedRelease[]>>
  /** Pull requests by number. One GraphQL query for every 50 pull requests, which also returns `viewer`. */
  pullViews(repository: string, numbers: readonly number[]): Promise<GitHubReply<PullView[]>>
}

/** All calls to GitHub. */
export interface GitHubPorts extends Roles, OwnComments, Statuses, Repositories, PullRequests {}

/** The texts on commits and pull requests, in Markdown. */
export interface Words {
  /** The description of a commit's status. `result` is null while the job is active. */
  status(result: AgentResult | null): string
  /** On the agent's pull request, which is in a repository: who asked for it, and the change that it documents, if any. */
  provenance(result: AgentResult, origin: Origin, repository: string): string
  /** The description of a hold's status, at most 140 characters. */
  hold(code: CodePull, state: HoldState): string
  /** On the pull request of a change: where its documentation is. */
  documentation(prLink: string, changes: AgentResult['changes'], code: CodePull | null): string
  /** The description of a hold's status whose record a person deleted. */
  gone(): string
  /** On the code's pull request, once: the docs can be merged. `isNewer`: the code changed after the agent got it. */
  released(code: CodePull, prLink: string, isNewer: boolean): string
  /** On the agent's pull request, once: the code was closed without a merge. */
  abandoned(code: CodePull): string
}

/** Everything that modes agent and settle need from outside. */
export interface AgentPorts extends PlatformPorts {
  github: GitHubPorts
  words: Words
  sign: Sign
  matches: MatchesGlob
  /** The SHA-256 digest of a string, in hex. */
  sha256(text: string): string
  /** `GITHUB_SERVER_URL`. Pull requests on other servers are not read. */
  serverUrl: string
}

/** A reaction that the action uses. */
export type Reaction = 'eyes' | 'rocket' | 'confused'
