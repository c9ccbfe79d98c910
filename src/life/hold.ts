/** Mode settle for the agent's open pull requests: their holds, and their status for `allowed-paths`. */
import {
  type Hold,
  type HoldState,
  holdContext,
  holdOf,
  holdStatuses,
  isNews,
  stateToShow,
} from '../core/hold.ts'
import { pullRequestThread } from '../core/job/job.ts'
import { guardContext, recordedGlobs } from '../core/pull-changes.ts'
import type { SettledPull } from '../core/settle.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import { isSameLogin } from '../core/trigger/event.ts'
import type { AgentPorts, FoundStatus, PullView } from '../usecases/ports.ts'
import { readChanges } from '../usecases/pull-changes.ts'
import { orWarn, put } from './comments.ts'
import type { FoundEntry } from './format.ts'
import { ofProject } from './lists.ts'
import { lagMs } from './next.ts'
import { waitUntil } from './place.ts'
import { guard, linkOf, notifyOnce, ownEntries, showHold } from './pull.ts'
import type { Search } from './settle.ts'

/** A pull request as GitHub shows it. */
type SeenPull = PullView & { thread: Thread }

/** One of the agent's open pull requests. */
interface AgentPull extends SeenPull {
  link: string
  /** The comment with its record. */
  record: FoundEntry
  hold: Hold | null
}

/** Lets each hold follow its code, and checks `allowed-paths` again on new commits. People decide about everything else. */
export async function followPulls(named: readonly FoundEntry[], search: Search): Promise<SettledPull[]> {
  const { ports } = search
  const pulls = await openPulls(named, search)
  const viewer = pulls.length === 0 ? null : await ports.github.viewer()
  if (!viewer?.ok) return []
  const codes = await readViews(
    pulls.flatMap(({ hold }) => (hold === null ? [] : pullThread(hold.repository, hold.number))),
    ports,
  )
  const done: SettledPull[] = []
  for (const pull of pulls) {
    if (ports.cancelled.aborted) break
    const { hold, link } = pull
    const statuses = pull.statuses.filter(({ author }) => author === viewer.value)
    const shown = new Map(statuses.map(({ context, state }) => [context, state]))
    const followed = hold && (await followHold(hold, pull, codes, shown.get(holdContext), search))
    if (followed !== null) done.push({ link, did: followed })
    if (!shown.has(guardContext) && (await renewGuard(pull, search))) done.push({ link, did: 'guarded' })
  }
  return done
}

/**
 * The agent's open pull requests that have a record. Some are named in entries: on the pull request itself, or on the
 * code's thread. A comment that nobody has changed for a long time is not listed, so without a pull request's event, the
 * open ones in this repository are read, too.
 */
async function openPulls(
  named: readonly FoundEntry[],
  { inputs, pull, ports }: Search,
): Promise<AgentPull[]> {
  const { repository } = ports.run
  const threads = named.flatMap(({ thread, entry: { role, code, link } }) => {
    if (role === 'pull') return thread
    return (code?.hold && pullRequestThread(link, ports.serverUrl)) || []
  })
  const open =
    pull === null ? await orWarn('pulls', repository, ports.github.openPulls(repository), ports) : null
  const own = open?.ok ? open.value.filter(({ author }) => isSameLogin(author, inputs.agentLogin)) : []
  threads.push(...own.map(({ number }) => pullThread(repository, number)))
  const found: AgentPull[] = []
  for (const [name, seen] of await readViews(threads, ports)) {
    if (seen.state !== 'open') continue
    const { thread } = seen
    const listed = named.filter((each) => threadName(each.thread) === name)
    const record = recordIn(listed, ports) ?? recordIn((await ownEntries(thread, ports)) ?? [], ports)
    if (record !== undefined)
      found.push({ ...seen, link: linkOf(thread, ports), record, hold: holdOf(record.entry.code) })
  }
  return found
}

/** The record among the entries on a pull request: the oldest one with code, or the oldest. */
function recordIn(entries: readonly FoundEntry[], ports: AgentPorts): FoundEntry | undefined {
  const records = ofProject(entries, ports).filter(({ entry }) => entry.role === 'pull')
  const oldestFirst = records.toSorted((one, other) => one.id - other.id)
  return oldestFirst.find(({ entry }) => entry.code !== null) ?? oldestFirst[0]
}

/** Reads pull requests, in one query for each repository. */
async function readViews(threads: readonly Thread[], ports: AgentPorts): Promise<Map<string, SeenPull>> {
  const found = new Map<string, SeenPull>()
  for (const [repository, wanted] of Map.groupBy(threads, (each) => each.repository)) {
    const numbers = new Set(wanted.map(({ number }) => number))
    const reading = ports.github.pullViews(repository, [...numbers])
    const views = await orWarn('pulls', repository, reading, ports)
    for (const view of views.ok ? views.value : []) {
      const thread = pullThread(repository, view.number)
      found.set(threadName(thread), { ...view, thread })
    }
  }
  return found
}

/** Shows the hold's state on the last commit. If the state is news, posts a comment, and then records the state. */
async function followHold(
  hold: Hold,
  pull: AgentPull,
  codes: ReadonlyMap<string, SeenPull>,
  shown: FoundStatus['state'] | undefined,
  { since, ports }: Search,
): Promise<SettledPull['did'] | null> {
  const { thread, record } = pull
  const code = codes.get(threadName(pullThread(hold.repository, hold.number)))
  if (code === undefined && shown !== undefined) return null
  const state = stateToShow(hold, code?.state ?? null, await isReleased(hold, code, ports))
  const isShown = shown === holdStatuses[state]
  if (!isShown && !(await showHold(thread, hold, state, pull.head, ports))) return null
  const did = isShown ? null : 'shown'
  if (code === undefined || !isNews(state, hold)) return did
  // Lists lag: another settle may have written something.
  await waitUntil(since + lagMs, ports)
  if (!(await sayOnce(state, hold, code.head, pull, ports))) return did
  const entry = { ...record.entry, code: { ...hold, state } }
  await orWarn('link', thread, put(thread, record.id, record.words, entry, ports), ports)
  return state === 'lifted' ? 'released' : 'closed'
}

/** Whether a release contains the code. Every release since the merge counts, because some contain another branch. */
async function isReleased(
  { hold, state, repository }: Hold,
  code: PullView | undefined,
  { github }: AgentPorts,
): Promise<boolean> {
  const mergeCommit = code?.mergeCommit ?? null
  if (hold !== 'release' || state === 'lifted' || mergeCommit === null) return false
  const releases = await github.releases(repository, code?.closedAt ?? 0)
  for (const { tag } of releases.ok ? releases.value : []) {
    const contains = await github.contains(repository, tag, mergeCommit)
    if (contains.ok && contains.value) return true
  }
  return false
}

/**
 * Says once that the docs can be merged, or that the code was closed without a merge. False if GitHub rejects that, so
 * that the next settle tries again.
 */
async function sayOnce(
  state: HoldState,
  hold: Hold,
  head: string,
  { thread, link, record: { entry } }: AgentPull,
  ports: AgentPorts,
): Promise<boolean> {
  const code = pullThread(hold.repository, hold.number)
  if (state === 'closed') {
    const closed = { ...entry, request: `closed:${threadName(code)}` }
    return notifyOnce(closed, thread, () => ports.words.abandoned(hold), ports)
  }
  return notifyOnce(
    { ...entry, request: `released:${link}` },
    code,
    (known) => {
      // A later request on the code's thread may have given the job a newer commit.
      const given = known.flatMap((each) => (each.job === entry.job && each.code ? each.code.head : []))
      const isNewer = ![hold.head, ...given].includes(head)
      return ports.words.released({ ...hold, head: given.at(-1) ?? hold.head }, link, isNewer)
    },
    ports,
  )
}

/** Renews the status for `allowed-paths` on a new commit, if they are those of the step that asked. */
async function renewGuard({ thread, link, record }: AgentPull, { inputs, ports }: Search): Promise<boolean> {
  const { globs } = record.entry
  if (globs === null || globs !== recordedGlobs(inputs.allowedPaths)) return false
  return guard(thread, await readChanges(link, null, inputs.allowedPaths, ports), inputs, ports)
}
