/** The cost of the visitors report: reading many pages over a slow connection, and memory by the site's size. */
import { join } from 'node:path'
import { serveHttp } from '../sandbox/wire.ts'
import { pageSize } from '../src/visitors/core/pages.ts'
import { actionEnvironment, bundle, inFolder, measurePeak, median, runScript } from './process.ts'

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
