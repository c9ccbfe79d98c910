/** Sentences about what a report lacks, and about its figures. */

import { explain, type JobRef } from '../../render/problem.ts'
import { smallNumbers } from '../core/change.ts'
import { counted, countText, rangeText } from '../core/figures.ts'
import { lengthOf } from '../core/period.ts'
import { type Gap, previousOf, type VisitorsReport } from '../core/report.ts'
import { plainHeadline } from './headline.ts'

/** The headline and what the report lacks, as plain text. */
export function verdict(report: VisitorsReport, jobRef: JobRef): string {
  return [plainHeadline(report), ...gapSentences(report, jobRef)].join(' ')
}

/** What the report lacks: one sentence for each period. */
export function gapSentences({ current, compared, requests }: VisitorsReport, jobRef: JobRef): string[] {
  const why = (gap: Gap) => reason(gap, requests.limit, jobRef)
  const read = compared.kind === 'read' ? [current, compared.reading] : [current]
  const sentences = read.flatMap(({ period, gap }) =>
    gap === null ? [] : [`Not all pages of ${rangeText(period)} were read: ${why(gap)}.`],
  )
  if (compared.kind !== 'unread') return sentences
  const { period, gap } = compared
  return [...sentences, `Nothing is compared, because ${rangeText(period)} could not be read: ${why(gap)}.`]
}

/** Why pages are missing, as the end of a sentence. */
export function reason(gap: Gap, limit: number, jobRef: JobRef): string {
  switch (gap.why) {
    case 'budget':
      return `${limit === 1 ? 'the one request' : `all ${countText(limit)} requests`} allowed by max-requests ${limit === 1 ? 'is' : 'are'} used up`
    case 'timeout':
      return 'the timeout was reached'
    case 'failed':
      return explain(gap.problem, jobRef).what.replace(/\.$/, '')
    case 'moving':
      return 'the totals kept changing while the pages were read'
    case 'shifting':
      return 'the order of the pages kept changing while the list was being read'
    case 'empty-page':
      return 'Mintlify announced more pages but sent none'
    case 'offset-ignored':
      return 'Mintlify sent the same pages again and again'
  }
}

/** The globs of `paths` that match no page: one sentence for each. */
export function unmatchedSentences({ unmatched, current }: VisitorsReport): string[] {
  const among = current.gap === null ? 'no page' : 'none of the pages read'
  return unmatched.map((glob) => `paths: ${glob} matches ${among}.`)
}

/** What readers must know about the figures. */
export function notesOf(report: VisitorsReport): string[] {
  const previous = previousOf(report)
  const [days, earlier] = [lengthOf(report.current.period), previous === null ? 0 : lengthOf(previous.period)]
  return [
    'Human visitors read the docs themselves. AI readers are AI tools, recognized by IP address and user agent. One IP address counts as one visitor.',
    'Counts are approximate. Someone who reads both directly and through AI counts in both groups, but once in the total.',
    'Someone who visits several pages counts on each page, so pages do not add up to the totals.',
    ...(previous === null
      ? []
      : [
          `Arrows mark changes that are larger than chance would explain; “small numbers” marks changes that may be due to chance because both counts are under ${countText(smallNumbers)}.`,
        ]),
    ...(report.scale === 1
      ? []
      : [
          `The period has ${counted(days, 'day')}, and the previous one has ${countText(earlier)}, so changes compare daily averages.`,
        ]),
    'Dates are in UTC. Mintlify does not document its own time zone.',
    ...(report.paths.length > 0 ? ['The input “paths” narrows the lists of pages, not the totals.'] : []),
  ]
}
