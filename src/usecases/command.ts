/** The comment command: who may give it, which job it goes to, and what the thread is told. */

import type { AgentInputs } from '../core/inputs/inputs.ts'
import { pullRequestThread } from '../core/job/job.ts'
import { writeMarker } from '../core/marker.ts'
import { isGood } from '../core/outcome.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { cleanInstruction, promptFor } from '../core/prompt/instruction.ts'
import type { Thread } from '../core/thread.ts'
import { threadName } from '../core/thread.ts'
import type { Asked } from '../core/trigger/request.ts'
import { announce, type CommentPorts, findMarkers, jobToContinue, warnOnRefusal } from './comments.ts'
import { checkPermission, everyoneBehind, type RunActors } from './gate.ts'
import type { GitHub, Reaction, StartedJob } from './ports.ts'

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

export type Opened =
  | { kind: 'ended'; outcome: 'skipped' | 'error'; problem: Problem }
  | { kind: 'open'; inputs: AgentInputs; conversation: Conversation }

/** A conversation that was opened: what it does as the job goes on, and at its end. */
export interface Conversation {
  /** Tells the thread, in hidden text too, which job it has. */
  job(started: StartedJob): Promise<void>
  close(result: AgentResult): Promise<void>
}

/** Checks who gave the command, shows that it was seen, and finds the job that it goes to. */
export async function openConversation(
  inputs: AgentInputs,
  asked: Asked,
  actors: RunActors,
  given: ThreadPorts,
): Promise<Opened> {
  const ports = inputs.dryRun ? { ...given, github: readingOnly(given.github) } : given
  const { github } = ports
  const { thread, request, requesters } = asked
  const tell = warnOnRefusal(thread, ports)
  const accounts = everyoneBehind(requesters, actors)
  const refused = await checkPermission(accounts, inputs, thread.repository, github)
  if (refused !== undefined) {
    if (refused.outcome === 'skipped') await tell('react', github.react(thread, request.comment, 'confused'))
    return { kind: 'ended', ...refused }
  }
  if (cleanInstruction(request.instruction) === '') {
    if (inputs.reply) await tell('reply', github.reply(thread, ports.words.usage(inputs.command)))
    return { kind: 'ended', outcome: 'skipped', problem: { type: 'no-instruction', command: inputs.command } }
  }
  await tell('react', github.react(thread, request.comment, 'eyes'))

  const known = await findMarkers(thread, ports)
  if (!known.ok && actors.isRerun) {
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
  const own = markers.find(({ marker }) => marker.comment === request.comment)
  if (own !== undefined) {
    const resumed = { ...inputs, prompt: '', promptFile: '', contextFiles: [], jobId: own.marker.job }
    return {
      kind: 'open',
      inputs: resumed,
      conversation: await openReply(inputs, asked, own.id, 'own', ports),
    }
  }
  const last = inputs.followUp ? markers.at(-1)?.marker : undefined
  const jobId = last === undefined ? inputs.jobId : await jobToContinue(last, inputs, ports)
  const choice = last === undefined ? 'own' : chosen(jobId)
  const prompt = promptFor(inputs.prompt, asked)
  return {
    kind: 'open',
    inputs: { ...inputs, prompt, jobId },
    conversation: await openReply(inputs, asked, undefined, choice, ports),
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

/** Opens the reply, and keeps it up to date. */
async function openReply(
  inputs: AgentInputs,
  { thread, request: { comment: commentId } }: Asked,
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
    async job({ jobId }) {
      marker = writeMarker({ thread: threadName(thread), comment: commentId, job: jobId }, sign)
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
