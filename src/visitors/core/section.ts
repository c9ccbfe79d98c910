/** A section of the report: what readers say in one of the platform's lists, and what it means for the site's pages. */
import * as z from 'zod/mini'
import { type Block, type Column, phrase, type Row, type Table } from './blocks.ts'
import { partText } from './format.ts'
import { type Gap, reasonOf } from './gap.ts'
import { toPath } from './readers-words.ts'

/** Each section is a file in `sections/`. */
export interface Section {
  /** Its name in the input `sections`. */
  name: string
  /** Reads its lists, and says what they mean. */
  read(list: ReadList, site: Site): Promise<SectionPart>
}

export interface SectionPart {
  blocks: Block[]
  /** What readers missed, worst first. */
  missed: Missed[]
}

/** What readers missed on a page, or what they searched for. */
export interface Missed {
  about: 'page' | 'search'
  target: string
  /** Why it needs a fix: at least two facts. */
  evidence: string[]
  /** The prompt for the agent, without any reader's words. */
  task: string
  /** What readers wrote. */
  words: readonly string[]
}

/** A list of the platform (openapi.yaml). Only its first rows are read. */
export interface List<Entry> {
  /** What it lists, in sentences. */
  name: string
  /** Below the project's analytics. */
  path: string
  query: { limit: number; source?: string }
  /** The rows' name in the response. */
  rows: string
  entry: z.ZodMiniType<Entry>
}

/** The entries of a list, or why it was not read. */
export type Listing<Entry> =
  | { kind: 'read'; entries: Entry[]; hasMore: boolean }
  | { kind: 'missing'; gap: Gap }

/** Reads a list of the period. */
export type ReadList = <Entry>(list: List<Entry>) => Promise<Listing<Entry>>

/** The site's pages, to combine with readers' words. */
export interface Site {
  /** All pages in either period, with their visitors in the current one. */
  pages(): Iterable<{ path: string; visitors: number }>
  /** Whether every page was read. Otherwise, it is unknown whether a page exists. */
  isComplete: boolean
  /** Whether the report lists a page. */
  isListed(path: string): boolean
  /** The input `site-url`; null if it is not set. The paths in the lists can begin with the URL's path. */
  url: string | null
}

/** Reads a response; undefined if the list is missing, or has rows but no usable ones. */
export function readList<Entry>(
  { rows, query, entry }: List<Entry>,
  json: unknown,
): Extract<Listing<Entry>, { kind: 'read' }> | undefined {
  const reply = z.record(z.string(), z.unknown()).safeParse(json).data ?? {}
  const given = reply[rows]
  if (!Array.isArray(given)) return undefined
  // The platform may ignore the limit.
  const entries = given.slice(0, query.limit).flatMap((row) => entry.safeParse(row).data ?? [])
  const hasMore = reply.hasMore === true || Boolean(reply.nextCursor) || given.length > query.limit
  return entries.length === 0 && given.length > 0 ? undefined : { kind: 'read', entries, hasMore }
}

/** A section with one list. */
interface Plan<Raw, Entry extends { path: string | null }, Found extends Row>
  extends Pick<Table, 'columns' | 'nothing'> {
  name: string
  title: string
  list: List<Raw>
  entries(raw: Raw[]): Entry[]
  /** What is bad, how many are bad, and how many there are. */
  tally: [text: string, bad: (entry: Entry) => number, all: (entry: Entry) => number]
  /** The rows of the table, worst first. */
  rows(entries: Entry[], site: Site): Found[]
  /** The fix for a row; null if it does not need one. */
  fix(row: Found): Pick<Missed, 'about' | 'target' | 'task' | 'words'> | null
}

/** Makes a section. */
export function section<Raw, Entry extends { path: string | null }, Found extends Row>(
  plan: Plan<Raw, Entry, Found>,
): Section {
  const { name, title, list, columns, nothing } = plan
  return {
    name,
    async read(read, site) {
      const listing = await read(list)
      const entries = ownEntries(plan.entries(entriesOf(listing)), site)
      const rows = plan.rows(entries, site)
      const [text, bad, all] = plan.tally
      const tally = `${partText(sum(entries, bad), sum(entries, all))} ${text}.`
      return {
        blocks: [
          { kind: 'heading', text: title },
          { kind: 'paragraph', text: entries.length === 0 ? '' : tally },
          {
            kind: 'table',
            id: name,
            columns,
            rows,
            size: rows.length,
            top: 5,
            nothing,
            gap: lackOf(listing, list),
          },
        ],
        missed: rows.flatMap((row) => {
          const fix = plan.fix(row)
          return fix === null ? [] : { ...fix, evidence: evidenceOf(row, columns) }
        }),
      }
    },
  }
}

function evidenceOf(row: Row, columns: readonly Column[]): string[] {
  const facts = columns.filter(({ kind, title }) => kind === 'figure' && title !== null)
  return facts.map((column) => phrase(column, row)).filter((fact) => fact !== '')
}

/** The entries of a list; empty if it was not read. */
export function entriesOf<Entry>(listing: Listing<Entry>): Entry[] {
  return listing.kind === 'read' ? listing.entries : []
}

/** Why a list is incomplete, as a sentence; null if it is complete. */
export function lackOf(
  listing: Listing<unknown>,
  { name, query }: Pick<List<unknown>, 'name' | 'query'>,
): string | null {
  if (listing.kind === 'missing') return `The ${name} are missing: ${reasonOf(listing.gap)}.`
  return listing.hasMore ? `Only the first ${query.limit} ${name} were read. There are more.` : null
}

function sum<Entry>(entries: readonly Entry[], countOf: (entry: Entry) => number): number {
  return entries.reduce((total, entry) => total + countOf(entry), 0)
}

/** The entries about pages that the report lists, with paths as the site has them: without the path of `site-url`. */
export function ownEntries<Entry extends { path: string | null }>(entries: Entry[], site: Site): Entry[] {
  const base = toPath(URL.parse(site.url ?? '')?.pathname ?? '/')
  return entries
    .map((entry) => {
      const isBelow = base !== '/' && entry.path?.startsWith(`${base}/`)
      return isBelow ? { ...entry, path: entry.path?.slice(base.length) ?? null } : entry
    })
    .filter(({ path }) => path === null || site.isListed(path))
}

/** Finds the visitors of entries' pages; null for a page that is not among those that were read. */
export function visitorsOf(entries: readonly { path: string | null }[], { pages }: Site) {
  const wanted = new Set(entries.map(({ path }) => path))
  const found = new Map<string | null, number>()
  for (const { path, visitors } of entries.length === 0 ? [] : pages()) {
    const plain = toPath(path)
    if (wanted.has(plain)) found.set(plain, Math.max(visitors, found.get(plain) ?? visitors))
  }
  return (path: string | null) => found.get(path) ?? null
}
