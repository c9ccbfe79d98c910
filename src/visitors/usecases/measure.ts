/** Measures merged fixes: reads what readers missed before and after. A fix that cannot be measured now remains due. */
import type { Period } from '../core/period.ts'
import { findInSections, type Site } from '../core/sections/findings.ts'
import { toPath } from '../core/sections/lists.ts'
import type { SectionName } from '../core/sections/rules.ts'
import type { Kind, KnownSuggestion, Result } from '../core/suggestions/known.ts'
import { type Due, dueOn, measured } from '../core/suggestions/measure.ts'
import { pageSize } from '../core/visitors.ts'
import type { ReadingPorts } from './ports.ts'
import type { Requests } from './requests.ts'
import { readSections } from './sections.ts'

/** What measuring needs. */
export interface MeasureRequest {
  projectId: string
  /** The day after the report's period. This day and later ones belong to later reports. */
  today: string
  requests: Requests
  site: Site
  /** Whether a page certainly had visitors on some of these days. */
  hadVisitors(path: string, days: Period): boolean
}

/** Maximum number of fixes measured in a run, to stay within the request limit. */
const maxFixes = 3
/** Maximum number of requests for one list, or for the pages, in one of the two periods. */
const maxPages = 5

const sectionOf: Record<Kind, SectionName> = {
  questions: 'questions',
  votes: 'feedback',
  searches: 'searches',
}

/** Measures the suggestions that are due, until the requests are used up. */
export async function measureFixes(
  known: readonly KnownSuggestion[],
  request: MeasureRequest,
  ports: Pick<ReadingPorts, 'onProgress'>,
): Promise<KnownSuggestion[]> {
  const results = new Map<string, KnownSuggestion>()
  for (const due of dueOn(known, request.today).slice(0, maxFixes)) {
    const result = await measure(due, request, ports)
    if (result === null) break
    const { suggestion, state } = due
    results.set(suggestion.key, { ...suggestion, state: { ...state, is: 'measured', result } })
  }
  return known.map((each) => results.get(each.key) ?? each)
}

/** Measures a fix; null if a list could not be read. */
async function measure(
  { suggestion, first, second }: Due,
  request: MeasureRequest,
  ports: Pick<ReadingPorts, 'onProgress'>,
): Promise<Result | null> {
  const { about, target, kind } = suggestion
  if (about === 'page' && !request.hadVisitors(target, second)) {
    const isVisited = await isPageVisited(target, second, request)
    if (isVisited === null) return null
    if (isVisited === 'unknown') return { is: 'uncounted' }
    if (!isVisited) return { is: 'gone' }
  }
  const { projectId, requests, site } = request
  const chosen = new Set([sectionOf[kind]])
  const read = async (period: Period) => {
    const asked = { chosen, projectId, period, requests, pages: maxPages, withComments: false }
    const sections = await readSections(asked, ports)
    const isRead = [sections.feedback?.votes, sections.searches, sections.questions].some(
      (list) => list?.kind === 'read',
    )
    return isRead ? findInSections(sections, site) : null
  }
  const before = await read(first)
  const after = before && (await read(second))
  return before && after && measured(suggestion, before, after)
}

/** Whether a page had visitors on some days; `unknown` if the site has more pages than are read; null if reading failed. */
async function isPageVisited(
  path: string,
  period: Period,
  { projectId, requests }: MeasureRequest,
): Promise<boolean | 'unknown' | null> {
  for (let page = 0; page < maxPages; page++) {
    const reply = await requests.pages(projectId, period, page * pageSize)
    if (!reply.ok) return null
    if (reply.value.visitors.some((row) => toPath(row.path) === path && row.total > 0)) return true
    if (!reply.value.hasMore) return false
  }
  return 'unknown'
}
