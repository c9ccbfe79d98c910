/**
 * The issue for reports. Each period has a new comment, which GitHub emails. The previous period's comment is hidden as
 * outdated.
 */
import { ownComments, warnOnRejection } from '../../life/comments.ts'
import type { FoundComment, OwnComments, PlatformPorts } from '../../usecases/ports.ts'
import type { Period } from '../core/period.ts'
import { readReportMark, type Series, writeReportMark } from '../core/report-mark.ts'

export interface IssuePorts extends Pick<PlatformPorts, 'onProgress'> {
  github: OwnComments
}

/** A report of the series by the token's own account. */
interface OwnReport {
  comment: FoundComment
  period: Period
}

/**
 * Posts the report, or edits the comment for the same period. If GitHub rejects that, logs a warning.
 * @param text the report's Markdown
 */
export async function postReport(
  text: string,
  period: Period,
  series: Series,
  ports: IssuePorts,
): Promise<void> {
  const { thread } = series
  const orWarn = warnOnRejection(thread, ports)
  const { github } = ports
  const own = await orWarn('read', ownComments(thread, ports))
  // Without the list, the report could be a duplicate.
  if (!own.ok) return
  const reports = reportsIn(own.value, series)
  const body = `${text}\n\n${writeReportMark(period, series)}`
  const [posted, ...doubles] = reports.filter((report) => isSame(report.period, period))
  if (posted !== undefined) {
    // Each duplicate is from a parallel run that was killed before it could remove its own comment.
    for (const { comment } of doubles) await orWarn('delete', github.remove(thread, comment.id))
    if (posted.comment.body !== body) await orWarn('edit', github.edit(thread, posted.comment.id, body))
    return hideBefore(posted.comment.id, reports)
  }
  const reply = await orWarn('reply', github.reply(thread, body))
  if (!reply.ok) return
  const id = reply.value
  // A parallel run may have posted, too. The earlier of the two comments stays.
  const again = await orWarn('read', ownComments(thread, ports))
  const now = again.ok ? reportsIn(again.value, series) : reports
  if (now.some((report) => report.comment.id < id && isSame(report.period, period))) {
    await orWarn('delete', github.remove(thread, id))
    return
  }
  await hideBefore(id, now)

  /** Hides the latest report of another period. */
  async function hideBefore(id: number, all: readonly OwnReport[]): Promise<void> {
    const hidden = all.findLast((report) => report.comment.id < id && !isSame(report.period, period))
    if (hidden !== undefined) await orWarn('hide', github.hide(hidden.comment.nodeId))
  }
}

/** The series' reports, oldest first. */
function reportsIn(own: readonly FoundComment[], series: Series): OwnReport[] {
  return own
    .flatMap((comment) => {
      const period = readReportMark(comment.body, series)
      return period === null ? [] : [{ comment, period }]
    })
    .sort((one, other) => one.comment.id - other.comment.id)
}

function isSame(one: Period, other: Period): boolean {
  return one.from === other.from && one.to === other.to
}
