import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputNames } from '../../src/core/inputs/schema.ts'
import { parseVisitorsInputs, type VisitorsInputs } from '../../src/visitors/inputs.ts'
import { hostileText, runs } from '../core/samples.ts'

/** A Wednesday. */
const now = Date.UTC(2026, 10, 18, 10)
const context = { isComment: false, now }
const least = { mode: 'visitors', 'project-id': 'docs', 'api-key': 'mint_0123456789', 'github-token': 't' }

function read(more: Record<string, string>): VisitorsInputs {
  const parsed = parseVisitorsInputs({ ...least, ...more }, context)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return parsed.inputs
}

function faultsOf(more: Record<string, string>) {
  const parsed = parseVisitorsInputs({ ...least, ...more }, context)
  return parsed.ok ? [] : parsed.faults
}

const faulty = (more: Record<string, string>) => faultsOf(more).map(({ input }) => input)

const valid: [input: string, text: string, field: keyof VisitorsInputs, value: unknown][] = [
  ['period', 'last-month', 'period', { from: '2026-10-01', to: '2026-11-01', isMonth: true }],
  ['paths', ' /guides/** \n\n*.md\n', 'paths', ['/guides/**', '*.md']],
  ['paths', '/{a,b}/*\n!/a/../x', 'paths', ['/{a,b}/*', '!/a/../x']],
  ['site-url', 'http://docs.example.com/a//', 'siteUrl', 'http://docs.example.com/a'],
  ['alert-drop', '7 %', 'alertDrop', 0.07],
  ['alert-drop', '0.01%', 'alertDrop', 0.0001],
  ['max-requests', '10000', 'maxRequests', 10_000],
  ['sections', 'none', 'sections', new Set()],
  ['issue-number', '7', 'issueNumber', 7],
  ['sections', 'questions, feedback', 'sections', new Set(['feedback', 'questions'])],
  ['sections', 'searches\nsearches', 'sections', new Set(['searches'])],
]

const invalid: Record<string, string[]> = {
  period: ['Last-week', 'last-year', 'last-week ', '7'],
  paths: ['x'.repeat(501), '{a,{b,{c,{d,{e,f}}}}}', '*a*a*a*', '+(a)', '{1..9}', '[[:alpha:]]'],
  'site-url': [
    ...['docs.example.com', 'ftp://docs.example.com', 'javascript:alert(1)', 'https://', '/docs'],
    ...[
      'https://a@docs.example.com',
      'https://a:b@docs.example.com',
      'https://x.example?y',
      'https://x.example/#',
    ],
  ],
  'alert-drop': ['20', '%', '0.00%', '-20%', '100.01%', '20.555%', '20 percent', '1e1%', '٢٠%'],
  'max-requests': ['0', '10001', '-1', 'many', '1.5', '9999999999'],
  'date-from': ['yesterday', '2026-02-30', '2026-11-09T10:00+25:00'],
  sections: ['all', 'none, feedback', 'Feedback', ','],
  'issue-number': ['0', '-7', '7.0', '#7', '1234567890', 'seven'],
}

describe('an input', () => {
  it.each(valid)('%s accepts %j', (input, text, field, value) => {
    expect(read({ [input]: text })[field]).toEqual(value)
  })

  it('an input has its default if it is absent or empty', () => {
    expect(read({})).toEqual({
      mode: 'visitors',
      projectId: 'docs',
      apiKey: 'mint_0123456789',
      baseUrl: 'https://api.mintlify.com',
      timeout: 3_600_000,
      failOn: new Set(['failed', 'timed-out']),
      dryRun: false,
      githubToken: 't',
      matrixIndex: null,
      command: null,
      sections: new Set(),
      period: { from: '2026-11-09', to: '2026-11-16' },
      dateFrom: null,
      dateTo: null,
      paths: [],
      siteUrl: null,
      alertDrop: null,
      maxRequests: 40,
      reportDir: null,
      issueNumber: null,
    })
    const empty = Object.fromEntries(inputNames.map((name) => [name, '']))
    expect(read({ ...empty, ...least })).toEqual(read({}))
  })

  it.each(
    Object.entries(invalid).flatMap(([input, texts]) => texts.map((text): [string, string] => [input, text])),
  )('%s rejects %j, and the fault shows the value and what is expected', (input, text) => {
    const faults = faultsOf({ [input]: text, ...(input === 'date-from' && { 'date-to': '2026-11-16' }) })
    expect(faults.map((fault) => fault.input)).toEqual([input])
    expect(faults[0]?.got).toContain(text.slice(0, 3).trim())
    expect(faults[0]?.expected).not.toBe('')
  })
})

describe('the inputs together', () => {
  it('a comment without a token is rejected', () => {
    expect(faulty({ 'issue-number': '7', 'github-token': '' })).toEqual(['github-token'])
  })

  it('parsing never throws, blames only known inputs, and selects a period that is over', () => {
    const text = fc.oneof(
      hostileText,
      fc.constantFrom('2026-11-09', '2026-11-16T00:00+02:00', '2026-11-09T12:00Z', '7', '20%'),
    )
    const given = fc.dictionary(fc.constantFrom(...inputNames.filter((name) => !(name in least))), text)
    fc.assert(
      fc.property(given, (raw) => {
        const parsed = parseVisitorsInputs({ ...least, ...raw }, context)
        if (!parsed.ok) {
          for (const { input } of parsed.faults) expect(inputNames).toContain(input)
          return
        }
        const { period } = parsed.inputs
        expect(Date.parse(period.from)).toBeLessThan(Date.parse(period.to))
        expect(period.to <= '2026-11-19').toBe(true)
      }),
      runs(150),
    )
  })
})

describe('a custom period', () => {
  it.each([
    ['2026-11-02', '2026-11-09'],
    // Up to yesterday.
    ['2026-11-17', '2026-11-18'],
    // Date-times are sent to Mintlify unchanged.
    ['2026-11-01T00:00:00+02:00', '2026-11-08T00:00:00+02:00'],
    ['2026-11-02T00:00Z', '2026-11-18T09:59Z'],
    ['2026-11-02', '2026-11-09T12:00:00.5-11:00'],
  ])('a custom period is from %s up to %s, whatever `period` says', (from, to) => {
    const inputs = { 'date-from': from, 'date-to': to, period: 'last-month' }
    expect(read(inputs).period).toEqual({ from, to })
  })

  it.each([
    ['only an end', '', '2026-11-09', ['date-from']],
    ['only a start', '2026-11-02', '', ['date-to']],
    ['the same start and end', '2026-11-09', '2026-11-09', ['date-to']],
    ['date-times without an offset', '2026-11-02T00:00', '2026-11-03T23:59:00', ['date-from', 'date-to']],
    ['an end in the future', '2026-11-02T00:00Z', '2026-11-18T10:01Z', ['date-to']],
    ['an end at the same moment as its start', '2026-11-02T00:00Z', '2026-11-02T02:00+02:00', ['date-to']],
    ['today as its last day', '2026-11-02', '2026-11-19', ['date-to']],
    ['invalid dates', 'x', 'y', ['date-from', 'date-to']],
  ])('a custom period with %s is rejected', (_, from, to, expected) => {
    expect(faulty({ 'date-from': from, 'date-to': to })).toEqual(expected)
  })
})
