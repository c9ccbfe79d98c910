/**
 * The report as a list of blocks. Each printer (Markdown, HTML, JSON, CSV) shows every kind of block, and treats every
 * string as outside text.
 */
import { type Change, rounded } from './change.ts'
import { changeText, countText, partText, shareText } from './format.ts'
import type { Period } from './period.ts'

/** A page of the site. `shown` is the part of its path that fits. */
export interface PageRef {
  page: string
  shown?: string
}

/** A figure of the whole site, with its trend. */
export interface Figure {
  id: 'visitors' | 'humanVisitors' | 'aiVisitors'
  title: string
  now: number
  /** null if nothing is compared. */
  change: Change | null
  /** A remark, such as the share of AI readers; empty for none. */
  remark: string
  /** Oldest first; null for a period that was not read. */
  trend: { period: Period; value: number | null }[]
}

export type Block =
  | { kind: 'title'; days: string; against: string }
  /** A sentence in parts, to be joined with spaces. */
  | { kind: 'headline'; parts: readonly (string | PageRef)[]; isAlert: boolean }
  | { kind: 'figures'; figures: Figure[] }
  /** Something that is missing or needs attention. */
  | { kind: 'warning'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** A comment that starts the agent. `about` is a page or a search term. */
  | { kind: 'command'; about: PageRef | string; command: string; because: string }
  /** The figures' trends in one chart. */
  | { kind: 'chart'; figures: Figure[] }
  | { kind: 'notes'; title: string; notes: string[] }
  | Table

/** A value as it is in the files. A change is a fraction there. */
export type Value = string | number | null | readonly string[] | Change

export type Row = Readonly<Record<string, Value>>

export interface Column {
  /** The value's name in report.json and visitors.csv. */
  key: string
  /** Its heading; null if only the files contain it. */
  title: string | null
  /** Paths become links. Words are aligned like text, and figures like numbers. */
  kind: 'page' | 'words' | 'figure'
  /** The value in words; empty if it is unknown. */
  text(row: Row): string
  /** What follows the value in a list, for 1 and for other values, such as `visitor` and `visitors`. */
  unit?: readonly [one: string, more: string]
}

/** Rows of a list, such as pages. The first column says what a row is about. */
export interface Table {
  kind: 'table'
  /** Its name in report.json. */
  id: string
  /** If set, the table is folded below it. */
  fold?: string
  columns: readonly [Column, ...Column[]]
  rows: Iterable<Row>
  size: number
  /** Maximum number of rows in the job summary. */
  top: number
  /** What the table says if it has no rows. */
  nothing?: string | undefined
  /** Why rows are missing, as a sentence. */
  gap?: string | null
}

/** Whether a value is a change. */
export function isChange(value: Value | undefined): value is Change {
  return typeof value === 'object' && value !== null && 'fraction' in value
}

/** A value as it is in the files. */
export function plainValue(value: Value | undefined): string | number | null | readonly string[] {
  return isChange(value) ? rounded(value.fraction) : (value ?? null)
}

/** A page's path. @param missing what a row says without a page */
export function pageColumn(missing = ''): Column {
  return { key: 'path', title: 'Page', kind: 'page', text: () => missing }
}

/** What readers wrote: one text, or several, of which at most `most` are shown. */
export function words(key: string, title: string, most = 1): Column {
  const quoted = (row: Row) =>
    [row[key] ?? []]
      .flat()
      .slice(0, most)
      .map((each) => `“${each}”`)
  return { key, title, kind: 'words', text: (row) => quoted(row).join(', ') }
}

/** The action's own words. */
export function remark(key: string, title: string): Column {
  return { key, title, kind: 'figure', text: (row) => String(row[key] ?? '') }
}

/** A number. @param title null if only the files contain it */
export function count(key: string, title: string | null = null, one = '', more = `${one}s`): Column {
  const text = (row: Row) => (typeof row[key] === 'number' ? countText(row[key]) : '')
  return { key, title, kind: 'figure', text, unit: [one, more] }
}

/** A number as a part of another one, which has the key `of`. @param unit such as `votes negative` */
export function part(key: string, of: string, title: string, unit: string): Column {
  return {
    key,
    title,
    kind: 'figure',
    text: (row) => partText(Number(row[key]), Number(row[of])),
    unit: [unit, unit],
  }
}

/** A fraction. @param unit such as `clicked` */
export function share(key: string, title: string, unit: string): Column {
  return { key, title, kind: 'figure', text: (row) => shareText(Number(row[key])), unit: [unit, unit] }
}

/** The change in visitors. */
export const changeColumn: Column = {
  key: 'change',
  title: 'Change',
  kind: 'figure',
  text: ({ change }) => (isChange(change) && change.before + change.now !== 0 ? changeText(change) : ''),
}

/** A value with its unit, for a list. */
export function phrase({ text, unit = ['', ''] }: Column, row: Row): string {
  const value = text(row)
  return value === '' ? '' : `${value} ${value === '1' ? unit[0] : unit[1]}`.trim()
}
