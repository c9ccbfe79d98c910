/** schema/visitors-report.v2.json as types. */
import type { VisitorCounts } from '../core/counts.ts'
import type { AskedCategory, Tallies } from '../core/sections/findings.ts'

export type Counts = VisitorCounts

/** The days that were read, with their totals. */
export interface Reading {
  from: string
  /** Excluded. */
  to: string
  totals: Counts
  pages: number
  complete: boolean
  whyIncomplete: string | null
}

/** A page's counts in both periods. */
export interface Page {
  path: string
  /** null if the page is not among those that were read. */
  current: Counts | null
  previous: Counts | null
}

/** A period of the trend. */
export interface TrendPeriod {
  from: string
  to: string
  /** null if the period was not read. */
  totals: Counts | null
}

/** Pages that changed by more than chance explains. */
export interface Movers {
  rises: Page[]
  falls: Page[]
  new: Page[]
  gone: Page[]
  moved: LikelyMove[]
}

/** A page that lost all its visitors, and the page that they probably visit now. */
export interface LikelyMove {
  from: string
  to: string
  previous: Counts | null
  current: Counts | null
}

/** The globs that select pages. */
export interface Filter {
  include: string[]
  exclude: string[]
}

/** The part of a list that was read. */
export interface List<Row> {
  complete: boolean
  whyIncomplete: string | null
  rows: Row[]
}

/** What a reader wrote about a page. */
export interface Comment {
  path: string
  comment: string
}

/** What readers say; null if it was not requested. */
export interface Sections {
  feedback: {
    votes: List<{ path: string; thumbsUp: number; thumbsDown: number; visitors: number | null }>
    comments: List<Comment>
    agentComments: Comment[]
  } | null
  searches: List<{
    search: string
    searches: number
    clickRate: number | null
    /** Whether the path of a visited page contains the words; null if unknown. */
    hasPage: boolean | null
  }> | null
  questions: List<{ path: string | null; visitors: number | null; questions: string[]; asked: number }> | null
  /** The questions by category; empty if the platform returned none. */
  categories: AskedCategory[]
  tallies: Tallies
  talliesBefore: Tallies
}

/** A suggested fix for a page or a search term. */
export interface Suggestion {
  key: string
  page: string | null
  term: string | null
  evidence: string[]
  quotes: string[]
  command: string
  /** First day of the period in which it was first suggested. */
  raised: string
  isNew: boolean
}

/** A requested fix. */
export interface Fix {
  key: string
  page: string | null
  term: string | null
  state: 'asked' | 'pull-request' | 'merged' | 'measured'
  /** Its progress; `{link}` is replaced by its pull request. */
  text: string
  /** Link to the pull request; null if there is none. */
  pullRequest: string | null
  /** The effect of the fix; null if it was not measured. */
  result: string | null
}

/** The contents of visitors-report.json. */
export interface VisitorsReport {
  version: 2
  project: string
  site: string | null
  generatedAt: string
  timezone: string
  verdict: string
  headline: (string | { path: string; shown: string })[]
  period: Reading
  compared: Reading | null
  change: { visitors: number | null; humanVisitors: number | null; aiVisitors: number | null }
  alerts: { metric: 'humanVisitors'; change: number; threshold: number }[]
  trend: TrendPeriod[]
  movers: Movers | null
  filter: Filter
  /** Globs that match no page in the report. */
  unmatched: Filter
  requests: { used: number; limit: number }
  notes: string[]
  sections: Sections
  suggestions: Suggestion[]
  fixes: Fix[]
  /** The number of the agent's open and merged pull requests; null if there are none. */
  pullRequests: string | null
  pages: Page[]
}
