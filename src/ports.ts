/**
 * What the code needs from outside. Adapters implement these ports; tests write them as literals. The types of the
 * workspace and of calls to GitHub and Mintlify are those of their functions.
 */
import type { Workspace } from './adapters/files.ts'
import type { Sign, StepName } from './core/mark.ts'
import type { Repository } from './core/thread.ts'
import type { Account } from './core/trigger/event.ts'
import type { Budget } from './github/budget.ts'
import type { GitHubPorts } from './github/github.ts'
import type { CallPorts } from './mintlify/client.ts'
import type { MintlifyPorts } from './mintlify/mintlify.ts'
import type { Words } from './say/replies.ts'

export type { FoundComment, Reaction } from './github/comments.ts'
export type { GitHubPorts } from './github/github.ts'
export type { HistoryCommit, PullFacts, PullView, TreeEntry } from './github/queries.ts'
export type { PullRequest } from './github/repositories.ts'
export type { CommitStatus, FoundStatus } from './github/statuses.ts'

/** This run of the workflow, from its environment. */
export interface RunIdentity extends Repository {
  /** `GITHUB_RUN_ID`, which stays the same in a re-run. */
  id: string
  /** `GITHUB_RUN_ATTEMPT`: 1 unless this is a re-run. */
  attempt: number
  step: StepName
  /** `GITHUB_ACTOR`: still the original actor in a re-run (GitHub's docs). */
  actor: Account
  /** `GITHUB_TRIGGERING_ACTOR`: the account that started this attempt. GitHub does not provide its id. */
  triggeringActor: Account
  /** `GITHUB_SHA`. */
  commit: string
  /** The name of the event. */
  eventName: string
  /** Link to the run. */
  runUrl: string
}

/** What work with Mintlify needs from outside. */
export interface PlatformPorts extends CallPorts {
  mintlify: MintlifyPorts
}

/** Everything that modes agent and settle need from outside. */
export interface AgentPorts extends PlatformPorts {
  run: RunIdentity
  github: GitHubPorts
  room: Budget['room']
  workspace: Workspace
  words: Words
  sign: Sign
  /** The SHA-256 digest of a string, in hex. */
  sha256(text: string): string
  /** `GITHUB_SERVER_URL`. Pull requests on other servers are not read. */
  serverUrl: string
}
