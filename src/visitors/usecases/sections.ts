/** Reads what readers say: feedback, searches and questions. The report stands whatever comes of it. */

import type { ListName, ListQuery } from '../../core/job/operation.ts'
import { call } from '../../usecases/call.ts'
import type { Budget } from '../core/budget.ts'
import type { Period } from '../core/period.ts'
import {
  type Listing,
  type Missing,
  parseComments,
  parseQuestions,
  parseSearches,
  parseVotes,
  type ReaderComment,
  type ReadList,
  type SectionsRead,
} from '../core/sections/lists.ts'
import type { SectionName } from '../core/sections/rules.ts'
import type { ReadingPorts } from './ports.ts'

export interface SectionsRequest {
  chosen: ReadonlySet<SectionName>
  projectId: string
  period: Period
  /** What the visitors left of it. */
  budget: Budget
  /** Why nothing more may be asked: the hourly limit ended the reading of the visitors. null: it did not. */
  refused: Missing | null
  /** Most requests of one list; 1 if left out. */
  pages?: number
  /** Whether comments are read beside the votes; true if left out. */
  withComments?: boolean
}

/** Reads the first rows of each list that was chosen, side by side: one request each, and one more after a failure. */
export async function readSections(request: SectionsRequest, ports: ReadingPorts): Promise<SectionsRead> {
  const { chosen, withComments = true } = request
  const [votes, comments, searches, questions] = await Promise.all([
    chosen.has('feedback') ? readList('feedback-by-page', parseVotes, request, ports) : null,
    chosen.has('feedback') && withComments ? readComments(request, ports) : null,
    chosen.has('searches') ? readList('searches', parseSearches, request, ports) : null,
    chosen.has('questions') ? readList('assistant', parseQuestions, request, ports) : null,
  ])
  return { feedback: votes && { votes, comments: comments ?? noRows }, searches, questions }
}

const noRows: Extract<Listing<ReaderComment>, { kind: 'read' }> = {
  kind: 'read',
  rows: [],
  seen: 0,
  hasMore: false,
  cursor: null,
  total: null,
}

/** Without a source, the list is full of votes that have no comment. */
async function readComments(request: SectionsRequest, ports: ReadingPorts): Promise<Listing<ReaderComment>> {
  const sources = ['contextual', 'code_snippet', 'agent'] as const
  const lists = await Promise.all(
    sources.map((source) => readList('feedback', parseComments, request, ports, { source })),
  )
  const read = lists.flatMap((list) => (list.kind === 'read' ? [list] : []))
  const missing = lists.find(({ kind }) => kind === 'missing')
  if (missing !== undefined) return missing
  return {
    ...noRows,
    rows: read.flatMap(({ rows }) => rows),
    seen: read.reduce((all, { seen }) => all + seen, 0),
    hasMore: read.some(({ hasMore }) => hasMore),
  }
}

/** Reads the first rows of a list, and the rows after them as long as `pages` and the budget allow. */
async function readList<T>(
  list: ListName,
  parse: (json: unknown) => ReadList<T> | undefined,
  request: SectionsRequest,
  ports: ReadingPorts,
  query: ListQuery = {},
): Promise<Listing<T>> {
  const { projectId, period, pages = 1 } = request
  const missing = (gap: Missing): Listing<T> => {
    ports.onProgress({ type: 'list-missing', list, gap })
    return { kind: 'missing', gap }
  }
  const gap = request.refused ?? take(request, ports)
  if (gap !== null) return missing(gap)
  const calling = { operation: { name: list, projectId, period, query }, parse }
  const reply = await call(calling, ports, () => take(request, ports) === null)
  if (!reply.ok) {
    const { failure, attempts } = reply
    return missing({ why: 'failed', problem: { type: 'platform', operation: list, failure, attempts } })
  }
  const first = reply.value
  ports.onProgress({ type: 'list-read', list, seen: first.seen, hasMore: first.hasMore })
  if (first.cursor === null || pages === 1) return { kind: 'read', ...first }
  const rest = await readList(list, parse, { ...request, pages: pages - 1 }, ports, {
    ...query,
    cursor: first.cursor,
  })
  if (rest.kind === 'missing') return { kind: 'read', ...first }
  return { ...rest, rows: [...first.rows, ...rest.rows], seen: first.seen + rest.seen }
}

/** Takes a request from the budget, unless it is too late for one. */
function take({ budget }: SectionsRequest, { clock, cancelled, deadline }: ReadingPorts): Missing | null {
  if (cancelled.aborted || clock.now() >= deadline) return { why: 'timeout' }
  return budget.take() ? null : { why: 'budget' }
}
