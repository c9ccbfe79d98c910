/** Mode visitors: what it reads, what it writes and where, and what it reports as missing. */
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { GitHubOptions } from '../../sandbox/github/server.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { VisitorsSource } from '../../sandbox/platform/visitors.ts'
import { temporaryFolder } from '../running.ts'
import { runAlone } from './run.ts'
import {
  alone,
  commentsWith,
  falling,
  fileNames,
  from,
  hiddenOf,
  nextWeek,
  now,
  siteOf,
  to,
  visitorsWith,
} from './visitors-world.ts'

const visitors = visitorsWith(runAlone)
const world = (options: GitHubOptions = {}) => commentsWith(runAlone, options)

const pathsOf = (csv: string) =>
  (parse(csv, { columns: true, bom: true }) as { path: string }[]).map(({ path }) => path)

describe('a report', () => {
  it('a report of 1,128 pages with a comparison and a chart of eight periods takes sixteen requests', async () => {
    const run = await visitors(now, { visitors: siteOf(1_128) })
    expect(run.outputs).toMatchObject({ complete: 'true', pages: '1128' })
    const asked = run.platform.requests.map(
      ({ query }) => `${query.dateFrom} ${query.limit} ${query.offset ?? 0}`,
    )
    expect(asked).toHaveLength(16)
    expect(new Set(asked).size).toBe(16)
    expect(asked.filter((each) => each.includes(' 250 '))).toHaveLength(16)
    expect(run.summary).toContain('16 of 40 requests used')
  })

  it('a report has no files by default, and can be written to the runner’s temporary folder', async () => {
    const runnerTemp = temporaryFolder()
    const run = await visitors({ ...alone, 'report-dir': join(runnerTemp, 'a/b') }, {}, { runnerTemp })
    expect(readdirSync(join(runnerTemp, 'a/b')).sort()).toEqual(fileNames)
    expect(run.files()).toEqual([])
    const without = await visitors({ ...alone, 'report-dir': '' })
    expect(without.outputs).toMatchObject({ outcome: 'reported', reportCsv: '' })
    expect(without.files()).toEqual([])
  })
})

describe('an alert', () => {
  const inputs = { ...now, 'alert-drop': '20%', 'report-dir': 'report' }
  const alert = { metric: 'humanVisitors', change: -0.3, threshold: -0.2 }

  it.each([
    ['failed, timed-out', 0, 'warning'],
    ['alert', 1, 'error'],
  ])(
    'an alert with `fail-on: %s` ends the step with exit code %i, after the whole report is written',
    async (failOn, exitCode, level) => {
      const run = await visitors({ ...inputs, 'fail-on': failOn }, { visitors: falling })
      expect(run.exitCode).toBe(exitCode)
      expect(run.outputs.outcome).toBe('alert')
      expect(JSON.parse(run.outputs.alerts ?? '')).toEqual([alert])
      expect(readdirSync(run.folder).sort()).toEqual(fileNames)
      expect(run.outputs.headline).toMatch(
        /^Docs visitors, Nov 3–9, 2025: Human visitors fell by 30\.0% to 700/,
      )
      expect(run.summary).toMatch(
        /^> \[!WARNING\]\n> \*\*Human visitors fell by 30\.0%[\s\S]*<br>Alert at −20%/m,
      )
      expect(run.log.at(-1)).toMatchObject({ level, title: 'Fewer human visitors, Nov 3–9, 2025' })
    },
  )
})

describe('a report that lacks pages', () => {
  const rejection = { kind: 'status', status: 429, body: { error: 'Slow down' } } as const
  /** A site whose totals change with every request. */
  function moving(): VisitorsSource {
    let calls = 0
    const { rows } = siteOf(700)(from, to)
    return () => ({ totals: { human: ++calls, ai: 1, total: calls + 1 }, rows })
  }
  const table: [
    name: string,
    inputs: Record<string, string>,
    options: () => PlatformOptions,
    pages: string,
    says: string,
  ][] = [
    [
      'got a 429 for its third page',
      {},
      () => ({ visitors: siteOf(700), faults: [{ on: 'visitors', after: 4, do: rejection }] }),
      '500',
      'the hourly limit of 100 analytics requests was reached (429)',
    ],
    [
      'can send only two requests',
      { 'max-requests': '2' },
      () => ({ visitors: siteOf(700) }),
      '250',
      'all requests allowed by max-requests were used up',
    ],
    [
      'never got the same totals twice',
      {},
      () => ({ visitors: moving() }),
      '700',
      'the site kept changing while its pages were read',
    ],
  ]

  it.each(table)(
    'a report that lacks pages because it %s says so everywhere',
    async (_, inputs, options, pages, says) => {
      const run = await visitors({ ...alone, ...inputs }, options())
      expect(run.exitCode).toBe(0)
      expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'false', pages })
      const report = JSON.parse(run.read('report.json'))
      expect(report.complete).toBe(false)
      expect(report.warnings.join()).toContain(says)
      expect(pathsOf(run.read('visitors.csv'))).toHaveLength(Number(pages))
      expect(run.summary).toMatch(/^⚠️ Not all pages of Nov 3–9, 2025 were read/m)
      expect(run.log.at(-1)).toMatchObject({ level: 'warning', text: expect.stringContaining(says) })
    },
  )
})

it('a dry run reads one row, and writes no file', async () => {
  const run = await visitors({ ...now, 'dry-run': 'true', 'report-dir': 'report' })
  expect(run.outputs).toMatchObject({ outcome: 'dry-run', visitors: '', reportCsv: '' })
  expect(run.platform.requests.map(({ query }) => query.limit)).toEqual(['1'])
  expect(run.files()).toEqual([])
})

describe('nothing is read', () => {
  it.each(['../outside', join(tmpdir(), 'elsewhere')])(
    'nothing is read if report-dir is outside the workspace: %s',
    async (folder) => {
      const run = await visitors({ ...now, 'report-dir': folder })
      expect(run.outputs).toMatchObject({ outcome: 'error', reportCsv: '' })
      expect(run.exitCode).toBe(1)
      expect(run.text).toContain('outside the workspace')
      expect(run.platform.requests).toEqual([])
      expect(existsSync(resolve(run.folder, '..', folder))).toBe(false)
    },
  )

  it.each([
    [{ prompt: 'Fix it', 'job-id': 'job_1' }, ['`prompt` got "Fix it"', '`job-id` got "job_1"']],
    [
      { mode: 'agent', prompt: 'Fix it', 'report-dir': 'x', 'alert-drop': '5%' },
      ['`report-dir` got', '`alert-drop` got'],
    ],
    [{ 'date-from': to, 'date-to': from, paths: '+(a)' }, ['`date-to` got', '`paths` got']],
    [{ mode: 'visitor' }, ['`mode` got "visitor"']],
  ])('invalid inputs are all listed, and nothing is read: %j', async (inputs, said) => {
    const run = await visitors(inputs)
    expect(run.outputs.outcome).toBe('error')
    for (const fault of said) expect(run.text).toContain(fault)
    expect(run.platform.requests).toEqual([])
  })

  it('an unknown project is an error, and no file is written', async () => {
    const fault = { on: 'visitors', do: { kind: 'status', status: 404 } } as const
    const run = await visitors({ ...now, 'report-dir': 'report' }, { faults: [fault] })
    expect(run.outputs).toMatchObject({ outcome: 'error', visitors: '', reportCsv: '' })
    expect(run.exitCode).toBe(1)
    expect(run.text).toContain('has no project `sandbox-docs`')
    expect(run.summary).toContain('❌ Visitors report failed')
    expect(readdirSync(run.folder)).toEqual([])
  })
})

describe('a comment on an issue', () => {
  it('a comment on an issue is new for each period, hides the previous one, and is edited by a re-run', async () => {
    const { hub, run } = await world()
    expect((await run()).outputs.outcome).toBe('reported')
    expect(hub.comments).toMatchObject([
      { thread: { number: 7 }, body: expect.stringMatching(/^## 📊 Docs visitors, Nov 3–9, 2025\n/) },
    ])
    await run(nextWeek)
    expect(hub.comments).toHaveLength(2)
    expect(hiddenOf(hub)).toEqual(['outdated', 'shown'])
    const [, second] = hub.comments
    await run(nextWeek, () => ({ totals: { human: 2, ai: 0, total: 2 }, rows: [] }))
    expect(hub.comments).toHaveLength(2)
    expect(hub.comments[1]).toMatchObject({ id: second?.id, body: expect.stringContaining('2 visitors') })
    expect(hiddenOf(hub)).toEqual(['outdated', 'shown'])
  })

  it('each issue and each list of paths has its own comment', async () => {
    const { hub, run } = await world()
    await run()
    await run({ 'issue-number': '8' })
    await run({ paths: '/page-1' })
    expect(hub.comments.map(({ thread }) => thread.number)).toEqual([7, 8, 7])
    expect(hiddenOf(hub)).toEqual(['shown', 'shown', 'shown'])
  })

  it('a comment on an issue is short, however large the site is', async () => {
    const { hub, run } = await world()
    await run(
      {},
      siteOf(1_000, (at) => `/${at}/${'漢'.repeat(100)}`),
    )
    expect(hub.comments[0]?.body.split('\n').length).toBeLessThan(30)
    expect(hub.comments[0]?.body).toMatch(/<!-- docs-agent-report:2:\S+ -->$/)
  })

  it.each<[string, GitHubOptions, string]>([
    ['a permission is missing', { lacks: ['issues'] }, '`issues: write`'],
    ['the comments cannot be read', { faults: [{ on: 'issues/list-comments', status: 404 }] }, '(404'],
    ['the comment cannot be posted', { faults: [{ on: 'issues/create-comment', status: 410 }] }, '(410'],
  ])('the report is complete, and the step is an error, if %s', async (_, options, says) => {
    const { hub, run } = await world(options)
    const result = await run({ 'report-dir': 'report' })
    expect([result.exitCode, result.outputs.outcome, result.outputs.visitors]).toEqual([1, 'error', '950'])
    expect(readdirSync(result.folder).sort()).toEqual(fileNames)
    expect(result.log.at(-1)).toMatchObject({ level: 'error', text: expect.stringContaining(says) })
    expect(result.summary).toMatch(/^## ❌ Visitors report failed[\s\S]*## 📊 Docs visitors/)
    expect(hub.comments).toEqual([])
  })
})

describe('the log', () => {
  const inRepository = (repository: object) =>
    visitors(
      alone,
      { visitors: siteOf(3) },
      { event: { repository: { full_name: 'acme/docs', ...repository } } },
    )
  const said = 'This repository is public'

  it('the log says once that a public repository shows its report to everyone', async () => {
    const { text } = await inRepository({ private: false, visibility: 'public' })
    expect(text.split(said)).toHaveLength(2)
  })

  it.each([{ private: true, visibility: 'private' }, { private: true, visibility: 'internal' }, {}])(
    'the log does not mention a public report if the repository is %j',
    async (repository) => {
      expect((await inRepository(repository)).text).not.toContain(said)
    },
  )

  it('the log warns about globs that match nothing', async () => {
    const run = await visitors({ ...alone, paths: '/page-*\n/nope/**' }, { visitors: siteOf(3) })
    expect(run.warnings).toEqual([expect.stringContaining('paths: /nope/** matches no page.')])
    expect(run.outputs.outcome).toBe('reported')
  })
})
