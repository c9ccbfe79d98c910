/** Reads what readers say: feedback, searches and questions. The report stands whatever comes of it. */

import type { ListName } from '../../core/job/operation.ts'
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
}

/** Reads the first rows of each list that was chosen, side by side: one request each, and one more after a failure. */
export async function readSections(request: SectionsRequest, ports: ReadingPorts): Promise<SectionsRead> {
  const { chosen } = request
  const read = <T>(
    section: SectionName,
    list: ListName,
    parse: (json: unknown) => ReadList<T> | undefined,
  ): Promise<Listing<T>> | null => (chosen.has(section) ? readList(list, parse, request, ports) : null)

  const [votes, comments, searches, questions] = await Promise.all([
    read('feedback', 'feedback-by-page', parseVotes),
    read('feedback', 'feedback', parseComments),
    read('searches', 'searches', parseSearches),
    read('questions', 'assistant', parseQuestions),
  ])
  return { feedback: votes && comments && { votes, comments }, searches, questions }
}

async function readList<T>(
  list: ListName,
  parse: (json: unknown) => ReadList<T> | undefined,
  request: SectionsRequest,
  ports: ReadingPorts,
): Promise<Listing<T>> {
  const { projectId, period } = request
  const missing = (gap: Missing): Listing<T> => {
    ports.onProgress({ type: 'list-missing', list, gap })
    return { kind: 'missing', gap }
  }
  const gap = request.refused ?? take(request, ports)
  if (gap !== null) return missing(gap)
  const calling = { operation: { name: list, projectId, period }, parse }
  const reply = await call(calling, ports, () => take(request, ports) === null)
  if (!reply.ok) {
    const { failure, attempts } = reply
    return missing({ why: 'failed', problem: { type: 'platform', operation: list, failure, attempts } })
  }
  const { seen, hasMore } = reply.value
  ports.onProgress({ type: 'list-read', list, seen, hasMore })
  return { kind: 'read', ...reply.value }
}

/** Takes a request from the budget, unless it is too late for one. */
function take({ budget }: SectionsRequest, { clock, cancelled, deadline }: ReadingPorts): Missing | null {
  if (cancelled.aborted || clock.now() >= deadline) return { why: 'timeout' }
  return budget.take() ? null : { why: 'budget' }
}
