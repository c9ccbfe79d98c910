/** What the action leaves on the pull requests concerned: which change is documented where, and which job is behind it. */
import { pullRequestThread } from '../core/job/job.ts'
import type { DocumentedChange, FoundMark, Mark } from '../core/mark.ts'
import type { AgentResult } from '../core/progress.ts'
import { isSameRepository, type Thread } from '../core/thread.ts'
import { type CommentPorts, findMarks, keepFirst, putMarked, warnOnRefusal } from './comments.ts'

export interface ProvenanceWords {
  /** On the agent's pull request: which changes it documents, if that is known. */
  provenance(result: AgentResult, changes: readonly DocumentedChange[]): string
  /** On the pull request of a change: where its documentation is. */
  documentation(prLink: string, changes: AgentResult['changes']): string
}

export interface ProvenancePorts extends CommentPorts {
  words: ProvenanceWords
}

/** What a comment of provenance belongs to. */
export type ProvenanceRef = Pick<Mark, 'request' | 'step' | 'project' | 'since'>

/** Changes that are listed on one pull request of the agent: the latest. */
const changeLimit = 20
/** How often a list that another run has written over is written again. */
const rewrites = 3

/**
 * Keeps one comment on the agent's pull request, so that what comes there next goes on with its job; and in it, what
 * the pull request documents. GitHub has no compare-and-swap, so the list is read again after it is written.
 */
export async function announce(
  { thread, result, change }: { thread: Thread; result: AgentResult; change: DocumentedChange | null },
  ref: ProvenanceRef,
  ports: ProvenancePorts,
): Promise<void> {
  const { jobId } = result
  if (jobId === null) return
  const tell = warnOnRefusal(thread, ports)
  for (let round = 0; round < rewrites; round++) {
    const marks = await tell('read', findMarks(thread, ports))
    // If the thread cannot be read, the comment may be there already; a second one is not written.
    if (marks === undefined) return
    // Two runs that came at once may have written one each.
    const [own, ...copies] = provenanceOf(marks, jobId, ref)
    const changes = unite([own, ...copies], change)
    if (round > 0 && copies.length === 0 && changes.length === own?.mark.changes?.length) return
    const mark = {
      ...({ ...ref, role: 'provenance', state: 'job', job: jobId, changes } as const),
      ...{ outcome: null, prLink: result.job?.prLink ?? null, by: null },
    }
    const text = ports.words.provenance(result, changes)
    const put = await tell('reply', putMarked(thread, own?.comment ?? null, { text, mark }, ports))
    if (put === undefined) return
    for (const { comment } of copies) await tell('delete', ports.github.remove(thread, comment))
    // After a first comment, the next look finds one that another run posted at the same time.
    if (isLast(own, change)) return
  }
}

function isLast(own: FoundMark | undefined, change: DocumentedChange | null): boolean {
  return own !== undefined && change === null
}

/** The changes of several lists and one more, each once; only the latest are kept. */
function unite(
  lists: readonly (FoundMark | undefined)[],
  change: DocumentedChange | null,
): DocumentedChange[] {
  const all = [...lists.flatMap((list) => list?.mark.changes ?? []), ...(change === null ? [] : [change])]
  const byName = new Map(all.map((each) => [`${each.repository}@${each.head}`, each]))
  return [...byName.values()].slice(-changeLimit)
}

function provenanceOf(marks: readonly FoundMark[], jobId: string, { project }: ProvenanceRef): FoundMark[] {
  return marks.filter(
    ({ mark, isSigned }) =>
      isSigned && mark.role === 'provenance' && mark.job === jobId && mark.project === project,
  )
}

/** Keeps one comment on a change's pull request: where its documentation is. */
export async function linkDocumentation(
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
  { repository, serverUrl }: { repository: string; serverUrl: string },
  ports: ProvenancePorts,
): Promise<void> {
  const prLink = result.job?.prLink ?? null
  if (prLink === null || result.delivery !== 'sent') return
  const thread = pullRequestThread(prLink, serverUrl)
  // In another repository, the token of a workflow has no say.
  if (thread !== null && isSameRepository(thread, { ...thread, repository }))
    await announce({ thread, result, change: documented }, ref, ports)
  if (documented === null || documented.number === null) return
  const { repository: of, number } = documented
  const change = { repository: of, number, isPullRequest: true, reviewRoot: null }
  await linkDocumentation({ thread: change, prLink, changes: result.changes }, ref, ports)
}
