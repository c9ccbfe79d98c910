/** Mode settle for the agent's open pull requests: their holds, and their status for `allowed-paths`. */
import { type CodePull, holdContext, holdStatuses, stateToShow } from '../core/hold.ts'
import type { SettledPull } from '../core/outcome.ts'
import { globsToCheck, guardContext } from '../core/pull-changes.ts'
import { isSameName } from '../core/text.ts'
import { pullRequestThread, pullThread, type Thread, threadName } from '../core/thread.ts'
import type { AgentPorts, PullView } from '../ports.ts'
import { orWarn, put } from '../record/comments.ts'
import type { EntryComment } from '../record/format.ts'
import { ofProject } from '../record/lists.ts'
import { lagMs } from '../record/next.ts'
import { readChanges } from './check-changes.ts'
import { guard, linkOf, notifyOnce, ownEntries, showHold } from './pull.ts'
import type { Search } from './settle.ts'

/** One of the agent's open pull requests. */
interface AgentPull extends PullView {
  /** The comment with its record, which has code only if the pull request waits for it. */
  record: EntryComment
}

/** The pull request with the code that a hold waits for. */
const codeOf = ({ repository, number }: CodePull) => pullThread(repository, number)

/** Lets each hold follow its code, and checks `allowed-paths` again on new commits. People decide about everything else. */
export async function followPulls(named: readonly EntryComment[], search: Search): Promise<SettledPull[]> {
  const { ports } = search
  const pulls = await openPulls(named, search)
  const holds = pulls.flatMap(({ record }) => record.entry.code ?? [])
  const codes = await readViews(holds.map(codeOf), ports)
  const done: SettledPull[] = []
  for (const pull of pulls) {
    if (ports.cancelled.aborted) break
    const all = [await followHold(pull, codes, search), await renewGuard(pull, search)]
    const link = linkOf(pull.record.thread, ports)
    done.push(...all.flatMap((did) => (did === null ? [] : { link, did })))
  }
  return done
}

/**
 * The agent's open pull requests that have a record. Some are named in entries: on the pull request itself, or on the
 * code's thread. A comment that nobody has changed for a long time is not listed, so without a pull request's event, the
 * open ones in this repository are read, too.
 */
async function openPulls(named: readonly EntryComment[], { inputs, pull, ports }: Search) {
  const { repository } = ports.run
  const threads = named.flatMap(({ thread, entry: { role, code, link } }) => {
    if (role === 'pull') return thread
    return (code?.hold && pullRequestThread(link, ports.serverUrl)) || []
  })
  if (pull === null) {
    const open = await orWarn('pulls', repository, ports.github.openPulls(repository), ports)
    const own = (open.ok ? open.value : []).filter(({ author }) => isSameName(author, inputs.agentLogin))
    threads.push(...own.map(({ number }) => pullThread(repository, number)))
  }
  const found: AgentPull[] = []
  for (const [name, { thread, ...view }] of await readViews(threads, ports)) {
    if (view.state !== 'open') continue
    const listed = named.filter((each) => threadName(each.thread) === name)
    const record = recordIn(listed, ports) ?? recordIn((await ownEntries(thread, ports)) ?? [], ports)
    if (record !== undefined) found.push({ ...view, record })
  }
  return found
}

/** The record among the entries on a pull request: the oldest one with code, or the oldest. */
function recordIn(entries: readonly EntryComment[], ports: AgentPorts): EntryComment | undefined {
  const records = ofProject(entries, ports).filter(({ entry }) => entry.role === 'pull')
  const oldestFirst = records.toSorted((one, other) => one.id - other.id)
  return oldestFirst.find(({ entry }) => entry.code !== null) ?? oldestFirst[0]
}

/** Reads pull requests, by the names of their threads, in one query for each repository. */
async function readViews(threads: readonly Thread[], ports: AgentPorts) {
  const found = new Map<string, PullView & { thread: Thread }>()
  for (const [repository, wanted] of Map.groupBy(threads, (each) => each.repository)) {
    const numbers = [...new Set(wanted.map(({ number }) => number))]
    const views = await orWarn('pulls', repository, ports.github.pullViews(repository, numbers), ports)
    for (const view of views.ok ? views.value : []) {
      const thread = pullThread(repository, view.number)
      found.set(threadName(thread), { ...view, thread })
    }
  }
  return found
}

/** Shows the hold's state on the last commit. If the state is news, posts a comment, and then records the state. */
async function followHold(
  { record, statuses, head }: AgentPull,
  codes: ReadonlyMap<string, PullView>,
  { since, ports }: Search,
): Promise<SettledPull['did'] | null> {
  const { thread, entry } = record
  const hold = entry.code
  if (hold === null) return null
  const code = codes.get(threadName(codeOf(hold)))
  const shown = statuses.find(({ context }) => context === holdContext)
  if (code === undefined && shown !== undefined) return null
  const now = { ...hold, state: stateToShow(hold, code?.state ?? null, await isReleased(hold, code, ports)) }
  const isShown = shown?.state === holdStatuses[now.state]
  if (!isShown && !(await showHold(thread, now, head, ports))) return null
  const did = isShown ? null : 'shown'
  if (code === undefined || now.state === 'held' || now.state === hold.state) return did
  // Lists lag: another settle may have written something.
  await ports.clock.sleep(Math.max(0, since + lagMs - ports.clock.date()), ports.cancelled)
  if (!(await tell(now, code.head, record, ports))) return did
  const draft = { ...record, entry: { ...entry, code: now } }
  await orWarn('link', thread, put(draft, record.id, ports), ports)
  return now.state === 'lifted' ? 'released' : 'closed'
}

/** Whether a release contains the code. Every release since the merge counts, because some contain another branch. */
async function isReleased(hold: CodePull, code: PullView | undefined, { github }: AgentPorts) {
  if (hold.hold !== 'release' || hold.state === 'lifted' || !code?.mergeCommit) return false
  const releases = await github.releases(hold.repository, code.closedAt ?? 0)
  for (const { tag } of releases.ok ? releases.value : []) {
    const contains = await github.contains(hold.repository, tag, code.mergeCommit)
    if (contains.ok && contains.value) return true
  }
  return false
}

/**
 * Says once that the code was closed without a merge, or that the docs can be merged. False if GitHub rejects that: the
 * next settle tries again.
 * @param head the code's last commit
 */
function tell(hold: CodePull, head: string, { thread, entry }: EntryComment, ports: AgentPorts) {
  const link = linkOf(thread, ports)
  const names = { ...entry, request: `${hold.state}:${threadName(codeOf(hold))}:${link}` }
  if (hold.state === 'closed') return notifyOnce(names, thread, () => ports.words.abandoned(hold), ports)
  const write = (known: EntryComment[]) => {
    // A later request on the code's thread may have given the job a newer commit.
    const given = known.flatMap((each) => (each.entry.job === entry.job && each.entry.code?.head) || [])
    const isNewer = ![hold.head, ...given].includes(head)
    return ports.words.released({ ...hold, head: given.at(-1) ?? hold.head }, link, isNewer)
  }
  return notifyOnce(names, codeOf(hold), write, ports)
}

/** Renews the status for `allowed-paths` on a new commit, if they are those of the step that asked. */
async function renewGuard({ record, statuses }: AgentPull, { inputs, ports }: Search) {
  const { thread, entry } = record
  const globs = globsToCheck(entry.globs, inputs.allowedPaths) ?? []
  if (globs.length === 0 || statuses.some(({ context }) => context === guardContext)) return null
  const changes = await readChanges(linkOf(thread, ports), null, globs, ports)
  return changes !== null && (await guard(thread, changes, globs, ports)) ? ('guarded' as const) : null
}
