/** What the action writes on the agent's pull requests, and where the docs are on the pull requests of changes. */
import { type CodePull, holdContext, holdStatuses } from '../core/hold.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import { fingerprint } from '../core/mark.ts'
import type { AgentResult } from '../core/outcome.ts'
import {
  checkPaths,
  globsName,
  guardContext,
  isOpenedFor,
  type PullRequestChanges,
} from '../core/pull-changes.ts'
import { pageUrl, pullOfLink, pullThread, type Thread, threadName } from '../core/thread.ts'
import type { Origin } from '../core/trigger/change.ts'
import type { AgentPorts } from '../ports.ts'
import { entriesAbout, orWarn, put } from '../record/comments.ts'
import { type CommentEntry, type MarkedComment, type Names, writersOf } from '../record/format.ts'
import { entriesOn } from '../record/lists.ts'
import type { CommitRequest, Place } from '../record/place.ts'
import { say } from '../say/messages.ts'
import type { GitHubAct } from '../say/rejections.ts'

/** A result of a request, and what the workflow sets on the agent's pull requests. */
interface PullUpdate {
  result: AgentResult
  place: Place
  /** When the request began, in milliseconds since the epoch. */
  since: number
  settings: RunInputs
  /** The entries that were read already, and what this run wrote, by the names of their threads. */
  entries?: Map<string, Pick<MarkedComment, 'id' | 'entry'>[]>
}

/** The docs of a request, and what is written about them. */
interface Docs extends PullUpdate {
  origin: Origin & Names
  link: string
  /** The code that the agent's pull request waits for; null if it waits for none. */
  hold: CodePull | null
  ports: AgentPorts
}

/**
 * Writes on the pull requests that a result is about. If a call fails, only the log shows it. Nothing is
 * written on a pull request that the agent did not open.
 */
export async function writeOnPulls(update: PullUpdate, ports: AgentPorts) {
  const { job, changes, delivery } = update.result
  const link = job?.link
  if (!link || delivery !== 'sent') return
  const origin = await originOf(update.place, ports)
  if (origin === null) return
  const { code, change } = origin
  const docs = { ...update, origin, link, hold: code?.hold ? code : null, ports }
  const pull = pullOfLink(link, ports.serverUrl)
  if (pull !== null && changes !== null) {
    const { repositoryId } = changes
    await writeOnDocs(docs, pullThread({ ...pull, repositoryId }, pull.number), changes)
  }
  if (change?.number) await linkDocs(docs, pullThread(change, change.number))
}

/** What a place's request is about, and its names in comments; null if it has none, so nothing is written about it. */
async function originOf({ request, origin }: Place, ports: AgentPorts) {
  if (request === null) return null
  if ('thread' in request) return { ...request, change: null, requester: request.by }
  const { project } = ports.run.step
  const step = fingerprint(`${project}\n${request.context}`)
  const names = { request: `run:${request.run}`, step, project: fingerprint(project) }
  return { ...(origin ?? (await readOrigin(request, ports))), ...names }
}

/** What a request on a commit is about. A commit that merged its pull request has no code to wait for or to compare with. */
async function readOrigin({ commit: head, follows, number: pullNumber }: CommitRequest, ports: AgentPorts) {
  const { repository, repositoryId } = ports.run
  const reply = pullNumber === null ? null : await ports.github.pull(pullThread(ports.run, pullNumber))
  const pull = reply?.ok ? reply.value : null
  const author = pull?.author ?? null
  const hold = follows === 'merge' || follows === 'release' ? follows : null
  // Only a request of an open pull request has a hold, so its code is known even if the pull request cannot be read.
  const number = pull === null && hold === null ? null : pullNumber
  const isMerge = pull?.mergeCommit === head && pull.head !== head
  const change = follows === 'nothing' ? null : { repository, repositoryId, head, number, author }
  const code = number === null || isMerge ? null : { repository, repositoryId, number, head, hold }
  return { thread: null, change, requester: author, isBot: pull?.isByBot ?? false, code }
}

/** Writes on the agent's pull request. */
async function writeOnDocs(docs: Docs, pull: Thread, changes: PullRequestChanges) {
  const { result, hold, origin, ports, settings } = docs
  const { pullRequestLabels: labels, reviewers, allowedPaths, agentLogin } = settings
  const isChanged = labels.length > 0 || reviewers.length > 0 || hold !== null
  // The workflow's own token has no access to another repository.
  if (pull.repositoryId !== ports.run.repositoryId && !isChanged) return
  if (!isOpenedFor(changes, result.job?.branch ?? null, agentLogin))
    return ports.log(say.foreignPull(pull, changes.author, agentLogin))
  const { thread } = origin
  if (thread === null || threadName(thread) !== threadName(pull)) await introduce(docs, pull, changes.head)
  if (allowedPaths.length > 0) await showGuard(pull, changes, allowedPaths, ports)
}

/**
 * Introduces the agent's pull request: adds labels, requests reviews, and posts a comment, whose words never change, so
 * people get one mail. If the run is killed before the comment, the next run repeats all of this: GitHub ignores
 * existing labels and reviewers. A status comes after its entry, because settle sets a missing status.
 */
async function introduce(docs: Docs, pull: Thread, head: string) {
  const { result, origin, hold, settings, link, since, ports } = docs
  const job = result.jobId
  const globs = globsName(settings.allowedPaths)
  const entry = entryAbout(origin, { role: 'pull', state: 'job', since, job, link, code: hold, globs }, ports)
  // Without its record, nothing would lift a hold, so it gets none.
  const act = hold === null ? 'link' : 'record-hold'
  const entries = docs.entries?.get(threadName(pull)) ?? (await readEntries(pull, ports, act))
  if (entries === null || entriesAbout(entry, entries).length > 0) return
  await addLabelsAndReviewers(docs, pull)
  const words = ports.words.provenance(result, origin, pull.repositoryId)
  const draft = { thread: pull, words, entry }
  const reply = await orWarn(act, pull, put(draft, null, ports), ports)
  if (!reply.ok) return
  // Another result of the same job does not introduce it again.
  docs.entries?.set(threadName(pull), [...entries, { ...draft, id: reply.value }])
  if (hold !== null) await showHold(pull, hold, head, ports)
}

async function addLabelsAndReviewers({ settings, origin, ports }: Docs, pull: Thread) {
  const { pullRequestLabels: labels, reviewers } = settings
  const { repository, number } = pull
  if (labels.length > 0)
    await orWarn('label', pull, ports.github.addLabels(repository, number, labels), ports, labels)
  const requester = origin.isBot ? null : origin.requester
  const names = reviewers.flatMap((name) => (name === 'requester' ? (requester ?? []) : name))
  // One by one, because a reviewer without access would prevent the others from being asked.
  for (const name of new Set(names))
    await orWarn('review', pull, ports.github.requestReview(repository, number, name), ports, [name])
}

/** Keeps one comment on the change's pull request: where its docs are. */
async function linkDocs({ result, link, since, origin, entries: cache, ports }: Docs, pull: Thread) {
  const { code } = origin
  const entries = cache?.get(threadName(pull)) ?? (await readEntries(pull, ports))
  if (entries === null) return
  const job = result.jobId
  const entry = entryAbout(origin, { role: 'link', state: 'pull-request', since, job, link, code }, ports)
  const [comment] = entriesAbout(entry, entries)
  const words = ports.words.documentation(link, result.changes, code)
  const draft = { thread: pull, words, entry }
  const reply = await orWarn('link', pull, put(draft, comment?.id ?? null, ports), ports)
  // The result of another commit edits this comment. GitHub's lists may still lack it.
  if (reply.ok) cache?.set(threadName(pull), [...entries, { ...draft, id: reply.value }])
}

/** An entry about a request that is kept elsewhere. */
function entryAbout(
  names: Names,
  fields: Pick<CommentEntry, 'role' | 'state' | 'since'> & Partial<CommentEntry>,
  { run }: AgentPorts,
) {
  const { writer } = writersOf(run)
  return {
    ...names,
    writer,
    attempt: 1,
    until: fields.since,
    isLeft: true,
    job: null,
    link: null,
    by: null,
    isBot: false,
    code: null,
    globs: null,
    ...fields,
  }
}

/** The signed entries on a thread; null if that fails. @param act why they are read */
export async function readEntries(thread: Thread, ports: AgentPorts, act: GitHubAct = 'link') {
  const reply = await orWarn(act, thread, entriesOn(thread, ports), ports)
  return reply.ok ? reply.value : null
}

/** Posts a notice on a thread, unless the thread already has it. False if that fails. */
export async function postOnce(names: Names, thread: Thread, words: string, ports: AgentPorts) {
  const entries = await readEntries(thread, ports, 'read')
  if (entries === null) return false
  const entry = entryAbout(names, { role: 'notice', state: 'not-sent', since: ports.clock.date() }, ports)
  if (entriesAbout(entry, entries).length > 0) return true
  return (await orWarn('reply', thread, put({ thread, words, entry }, null, ports), ports)).ok
}

/** Sets a hold's status on a commit of the agent's pull request; false if that fails. */
export async function showHold(pull: Thread, hold: CodePull, head: string, ports: AgentPorts) {
  const { state = 'held' } = hold
  const description = ports.words.hold(hold, state)
  const targetUrl = pageUrl({ ...hold, isPullRequest: true }, ports.serverUrl)
  const status = { context: holdContext, state: holdStatuses[state], description, targetUrl }
  return (await orWarn('hold', pull, ports.github.setStatus(pull.repository, head, status), ports)).ok
}

/**
 * Sets the status for `allowed-paths` on the last commit in `changes`. Its description ends with the name of what was
 * checked.
 */
export async function showGuard(
  pull: Thread,
  changes: PullRequestChanges,
  globs: string[],
  ports: AgentPorts,
) {
  const problem = checkPaths(changes, globs)
  const state = problem ? 'failure' : 'success'
  const description = `${ports.words.guard(problem)} · ${changes.diffName}`
  const targetUrl = pageUrl(pull, ports.serverUrl)
  const status = { context: guardContext, state, description, targetUrl } as const
  await orWarn('guard', pull, ports.github.setStatus(pull.repository, changes.head, status), ports)
}
