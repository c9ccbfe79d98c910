/**
 * What the action writes on the pull requests that a request is about. On the agent's pull request: the job behind it.
 * On the change's pull request: where its docs are.
 */

import { pullRequestThread } from '../core/job/job.ts'
import type { AgentResult } from '../core/outcome.ts'
import {
  type CodePull,
  type HoldKind,
  type HoldState,
  holdContext,
  holdStatuses,
  type Origin,
} from '../core/pull.ts'
import { isOpenedFor, openedOf } from '../core/review.ts'
import { isSameRepository, pullThread, type Thread, threadName } from '../core/thread.ts'
import { say } from '../say/messages.ts'
import type { AgentPorts, GitHubReply } from '../usecases/ports.ts'
import { changesPulls, guard, type PullSettings, prepare, warn } from '../usecases/pull-settings.ts'
import { readPull } from '../usecases/review.ts'
import { discard, edit, entriesOn, post, put } from './comments.ts'
import type { CommentEntry, FoundEntry } from './format.ts'

/** What is needed to write on pull requests. The optional parts are what mode settle remembers while it runs. */
export interface PullPorts extends AgentPorts {
  /** The jobs whose pull requests this step has already introduced: GitHub's lists might not show that yet. */
  introduced?: Set<string>
  /** The entries that this step has changed on pull requests, by comment. */
  renewed?: Map<number, CommentEntry>
}

/** The parts of a request that identify a comment about it. */
export type RequestRef = Pick<CommentEntry, 'request' | 'step' | 'project' | 'since' | 'writer'>

/**
 * Comments on the pull requests that a result is about. On the agent's pull request: the job and change behind it, so
 * that commands there go to the job. On the change's pull request: where its docs are. If GitHub rejects a comment,
 * only the log shows it.
 */
export async function announce(
  result: AgentResult,
  origin: Origin,
  ref: RequestRef,
  settings: PullSettings,
  ports: PullPorts,
): Promise<void> {
  const { repository, thread, change, code } = origin
  const prLink = result.job?.prLink ?? null
  if (prLink === null || result.delivery !== 'sent') return
  const pull = pullRequestThread(prLink, ports.serverUrl)
  const isOwnThread = thread !== null && pull !== null && threadName(thread) === threadName(pull)
  // The workflow's own token has no access to another repository.
  const isWithin =
    pull !== null && (isSameRepository(pull, { repository }) || changesPulls(settings) || isHolding(code))
  if (isWithin && (await isAgents(pull, result, settings, ports))) {
    if (!isOwnThread) await introduce(pull, result, origin, ref, settings, ports)
    await guard(pull, { changes: result.changes, prLink }, settings, ports)
  }
  if (change !== null && change.number !== null)
    await linkDocumentation({ ...change, number: change.number }, prLink, result, code, ref, ports)
}

/** Whether the agent opened the pull request that Mintlify names. If not, nothing is written on it, and the log says why. */
async function isAgents(
  thread: Thread,
  { changes, job }: AgentResult,
  { agentLogin }: PullSettings,
  ports: PullPorts,
): Promise<boolean> {
  const { github, log } = ports
  const read = changes === null ? await readPull(thread, github) : null
  if (read?.ok === false) {
    leaveOut(thread, read, ports)
    return false
  }
  const opened = changes?.opened ?? (read && openedOf(read.value))
  const ref = job?.ref ?? null
  if (opened !== null && isOpenedFor(opened, ref, agentLogin)) return true
  log(say.foreignPull(thread, opened?.author ?? null, agentLogin, ref))
  return false
}

/**
 * Introduces the agent's pull request: adds labels, requests reviews, and posts a comment. The comment's words never
 * change, so people get one mail. The comment comes last: if the run is killed before it, the next run repeats all of
 * this.
 */
async function introduce(
  thread: Thread,
  result: AgentResult,
  origin: Origin,
  ref: RequestRef,
  settings: PullSettings,
  ports: PullPorts,
): Promise<void> {
  const { requester, code } = origin
  const { jobId, job } = result
  if (jobId === null || ports.introduced?.has(jobId)) return
  const isSame = ({ role, job, project }: CommentEntry) =>
    role === 'pull' && job === jobId && project === ref.project
  const own = await ownEntries(thread, isSame, ports)
  if (own === null) return
  const [known, ...copies] = own
  const head = result.changes?.head ?? null
  if (known !== undefined) {
    await discard(thread, copies, ports)
    return isHolding(code) ? renewHold(thread, known, code, head, ref, ports) : undefined
  }
  await prepare(thread, settings, requester, ports)
  const held = isHolding(code) ? { ...code, state: 'held' as const } : null
  const link = job?.prLink ?? null
  const entry = { ...entryAbout(ref), role: 'pull', state: 'job', job: jobId, link, code: held } as const
  const posted = await post(thread, ports.words.provenance(result, origin, thread.repository), entry, ports)
  leaveOut(thread, posted, ports)
  // The entry comes first, because settle sets a missing status. Without the entry, settle could not lift the hold.
  if (posted.ok && isHolding(code)) await showHold(thread, code, 'held', head, ports)
  ports.introduced?.add(jobId)
}

/** The fields of an entry about a request that is kept elsewhere. */
export function entryAbout(ref: RequestRef): Omit<CommentEntry, 'role' | 'state' | 'job' | 'link' | 'code'> {
  return { ...ref, attempt: 1, until: ref.since, isLeft: true, by: null, globs: null }
}

/** The signed entries on a thread, oldest first; null if the thread cannot be read. Then, a comment may already exist. */
export async function ownEntries(
  thread: Thread,
  isWanted: (entry: CommentEntry) => boolean,
  ports: PullPorts,
): Promise<FoundEntry[] | null> {
  const found = await entriesOn(thread, ports)
  leaveOut(thread, found, ports)
  return found.ok ? found.value.filter(({ entry, isSigned }) => isSigned && isWanted(entry)) : null
}

/** Records the newer commit that a later request gave the agent. The comment's words and the hold's state stay. */
async function renewHold(
  thread: Thread,
  found: FoundEntry,
  code: CodePull,
  head: string | null,
  { since }: RequestRef,
  ports: PullPorts,
): Promise<void> {
  const { code: last } = found.entry
  // With `job-id`, one job can document several pull requests. The docs only wait for the first one.
  if (last && (!isSameRepository(last, code) || last.number !== code.number)) return
  const isKnown = last?.hold === code.hold && last.head === code.head
  if (isKnown || since <= found.entry.since) return
  const entry = { ...found.entry, since, code: { ...code, state: last?.state ?? ('held' as const) } }
  const edited = await edit(thread, found.id, found.words, entry, ports)
  if (edited.ok) ports.renewed?.set(found.id, entry)
  leaveOut(thread, edited, ports)
  if (edited.ok && !last) await showHold(thread, code, 'held', head, ports)
}

function isHolding(code: CodePull | null): code is CodePull & { hold: HoldKind } {
  return code !== null && code.hold !== null
}

/** Sets a hold's status on the agent's pull request. @param head its last commit; null if it must be read */
export async function showHold(
  thread: Thread,
  code: CodePull,
  state: HoldState,
  head: string | null,
  ports: PullPorts,
): Promise<boolean> {
  const { repository, number } = thread
  const { github, words, serverUrl } = ports
  const read = head === null ? await github.pull(repository, number) : null
  if (read?.ok === false) return false
  const commit = head ?? read?.value?.headCommit ?? null
  if (commit === null) return false
  const targetUrl = `${serverUrl}/${code.repository}/pull/${code.number}`
  const status = {
    context: holdContext,
    state: holdStatuses[state],
    description: words.hold(code, state),
    targetUrl,
  }
  const set = await github.setStatus(repository, commit, status)
  warn('hold', [], thread, set, ports)
  return set.ok
}

/** Keeps one comment on a change's pull request: where its docs are. */
async function linkDocumentation(
  { repository, number }: { repository: string; number: number },
  prLink: string,
  { changes, jobId }: AgentResult,
  code: CodePull | null,
  ref: RequestRef,
  ports: PullPorts,
): Promise<void> {
  const thread = pullThread(repository, number)
  const isSame = ({ role, step }: CommentEntry) => role === 'link' && step === ref.step
  const own = await ownEntries(thread, isSame, ports)
  if (own === null) return
  const [known, ...copies] = own
  await discard(thread, copies, ports)
  const entry = {
    ...entryAbout(ref),
    role: 'link',
    state: 'pull-request',
    job: jobId,
    link: prLink,
    code,
  } as const
  const words = ports.words.documentation(prLink, changes, code)
  leaveOut(thread, await put(thread, known?.id ?? null, words, entry, ports), ports)
}

/** Reports a comment that GitHub rejected. */
export function leaveOut(thread: Thread, reply: GitHubReply<unknown>, { log }: Pick<PullPorts, 'log'>): void {
  if (!reply.ok) log(say.unannounced(thread, reply.rejection))
}
