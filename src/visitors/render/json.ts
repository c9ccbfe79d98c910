/**
 * report.json, according to schema/visitors-report.v3.json. It is produced in pieces, so that the report of a large
 * site is never in memory as a whole.
 */
import { type Block, plainValue } from '../core/blocks.ts'
import { rounded } from '../core/change.ts'
import { blocksOf } from '../core/compose.ts'
import { plainHeadline } from '../core/headline.ts'
import type { Period } from '../core/period.ts'
import type { VisitorsReport } from '../core/report.ts'

/** The pieces of report.json: facts about the report, then each table under its name. */
export function* reportJson(report: VisitorsReport): Generator<string> {
  const { brief, details } = blocksOf(report)
  const blocks = [...brief, ...details]
  yield JSON.stringify(headOf(report, blocks), null, 2).slice(0, -2)
  for (const block of blocks) {
    if (block.kind !== 'table') continue
    const { id, columns, rows, gap = null } = block
    yield `,\n  "${id}": {\n    "whyIncomplete": ${JSON.stringify(gap)},\n    "rows": [`
    let separator = '\n'
    for (const row of rows) {
      const plain = Object.fromEntries(columns.map(({ key }) => [key, plainValue(row[key])]))
      yield `${separator}      ${JSON.stringify(plain)}`
      separator = ',\n'
    }
    yield '\n    ]\n  }'
  }
  yield '\n}\n'
}

const daysOf = ({ from, to }: Period) => ({ from, to })

function headOf(report: VisitorsReport, blocks: readonly Block[]) {
  const { current, previous } = report
  const figures = blocks.flatMap((block) => (block.kind === 'figures' ? block.figures : []))
  return {
    version: 3,
    project: report.projectId,
    site: report.siteUrl,
    generatedAt: new Date(report.generatedAt).toISOString(),
    period: daysOf(current.period),
    previous: previous && daysOf(previous.period),
    complete: report.isComplete,
    headline: plainHeadline(report),
    warnings: blocks.flatMap((block) => (block.kind === 'warning' ? block.text : [])),
    alerts: report.alerts,
    figures: Object.fromEntries(
      figures.map(({ id, now, change }) => [
        id,
        { now, previous: change?.before ?? null, change: change && rounded(change.fraction) },
      ]),
    ),
    commands: blocks.flatMap((block) => {
      if (block.kind !== 'command') return []
      const { about, command, because } = block
      return typeof about === 'string'
        ? { page: null, search: about, command, because }
        : { page: about.page, search: null, command, because }
    }),
    requests: report.requests,
    notes: blocks.flatMap((block) => (block.kind === 'notes' ? block.notes : [])),
  }
}
