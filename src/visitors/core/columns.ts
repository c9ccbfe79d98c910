/**
 * The report's columns, which tables, totals, files and the page use. To show another figure derived from the counts,
 * add a row.
 */
import { changeBetween, rounded } from './change.ts'
import { aiShare, type PageFigures, type VisitorCounts } from './counts.ts'
import { changeText, countText, pointsText, shareText } from './figures.ts'

/** A figure that is derived from the counts. */
export interface Column {
  /** Its name in CSS classes and in the code. */
  id: string
  /** Its heading in tables. */
  title: string
  /** Its name in visitors.csv, and the start of the names for the compared period and the change. */
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

/** The columns in tables. The AI share is only shown once, with the totals. */
export const countColumns = columns.filter(({ unit }) => unit === 'count')

/** A column's value for tables; `–` if it is unknown or does not exist. */
export function valueText(column: Column, counts: VisitorCounts | null): string {
  const value = counts && column.read(counts)
  if (value === null) return '–'
  return column.unit === 'count' ? countText(value) : shareText(value)
}

/** The change of a column, as text and direction. */
export interface ColumnChange {
  text: string
  direction: 'up' | 'down' | 'level'
  isSmall: boolean
}

/** The change of a column: counts in percent, shares in points. */
export function columnChange(
  column: Column,
  now: VisitorCounts,
  then: VisitorCounts,
  scale: number,
): ColumnChange {
  const [value, earlier] = [column.read(now), column.read(then)]
  // There is no test whether a share changed beyond chance, so it has no direction.
  if (column.unit === 'share') return { text: pointsText(value, earlier), direction: 'level', isSmall: false }
  const change = changeBetween(value ?? 0, earlier ?? 0, scale)
  return { text: changeText(change), direction: change.direction, isSmall: change.isSmall }
}

/** The header of visitors.csv after the path. */
export const csvHead: string[] = [
  ...columns.map(({ csv }) => csv),
  ...columns.map(({ csv }) => `previous${capitalized(csv)}`),
  ...columns.map(({ csv }) => `${csv}Change`),
]

/** A row of visitors.csv after the path: values of the current period, of the compared one, and the changes; empty if unknown. */
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
