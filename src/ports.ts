/**
 * What the use cases need from outside. Adapters implement these ports; tests write them as literals. The types of the
 * workspace and of calls to GitHub are those of their functions.
 */
import type { Workspace } from './adapters/files.ts'
import type { GitHubPorts } from './github/github.ts'
import type { HttpRequest } from './mintlify/job.ts'
import type { Exchange } from './core/http.ts'
import type { Sign, StepName } from './core/mark.ts'
import type { Rejection } from './core/problems.ts'
import type { Account } from './core/trigger/event.ts'
import type { LogEntry } from './say/messages.ts'
import type { Words } from './say/replies.ts'

export type { FoundComment, Reaction } from './github/comments.ts'
export type { GitHubPorts } from './github/github.ts'
export type { PublishedRelease, PullRequest, PullRequestDetails } from './github/repositories.ts'
export type { CommitStatus, FoundStatus, PullView } from './github/statuses.ts'

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
  /** The host in `base-url`. */
  host: string
  /** Sends a request once. Never rejects, and never follows a redirect. */
  exchange(request: HttpRequest, timeout: RequestTimeout): Promise<Exchange>
}

/** This run of the workflow, from its environment. */
export interface RunIdentity {
  /** `GITHUB_RUN_ID`, which stays the same in a re-run. */
  id: string
  /** `GITHUB_RUN_ATTEMPT`: 1 unless this is a re-run. */
  attempt: number
  step: StepName
  /** `GITHUB_ACTOR`: still the original actor in a re-run (GitHub's docs). */
  actor: Account
  /** `GITHUB_TRIGGERING_ACTOR`: the account that started this attempt. GitHub does not provide its id. */
  triggeringActor: Account
  /** `owner/name` of the workflow's repository. */
  repository: string
  /** `GITHUB_SHA`. */
  commit: string
  /** The name of the event. */
  eventName: string
  /** Link to the run. */
  runUrl: string
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
  log(...entries: LogEntry[]): void
}

/** A value from GitHub, or GitHub's rejection. */
export type GitHubReply<T> = { ok: true; value: T } | { ok: false; rejection: Rejection }

/** A list that may be incomplete. `isCut`: GitHub or a limit of the action ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}

/** Everything that modes agent and settle need from outside. */
export interface AgentPorts extends PlatformPorts {
  run: RunIdentity
  github: GitHubPorts
  workspace: Workspace
  words: Words
  sign: Sign
  /** The SHA-256 digest of a string, in hex. */
  sha256(text: string): string
  /** `GITHUB_SERVER_URL`. Pull requests on other servers are not read. */
  serverUrl: string
}
