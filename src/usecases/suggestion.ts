/** A command about one suggestion of a visitors report, on the report's issue: `fix s-1f3a9c` or `dismiss s-1f3a9c`. */
import type { Sign } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import { cleanInstruction } from '../core/prompt/instruction.ts'
import { paragraphs } from '../core/text.ts'
import type { Thread } from '../core/thread.ts'
import type { Asked } from '../core/trigger/request.ts'
import { readSuggestionCommand } from '../core/trigger/suggestion.ts'
import { type CommentPorts, ownComments, warnOnRejection } from './comments.ts'
import type { FoundComment } from './ports.ts'

/** What the report's code knows about suggestions. Only a command about a suggestion loads that code. */
export interface Suggestions {
  resolve(
    key: string,
    own: readonly FoundComment[],
    thread: Thread,
    by: { project: string; sign: Sign },
  ):
    | { kind: 'known'; key: string; about: string; instruction: string; data: string }
    | { kind: 'unknown'; known: { key: string; about: string }[] }
    | { kind: 'no-report' | 'other-key' }
  /** The signed mark at the end of the reply to a dismissal. */
  writeDismissal(dismissal: { key: string; by: string; request: number }, thread: Thread, sign: Sign): string
}

export interface SuggestionPorts extends CommentPorts {
  loadSuggestions(): Promise<Suggestions>
  words: { suggestion(problem: Extract<Problem, { type: 'suggestion' }>): string }
}

/** `fix`: the agent's prompt. `problem`: nothing starts. `none`: the command is about something else. */
export type SuggestionRequest =
  | { kind: 'none' }
  | { kind: 'fix'; key: string; instruction: string; data: string }
  | { kind: 'problem'; problem: Problem }

/**
 * Reads a command about a suggestion. Only the signed marks of the action's own reports count, because visible text can
 * be edited and copied.
 * @param replies whether the thread gets a reply if nothing starts
 */
export async function readSuggestion(
  { request, thread, requesters }: Asked,
  project: string,
  { replies, isDryRun }: { replies: boolean; isDryRun: boolean },
  ports: SuggestionPorts,
): Promise<SuggestionRequest> {
  if (request.kind !== 'comment' || thread.isPullRequest) return { kind: 'none' }
  const command = readSuggestionCommand(cleanInstruction(request.instruction).text)
  if (command === null) return { kind: 'none' }
  const own = await ownComments(thread, ports)
  if (!own.ok)
    return { kind: 'problem', problem: { type: 'unread', reading: 'thread', rejection: own.rejection } }
  const suggestions = await ports.loadSuggestions()
  const { sign } = ports
  const { key, act } = command
  const found = suggestions.resolve(key, own.value, thread, { project, sign })
  if (found.kind === 'no-report') return { kind: 'none' }
  if (found.kind === 'known' && act === 'fix')
    return { kind: 'fix', key, instruction: found.instruction, data: found.data }
  const known = found.kind === 'unknown' ? found.known : []
  const why = found.kind === 'known' ? 'dismissed' : found.kind
  const problem = { type: 'suggestion', key, why, known } as const
  const dismissal = { key, by: requesters[0].login, request: request.comment }
  const mark = found.kind === 'known' ? suggestions.writeDismissal(dismissal, thread, sign) : null
  const isSaid = isDryRun || (replies && (await reply(thread, own.value, problem, mark, ports)))
  // Only the reply records a dismissal.
  return { kind: 'problem', problem: mark === null || isSaid ? problem : { ...problem, why: 'undismissed' } }
}

/** Replies to a command that starts nothing; false if GitHub rejects that. @param mark the end of the reply; null for none */
async function reply(
  thread: Thread,
  own: readonly FoundComment[],
  problem: Extract<Problem, { type: 'suggestion' }>,
  mark: string | null,
  ports: SuggestionPorts,
): Promise<boolean> {
  // A re-run finds its own reply, and does not post another one.
  if (mark !== null && own.some(({ body }) => body.endsWith(mark))) return true
  const text = paragraphs([ports.words.suggestion(problem), mark]) ?? ''
  const posted = await warnOnRejection(thread, ports)('reply', ports.github.reply(thread, text))
  return posted !== undefined
}
