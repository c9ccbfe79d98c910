/**
 * The report's columns. Tables, totals, files and the page are made from this list: a new figure that is derived from the
 * counts is a new row here.
 */
import { changeBetween, rounded } from './change.ts'
import { aiShare, type PageFigures, type VisitorCounts } from './counts.ts'
import { changeText, countText, pointsText, shareText } from './figures.ts'

export interface Column {
  /** Its name in CSS classes and in code. */
  id: string
  /** As tables show it. */
  title: string
  /** Its name in visitors.csv; the compared period's and the change's are made from it. */
  csv: string
  unit: 'count' | 'share'
  read(counts: VisitorCounts): number | null
}

export const columns = [
  { id: 'visitors', title: 'Visitors', csv: 'visitors', unit: 'count', read: ({ total }) => total },
  { id: 'human', title: 'Human visitors', csv: 'humanVisitors', unit: 'count', read: ({ human }) => human },
  { id: 'ai', title: 'AI readers', csv: 'aiVisitors', unit: 'count', read: ({ ai }) => ai },
  { id: 'share', title: 'AI share', csv: 'aiShare', unit: 'share', read: aiShare },
] as const satisfies Column[]

/** The columns of tables; the share is shown once, with the totals. */
export const countColumns = columns.filter(({ unit }) => unit === 'count')

/** A column's value as tables show it; `–` if it is not known, or if there is none. */
export function valueText(column: Column, counts: VisitorCounts | null): string {
  const value = counts && column.read(counts)
  if (value === null) return '–'
  return column.unit === 'count' ? countText(value) : shareText(value)
}

export interface ColumnChange {
  text: string
  direction: 'up' | 'down' | 'level'
  isSmall: boolean
}

/** How a column changed: counts in percent, shares in points. */
export function columnChange(
  column: Column,
  now: VisitorCounts,
  then: VisitorCounts,
  scale: number,
): ColumnChange {
  const [value, earlier] = [column.read(now), column.read(then)]
  // Whether a share changed beyond chance is not worked out, so it takes no side.
  if (column.unit === 'share') return { text: pointsText(value, earlier), direction: 'level', isSmall: false }
  const change = changeBetween(value ?? 0, earlier ?? 0, scale)
  return { text: changeText(change), direction: change.direction, isSmall: change.isSmall }
}

/** The cells of a page's line in visitors.csv, without its path. */
export const csvHead: string[] = [
  ...columns.map(({ csv }) => csv),
  ...columns.map(({ csv }) => `previous${capitalized(csv)}`),
  ...columns.map(({ csv }) => `${csv}Change`),
]

/** As in `csvHead`: numbers of the current period, of the compared one, and the changes; empty if not known. */
export function csvCells({ now, before }: PageFigures, scale: number): string[] {
  const value = (counts: VisitorCounts | null) => (column: Column) =>
    csvNumber(counts && column.read(counts), column.unit)
  return [
    ...columns.map(value(now)),
    ...columns.map(value(before)),
    ...columns.map((column) => csvNumber(now && before && changeOf(column, now, before, scale), 'share')),
  ]
}

function changeOf(column: Column, now: VisitorCounts, then: VisitorCounts, scale: number): number | null {
  const [value, earlier] = [column.read(now), column.read(then)]
  if (value === null || earlier === null) return null
  return column.unit === 'share' ? value - earlier : changeBetween(value, earlier, scale).fraction
}

function csvNumber(value: number | null, unit: Column['unit']): string {
  return String((unit === 'count' ? value : rounded(value)) ?? '')
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
