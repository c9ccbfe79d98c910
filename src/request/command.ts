/** A command or label on a thread: who can use it, what it asks for, and which job it goes to. */
import type { CodePull } from '../core/hold.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { fingerprint, stepName } from '../core/mark.ts'
import { type Ended, skipped, unread } from '../core/outcome.ts'
import { kindOf, promptFor, type ReadComment, reviewContext, whyLeftOut } from '../core/prompt/context.ts'
import { type ChangeContext, joinContexts } from '../core/prompt/prompt.ts'
import { recordedGlobs } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { requestIdOf, type ThreadTrigger } from '../core/trigger/request.ts'
import type { AgentPorts } from '../ports.ts'
import { reactTo } from '../record/comments.ts'
import type { Names } from '../record/format.ts'
import type { ThreadRequest } from '../record/place.ts'
import { threadPlace } from '../record/thread.ts'
import type { Plan } from '../run/live.ts'
import { notifyOnce } from '../run/pull.ts'
import { say } from '../say/messages.ts'
import { readPullDiff, readVisible, wantedDiff } from './change.ts'
import { chooseGiven, chooseJob } from './choose.ts'
import { checkPermission, everyoneBehind } from './gate.ts'
import { type Asking, composePrompt } from './prompt.ts'

/** Checks the requester, and plans the request. */
export async function planCommand(
  inputs: AgentInputs,
  trigger: ThreadTrigger,
  ports: AgentPorts,
): Promise<Plan | Ended> {
  const { thread, request, requesters } = trigger
  const { id, step, attempt } = ports.run
  const names = {
    request: requestIdOf(request, id),
    step: stepName(step),
    project: fingerprint(step.project),
  }
  const turnedAway = await turnAway(inputs, trigger, names, ports)
  if (turnedAway !== undefined) return turnedAway
  const code = await codeOfThread(inputs, trigger, ports)
  const globs = recordedGlobs(inputs.allowedPaths)
  const by = requesters[0].login
  const asking: ThreadRequest = { ...names, thread, by, code, globs }
  const place = threadPlace(asking, ports)
  // A re-run of a reported request must change nothing. The first run has reacted already.
  if (attempt === 1) await reactTo(thread, names.request, 'eyes', ports)
  return {
    kind: 'plan',
    inputs,
    place,
    isFirst: attempt === 1,
    ask: async () => {
      const asking = await ask(inputs, trigger, ports)
      return 'kind' in asking ? asking : composePrompt(asking, inputs, ports)
    },
    choose: async () => {
      if (inputs.jobId !== null) return chooseGiven(inputs.jobId, ports)
      const read = await place.list()
      return read.ok ? chooseJob(inputs, trigger, place, ports) : unread('thread', read.failure)
    },
  }
}

async function turnAway(
  { command, allowed }: AgentInputs,
  trigger: ThreadTrigger,
  names: Names,
  ports: AgentPorts,
): Promise<Ended | undefined> {
  const { request, requesters, thread } = trigger
  const accounts = everyoneBehind(requesters, ports.run)
  const denied = await checkPermission(accounts, allowed, thread.repository, ports.github)
  if (denied !== undefined) {
    const { problem } = denied
    // Issue forms add labels for people without a role, so denied labels are only logged.
    if (problem.kind === 'denied' && request.kind !== 'label') {
      await reactTo(thread, names.request, 'confused', ports)
      // Once for each person.
      const notice = { ...names, request: `login:${problem.login.toLowerCase()}` }
      await notifyOnce(notice, thread, () => ports.words.denied(problem), ports)
    }
    return denied
  }
  const kind = request.kind === 'label' ? 'work' : kindOf(request.instruction)
  if (kind === 'work') return undefined
  const help = { ...names, request: `help:${names.request}` }
  await notifyOnce(help, thread, () => ports.words.help(allowed), ports)
  return skipped({ kind: 'no-prompt', command, isHelp: kind === 'help' })
}

/**
 * The prompt, with a review's line comments and, if requested, a pull request's diff. All context shares one limit: the
 * thread's text comes first, then the comments, then the diff.
 */
async function ask(inputs: AgentInputs, trigger: ThreadTrigger, ports: AgentPorts): Promise<Asking | Ended> {
  const { request, thread } = trigger
  const body = await readVisible(request.subject.body, ports)
  if ('kind' in body) return body
  let { prompt, context } = promptFor(inputs.prompt, trigger, body)
  if (request.kind === 'review') {
    const comments = await readReview(trigger, request, inputs.command, context.size, ports)
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
  { requesters, thread: { repository, number } }: ThreadTrigger,
  { id: review, submittedAt }: { id: number; submittedAt: number },
  command: string | null,
  used: number,
  ports: AgentPorts,
): Promise<ChangeContext | Ended | null> {
  const found = await ports.github.reviewComments(repository, number, review)
  if (!found.ok) return unread('thread', found.failure)
  const rules = { author: requesters[0].login, submittedAt, command }
  const comments: ReadComment[] = []
  for (const comment of found.value.items) {
    const whyNot = whyLeftOut(comment, rules)
    const text = whyNot === null ? await readVisible(comment.body, ports) : { whyNot }
    if ('kind' in text) return text
    comments.push({ location: comment.location, text })
  }
  return reviewContext(comments, found.value.isCut, used)
}

/**
 * The code's pull request for a command or label, with the commit that the agent gets; null if there is no such pull
 * request, or if the command has neither a diff nor a hold.
 */
async function codeOfThread(
  inputs: AgentInputs,
  { thread, request, openedBy }: ThreadTrigger,
  { github, log }: AgentPorts,
): Promise<CodePull | null> {
  const { hold, agentLogin } = inputs
  const { repository, number, isPullRequest } = thread
  // The agent's own pull request already has its hold, if any.
  if (isSameName(openedBy, agentLogin)) return null
  const isWanted = hold !== null || wantedDiff(inputs) !== null || request.kind === 'label'
  const read = isPullRequest && isWanted ? await github.pull(repository, number) : null
  const pull = read?.ok ? read.value : null
  const isWaiting = pull !== null && (pull.isOpen || (hold === 'release' && pull.isMerged)) && !pull.isFork
  if (hold !== null && !isWaiting) log(say.holdIgnored())
  return pull && { repository, number, head: pull.headCommit, hold: isWaiting ? hold : null }
}
