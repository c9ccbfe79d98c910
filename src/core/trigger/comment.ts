/** Comments on issues, pull requests and the lines of a review, and the command at their start. */
import * as z from 'zod/mini'
import type { Thread } from '../thread.ts'
import { type Account, accountOf, user, type WorkflowEvent } from './event.ts'
import type { ReviewLocation } from './request.ts'

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
  issue: z.object({ number: z.int(), pull_request: z.optional(z.unknown()), user }),
})
const reviewComment = z.object({
  ...shared,
  comment: z.extend(comment, {
    path: z.string(),
    line: z.nullish(z.int()),
    diff_hunk: z.optional(z.string()),
    in_reply_to_id: z.optional(z.int()),
  }),
  pull_request: z.object({ number: z.int(), user }),
})

/** The fields of a comment's event that the action uses. */
export interface CommentEvent {
  action: string
  comment: number
  url: string
  body: string
  /** null if the account is gone. */
  author: Account | null
  sender: Account | null
  thread: Thread
  /** Login of the account that opened the issue or pull request; null if it is gone. */
  openedBy: string | null
  location: ReviewLocation | null
}

/** Reads `issue_comment` and `pull_request_review_comment`; undefined if the payload is not what GitHub documents. */
export function readComment({ name, payload }: WorkflowEvent): CommentEvent | undefined {
  return name === 'issue_comment' ? fromIssue(payload) : fromReview(payload)
}

/**
 * The text after the command, including the white space between them, which may begin a list or a code block; undefined
 * if the text does not give the command. Empty lines and up to three spaces may come before the command (four make a
 * code block), and punctuation after it; upper and lower case are the same.
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
  const { issue, repository } = event.data
  const isPullRequest = issue.pull_request !== undefined && issue.pull_request !== null
  const thread = { repository: repository.full_name, number: issue.number, isPullRequest, reviewRoot: null }
  return { ...common(event.data), thread, openedBy: issue.user?.login ?? null, location: null }
}

function fromReview(payload: unknown): CommentEvent | undefined {
  const event = reviewComment.safeParse(payload)
  if (!event.success) return undefined
  const { comment, pull_request, repository } = event.data
  const thread = {
    repository: repository.full_name,
    number: pull_request.number,
    isPullRequest: true,
    reviewRoot: comment.in_reply_to_id ?? comment.id,
  }
  const location = { path: comment.path, line: comment.line ?? null, hunk: comment.diff_hunk ?? '' }
  return { ...common(event.data), thread, openedBy: pull_request.user?.login ?? null, location }
}

function common({
  action,
  comment,
  sender,
}: Pick<z.infer<typeof issueComment>, 'action' | 'comment' | 'sender'>) {
  const { id, html_url: url, body } = comment
  return {
    action,
    comment: id,
    url,
    body: body ?? '',
    author: accountOf(comment.user),
    sender: accountOf(sender),
  }
}
