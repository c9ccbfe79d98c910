/** Someone asks on a thread: what is asked, who must be allowed, and where to answer are values of their own. */
import type { Thread } from '../thread.ts'
import type { Account } from './event.ts'

/** Where on a line of a change a review comment is. Its text is data. */
export interface ReviewLocation {
  path: string
  line: number | null
  hunk: string
}

/** The title and text of an issue or pull request, as the event has them. */
export interface Subject {
  title: string
  body: string
}

/** What is asked on a thread: by a comment, a review, or a label. Everything in it is outside text. */
export type ThreadRequest = CommandRequest | LabelRequest

export type CommandRequest = CommentRequest | ReviewRequest

interface Command {
  /** Link to the comment or review. */
  url: string
  /** The text after the command, with the white space before it. */
  instruction: string
  subject: Subject
  /** The commit that the comment or review was written at; null in a conversation, which has none. */
  writtenAt: string | null
}

export interface CommentRequest extends Command {
  kind: 'comment'
  /** The comment that gave the command. */
  comment: number
  location: ReviewLocation | null
}

/** A review, with its text as the command. Nobody can react to a review. */
export interface ReviewRequest extends Command {
  kind: 'review'
  review: number
  /** When it was submitted, in milliseconds since the epoch. */
  submittedAt: number
}

/** A comment on a line of a change. All of it is outside text. */
export interface LineComment {
  /** Login; null if the account is gone. */
  author: string | null
  body: string
  location: ReviewLocation
  /** Milliseconds since the epoch. Submitting a review updates its comments. */
  updatedAt: number
}

/** A label has no text of its own: the input `prompt` says what to do with what was labeled. */
export interface LabelRequest {
  kind: 'label'
  label: string
  /** Link to what was labeled. */
  url: string
  subject: Subject
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
