/**
 * A request on a thread: a command at the start of a review or comment, or a label. What is asked, who must be allowed
 * and where to reply are separate values.
 */
import { hidden, isSameName } from '../text.ts'
import type { Thread } from '../thread.ts'
import type { Account } from './event.ts'

/** The line of a change that a review comment is on. `hunk` is outside text. */
export interface ReviewLocation {
  path: string
  line: number | null
  hunk: string
}

/** A request on a thread: a comment, a review or a label. Everything in it is outside text. */
export type CommandOrLabel =
  | CommandRequest
  /** A label has no text of its own: the input `prompt` says what to do. */
  | { kind: 'label'; label: string }

/** A request with a command, in a comment or at the start of a review. GitHub has no reactions to reviews. */
export type CommandRequest = {
  id: number
  /** The text after the command, including the white space between them. */
  instruction: string
} & (
  | { kind: 'comment'; location: ReviewLocation | null }
  /** `submittedAt`: in milliseconds since the epoch. */
  | { kind: 'review'; submittedAt: number }
)

/** A comment on a line of a change. All of it is outside text. */
export interface LineComment {
  /** Login; null if the account is gone. */
  author: string | null
  body: string
  location: ReviewLocation
  /** Milliseconds since the epoch. Submitting a review updates its comments. */
  updatedAt: number
}

/** The name, tag and notes of a release. All of it is outside text. */
export interface Release {
  name: string
  tag: string
  notes: string
}

/** What starts a step on a thread: a request, with who asked and where to reply. */
export interface ThreadTrigger {
  kind: 'thread'
  request: CommandOrLabel
  /** Link to the comment, the review, or the labeled issue or pull request. */
  url: string
  /** The accounts that must be allowed; the first one is the requester. */
  requesters: [Account, ...Account[]]
  thread: Thread
  /** The title and text of the issue or pull request, as in the event. */
  title: string
  body: string
  /** Login of the account that opened the issue or pull request; null if it is gone. */
  openedBy: string | null
}

const spaceAtStart = new RegExp(`^(?:\\s|${hidden})+`, 'u')
/** Signs that need no space after them, such as the dash that phones make of `--`. */
const wide = `(?:[：，、。！？；—]|${hidden})`
/** What ends a command: punctuation and a space, or wide punctuation. Otherwise, it is the start of a longer word. */
const endOfCommand = new RegExp(`^[:,.!?;]*(?:$|(?=\\s)|${wide}(?:[:,.!?;]|${wide})*)`, 'u')

/**
 * The text after the command; undefined if there is no command. It includes the white space after the command, which
 * may start a list or a code block. Empty lines and up to three spaces may precede the command (four make a code block).
 * Hidden characters and the spaces of other keyboards before it do not count. Case is ignored.
 */
export function afterCommand(body: string, command: string) {
  const visible = body.replace(spaceAtStart, (space) => space.replace(/[^ \t\n]/g, ''))
  const text = visible.replace(/^(?:[ \t]*\n)* {0,3}/, '')
  if (!isSameName(text.slice(0, command.length), command)) return undefined
  const rest = text.slice(command.length)
  const [end] = endOfCommand.exec(rest) ?? []
  if (end === undefined) return undefined
  return rest.slice(end.length).trimEnd()
}

/** The id of a request on a thread, such as `comment:1001`; `line`: a comment on a line. A label has the run's. */
export function requestIdOf(request: CommandOrLabel, run: string) {
  if (request.kind === 'label') return `label:${run}`
  const isOnLine = request.kind === 'comment' && request.location !== null
  return `${isOnLine ? 'line' : request.kind}:${request.id}`
}

/** Reads the id of a request on a thread; null for any other request. */
export function readRequestId(request: string) {
  const [, kind, id = ''] = /^(comment|line|review|label):(\d+)$/.exec(request) ?? []
  if (kind === undefined) return null
  return { kind: kind as CommandOrLabel['kind'] | 'line', id }
}
