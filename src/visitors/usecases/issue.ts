/**
 * The issue for reports: what earlier reports know, the states of their suggestions, and the new comment. Each period
 * has a new comment, which GitHub emails. The previous comment is hidden as outdated.
 */
import { pullRequestThread } from '../../core/job/job.ts'
import type { Mark } from '../../core/mark.ts'
import { isOpenRecord } from '../../core/record.ts'
import { readRequestId } from '../../core/trigger/request-id.ts'
import { marksIn, ownComments, warnOnRejection } from '../../usecases/comments.ts'
import type { FoundComment, OwnComments, PlatformPorts, Repositories } from '../../usecases/ports.ts'
import { dayIn } from '../core/calendar.ts'
import type { Period } from '../core/period.ts'
import { type ReportMark, readReportMark, type Series, writeReportMark } from '../core/report-mark.ts'
import { readDismissal } from '../core/suggestions/commands.ts'
import type { KnownSuggestion } from '../core/suggestions/known.ts'
import {
  type PullState,
  pullsToRead,
  type SuggestionRequest,
  withStates,
} from '../core/suggestions/states.ts'

export interface IssuePorts extends Pick<PlatformPorts, 'onProgress'> {
  github: OwnComments & Pick<Repositories, 'pull'>
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string
}

interface OwnReport {
  comment: FoundComment
  mark: ReportMark
}

/** What the latest report on an issue knows. */
export interface LatestReport {
  /** All known suggestions, with their current states. */
  known: KnownSuggestion[]
  /** Keys of the suggestions whose state has changed since the report of the previous period. */
  changed: string[]
}

/** What was found on the issue. */
export interface Issue extends LatestReport {
  /** The series' reports by the token's own account, oldest first. */
  reports: OwnReport[]
}

const maxPulls = 20

/** Reads the issue; null if it cannot be read. Do not post in that case, because the report could be a duplicate. */
export async function readIssue(
  series: Series,
  { period, timezone }: { period: Period; timezone: string },
  ports: IssuePorts,
): Promise<Issue | null> {
  const { thread, sign } = series
  const orWarn = warnOnRejection(thread, ports)
  const own = await orWarn('read', ownComments(thread, ports))
  if (own === undefined) return null
  const reports = reportsIn(own, series)
  const bound = reports.filter(({ comment, mark }) => mark.at === comment.id)
  const known = bound.at(-1)?.mark.suggestions ?? []
  const requests = marksIn(own, thread, { sign }).flatMap(({ mark, isSigned, isBound }) =>
    isSigned && isBound && mark.role === 'reply' ? requestOf(mark) : [],
  )
  const dismissals = own.flatMap(({ body }) => readDismissal(body, thread, sign) ?? [])
  const pulls = new Map<string, PullState>()
  for (const url of pullsToRead(known, requests, dismissals).slice(0, maxPulls)) {
    const state = await pullState(url, timezone, ports)
    if (state !== null) pulls.set(url, state)
  }
  const current = withStates(known, requests, dismissals, pulls)
  // A re-run replaces its period's report, so it must show the same changes.
  const shown = bound.findLast(({ mark }) => !isSame(mark, period))?.mark.suggestions ?? []
  const isChanged = ({ key, state }: KnownSuggestion) => {
    const before = shown.find((each) => each.key === key)?.state ?? { is: 'open' }
    return JSON.stringify(state) !== JSON.stringify(before)
  }
  return { reports, known: current, changed: current.filter(isChanged).map(({ key }) => key) }
}

/** The request for a suggestion that a mark records; empty if the mark records another kind of request. */
function requestOf({
  suggestion = null,
  request,
  by,
  state,
  prLink,
}: Mark & { suggestion?: string | null | undefined }): SuggestionRequest[] {
  const asked = readRequestId(request)
  if (suggestion === null || asked?.kind !== 'comment') return []
  return [{ key: suggestion, comment: Number(asked.id), by, isOver: !isOpenRecord({ state }), prLink }]
}

/** null if the token cannot read the pull request. */
async function pullState(
  url: string,
  timezone: string,
  { github, serverUrl }: IssuePorts,
): Promise<PullState | null> {
  const thread = pullRequestThread(url, serverUrl)
  const pull = thread && (await github.pull(thread.repository, thread.number))
  if (!pull?.ok || pull.value === null) return null
  const { isOpen, mergedAt } = pull.value
  if (mergedAt !== null) return { is: 'merged', on: dayIn(timezone, mergedAt) }
  return { is: isOpen ? 'open' : 'closed' }
}

/** A report to post. */
export interface Posting {
  /** The report's Markdown, without its mark. */
  text: string
  period: Period
  known: KnownSuggestion[]
}

/** Posts the report, or edits the comment for the same period. If GitHub rejects that, logs a warning. */
export async function postReport(
  { text, period, known }: Posting,
  { reports }: Issue,
  series: Series,
  ports: IssuePorts,
): Promise<void> {
  const { thread, name, project } = series
  const orWarn = warnOnRejection(thread, ports)
  const { github } = ports
  const { from, to } = period
  const bodyOf = (at: number, suggestions: KnownSuggestion[]) =>
    `${text}\n\n${writeReportMark({ at, from, to, series: name, project, suggestions }, series)}`
  const [own, ...doubles] = reports.filter(({ mark }) => isSame(mark, period))
  if (own !== undefined) {
    // Each duplicate is from a parallel run that was killed before it could remove its own comment.
    for (const { comment } of doubles) await orWarn('delete', github.remove(thread, comment.id))
    const body = bodyOf(own.comment.id, known)
    if (own.comment.body !== body) await orWarn('edit', github.edit(thread, own.comment.id, body))
    return hideBefore(own.comment.id, reports)
  }
  // GitHub emails new comments but not edits, so the long mark is added by an edit.
  const id = await orWarn('reply', github.reply(thread, bodyOf(0, [])))
  if (id === undefined) return
  // A parallel run may have posted, too. The earlier of the two comments stays.
  const again = await orWarn('read', ownComments(thread, ports))
  const now = again === undefined ? reports : reportsIn(again, series)
  if (now.some(({ comment, mark }) => comment.id < id && isSame(mark, period))) {
    await orWarn('delete', github.remove(thread, id))
    return
  }
  await orWarn('edit', github.edit(thread, id, bodyOf(id, known)))
  await hideBefore(id, now)

  /** Hides the latest report of an earlier period. Unbound marks do not count. */
  async function hideBefore(id: number, all: readonly OwnReport[]): Promise<void> {
    const hidden = all.findLast(
      ({ comment, mark }) => comment.id < id && mark.at === comment.id && !isSame(mark, period),
    )
    if (hidden !== undefined) await orWarn('hide', github.hide(hidden.comment.nodeId))
  }
}

function reportsIn(own: readonly FoundComment[], series: Series): OwnReport[] {
  return own
    .flatMap((comment) => {
      const found = readReportMark(comment, series)
      return found?.isSigned && found.mark.series === series.name ? [{ comment, mark: found.mark }] : []
    })
    .sort((one, other) => one.comment.id - other.comment.id)
}

function isSame(one: Pick<Period, 'from' | 'to'>, other: Period): boolean {
  return one.from === other.from && one.to === other.to
}
