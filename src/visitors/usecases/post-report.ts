/** Puts a report on an issue: a new comment for each period, which GitHub mails, with the one before hidden as outdated. */

import { warnOnRefusal } from '../../usecases/comments.ts'
import type { FoundComment, GitHubReply, OwnComments, PlatformPorts } from '../../usecases/ports.ts'
import type { Period } from '../core/period.ts'
import { type ReportMark, readReportMark, type Series, writeReportMark } from '../core/report-mark.ts'

export interface PostPorts extends Pick<PlatformPorts, 'onProgress'> {
  github: Pick<OwnComments, 'viewer' | 'comments' | 'reply' | 'edit' | 'remove' | 'hide'>
}

interface OwnReport {
  comment: FoundComment
  mark: ReportMark
}

/**
 * Posts the report, or edits the comment of the same period. A refusal costs a warning.
 * @param textAfter the report's Markdown without a mark; it may refer to the report before (null: there is none)
 */
export async function postReport(
  textAfter: (before: string | null) => string,
  period: Period,
  series: Series,
  ports: PostPorts,
): Promise<void> {
  const { thread } = series
  const tell = warnOnRefusal(thread, ports)
  const { github } = ports
  const bodyOf = (text: string, comment: number) =>
    `${text}\n\n${writeReportMark({ period, comment }, series)}`
  const viewer = await tell('read', github.viewer())
  // If it is unknown which comments exist, another one may be a second one.
  const known = viewer === undefined ? undefined : await tell('read', ownReports(viewer, series, github))
  if (viewer === undefined || known === undefined) return
  const [own, ...doubles] = known.filter(({ mark }) => isSame(mark.period, period))
  const text = textAfter(before(own?.comment.id ?? Number.POSITIVE_INFINITY, known)?.comment.body ?? null)
  if (own !== undefined) {
    // Left by a run at the same time that was killed before it removed its own.
    for (const { comment } of doubles) await tell('delete', github.remove(thread, comment.id))
    const body = bodyOf(text, own.comment.id)
    if (own.comment.body !== body) await tell('edit', github.edit(thread, own.comment.id, body))
    return hideBefore(own.comment.id, known)
  }
  const id = await tell('reply', github.reply(thread, bodyOf(text, 0)))
  if (id === undefined) return
  // A run at the same time may have posted as well: the earlier comment stays.
  const now = (await tell('read', ownReports(viewer, series, github))) ?? known
  if (now.some(({ comment, mark }) => comment.id < id && isSame(mark.period, period))) {
    await tell('delete', github.remove(thread, id))
    return
  }
  await tell('edit', github.edit(thread, id, bodyOf(text, id)))
  await hideBefore(id, now)

  /** The latest report of another period before a comment. Marks that are not bound to their comment direct nothing. */
  function before(id: number, reports: readonly OwnReport[]): OwnReport | undefined {
    return reports.findLast(
      ({ comment, mark }) => comment.id < id && mark.comment !== 0 && !isSame(mark.period, period),
    )
  }

  async function hideBefore(id: number, reports: readonly OwnReport[]): Promise<void> {
    const hidden = before(id, reports)
    if (hidden !== undefined) await tell('hide', github.hide(hidden.comment.nodeId))
  }
}

/** The series' reports by the token's own account, oldest first. */
async function ownReports(
  viewer: string,
  series: Series,
  github: PostPorts['github'],
): Promise<GitHubReply<OwnReport[]>> {
  const comments = await github.comments(series.thread)
  if (!comments.ok) return comments
  const value = comments.value.items.flatMap((comment) => {
    const mark = comment.author === viewer ? readReportMark(comment, series) : null
    return mark === null ? [] : [{ comment, mark }]
  })
  return { ok: true, value: value.sort((one, other) => one.comment.id - other.comment.id) }
}

function isSame(one: Period, other: Period): boolean {
  return one.from === other.from && one.to === other.to
}
