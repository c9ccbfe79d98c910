/** A command or label on a thread: who can use it, what it asks for, and which job it goes to. */

import { recordedGlobs } from '../core/guard.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { newJob } from '../core/job-choice.ts'
import { type FoundMark, projectName, stateFields, stateOnThread, stepName } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import { kindOf, promptFor } from '../core/prompt/instruction.ts'
import { type ChangeContext, joinContexts } from '../core/prompt/prompt.ts'
import { type ReadComment, reviewContext, whyLeftOut } from '../core/prompt/review.ts'
import { minimumAge } from '../core/record.ts'
import type { Asked, ReviewRequest } from '../core/trigger/request.ts'
import { requestIdOf } from '../core/trigger/request-id.ts'
import type { Plan } from './carry-out.ts'
import { readPullDiff, wantedDiff } from './change.ts'
import { findMarks, postMarked, reactTo, warnOnRejection } from './comments.ts'
import { type Ended, skipped, unread } from './ended.ts'
import { checkPermission, everyoneBehind } from './gate.ts'
import { codeOfThread } from './hold.ts'
import type { AgentPorts, RunIdentity, Words } from './ports.ts'
import { announce } from './pulls.ts'
import type { Asking } from './send.ts'
import { chooseJob } from './thread-job.ts'
import {
  type ThreadRequestRef,
  ThreadStore,
  type ThreadStorePorts,
  type ThreadWords,
} from './thread-store.ts'
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
  save: ThreadStorePorts['save']
}

/** Checks the requester, and plans the request. */
export async function planCommand(
  inputs: AgentInputs,
  asked: Asked,
  run: RunIdentity,
  ports: CommandPorts,
): Promise<Plan | Ended> {
  const { thread, request, requesters } = asked
  const { clock } = ports
  const { projectId } = inputs
  const { isRerun } = run.actors
  const now = clock.date()
  const asker: ThreadRequestRef = {
    code: null,
    thread,
    project: projectName(projectId),
    since: now,
    until: now + ports.deadline - clock.now(),
    by: requesters[0].login,
    request: requestIdOf(request, run.id),
    step: stepName({ ...run.step, project: projectId }),
    globs: recordedGlobs(inputs.allowedPaths),
  }
  const turnedAway = await turnAway(inputs, asked, asker, run, ports)
  if (turnedAway !== undefined) return turnedAway
  const code = await codeOfThread(inputs, asked, ports)
  const ref = { ...asker, code }
  const store = new ThreadStore(ref, !isRerun, ports)
  await reactTo(ref, 'eyes', ports)
  return {
    kind: 'plan',
    inputs,
    isRerun,
    store,
    ask: () => ask(inputs, asked, ports),
    choose: () => choose(inputs, asked, ref, run, store, ports),
    announce: async (result) => {
      const { by: requester, code } = ref
      const origin = { repository: thread.repository, thread, change: null, requester, code }
      await announce(result, origin, ref, inputs, ports)
    },
  }
}

async function turnAway(
  { command, allowed }: AgentInputs,
  { request, requesters, thread }: Asked,
  ref: ThreadRequestRef,
  run: RunIdentity,
  ports: CommandPorts,
): Promise<Ended | undefined> {
  const accounts = everyoneBehind(requesters, run.actors)
  const denied = await checkPermission(accounts, allowed, thread.repository, ports.github)
  if (denied !== undefined) {
    // Issue forms add labels for people without a role, so denied labels are only logged.
    if (denied.outcome === 'skipped' && request.kind !== 'label') await replyDenied(ref, denied, ports)
    return denied
  }
  const kind = request.kind === 'label' ? 'work' : kindOf(request.instruction)
  if (kind === 'work') return undefined
  await warnOnRejection(thread, ports)('reply', ports.github.reply(thread, ports.words.help()))
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
  { openedBy }: Asked,
  ref: ThreadRequestRef,
  { step: identity }: RunIdentity,
  store: ThreadStore,
  ports: CommandPorts,
): ReturnType<Plan['choose']> {
  const { comments, marks, comment: own } = store
  await cleanUp(ref, marks, ports)
  if (inputs.jobId !== null) return { ...newJob, jobId: inputs.jobId }
  const chosen = await chooseJob(inputs, { ...ref, comments, marks, own, identity, openedBy }, ports)
  return chosen.ok ? chosen.value : unread('thread', chosen.rejection)
}

/**
 * Cleans up comments about other requests whose runs were killed, or that are signed with another key. Deletes comments
 * that a result replaces, and hides comments that no run will finish.
 */
async function cleanUp(
  ref: ThreadRequestRef,
  marks: readonly FoundMark[],
  ports: CommandPorts,
): Promise<void> {
  const { thread, step } = ref
  const orWarn = warnOnRejection(thread, ports)
  const others = marks.filter(({ mark }) => mark.request !== ref.request)
  // An unbound mark may be about to be bound.
  const isOver = ({ createdAt, mark, isSigned, isBound }: FoundMark) =>
    (isSigned && isBound) ||
    ports.clock.date() > (isSigned ? (mark.until ?? createdAt) : createdAt) + minimumAge
  for (const request of new Set(others.map(({ mark }) => mark.request))) {
    const { known, spare, outdated } = stateOnThread({ request, step }, others)
    const isReplaced = known.kind === 'record' && known.record.state === 'ended'
    for (const comment of isReplaced ? spare : [])
      await orWarn('delete', ports.github.remove(thread, comment))
    for (const { nodeId } of outdated.filter(isOver)) await orWarn('hide', ports.github.hide(nodeId))
  }
}

/** Reacts, and replies once for each person and thread. */
async function replyDenied(ref: ThreadRequestRef, { problem }: Ended, ports: CommandPorts): Promise<void> {
  const { thread, step, project, since, by } = ref
  const orWarn = warnOnRejection(thread, ports)
  await reactTo(ref, 'confused', ports)
  if (problem.type !== 'not-allowed') return
  const request = `login:${problem.login.toLowerCase()}`
  const marks = await orWarn('read', findMarks(thread, ports))
  const isKnown = marks?.some(
    ({ mark, isSigned, isBound }) =>
      isSigned && isBound && mark.role === 'denied' && mark.request === request,
  )
  if (isKnown !== false) return
  const state = stateFields({ state: 'not-sent' })
  const mark = { ...state, role: 'denied', request, step, project, since, by } as const
  await orWarn('reply', postMarked(thread, { text: ports.words.denied(problem), mark }, ports))
}
