/** What GitHub responds. */
import type { Rejection } from './problems.ts'

/** A value from GitHub, or GitHub's rejection. */
export type GitHubReply<T> = { ok: true; value: T } | { ok: false; rejection: Rejection }

/** A list that may be incomplete. `isCut`: GitHub or a limit of the action ended it early. */
export interface Bounded<T> {
  items: T[]
  isCut: boolean
}
