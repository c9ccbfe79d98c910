/** What the action leaves on the pull requests concerned: which change is documented where, and which job is behind it. */
import { pullRequestThread } from '../core/job/job.ts'
import type { DocumentedChange, FoundMark, Mark } from '../core/mark.ts'
import type { AgentResult } from '../core/progress.ts'
import { isOwnContext, readStatus } from '../core/status.ts'
import { isSameRepository, type Thread } from '../core/thread.ts'
import { type CommentPorts, findMarks, keepFirst, putMarked, warnOnRefusal } from './comments.ts'
import type { OwnComments, Statuses } from './ports.ts'

export interface ProvenanceWords {
  /** On the agent's pull request: which changes it documents, if that is known. */
  provenance(result: AgentResult, changes: readonly DocumentedChange[]): string
  /** On the pull request of a change: where its documentation is. */
  documentation(prLink: string, changes: AgentResult['changes']): string
}

export interface ProvenancePorts extends CommentPorts {
  /** Whether another run may be telling of the same job, so that a first comment is worth a second look. */
  isShared?: boolean
  github: OwnComments & Pick<Statuses, 'recentStatuses'>
  words: ProvenanceWords
}

/** A change that a pull request documents, and the project whose job did it. */
interface Documented {
  change: DocumentedChange
  projectId: string
}

/** What a comment of provenance belongs to. */
export type ProvenanceRef = Pick<Mark, 'request' | 'step' | 'project' | 'since'>

/** Changes that are listed on one pull request of the agent: the latest. */
const changeLimit = 20
/** How often a list that another run has written over is written again. */
const rewrites = 3

/**
 * Keeps one comment on the agent's pull request, so that what comes there next goes on with its job; and in it, what
 * the pull request documents. GitHub has no compare-and-swap: after the list is written it is held against the commits'
 * statuses, which each run sets before it comes here, so that no run's change is lost to another's.
 */
export async function announce(
  about: { thread: Thread; result: AgentResult; of: Documented | null },
  ref: ProvenanceRef,
  ports: ProvenancePorts,
): Promise<void> {
  const { of, result } = about
  const { jobId } = result
  if (jobId === null) return
  for (let round = 0; round < rewrites; round++) {
    const marked = round === 0 || of === null ? [] : await markedChanges(jobId, of, ports)
    const known = of === null ? [] : [...marked, of.change]
    const isWritten = await writeList({ ...about, jobId, known, isFirst: round === 0 }, ref, ports)
    if (!isWritten || (of === null && ports.isShared !== true)) return
  }
}

/** Writes the list; false if that cannot be done, or if it is complete after the first time. */
async function writeList(
  about: {
    thread: Thread
    result: AgentResult
    jobId: string
    known: readonly DocumentedChange[]
    isFirst: boolean
  },
  ref: ProvenanceRef,
  ports: ProvenancePorts,
): Promise<boolean> {
  const { thread, result, jobId, known, isFirst } = about
  const tell = warnOnRefusal(thread, ports)
  const marks = await tell('read', findMarks(thread, ports))
  // If the thread cannot be read, the comment may be there already; a second one is not written.
  if (marks === undefined) return false
  // Two runs that came at once may have written one each.
  const [own, ...copies] = provenanceOf(marks, jobId, ref)
  const listed = [own, ...copies].flatMap((list) => list?.mark.changes ?? [])
  const changes = unite([...listed, ...known])
  if (!isFirst && copies.length === 0 && changes.every((each) => isListed(each, own))) return false
  const mark = {
    ...ref,
    role: 'provenance' as const,
    state: 'job' as const,
    job: jobId,
    changes,
    outcome: null,
    prLink: result.job?.prLink ?? null,
    by: null,
  }
  const text = ports.words.provenance(result, changes)
  const put = await tell('reply', putMarked(thread, own?.comment ?? null, { text, mark }, ports))
  if (put === undefined) return false
  for (const { comment } of copies) await tell('delete', ports.github.remove(thread, comment))
  return true
}

/** The changes of a job, as the statuses of their commits tell. */
async function markedChanges(
  jobId: string,
  { change: { repository }, projectId }: Documented,
  { github }: ProvenancePorts,
): Promise<DocumentedChange[]> {
  const viewer = await github.viewer()
  const statuses = await github.recentStatuses(repository)
  if (!viewer.ok || !statuses.ok) return []
  return statuses.value.items.flatMap(({ commit: head, creator, context, ...status }) => {
    const mark = creator === viewer.value && isOwnContext(context) ? readStatus(status, projectId) : null
    return mark?.job === jobId && mark.hasChange ? [{ repository, head, number: null, author: null }] : []
  })
}

/** Each change once; only the latest are kept. A status tells less of a change than the run that documented it. */
function unite(all: readonly DocumentedChange[]): DocumentedChange[] {
  const byName = new Map<string, DocumentedChange>()
  for (const each of all) {
    const name = `${each.repository}@${each.head}`
    if (each.author !== null || !byName.has(name)) byName.set(name, each)
  }
  return [...byName.values()].slice(-changeLimit)
}

function isListed({ repository, head }: DocumentedChange, list: FoundMark | undefined): boolean {
  const { changes = [] } = list?.mark ?? {}
  return changes.some((each) => each.repository === repository && each.head === head)
}

function provenanceOf(marks: readonly FoundMark[], jobId: string, { project }: ProvenanceRef): FoundMark[] {
  return marks.filter(
    ({ mark, isSigned }) =>
      isSigned && mark.role === 'provenance' && mark.job === jobId && mark.project === project,
  )
}

/** Keeps one comment on a change's pull request: where its documentation is. */
async function linkDocumentation(
  { thread, prLink, changes }: { thread: Thread; prLink: string; changes: AgentResult['changes'] },
  ref: ProvenanceRef,
  ports: ProvenancePorts,
): Promise<void> {
  const tell = warnOnRefusal(thread, ports)
  const marks = await tell('read', findMarks(thread, ports))
  if (marks === undefined) return
  const isSame = (mark: Mark) => mark.role === 'link' && mark.step === ref.step
  const own = marks.find(({ mark, isSigned }) => isSigned && isSame(mark))
  const mark = { ...ref, role: 'link', state: 'ended', job: null, outcome: null, prLink, by: null } as const
  const text = ports.words.documentation(prLink, changes)
  const put = await tell('reply', putMarked(thread, own?.comment ?? null, { text, mark }, ports))
  if (put !== undefined && own === undefined) await keepFirst(thread, put, isSame, ports)
}

/** Tells the pull requests concerned: the agent's own which changes it documents, the change's where that is. */
export async function tellPullRequests(
  result: AgentResult,
  documented: DocumentedChange | null,
  ref: ProvenanceRef,
  { repository, serverUrl, projectId }: { repository: string; serverUrl: string; projectId: string },
  ports: ProvenancePorts,
): Promise<void> {
  const prLink = result.job?.prLink ?? null
  if (prLink === null || result.delivery !== 'sent') return
  const thread = pullRequestThread(prLink, serverUrl)
  // In another repository, the token of a workflow has no say.
  if (thread !== null && isSameRepository(thread, { ...thread, repository }))
    await announce({ thread, result, of: documented && { change: documented, projectId } }, ref, ports)
  if (documented === null || documented.number === null) return
  const { repository: where, number } = documented
  const change = { repository: where, number, isPullRequest: true, reviewRoot: null }
  await linkDocumentation({ thread: change, prLink, changes: result.changes }, ref, ports)
}
