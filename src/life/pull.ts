/**
 * What the action writes on the pull requests that a request is about. On the agent's pull request: the job behind it,
 * labels, reviewers and statuses. On the change's pull request: where its docs are.
 */
import { type CodePull, type HoldState, holdContext, holdOf, holdStatuses } from '../core/hold.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import { pullRequestThread } from '../core/job/job.ts'
import type { AgentResult } from '../core/outcome.ts'
import {
  checkPaths,
  guardContext,
  guardText,
  isOpenedFor,
  type PullRequestChanges,
  recordedGlobs,
} from '../core/pull-changes.ts'
import { isSameRepository, pullThread, type Thread, threadName } from '../core/thread.ts'
import { say } from '../say/messages.ts'
import type { AgentPorts } from '../usecases/ports.ts'
import { entriesAbout, orWarn, post, put } from './comments.ts'
import { type CommentEntry, type FoundEntry, type Names, writersOf } from './format.ts'
import { entriesOn } from './lists.ts'
import type { About, Place } from './place.ts'

/** What the workflow sets on the agent's pull requests. */
export type PullSettings = Pick<RunInputs, 'agentLogin' | 'pullRequestLabels' | 'reviewers' | 'allowedPaths'>

/** A result with a pull request, and its request. */
interface News {
  result: AgentResult
  prLink: string
  about: About
  /** When the request began, in milliseconds since the epoch. */
  since: number
  settings: PullSettings
  ports: AgentPorts
}

/**
 * Writes on the pull requests that a result is about. If GitHub rejects something, only the log shows it. Nothing is
 * written on a pull request that the agent did not open.
 */
export async function announce(
  result: AgentResult,
  place: Pick<Place, 'about'>,
  since: number,
  settings: PullSettings,
  ports: AgentPorts,
): Promise<void> {
  const prLink = result.job?.prLink ?? null
  if (prLink === null || result.delivery !== 'sent') return
  const about = await place.about()
  if (about === null) return
  const { change } = about
  const news = { result, prLink, about, since, settings, ports }
  await announceOnDocs(news)
  if (change !== null && change.number !== null)
    await linkDocumentation(pullThread(change.repository, change.number), news)
}

/** Writes on the agent's pull request. */
async function announceOnDocs(news: News): Promise<void> {
  const { prLink, about, settings, ports } = news
  const { changes, job } = news.result
  const { thread, code } = about
  const pull = pullRequestThread(prLink, ports.serverUrl)
  if (pull === null || changes === null) return
  const isChanged = settings.pullRequestLabels.length > 0 || settings.reviewers.length > 0
  // The workflow's own token has no access to another repository.
  if (!isSameRepository(pull.repository, ports.run.repository) && !isChanged && holdOf(code) === null) return
  const { opened } = changes
  if (!isOpenedFor(opened, job?.ref ?? null, settings.agentLogin))
    return ports.log(say.foreignPull(pull, opened.author, settings.agentLogin))
  const isOwnThread = thread !== null && threadName(thread) === threadName(pull)
  if (!isOwnThread) await introduce(pull, changes, news)
  await guard(pull, changes, settings, ports)
}

/**
 * Introduces the agent's pull request: adds labels, requests reviews, and posts a comment. The comment's words never
 * change, so people get one mail. The comment comes after the labels: if the run is killed before it, the next run
 * repeats all of this. A status comes after its entry, because settle sets a missing status.
 */
async function introduce(
  thread: Thread,
  changes: PullRequestChanges,
  { result, prLink: link, about, since, settings, ports }: News,
): Promise<void> {
  const hold = holdOf(about.code)
  const globs = recordedGlobs(settings.allowedPaths)
  const stated = { role: 'pull', state: 'job', job: result.jobId, link, code: hold, globs } as const
  const entry = entryAbout(about, since, stated, ports)
  const known = await ownEntries(thread, ports)
  if (known === null || entriesAbout(entry, known).length > 0) return
  await prepare(thread, settings, about.requester, ports)
  const words = ports.words.provenance(result, about, thread.repository)
  const posted = await orWarn('link', thread, post(thread, words, entry, ports), ports)
  if (posted.ok && hold !== null) await showHold(thread, hold, 'held', changes.head, ports)
}

/** An entry about a request that is kept elsewhere. */
function entryAbout(
  names: Names,
  since: number,
  stated: Pick<CommentEntry, 'role' | 'state'> & Partial<CommentEntry>,
  { run }: AgentPorts,
): CommentEntry {
  const { writer } = writersOf(run)
  const none = { job: null, link: null, by: null, code: null, globs: null }
  return { ...names, writer, attempt: 1, since, until: since, isLeft: true, ...none, ...stated }
}

/** The signed entries on a thread, oldest first; null if the thread cannot be read. Then, a comment may already exist. */
export async function ownEntries(
  thread: Thread,
  ports: AgentPorts,
  act: 'link' | 'read' = 'link',
): Promise<FoundEntry[] | null> {
  const found = await orWarn(act, thread, entriesOn(thread, ports), ports)
  return found.ok ? found.value : null
}

/**
 * Posts a notice on a thread, unless the thread already has it. False if GitHub rejects that.
 * @param words gets the entries on the thread, oldest first
 */
export async function notifyOnce(
  names: Names,
  thread: Thread,
  words: (known: CommentEntry[]) => string,
  ports: AgentPorts,
): Promise<boolean> {
  const known = await ownEntries(thread, ports, 'read')
  if (known === null) return false
  const notice = entryAbout(names, ports.clock.date(), { role: 'notice', state: 'not-sent' }, ports)
  if (entriesAbout(notice, known).length > 0) return true
  const text = words(known.map(({ entry }) => entry))
  return (await orWarn('reply', thread, post(thread, text, notice, ports), ports)).ok
}

/** Keeps one comment on a change's pull request: where its docs are. */
async function linkDocumentation(
  thread: Thread,
  { result, prLink: link, about, since, ports }: News,
): Promise<void> {
  const known = await ownEntries(thread, ports)
  if (known === null) return
  const { code } = about
  const { changes, jobId: job } = result
  const entry = entryAbout(about, since, { role: 'link', state: 'pull-request', job, link, code }, ports)
  const [own] = entriesAbout(entry, known)
  const words = ports.words.documentation(link, changes, code)
  await orWarn('link', thread, put(thread, own?.id ?? null, words, entry, ports), ports)
}

/** Adds labels and requests reviews. GitHub ignores existing ones, so after a killed run, the next run can repeat this. */
async function prepare(
  thread: Thread,
  { pullRequestLabels: labels, reviewers }: PullSettings,
  requester: string | null,
  ports: AgentPorts,
): Promise<void> {
  const { repository, number } = thread
  const { github } = ports
  if (labels.length > 0)
    await orWarn('label', thread, github.addLabels(repository, number, labels), ports, labels)
  const names = new Set(reviewers.flatMap((name) => (name === 'requester' ? (requester ?? []) : name)))
  // One by one, because a reviewer without access would prevent the others from being asked. Bots cannot review.
  for (const name of [...names].filter((each) => !each.endsWith('[bot]'))) {
    await orWarn('review', thread, github.requestReview(repository, number, name), ports, [name])
  }
}

/** Sets a hold's status on a commit of the agent's pull request; false if GitHub rejects it. */
export async function showHold(
  thread: Thread,
  code: CodePull,
  state: HoldState,
  head: string,
  ports: AgentPorts,
): Promise<boolean> {
  const description = ports.words.hold(code, state)
  const targetUrl = linkOf(code, ports)
  const status = { context: holdContext, state: holdStatuses[state], description, targetUrl }
  const setting = ports.github.setStatus(thread.repository, head, status)
  return (await orWarn('hold', thread, setting, ports)).ok
}

/** Sets the status for `allowed-paths` on the last commit in `changes`; false if nothing is checked or set. */
export async function guard(
  thread: Thread,
  changes: PullRequestChanges | null,
  { allowedPaths }: PullSettings,
  ports: AgentPorts,
): Promise<boolean> {
  if (changes === null || allowedPaths.length === 0) return false
  const outside = checkPaths(changes, allowedPaths)
  const state = outside === undefined ? 'success' : 'failure'
  const targetUrl = linkOf(thread, ports)
  const status = { context: guardContext, state, description: guardText(outside), targetUrl } as const
  const setting = ports.github.setStatus(thread.repository, changes.head, status)
  return (await orWarn('guard', thread, setting, ports)).ok
}

/** A pull request's address. */
export function linkOf({ repository, number }: Thread | CodePull, { serverUrl }: AgentPorts): string {
  return `${serverUrl}/${repository}/pull/${number}`
}
