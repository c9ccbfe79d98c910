/** The comment command: who may give it, which job it goes to, and what the thread is told. */

import type { AgentInputs } from '../core/inputs/inputs.ts'
import { pullRequestThread } from '../core/job/job.ts'
import { writeMarker } from '../core/marker.ts'
import { isGood } from '../core/outcome.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult, Progress } from '../core/progress.ts'
import { cleanInstruction, promptFor } from '../core/prompt/instruction.ts'
import type { Thread } from '../core/thread.ts'
import { threadName } from '../core/thread.ts'
import { isEnough, isListed } from '../core/trigger/permission.ts'
import type { CommandComment } from '../core/trigger/trigger.ts'
import { announce, type CommentPorts, findMarkers, jobToContinue, warnOnRefusal } from './comments.ts'
import type { GitHub, Reaction } from './ports.ts'

export interface ThreadPorts extends CommentPorts {
  /** What the thread is told; Markdown. */
  words: {
    usage(command: string): string
    working(job: JobChoice): string
    result(result: AgentResult): string
  }
  /** Keeps where the reply stands, for a step that is killed. */
  keepReply(reply: Reply): void
}

/** Which job a command goes to: its own, that of the thread, or a new one since that of the thread is over. */
export type JobChoice = 'own' | 'thread' | 'replaced'

/** The action's own comment on a thread. */
export interface Reply {
  thread: Thread
  id: number
  /** The hidden marker at its end; empty until there is a job. */
  marker: string
}

/** Who else started this run: on a re-run, somebody other than the comment's author may have. */
export interface RunActor {
  triggeringActor: string
  isRerun: boolean
}

export type Opened =
  | { kind: 'ended'; outcome: 'skipped' | 'error'; problem: Problem }
  | { kind: 'open'; inputs: AgentInputs; conversation: Conversation }

/** A conversation that was opened: what it does as the job goes on, and at its end. */
export interface Conversation {
  onProgress(progress: Progress): Promise<void>
  close(result: AgentResult): Promise<void>
}

/** Checks who gave the command, shows that it was seen, and finds the job that it goes to. */
export async function openConversation(
  inputs: AgentInputs,
  comment: CommandComment,
  actor: RunActor,
  given: ThreadPorts,
): Promise<Opened> {
  const ports = inputs.dryRun ? { ...given, github: readingOnly(given.github) } : given
  const { github } = ports
  const { thread } = comment
  const tell = warnOnRefusal(thread, ports)
  const refused = await gate(inputs, comment, actor, github)
  if (refused !== undefined) {
    if (refused.outcome === 'skipped') await tell('react', github.react(thread, comment.id, 'confused'))
    return { kind: 'ended', ...refused }
  }
  if (cleanInstruction(comment.instruction) === '') {
    if (inputs.reply) await tell('reply', github.reply(thread, ports.words.usage(inputs.command)))
    return { kind: 'ended', outcome: 'skipped', problem: { type: 'no-instruction', command: inputs.command } }
  }
  await tell('react', github.react(thread, comment.id, 'eyes'))

  const known = await findMarkers(thread, ports)
  if (!known.ok && actor.isRerun) {
    // Whether this very comment has its job already can't be told, and a second one must not be made.
    return { kind: 'ended', outcome: 'error', problem: { type: 'thread-unread', refusal: known.refusal } }
  }
  if (!known.ok)
    ports.onProgress({
      type: 'thread-failed',
      act: 'read',
      thread,
      refusal: known.refusal,
    })
  const markers = known.ok ? known.value : []
  const own = markers.find(({ marker }) => marker.comment === comment.id)
  if (own !== undefined) {
    const resumed = { ...inputs, prompt: '', promptFile: '', contextFiles: [], jobId: own.marker.job }
    return {
      kind: 'open',
      inputs: resumed,
      conversation: await openReply(inputs, comment, own.id, 'own', ports),
    }
  }
  const last = inputs.followUp ? markers.at(-1)?.marker : undefined
  const jobId = last === undefined ? inputs.jobId : await jobToContinue(last, inputs, ports)
  const choice = last === undefined ? 'own' : chosen(jobId)
  const prompt = promptFor(inputs.prompt, comment)
  return {
    kind: 'open',
    inputs: { ...inputs, prompt, jobId },
    conversation: await openReply(inputs, comment, undefined, choice, ports),
  }
}

function chosen(jobId: string): JobChoice {
  return jobId === '' ? 'replaced' : 'thread'
}

/** For a dry run: it asks who may and what stands on the thread, and writes nothing there. */
function readingOnly(github: GitHub): GitHub {
  const nothing = async () => ({ ok: true, value: undefined }) as const
  return { ...github, reply: async () => ({ ok: true, value: 0 }), edit: nothing, react: nothing }
}

/** Why the command is not carried out; undefined where everybody concerned may give it. */
async function gate(
  { requiredPermission, allowedBots }: AgentInputs,
  { thread, author, isBot }: CommandComment,
  { triggeringActor, isRerun }: RunActor,
  github: GitHub,
): Promise<{ outcome: 'skipped' | 'error'; problem: Problem } | undefined> {
  const others = isRerun && triggeringActor !== author ? [triggeringActor] : []
  for (const login of [author, ...others]) {
    const bot = login === author ? isBot : login.endsWith('[bot]')
    const denied = {
      outcome: 'skipped',
      problem: { type: 'not-allowed', login, required: requiredPermission, isBot: bot },
    } as const
    if (bot) {
      if (!isListed(login, allowedBots)) return denied
      continue
    }
    const role = await github.role(thread.repository, login)
    if (!role.ok) return { outcome: 'error', problem: { type: 'gate-closed', login, refusal: role.refusal } }
    if (role.value === null || !isEnough(role.value, requiredPermission)) return denied
  }
  return undefined
}

/** Opens the reply, and keeps it up to date. */
async function openReply(
  inputs: AgentInputs,
  { thread, id: commentId }: CommandComment,
  replyId: number | undefined,
  choice: JobChoice,
  ports: ThreadPorts,
): Promise<Conversation> {
  const { github, words, sign } = ports
  const tell = warnOnRefusal(thread, ports)
  let marker = ''
  const withMarker = (text: string) => (marker === '' ? text : `${text}\n\n${marker}`)
  const opened =
    replyId ?? (inputs.reply ? await tell('reply', github.reply(thread, words.working(choice))) : undefined)
  const write = async (text: string) => {
    if (opened !== undefined) await tell('edit', github.edit(thread, opened, withMarker(text)))
  }
  const keep = () => opened !== undefined && ports.keepReply({ thread, id: opened, marker })
  keep()

  return {
    async onProgress(progress) {
      if (progress.type !== 'job') return
      marker = writeMarker({ thread: threadName(thread), comment: commentId, job: progress.jobId }, sign)
      keep()
      await write(words.working(choice))
    },
    async close(result) {
      await write(words.result(result))
      const reaction: Reaction = isGood(result.outcome) ? 'rocket' : 'confused'
      await tell('react', github.react(thread, commentId, reaction))
      const pullRequest = pullRequestThread(result.job?.prLink ?? null, ports.serverUrl)
      // Elsewhere, the token of a workflow has no say.
      if (pullRequest?.repository.toLowerCase() === thread.repository.toLowerCase())
        await announce(result, null, ports)
    },
  }
}
