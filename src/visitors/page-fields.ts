/** The fields of a page: its row in report.json, its line in visitors.csv, and what people see of it. */
import { change, count, pageColumn, type Row, type Table } from './blocks.ts'
import { fractionOf } from './figures.ts'
import type { Page } from './report.ts'

/** In the order of the files. schema/visitors-report.v3.json describes each field. */
export const pageFields: readonly [name: string, read: (page: Page) => Row[string] | undefined][] = [
  ['path', ({ path }) => path],
  ['visitors', ({ now }) => now?.visitors],
  ['change', ({ change }) => fractionOf(change)],
  ['humanVisitors', ({ now }) => now?.humanVisitors],
  ['aiVisitors', ({ now }) => now?.aiVisitors],
  ['previousVisitors', ({ before }) => before?.visitors],
  ['previousHumanVisitors', ({ before }) => before?.humanVisitors],
  ['previousAiVisitors', ({ before }) => before?.aiVisitors],
]

/** A page's row. Unknown values are null. */
export function rowOf(page: Page) {
  return Object.fromEntries(pageFields.map(([name, read]) => [name, read(page) ?? null]))
}

/** What people see of a page. @param scale see `changeBetween` */
export function pageColumns(scale: number): Table['columns'] {
  return [
    pageColumn(),
    count('visitors', 'Visitors', 'visitor'),
    change(scale),
    count('aiVisitors', 'AI readers', 'AI reader'),
  ]
}
