/** Makes the page of the report that stands in it as JSON. */
import { trends } from './chart.ts'
import { html } from './dom.ts'
import { moved, opening, provenance, totals } from './summary.ts'
import { allPages } from './table.ts'
import { periodInWords, shown } from './text.ts'
import type { VisitorsReport } from './visitors-report.ts'

/** The report; a sentence where there is none that this page can show. */
function readReport(text: string): VisitorsReport | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'The report in this page cannot be read: it is not valid JSON.'
  }
  if (typeof value !== 'object' || value === null) return 'There is no report in this page yet.'
  if (!('version' in value) || value.version !== 1)
    return 'This page shows version 1 of the visitors report only.'
  return value as VisitorsReport
}

function showReport(report: VisitorsReport): void {
  document.title = `Visitors of ${shown(report.project)}, ${periodInWords(report.period)}`
  const sections = [
    opening(report),
    totals(report),
    trends(report.trend),
    moved(report),
    allPages(report),
    provenance(report),
  ]
  main.replaceChildren(...sections.filter((part) => part !== null))
}

const main = document.getElementById('main') ?? document.body
const report = readReport(document.getElementById('report')?.textContent ?? '')
if (typeof report === 'string') {
  main.replaceChildren(html('h1', {}, 'Visitors report'), html('p', { class: 'plain' }, report))
} else showReport(report)
