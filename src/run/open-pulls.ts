/** The agent's open pull requests in mode settle: which there are, their holds, and their status for `allowed-paths`. */
import { type CodePull, holdContext, holdStatuses, stateToShow } from '../core/hold.ts'
import type { OpenPull } from '../core/outcome.ts'
import { diffName, globsToCheck, guardContext } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { type PullName, pageUrl, pullOfLink, pullThread, type Thread, threadName } from '../core/thread.ts'
import type { AgentPorts, PullView } from '../ports.ts'
import { orWarn, put } from '../record/comments.ts'
import type { MarkedComment } from '../record/format.ts'
import { ofProject } from '../record/lists.ts'
import { lagMs } from '../record/next.ts'
import { say } from '../say/messages.ts'
import { readChanges } from './check-changes.ts'
import { followCode } from './merge.ts'
import type { Settler } from './open-work.ts'
import { postOnce, readEntries, showGuard, showHold } from './pull.ts'

/** A link; nothing if there is none. */
type Link = string | null | undefined

/** A pull request as `readViews` finds it: with its thread, and the address of its page. */
export interface FoundPull extends PullView {
  thread: Thread
  url: string
}

/** One of the agent's open pull requests. */
interface AgentPull extends FoundPull {
  /** The comment with its record; null if it has none. */
  record: MarkedComment | null
  /** The hold in its record, if any. */
  hold: CodePull | null
  /** Whether a job of this action made it. */
  isOwn: boolean
}

/** What GitHub lists of the repository's comments. */
export interface Listed {
  comments: readonly MarkedComment[]
  /** All comments on threads that are younger than this are listed, in milliseconds since the epoch. */
  listedSince: number
}

/**
 * Lets each hold follow its code, and checks `allowed-paths` again after changes. People decide about everything else.
 * @param links to the pull requests of this action's jobs
 */
export async function followPulls(listed: Listed, links: readonly Link[], settler: Settler) {
  const { since, ports } = settler
  const open = await openPulls(listed, links, settler)
  const holds = open.flatMap(({ hold }) => hold ?? [])
  // A lifted hold stays lifted.
  const waiting = holds.filter(({ state }) => state !== 'lifted')
  const codes = await readCodes(waiting, ports)
  const pulls: OpenPull[] = []
  for (const pull of open) {
    if (ports.cancelled.aborted) break
    const { url: link, openedAt, isOwn } = pull
    const hold = await followHold(pull, codes, settler)
    await renewGuard(pull, settler)
    pulls.push({ link, openedAt, age: since - Date.parse(openedAt), hold, isOwn })
  }
  return pulls.sort((one, other) => other.age - one.age)
}

/** The agent's open pull requests: all in this repository, and recorded ones in others. */
async function openPulls(listed: Listed, links: readonly Link[], settler: Settler) {
  const { ports } = settler
  const views = await readViews(await findPulls(listed.comments, links, settler), ports)
  const pulls: AgentPull[] = []
  for (const view of views.values()) {
    if (view.state !== 'open') continue
    const found = await findRecord(view, listed, ports)
    if (found?.accounts) ports.log(say.otherAccount(view.thread, found.accounts))
    const record = found?.isSigned ? found : null
    pulls.push({
      ...view,
      record,
      hold: holdIn(record, ports),
      isOwn: record !== null || links.includes(view.url),
    })
  }
  return pulls
}

/** The hold in a record, with this repository's current name: another one may have taken the recorded name since. */
function holdIn(record: MarkedComment | null, { run }: AgentPorts) {
  const code = record?.entry.code ?? null
  if (code?.repositoryId !== run.repositoryId) return code
  return { ...code, repository: run.repository }
}

/**
 * The names of pull requests that may be the agent's: those with its record, those that records name, and its open ones in
 * this repository, because a comment that nobody has changed for a long time is not listed.
 */
async function findPulls(
  comments: readonly MarkedComment[],
  links: readonly Link[],
  { inputs, pull, ports }: Settler,
) {
  const { run, serverUrl, github } = ports
  const { repository } = run
  const linked = links.flatMap((link) => pullOfLink(link, serverUrl, run) ?? [])
  const recorded = comments.flatMap(({ thread, entry, isSigned, accounts }) =>
    entry.role === 'pull' && (isSigned || accounts) ? thread : [],
  )
  if (pull !== null) return [...linked, ...recorded]
  const elsewhere = linked.filter(({ repositoryId }) => repositoryId === null)
  const list = await orWarn('pulls', repository, github.openPulls(repository), ports)
  const open = list.ok ? list.value.filter(({ author }) => isSameName(author, inputs.agentLogin)) : []
  return [...elsewhere, ...recorded, ...open.map(({ number }) => pullThread(run, number))]
}

/** The record of a pull request, which is read if it may be missing from the lists. */
async function findRecord(view: FoundPull, listed: Listed, ports: AgentPorts) {
  const name = threadName(view.thread)
  const record = recordIn(listed.comments.filter((each) => threadName(each.thread) === name))
  if (record?.isSigned) return record
  // This step may have recorded a hold after it read the lists.
  const isHeld = view.statuses.some(({ context }) => context === holdContext)
  if (!isHeld && isListed(view, listed, ports)) return record
  const entries = await readEntries(view.thread, ports)
  return recordIn(ofProject(entries ?? [], ports)) ?? record
}

/** Whether the lists have all comments on a pull request. */
export function isListed({ openedAt, repositoryId }: PullView, { listedSince }: Listed, { run }: AgentPorts) {
  return Date.parse(openedAt) >= listedSince && repositoryId === run.repositoryId
}

/** The record among the entries on a pull request: the oldest one with code, or the oldest; else another account's hold. */
function recordIn(entries: readonly MarkedComment[]) {
  const records = entries.filter(({ entry }) => entry.role === 'pull')
  const oldestFirst = records.toSorted((one, other) => one.id - other.id)
  const own = oldestFirst.filter(({ isSigned }) => isSigned)
  const hasCode = ({ entry }: MarkedComment) => entry.code !== null
  return own.find(hasCode) ?? own[0] ?? oldestFirst.find(hasCode)
}

/** Reads pull requests, in one query for each name of a repository, and leaves those out that are not the ones meant. */
export async function readViews(pulls: readonly PullName[], ports: AgentPorts) {
  const views = new Map<string, FoundPull>()
  for (const [repository, group] of Map.groupBy(pulls, (each) => each.repository)) {
    const numbers = [...new Set(group.map(({ number }) => number))]
    const reply = await orWarn('pulls', repository, ports.github.pullViews(repository, numbers), ports)
    for (const view of reply.ok ? reply.value : []) {
      const meant = group.filter(({ number }) => number === view.number)
      // Another repository may have taken the name.
      if (!meant.some((pull) => (pull.repositoryId ?? view.repositoryId) === view.repositoryId)) continue
      const thread = pullThread({ repository, repositoryId: view.repositoryId }, view.number)
      views.set(threadName(thread), { ...view, thread, url: pageUrl(thread, ports.serverUrl) })
    }
  }
  return views
}

/**
 * Reads how far the code of holds is, by the name of its thread. The state, merge commit, time and number are those of the
 * last pull request of its chain, so code is `merged` only if the default branch has it.
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

/**
 * Shows a hold's state on the last commit. If the state is news, posts comments, and then records the state. Returns the
 * hold with the state that its status must show; null if there is none.
 */
async function followHold(
  { thread, record, hold: recorded, statuses, head }: AgentPull,
  codes: ReadonlyMap<string, PullView>,
  { since, ports }: Settler,
) {
  if (record === null || recorded === null) return null
  const code = codes.get(threadName(pullThread(recorded, recorded.number)))
  const state = stateToShow(recorded, code?.state ?? null, await isReleased(recorded, code, ports))
  const hold = { ...recorded, state }
  const status = statuses.find(({ context }) => context === holdContext)
  // While the code cannot be read, an existing status stays as it is.
  if (code === undefined && status !== undefined && state !== 'lifted') return hold
  const isShown = status?.state === holdStatuses[state]
  if (!isShown && !(await showHold(thread, hold, head, ports))) return hold
  // Only the end of a hold is news, and only once.
  if (code === undefined || state === 'held' || state === recorded.state) return hold
  // Lists lag: another settle may have written something.
  await ports.clock.sleep(since + lagMs - ports.clock.date(), ports.cancelled)
  if (!(await postState(hold, code, record, ports))) return hold
  const draft = { ...record, entry: { ...record.entry, code: hold } }
  await orWarn('link', thread, put(draft, record.id, ports), ports)
  return hold
}

/** Whether a release contains the code. Every release since the merge counts, because some contain another branch. */
async function isReleased(
  { repository, hold: kind, state }: CodePull,
  code: PullView | undefined,
  { github }: AgentPorts,
) {
  if (kind !== 'release' || state === 'lifted' || !code?.mergeCommit) return false
  const releases = await github.releases(repository, code.closedAt ?? 0)
  for (const tag of releases.ok ? releases.value : []) {
    const reply = await github.contains(repository, tag, code.mergeCommit)
    if (reply.ok && reply.value) return true
  }
  return false
}

/**
 * Says once that the code was closed without a merge, or on both pull requests that the docs can be merged. False if
 * that fails: the next settle tries again.
 * @param code where the code is; its number is that of the pull request that was closed
 */
async function postState(
  hold: CodePull,
  code: PullView,
  { thread, entry }: MarkedComment,
  ports: AgentPorts,
) {
  const { words } = ports
  const codeThread = pullThread(hold, hold.number)
  const names = { ...entry, request: `${hold.state}:${threadName(codeThread)}:${threadName(thread)}` }
  if (hold.state === 'closed')
    return postOnce(names, thread, words.abandoned({ ...hold, number: code.number }), ports)
  const comments = await readEntries(codeThread, ports, 'read')
  if (comments === null) return false
  // A later request on the code's thread may have given the job a newer commit.
  const later = comments.filter((each) => each.entry.job === entry.job)
  const heads = [hold.head, ...later.flatMap((each) => each.entry.code?.head ?? [])]
  const last = { ...hold, head: heads.at(-1) ?? hold.head }
  const text = words.released(last, pageUrl(thread, ports.serverUrl), !heads.includes(code.head))
  return (await postOnce(names, codeThread, text, ports)) && postOnce(names, thread, text, ports)
}

/** Renews the status for `allowed-paths` if it is about other changes, and if this step has the globs of the one that asked. */
async function renewGuard(pull: AgentPull, { inputs, ports }: Settler) {
  // A check takes many requests. Until a later settle has room for it, the last commit has no status.
  if (pull.record === null || ports.room() <= 0) return
  const globs = globsToCheck(pull.record.entry.globs, inputs.allowedPaths) ?? []
  const status = pull.statuses.find(({ context }) => context === guardContext)
  if (globs.length === 0 || status?.description.endsWith(diffName(pull))) return
  const changes = await readChanges(pull.url, globs, ports)
  if (changes !== null) await showGuard(pull.thread, changes, globs, ports)
}
