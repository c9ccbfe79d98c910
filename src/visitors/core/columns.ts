/** The report's columns, for tables, totals, files and the page. To show another count, add it to `columns`. */
import { type Change, changeBetween } from './change.ts'
import type { VisitorCounts } from './counts.ts'
import { changeText, countText } from './figures.ts'

/** A count, and how the report shows it. */
export interface Column {
  /** Its name in CSS classes and in the code. */
  id: string
  /** Its heading in tables. */
  title: string
  /** Its name in visitors.csv. The names of the columns for the compared period and the change contain it, too. */
  csv: string
  key: keyof VisitorCounts
}

export const columns = [
  { id: 'visitors', title: 'Visitors', csv: 'visitors', key: 'total' },
  { id: 'human', title: 'Human visitors', csv: 'humanVisitors', key: 'human' },
  { id: 'ai', title: 'AI readers', csv: 'aiVisitors', key: 'ai' },
] as const satisfies Column[]

/** A column's value for tables; `–` if it is unknown. */
export function valueText({ key }: Column, counts: VisitorCounts | null): string {
  return counts === null ? '–' : countText(counts[key])
}

export type ColumnChange = Pick<Change, 'direction' | 'isSmall'> & { text: string }

/** A column's change. @param scale length of the current period divided by the length of the compared one */
export function columnChange(
  { key }: Column,
  now: VisitorCounts,
  then: VisitorCounts,
  scale: number,
): ColumnChange {
  const change = changeBetween(now[key], then[key], scale)
  return { text: changeText(change), direction: change.direction, isSmall: change.isSmall }
}
