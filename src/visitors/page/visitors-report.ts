/** schema/visitors-report.v2.json, as types. */
import type { VisitorCounts } from '../core/counts.ts'
import type { AskedCategory, Tallies } from '../core/sections/findings.ts'

export type Counts = VisitorCounts

export interface Reading {
  from: string
  /** Exclusive. */
  to: string
  totals: Counts
  pages: number
  complete: boolean
  whyIncomplete: string | null
}

export interface Page {
  path: string
  /** null if the page was not among those read. */
  current: Counts | null
  previous: Counts | null
}

export interface TrendPeriod {
  from: string
  to: string
  /** null if the period was not read. */
  totals: Counts | null
}

export interface Movers {
  rises: Page[]
  falls: Page[]
  new: Page[]
  gone: Page[]
  moved: LikelyMove[]
}

/** A page that lost all its visitors, and the one that likely has them now. */
export interface LikelyMove {
  from: string
  to: string
  previous: Counts | null
  current: Counts | null
}

export interface Filter {
  include: string[]
  exclude: string[]
}

/** The part of a list of readers' words that was read. */
export interface List<Row> {
  complete: boolean
  whyIncomplete: string | null
  rows: Row[]
}

export interface Comment {
  path: string
  comment: string
}

/** What readers say; null if it was not asked for. */
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
    /** Whether a visited page has the words in its path; null if that is unknown. */
    hasPage: boolean | null
  }> | null
  questions: List<{ path: string | null; visitors: number | null; questions: string[]; asked: number }> | null
  /** The questions by category; empty if the platform names no category. */
  categories: AskedCategory[]
  tallies: Tallies
  talliesBefore: Tallies
}

/** A suggested fix, for a page or for a search term. */
export interface Suggestion {
  key: string
  page: string | null
  term: string | null
  evidence: string[]
  quotes: string[]
  command: string
  /** First day of the period that raised it. */
  raised: string
  isNew: boolean
}

/** A suggestion that someone asked for. */
export interface Fix {
  key: string
  page: string | null
  term: string | null
  state: 'asked' | 'pull-request' | 'merged' | 'measured'
  /** How far it is; `{link}` stands for its pull request. */
  text: string
  /** The pull request's address; null if there is none. */
  pullRequest: string | null
  /** The effect of the fix; null if it was not measured. */
  result: string | null
}

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
  /** Globs of the filter that match no page read. */
  unmatched: Filter
  requests: { used: number; limit: number }
  notes: string[]
  sections: Sections
  suggestions: Suggestion[]
  fixes: Fix[]
  /** How many of the agent's pull requests are open and merged; null if there are none. */
  pullRequests: string | null
  pages: Page[]
}
