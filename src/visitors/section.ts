/** A section of the report: what readers say in one of the platform's lists, and what it means for the site's pages. */
import type { VisitorsInputs } from '../core/inputs/schema.ts'
import type { Analytics, FirstEntries } from '../mintlify/analytics.ts'
import type { Called } from '../mintlify/client.ts'
import { type Block, heading, phrase, type Row, type Table } from './blocks.ts'
import { partText } from './figures.ts'
import { isListed } from './paths.ts'
import { readersWords, toPath } from './readers-words.ts'

/** Reads the lists of a section, and says what they mean. Each section is a file in `sections/`. */
export type Section = (site: Site) => Promise<SectionPart>

export interface SectionPart {
  blocks: Block[]
  /** Worst first. */
  fixes: Fix[]
}

/** A fix for what readers missed on a page, or for what they searched for. */
export interface Fix {
  /** The page or the search that it is about. */
  page?: string
  search?: string
  /** Why it needs a fix: at least two facts. */
  evidence: string[]
  /** The prompt for the agent, without any reader's words. */
  task: string
  /** What readers wrote. */
  words: readonly string[]
}

/** The site and what its readers say, as a section sees them. */
export interface Site {
  /** The calls about the period. */
  analytics: Analytics
  /** Calls for a list. @param name what it lists, in sentences */
  read<Entry extends ListEntry>(
    name: string,
    call: () => Promise<Called<FirstEntries<Entry>>>,
  ): Promise<Listing<Entry>>
  /** A page's visitors in the period; null if no such page was read. */
  visitorsOf(path: string | null): number | null
}

/** An entry of a list. It is about a page, or about nothing of the site. */
interface ListEntry {
  path: string | null
  /** What a reader wrote. */
  text?: string
}

/** The entries of a list about pages that the report lists. */
interface Listing<Entry> {
  entries: Entry[]
  /** Why entries are missing, as a sentence; null if none are. */
  gap: string | null
}

/**
 * The part of a list that the report shows. Readers' words are cleaned, and paths are those of the site, without the path
 * of `site-url`.
 * @param name what is listed, in sentences
 */
export function listingOf<Entry extends ListEntry>(
  name: string,
  { entries, hasMore }: FirstEntries<Entry>,
  { siteUrl, paths }: Pick<VisitorsInputs, 'siteUrl' | 'paths'>,
) {
  const base = toPath(siteUrl ?? '').replace(/\/$/, '')
  const clean = entries.map((entry) => {
    return { ...entry, text: readersWords(entry.text ?? ''), path: pathOnSite(entry.path, base) }
  })
  return {
    entries: clean.filter(({ path }) => path === null || isListed(path, paths)),
    gap: hasMore ? `Only the first ${name} were read. There are more.` : null,
  }
}

function pathOnSite(address: string | null, base: string) {
  if (address === null) return null
  const path = toPath(address)
  if (!path.startsWith(`${base}/`)) return path
  return path.slice(base.length)
}

export function sum<Item>(items: readonly Item[], figureOf: (item: Item) => number) {
  return items.reduce((total, item) => total + figureOf(item), 0)
}

/** What a section found in a list. */
interface Findings<Found extends Row> extends Omit<Table, 'kind'> {
  title: string
  /** How many things in the list are bad, how many there are, and what is bad, such as `votes were negative`. */
  tally?: readonly [bad: number, all: number, fault: string]
  /** Worst first. */
  rows: Found[]
  /** The fix for a row; null if it does not need one. */
  fix(row: Found): Omit<Fix, 'evidence'> | null
}

/**
 * The part of the report for what a section found: a heading, a tally and a table. Each fix has its row's figures as
 * evidence.
 */
export function sectionPart<Found extends Row>({
  title,
  tally: [bad, all, fault] = [0, 0, ''],
  rows,
  fix,
  ...table
}: Findings<Found>) {
  const blocks = [heading(title)]
  if (all !== 0) blocks.push({ kind: 'paragraph', text: `${partText(bad, all)} ${fault}.` })
  blocks.push({ kind: 'table', ...table, rows })
  const figures = table.columns.filter(({ kind }) => kind === 'figure')
  const fixes = rows.flatMap((row) => {
    const need = fix(row)
    if (need === null) return []
    const evidence = figures.map((column) => phrase(column, row))
    return { ...need, evidence: evidence.filter(Boolean) }
  })
  return { blocks, fixes }
}
