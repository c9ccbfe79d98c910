/** Someone asks on a thread: what is asked, who must be allowed, and where to answer are values of their own. */
import type { Thread } from '../thread.ts'
import type { Change } from './change.ts'
import type { Account } from './event.ts'

/** Where on a line of a change a review comment is. Its text is data. */
export interface ReviewLocation {
  path: string
  line: number | null
  hunk: string
}

/** What is asked on a thread: by a comment, or by a label. Everything in it is outside text. */
export type ThreadRequest = CommandRequest | LabelRequest

export interface CommandRequest {
  /** The comment that gave the command. */
  comment: number
  /** Link to the comment. */
  url: string
  /** The text after the command, with the white space before it. */
  instruction: string
  location: ReviewLocation | null
}

/** A label has no text of its own: the input `prompt` says what to do with what was labeled. */
export interface LabelRequest {
  comment: null
  label: string
  /** Link to what was labeled. */
  url: string
  subject: { title: string; body: string }
  /** The change of a labeled pull request. */
  change: Change | null
}

/** The name, tag and notes of a release. All of it is outside text. */
export interface Release {
  name: string
  tag: string
  notes: string
}

/** Someone asks on a thread: what, who, and where to answer. */
export interface Asked {
  request: ThreadRequest
  /** The accounts that must be allowed; the first is the requester. */
  requesters: [Account, ...Account[]]
  thread: Thread
  /** Login of the account that opened the issue or pull request; null if it is gone. */
  openedBy?: string | null
}
