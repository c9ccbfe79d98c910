/** schema/visitors-report.v1.json, as types. */

/** Approximate unique visitors; `total` is deduplicated and need not be `human` + `ai`. */
export interface Counts {
  human: number
  ai: number
  total: number
}

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
  /** null where the page was not among those read. */
  current: Counts | null
  previous: Counts | null
}

export interface TrendPeriod {
  from: string
  to: string
  /** null where the period was not read. */
  totals: Counts | null
}

export interface Movers {
  rises: Page[]
  falls: Page[]
  new: Page[]
  gone: Page[]
}

export interface VisitorsReport {
  version: 1
  project: string
  site: string | null
  generatedAt: string
  timezone: string
  verdict: string
  period: Reading
  compared: Reading | null
  change: { visitors: number | null; humanVisitors: number | null; aiVisitors: number | null }
  alerts: { metric: 'humanVisitors'; change: number; threshold: number }[]
  trend: TrendPeriod[]
  movers: Movers | null
  filter: { include: string[]; exclude: string[] }
  requests: { used: number; limit: number }
  notes: string[]
  pages: Page[]
}
