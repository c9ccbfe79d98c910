/** One documentation pull request for one change: merged code whose thread has a job already goes to that job, or nowhere. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { type DocumentedChange, type FoundMark, projectName } from '../core/mark.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { pullThread } from '../core/thread.ts'
import type { Change } from '../core/trigger/change.ts'
import { type ChangeEnded, type ChangePorts, readContext, skipped } from './change.ts'
import { type CommentPorts, findMarks } from './comments.ts'
import { type FollowablePorts, followable } from './jobs.ts'

export interface DocumentedPorts extends FollowablePorts, CommentPorts, Omit<ChangePorts, 'github'> {
  github: FollowablePorts['github'] & CommentPorts['github'] & ChangePorts['github']
}

/** Where a change goes. `note`: what the prompt says about changes that are documented already; null for nothing. */
export type Going =
  | { kind: 'new'; note: string | null }
  /** `since`: what the job has not seen; null if it gets the whole change. */
  | { kind: 'job'; job: string; head: string | null; since: ChangeContext | null }

/** Pull requests of one push that are looked at. */
const mostPulls = 10

/** A merged pull request with a job of the project. */
interface Documented {
  /** `owner/name#12`. */
  name: string
  /** Its last commit, and the one that the agent got; null if that is not known. */
  final: string
  sent: string | null
  job: string
  /** The agent's pull request; null for none. */
  pull: string | null
  isHeld: boolean
  takes: Awaited<ReturnType<typeof followable>>
}

/** Finds the jobs of the pull requests that a change consists of. What cannot be read has none. */
export async function findDocumented(
  change: Change,
  source: DocumentedChange,
  inputs: AgentInputs,
  ports: DocumentedPorts,
): Promise<ChangeEnded | Going> {
  const none: Going = { kind: 'new', note: null }
  const isMerged = change.number === null || change.pullHead !== change.head
  if (!isMerged || change.noFiles !== null || inputs.jobId !== '' || inputs.githubToken === '') return none
  const merged = await mergedPulls(change, source, ports)
  const found: Documented[] = []
  for (const pull of merged) {
    const known = await jobOf(pull, change.repository, inputs, ports)
    if (known !== null) found.push(known)
  }
  const [first] = found
  if (first === undefined) return none
  if (merged.length === 1) return goAlone(first, change, inputs, ports)
  const waiting = found.flatMap(({ isHeld, takes, pull, job }) =>
    !isHeld && takes.takes && pull !== null ? [{ job, takes }] : [],
  )
  if (waiting.length === 1 && waiting[0] !== undefined)
    return { kind: 'job', job: waiting[0].job, head: waiting[0].takes.head, since: null }
  const named = found.filter(({ takes, pull }) => takes.takes && pull !== null)
  const note = named.map(({ name, pull }) => `${name} (in ${pull})`).join(', ')
  return {
    kind: 'new',
    note: note === '' ? null : `These changes are documented already; leave them out: ${note}.`,
  }
}

async function goAlone(
  known: Documented,
  change: Change,
  inputs: AgentInputs,
  ports: DocumentedPorts,
): Promise<ChangeEnded | Going> {
  const { job, pull, takes, sent, final, isHeld } = known
  if (!takes.takes) return { kind: 'new', note: null }
  if (isHeld)
    return skipped({
      type: 'no-change',
      reason: `${pull ?? 'its job'} waits for it; mode settle sends the final diff`,
    })
  const isSame = sent === final
  // An active job might not have its pull request yet.
  if (pull === null && !takes.isActive)
    return isSame
      ? skipped({ type: 'no-change', reason: 'the agent found nothing to change' })
      : { kind: 'new', note: null }
  if (isSame)
    return skipped({
      type: 'no-change',
      reason: pull === null ? 'a job is at work on it' : `it is already in ${pull}`,
    })
  if (sent === null || !inputs.contextDiff) return { kind: 'job', job, head: takes.head, since: null }
  const since = await readContext(
    { ...change, range: { by: 'compare', base: sent, head: final } },
    inputs,
    ports,
  )
  return 'kind' in since ? since : { kind: 'job', job, head: takes.head, since }
}

/** The pull requests that a change brings. What its subjects say only says where to look. */
async function mergedPulls(
  { repository, head, commits, subjects, number, pullHead }: Change,
  source: DocumentedChange,
  { github }: DocumentedPorts,
): Promise<{ number: number; head: string }[]> {
  if (number !== null && pullHead !== null) return [{ number, head: pullHead }]
  const named = subjects.flatMap((subject) => {
    const [, merged, squashed] = /^Merge pull request #(\d{1,9}) |\(#(\d{1,9})\)$/.exec(subject) ?? []
    return Number(merged ?? squashed ?? 0)
  })
  const numbers = new Set([source.number ?? 0, ...named].filter((each) => each > 0))
  const found: { number: number; head: string }[] = []
  for (const each of [...numbers].toSorted((one, other) => one - other).slice(0, mostPulls)) {
    const pull = await github.pull(repository, each)
    if (!pull.ok || pull.value === null) continue
    const { isMerged, mergeCommit, headCommit } = pull.value
    const isHere = mergeCommit === head || (mergeCommit !== null && commits.includes(mergeCommit))
    if (isMerged && isHere) found.push({ number: each, head: headCommit })
  }
  return found
}

/** The latest job of the project on a thread. */
async function jobOf(
  { number, head: final }: { number: number; head: string },
  repository: string,
  inputs: AgentInputs,
  ports: DocumentedPorts,
): Promise<Documented | null> {
  const thread = pullThread(repository, number)
  const marks = await findMarks(thread, ports)
  if (!marks.ok) {
    ports.onProgress({ type: 'pulls-unread', repository, refusal: marks.refusal })
    return null
  }
  const project = projectName(inputs.projectId)
  const last = marks.value.findLast((found) => isJob(found) && found.mark.project === project)
  if (last?.mark.job === undefined || last.mark.job === null) return null
  const { job, code, prLink } = last.mark
  const takes = await followable(job, inputs, ports)
  const pull = takes.takes ? (prLink ?? takes.link) : prLink
  return {
    name: `${repository}#${number}`,
    final,
    sent: code?.head ?? null,
    job,
    pull,
    isHeld: Boolean(code?.hold),
    takes,
  }
}

/** A link without code is of another step's job for the same merge, which has a prompt of its own. */
function isJob({ mark, isSigned, isBound }: FoundMark): boolean {
  const isAbout = mark.role === 'reply' || (mark.role === 'link' && Boolean(mark.code))
  return isSigned && isBound && mark.job !== null && isAbout
}
