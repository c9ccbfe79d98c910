/** A command or label on a thread: who can use it, what it asks for, and which job it goes to. */
import { recordedGlobs } from '../core/guard.ts'
import { projectName, stepName } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import { kindOf, promptFor } from '../core/prompt/instruction.ts'
import { joinContexts } from '../core/prompt/prompt.ts'
import { reviewContext } from '../core/prompt/review.ts'
import type { ReadVisible } from '../core/prompt/visible.ts'
import type { Asked } from '../core/trigger/request.ts'
import { requestIdOf } from '../core/trigger/request-id.ts'
import {
  discard,
  entriesIn,
  entriesOn,
  ownComments,
  post,
  reactTo,
  warnOnRejection,
} from '../life/comments.ts'
import { replaced } from '../life/entry.ts'
import type { FoundEntry } from '../life/format.ts'
import { type Plan, writersOf } from '../life/live.ts'
import { announce, entryAbout, type RequestRef } from '../life/pull.ts'
import type { Asking } from '../life/send.ts'
import { ThreadPlace, type ThreadRequest, type ThreadWords } from '../life/thread.ts'
import { readPullDiff } from './change.ts'
import { type Ended, failed, skipped, unread } from './ended.ts'
import { checkPermission, everyoneBehind, type GateRules } from './gate.ts'
import { codeOfThread } from './hold.ts'
import type { Scope } from './jobs.ts'
import type { Destination, Policy } from './policy.ts'
import type { AgentPorts, RunIdentity, Words } from './ports.ts'
import { chooseJob } from './thread-job.ts'

/** The texts for a command. */
export interface CommandWords extends ThreadWords, Words {
  /** What people can ask, who can ask, and an example. */
  help(): string
  /** Why someone cannot use the command. */
  denied(problem: Extract<Problem, { type: 'not-allowed' }>): string
}

export interface CommandPorts extends AgentPorts {
  words: CommandWords
  readVisible: ReadVisible
}

/** Checks the requester, and plans the request. */
export async function planCommand(
  policy: Policy,
  gate: GateRules,
  asked: Asked,
  run: RunIdentity,
  ports: CommandPorts,
): Promise<Plan | Ended> {
  const { thread, request, requesters } = asked
  const { scope, pullSettings } = policy.settings
  const { projectId, isDryRun } = scope
  const { isRerun } = run.actors
  const step = { ...run.step, project: projectId }
  const asker: ThreadRequest = {
    thread,
    project: projectName(projectId),
    by: requesters[0].login,
    request: requestIdOf(request, run.id),
    step: stepName(step),
    code: null,
    globs: recordedGlobs(pullSettings.allowedPaths),
  }
  const writers = writersOf(run, step)
  const ref: RequestRef = {
    request: asker.request,
    step: asker.step,
    project: asker.project,
    writer: writers.writer,
    since: ports.clock.date(),
  }
  const mayWrite = policy.replies && !isDryRun
  const turnedAway = await turnAway(policy, gate, asked, ref, run, mayWrite, ports)
  if (turnedAway !== undefined) return turnedAway
  const code = await codeOfThread(policy, asked, ports)
  // Without a record, a re-run does not know what the first run did.
  if (!mayWrite && isRerun && !isDryRun) return failed({ type: 'unrecorded-rerun' })
  const place = mayWrite ? new ThreadPlace({ ...asker, code }, ports) : null
  if (place !== null) await reactTo(asker, 'eyes', ports)
  return {
    kind: 'plan',
    settings: policy.settings,
    ledger: place && { ...writers, place, isFirst: !isRerun, isAnnounced: true },
    ask: () => ask(policy, asked, ports),
    choose: () => choose(policy.destination, scope, asked, ref, run, place, ports),
    announce: async (result) => {
      const requester = asker.by
      const origin = { repository: thread.repository, thread, change: null, requester, code }
      if (place !== null) await announce(result, origin, ref, pullSettings, ports)
    },
  }
}

async function turnAway(
  { command }: Policy,
  gate: GateRules,
  asked: Asked,
  ref: RequestRef,
  run: RunIdentity,
  mayWrite: boolean,
  ports: CommandPorts,
): Promise<Ended | undefined> {
  const { request, requesters, thread } = asked
  const accounts = everyoneBehind(requesters, run.actors)
  const denied = await checkPermission(accounts, gate, thread.repository, ports.github)
  if (denied !== undefined) {
    // Issue forms add labels for people without a role, so denied labels are only logged.
    if (denied.outcome === 'skipped' && mayWrite && request.kind !== 'label')
      await replyDenied(ref, asked, denied, ports)
    return denied
  }
  const kind = request.kind === 'label' ? 'work' : kindOf(request.instruction, ports.readVisible)
  if (kind === 'work') return undefined
  if (mayWrite)
    await notifyOnce({ ...ref, request: `help:${ref.request}` }, thread, ports.words.help(), ports)
  return skipped({ type: 'no-prompt', command, isHelp: kind === 'help' })
}

/**
 * The prompt, with a review's line comments and, if requested, a pull request's diff. All context shares one limit: the
 * thread's text comes first, then the comments, then the diff.
 */
async function ask(
  { command, prompt: standing, diff: wanted, settings }: Policy,
  asked: Asked,
  ports: CommandPorts,
): Promise<Asking | Ended> {
  const { request, requesters, thread } = asked
  const { limit } = settings.source
  const { prompt, context: thing } = promptFor(standing, asked, limit, ports.readVisible)
  let context = thing
  if (request.kind === 'review') {
    const read = await ports.github.reviewComments(thread.repository, thread.number, request.review)
    if (!read.ok) return unread('thread', read.rejection)
    const rules = {
      author: requesters[0].login,
      submittedAt: request.submittedAt,
      command,
      limit,
      used: context.size,
    }
    const comments = reviewContext(read.value.items, read.value.isCut, rules, ports.readVisible)
    if (comments !== null) context = joinContexts(context, comments)
  }
  if (thread.isPullRequest && wanted !== null) {
    const diff = await readPullDiff(thread, request, { ...wanted, used: context.size }, ports)
    if ('kind' in diff) return diff
    context = joinContexts(context, diff)
  }
  return { prompt, context }
}

async function choose(
  { jobId, followsThread }: Destination,
  scope: Scope,
  { openedBy, thread }: Asked,
  ref: RequestRef,
  { step: identity }: RunIdentity,
  place: ThreadPlace | null,
  ports: CommandPorts,
): ReturnType<Plan['choose']> {
  const read = place === null && followsThread ? await ownComments(thread, ports) : null
  if (read?.ok === false) return unread('thread', read.rejection)
  const comments = place?.comments ?? read?.value ?? []
  const entries = place?.entries ?? entriesIn(comments, thread, ports)
  if (place !== null) await cleanUp(ref, entries, thread, ports)
  if (jobId !== null || !followsThread) return { jobId, choice: 'own', head: null }
  const on = { ...ref, thread, comments, entries, own: place?.comment ?? null, identity, openedBy }
  const chosen = await chooseJob(scope, on, ports)
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
