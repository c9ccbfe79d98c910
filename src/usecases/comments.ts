/** What the action leaves on threads, and finds there again: which job is behind them, and what it documents. */

import type { AgentInputs } from '../core/inputs/inputs.ts'
import { isTerminal, parseJob, pullRequestThread } from '../core/job/job.ts'
import { type DocumentedChange, type Marker, readMarkers, type Sign, writeMarker } from '../core/marker.ts'
import type { AgentResult, ThreadAct } from '../core/progress.ts'
import type { Thread } from '../core/thread.ts'
import { threadName } from '../core/thread.ts'
import { call } from './call.ts'
import type { GitHub, GitHubReply, PlatformPorts } from './ports.ts'

export interface CommentPorts extends PlatformPorts {
  github: GitHub
  sign: Sign
  /** `GITHUB_SERVER_URL`: only pull requests on this server are followed. */
  serverUrl: string
  /** What the threads are told; Markdown. */
  notes: {
    /** On the agent's pull request: which changes it documents, if that is known. */
    announcement(changes: readonly DocumentedChange[]): string
    /** On the pull request of a change: where its documentation is. */
    documentation(prLink: string): string
  }
}

export interface FoundMarker {
  /** The comment that bears it. */
  id: number
  marker: Marker
}

/** Changes that are listed on one pull request of the agent's: the latest. */
const changeLimit = 20

/** The markers on a thread that this action has signed, oldest first. */
export async function findMarkers(
  thread: Thread,
  { github, sign }: Pick<CommentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<FoundMarker[]>> {
  const comments = await github.comments(thread)
  if (!comments.ok) return comments
  const name = threadName(thread)
  const value = comments.value.flatMap(({ id, body }) =>
    readMarkers(body, name, sign).map((marker) => ({ id, marker })),
  )
  return { ok: true, value }
}

/** The id of the job that more work goes to; empty where that job takes none any more. */
export async function jobToContinue(
  { job: jobId }: Marker,
  { projectId, dryRun }: AgentInputs,
  ports: PlatformPorts,
): Promise<string> {
  if (dryRun) return jobId
  const read = await call(
    { operation: { name: 'read', projectId, jobId }, parse: (json) => parseJob(json, jobId) },
    ports,
  )
  const isGone = !read.ok && read.failure.kind === 'refused' && read.failure.status === 404
  const isOver = read.ok && read.value.status !== 'completed' && isTerminal(read.value.status)
  if (!isGone && !isOver) return jobId
  ports.onProgress({ type: 'job-over', jobId, status: (read.ok && read.value.status) || 'gone' })
  return ''
}

/**
 * Leaves a marker on the agent's pull request, so that what comes there next goes on with its job; and with it, what the
 * pull request documents. One comment, edited as changes are added.
 */
export async function announce(
  { jobId, job }: AgentResult,
  change: DocumentedChange | null,
  ports: CommentPorts,
): Promise<void> {
  const thread = pullRequestThread(job?.prLink ?? null, ports.serverUrl)
  if (thread === null || jobId === null) return
  const tell = warnOnRefusal(thread, ports)
  const known = await tell('read', findMarkers(thread, ports))
  // Where the thread can't be read, whether the comment is there already is not known; a second one is not written.
  if (known === undefined) return
  const ofJob = known.filter(({ marker }) => marker.job === jobId)
  // The oldest that answers no command: those that do are replies with words of their own, and a copy comes after it.
  const own = ofJob.find(({ marker }) => marker.comment === 0)
  const before = own?.marker.changes ?? []
  if (change === null ? ofJob.length > 0 : before.some(isSameAs(change))) return
  const changes = [...before, ...(change === null ? [] : [change])].slice(-changeLimit)
  const marker = writeMarker({ thread: threadName(thread), comment: 0, job: jobId, changes }, ports.sign)
  const text = `${ports.notes.announcement(changes)}\n\n${marker}`
  await (own === undefined
    ? tell('reply', ports.github.reply(thread, text))
    : tell('edit', ports.github.edit(thread, own.id, text)))
}

/** Tells the agent's pull request what it documents, and the change's own where its documentation is. */
export async function tellPullRequests(
  result: AgentResult,
  change: DocumentedChange,
  ports: CommentPorts,
): Promise<void> {
  await announce(result, change, ports)
  await linkDocumentation(result.job?.prLink ?? '', change, ports)
}

/** One comment, edited where the documentation moves. */
async function linkDocumentation(
  prLink: string,
  { repository, number }: DocumentedChange,
  ports: CommentPorts,
): Promise<void> {
  if (number === null) return
  const thread = { repository, number, isPullRequest: true, reviewRoot: null }
  await keepComment(thread, 'documentation', ports.notes.documentation(prLink), ports)
}

/**
 * Keeps one comment of a kind on a thread: the one that is there is edited. A refusal costs a warning.
 * @param kind what tells it from the action's other comments
 */
export async function keepComment(
  thread: Thread,
  kind: string,
  text: string,
  ports: Pick<CommentPorts, 'github' | 'sign' | 'onProgress'>,
): Promise<void> {
  const marker = `<!-- docs-agent-note:1:${ports.sign(`${threadName(thread)} ${kind}`)} -->`
  const tell = warnOnRefusal(thread, ports)
  const comments = await tell('read', ports.github.comments(thread))
  // Whether there is one already is not known then, and a second one is not what was asked for.
  if (comments === undefined) return
  const body = `${text}\n\n${marker}`
  // The oldest is the action's own: a copy of the marker can only come after it.
  const known = comments.find((comment) => comment.body.includes(marker))
  if (known?.body === body) return
  await (known === undefined
    ? tell('reply', ports.github.reply(thread, body))
    : tell('edit', ports.github.edit(thread, known.id, body)))
}

/** Awaits an act on a thread; a refusal is told as a warning, and gives undefined. */
export function warnOnRefusal(thread: Thread, { onProgress }: Pick<CommentPorts, 'onProgress'>) {
  return async <T>(act: ThreadAct, reply: Promise<GitHubReply<T>>): Promise<T | undefined> => {
    const done = await reply
    if (done.ok) return done.value
    onProgress({ type: 'thread-failed', act, thread, refusal: done.refusal })
    return undefined
  }
}

function isSameAs(change: DocumentedChange) {
  return ({ repository, head }: DocumentedChange) => repository === change.repository && head === change.head
}
