/**
 * Keeps one documentation pull request for each change: if merged code already has a job that takes a follow-up, the
 * change goes to that job, or nowhere.
 */
import { type DocumentedChange, type FoundMark, projectName } from '../core/mark.ts'
import type { WantedDiff } from '../core/prompt/diff.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { pullThread } from '../core/thread.ts'
import type { Change } from '../core/trigger/change.ts'
import { readContext } from './change.ts'
import { findMarks } from './comments.ts'
import { type Ended, noChange } from './ended.ts'
import { followable, type Scope } from './jobs.ts'
import type { AgentPorts } from './ports.ts'

/** Where a change goes. `note`: which changes are already documented, as a sentence for the prompt; null if there are none. */
export type Routing =
  | { kind: 'new'; note: string | null }
  /**
   * `number`: the change's pull request whose thread names the job. `since`: the changes that the job has not seen; null
   * if it gets the whole change.
   */
  | { kind: 'job'; number: number; job: string; head: string | null; since: ChangeContext | null }

const maxPulls = 10

/** A merged pull request that has a job in this project. */
interface Documented {
  number: number
  /** Its last commit. */
  final: string
  /** The commit that the agent got; null if unknown. */
  sent: string | null
  job: string
  /** The agent's pull request; null if there is none. */
  pull: string | null
  isHeld: boolean
  takes: Awaited<ReturnType<typeof followable>>
}

/** Finds the jobs of a change's pull requests. A pull request that cannot be read counts as one without a job. */
export async function findDocumented(
  change: Change,
  source: DocumentedChange,
  diff: WantedDiff | null,
  scope: Scope,
  ports: AgentPorts,
): Promise<Ended | Routing> {
  const none: Routing = { kind: 'new', note: null }
  const isMerged = change.number === null || change.pullHead !== change.head
  if (!isMerged || change.noFiles !== null || !scope.hasToken) return none
  const merged = await mergedPulls(change, source, ports)
  const found: Documented[] = []
  for (const pull of merged) {
    const known = await jobOf(pull, change.repository, scope, ports)
    if (known !== null) found.push(known)
  }
  const [first] = found
  if (first === undefined) return none
  if (merged.length === 1) return goAlone(first, change, diff, ports)
  const waiting = found.flatMap(({ number, isHeld, takes, pull, job }) =>
    !isHeld && takes.takes && pull !== null ? [{ number, job, head: takes.head }] : [],
  )
  if (waiting.length === 1 && waiting[0] !== undefined) return { kind: 'job', ...waiting[0], since: null }
  const named = found.filter(({ takes, pull }) => takes.takes && pull !== null)
  const note = named.map(({ number, pull }) => `${change.repository}#${number} (in ${pull})`).join(', ')
  return {
    kind: 'new',
    note: named.length === 0 ? null : `These changes are documented already; leave them out: ${note}.`,
  }
}

async function goAlone(
  known: Documented,
  change: Change,
  diff: WantedDiff | null,
  ports: AgentPorts,
): Promise<Ended | Routing> {
  const { number, job, pull, takes, sent, final, isHeld } = known
  if (!takes.takes) return { kind: 'new', note: null }
  const isSame = sent === final
  // An active job might not have its pull request yet.
  if (pull === null && !takes.isActive)
    return isSame ? noChange('the agent found nothing to change') : { kind: 'new', note: null }
  if (isHeld) return noChange(`mode settle sends the final diff to ${pull ?? 'its job'}`)
  if (isSame) return noChange(pull === null ? 'a job is documenting the change' : `documented in ${pull}`)
  const going = { kind: 'job', number, job, head: takes.head } as const
  if (sent === null || diff === null) return { ...going, since: null }
  const since = await readContext(
    { ...change, range: { by: 'compare', base: sent, head: final } },
    diff,
    ports,
  )
  if (!('kind' in since)) return { ...going, since }
  return since.kind === 'ended' ? since : noChange(since.reason)
}

/** The pull requests that a change contains. Commit subjects are only hints, which GitHub must confirm. */
async function mergedPulls(
  { repository, head, commits, subjects, number, pullHead }: Change,
  source: DocumentedChange,
  { github }: AgentPorts,
): Promise<{ number: number; head: string }[]> {
  if (number !== null && pullHead !== null) return [{ number, head: pullHead }]
  const named = subjects.flatMap((subject) => {
    const [, merged, squashed] = /^Merge pull request #(\d{1,9}) |\(#(\d{1,9})\)$/.exec(subject) ?? []
    return Number(merged ?? squashed ?? 0)
  })
  const numbers = new Set([source.number ?? 0, ...named].filter((each) => each > 0))
  const found: { number: number; head: string }[] = []
  for (const each of [...numbers].toSorted((one, other) => one - other).slice(0, maxPulls)) {
    const pull = await github.pull(repository, each)
    if (!pull.ok || pull.value === null) continue
    const { isMerged, mergeCommit, headCommit } = pull.value
    const isHere = mergeCommit === head || (mergeCommit !== null && commits.includes(mergeCommit))
    if (isMerged && isHere) found.push({ number: each, head: headCommit })
  }
  return found
}

async function jobOf(
  { number, head: final }: { number: number; head: string },
  repository: string,
  scope: Scope,
  ports: AgentPorts,
): Promise<Documented | null> {
  const thread = pullThread(repository, number)
  const marks = await findMarks(thread, ports)
  if (!marks.ok) {
    ports.onProgress({ type: 'pulls-unread', repository, rejection: marks.rejection })
    return null
  }
  const project = projectName(scope.projectId)
  const last = marks.value.findLast((found) => isJob(found) && found.mark.project === project)
  if (last?.mark.job === undefined || last.mark.job === null) return null
  const { job, code, prLink } = last.mark
  const takes = await followable(job, scope, ports)
  const pull = takes.takes ? (prLink ?? takes.link) : prLink
  return { number, final, sent: code?.head ?? null, job, pull, isHeld: Boolean(code?.hold), takes }
}

/**
 * Whether a mark names a job that counts. A `link` without `code` does not: it is about a job that another step started
 * for the same merge, with a different prompt.
 */
function isJob({ mark, isSigned, isBound }: FoundMark): boolean {
  const isAbout = mark.role === 'reply' || (mark.role === 'link' && Boolean(mark.code))
  return isSigned && isBound && mark.job !== null && isAbout
}
