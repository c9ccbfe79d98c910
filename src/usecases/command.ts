/** A command on a thread: who may give it, which job it goes to, and what the thread is told. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { pullRequestThread } from '../core/job/job.ts'
import { type FoundMark, jobToFollow, projectName, standingOf, stepName } from '../core/mark.ts'
import type { Problem, Refusal } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { cleanInstruction, promptFor } from '../core/prompt/instruction.ts'
import { type ChangeContext, joinContexts } from '../core/prompt/prompt.ts'
import type { ReadVisible } from '../core/prompt/visible.ts'
import { isSameRepository, type Thread, threadName } from '../core/thread.ts'
import type { Asked } from '../core/trigger/request.ts'
import { isReport } from '../visitors/core/report-mark.ts'
import { type ChangePorts, isBy, readChange } from './change.ts'
import { findMarks, marksIn, ownComments, postMarked, warnOnRefusal } from './comments.ts'
import { checkPermission, type Denied, everyoneBehind } from './gate.ts'
import { takesMore } from './jobs.ts'
import { type Memory, noMemory, withoutJob } from './memory.ts'
import type { FoundComment, GitHubPorts, GitHubReply, PlatformPorts, RunIdentity } from './ports.ts'
import { announce, type ProvenancePorts, type ProvenanceWords } from './provenance.ts'
import { jobOfPull } from './rolling.ts'
import {
  type JobChoice,
  ThreadMemory,
  type ThreadMemoryPorts,
  type ThreadRequestRef,
  type ThreadWords,
} from './thread-memory.ts'

export interface CommandWords extends ThreadWords, ProvenanceWords {
  /** What can be asked, who may ask, and an example. */
  help(): string
  /** Why someone may not give the command. */
  denied(problem: Extract<Problem, { type: 'not-allowed' }>): string
}

export interface CommandPorts extends PlatformPorts, Omit<ThreadMemoryPorts, 'words'> {
  github: GitHubPorts
  words: CommandWords
  matches: ChangePorts['matches']
  readVisible: ReadVisible
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string
}

/** A request that is not carried out. */
export interface Ended {
  kind: 'ended'
  outcome: 'skipped' | 'error' | 'unconfirmed' | 'cancelled'
  problem: Problem | null
}

export type OpenedCommand =
  | Ended
  | { kind: 'open'; inputs: AgentInputs; context: ChangeContext | null; memory: Memory }

/** Milliseconds that a command waits for an earlier one on its thread to get its job, and between two looks. */
const longestWait = 90_000
const waitStep = 5_000

/** Checks who gave the command, marks it on its thread, and finds the job that it goes to. */
export async function openCommand(
  inputs: AgentInputs,
  asked: Asked,
  run: RunIdentity,
  ports: CommandPorts,
): Promise<OpenedCommand> {
  const { thread, request, requesters } = asked
  const { github, words, clock } = ports
  const { projectId } = inputs
  const ref: ThreadRequestRef = {
    thread,
    comment: request.comment,
    project: projectName(projectId),
    since: clock.date(),
    by: requesters[0].login,
    request: request.comment === null ? `label:${run.id}` : `comment:${request.comment}`,
    step: stepName({ ...run.step, project: projectId }),
  }
  const mayWrite = inputs.reply && !inputs.dryRun
  const tell = warnOnRefusal(thread, ports)
  const accounts = everyoneBehind(requesters, run.actors)
  const denied = await checkPermission(accounts, inputs, thread.repository, github)
  if (denied !== undefined) {
    // Issue forms add labels for people without a role: the log is enough.
    if (denied.outcome === 'skipped' && mayWrite && request.comment !== null)
      await tellDenied(ref, denied, ports)
    return { kind: 'ended', ...denied }
  }
  if (
    request.comment !== null &&
    /^(help)?$/i.test(cleanInstruction(request.instruction, ports.readVisible).text)
  ) {
    if (mayWrite) await tell('reply', github.reply(thread, words.help()))
    return ended('skipped', { type: 'no-instruction', command: inputs.command })
  }
  const composed = promptFor(inputs.prompt, asked, inputs.contextLimit, ports.readVisible)
  const context = await withDiff(composed.context, asked, inputs, ports)
  if ('kind' in context) return context
  const { prompt } = composed
  const withPrompt = { ...inputs, prompt }
  if (!mayWrite) return withContext(await openUnmarked(withPrompt, ref, asked, run, ports), context)
  await tell('react', github.react(thread, request.comment, 'eyes'))
  const memory = new ThreadMemory(ref, ports)
  const opened = await openMarked(withPrompt, ref, asked, run, memory, ports)
  if (opened.kind === 'ended') return opened
  return withContext({ ...opened, memory: withProvenance(memory, ref, ports) }, context)
}

/** Without a mark there is no memory: a re-run cannot tell what the first run did. */
async function openUnmarked(
  inputs: AgentInputs,
  ref: ThreadRequestRef,
  { openedBy }: Asked,
  run: RunIdentity,
  ports: CommandPorts,
): Promise<OpenedCommand> {
  if (run.actors.isRerun && !inputs.dryRun) return ended('error', { type: 'unmarked-rerun' })
  const comments: GitHubReply<FoundComment[]> = inputs.followUp
    ? await ownComments(ref.thread, ports)
    : { ok: true, value: [] }
  if (!comments.ok) return ended('error', { type: 'thread-unread', refusal: comments.refusal })
  const known = {
    marks: marksIn(comments.value, ref.thread, ports),
    hasReport: hasReport(ref.thread, comments.value),
  }
  const chosen = await chooseJob(inputs, ref, { ...known, step: run.step, openedBy }, ports)
  if (!chosen.ok) return ended('error', { type: 'thread-unread', refusal: chosen.refusal })
  const { jobId } = chosen.value
  return { kind: 'open', inputs: { ...inputs, jobId }, context: null, memory: noMemory }
}

/** The context with the diff of a labeled pull request, if it is asked for. */
async function withDiff(
  context: ChangeContext,
  { request }: Asked,
  inputs: AgentInputs,
  ports: CommandPorts,
): Promise<ChangeContext | Ended> {
  if (request.comment !== null || request.change === null || !inputs.contextDiff) return context
  const read = await readChange(request.change, inputs, ports)
  if (read.kind === 'ended') return read
  return read.context === null ? context : joinContexts(context, read.context)
}

/** A step that only waits adds no context. */
function withContext(opened: OpenedCommand, context: ChangeContext): OpenedCommand {
  if (opened.kind === 'ended') return opened
  const { prompt, promptFile } = opened.inputs
  return prompt === '' && promptFile === '' ? opened : { ...opened, context }
}

async function openMarked(
  inputs: AgentInputs,
  ref: ThreadRequestRef,
  { openedBy }: Asked,
  { actors, step }: RunIdentity,
  memory: ThreadMemory,
  ports: CommandPorts,
): Promise<OpenedCommand> {
  // The first run posts before it looks: two commands that come at once then see each other.
  const posted = actors.isRerun ? null : await memory.post()
  if (posted?.ok === false)
    return ended('error', { type: 'mark-unwritten', where: 'comment', refusal: posted.refusal })
  const comments = await ownComments(ref.thread, ports)
  if (!comments.ok) {
    // A re-run that cannot read the thread must not deny the job that it cannot see.
    if (posted === null) return ended('error', { type: 'thread-unread', refusal: comments.refusal })
    return closeUnread(comments.refusal, memory)
  }
  const marks = marksIn(comments.value, ref.thread, ports)
  await removeLeftovers(ref, marks, ports)
  const earlier = marks.filter(({ comment }) => comment !== memory.comment)
  const standing = standingOf(ref, earlier)
  await memory.takeOver(standing)
  if (standing.kind === 'open' || standing.kind === 'unverifiable') {
    const problem: Problem = { type: 'unfinished-run' }
    await memory.close(withoutJob('unconfirmed', problem))
    return ended('unconfirmed', problem)
  }
  if (standing.kind === 'job' && !standing.isSpent) {
    // A re-run goes on with the job that its first run made, and sends nothing.
    const resumed = { ...inputs, prompt: '', promptFile: '', contextFiles: [], jobId: standing.job ?? '' }
    return { kind: 'open', inputs: resumed, context: null, memory }
  }
  const known = {
    marks: earlier,
    own: marks.find(({ comment }) => comment === memory.comment),
    hasReport: hasReport(ref.thread, comments.value),
  }
  const chosen = await chooseJob(inputs, ref, { ...known, step, openedBy }, ports)
  if (!chosen.ok) return closeUnread(chosen.refusal, memory)
  const { jobId, choice } = chosen.value
  await memory.open(choice)
  return { kind: 'open', inputs: { ...inputs, jobId }, context: null, memory }
}

async function closeUnread(refusal: Refusal, memory: Memory): Promise<Ended> {
  const problem: Problem = { type: 'thread-unread', refusal }
  await memory.close(withoutJob('error', problem))
  return ended('error', problem)
}

/** What is known of a command's thread. */
interface KnownThread {
  marks: readonly FoundMark[]
  /** The mark that this run posted; undefined on a re-run, which posts none before it looks. */
  own?: FoundMark | undefined
  hasReport: boolean
  step: RunIdentity['step']
  openedBy: Asked['openedBy']
}

/** The job that a command goes to: the one that the input names, that of the thread, or (empty) a new one. */
async function chooseJob(
  inputs: AgentInputs,
  ref: ThreadRequestRef,
  known: KnownThread,
  ports: CommandPorts,
): Promise<GitHubReply<{ jobId: string; choice: JobChoice }>> {
  const chosen = (jobId: string, choice: JobChoice) => ({ ok: true, value: { jobId, choice } }) as const
  if (!inputs.followUp || inputs.jobId !== '') return chosen(inputs.jobId, 'own')
  const settled = await waitForEarlier(ref, known.marks, ports, known.own)
  const ofThread = jobToFollow(ref, settled.marks)
  const behind = ofThread === null ? await jobBehind(inputs, ref, known, ports) : null
  if (behind?.ok === false) return behind
  const jobId = ofThread ?? behind?.value ?? null
  if (jobId === null) {
    const isUnclear = settled.isLate || settled.marks.some((found) => found.isBound && isOpen(found, ref))
    return chosen('', isUnclear ? 'unclear' : 'own')
  }
  if (known.hasReport) return chosen('', 'own')
  const hasWaited = settled.hasWaited && !settled.isLate
  return (await takesMore(jobId, inputs, ports))
    ? chosen(jobId, hasWaited ? 'waited' : 'thread')
    : chosen('', 'replaced')
}

/** The job behind the agent's pull request, if the command is on one: a step that timed out leaves no mark there. */
async function jobBehind(
  inputs: AgentInputs,
  { thread: { repository, number, isPullRequest } }: ThreadRequestRef,
  { step, openedBy }: KnownThread,
  ports: CommandPorts,
): Promise<GitHubReply<string | null>> {
  if (!isPullRequest || !isBy(inputs.agentLogin)({ author: openedBy ?? null }))
    return { ok: true, value: null }
  const pull = { number, url: `${ports.serverUrl}/${repository}/pull/${number}` }
  const job = await jobOfPull(pull, repository, inputs, { ...step, project: inputs.projectId }, ports)
  // A workflow for commands needs no permission for statuses.
  return job.ok || job.refusal.kind !== 'permission' ? job : { ok: true, value: null }
}

/** Whether visitors reports are posted on an issue: what they suggest has nothing to do with each other. */
function hasReport({ isPullRequest }: Thread, comments: readonly FoundComment[]): boolean {
  return !isPullRequest && comments.some(({ body }) => isReport(body))
}

/** Waits, for a while, until no earlier command of this step on the thread is about to be sent. */
async function waitForEarlier(
  ref: ThreadRequestRef,
  marks: readonly FoundMark[],
  ports: CommandPorts,
  own?: FoundMark,
): Promise<{ marks: readonly FoundMark[]; hasWaited: boolean; isLate: boolean }> {
  const { clock, cancelled, deadline } = ports
  const until = Math.min(clock.now() + longestWait, deadline)
  let seen = marks
  const isWaiting = () => seen.some((found) => isPending(found, ref, own))
  const hasWaited = isWaiting()
  if (hasWaited) ports.onProgress({ type: 'earlier-command', state: 'waiting' })
  while (isWaiting() && clock.now() < until && !cancelled.aborted) {
    await clock.sleep(Math.min(waitStep, until - clock.now()), cancelled)
    const again = await findMarks(ref.thread, ports)
    if (again.ok) seen = again.value.filter(({ mark }) => mark.request !== ref.request)
  }
  const isLate = isWaiting()
  if (isLate) ports.onProgress({ type: 'earlier-command', state: 'unclear' })
  return { marks: seen, hasWaited, isLate }
}

/** Whether a mark is of another request of this step that may have been sent, or is about to be, and has no job. */
function isOpen({ mark, isSigned }: FoundMark, { request, step }: ThreadRequestRef): boolean {
  const isOther = mark.role === 'reply' && mark.step === step && mark.request !== request
  return isSigned && isOther && mark.state === 'open'
}

/**
 * Whether a request that came before this one, within the last minutes, has no job yet. GitHub numbers comments in the
 * order in which they come, so of two requests one waits for the other; the runners' clocks may differ.
 * @param own the mark that this run posted; undefined on a re-run, which posts none before it looks
 */
function isPending(found: FoundMark, ref: ThreadRequestRef, own?: FoundMark): boolean {
  const isEarlier = own === undefined || found.comment < own.comment
  const age = (own?.createdAt ?? ref.since) - Math.max(found.createdAt, found.mark.since)
  // Of a request that was told to be unconfirmed, no more will come.
  return isOpen(found, ref) && found.mark.outcome === null && isEarlier && age < longestWait
}

/** A run that was killed between its result and the end left comments behind that the result replaces. */
async function removeLeftovers(
  { thread, request, step }: ThreadRequestRef,
  marks: readonly FoundMark[],
  ports: CommandPorts,
): Promise<void> {
  const tell = warnOnRefusal(thread, ports)
  const replies = marks.filter(
    ({ mark, isSigned }) =>
      isSigned && mark.role === 'reply' && mark.step === step && mark.request !== request,
  )
  for (const reply of replies)
    if (replies.some((other) => isReplaced(reply, other)))
      await tell('delete', ports.github.remove(thread, reply.comment))
}

/** Whether a comment tells less than another one, which has the result of the same request. */
function isReplaced(one: FoundMark, other: FoundMark): boolean {
  if (other.mark.outcome === null || other.mark.request !== one.mark.request) return false
  if (one.mark.outcome !== null)
    return one.isBound === other.isBound ? one.comment < other.comment : other.isBound
  // A re-run may be at work with another job than the one whose end is told.
  const isSameJob = one.mark.job !== null && one.mark.job === other.mark.job
  return isSameJob || one.mark.since === other.mark.since
}

/** A reaction, and one line for each person and thread. */
async function tellDenied(ref: ThreadRequestRef, { problem }: Denied, ports: CommandPorts): Promise<void> {
  const { thread, comment, step, project, since, by } = ref
  const tell = warnOnRefusal(thread, ports)
  await tell('react', ports.github.react(thread, comment, 'confused'))
  if (problem.type !== 'not-allowed') return
  const request = `login:${problem.login.toLowerCase()}`
  const marks = await tell('read', findMarks(thread, ports))
  if (marks === undefined || marks.some(({ mark }) => mark.role === 'denied' && mark.request === request))
    return
  const mark = {
    role: 'denied' as const,
    request,
    step,
    project,
    since,
    by,
    state: 'not-sent' as const,
    job: null,
    outcome: null,
    prLink: null,
  }
  await tell('reply', postMarked(thread, { text: ports.words.denied(problem), mark }, ports))
}

/** Leaves a comment on the agent's pull request, too, so that a command there goes on with the job. */
function withProvenance(memory: Memory, ref: ThreadRequestRef, ports: CommandPorts): Memory {
  return {
    where: memory.where,
    sending: () => memory.sending(),
    job: (jobId) => memory.job(jobId),
    async close(result) {
      const isClosed = await memory.close(result)
      await tellAgentsPull(result, ref, ports)
      return isClosed
    },
  }
}

/** Tells the agent's pull request that this action is behind it, so that a command there goes on with the job. */
export async function tellAgentsPull(
  result: AgentResult,
  { thread, request, step, project, since }: ThreadRequestRef,
  ports: ProvenancePorts & { serverUrl: string },
): Promise<void> {
  const pull = pullRequestThread(result.job?.prLink ?? null, ports.serverUrl)
  // In another repository, the token of a workflow has no say; on the thread itself, the reply bears the mark.
  if (pull === null || !isSameRepository(pull, thread) || threadName(pull) === threadName(thread)) return
  const ref = { request, step, project, since }
  await announce({ thread: pull, result, of: null }, ref, ports)
}

function ended(outcome: Ended['outcome'], problem: Problem): Ended {
  return { kind: 'ended', outcome, problem }
}
