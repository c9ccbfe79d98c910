/** Builds the page from the JSON report that it contains. */

import { rangeText } from '../core/figures.ts'
import { shown } from '../core/page-link.ts'
import { trends } from './chart.ts'
import { doNext, helped, readers } from './readers.ts'
import { moved, opening, provenance, totals } from './summary.ts'
import { allPages } from './table.ts'
import type { VisitorsReport } from './visitors-report.ts'

const report: VisitorsReport = JSON.parse(document.getElementById('report')?.textContent ?? '')
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
document.getElementById('main')?.replaceChildren(...sections.filter((part) => part !== null))
