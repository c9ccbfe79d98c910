/** The report as a short comment on an issue. GitHub emails its source as plain text, so the source must be easy to read, too. */

import { code } from '../../render/markdown.ts'
import { columnChange, columns, valueText } from '../core/columns.ts'
import { countText, rangeText } from '../core/figures.ts'
import type { Movement } from '../core/movers.ts'
import { shortPath } from '../core/page-link.ts'
import { isComplete, previousOf, type VisitorsReport } from '../core/report.ts'
import { headline, headlineText, pageChange } from './headline.ts'
import { doNextMarkdown } from './suggestions.ts'

/** Maximum number of changes below the headline. */
const maxNamed = 5

/** The comment about a report. @param runUrl the run with the full report; empty if unknown */
export function reportComment(report: VisitorsReport, runUrl: string): string {
  const icon = report.alerts.length > 0 ? '🔔' : '📊'
  return [
    `### ${icon} Docs visitors, ${rangeText(report.current.period)}`,
    `**${headlineText(report, ({ shown }) => plainPath(shown))}**`,
    strip(report),
    lacking(report),
    ...doNextMarkdown(report, 'comment'),
    alsoChanged(report),
    runUrl === '' ? '' : `[Full report](${runUrl})`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The totals with their changes, on one line. */
function strip(report: VisitorsReport): string {
  const then = previousOf(report)?.totals
  return columns
    .map((column) => {
      const value = `${column.title} ${valueText(column, report.current.totals)}`
      if (then === undefined) return value
      const { text, isSmall } = columnChange(column, report.current.totals, then, report.scale)
      return `${value} (${text}${isSmall ? ', small numbers' : ''})`
    })
    .join(' · ')
}

/** What is missing, without the reasons, which are in the full report. */
function lacking(report: VisitorsReport): string {
  if (report.compared.kind === 'unread')
    return 'Nothing is compared, because the previous period could not be read.'
  return isComplete(report) ? '' : 'Not all pages were read, so page changes are not shown.'
}

/** The largest changes that the headline does not mention. */
function alsoChanged(report: VisitorsReport): string {
  const { movers, scale } = report
  if (movers === null) return ''
  const named = new Set(headline(report).map((part) => (typeof part === 'string' ? '' : part.path)))
  const others = movers.filter(({ path }) => !named.has(path))
  if (others.length === 0) return ''
  const shown = others.slice(0, maxNamed).map((page) => `${plainPath(page.path)} (${wordOf(page, scale)})`)
  const left = others.length - shown.length
  return `Also changed: ${shown.join(', ')}${left > 0 ? `, and ${countText(left)} more` : ''}.`
}

function wordOf(page: Movement, scale: number): string {
  if (page.move === 'new') return `new, ${countText(page.current?.total ?? 0)}`
  if (page.move === 'gone') return `no visitors now, ${countText(page.previous?.total ?? 0)} before`
  return pageChange(page, scale)
}

/** A path as a code span, or as HTML if its characters do not allow that. */
function plainPath(path: string): string {
  const shown = shortPath(path)
  return /^[A-Za-z0-9/_.~-]+$/.test(shown) ? `\`${shown}\`` : code(shown)
}
