/** A request's record on a commit: commit statuses, which also link people to the commit's docs. */

import { type Failable, failsStep } from '../core/outcome.ts'
import type { Rejection } from '../core/problem.ts'
import { isOpenRecord, type Known, nextForRun, type RequestState, stateAfter } from '../core/record.ts'
import {
  contextsFor,
  type Follows,
  firstContext,
  isOwnContext,
  type OwnStatus,
  readStatus,
  stateOfRun,
  writeStatus,
} from '../core/status.ts'
import { unread } from './ended.ts'
import type { AgentPorts, Bounded, CommitStatus, FoundStatus, GitHubReply, PlacedStatus } from './ports.ts'
import { type Opened, permit, type Store } from './store.ts'

/** A request on a commit, and its run. */
export interface CommitRequestRef {
  repository: string
  commit: string
  /** See StatusMark. */
  run: string
  /** The first of the step's contexts. */
  context: string
  project: string
  follows: Follows
  runUrl: string
  /** When the record was created, and when the run that holds it will have ended at the latest, in milliseconds since the epoch. */
  since: number
  until: number
  /** Outcomes that set the status to `failure`. */
  failOn: ReadonlySet<Failable>
}

/** A step's statuses on a commit, in all of its contexts, newest first. Only those by the token's own account count. */
export async function findStatuses(
  {
    repository,
    commit,
    context,
    project,
  }: Pick<CommitRequestRef, 'repository' | 'commit' | 'context' | 'project'>,
  { github, sign }: Pick<AgentPorts, 'github' | 'sign'>,
): Promise<GitHubReply<OwnStatus[]>> {
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const statuses = await github.statuses(repository, commit)
  if (!statuses.ok) return statuses
  if (statuses.value.isCut) {
    const message = 'The commit has more statuses than the action reads'
    return { ok: false, rejection: { status: null, message } }
  }
  const isOwn = (status: FoundStatus) =>
    status.creator === viewer.value && firstContext(status.context) === context
  const own = statuses.value.items.filter(isOwn).map((status) => ({
    context: status.context,
    isPending: status.state === 'pending',
    mark: readStatus(status, { repository, commit, context: status.context, project }, sign),
  }))
  return { ok: true, value: own }
}

/** The latest status of each of the action's contexts on recent commits, by the token's own account; may be incomplete. */
export async function ownRecentStatuses(
  repository: string,
  since: number,
  { github }: Pick<AgentPorts, 'github'>,
): Promise<GitHubReply<Bounded<PlacedStatus>>> {
  const statuses = await github.recentStatuses(repository, since)
  if (!statuses.ok) return statuses
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const isOwn = ({ creator, context }: PlacedStatus) => creator === viewer.value && isOwnContext(context)
  return { ok: true, value: { ...statuses.value, items: statuses.value.items.filter(isOwn) } }
}

/**
 * The record of a request on its commit.
 * @param isFirst whether the request cannot have an earlier run
 * @param isOptional whether the step can run without a record, as on a schedule: a rejected status is then only logged
 */
export function createCommitStore(
  ref: CommitRequestRef,
  { isOptional, isRerun, isFirst }: { isOptional: boolean; isRerun: boolean; isFirst: boolean },
  ports: AgentPorts,
): Store {
  const { words, github, sign, onProgress } = ports
  let { since } = ref
  let contexts: [string, ...string[]] = [ref.context]
  let isKept = true
  let hasRead = false
  let seen: Known = { kind: 'none' }
  /** Whether a record exists. The step must not leave it open, or red after a green re-run. */
  let isBegun = false
  let hasWarned = false

  const set = async (
    text: string,
    state: RequestState,
    shownState: CommitStatus['state'],
    targetUrl = ref.runUrl,
    context = contexts[0],
  ) => {
    const { repository, commit, run, follows, project, until } = ref
    const record = { ...state, since, until }
    const place = { repository, commit, context, project }
    const description = writeStatus(text, { record, run, follows }, place, targetUrl, sign)
    return github.setStatus(repository, commit, { context, state: shownState, description, targetUrl })
  }
  const warn = (done: GitHubReply<void>) => {
    if (!done.ok && isOptional && !isBegun) isKept = false
    else if (!done.ok && !hasWarned)
      onProgress({ type: 'status-failed', commit: ref.commit, rejection: done.rejection })
    hasWarned ||= !done.ok
    return done.ok
  }
  // Only without any access to statuses did an earlier run certainly leave no record.
  const mayGoWithout = ({ status, kind }: Rejection) =>
    isOptional && (kind === 'permission' || (kind === undefined && (status === 403 || status === 404)))
  const look = async () => {
    const found = await findStatuses(ref, ports)
    if (found.ok) contexts = contextsFor(ref.context, ref.run, found.value)
    hasRead ||= found.ok
    return found
  }

  return {
    async find() {
      const found = await look()
      if (found.ok) {
        const marks = found.value.flatMap(({ mark }) => mark ?? [])
        const known = stateOfRun(ref.run, marks)
        // GitHub's lists lag, so a record that was found earlier still counts.
        if (known.kind !== 'none') seen = known
        isKept = true
        isBegun = seen.kind === 'record'
        if (seen.kind === 'record' && isOpenRecord(seen.record)) since = seen.record.since
      } else if (nextForRun(seen).do === 'send' && !isFirst) {
        // An earlier list may have lagged.
        hasRead = false
        if (!mayGoWithout(found.rejection)) return unread('statuses', found.rejection)
        isKept = false
      }
      return seen
    },
    async open(): Promise<Opened> {
      if (!isKept) return { ok: true, permit }
      // The new status must not hide another run's open record.
      if (!hasRead) await look()
      const done = await set(words.status(null), { state: 'open' }, 'pending')
      isBegun ||= done.ok || done.rejection.isUncertain === true
      if (done.ok) return { ok: true, permit }
      if (!isOptional)
        return { ok: false, problem: { type: 'mark-unwritten', where: 'status', rejection: done.rejection } }
      if (!isBegun && mayGoWithout(done.rejection)) isKept = false
      return { ok: true, permit }
    },
    async job(job) {
      // Logged only now, because a re-run repeats nothing if no job was created.
      if (!isKept) onProgress({ type: 'no-mark', isRerun })
      return !isKept || warn(await set(words.status(null), { state: 'job', job, isLeft: false }, 'pending'))
    },
    async end(result) {
      // Unread statuses may include another run's open record, which a new status would hide.
      if (isKept && !hasRead && !isFirst) return false
      if (!isKept || (result.outcome === 'skipped' && !isBegun)) return true
      const state = stateAfter(result)
      const ended = failsStep(result.outcome, ref.failOn) ? 'failure' : 'success'
      // GitHub's list may have lagged when the run started. The status must not hide another run's open record.
      await look()
      const link = result.job?.prLink ?? undefined
      const shownState = isOpenRecord(state) ? 'pending' : ended
      let isDone = true
      for (const context of contexts)
        isDone = warn(await set(words.status(result), state, shownState, link, context)) && isDone
      return isDone
    },
  }
}
