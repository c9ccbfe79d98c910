/** What readers' words say about the site's pages, combined with their visitors. */
import type { Kind } from '../suggestions/suggestions.ts'
import {
  type Listing,
  type PageVotes,
  type Question,
  type SearchTerm,
  type SectionsRead,
  toPath,
} from './lists.ts'
import { hasFewClicks, type SectionName } from './rules.ts'

/** The site's pages, from the report. */
export interface Site {
  /** All pages in either period, with their visitors in the current one. */
  pages(): Iterable<{ path: string; visitors: number }>
  /** Whether every page was read. Otherwise, it is unknown whether a page exists. */
  isComplete: boolean
  /** Whether a page's path passes the filter. */
  counts(path: string): boolean
  /** The input `site-url`; null if it is not set. The paths in the lists of readers' words can begin with the URL's path. */
  url: string | null
}

/** A page with its votes and visitors. */
export interface VotedPage extends PageVotes {
  /** null if it is not among the pages that were read. */
  visitors: number | null
}

/** A comment on a page. */
export interface PageComment {
  path: string
  words: string
}

/** A search term, and whether a page covers it. */
export interface Term extends SearchTerm {
  /** Whether a page's path contains the term's longest word; null if unknown. */
  hasPage: boolean | null
}

/** The questions of one page. */
export interface AskedPage {
  /** null if the questions are not about a page. */
  path: string | null
  visitors: number | null
  /** The unanswered questions. A question that was asked twice is listed twice. */
  questions: string[]
  /** Number of all questions, including answered ones. */
  asked: number
}

/** How many of the entries that were read are bad: unanswered questions, down votes, or searches without a click. */
export interface Tally {
  bad: number
  all: number
}

/** The tallies of each kind; null if unknown. */
export type Tallies = Record<Kind, Tally | null>

/** The sections of the report; null if not requested. */
export interface Sections extends Record<SectionName, object | null> {
  feedback: {
    /** Sorted by the estimated number of visitors who dislike a page, highest first. */
    votes: Listing<VotedPage>
    comments: Listing<PageComment>
    /** Comments by AI readers, from the same list as the readers' comments. */
    agentComments: PageComment[]
  } | null
  /** Sorted by the number of searches without a click, highest first. */
  searches: Listing<Term> | null
  /** Sorted by the number of unanswered questions, highest first. */
  questions: Listing<AskedPage> | null
  /** null if not requested or not read. */
  tallies: Tallies
  /** The tallies of the compared period. */
  talliesBefore: Tallies
}

const noTallies: Tallies = { questions: null, votes: null, searches: null }

/** Combines the sections with the visitors. Leaves out rows about pages that the filter excludes. */
export function findInSections(read: SectionsRead, site: Site, before: SectionsRead | null = null): Sections {
  const { feedback, searches } = read
  const own = ownRows(site)
  const votes = feedback && mapRows(feedback.votes, own)
  const asked = read.questions && mapRows(read.questions, own)
  const visitors = visitorsOf(
    [...rowsOf(votes), ...rowsOf(asked)].flatMap(({ path }) => path ?? []),
    site,
  )
  const visitorsAt = (path: string | null) => (path === null ? null : (visitors.get(path) ?? null))
  return {
    feedback: feedback &&
      votes && {
        votes: mapRows(votes, (rows) =>
          rows.map((row) => ({ ...row, visitors: visitorsAt(row.path) })).sort(byDislike),
        ),
        comments: mapRows(feedback.comments, (rows) => own(rows).filter(({ isAgent }) => !isAgent)),
        agentComments: own(rowsOf(feedback.comments)).filter(({ isAgent }) => isAgent),
      },
    searches: searches && mapRows(searches, (rows) => withPages(rows, site).sort(byMissedClicks)),
    questions: asked && mapRows(asked, (rows) => byPage(rows, visitorsAt)),
    tallies: talliesOf(read, site),
    talliesBefore: before === null ? noTallies : talliesOf(before, site),
  }
}

/** Makes a function that removes the path of `site-url` from rows, and drops rows about pages that the filter excludes. */
function ownRows({ url, counts }: Site) {
  const base = toPath(URL.parse(url ?? '')?.pathname ?? '/')
  return <T extends { path: string | null }>(rows: T[]): T[] =>
    rows
      .map((row) => ({ ...row, path: row.path && withoutBase(row.path, base) }))
      .filter(({ path }) => path === null || counts(path))
}

function talliesOf({ feedback, searches, questions }: SectionsRead, site: Site): Tallies {
  const own = ownRows(site)
  const tally = <T>(listing: Listing<T> | null, badOf: (row: T) => number, allOf: (row: T) => number) =>
    listing?.kind === 'read' ? { bad: sum(listing.rows, badOf), all: sum(listing.rows, allOf) } : null
  return {
    questions: tally(
      questions && mapRows(questions, own),
      ({ isAnswered }) => (isAnswered ? 0 : 1),
      () => 1,
    ),
    votes: tally(
      feedback && mapRows(feedback.votes, own),
      ({ down }) => down,
      ({ up, down }) => up + down,
    ),
    searches: tally(searches, unclicked, (term) => term.searches),
  }
}

function sum<T>(rows: readonly T[], countOf: (row: T) => number): number {
  return rows.reduce((total, row) => total + countOf(row), 0)
}

/** The number of a term's searches without a click; 0 if unknown. */
function unclicked({ searches, clickRate }: SearchTerm): number {
  return Math.round(searches * (1 - (clickRate ?? 1)))
}

/** The rows of a list; empty if it was not read. */
export function rowsOf<T>(listing: Listing<T> | null): T[] {
  return listing?.kind === 'read' ? listing.rows : []
}

function mapRows<T, U>(listing: Listing<T>, change: (rows: T[]) => U[]): Listing<U> {
  return listing.kind === 'read' ? { ...listing, rows: change(listing.rows) } : listing
}

function withoutBase(path: string, base: string): string {
  return base !== '/' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
}

function visitorsOf(paths: string[], { pages }: Pick<Site, 'pages'>): Map<string, number> {
  const wanted = new Set(paths)
  const found = new Map<string, number>()
  for (const { path, visitors } of wanted.size === 0 ? [] : pages()) {
    const own = toPath(path)
    if (wanted.has(own)) found.set(own, Math.max(visitors, found.get(own) ?? 0))
  }
  return found
}

/** The fraction of down votes, with one vote added in each direction, so that a single vote does not count as 100%. */
function dislike({ up, down }: PageVotes): number {
  return (down + 1) / (up + down + 2)
}

/** Sorts by the estimated number of visitors who dislike the page. A page without visitors counts as having one. */
function byDislike(one: VotedPage, other: VotedPage): number {
  const weight = (page: VotedPage) => dislike(page) * Math.max(1, page.visitors ?? 1)
  return weight(other) - weight(one) || other.down - one.down || (one.path < other.path ? -1 : 1)
}

function byMissedClicks(one: Term, other: Term): number {
  const missed = ({ searches, clickRate }: Term) => searches * (1 - (clickRate ?? 1))
  return missed(other) - missed(one) || (one.words < other.words ? -1 : 1)
}

/** Marks the terms whose topic begins a word in the path of a page. */
function withPages(terms: SearchTerm[], { pages, isComplete }: Site): Term[] {
  // Looks only for the terms that may be shown.
  const topics = new Map(terms.map((term) => [term, hasFewClicks(term) ? topicOf(term.words) : '']))
  const open = new Set([...topics.values()].filter((topic) => topic !== ''))
  const found = new Set<string>()
  for (const { path } of open.size === 0 ? [] : pages()) {
    const parts = path.toLowerCase().split(/[^a-z\d]+/)
    for (const topic of open)
      if (parts.some((part) => part.startsWith(topic)) && open.delete(topic)) found.add(topic)
  }
  return terms.map((term) => {
    const topic = topics.get(term) ?? ''
    const isMissing = topic !== '' && isComplete ? false : null
    return { ...term, hasPage: found.has(topic) ? true : isMissing }
  })
}

/** A term's longest word; empty for scripts other than Latin, which are rare in paths. */
function topicOf(words: string): string {
  if (/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(words)) return ''
  const plain = words.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  return plain
    .split(/[^a-z\d]+/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

function byPage(questions: Question[], visitorsAt: (path: string | null) => number | null): AskedPage[] {
  return [...Map.groupBy(questions, ({ path }) => path)]
    .map(([path, asked]) => {
      const open = asked.filter(({ isAnswered }) => !isAnswered).map(({ words }) => words)
      return { path, visitors: visitorsAt(path), questions: open, asked: asked.length }
    })
    .filter(({ questions }) => questions.length > 0)
    .sort(
      (one, other) =>
        other.questions.length - one.questions.length ||
        (other.visitors ?? 0) - (one.visitors ?? 0) ||
        ((one.path ?? '') < (other.path ?? '') ? -1 : 1),
    )
}
