/** Mode settle for the agent's open pull requests: their holds, and their status for `allowed-paths`. */
import { type Hold, holdContext, holdOf, holdStatuses, isNews, stateToShow } from '../core/hold.ts'
import { pullRequestThread } from '../core/job/job.ts'
import { guardContext, recordedGlobs } from '../core/pull-changes.ts'
import type { SettledPull } from '../core/settle.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import { isSameLogin } from '../core/trigger/event.ts'
import type { AgentPorts, CommitStatus, PullView } from '../usecases/ports.ts'
import { readChanges } from '../usecases/pull-changes.ts'
import { orWarn, put } from './comments.ts'
import type { FoundEntry } from './format.ts'
import { ofProject } from './lists.ts'
import { lagMs } from './next.ts'
import { guard, linkOf, notifyOnce, ownEntries, showHold } from './pull.ts'
import type { Search } from './settle.ts'

/** One of the agent's open pull requests. */
interface AgentPull extends PullView {
  thread: Thread
  /** The comment with its record. */
  record: FoundEntry
}

/** The pull request with the code that a hold waits for. */
const codeOf = ({ repository, number }: Hold) => pullThread(repository, number)

/** Lets each hold follow its code, and checks `allowed-paths` again on new commits. People decide about everything else. */
export async function followPulls(named: readonly FoundEntry[], search: Search): Promise<SettledPull[]> {
  const { ports } = search
  const pulls = await openPulls(named, search)
  const holds = pulls.flatMap(({ record }) => holdOf(record.entry.code) ?? [])
  const codes = await readViews(holds.map(codeOf), ports)
  const done: SettledPull[] = []
  for (const pull of pulls) {
    if (ports.cancelled.aborted) break
    const shown = new Map(pull.statuses.map(({ context, state }) => [context, state]))
    const hold = holdOf(pull.record.entry.code)
    const code = hold === null ? undefined : codes.get(threadName(codeOf(hold)))
    const link = linkOf(pull.thread, ports)
    const did = hold && (await followHold(hold, code, pull, shown.get(holdContext), search))
    if (did !== null) done.push({ link, did })
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
    const listed = named.filter((each) => threadName(each.thread) === name)
    const record = recordIn(listed, ports) ?? recordIn((await ownEntries(seen.thread, ports)) ?? [], ports)
    if (record !== undefined) found.push({ ...seen, record })
  }
  return found
}

/** The record among the entries on a pull request: the oldest one with code, or the oldest. */
function recordIn(entries: readonly FoundEntry[], ports: AgentPorts): FoundEntry | undefined {
  const records = ofProject(entries, ports).filter(({ entry }) => entry.role === 'pull')
  const oldestFirst = records.toSorted((one, other) => one.id - other.id)
  return oldestFirst.find(({ entry }) => entry.code !== null) ?? oldestFirst[0]
}

/** Reads pull requests, by the names of their threads, in one query for each repository. */
async function readViews(threads: readonly Thread[], ports: AgentPorts) {
  const found = new Map<string, PullView & { thread: Thread }>()
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
  code: PullView | undefined,
  { thread, head, record }: AgentPull,
  shown: CommitStatus['state'] | undefined,
  { since, ports }: Search,
): Promise<SettledPull['did'] | null> {
  if (code === undefined && shown !== undefined) return null
  const state = stateToShow(hold, code?.state ?? null, await isReleased(hold, code, ports))
  const isShown = shown === holdStatuses[state]
  if (!isShown && !(await showHold(thread, hold, state, head, ports))) return null
  const did = isShown ? null : 'shown'
  if (code === undefined || !isNews(state, hold.state)) return did
  // Lists lag: another settle may have written something.
  await ports.clock.sleep(Math.max(0, since + lagMs - ports.clock.date()), ports.cancelled)
  const isSaid =
    state === 'closed' ? sayClosed(hold, record, ports) : sayReleased(hold, code.head, record, ports)
  if (!(await isSaid)) return did
  const entry = { ...record.entry, code: { ...hold, state } }
  await orWarn('link', thread, put({ ...record, entry }, record.id, ports), ports)
  return state === 'lifted' ? 'released' : 'closed'
}

/** Whether a release contains the code. Every release since the merge counts, because some contain another branch. */
async function isReleased(hold: Hold, code: PullView | undefined, { github }: AgentPorts): Promise<boolean> {
  const { repository } = hold
  if (hold.hold !== 'release' || hold.state === 'lifted' || !code?.mergeCommit) return false
  const releases = await github.releases(repository, code.closedAt ?? 0)
  for (const { tag } of releases.ok ? releases.value : []) {
    const contains = await github.contains(repository, tag, code.mergeCommit)
    if (contains.ok && contains.value) return true
  }
  return false
}

/** Says once that the code was closed without a merge. False if GitHub rejects that: the next settle tries again. */
function sayClosed(hold: Hold, { entry, thread }: FoundEntry, ports: AgentPorts): Promise<boolean> {
  const names = { ...entry, request: `closed:${threadName(codeOf(hold))}` }
  return notifyOnce(names, thread, () => ports.words.abandoned(hold), ports)
}

/** Says once that the docs can be merged. False if GitHub rejects that. @param head the code's last commit */
function sayReleased(hold: Hold, head: string, { entry, thread }: FoundEntry, ports: AgentPorts) {
  const link = linkOf(thread, ports)
  const write = (known: FoundEntry[]) => {
    // A later request on the code's thread may have given the job a newer commit.
    const given = known.flatMap((each) => (each.entry.job === entry.job && each.entry.code?.head) || [])
    const isNewer = ![hold.head, ...given].includes(head)
    return ports.words.released({ ...hold, head: given.at(-1) ?? hold.head }, link, isNewer)
  }
  return notifyOnce({ ...entry, request: `released:${link}` }, codeOf(hold), write, ports)
}

/** Renews the status for `allowed-paths` on a new commit, if they are those of the step that asked. */
async function renewGuard({ thread, record }: AgentPull, { inputs, ports }: Search): Promise<boolean> {
  const { globs } = record.entry
  if (globs === null || globs !== recordedGlobs(inputs.allowedPaths)) return false
  const changes = await readChanges(linkOf(thread, ports), null, inputs.allowedPaths, ports)
  return guard(thread, changes, inputs, ports)
}
