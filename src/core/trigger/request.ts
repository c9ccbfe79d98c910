/**
 * A request on a thread: a command at the start of a review or comment, or a label. What is asked, who must be allowed
 * and where to reply are separate values.
 */
import * as z from 'zod/mini'
import { pullThread, type Thread } from '../thread.ts'
import { type Account, accountOf, subject, subjectOf, user, type WorkflowEvent } from './event.ts'

/** The line of a change that a review comment is on. `hunk` is outside text. */
export interface ReviewLocation {
  path: string
  line: number | null
  hunk: string
}

/** The title and text of an issue or pull request, as in the event. */
export interface Subject {
  title: string
  body: string
}

/** A request on a thread: a comment, a review or a label. Everything in it is outside text. */
export type ThreadRequest = CommandRequest | LabelRequest

/** A request with a command. */
export type CommandRequest = CommentRequest | ReviewRequest

interface Command {
  url: string
  /** The text after the command, including the white space between them. */
  instruction: string
  subject: Subject
  /** The commit on which the comment or review was written; null in a conversation. */
  writtenAt: string | null
}

/** A request in a comment. */
export interface CommentRequest extends Command {
  kind: 'comment'
  comment: number
  location: ReviewLocation | null
}

/** A request in a review, whose text starts with the command. GitHub has no reactions to reviews. */
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

/** A request by a label. It has no text of its own: the input `prompt` says what to do. */
export interface LabelRequest {
  kind: 'label'
  label: string
  /** Link to the labeled issue or pull request. */
  url: string
  subject: Subject
}

/** The name, tag and notes of a release. All of it is outside text. */
export interface Release {
  name: string
  tag: string
  notes: string
}

/** A request on a thread, with who asked and where to reply. */
export interface Asked {
  request: ThreadRequest
  /** The accounts that must be allowed; the first one is the requester. */
  requesters: [Account, ...Account[]]
  thread: Thread
  /** Login of the account that opened the issue or pull request; null if it is gone. */
  openedBy: string | null
}

const comment = z.object({
  id: z.int(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  user,
})
const shared = { action: z.string(), repository: z.object({ full_name: z.string() }), sender: user }
const issueComment = z.object({
  ...shared,
  comment,
  issue: z.extend(subject, { pull_request: z.optional(z.unknown()) }),
})
const lineComment = z.object({
  ...shared,
  comment: z.extend(comment, {
    path: z.string(),
    line: z.nullish(z.int()),
    diff_hunk: z.optional(z.string()),
    in_reply_to_id: z.nullish(z.int()),
    commit_id: z.optional(z.string()),
  }),
  pull_request: subject,
})
const submittedReview = z.object({
  ...shared,
  review: z.object({
    id: z.int(),
    html_url: z.string(),
    body: z.nullish(z.string()),
    commit_id: z.nullish(z.string()),
    submitted_at: z.string(),
    user,
  }),
  pull_request: subject,
})

/** The fields that the action uses from the event for a comment or review. */
export interface CommentEvent {
  action: string
  request: Omit<CommentRequest, 'instruction'> | Omit<ReviewRequest, 'instruction'>
  body: string
  /** null if the account is gone. */
  author: Account | null
  sender: Account | null
  thread: Thread
  /** Login of the account that opened the issue or pull request; null if it is gone. */
  openedBy: string | null
}

/**
 * The events that can contain a command, with the reader of each payload. A reader returns undefined if the payload is
 * not as GitHub documents it.
 */
export const commentReaders = new Map([
  ['issue_comment', fromIssue],
  ['pull_request_review_comment', fromLine],
  ['pull_request_review', fromReview],
])

/**
 * The text after the command; undefined if there is no command. It includes the white space after the command, which
 * may start a list or a code block. Empty lines and up to three spaces may precede the command (four make a code
 * block), and punctuation may follow it. Case is ignored.
 */
export function afterCommand(body: string, command: string): string | undefined {
  const [start = ''] = /^(?:[ \t]*\r?\n)* {0,3}/.exec(body) ?? []
  const text = body.slice(start.length)
  if (text.slice(0, command.length).toLowerCase() !== command.toLowerCase()) return undefined
  const rest = text.slice(command.length).replace(/^[:,.!?]+/, '')
  return rest === '' || /^\s/.test(rest) ? rest.trimEnd() : undefined
}

function fromIssue(payload: unknown): CommentEvent | undefined {
  const event = issueComment.safeParse(payload)
  if (!event.success) return undefined
  const { action, comment, issue, repository, sender } = event.data
  const isPullRequest = issue.pull_request !== undefined && issue.pull_request !== null
  return {
    action,
    request: {
      kind: 'comment',
      comment: comment.id,
      url: comment.html_url,
      subject: subjectOf(issue),
      writtenAt: null,
      location: null,
    },
    ...whose(comment, issue, sender),
    thread: { repository: repository.full_name, number: issue.number, isPullRequest, reviewRoot: null },
  }
}

function fromLine(payload: unknown): CommentEvent | undefined {
  const event = lineComment.safeParse(payload)
  if (!event.success) return undefined
  const { action, comment, pull_request, repository, sender } = event.data
  const { id, html_url: url, path, line = null, diff_hunk: hunk = '', commit_id: writtenAt = null } = comment
  return {
    action,
    request: {
      kind: 'comment',
      comment: id,
      url,
      subject: subjectOf(pull_request),
      writtenAt,
      location: { path, line, hunk },
    },
    ...whose(comment, pull_request, sender),
    thread: {
      ...pullThread(repository.full_name, pull_request.number),
      reviewRoot: comment.in_reply_to_id ?? id,
    },
  }
}

function fromReview(payload: unknown): CommentEvent | undefined {
  const event = submittedReview.safeParse(payload)
  if (!event.success) return undefined
  const { action, review, pull_request, repository, sender } = event.data
  return {
    action,
    request: {
      kind: 'review',
      review: review.id,
      url: review.html_url,
      subject: subjectOf(pull_request),
      writtenAt: review.commit_id ?? null,
      submittedAt: Date.parse(review.submitted_at),
    },
    ...whose(review, pull_request, sender),
    thread: pullThread(repository.full_name, pull_request.number),
  }
}

type User = z.infer<typeof user>

function whose(said: { body?: string | null | undefined; user?: User }, on: { user?: User }, sender: User) {
  return {
    body: said.body ?? '',
    author: accountOf(said.user),
    sender: accountOf(sender),
    openedBy: on.user?.login ?? null,
  }
}

const linked = z.extend(subject, { html_url: z.string() })
const labeled = z.object({
  label: z.object({ name: z.string() }),
  repository: z.object({ full_name: z.string() }),
  sender: user,
  issue: z.optional(linked),
  pull_request: z.optional(linked),
})

/** Reads the `labeled` events of `issues` and `pull_request`; undefined if the payload is not as GitHub documents it. */
export function readLabeled({ name, payload }: WorkflowEvent) {
  const read = labeled.safeParse(payload)
  if (!read.success) return undefined
  const { label, repository, sender, issue, pull_request } = read.data
  const isPullRequest = name === 'pull_request'
  const on = isPullRequest ? pull_request : issue
  if (on === undefined) return undefined
  return {
    request: { kind: 'label', label: label.name, url: on.html_url, subject: subjectOf(on) } as const,
    /** null if the account that added the label is gone. */
    sender: accountOf(sender),
    thread: { repository: repository.full_name, number: on.number, isPullRequest, reviewRoot: null },
    openedBy: on.user?.login ?? null,
  }
}

/** The id of a request on a thread, such as `comment:1001`. */
export function requestIdOf(request: ThreadRequest, run: string): string {
  switch (request.kind) {
    case 'comment':
      return `comment:${request.comment}`
    case 'review':
      return `review:${request.review}`
    case 'label':
      return `label:${run}`
  }
}

/** Reads the id of a request on a thread; null for any other request. */
export function readRequestId(request: string): { kind: ThreadRequest['kind']; id: string } | null {
  const [, kind, id = ''] = /^(comment|review|label):(\d+)$/.exec(request) ?? []
  return kind === 'comment' || kind === 'review' || kind === 'label' ? { kind, id } : null
}
