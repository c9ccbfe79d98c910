/** report.html: the page that the build makes of page/, with the report in it. */
import type { VisitorsReport } from '../../core/visitors/report.ts'
import type { JobRef } from '../problem.ts'
import { reportJson } from './json.ts'

/** Where the page has room for the report: a string, so that the page's JSON is JSON before it is filled, too. */
const room = '"%REPORT%"'

/** @param template the page, with room for the report's JSON */
export function* reportPage(template: string, report: VisitorsReport, jobRef: JobRef): Generator<string> {
  const [before = '', after = ''] = template.split(room)
  yield before
  // Inside a script element `</script` and `<!--` end or change it (HTML, 13.1.2.6); in JSON `<` can be written otherwise.
  for (const piece of reportJson(report, jobRef)) yield piece.replaceAll('<', '\\u003c')
  yield after
}
