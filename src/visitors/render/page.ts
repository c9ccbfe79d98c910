/** report.html: the page that the build makes from src/visitors/page/, filled with the report. */

import type { JobRef } from '../../render/problem.ts'
import type { VisitorsReport } from '../core/report.ts'
import { reportJson } from './json.ts'

/** The placeholder for the report's JSON. */
const placeholder = '"%REPORT%"'

/** The pieces of report.html. @param template the page, with the placeholder for the report's JSON */
export function* reportPage(template: string, report: VisitorsReport, jobRef: JobRef): Generator<string> {
  const [before = '', after = ''] = template.split(placeholder)
  yield before
  // Inside a script element, `</script` ends it and `<!--` changes how it is parsed (HTML, 13.1.2.6), so `<` is escaped.
  for (const piece of reportJson(report, jobRef)) yield piece.replaceAll('<', '\\u003c')
  yield after
}
