/** A command or label on a thread: who can use it, what it asks for, and which job it goes to. */

import type { GitHubReply } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { fingerprint, stepName } from '../core/mark.ts'
import { failToRead, stop } from '../core/outcome.ts'
import {
  asksForHelp,
  promptFor,
  type ReadComment,
  reviewContext,
  whyLeftOut,
} from '../core/prompt/context.ts'
import { joinContexts } from '../core/prompt/prompt.ts'
import { globsName } from '../core/pull-changes.ts'
import { requestIdOf, type ThreadTrigger } from '../core/trigger/request.ts'
import type { AgentPorts, PullRequest } from '../ports.ts'
import { reactTo } from '../record/comments.ts'
import type { Names } from '../record/format.ts'
import { threadPlace } from '../record/thread.ts'
import { postOnce } from '../run/pull.ts'
import { codeOfThread, diffRules, readPullDiff, readVisible } from './change.ts'
import { chooseJobOnThread } from './choose.ts'
import { checkPermission, everyoneBehind } from './gate.ts'
import { composePrompt } from './prompt.ts'

/** Checks the requester, and plans the request. */
export async function planCommand(inputs: AgentInputs, original: ThreadTrigger, ports: AgentPorts) {
  const { request, requesters } = original
  const thread = await threadForReplies(original, ports)
  const trigger = { ...original, thread }
  const { login: by, isBot } = requesters[0]
  const { id, step, attempt } = ports.run
  const names = {
    request: requestIdOf(request, id),
    step: stepName(step),
    project: fingerprint(step.project),
  }
  const refusal = await turnAway(inputs, trigger, names, ports)
  if (refusal !== undefined) return refusal
  const needsPull = inputs.hold !== null || diffRules(inputs) !== null || request.kind === 'label'
  const pull = thread.isPullRequest && needsPull ? await ports.github.pull(thread) : null
  // If the pull request cannot be read, `ask` says so.
  const code = pull?.ok === false ? null : codeOfThread(inputs, trigger, pull?.value ?? null, ports)
  const globs = globsName(inputs.allowedPaths)
  const place = threadPlace({ ...names, thread, by, isBot: isBot !== false, code, globs }, ports)
  const isFirst = attempt === 1
  // A re-run of a reported request must change nothing. The first run has reacted already.
  if (isFirst) await reactTo(thread, names.request, 'eyes', ports)
  return {
    inputs,
    place,
    isFirst,
    async ask() {
      // A re-run may have waited, so it reads the last commit again.
      const latest = !isFirst && pull?.ok ? await ports.github.pull(thread) : pull
      return ask(inputs, trigger, latest, ports)
    },
    choose: () => chooseJobOnThread(inputs, trigger, place, ports),
  }
}

/**
 * The conversation if the first comment of a review thread was deleted, because GitHub then accepts no reply there. A
 * re-run keeps the thread: if the comment was deleted after the first run, the record is there.
 */
async function threadForReplies({ thread, request }: ThreadTrigger, { github, run }: AgentPorts) {
  const { repository, reviewRoot } = thread
  const isReply = request.kind === 'comment' && request.id !== reviewRoot
  if (reviewRoot === null || !isReply || run.attempt > 1) return thread
  const root = await github.reviewComment(repository, reviewRoot)
  return root.ok && root.value === null ? { ...thread, reviewRoot: null } : thread
}

/** Ends the request of someone who is not allowed, or one that asks for nothing; undefined if there is work to do. */
async function turnAway(
  { command, allowed }: AgentInputs,
  { request, requesters, thread }: ThreadTrigger,
  names: Names,
  ports: AgentPorts,
) {
  const accounts = everyoneBehind(requesters, ports.run)
  const denial = await checkPermission(accounts, allowed, thread.repository, ports.github)
  // Issue forms add labels for people without a role, so denied labels are only logged.
  if (request.kind === 'label') return denial
  const problem = denial?.problem
  if (problem?.kind === 'denied') {
    await reactTo(thread, names.request, 'confused', ports)
    // Once for each person.
    const notice = { ...names, request: `login:${problem.login.toLowerCase()}` }
    await postOnce(notice, thread, ports.words.denied(problem), ports)
  }
  if (denial !== undefined) return denial
  if (!asksForHelp(request.instruction)) return undefined
  const help = { ...names, request: `help:${names.request}` }
  await postOnce(help, thread, ports.words.help(allowed), ports)
  return stop('skipped', { kind: 'no-prompt', command })
}

/**
 * The prompt, with a review's line comments and, if requested, a pull request's diff. All context shares one limit: the
 * thread's text comes first, then the comments, then the diff.
 */
async function ask(
  inputs: AgentInputs,
  trigger: ThreadTrigger,
  pull: GitHubReply<PullRequest> | null,
  ports: AgentPorts,
) {
  const { request } = trigger
  const body = await readVisible(trigger.body, ports)
  if ('kind' in body) return body
  let { prompt, context } = promptFor(inputs.prompt, trigger, body)
  if (request.kind === 'review') {
    const comments = await readReview(trigger, request, inputs.command, context.size, ports)
    if (comments !== null && 'kind' in comments) return comments
    context = joinContexts(context, comments)
  }
  const rules = diffRules(inputs)
  // A label's job needs its pull request only for a diff or a hold.
  if (pull?.ok === false && (rules !== null || inputs.hold !== null))
    return failToRead('thread', pull.failure)
  if (pull?.ok && rules !== null) {
    const diff = await readPullDiff(trigger, pull.value, { ...rules, used: context.size }, ports)
    if (diff !== null && 'kind' in diff) return diff
    context = joinContexts(context, diff)
  }
  return composePrompt(prompt, context, inputs, ports)
}

/** A review's line comments as context; null if there are none. */
async function readReview(
  { requesters, thread: { repository, number } }: ThreadTrigger,
  { id: review, submittedAt }: { id: number; submittedAt: number },
  command: string | null,
  used: number,
  ports: AgentPorts,
) {
  const list = await ports.github.reviewComments(repository, number, review)
  if (!list.ok) return failToRead('thread', list.failure)
  const [{ login: reviewer }] = requesters
  const comments: ReadComment[] = []
  for (const comment of list.value) {
    const whyNot = whyLeftOut(comment, reviewer, submittedAt, command)
    const text =
      whyNot === null ? await readVisible(comment.body, ports) : { text: '', leftOut: [{ why: whyNot }] }
    if ('kind' in text) return text
    comments.push({ location: comment.location, text })
  }
  return reviewContext(comments, used)
}
