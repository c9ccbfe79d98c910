/** Which events the step acts on, when `command` is set: the rules over a comment's event. Its payload is outside text. */
import * as z from 'zod/mini'
import type { Thread } from '../thread.ts'
import type { WorkflowEvent } from './event.ts'

/** A comment that gives the command. */
export interface CommandComment {
  thread: Thread
  id: number
  url: string
  author: string
  isBot: boolean
  /** What stands behind the command, as it came. */
  instruction: string
  /** For a review comment: where in the change it stands. */
  place: { path: string; line: number | null; hunk: string } | null
}

export type Trigger =
  /** Not a comment's event: the `prompt` is run as usual. */
  { kind: 'prompt' } | { kind: 'command'; comment: CommandComment } | { kind: 'skip'; reason: string }

const user = z.nullish(z.object({ login: z.string(), type: z.optional(z.string()) }))
const comment = z.object({
  id: z.int(),
  html_url: z.string(),
  body: z.nullish(z.string()),
  user,
})
const shared = { action: z.string(), repository: z.object({ full_name: z.string() }) }
const issueComment = z.object({
  ...shared,
  comment,
  issue: z.object({ number: z.int(), pull_request: z.optional(z.unknown()) }),
})
const reviewComment = z.object({
  ...shared,
  comment: z.extend(comment, {
    path: z.string(),
    line: z.nullish(z.int()),
    diff_hunk: z.optional(z.string()),
    in_reply_to_id: z.optional(z.int()),
  }),
  pull_request: z.object({ number: z.int() }),
})

/** Whether an event is one of a comment, whose text may be a command. */
export function isCommentEvent({ name }: WorkflowEvent): boolean {
  return name === 'issue_comment' || name === 'pull_request_review_comment'
}

/** What an event asks of a step with this command. */
export function readTrigger(event: WorkflowEvent, command: string): Trigger {
  if (!isCommentEvent(event)) return { kind: 'prompt' }
  const comment = event.name === 'issue_comment' ? fromIssue(event.payload) : fromReview(event.payload)
  if (comment === undefined)
    return { kind: 'skip', reason: `the payload of ${event.name} is not what GitHub documents` }
  if (comment.action !== 'created')
    return { kind: 'skip', reason: `the comment was ${comment.action}, not created` }
  const instruction = afterCommand(comment.body, command)
  if (instruction === undefined) return { kind: 'skip', reason: `the comment does not begin with ${command}` }
  if (comment.author === null) return { kind: 'skip', reason: 'the account of its author is gone' }
  const { author, isBot, id, url, thread, place } = comment
  return { kind: 'command', comment: { author, isBot, id, url, thread, place, instruction } }
}

/**
 * What stands behind the command; undefined where the text does not give it. The first word of the first line has to be
 * the command to the letter: quoted (`>`), in a code block (a fence, or four blanks) or with more to it, it is not.
 */
function afterCommand(body: string, command: string): string | undefined {
  if (!body.startsWith(command)) return undefined
  const rest = body.slice(command.length)
  return rest === '' || /^\s/.test(rest) ? rest.trim() : undefined
}

type ReadComment = Omit<CommandComment, 'instruction' | 'author'> & {
  action: string
  author: string | null
  body: string
}

function fromIssue(payload: unknown): ReadComment | undefined {
  const event = issueComment.safeParse(payload)
  if (!event.success) return undefined
  const { action, comment, issue, repository } = event.data
  const isPullRequest = issue.pull_request !== undefined && issue.pull_request !== null
  const thread = { repository: repository.full_name, number: issue.number, isPullRequest, reviewRoot: null }
  return { ...fromComment(action, comment), thread, place: null }
}

function fromReview(payload: unknown): ReadComment | undefined {
  const event = reviewComment.safeParse(payload)
  if (!event.success) return undefined
  const { action, comment, pull_request, repository } = event.data
  const reviewRoot = comment.in_reply_to_id ?? comment.id
  const thread = {
    repository: repository.full_name,
    number: pull_request.number,
    isPullRequest: true,
    reviewRoot,
  }
  const place = { path: comment.path, line: comment.line ?? null, hunk: comment.diff_hunk ?? '' }
  return { ...fromComment(action, comment), thread, place }
}

function fromComment(action: string, { id, html_url: url, body, user }: z.infer<typeof comment>) {
  const author = user?.login ?? null
  // The suffix only ever closes the gate: it makes a bot of an account, and lets no bot in.
  const isBot = user?.type === 'Bot' || author?.endsWith('[bot]') === true
  return { action, id, url, body: body ?? '', author, isBot }
}
