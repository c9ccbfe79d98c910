/**
 * The issue for reports. Each period has a new comment, which GitHub emails. The previous period's comment is hidden as
 * outdated. A hidden mark in each comment names its period. It is signed, so that commenters cannot make one.
 */
import { fingerprint, readMark, writeMark } from '../core/mark.ts'
import type { Problem } from '../core/problems.ts'
import { nameOf, type Thread, threadName } from '../core/thread.ts'
import type { AgentPorts } from '../ports.ts'
import { orWarn } from '../record/comments.ts'
import { lengthOf } from './period.ts'
import type { ReportRequest } from './report.ts'

/** A report of a period in a series. A report only changes comments of its own series. */
export type Series = Pick<ReportRequest, 'projectId' | 'period' | 'paths'>

/**
 * Posts the report, or edits the comment for the same period. Returns why that was impossible; null if it was done.
 * @param text the report's Markdown
 */
export async function postReport(
  text: string,
  thread: Thread,
  { projectId, period, paths }: Series,
  ports: AgentPorts,
): Promise<Problem | null> {
  const { github, sign } = ports
  const problem = { kind: 'github-failed', need: 'report', name: nameOf(thread) } as const
  const list = await github.comments(thread)
  // Without the list, the report could be a duplicate.
  if (!list.ok) return { ...problem, failure: list.failure }
  // Weekly and monthly reports, projects and lists of paths each have their own series.
  const length = period.isMonth ? 'month' : lengthOf(period)
  const name = fingerprint(JSON.stringify([projectId, length, paths]))
  const place = `visitors report\n${threadName(thread)}\n${name}`
  const days = [period.from, period.to]
  const reports = list.value.flatMap(({ id, nodeId, body, author, viewer }) => {
    const mark = readMark('docs-agent-report', body, place, sign)
    return mark?.isSigned && author === viewer ? { id, nodeId, days: String(mark.value) } : []
  })
  const [same, ...copies] = reports.filter((report) => report.days === String(days))
  // Runs at the same time can both post.
  for (const { id } of copies) await orWarn('delete', thread, github.remove(thread, id), ports)
  const body = `${text}\n\n${writeMark('docs-agent-report', days, place, sign)}`
  const reply = await (same === undefined ? github.reply(thread, body) : github.edit(thread, same.id, body))
  if (!reply.ok) return { ...problem, failure: reply.failure }
  const before = reports.findLast(({ id }) => same === undefined || id < same.id)
  if (before !== undefined) await orWarn('hide', thread, github.hide(before.nodeId), ports)
  return null
}
