/** report.html: the page that the build makes from src/visitors/page/, with the report in it. */

import type { JobRef } from '../../render/problem.ts'
import type { VisitorsReport } from '../core/report.ts'
import { reportJson } from './json.ts'

/** The placeholder for the report: a string, so that the page's JSON is valid before it is filled, too. */
const placeholder = '"%REPORT%"'

/** @param template the page, with the placeholder for the report's JSON */
export function* reportPage(template: string, report: VisitorsReport, jobRef: JobRef): Generator<string> {
  const [before = '', after = ''] = template.split(placeholder)
  yield before
  // Inside a script element `</script` and `<!--` end or change it (HTML, 13.1.2.6); JSON has another way to write `<`.
  for (const piece of reportJson(report, jobRef)) yield piece.replaceAll('<', '\\u003c')
  yield after
}
