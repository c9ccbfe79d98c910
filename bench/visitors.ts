/** The cost of the visitors report: reading many pages over a slow connection, and memory by the site's size. */
import { join } from 'node:path'
import { serveHttp } from '../sandbox/wire.ts'
import { pageSize } from '../src/mintlify/analytics.ts'
import { actionEnvironment, bundle, inFolder, measurePeak, median, runScript } from './process.ts'

/**
 * Reads two periods side by side, each in `pages` responses that take `roundTrip` milliseconds. `took`: milliseconds from
 * the first request to the last response. `pastEnd`: requests past the last page.
 */
export function measurePaging(pages: number, roundTrip: number) {
  return onSite(pages * pageSize, roundTrip, async (folder, inputs, seen) => {
    await runScript([bundle], actionEnvironment(folder, inputs))
    return { requests: seen.requests, pastEnd: seen.pastEnd, took: seen.last - seen.first }
  })
}

/** The bundle's peak memory in bytes when it writes all files of a report about a site with `rows` pages. */
export function measureMemory(rows: number, runs: number): Promise<number> {
  return onSite(rows, 0, async (folder, inputs) => {
    const env = actionEnvironment(folder, { ...inputs, 'report-dir': join(folder, 'report') })
    const peaks: number[] = []
    while (peaks.length < runs) peaks.push(await measurePeak(bundle, folder, env))
    return median(peaks)
  })
}

const seenNothing = { requests: 0, pastEnd: 0, first: 0, last: 0 }

/** Runs `act` with a site of this many pages, the same in every period. */
function onSite<T>(
  rows: number,
  roundTrip: number,
  act: (folder: string, inputs: Record<string, string>, seen: typeof seenNothing) => Promise<T>,
): Promise<T> {
  const seen = { ...seenNothing }
  // Built in advance, so that building them is not measured.
  const replies = Array.from({ length: Math.ceil(rows / pageSize) }, (_, at) => pageAt(at * pageSize, rows))
  return inFolder(async (folder) => {
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
    const inputs = { mode: 'visitors', 'base-url': url, 'max-requests': '10000' }
    return act(folder, inputs, seen).finally(close)
  })
}

function pageAt(offset: number, rows: number): string {
  const visitors = Array.from({ length: Math.min(pageSize, rows - offset) }, (_, index) => {
    const [human, ai] = [(offset + index) % 1000, (offset + index) % 300]
    const path = `/guides/section-${(offset + index) % 97}/a-page-of-the-docs-${offset + index}`
    return { path, human, ai, total: human + ai }
  })
  const totals = { human: rows, ai: rows, total: 2 * rows }
  return JSON.stringify({ totals, visitors, hasMore: offset + pageSize < rows })
}
