/** Mode settle for the agent's open pull requests: their holds, and their status for `allowed-paths`. */
import { type CodePull, holdContext, holdStatuses, stateToShow } from '../core/hold.ts'
import type { RunInputs } from '../core/inputs/schema.ts'
import type { SettledPull } from '../core/outcome.ts'
import { diffName, globsToCheck, guardContext } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { type PullName, pageUrl, pullOfLink, pullThread, type Thread, threadName } from '../core/thread.ts'
import type { PullEvent } from '../core/trigger/event.ts'
import type { AgentPorts, PullView } from '../ports.ts'
import { orWarn, put } from '../record/comments.ts'
import type { EntryComment } from '../record/format.ts'
import { ofProject } from '../record/lists.ts'
import { lagMs } from '../record/next.ts'
import { say } from '../say/messages.ts'
import { readChanges } from './check-changes.ts'
import { followCode } from './merge.ts'
import { postOnce, readEntries, showGuard, showHold } from './pull.ts'

/** A step in mode settle. */
export interface Settler {
  inputs: RunInputs
  /** The event's pull request; null for other events. */
  pull: PullEvent | null
  /** When it first read GitHub, in milliseconds since the epoch. */
  since: number
  ports: AgentPorts
}

/** One of the agent's open pull requests. */
interface AgentPull extends PullView {
  /** The comment with its record, which has code only if the pull request waits for it. */
  record: EntryComment
}

/** The pull request with the code that a hold waits for. */
const codeOf = (code: CodePull) => pullThread(code, code.number)

/** Lets each hold follow its code, and checks `allowed-paths` again after changes. People decide about everything else. */
export async function followPulls(
  comments: readonly EntryComment[],
  settler: Settler,
): Promise<SettledPull[]> {
  const { ports } = settler
  const pulls = await openPulls(comments, settler)
  const holds = pulls.flatMap(({ record }) => record.entry.code ?? [])
  const codes = await readCodes(holds, ports)
  const rows: SettledPull[] = []
  for (const pull of pulls) {
    if (ports.cancelled.aborted) break
    const link = pageUrl(pull.record.thread, ports.serverUrl)
    for (const did of [await followHold(pull, codes, settler), await renewGuard(pull, settler)])
      if (did !== null) rows.push({ link, did })
  }
  return rows
}

/** The agent's open pull requests that have a record. */
async function openPulls(comments: readonly EntryComment[], settler: Settler) {
  const { ports } = settler
  const views = await readViews(await findPulls(comments, settler), ports)
  const pulls: AgentPull[] = []
  for (const view of views.values()) {
    if (view.state !== 'open') continue
    const record = await findRecord(view.thread, comments, ports)
    if (record?.isSigned) pulls.push({ ...view, record })
    else if (record?.accounts) ports.log(say.otherAccount(view.thread, record.accounts))
  }
  return pulls
}

/**
 * Pull requests that may have a record. Some are named in entries: on the pull request itself, or on the code's thread. A
 * comment that nobody has changed for a long time is not listed, so without a pull request's event, the agent's open ones
 * in this repository are read, too.
 */
async function findPulls(comments: readonly EntryComment[], { inputs, pull, ports }: Settler) {
  const { repository } = ports.run
  const names = comments.flatMap(({ thread, entry: { role, code, link } }): PullName | [] => {
    if (role === 'pull') return thread
    return (code?.hold && pullOfLink(link, ports.serverUrl)) || []
  })
  if (pull !== null) return names
  const list = await orWarn('pulls', repository, ports.github.openPulls(repository), ports)
  for (const { author, number } of list.ok ? list.value : [])
    if (isSameName(author, inputs.agentLogin)) names.push(pullThread(ports.run, number))
  return names
}

/** The record of a pull request, which is read if it is not among the comments. */
async function findRecord(thread: Thread, comments: readonly EntryComment[], ports: AgentPorts) {
  const name = threadName(thread)
  const record = recordIn(comments.filter((each) => threadName(each.thread) === name))
  if (record?.isSigned) return record
  const entries = await readEntries(thread, ports)
  return recordIn(ofProject(entries ?? [], ports)) ?? record
}

/** The record among the entries on a pull request: the oldest one with code, or the oldest; else another account's hold. */
function recordIn(entries: readonly EntryComment[]) {
  const records = entries.filter(({ entry }) => entry.role === 'pull')
  const oldestFirst = records.toSorted((one, other) => one.id - other.id)
  const own = oldestFirst.filter(({ isSigned }) => isSigned)
  const hasCode = ({ entry }: EntryComment) => entry.code !== null
  return own.find(hasCode) ?? own[0] ?? oldestFirst.find(hasCode)
}

/**
 * Reads pull requests, in one query for each name of a repository. Their threads have the IDs that GitHub returns: if
 * another repository has taken a name, its pull requests are not those that entries mean.
 */
async function readViews(pulls: readonly PullName[], ports: AgentPorts) {
  const views = new Map<string, PullView & { thread: Thread }>()
  for (const [repository, group] of Map.groupBy(pulls, (each) => each.repository)) {
    const numbers = [...new Set(group.map(({ number }) => number))]
    const reply = await orWarn('pulls', repository, ports.github.pullViews(repository, numbers), ports)
    for (const view of reply.ok ? reply.value : []) {
      const thread = pullThread({ repository, repositoryId: view.repositoryId }, view.number)
      views.set(threadName(thread), { ...view, thread })
    }
  }
  return views
}

/**
 * Reads where the code of pull requests is, by the names of their threads. It is `merged` only if the default branch has
 * it, and then the merge is the one that brought it there. The number is that of the last pull request of its chain.
 */
async function readCodes(holds: readonly CodePull[], ports: AgentPorts) {
  const codes = await readViews(holds, ports)
  for (const [name, code] of codes) {
    const { repository } = code.thread
    const reply = await orWarn('pulls', repository, followCode(repository, code, ports), ports)
    if (!reply.ok) codes.delete(name)
    else {
      const { number, state, mergeCommit, closedAt } = reply.value
      codes.set(name, { ...code, number, state, mergeCommit, closedAt })
      if (state !== code.state) ports.log(say.notOnDefault(code.thread, number))
    }
  }
  return codes
}

/** Shows the hold's state on the last commit. If the state is news, posts a comment, and then records the state. */
async function followHold(
  { record, statuses, head }: AgentPull,
  codes: ReadonlyMap<string, PullView>,
  { since, ports }: Settler,
): Promise<SettledPull['did'] | null> {
  const { thread, entry } = record
  if (entry.code === null) return null
  const code = codes.get(threadName(codeOf(entry.code)))
  const status = statuses.find(({ context }) => context === holdContext)
  if (code === undefined && status !== undefined) return null
  const state = stateToShow(entry.code, code?.state ?? null, await isReleased(entry.code, code, ports))
  const hold = { ...entry.code, state }
  const isShown = status?.state === holdStatuses[state]
  if (!isShown && !(await showHold(thread, hold, head, ports))) return null
  const did = isShown ? null : 'shown'
  if (code === undefined || state === 'held' || state === entry.code.state) return did
  // Lists lag: another settle may have written something.
  const lag = since + lagMs - ports.clock.date()
  await ports.clock.sleep(Math.max(0, lag), ports.cancelled)
  if (!(await postState(hold, code, record, ports))) return did
  const draft = { ...record, entry: { ...entry, code: hold } }
  await orWarn('link', thread, put(draft, record.id, ports), ports)
  return state === 'lifted' ? 'released' : 'closed'
}

/** Whether a release contains the code. Every release since the merge counts, because some contain another branch. */
async function isReleased(hold: CodePull, code: PullView | undefined, { github }: AgentPorts) {
  if (hold.hold !== 'release' || hold.state === 'lifted' || !code?.mergeCommit) return false
  const releases = await github.releases(hold.repository, code.closedAt ?? 0)
  for (const tag of releases.ok ? releases.value : []) {
    const reply = await github.contains(hold.repository, tag, code.mergeCommit)
    if (reply.ok && reply.value) return true
  }
  return false
}

/**
 * Says once that the code was closed without a merge, or that the docs can be merged. False if GitHub rejects that: the
 * next settle tries again.
 * @param code where the code is; its number is that of the pull request that was closed
 */
function postState(hold: CodePull, code: PullView, { thread, entry }: EntryComment, ports: AgentPorts) {
  const link = pageUrl(thread, ports.serverUrl)
  const names = { ...entry, request: `${hold.state}:${threadName(codeOf(hold))}:${threadName(thread)}` }
  if (hold.state === 'closed')
    return postOnce(names, thread, () => ports.words.abandoned({ ...hold, number: code.number }), ports)
  const write = (comments: EntryComment[]) => {
    // A later request on the code's thread may have given the job a newer commit.
    const entries = comments.map((each) => each.entry).filter(({ job }) => job === entry.job)
    const heads = [hold.head, ...entries.flatMap(({ code }) => code?.head ?? [])]
    const last = { ...hold, head: heads.at(-1) ?? hold.head }
    return ports.words.released(last, link, !heads.includes(code.head))
  }
  return postOnce(names, codeOf(hold), write, ports)
}

/** Renews the status for `allowed-paths` if the changes are not those that it is about, and the globs are the step's that asked. */
async function renewGuard(pull: AgentPull, { inputs, ports }: Settler) {
  const { thread, entry } = pull.record
  const globs = globsToCheck(entry.globs, inputs.allowedPaths) ?? []
  const status = pull.statuses.find(({ context }) => context === guardContext)
  if (globs.length === 0 || status?.description.endsWith(diffName(pull))) return null
  const changes = await readChanges(pageUrl(thread, ports.serverUrl), null, globs, ports)
  if (changes === null || !(await showGuard(thread, changes, globs, ports))) return null
  return 'guarded' as const
}
