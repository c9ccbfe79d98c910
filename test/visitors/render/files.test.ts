/** visitors.csv and report.json: the same pages in each, with any names, and safe to open. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../../../sandbox/runner/action.ts'
import type { VisitorCounts } from '../../../src/visitors/core/counts.ts'
import { visiblePath } from '../../../src/visitors/core/page-link.ts'
import { figuresOf, pageOf, type VisitorsReport } from '../../../src/visitors/core/report.ts'
import { reportCsv } from '../../../src/visitors/render/csv.ts'
import { reportJson } from '../../../src/visitors/render/json.ts'
import { verdict } from '../../../src/visitors/render/words.ts'
import { runs } from '../../core/samples.ts'
import { jobRef } from '../../render/samples.ts'
import { anySample, aReport, budget, counts, page } from './samples.ts'

const csvOf = (report: VisitorsReport) => [...reportCsv(report)].join('')
const jsonOf = (report: VisitorsReport) => [...reportJson(report, jobRef)].join('')

const columns = [
  ...['path', 'visitors', 'humanVisitors', 'aiVisitors', 'aiShare'],
  ...['previousVisitors', 'previousHumanVisitors', 'previousAiVisitors', 'previousAiShare'],
  ...['visitorsChange', 'humanVisitorsChange', 'aiVisitorsChange', 'aiShareChange'],
]

/** Records, as a strict reader of RFC 4180 sees them: only `\r\n` ends a line. */
const recordsOf = (csv: string): string[][] => parse(csv, { record_delimiter: '\r\n', bom: true })

const isFormula = (text: string) => /^[=+\-@＝＋－＠]/.test(text)
const inOrder = (report: VisitorsReport) => [...report.ids].map((id) => pageOf(report, id))
/** A path as it is in the file. UTF-8 cannot encode half a surrogate pair. */
const written = (path: string) => {
  const visible = visiblePath(path)
  return `${isFormula(visible) ? "'" : ''}${visible.toWellFormed()}`
}
/** Counts as cells, which are empty if the counts are unknown. */
const cells = (counts: VisitorCounts | null) =>
  counts === null ? ['', '', ''] : [counts.total, counts.human, counts.ai].map(String)

describe('visitors.csv', () => {
  it('visitors.csv contains the figures of a small site', () => {
    const pages = [page('/a "b", c', 9, null, 4), page('=1+1', null, 7), page('', 3, 4)]
    expect(csvOf(aReport({ pages })).split('\r\n')).toEqual([
      `\uFEFF${columns.join(',')}`,
      '"/a ""b"", c",9,5,4,0.4444,0,0,0,,,,,',
      '"/",3,3,0,0,4,4,0,0,-0.25,-0.25,,0',
      `"'=1+1",0,0,0,,7,7,0,0,-1,-1,,`,
      '',
    ])
  })

  it('visitors.csv has an empty cell for each unknown figure', () => {
    const pages = [page('/new', 3, null), page('/old', null, 4)]
    expect(recordsOf(csvOf(aReport({ pages, gap: budget, compared: budget }))).slice(1)).toEqual([
      ['/new', '3', '3', '0', '0', ...Array(8).fill('')],
    ])
    expect(recordsOf(csvOf(aReport({ pages, gap: budget })))[2]?.slice(0, 6)).toEqual([
      '/old',
      '',
      '',
      '',
      '',
      '4',
    ])
  })

  it('visitors.csv without pages still has its header', () => {
    expect(csvOf(aReport({ pages: [] }))).toBe(`\uFEFF${columns.join(',')}\r\n`)
  })

  it('visitors.csv has every page once, with its counts, in the order of the report, whatever its path', () => {
    fc.assert(
      fc.property(anySample, (sample) => {
        const report = aReport(sample)
        const csv = csvOf(report)
        expect(recordsOf(csv)[0]).toEqual(columns)
        expect(csv.endsWith('\r\n')).toBe(true)
        const rows = recordsOf(csv).slice(1)
        expect(rows.map(([path, ...row]) => [path, ...row.slice(0, 3), ...row.slice(4, 7)])).toEqual(
          [...report.ids].map((id) => {
            const { now, before } = figuresOf(report, id)
            return [written(report.book.pathOf(id)), ...cells(now), ...cells(before)]
          }),
        )
      }),
      runs(30),
    )
  })

  it.each(['=1', '+1', '-1', '@A1', '＝1', '＋1', '－1', '＠1'])(
    'visitors.csv keeps %j from running as a formula',
    (path) => {
      expect(recordsOf(csvOf(aReport({ pages: [page(path, 1, null)] })))[1]?.[0]).toBe(`'${path}`)
    },
  )

  it.each([
    ['\t=1', '\\u{9}=1'],
    ['\r=1', '\\u{D}=1'],
    ['\n=1', '\\u{A}=1'],
    ['/a\u001B[31m', '/a\\u{1B}[31m'],
    ['/a\u202Eb', '/a\\u{202E}b'],
  ])('visitors.csv shows the hidden characters in %j', (path, shown) => {
    expect(recordsOf(csvOf(aReport({ pages: [page(path, 1, null)] })))[1]?.[0]).toBe(shown)
  })

  it.each(['/=1', "'quoted", ' x', '漢', '1'])('visitors.csv leaves %j unchanged', (path) => {
    expect(recordsOf(csvOf(aReport({ pages: [page(path, 1, null)] })))[1]?.[0]).toBe(path)
  })

  it('visitors.csv has no path that starts like a formula, and no control character', () => {
    fc.assert(
      fc.property(anySample, (sample) => {
        const paths = recordsOf(csvOf(aReport(sample))).map(([path = '']) => path)
        expect(paths.filter((path) => isFormula(path) || /\p{Cc}/u.test(path))).toEqual([])
      }),
      runs(30),
    )
  })
})

describe('report.json', () => {
  const schema = JSON.parse(readFileSync(join(projectDir, 'schema/visitors-report.v2.json'), 'utf8'))
  const dates = {
    date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
    'date-time': (text: string) => new Date(text).toISOString() === text,
  }
  /** The schema, except that unknown fields are invalid. */
  const valid = new Ajv2020({ formats: dates, allowUnionTypes: true }).compile(sealed(schema))

  function sealed(node: unknown): object {
    if (typeof node !== 'object' || node === null) return node as never
    if (Array.isArray(node)) return node.map(sealed)
    const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, sealed(value)]))
    return 'properties' in node ? { ...inner, additionalProperties: false } : inner
  }

  it('report.json matches the schema, and lists the same pages as visitors.csv', () => {
    fc.assert(
      fc.property(anySample, (sample) => {
        const report = aReport(sample)
        const parsed = JSON.parse(jsonOf(report))
        valid(parsed)
        expect(valid.errors).toBeNull()
        expect(parsed.pages).toEqual(inOrder(report))
        expect(parsed.pages.map(({ path }: { path: string }) => written(path))).toEqual(
          recordsOf(csvOf(report))
            .slice(1)
            .map(([path]) => path),
        )
      }),
      runs(30),
    )
  })

  it('report.json says what was read, and what was not', () => {
    const parsed = JSON.parse(jsonOf(aReport({ gap: budget, compared: { why: 'moving' }, trend: 2 })))
    const why = 'all 40 requests allowed by max-requests are used up'
    expect(parsed).toMatchObject({
      version: 2,
      project: 'docs',
      site: 'https://docs.example.com/docs',
      generatedAt: '2026-11-16T06:00:00.000Z',
      verdict: verdict(aReport({ gap: budget, compared: { why: 'moving' } }), jobRef),
      period: { from: '2026-11-09', to: '2026-11-16', pages: 5, complete: false, whyIncomplete: why },
      compared: null,
      change: { visitors: null, humanVisitors: null, aiVisitors: null },
      movers: null,
      requests: { used: 16, limit: 40 },
      trend: [
        { from: '2026-11-02', to: '2026-11-09', totals: null },
        { from: '2026-11-09', to: '2026-11-16', totals: counts(1_203, 402, 1_551) },
      ],
    })
  })

  it('report.json contains the headline in parts', () => {
    expect(JSON.parse(jsonOf(aReport())).headline).toContainEqual({ path: '/changelog', shown: '/changelog' })
  })

  it('report.json contains the movers unchanged, and the alert', () => {
    const parsed = JSON.parse(jsonOf(aReport({ totals: counts(900, 402, 1_251) })))
    const paths = (pages: { path: string }[]) => pages.map(({ path }) => path)
    expect(Object.entries(parsed.movers).map(([move, pages]) => [move, paths(pages as never)])).toEqual([
      ...[
        ['rises', []],
        ['falls', ['/changelog']],
        ['new', ['/guides/streaming']],
        ['gone', ['/old']],
      ],
    ])
    expect(parsed.alerts).toEqual([{ metric: 'humanVisitors', change: -0.2373, threshold: -0.2 }])
  })
})

describe('the files of a large site', () => {
  const pages = Array.from({ length: 20_000 }, (_, at) => page(`/guides/${at}`, at % 50, at % 50))
  const report = aReport({ pages })

  it.each<[string, () => Iterable<string>]>([
    ['visitors.csv', () => reportCsv(report)],
    ['report.json', () => reportJson(report, jobRef)],
  ])('%s is made in pieces of about one row', (_, chunks) => {
    const lengths = [...chunks()].map(({ length }) => length)
    expect(lengths.length).toBeGreaterThan(20_000)
    expect(Math.max(...lengths)).toBeLessThan(20_000)
  })

  it('report.json is made piece by piece as it is read', () => {
    const chunks = reportJson(report, jobRef)
    chunks.next()
    report.ids = report.ids.subarray(0, 1)
    expect([...chunks].filter((chunk) => chunk.includes('"path"'))).toHaveLength(1)
  })
})
