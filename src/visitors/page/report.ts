/** Builds the page from the JSON report that it contains. */

import { rangeText } from '../core/figures.ts'
import { shown } from '../core/page-link.ts'
import { trends } from './chart.ts'
import { html } from './dom.ts'
import { doNext, helped, readers } from './readers.ts'
import { moved, opening, provenance, totals } from './summary.ts'
import { allPages } from './table.ts'
import type { VisitorsReport } from './visitors-report.ts'

/** The report, or a sentence that says why the page cannot show one. */
function readReport(text: string): VisitorsReport | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'The report in this page is not valid JSON.'
  }
  if (typeof value !== 'object' || value === null) return 'This page holds no report yet.'
  if (!('version' in value) || value.version !== 2)
    return 'This page shows only version 2 of the visitors report.'
  return value as VisitorsReport
}

function showReport(report: VisitorsReport): void {
  document.title = `Docs visitors: ${shown(report.project)}, ${rangeText(report.period)}`
  const sections = [
    opening(report),
    totals(report),
    doNext(report),
    helped(report),
    moved(report),
    ...readers(report),
    allPages(report),
    trends(report.trend),
    provenance(report),
  ]
  main.replaceChildren(...sections.filter((part) => part !== null))
}

const main = document.getElementById('main') ?? document.body
const report = readReport(document.getElementById('report')?.textContent ?? '')
if (typeof report === 'string') {
  main.replaceChildren(html('h1', {}, 'Visitors report'), html('p', { class: 'plain' }, report))
} else showReport(report)
