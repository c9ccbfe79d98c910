/** Reports for the page's tests: made up, but shaped like a documentation site's week. */
import { randomFrom } from '../../../bench/random.ts'
import type { VisitorCounts as Counts } from '../../../src/visitors/core/counts.ts'
import type { Page, TrendPeriod, VisitorsReport } from '../../../src/visitors/page/visitors-report.ts'
import { nothingSaid } from '../core/report-samples.ts'

/** The template with a report, as the action writes it. */
export function fillPage(template: string, report: unknown): string {
  const json = JSON.stringify(report).replaceAll('<', '\\u003c')
  return template.replace('"%REPORT%"', () => json)
}

const day = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const monday = Date.parse('2026-11-09')

/** Some visitors count as both, so the total is below the sum. */
function countsOf(human: number, ai: number): Counts {
  return { human, ai, total: human + ai - Math.floor(Math.min(human, ai) / 20) }
}

const topics = ['guides', 'reference', 'concepts', 'tutorials', 'api', 'sdk', 'changelog', 'integrations']
const subjects = [
  'install',
  'authentication',
  'webhooks',
  'rate-limits',
  'errors',
  'pagination',
  'cli',
  'search',
]

/** A different path for each number. */
function pathOf(index: number): string {
  if (index === 0) return '/'
  const topic = topics[index % topics.length]
  const subject = subjects[Math.floor(index / topics.length) % subjects.length]
  const series = Math.floor(index / (topics.length * subjects.length))
  return series === 0 ? `/${topic}/${subject}` : `/${topic}/${subject}/v${series}`
}

function makePages(amount: number): Page[] {
  const random = randomFrom(2)
  const pages = Array.from({ length: amount }, (_, index): Page => {
    const human = Math.round((9_000 / (index + 1) ** 0.8) * (0.6 + random() * 0.8)) + 1
    const ai = Math.round(human * random() * 0.6)
    const before = 0.75 + random() * 0.5
    const previous = countsOf(Math.round(human * before), Math.round(ai * before * 0.9))
    return { path: pathOf(index), current: countsOf(human, ai), previous }
  })
  return pages.sort((left, right) => (right.current?.total ?? 0) - (left.current?.total ?? 0))
}

/** Twelve weeks up to the current one, of which two were not read. */
function makeTrend(last: Counts, before: Counts): TrendPeriod[] {
  const random = randomFrom(3)
  return Array.from({ length: 12 }, (_, index): TrendPeriod => {
    const start = monday - (11 - index) * 7 * day
    const growth = 0.62 + index * 0.03 + random() * 0.06
    const week = countsOf(
      Math.round(last.human * growth),
      Math.round(last.ai * growth * (0.4 + index * 0.045)),
    )
    const totals = { 4: null, 5: null, 10: before, 11: last }[index]
    return { from: dayOf(start), to: dayOf(start + 7 * day), totals: totals === undefined ? week : totals }
  })
}

const page = (path: string, now: number | null, before: number | null): Page => ({
  path,
  current: now === null ? null : countsOf(Math.round(now * 0.8), Math.round(now * 0.25)),
  previous: before === null ? null : countsOf(Math.round(before * 0.8), Math.round(before * 0.25)),
})

/** A report with this many pages. Both periods are complete. */
export function makeReport(amount = 40): VisitorsReport {
  const totals = { human: 18_432, ai: 5_210, total: 23_118 }
  const before = { human: 17_204, ai: 4_118, total: 20_866 }
  return {
    version: 2,
    project: 'acme-docs',
    site: 'https://docs.example.com',
    generatedAt: '2026-11-16T06:12:09Z',
    timezone: 'Europe/Berlin',
    verdict: '/changelog/install lost 595; visitors rose by 10.8% to 23,118.',
    headline: [
      { path: '/changelog/install', shown: '/changelog/install' },
      ' lost 595; visitors rose by 10.8% to 23,118.',
    ],
    period: {
      from: dayOf(monday),
      to: dayOf(monday + 7 * day),
      totals,
      pages: amount,
      complete: true,
      whyIncomplete: null,
    },
    compared: {
      from: dayOf(monday - 7 * day),
      to: dayOf(monday),
      totals: before,
      pages: Math.max(0, amount - 2),
      complete: true,
      whyIncomplete: null,
    },
    change: { visitors: 0.1079, humanVisitors: 0.0714, aiVisitors: 0.2652 },
    alerts: [],
    trend: makeTrend(totals, before),
    sections: { ...nothingSaid.sections, feedback: null, searches: null, questions: null },
    suggestions: [],
    fixes: [],
    pullRequests: null,
    movers: {
      rises: [
        page('/guides/webhooks', 1_204, 610),
        page('/reference/rate-limits', 880, 512),
        page('/sdk/authentication', 742, 398),
        page('/integrations/search', 410, 230),
        page('/api/errors', 322, 160),
        page('/tutorials/cli', 301, 158),
        page('/concepts/pagination', 240, 121),
        page('/guides/errors', 200, 102),
      ],
      falls: [page('/changelog/install', 310, 905), page('/guides/install/v1', 120, 288)],
      new: [page('/guides/streaming-responses', 512, null), page('/reference/streaming', 240, null)],
      gone: [],
    },
    filter: { include: [], exclude: [] },
    unmatched: { include: [], exclude: [] },
    requests: { used: 214, limit: 1_000 },
    notes: [
      'Visitors are counted by day and device, so that someone who reads on two devices counts twice.',
      'AI means crawlers and assistants that name themselves.',
    ],
    pages: makePages(amount),
  }
}

/** The current period is incomplete, and human visitors fell far enough for an alert. */
export function makeIncomplete(): VisitorsReport {
  const report = makeReport(120)
  const why = 'the limit of 1,000 requests was reached'
  const totals = { human: 12_410, ai: 5_210, total: 17_002 }
  return {
    ...report,
    verdict: 'Human visitors fell by 27.9%, alert at 20%.',
    headline: ['Human visitors fell by 27.9%, alert at 20%; visitors fell by 18.5% to 17,002.'],
    period: {
      ...report.period,
      totals,
      complete: false,
      whyIncomplete: why,
    },
    change: { visitors: -0.1852, humanVisitors: -0.2787, aiVisitors: 0.2652 },
    alerts: [{ metric: 'humanVisitors', change: -0.2787, threshold: -0.2 }],
    trend: report.trend.with(-1, { from: report.period.from, to: report.period.to, totals }),
    movers: null,
    requests: { used: 1_000, limit: 1_000 },
    pages: [...report.pages, page('/not-read-this-time', null, 51)],
  }
}

/** No period to compare with, and no trend. */
export function makeUncompared(): VisitorsReport {
  const report = makeReport(120)
  return {
    ...report,
    verdict: '23,118 visitors.',
    headline: ['23,118 visitors.'],
    compared: null,
    change: { visitors: null, humanVisitors: null, aiVisitors: null },
    trend: [],
    movers: null,
    pages: report.pages.map((one) => ({ ...one, previous: null })),
  }
}

/** A site that nobody has read yet. */
export function makeEmpty(): VisitorsReport {
  const report = makeReport(0)
  const nobody: Counts = { human: 0, ai: 0, total: 0 }
  const compared = report.compared && { ...report.compared, totals: nobody, pages: 0 }
  return {
    ...report,
    verdict: 'No visitors in either period.',
    headline: ['No visitors in either period.'],
    period: { ...report.period, totals: nobody },
    compared,
    change: { visitors: null, humanVisitors: null, aiVisitors: null },
    trend: report.trend.map((period) => ({ ...period, totals: nobody })),
    movers: { rises: [], falls: [], new: [], gone: [] },
  }
}

/** The first week with readers: everything is new, nothing has a percentage. */
export function makeFirst(): VisitorsReport {
  const report = makeReport(12)
  const nobody: Counts = { human: 0, ai: 0, total: 0 }
  return {
    ...report,
    verdict: '23,118 visitors, after none in the previous period.',
    headline: ['23,118 visitors, after none in the previous period.'],
    compared: report.compared && { ...report.compared, totals: nobody, pages: 0 },
    change: { visitors: null, humanVisitors: null, aiVisitors: null },
    movers: { rises: [], falls: [], new: [page('/', 900, null)], gone: [] },
    pages: report.pages.map((one) => ({ ...one, previous: null })),
  }
}

/** Paths that try to inject HTML, lead to another site, or hide characters. */
export const hostilePaths = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '/<b>bold</b>',
  '//evil.example/phish',
  '@evil.example/',
  '.evil.example/',
  ':8080/other-port',
  '/../../outside',
  '/\\evil.example',
  'javascript:alert(1)',
  '/abc\u202Egnp.exe',
  '/zero\u200Bwidth',
  '/bell\u0007\n/second-line',
  '/lone\uD800surrogate',
  '',
  `/long/${'very-long-segment/'.repeat(60)}end`,
  `/${'unbroken'.repeat(20)}`,
]

/** A report in which every text is hostile. */
export function makeHostile(site: string | null = 'https://docs.example.com/docs'): VisitorsReport {
  const report = makeReport(0)
  const evil = '<img src=x onerror=alert(1)>\u202E</script>'
  const pages = hostilePaths.map((path, index) => page(path, 1_000 - index, 900))
  const hostile = {
    ...report,
    site,
    project: evil,
    verdict: evil,
    headline: [evil, ...hostilePaths.map((path) => ({ path, shown: path }))],
    timezone: evil,
    period: { ...report.period, complete: false, whyIncomplete: evil },
    movers: { rises: pages, falls: pages, new: pages, gone: pages },
    filter: { include: [evil], exclude: [evil] },
    unmatched: { include: [evil], exclude: [] },
    notes: [evil],
    pages,
  }
  return withReaders(hostile, evil, hostilePaths[0])
}

const pulls = 'https://github.com/acme/docs/pull/'
const fix = { page: '/guides/install', term: null, pullRequest: null, result: null } as const

const whole = <Row>(rows: Row[]) => ({ complete: true, whyIncomplete: null, rows })

/** Adds the sections, suggestions and earlier fixes, in which a reader wrote `words`. */
export function withReaders(
  report: VisitorsReport,
  words: string,
  path = '/guides/webhooks',
): VisitorsReport {
  const comments = [{ path, comment: words }]
  return {
    ...report,
    sections: {
      feedback: {
        votes: whole([
          { path, thumbsUp: 1, thumbsDown: 9, visitors: 1_249 },
          { path: '/liked', thumbsUp: 9, thumbsDown: 1, visitors: null },
        ]),
        comments: { complete: false, whyIncomplete: 'Only the first 100 were read.', rows: comments },
        agentComments: comments,
      },
      searches: whole([
        { search: words, searches: 47, clickRate: 0.021, hasPage: false },
        { search: 'found', searches: 90, clickRate: 0.6, hasPage: null },
      ]),
      questions: whole([
        { path, visitors: 1_249, questions: [words, words, 'Why?'], asked: 9 },
        { path: null, visitors: null, questions: ['Who?'], asked: 2 },
      ]),
      categories: [],
      tallies: {
        questions: { bad: 4, all: 11 },
        votes: { bad: 10, all: 20 },
        searches: { bad: 82, all: 137 },
      },
      talliesBefore: { questions: { bad: 6, all: 10 }, votes: null, searches: { bad: 90, all: 140 } },
    },
    suggestions: [
      {
        key: 's-1f3a9c',
        raised: '2026-11-09',
        isNew: true,
        page: path,
        term: null,
        evidence: ['9 of 10 votes negative', '1,249 visitors'],
        quotes: [words],
        command: '/docs fix s-1f3a9c',
      },
      {
        key: 's-77aa01',
        raised: '2026-10-26',
        isNew: false,
        page: null,
        term: words,
        evidence: ['47 searches, 2.1% clicked', 'no page'],
        quotes: [words],
        command: '/docs fix s-77aa01',
      },
    ],
    fixes: [
      { ...fix, key: 's-000001', page: path, state: 'asked', text: `fix requested by ${words}` },
      {
        ...fix,
        key: 's-000002',
        state: 'pull-request',
        text: '{link} is open, requested by mona',
        pullRequest: `${pulls}101`,
      },
      {
        ...fix,
        key: 's-000003',
        state: 'merged',
        text: '{link} was merged on Nov 2; measured after Nov 30',
        pullRequest: `${pulls}97`,
      },
      {
        ...fix,
        key: 's-000004',
        page: null,
        term: words,
        state: 'measured',
        text: '{link}',
        pullRequest: `${pulls}88`,
        result:
          '24 searches without a click before, 6 after. Relative to the rest of the site (+4%): down 75% (−94% to −21%)',
      },
    ],
    pullRequests: { ...became, text: "The agent's pull requests: 1 opened, 2 merged." },
  }
}

const became = { opened: 1, merged: 2, closed: 0, waiting: 1, hoursToMerge: 30, mergeRate: null }
