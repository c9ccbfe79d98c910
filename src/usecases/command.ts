/** A command or label on a thread: who can use it, what it asks for, and which job it goes to. */
import { recordedGlobs } from '../core/guard.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { newJob } from '../core/job/job.ts'
import { projectName, stepName } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import { kindOf, promptFor, type ReadComment, reviewContext, whyLeftOut } from '../core/prompt/context.ts'
import { type ChangeContext, joinContexts } from '../core/prompt/prompt.ts'
import { type Asked, type ReviewRequest, requestIdOf } from '../core/trigger/request.ts'
import { discard, entriesOn, post, reactTo, warnOnRejection } from '../life/comments.ts'
import { replaced } from '../life/entry.ts'
import type { FoundEntry } from '../life/format.ts'
import { type Plan, writersOf } from '../life/live.ts'
import { announce, entryAbout, type RequestRef } from '../life/pull.ts'
import type { Asking } from '../life/send.ts'
import { ThreadPlace, type ThreadRequest, type ThreadWords } from '../life/thread.ts'
import { readPullDiff, wantedDiff } from './change.ts'
import { type Ended, skipped, unread } from './ended.ts'
import { checkPermission, everyoneBehind } from './gate.ts'
import { codeOfThread } from './hold.ts'
import type { AgentPorts, RunIdentity, Words } from './ports.ts'
import { chooseJob } from './thread-job.ts'
import { readVisible } from './visible.ts'

/** The texts for a command. */
export interface CommandWords extends ThreadWords, Words {
  /** What people can ask, who can ask, and an example. */
  help(): string
  /** Why someone cannot use the command. */
  denied(problem: Extract<Problem, { type: 'not-allowed' }>): string
}

export interface CommandPorts extends AgentPorts {
  words: CommandWords
}

/** Checks the requester, and plans the request. */
export async function planCommand(
  inputs: AgentInputs,
  asked: Asked,
  run: RunIdentity,
  ports: CommandPorts,
): Promise<Plan | Ended> {
  const { thread, request, requesters } = asked
  const step = { ...run.step, project: inputs.projectId }
  const whose = {
    request: requestIdOf(request, run.id),
    step: stepName(step),
    project: projectName(inputs.projectId),
  }
  const writers = writersOf(run, step)
  const ref: RequestRef = { ...whose, writer: writers.writer, since: ports.clock.date() }
  const turnedAway = await turnAway(inputs, asked, ref, run, ports)
  if (turnedAway !== undefined) return turnedAway
  const code = await codeOfThread(inputs, asked, ports)
  const globs = recordedGlobs(inputs.allowedPaths)
  const by = requesters[0].login
  const asking: ThreadRequest = { ...whose, thread, by, code, globs }
  const place = new ThreadPlace(asking, ports)
  // A re-run of a reported request must change nothing. The first run has reacted already.
  if (!run.actors.isRerun) await reactTo(asking, 'eyes', ports)
  return {
    kind: 'plan',
    inputs,
    ...writers,
    place,
    isFirst: !run.actors.isRerun,
    ask: () => ask(inputs, asked, ports),
    choose: () => choose(inputs, asked, ref, run, place, ports),
    announce: async (result) => {
      const origin = { repository: thread.repository, thread, change: null, requester: by, code }
      await announce(result, origin, ref, inputs, ports)
    },
  }
}

async function turnAway(
  { command, allowed }: AgentInputs,
  asked: Asked,
  ref: RequestRef,
  run: RunIdentity,
  ports: CommandPorts,
): Promise<Ended | undefined> {
  const { request, requesters, thread } = asked
  const accounts = everyoneBehind(requesters, run.actors)
  const denied = await checkPermission(accounts, allowed, thread.repository, ports.github)
  if (denied !== undefined) {
    // Issue forms add labels for people without a role, so denied labels are only logged.
    if (denied.outcome === 'skipped' && request.kind !== 'label') await replyDenied(ref, asked, denied, ports)
    return denied
  }
  const kind = request.kind === 'label' ? 'work' : kindOf(request.instruction)
  if (kind === 'work') return undefined
  await notifyOnce({ ...ref, request: `help:${ref.request}` }, thread, ports.words.help(), ports)
  return skipped({ type: 'no-prompt', command, isHelp: kind === 'help' })
}

/**
 * The prompt, with a review's line comments and, if requested, a pull request's diff. All context shares one limit: the
 * thread's text comes first, then the comments, then the diff.
 */
async function ask(inputs: AgentInputs, asked: Asked, ports: CommandPorts): Promise<Asking | Ended> {
  const { request, thread } = asked
  const body = await readVisible(request.subject.body, thread.repository, ports.github)
  if ('kind' in body) return body
  let { prompt, context } = promptFor(inputs.prompt, asked, body)
  if (request.kind === 'review') {
    const comments = await readReview(asked, request, inputs.command, context.size, ports)
    if (comments !== null && 'kind' in comments) return comments
    if (comments !== null) context = joinContexts(context, comments)
  }
  const wanted = wantedDiff(inputs)
  if (thread.isPullRequest && wanted !== null) {
    const diff = await readPullDiff(thread, request, { ...wanted, used: context.size }, ports)
    if ('kind' in diff) return diff
    context = joinContexts(context, diff)
  }
  return { prompt, context }
}

/** A review's line comments as context; null if there are none. */
async function readReview(
  { requesters, thread: { repository, number } }: Asked,
  { review, submittedAt }: ReviewRequest,
  command: string | null,
  used: number,
  { github }: CommandPorts,
): Promise<ChangeContext | Ended | null> {
  const found = await github.reviewComments(repository, number, review)
  if (!found.ok) return unread('thread', found.rejection)
  const rules = { author: requesters[0].login, submittedAt, command }
  const comments: ReadComment[] = []
  for (const comment of found.value.items) {
    const whyNot = whyLeftOut(comment, rules)
    const text = whyNot === null ? await readVisible(comment.body, repository, github) : { whyNot }
    if ('kind' in text) return text
    comments.push({ location: comment.location, text })
  }
  return reviewContext(comments, found.value.isCut, used)
}

async function choose(
  inputs: AgentInputs,
  { openedBy, thread }: Asked,
  ref: RequestRef,
  { step: identity }: RunIdentity,
  place: ThreadPlace,
  ports: CommandPorts,
): ReturnType<Plan['choose']> {
  const read = await place.list()
  if (!read.ok) return unread('thread', read.rejection)
  await cleanUp(ref, place.entries, thread, ports)
  if (inputs.jobId !== null) return { ...newJob, jobId: inputs.jobId }
  const chosen = await chooseJob(inputs, { ...ref, thread, place, identity, openedBy }, ports)
  return chosen.ok ? chosen.value : unread('thread', chosen.rejection)
}

/** Removes comments about other requests of this step that a later comment about the same request replaces. */
async function cleanUp(
  { request, step }: RequestRef,
  entries: readonly FoundEntry[],
  thread: Asked['thread'],
  ports: CommandPorts,
): Promise<void> {
  const others = entries.filter(
    ({ entry }) => entry.role === 'request' && entry.step === step && entry.request !== request,
  )
  for (const own of Map.groupBy(others, ({ entry }) => entry.request).values())
    await discard(
      thread,
      replaced(own).filter(({ isIntact }) => isIntact),
      ports,
    )
}

/** Reacts, and replies once for each person and thread. */
async function replyDenied(
  ref: RequestRef,
  { thread }: Asked,
  { problem }: Ended,
  ports: CommandPorts,
): Promise<void> {
  await reactTo({ ...ref, thread }, 'confused', ports)
  if (problem.type !== 'not-allowed') return
  await notifyOnce(
    { ...ref, request: `login:${problem.login.toLowerCase()}` },
    thread,
    ports.words.denied(problem),
    ports,
  )
}

/** Replies with a notice, unless the thread already has it. */
async function notifyOnce(
  ref: RequestRef,
  thread: Asked['thread'],
  words: string,
  ports: CommandPorts,
): Promise<void> {
  const orWarn = warnOnRejection(thread, ports)
  const found = await orWarn('read', entriesOn(thread, ports))
  if (!found.ok) return
  const isSame = ({ entry, isSigned }: FoundEntry) =>
    isSigned && entry.role === 'notice' && entry.request === ref.request
  if (found.value.some(isSame)) return
  const notice = { role: 'notice', state: 'not-sent', job: null, link: null, code: null } as const
  await orWarn('reply', post(thread, words, { ...entryAbout(ref), ...notice }, ports))
}
