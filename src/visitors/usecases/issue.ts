/**
 * The issue for reports. Each period has a new comment, which GitHub emails. The previous period's comment is hidden as
 * outdated.
 */
import type { Rejection } from '../../core/problems.ts'
import { ownComments, warnOnRejection } from '../../life/comments.ts'
import type { OwnComments, PlatformPorts } from '../../usecases/ports.ts'
import type { Period } from '../core/period.ts'
import { periodName, readReportMark, type Series, writeReportMark } from '../core/report-mark.ts'

export interface IssuePorts extends Pick<PlatformPorts, 'log'> {
  github: OwnComments
}

/**
 * Posts the report, or edits the comment for the same period. Returns why that was impossible; null if it was done.
 * @param text the report's Markdown
 */
export async function postReport(
  text: string,
  period: Period,
  series: Series,
  ports: IssuePorts,
): Promise<Rejection | null> {
  const { thread } = series
  const { github } = ports
  const orWarn = warnOnRejection(thread, ports)
  const own = await ownComments(thread, ports)
  // Without the list, the report could be a duplicate.
  if (!own.ok) return own.rejection
  const reports = own.value
    .map((comment) => ({ ...comment, period: readReportMark(comment.body, series) }))
    .filter((report) => report.period !== null)
    .sort((one, other) => one.id - other.id)
  const posted = reports.find((report) => report.period === periodName(period))
  // Runs at the same time can both post.
  for (const { id } of reports.filter((report) => report.period === posted?.period && report !== posted))
    await orWarn('delete', github.remove(thread, id))
  const body = `${text}\n\n${writeReportMark(period, series)}`
  const done = await (posted === undefined
    ? github.reply(thread, body)
    : github.edit(thread, posted.id, body))
  if (!done.ok) return done.rejection
  const before = reports.findLast(({ id }) => posted === undefined || id < posted.id)
  if (before !== undefined) await orWarn('hide', github.hide(before.nodeId))
  return null
}
