/**
 * What the action writes on the pull requests that a request is about. On the agent's pull request: the job behind it,
 * labels, reviewers and statuses. On the change's pull request: where its docs are.
 */
import { type CodePull, type HoldState, holdContext, holdOf, holdStatuses } from '../core/hold.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import { pullRequestThread } from '../core/job/job.ts'
import type { AgentResult } from '../core/outcome.ts'
import { guardStatus, isOpenedFor, type PullRequestChanges, recordedGlobs } from '../core/pull-changes.ts'
import { isSameRepository, pullThread, type Thread, threadName } from '../core/thread.ts'
import { say } from '../say/messages.ts'
import type { AgentPorts, CommitStatus } from '../usecases/ports.ts'
import { entriesAbout, orWarn, put } from './comments.ts'
import { type CommentEntry, type FoundEntry, type Names, writersOf } from './format.ts'
import { entriesOn } from './lists.ts'
import type { About, Place } from './place.ts'

/** What the workflow sets on the agent's pull requests. */
export type PullSettings = Pick<RunInputs, 'agentLogin' | 'pullRequestLabels' | 'reviewers' | 'allowedPaths'>

/** A result of a request. */
interface News {
  result: AgentResult
  place: Pick<Place, 'about'>
  /** When the request began, in milliseconds since the epoch. */
  since: number
  settings: PullSettings
}

/** A result with a pull request. */
interface PullNews extends Omit<News, 'place'> {
  link: string
  about: About
  ports: AgentPorts
}

/**
 * Writes on the pull requests that a result is about. If GitHub rejects something, only the log shows it. Nothing is
 * written on a pull request that the agent did not open.
 */
export async function announce({ place, ...news }: News, ports: AgentPorts): Promise<void> {
  const { job, delivery } = news.result
  if (!job?.prLink || delivery !== 'sent') return
  const about = await place.about()
  if (about === null) return
  const found = { ...news, link: job.prLink, about, ports }
  await announceOnDocs(found)
  const { change } = about
  if (change?.number) await linkDocumentation(pullThread(change.repository, change.number), found)
}

/** Writes on the agent's pull request. */
async function announceOnDocs(news: PullNews): Promise<void> {
  const { result, link, about, settings, ports } = news
  const { changes, job } = result
  const { thread, code } = about
  const pull = pullRequestThread(link, ports.serverUrl)
  if (pull === null || changes === null) return
  const isChanged = settings.pullRequestLabels.length > 0 || settings.reviewers.length > 0
  // The workflow's own token has no access to another repository.
  if (!isSameRepository(pull.repository, ports.run.repository) && !isChanged && holdOf(code) === null) return
  const { opened } = changes
  if (!isOpenedFor(opened, job?.ref ?? null, settings.agentLogin))
    return ports.log(say.foreignPull(pull, opened.author, settings.agentLogin))
  if (thread === null || threadName(thread) !== threadName(pull)) await introduce(pull, changes.head, news)
  await guard(pull, changes, settings, ports)
}

/**
 * Introduces the agent's pull request: adds labels, requests reviews, and posts a comment. The comment's words never
 * change, so people get one mail. The comment comes after the labels: if the run is killed before it, the next run
 * repeats all of this. A status comes after its entry, because settle sets a missing status.
 */
async function introduce(thread: Thread, head: string, news: PullNews): Promise<void> {
  const { result, link, about, since, settings, ports } = news
  const hold = holdOf(about.code)
  const globs = recordedGlobs(settings.allowedPaths)
  const stated = { role: 'pull', state: 'job', job: result.jobId, link, code: hold, globs } as const
  const entry = entryAbout(about, since, stated, ports)
  const known = await ownEntries(thread, ports)
  if (known === null || entriesAbout(entry, known).length > 0) return
  await prepare(thread, news)
  const words = ports.words.provenance(result, about, thread.repository)
  const posted = await orWarn('link', thread, put({ thread, words, entry }, null, ports), ports)
  if (posted.ok && hold !== null) await showHold(thread, hold, 'held', head, ports)
}

type Stated = Pick<CommentEntry, 'role' | 'state'> & Partial<CommentEntry>

/** An entry about a request that is kept elsewhere. */
function entryAbout(names: Names, since: number, stated: Stated, { run }: AgentPorts): CommentEntry {
  const { writer } = writersOf(run)
  const none = { job: null, link: null, by: null, code: null, globs: null }
  return { ...names, writer, attempt: 1, since, until: since, isLeft: true, ...none, ...stated }
}

/** The signed entries on a thread; null if GitHub rejects that. @param act why they are read */
export async function ownEntries(thread: Thread, ports: AgentPorts, act: 'link' | 'read' = 'link') {
  const found = await orWarn(act, thread, entriesOn(thread, ports), ports)
  return found.ok ? found.value : null
}

/**
 * Posts a notice on a thread, unless the thread already has it. False if GitHub rejects that.
 * @param write gets the entries on the thread, oldest first
 */
export async function notifyOnce(
  names: Names,
  thread: Thread,
  write: (known: FoundEntry[]) => string,
  ports: AgentPorts,
): Promise<boolean> {
  const known = await ownEntries(thread, ports, 'read')
  if (known === null) return false
  const entry = entryAbout(names, ports.clock.date(), { role: 'notice', state: 'not-sent' }, ports)
  if (entriesAbout(entry, known).length > 0) return true
  return (await orWarn('reply', thread, put({ thread, words: write(known), entry }, null, ports), ports)).ok
}

/** Keeps one comment on a change's pull request: where its docs are. */
async function linkDocumentation(thread: Thread, news: PullNews): Promise<void> {
  const { result, link, about, since, ports } = news
  const known = await ownEntries(thread, ports)
  if (known === null) return
  const { code } = about
  const { changes, jobId: job } = result
  const entry = entryAbout(about, since, { role: 'link', state: 'pull-request', job, link, code }, ports)
  const id = entriesAbout(entry, known)[0]?.id ?? null
  const words = ports.words.documentation(link, changes, code)
  await orWarn('link', thread, put({ thread, words, entry }, id, ports), ports)
}

/** Adds labels and requests reviews. GitHub ignores existing ones, so after a killed run, the next run can repeat this. */
async function prepare(thread: Thread, { settings, about, ports }: PullNews): Promise<void> {
  const { repository, number } = thread
  const { github } = ports
  const { pullRequestLabels: labels, reviewers } = settings
  if (labels.length > 0)
    await orWarn('label', thread, github.addLabels(repository, number, labels), ports, labels)
  const names = reviewers.flatMap((name) => (name === 'requester' ? (about.requester ?? []) : name))
  // One by one, because a reviewer without access would prevent the others from being asked. Bots cannot review.
  for (const name of new Set(names.filter((each) => !each.endsWith('[bot]'))))
    await orWarn('review', thread, github.requestReview(repository, number, name), ports, [name])
}

/** Sets a hold's status on a commit of the agent's pull request; false if GitHub rejects it. */
export function showHold(thread: Thread, code: CodePull, state: HoldState, head: string, ports: AgentPorts) {
  const description = ports.words.hold(code, state)
  const targetUrl = linkOf(code, ports)
  const status = { context: holdContext, state: holdStatuses[state], description, targetUrl }
  return show('hold', thread, head, status, ports)
}

/** Sets the status for `allowed-paths` on the last commit in `changes`; false if nothing is checked or set. */
export async function guard(
  thread: Thread,
  changes: PullRequestChanges | null,
  { allowedPaths }: PullSettings,
  ports: AgentPorts,
): Promise<boolean> {
  if (changes === null || allowedPaths.length === 0) return false
  const status = { ...guardStatus(changes, allowedPaths), targetUrl: linkOf(thread, ports) }
  return show('guard', thread, changes.head, status, ports)
}

async function show(
  act: 'hold' | 'guard',
  on: Thread,
  head: string,
  status: CommitStatus,
  ports: AgentPorts,
) {
  return (await orWarn(act, on, ports.github.setStatus(on.repository, head, status), ports)).ok
}

/** A pull request's address. */
export function linkOf({ repository, number }: Thread | CodePull, { serverUrl }: AgentPorts): string {
  return `${serverUrl}/${repository}/pull/${number}`
}
