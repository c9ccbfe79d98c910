/** Mode settle for the agent's pull requests: keeps their holds and their status for `allowed-paths` up to date. */

import { globsName, guardContext, guardedGlobs } from '../core/guard.ts'
import { type Hold, type HoldState, holdContext, holdStatuses, isNews, stateToShow } from '../core/pull.ts'
import type { SettledPull } from '../core/settle.ts'
import { pullThread, type Thread, threadName } from '../core/thread.ts'
import { say } from '../say/messages.ts'
import type {
  GitHubReply,
  PlacedComment,
  PlacedStatus,
  PublishedRelease,
  PullView,
} from '../usecases/ports.ts'
import { guard, type PullSettings, warn } from '../usecases/pull-settings.ts'
import { readChanges } from '../usecases/review.ts'
import { type CommentPorts, copiesIn, edit, placedEntries, post } from './comments.ts'
import type { CommentEntry, FoundEntry } from './format.ts'
import { entryAbout, leaveOut, ownEntries, type PullPorts, showHold } from './pull.ts'

/** One of the agent's pull requests. */
export interface AgentPull {
  thread: Thread
  /** The comment with its entry; null if a person deleted it. */
  comment: FoundEntry | null
}

/** The agent's pull requests, found through comments by the token's own account. */
export function agentPulls(
  comments: readonly PlacedComment[],
  projectId: string,
  ports: Pick<CommentPorts, 'sign'>,
): AgentPull[] {
  const placed = placedEntries(comments, projectId, ports)
  const copies = copiesIn(placed)
  const entries = placed.filter((each) => each.entry.role === 'pull' && !copies.includes(each))
  const threads = Map.groupBy(entries, ({ thread }) => threadName(thread))
  return [...threads.values()].flatMap((own): AgentPull[] => {
    const oldestFirst = own.toSorted((one, other) => one.id - other.id)
    const comment = oldestFirst.findLast(({ entry }) => entry.code) ?? oldestFirst.at(-1)
    return comment === undefined ? [] : [{ thread: comment.thread, comment }]
  })
}

/** The latest status of a hold on a pull request's last commits; undefined if there is none. */
export function shownHold({ statuses }: PullView, viewer: string): PlacedStatus | undefined {
  return statuses.find(({ context, creator }) => context === holdContext && creator === viewer)
}

/** Does what comes next for each pull request: nothing once it is merged or closed, because a person decided. */
export async function followPulls(
  pulls: readonly AgentPull[],
  settings: PullSettings,
  /** Waits until GitHub lists what another settle may have just written. */
  waitForLists: () => Promise<void>,
  ports: PullPorts,
): Promise<SettledPull[]> {
  const done: SettledPull[] = []
  const views = await look(pulls, ports)
  if (views.size === 0) return done
  const viewer = await ports.github.viewer()
  if (!viewer.ok) return done
  const around: Around = { views, viewer: viewer.value, releases: new Map(), waitForLists }
  for (const pull of pulls) {
    if (ports.cancelled.aborted) break
    const view = views.get(threadName(pull.thread))
    if (view?.state === 'open') done.push(...(await follow({ ...pull, view }, settings, around, ports)))
  }
  return done
}

async function follow(
  { thread, comment, view }: AgentPull & { view: PullView },
  settings: PullSettings,
  around: Around,
  ports: PullPorts,
): Promise<SettledPull[]> {
  const link = `${ports.serverUrl}/${thread.repository}/pull/${thread.number}`
  const pull = { thread, view, link }
  const held =
    comment === null
      ? await endHold(pull, around, ports)
      : await followHold({ ...pull, comment }, around, ports)
  const isGuarded = await renewGuard(pull, around, settings, ports)
  const done = [held, isGuarded ? ('guarded' as const) : null]
  return done.flatMap((did) => (did === null ? [] : { link, did }))
}

/** Reads the agent's pull requests, and the code that they wait for, in one query for each repository. */
async function look(pulls: readonly AgentPull[], ports: PullPorts): Promise<Map<string, PullView>> {
  const views = new Map<string, PullView>()
  const codes = pulls.flatMap(({ comment }) => holdOf(comment) ?? [])
  const all = [...pulls.map(({ thread }) => thread), ...codes]
  for (const [repository, wanted] of Map.groupBy(all, (each) => each.repository)) {
    const numbers = [...new Set(wanted.map(({ number }) => number))]
    const found = await ports.github.pullViews(repository, numbers)
    if (!found.ok) ports.log(say.pullsUnread(repository, found.rejection))
    else for (const view of found.value) views.set(nameOf({ repository, number: view.number }), view)
  }
  return views
}

function nameOf({ repository, number }: Pick<Thread, 'repository' | 'number'>): string {
  return threadName(pullThread(repository, number))
}

function holdOf(comment: FoundEntry | null): Hold | null {
  const code = comment?.entry.code
  return code?.hold ? { ...code, hold: code.hold, state: code.state ?? 'held' } : null
}

/** One of the agent's open pull requests. */
interface OpenPull {
  thread: Thread
  view: PullView
  link: string
}

/** One with the comment that has its record. */
type RecordedPull = OpenPull & { comment: FoundEntry }

/** What settle knows besides a pull request. */
interface Around {
  views: ReadonlyMap<string, PullView>
  /** The token's own account. Only its statuses count. */
  viewer: string
  /** The releases of each repository that were read, by the time since which they were read. */
  releases: Map<string, GitHubReply<PublishedRelease[]>>
  waitForLists(): Promise<void>
}

/** Shows the hold's state on the last commit. If the state is news, posts a comment, and then records the state. */
async function followHold(
  pull: RecordedPull,
  around: Around,
  ports: PullPorts,
): Promise<SettledPull['did'] | null> {
  const hold = holdOf(pull.comment)
  if (hold === null) return null
  const code = around.views.get(nameOf(hold))
  const isReleased = await isInRelease(hold, code, around, ports)
  const state = stateToShow(hold, { code: code?.state ?? null, isReleased })
  const shown = await showState(state, hold, pull, around, ports)
  if (shown === 'rejected') return null
  const did = shown === 'set' ? 'shown' : null
  if (state === null || !isNews(state, hold)) return did
  await around.waitForLists()
  if (!(await report(state, hold, code?.head !== hold.head, pull, ports))) return did
  await record(state, pull, ports)
  return state === 'lifted' ? 'released' : 'closed'
}

/** Sets the hold's status on the last commit, unless it already shows the state. A new commit is held if nothing is known. */
async function showState(
  state: HoldState | null,
  hold: Hold,
  { thread, view }: OpenPull,
  { viewer }: Around,
  ports: PullPorts,
): Promise<'kept' | 'set' | 'rejected'> {
  const last = shownHold(view, viewer)
  const current = last?.commit === view.head ? last.state : null
  if (current !== null && (state === null || current === holdStatuses[state])) return 'kept'
  return (await showHold(thread, hold, state ?? 'held', view.head, ports)) ? 'set' : 'rejected'
}

/** Ends the status of a hold whose record a person deleted, because nothing would lift the hold. */
async function endHold(
  { thread, view }: OpenPull,
  { viewer }: Around,
  ports: PullPorts,
): Promise<'gone' | null> {
  const shown = shownHold(view, viewer)
  if (shown === undefined) return null
  const { commit, context, targetUrl } = shown
  const status = { context, targetUrl, state: 'error', description: ports.words.gone() } as const
  const set = await ports.github.setStatus(thread.repository, commit, status)
  warn('hold', [], thread, set, ports)
  return set.ok ? 'gone' : null
}

/** Whether a release contains the code. Every release since the merge counts, because some contain another branch. */
async function isInRelease(
  { hold, state, repository }: Hold,
  code: PullView | undefined,
  { releases }: Around,
  { github }: PullPorts,
): Promise<boolean> {
  if (hold !== 'release' || state === 'lifted' || code?.state !== 'merged') return false
  const { closedAt, mergeCommit } = code
  if (mergeCommit === null) return false
  const name = `${repository} ${closedAt}`
  const found = releases.get(name) ?? (await github.releases(repository, closedAt ?? 0))
  releases.set(name, found)
  for (const { tag } of found.ok ? found.value : []) {
    const contains = await github.contains(repository, tag, mergeCommit)
    if (contains.ok && contains.value) return true
  }
  return false
}

/** Reports on a pull request that the docs can be merged, or that the code was closed without a merge. */
function report(
  state: HoldState,
  hold: Hold,
  isNewer: boolean,
  { thread, comment: { entry }, link }: RecordedPull,
  ports: PullPorts,
): Promise<boolean> {
  if (state === 'closed')
    return notify(thread, `closed:${nameOf(hold)}`, ports.words.abandoned(hold), entry, ports)
  const code = pullThread(hold.repository, hold.number)
  return notify(code, `released:${link}`, ports.words.released(hold, link, isNewer), entry, ports)
}

/** Posts a notice on a thread once; false if GitHub rejects that, so that the next settle tries again. */
async function notify(
  thread: Thread,
  request: string,
  words: string,
  { project, step, writer }: CommentEntry,
  ports: PullPorts,
): Promise<boolean> {
  const isSame = (entry: CommentEntry) =>
    entry.role === 'notice' && entry.request === request && entry.project === project
  const found = await ownEntries(thread, isSame, ports)
  if (found === null) return false
  if (found.length > 0) return true
  const about = entryAbout({ request, step, project, writer, since: ports.clock.date() })
  const entry = { ...about, role: 'notice', state: 'not-sent', job: null, link: null, code: null } as const
  const said = await post(thread, words, entry, ports)
  leaveOut(thread, said, ports)
  return said.ok
}

/** Records a state, and keeps the comment's words. */
async function record(state: HoldState, { thread, comment }: RecordedPull, ports: PullPorts): Promise<void> {
  const { code } = comment.entry
  const entry = { ...comment.entry, code: code && { ...code, state } }
  leaveOut(thread, await edit(thread, comment.id, comment.words, entry, ports), ports)
}

/** Renews the status for `allowed-paths` on a new head, if the globs are the same as for the earlier status. */
async function renewGuard(
  { thread, view, link }: OpenPull,
  { viewer }: Around,
  settings: PullSettings,
  ports: PullPorts,
): Promise<boolean> {
  const { repository } = thread
  const last = view.statuses.find(({ context, creator }) => context === guardContext && creator === viewer)
  if (last === undefined || last.commit === view.head || settings.allowedPaths.length === 0) return false
  const globs = guardedGlobs(last, { repository, commit: last.commit }, ports.sign)
  if (globs !== globsName(settings.allowedPaths)) return false
  const changes = await readChanges(link, null, settings.allowedPaths, ports)
  return guard(thread, { changes, prLink: link }, settings, ports)
}
