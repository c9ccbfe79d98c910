/** Reads what readers say: feedback, searches and questions. A failure does not affect the rest of the report. */

import type { ListName, ListQuery } from '../../core/job/operation.ts'
import type { Period } from '../core/period.ts'
import {
  type Listing,
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
import type { Requests } from './requests.ts'

export interface SectionsRequest {
  chosen: ReadonlySet<SectionName>
  projectId: string
  period: Period
  requests: Requests
  /** Whether to read comments in addition to votes. */
  withComments: boolean
}

/** Reads the chosen lists in parallel. */
export async function readSections(
  request: SectionsRequest,
  { onProgress }: Pick<ReadingPorts, 'onProgress'>,
): Promise<SectionsRead> {
  const { chosen, period, withComments } = request
  const logged = async <T>(list: ListName, reading: Promise<Listing<T>>): Promise<Listing<T>> => {
    const listing = await reading
    if (listing.kind === 'missing') onProgress({ type: 'list-missing', list, gap: listing.gap })
    else {
      const { seen, hasMore } = listing
      onProgress({ type: 'list-read', list, period, seen, hasMore })
    }
    return listing
  }
  const read = <T>(section: SectionName, list: ListName, parse: Parse<T>) =>
    chosen.has(section) ? logged(list, readList(list, parse, request)) : null
  const [votes, comments, searches, questions] = await Promise.all([
    read('feedback', 'feedback-by-page', parseVotes),
    chosen.has('feedback') && withComments ? logged('feedback', readComments(request)) : null,
    read('searches', 'searches', parseSearches),
    read('questions', 'assistant', parseQuestions),
  ])
  return { feedback: votes && { votes, comments: comments ?? noRows }, searches, questions }
}

const noRows: Listing<never> = { kind: 'read', rows: [], seen: 0, hasMore: false }

/** Reads comments from each source separately, because the list of all sources consists mostly of votes. */
async function readComments(request: SectionsRequest): Promise<Listing<ReaderComment>> {
  const read = (source: NonNullable<ListQuery['source']>) =>
    readList('feedback', parseComments, request, { source })
  let all = await read('contextual')
  for (const source of ['code_snippet', 'agent'] as const) {
    if (all.kind === 'missing') return all
    all = joined(all, await read(source))
  }
  return all
}

type Parse<T> = (json: unknown) => ReadList<T> | undefined

/** Reads the first rows of a list. */
async function readList<T>(
  list: ListName,
  parse: Parse<T>,
  { projectId, period, requests }: SectionsRequest,
  query: ListQuery = {},
): Promise<Listing<T>> {
  const reply = await requests.make({ operation: { name: list, projectId, period, query }, parse })
  return reply.ok ? { kind: 'read', ...reply.value } : { kind: 'missing', gap: reply.gap }
}

/** Appends rows to a list. If these rows were not read, the list is incomplete. */
function joined<T>(one: Extract<Listing<T>, { kind: 'read' }>, other: Listing<T>): typeof one {
  if (other.kind === 'missing') return { ...one, hasMore: true }
  return {
    ...one,
    rows: [...one.rows, ...other.rows],
    seen: one.seen + other.seen,
    hasMore: one.hasMore || other.hasMore,
  }
}
