/**
 * The report as a list of blocks. Each printer (Markdown, HTML, JSON, CSV) shows every kind of block, and treats every
 * string as outside text.
 */
import { countText } from '../core/units.ts'
import { type CountChange, changeBetween, changeText, partText, type VisitorCounts } from './figures.ts'
import { shortPath } from './paths.ts'
import type { Period } from './period.ts'

/** A part of a sentence: text, or a page with as much of its path as fits. */
export interface Part {
  text: string
  page?: string
}

/** A figure of the whole site, with its trend. */
export interface Figure {
  id: keyof VisitorCounts | 'views'
  title: string
  now: number
  /** null if nothing is compared. */
  change: CountChange | null
  /** A remark, such as the share of AI readers; empty for none. */
  remark: string
  /** The periods that were read, oldest first; empty if only the compared ones were. */
  trend: { period: Period; value: number }[]
}

/** A comment that starts the agent. It is about a page or a search. */
export interface Command {
  page: string | null
  search: string | null
  command: string
  because: string
}

export type Block =
  | { kind: 'title'; project: string; days: string; against: string }
  /** A sentence in parts, to be joined with spaces. */
  | { kind: 'headline'; parts: readonly Part[]; isAlert: boolean }
  | { kind: 'figures'; figures: Figure[] }
  /** A warning is about something that is missing or needs attention. */
  | { kind: 'warning' | 'heading' | 'paragraph'; text: string }
  | ({ kind: 'command' } & Command)
  /** The figures' trends in one chart, with a label for each period. */
  | { kind: 'chart'; labels: string[]; figures: Figure[] }
  | { kind: 'notes'; title: string; notes: string[] }
  | Table

/** A row as it is in the files. */
export type Row = Readonly<Record<string, string | number | null | readonly string[]>>

/** What people see of a row. */
export interface Column {
  title: string
  /** The row's path becomes a link. Words are aligned like text, and figures like numbers. */
  kind: 'page' | 'words' | 'figure'
  /** The value in words; empty if it is unknown. */
  text(row: Row): string
  /** What follows the value in a list, such as `visitor`, and for values other than 1, such as `visitors`. */
  unit?: readonly [one: string, more?: string]
}

/** Rows of a list, such as pages. The first column says what a row is about. */
export interface Table {
  kind: 'table'
  /** Its name in report.json. */
  id: string
  /** If set, the table is folded below it. */
  fold?: string
  columns: readonly [Column, ...Column[]]
  rows: readonly Row[]
  /** Maximum number of rows in the job summary: 5 if it is not set. */
  top?: number
  /** What the table says if it has no rows. */
  nothing?: string
  /** Why rows are missing, as a sentence. */
  gap: string | null
}

export function heading(text: string): Block {
  return { kind: 'heading', text }
}

/** The title of a folded table, with its number of rows; null if the table is not folded. */
export function foldTitle({ fold, rows }: Table) {
  if (!fold || rows.length === 0) return null
  return `${fold} (${countText(rows.length)})`
}

/** Why rows are missing, or what a table without rows says; empty for none. */
export function noteOf({ gap, nothing = '', rows }: Table) {
  return gap ?? (rows.length === 0 ? nothing : '')
}

/** What a row is about, from its first column. */
export function subjectOf({ kind, text }: Column, row: Row): Part {
  if (kind === 'page' && typeof row.path === 'string') return pagePart(row.path)
  return { text: text(row) }
}

function pagePart(path: string) {
  return { page: path, text: shortPath(path) }
}

/** The page or the search that a command is about. */
export function targetOf({ page, search }: Command): Part {
  if (page === null) return { text: `“${search}”` }
  return pagePart(page)
}

/** A page's path. @param missing what a row says without a page */
export function pageColumn(missing = ''): Column {
  return { title: 'Page', kind: 'page', text: () => missing }
}

/** What readers wrote: one text, or several, of which at most two are shown. */
export function words(key: string, title: string): Column {
  const text = (row: Row) => {
    const texts = [row[key] ?? []].flat()
    return texts
      .slice(0, 2)
      .map((each) => `“${each}”`)
      .join(', ')
  }
  return { title, kind: 'words', text }
}

/** The action's own words. */
export function remark(key: string, title: string): Column {
  return { title, kind: 'words', text: (row) => String(row[key]) }
}

/** A number. */
export function count(key: string, title: string, one: string, more = `${one}s`): Column {
  const text = ({ [key]: value }: Row) => {
    if (value === null) return ''
    return countText(Number(value))
  }
  return { title, kind: 'figure', text, unit: [one, more] }
}

/** A number as a part of another one, which has the key `of`. @param unit such as `votes negative` */
export function part(key: string, of: string, title: string, unit: string): Column {
  const text = (row: Row) => partText(Number(row[key]), Number(row[of]))
  return { title, kind: 'figure', text, unit: [unit] }
}

/** The change in visitors. @param scale see `changeBetween` */
export function change(scale: number): Column {
  const text = ({ visitors: now = null, previousVisitors: before = null }: Row) => {
    if (now === null || before === null) return ''
    return changeText(changeBetween(Number(now), Number(before), scale))
  }
  return { title: 'Change', kind: 'figure', text }
}

/** A value with its unit, for a list. */
export function phrase({ text, unit = [''] }: Column, row: Row) {
  const value = text(row)
  const [one, more = one] = unit
  if (value === '') return ''
  const noun = value === '1' ? one : more
  return `${value} ${noun}`.trim()
}
