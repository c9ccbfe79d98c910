/** The crash matrix as tables: a row for each call, a column for each fault. */
import { type Cell, type Prepared, troubles } from './crash.ts'

const short: Record<string, string> = {
  'pull-request': 'pr',
  unconfirmed: 'unconf',
  cancelled: 'cancel',
  error: 'error',
  killed: 'killed',
  settled: 'settled',
}

/** How the cells are read. */
export const legend =
  'In each cell: how the run ended > its re-run > the next request (the next request without a re-run, if it differs). Blank: the same as another fault.'

/** A flow's cells. */
export function crashTable(flow: string, cells: readonly Cell[]): string {
  const own = cells.filter((cell) => cell.flow === flow)
  const calls = [...new Set(own.map(nameOfCall))]
  const header = [flow, ...troubles.map(({ name }) => name)]
  const rows = calls.map((call) => [
    call,
    ...troubles.map(({ name }) => {
      const cell = own.find((one) => nameOfCall(one) === call && one.trouble === name)
      return cell === undefined ? '' : shown(cell)
    }),
  ])
  return aligned([header, ...rows])
}

function nameOfCall({ call }: Cell): string {
  return `${call.at === 'GitHub' ? 'G' : 'M'}${call.index + 1} ${call.name.replace(/^.*\//, '')}`
}

function shown({ outcomes, broken }: Cell): string {
  const [run = '', rerun = '', next = '', atOnce = ''] = outcomes.map((name) => short[name] ?? name)
  const rest = atOnce === next ? '' : ` (${atOnce})`
  return `${broken.length > 0 ? '!' : ''}${run}>${rerun}>${next}${rest}`
}

/** The calls to GitHub of each flow. */
export function callTable(flows: readonly Prepared[]): string {
  const rows = flows.map(({ flow, calls }) => {
    const all = calls.filter(({ at }) => at === 'GitHub')
    const changes = all.filter(({ name }) => name === 'pulls/get' || name === 'pulls/list-files').length
    return [flow.name, String(all.length - changes), String(changes)]
  })
  return aligned([['calls to GitHub', '', 'and to read what changed'], ...rows])
}

function aligned(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The totals, for which all must be zero but the cells. */
export function crashTotals(cells: readonly Cell[]): string {
  const count = (what: RegExp) => cells.filter(({ broken }) => broken.some((name) => what.test(name))).length
  const leftovers = cells.filter(({ comments }) => (comments[0] ?? 0) > 1).length
  return [
    `${cells.length} cells: ${count(/doubled/)} doubled, ${count(/lost silently/)} lost silently,`,
    `${count(/stuck/)} stuck, ${count(/no result/)} without a result after the re-run,`,
    `${count(/leftover/)} with a leftover that stays (${leftovers} left one that the next run removed),`,
    `${cells.filter(({ broken }) => broken.length > 0).length} broken in any way.`,
  ].join(' ')
}
