/** The cost of the visitors report: reading many pages over a slow connection, memory by the site's size, and rendering. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveHttp } from '../sandbox/wire.ts'
import { PageCounts, PathBook } from '../src/visitors/core/pages.ts'
import { buildReport, type PeriodReading, type VisitorsReport } from '../src/visitors/core/report.ts'
import { pageSize } from '../src/visitors/core/visitors.ts'
import { reportCsv } from '../src/visitors/render/csv.ts'
import { reportJson } from '../src/visitors/render/json.ts'
import { reportMarkdown } from '../src/visitors/render/markdown.ts'
import { nothingSaid } from '../test/visitors/core/report-samples.ts'
import { actionEnvironment, dist, measurePeak, runScript } from './process.ts'
import { median } from './start.ts'

const bundle = join(dist, 'index.js')

export interface PagingFigures {
  pages: number
  roundTrip: number
  /** Milliseconds from the first request to the last response, with both periods in parallel. */
  took: number
  /** Number of requests for both periods, and how many of them were past the last page. */
  requests: number
  pastEnd: number
}

/** Reads two periods, each in `pages` responses, over a connection with a round trip of `roundTrip` milliseconds. */
export async function measurePaging(pages: number, roundTrip: number): Promise<PagingFigures> {
  return inFolder(async (folder) => {
    const site = await startSite(pages * pageSize, roundTrip)
    try {
      await runScript([bundle], actionEnvironment(folder, inputsFor(site.url)))
      const { requests, pastEnd, first, last } = site.seen
      return { pages, roundTrip, took: last - first, requests, pastEnd }
    } finally {
      await site.close()
    }
  })
}

/** The bundle's peak memory in bytes when it writes all files of a report about a site with `rows` pages. */
export async function measureMemory(rows: number, runs: number): Promise<number> {
  return inFolder(async (folder) => {
    const site = await startSite(rows, 0)
    try {
      const inputs = { ...inputsFor(site.url), 'report-dir': join(folder, 'report') }
      const env = { ...actionEnvironment(folder, inputs), GITHUB_WORKSPACE: folder }
      const peaks: number[] = []
      while (peaks.length < runs) peaks.push(await measurePeak(bundle, folder, env))
      return median(peaks)
    } finally {
      await site.close()
    }
  })
}

/** Milliseconds to render each form of the report of a site with `rows` pages. */
export function measureRendering(rows: number): Record<string, number> {
  const report = reportOf(rows)
  const place = { uses: './', baseUrl: 'https://api.example', projectId: 'docs', jobId: null }
  const forms: Record<string, () => Iterable<string>> = {
    summary: () => [reportMarkdown(report, place)],
    'visitors.csv': () => reportCsv(report),
    'report.json': () => reportJson(report, place),
  }
  return Object.fromEntries(
    Object.entries(forms).map(([name, form]) => {
      const start = performance.now()
      let length = 0
      for (const piece of form()) length += piece.length
      if (length === 0) throw new Error(`${name} is empty`)
      return [name, performance.now() - start]
    }),
  )
}

function inputsFor(baseUrl: string): Record<string, string> {
  return {
    mode: 'visitors',
    'project-id': 'sandbox-docs',
    'api-key': 'mint_sandbox_0123456789abcdef',
    'base-url': baseUrl,
    'max-requests': '10000',
  }
}

/** A site with this many pages, the same in every period. Its responses are built in advance, so building them is not measured. */
async function startSite(rows: number, roundTrip: number) {
  const seen = { requests: 0, pastEnd: 0, first: 0, last: 0 }
  const replies = Array.from({ length: Math.ceil(rows / pageSize) }, (_, at) => pageAt(at * pageSize, rows))
  const { url, close } = await serveHttp((request, response) => {
    const offset = Number(new URL(`http://site${request.url}`).searchParams.get('offset'))
    seen.first ||= performance.now()
    seen.requests++
    if (offset >= rows) seen.pastEnd++
    setTimeout(() => {
      const reply = replies[offset / pageSize] ?? pageAt(offset, rows)
      response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
      seen.last = performance.now()
    }, roundTrip)
  })
  return { url, seen, close }
}

function pageAt(offset: number, rows: number): string {
  const visitors = Array.from({ length: Math.min(pageSize, rows - offset) }, (_, at) => rowAt(offset + at))
  return JSON.stringify({
    totals: { human: rows, ai: rows, total: 2 * rows },
    visitors,
    hasMore: offset + pageSize < rows,
  })
}

function rowAt(at: number) {
  return {
    path: `/guides/section-${at % 97}/a-page-of-the-docs-${at}`,
    human: at % 1000,
    ai: at % 300,
    total: (at % 1000) + (at % 300),
  }
}

function reportOf(rows: number): VisitorsReport {
  const book = new PathBook()
  const reading = (factor: number): PeriodReading => {
    const pages = new PageCounts()
    for (let at = 0; at < rows; at++) {
      const { path, human, ai } = rowAt(at)
      const counts = { human: human * factor, ai, total: human * factor + ai }
      pages.set(book.idOf(path), counts)
    }
    return {
      period: { from: '2026-11-09', to: '2026-11-16' },
      totals: { human: rows, ai: rows, total: rows },
      pages,
      gap: null,
    }
  }
  const parts = {
    projectId: 'docs',
    siteUrl: 'https://docs.example',
    generatedAt: 0,
    trend: [],
    current: reading(2),
    compared: { kind: 'read', reading: reading(1) } as const,
    paths: [],
    book,
    requests: { used: 200, limit: 1000 },
    ...nothingSaid,
  }
  return buildReport(parts, null)
}

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
