/** What the action writes on the agent's pull requests, and where the docs are on the pull requests of changes. */
import { type CodePull, holdContext, holdStatuses } from '../core/hold.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import type { AgentResult } from '../core/outcome.ts'
import { globsName, guardStatus, isOpenedFor, type PullRequestChanges } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { pullRequestThread, pullThread, type Thread, threadName } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import { entriesAbout, orWarn, put } from '../record/comments.ts'
import { type CommentEntry, type EntryComment, type Names, writersOf } from '../record/format.ts'
import { entriesOn } from '../record/lists.ts'
import type { Place } from '../record/place.ts'
import { say } from '../say/messages.ts'
import { originOf } from './origin.ts'

/** A result of a request, and what the workflow sets on the agent's pull requests. */
interface News {
  result: AgentResult
  place: Pick<Place, 'request' | 'origin'>
  /** When the request began, in milliseconds since the epoch. */
  since: number
  settings: Pick<RunInputs, 'agentLogin' | 'pullRequestLabels' | 'reviewers' | 'allowedPaths'>
}

/**
 * Writes on the pull requests that a result is about. If GitHub rejects something, only the log shows it. Nothing is
 * written on a pull request that the agent did not open.
 */
export async function announce({ result, place, since, settings }: News, ports: AgentPorts): Promise<void> {
  const { job, jobId, changes, delivery } = result
  if (!job?.link || delivery !== 'sent') return
  const about = await originOf(place, ports)
  if (about === null) return
  const { thread, change, requester, code } = about
  const { github, words, run, serverUrl } = ports
  const { pullRequestLabels: labels, reviewers, allowedPaths, agentLogin } = settings
  const stated = { since, job: jobId, link: job.link, code }
  const hold = code?.hold ? code : null

  /** Writes on the agent's pull request. */
  const writeOnDocs = async (docs: Thread, read: PullRequestChanges) => {
    const isChanged = labels.length > 0 || reviewers.length > 0 || hold !== null
    // The workflow's own token has no access to another repository.
    if (!isSameName(docs.repository, run.repository) && !isChanged) return
    if (!isOpenedFor(read.opened, job.branch, agentLogin))
      return ports.log(say.foreignPull(docs, read.opened.author, agentLogin))
    if (thread === null || threadName(thread) !== threadName(docs)) await introduce(docs, read.head)
    if (allowedPaths.length > 0) await guard(docs, read, allowedPaths, ports)
  }

  /**
   * Introduces the agent's pull request: adds labels, requests reviews, and posts a comment, whose words never change, so
   * people get one mail. If the run is killed before the comment, the next run repeats all of this: GitHub ignores
   * existing labels and reviewers. A status comes after its entry, because settle sets a missing status.
   */
  const introduce = async (docs: Thread, head: string) => {
    const { repository, number } = docs
    const globs = globsName(allowedPaths)
    const entry = entryAbout(about, { ...stated, role: 'pull', state: 'job', code: hold, globs }, ports)
    const known = await ownEntries(docs, ports)
    if (known === null || entriesAbout(entry, known).length > 0) return
    if (labels.length > 0)
      await orWarn('label', docs, github.addLabels(repository, number, labels), ports, labels)
    const names = reviewers.flatMap((name) => (name === 'requester' ? (requester ?? []) : name))
    // One by one, because a reviewer without access would prevent the others from being asked. Bots cannot review.
    for (const name of new Set(names.filter((each) => !each.endsWith('[bot]'))))
      await orWarn('review', docs, github.requestReview(repository, number, name), ports, [name])
    const draft = { thread: docs, words: words.provenance(result, about, repository), entry }
    const posted = await orWarn('link', docs, put(draft, null, ports), ports)
    if (posted.ok && hold !== null) await showHold(docs, hold, head, ports)
  }

  /** Keeps one comment on the change's pull request: where its docs are. */
  const linkDocs = async (pull: Thread) => {
    const known = await ownEntries(pull, ports)
    if (known === null) return
    const entry = entryAbout(about, { ...stated, role: 'link', state: 'pull-request' }, ports)
    const [own] = entriesAbout(entry, known)
    const draft = { thread: pull, words: words.documentation(stated.link, changes, code), entry }
    await orWarn('link', pull, put(draft, own?.id ?? null, ports), ports)
  }

  const docs = pullRequestThread(stated.link, serverUrl)
  if (docs !== null && changes !== null) await writeOnDocs(docs, changes)
  if (change?.number) await linkDocs(pullThread(change.repository, change.number))
}

type Stated = Pick<CommentEntry, 'role' | 'state' | 'since'> & Partial<CommentEntry>

/** An entry about a request that is kept elsewhere. */
function entryAbout(names: Names, stated: Stated, { run }: AgentPorts): CommentEntry {
  const { writer } = writersOf(run)
  const none = { job: null, link: null, by: null, code: null, globs: null }
  return { ...names, writer, attempt: 1, until: stated.since, isLeft: true, ...none, ...stated }
}

/** The signed entries on a thread; null if GitHub rejects that. @param act why they are read */
export async function ownEntries(thread: Thread, ports: AgentPorts, act: 'link' | 'read' = 'link') {
  const found = await orWarn(act, thread, entriesOn(thread, ports), ports)
  return found.ok ? found.value : null
}

/** Writes a notice. @param known the entries on its thread, oldest first */
type Write = (known: EntryComment[]) => string

/** Posts a notice on a thread, unless the thread already has it. False if GitHub rejects that. */
export async function notifyOnce(names: Names, thread: Thread, write: Write, ports: AgentPorts) {
  const known = await ownEntries(thread, ports, 'read')
  if (known === null) return false
  const entry = entryAbout(names, { role: 'notice', state: 'not-sent', since: ports.clock.date() }, ports)
  if (entriesAbout(entry, known).length > 0) return true
  return (await orWarn('reply', thread, put({ thread, words: write(known), entry }, null, ports), ports)).ok
}

/** Sets a hold's status on a commit of the agent's pull request; false if GitHub rejects it. */
export async function showHold(on: Thread, hold: CodePull, head: string, ports: AgentPorts) {
  const { state = 'held' } = hold
  const description = ports.words.hold(hold, state)
  const targetUrl = linkOf(hold, ports)
  const status = { context: holdContext, state: holdStatuses[state], description, targetUrl }
  return (await orWarn('hold', on, ports.github.setStatus(on.repository, head, status), ports)).ok
}

/** Sets the status for `allowed-paths` on the last commit in `changes`; false if GitHub rejects it. */
export async function guard(on: Thread, changes: PullRequestChanges, globs: string[], ports: AgentPorts) {
  const status = { ...guardStatus(changes, globs), targetUrl: linkOf(on, ports) }
  return (await orWarn('guard', on, ports.github.setStatus(on.repository, changes.head, status), ports)).ok
}

/** A pull request's address. */
export function linkOf({ repository, number }: Thread | CodePull, { serverUrl }: AgentPorts): string {
  return `${serverUrl}/${repository}/pull/${number}`
}
