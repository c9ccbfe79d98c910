/** Mode visitors of the committed bundle: what it reads, what it writes and where, and what it says is missing. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import {
  type GitHub,
  type GitHubOptions,
  sandboxGitHubToken,
  startGitHub,
} from '../../sandbox/github/server.ts'
import { type PlatformOptions, sandboxKey } from '../../sandbox/platform/server.ts'
import { seededTraffic } from '../../sandbox/platform/traffic.ts'
import type { VisitorRow, VisitorsSource } from '../../sandbox/platform/visitors.ts'
import { projectDir } from '../../sandbox/runner/action.ts'
import { type StepOptions, startStep } from '../../sandbox/runner/step.ts'
import { inputsFor, onTestFinished, platformFor, type Run, runBundle } from './run.ts'

const [from, to] = ['2025-11-03', '2025-11-10']
const now = { 'date-from': from, 'date-to': to }
const before = { dateFrom: '2025-10-27', dateTo: from }
/** Files and nothing else: no period but one is read. */
const alone = { ...now, compare: 'none', trend: '0', 'report-dir': 'report' }

const fileNames = ['report.html', 'report.json', 'report.md', 'visitors.csv']
const fileOutputs = ['reportCsv', 'reportHtml', 'reportJson', 'reportMarkdown']

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'visitors-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A site of so many pages, each visited more than the next. */
function siteOf(pages: number, path = (at: number) => `/page-${at}`): VisitorsSource {
  const rows = Array.from({ length: pages }, (_, at): VisitorRow => {
    return { path: path(at), human: pages - at, ai: 1, total: pages - at }
  })
  return () => ({ totals: { human: 900, ai: 100, total: 950 }, rows })
}

async function visitors(
  inputs: Record<string, string>,
  options: PlatformOptions = {},
  step: Omit<StepOptions, 'with'> = {},
): Promise<Run & { folder: string; files: () => string[]; read: (name: string) => string }> {
  const workspace = temporaryFolder()
  const run = await runBundle({ mode: 'visitors', ...inputs }, options, { workspace, ...step })
  const folder = join(workspace, 'report')
  return {
    ...run,
    folder,
    files: () => readdirSync(workspace, { recursive: true, encoding: 'utf8' }).sort(),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
  }
}

const pathsOf = (csv: string) =>
  (parse(csv, { columns: true, bom: true }) as { path: string }[]).map(({ path }) => path)
const warningsOf = ({ log }: Pick<Run, 'log'>) =>
  log.filter(({ kind }) => kind === 'warning').map(({ text }) => text)

describe('a report', () => {
  it('has every output that action.yml names, and its files where they are said to be', async () => {
    const run = await visitors({ ...now, 'report-dir': 'report' }, { visitors: seededTraffic({ today: to }) })
    const { outputs } = run
    const { outputs: named } = parseYaml(readFileSync(join(projectDir, 'action.yml'), 'utf8'))
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(named).sort())
    expect(run.exitCode).toBe(0)
    expect(run.files()).toEqual(['report', ...fileNames.map((name) => join('report', name))])
    expect(fileOutputs.map((name) => outputs[name])).toEqual(
      ['visitors.csv', 'report.html', 'report.json', 'report.md'].map((name) => join(run.folder, name)),
    )
    const report = JSON.parse(run.read('report.json'))
    expect(outputs).toMatchObject({
      ...{ outcome: 'reported', complete: 'true', alerts: '[]', jobId: '', prLink: '' },
      visitors: String(report.period.totals.total),
      humanVisitors: String(report.period.totals.human),
      aiVisitors: String(report.period.totals.ai),
      visitorsChange: String(report.change.visitors),
      humanVisitorsChange: String(report.change.humanVisitors),
      aiVisitorsChange: String(report.change.aiVisitors),
      pages: String(report.period.pages),
    })
    expect(run.summary).toBe(run.read('report.md'))
    expect(run.summary).toContain('/guides/agents')
    expect(run.log.at(-1)).toMatchObject({ kind: 'notice', text: report.verdict })
  })

  it('of 1,128 pages, compared and with a chart of eight periods, takes sixteen requests', async () => {
    const run = await visitors({ ...now, trend: '8' }, { visitors: siteOf(1_128) })
    expect(run.outputs).toMatchObject({ complete: 'true', pages: '1128' })
    const asked = run.platform.requests.map(
      ({ query }) => `${query.dateFrom} ${query.limit} ${query.offset ?? 0}`,
    )
    expect(asked).toHaveLength(16)
    expect(new Set(asked).size).toBe(16)
    expect(asked.filter((each) => each.includes(' 250 '))).toHaveLength(10)
    expect(run.summary).toContain('16 of 40 requests used')
  })

  it('of 25,000 pages has each of them, once', async () => {
    const run = await visitors(
      { ...now, 'max-requests': '1000', 'report-dir': 'report' },
      { visitors: siteOf(25_000), visitorsLimit: 1_000 },
    )
    expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'true', pages: '25000' })
    const paths = pathsOf(run.read('visitors.csv'))
    expect(paths).toHaveLength(25_000)
    expect(new Set(paths)).toEqual(new Set(Array.from({ length: 25_000 }, (_, at) => `/page-${at}`)))
    expect(JSON.parse(run.read('report.json')).pages).toHaveLength(25_000)
    expect(run.summary).toContain('20 of 25,000 pages of both periods.')
  })

  it('keeps within the runner’s temporary folder too, and leaves no file where none is asked for', async () => {
    const runnerTemp = temporaryFolder()
    const run = await visitors({ ...alone, 'report-dir': join(runnerTemp, 'a/b') }, {}, { runnerTemp })
    expect(readdirSync(join(runnerTemp, 'a/b')).sort()).toEqual(fileNames)
    expect(run.files()).toEqual([])
    const without = await visitors({ ...alone, 'report-dir': '' })
    expect(without.outputs).toMatchObject({ outcome: 'reported', reportCsv: '', reportHtml: '' })
    expect(without.files()).toEqual([])
  })
})

describe('an alert', () => {
  const falling: VisitorsSource = (dateFrom) => {
    const human = dateFrom.startsWith(from) ? 700 : 1_000
    return {
      totals: { human, ai: 50, total: human + 50 },
      rows: [{ path: '/', human, ai: 50, total: human + 50 }],
    }
  }
  const inputs = { ...now, trend: '0', 'alert-drop': '20%', 'report-dir': 'report' }
  const alert = { metric: 'humanVisitors', change: -0.3, threshold: -0.2 }

  it.each([
    ['failed, timed-out', 0, 'warning'],
    ['alert', 1, 'error'],
  ])('with fail-on: %s ends with %i, after all of the report was written', async (failOn, exitCode, kind) => {
    const run = await visitors({ ...inputs, 'fail-on': failOn }, { visitors: falling })
    expect(run.exitCode).toBe(exitCode)
    expect(run.outputs.outcome).toBe('alert')
    expect(JSON.parse(run.outputs.alerts ?? '')).toEqual([alert])
    expect(readdirSync(run.folder).sort()).toEqual(fileNames)
    expect(run.summary).toMatch(/^> \[!WARNING\]\n> <b>People fell by 30\.0%, from 1,000 to 700 /m)
    expect(run.log.at(-1)).toMatchObject({ kind, title: 'Fewer people read the docs, Nov 3–9, 2025' })
  })

  it('is none where people fell by less', async () => {
    const run = await visitors({ ...inputs, 'alert-drop': '31%', 'fail-on': 'alert' }, { visitors: falling })
    expect(run.outputs).toMatchObject({ outcome: 'reported', alerts: '[]' })
    expect(run.exitCode).toBe(0)
  })
})

describe('a report that lacks pages', () => {
  const refusal = { kind: 'status', status: 429, body: { error: 'Slow down' } } as const
  /** A site whose totals are others with each request. */
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
      'is refused its third page',
      {},
      () => ({ visitors: siteOf(700), faults: [{ on: 'visitors', after: 2, do: refusal }] }),
      '500',
      '(429): “Slow down”',
    ],
    [
      'has two requests',
      { 'max-requests': '2' },
      () => ({ visitors: siteOf(700) }),
      '500',
      'all 2 requests allowed by max-requests are used up',
    ],
    [
      'never sees the same totals twice',
      {},
      () => ({ visitors: moving() }),
      '700',
      'the totals kept changing while the pages were read',
    ],
  ]

  it.each(table)('where it %s says so wherever it is read', async (_, inputs, options, pages, says) => {
    const run = await visitors({ ...alone, ...inputs }, options())
    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'false', pages })
    const report = JSON.parse(run.read('report.json'))
    expect(report.period).toMatchObject({ complete: false, whyIncomplete: expect.stringContaining(says) })
    expect(report.verdict).toContain(says)
    expect(pathsOf(run.read('visitors.csv'))).toHaveLength(Number(pages))
    expect(run.summary).toMatch(/^<b>Incomplete:<\/b> Not all pages of Nov 3–9, 2025 were read/m)
    expect(run.summary).toMatch(/<sub>Project .* · <b>incomplete<\/b> · /)
    expect(run.log.at(-1)).toMatchObject({ kind: 'warning', text: expect.stringContaining(says) })
  })

  it('reads once more where the totals changed once', async () => {
    let calls = 0
    const { rows } = siteOf(400)(from, to)
    const source = () => ({ totals: { human: Math.min(++calls, 2), ai: 0, total: 2 }, rows })
    const run = await visitors(alone, { visitors: source })
    expect(run.outputs).toMatchObject({ complete: 'true', pages: '400', humanVisitors: '2' })
    expect(run.platform.requests.map(({ query }) => query.offset)).toEqual(['0', '250', '0', '250'])
  })

  it('compares with nothing where the budget leaves the period before nothing', async () => {
    const run = await visitors(
      { ...now, 'max-requests': '2', 'report-dir': 'report' },
      { visitors: siteOf(400) },
    )
    expect(run.outputs).toMatchObject({ complete: 'false', pages: '400', visitorsChange: '' })
    expect(JSON.parse(run.read('report.json'))).toMatchObject({ compared: null, movers: null })
    expect(run.platform.requests.filter(({ query }) => query.dateFrom === before.dateFrom)).toEqual([])
  })
})

describe('nothing is read', () => {
  it('on a dry run, which says what would be', async () => {
    const run = await visitors({ ...now, 'dry-run': 'true', 'report-dir': 'report' })
    expect(run.outputs).toMatchObject({ outcome: 'dry-run', visitors: '', reportCsv: '' })
    expect(run.platform.requests).toEqual([])
    expect(run.files()).toEqual([])
    for (const said of ['Nov 3–9, 2025', 'Oct 27 – Nov 2, 2025', run.platform.url])
      expect(run.text).toContain(said)
  })

  it.each(['../outside', join(tmpdir(), 'elsewhere')])(
    'for a report-dir of %s, outside the workspace',
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
    [{ prompt: 'Fix it', 'job-id': 'job_1' }, ['`prompt`: got "Fix it"', '`job-id`: got "job_1"']],
    [
      { mode: 'agent', prompt: 'Fix it', 'report-dir': 'x', 'alert-drop': '5%' },
      ['`report-dir`: got', '`alert-drop`: got'],
    ],
    [{ 'date-from': to, 'date-to': from, top: '0' }, ['`date-to`: got', '`top`: got "0"']],
    [{ mode: 'visitor' }, ['`mode`: got "visitor"']],
    [{ compare: 'none', 'alert-drop': '20%' }, ['`alert-drop`: got a percentage with compare: none']],
  ])('with the inputs %j, which are all listed', async (inputs, said) => {
    const run = await visitors(inputs)
    expect(run.outputs.outcome).toBe('error')
    for (const fault of said) expect(run.text).toContain(fault)
    expect(run.platform.requests).toEqual([])
  })

  it('of a project that the platform does not know, and that is an error', async () => {
    const fault = { on: 'visitors', do: { kind: 'status', status: 404 } } as const
    const run = await visitors({ ...now, 'report-dir': 'report' }, { faults: [fault] })
    expect(run.outputs).toMatchObject({ outcome: 'error', visitors: '', reportCsv: '' })
    expect(run.exitCode).toBe(1)
    expect(run.text).toContain('knows no project `sandbox-docs`')
    expect(run.summary).toContain('❌ No visitors report')
    expect(readdirSync(run.folder)).toEqual([])
  })
})

describe('a comment on an issue', () => {
  async function world(options: GitHubOptions = {}) {
    const hub = await startGitHub(options)
    onTestFinished(() => hub.close())
    const run = (inputs: Record<string, string> = {}, source = siteOf(3)) =>
      visitors(
        { ...now, trend: '0', 'issue-number': '7', ...inputs },
        { visitors: source },
        { githubToken: sandboxGitHubToken, env: { GITHUB_API_URL: hub.url } },
      )
    return { hub, run }
  }
  const nextWeek = { 'date-from': to, 'date-to': '2025-11-17' }
  const hiddenOf = ({ comments }: GitHub) => comments.map(({ minimizedReason }) => minimizedReason ?? 'shown')

  it('is new for each period, with the one before hidden, and edited by a re-run', async () => {
    const { hub, run } = await world()
    expect((await run()).outputs.outcome).toBe('reported')
    expect(hub.comments).toMatchObject([
      { thread: { number: 7 }, body: expect.stringMatching(/^### 📊 Docs visitors, Nov 3–9, 2025\n/) },
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

  it('is another one on another issue, and for another filter', async () => {
    const { hub, run } = await world()
    await run()
    await run({ 'issue-number': '8' })
    await run({ include: '/page-1' })
    expect(hub.comments.map(({ thread }) => thread.number)).toEqual([7, 8, 7])
    expect(hiddenOf(hub)).toEqual(['shown', 'shown', 'shown'])
  })

  it('is short, however large the site is', async () => {
    const { hub, run } = await world()
    const { summary } = await run(
      { top: '1000' },
      siteOf(1_000, (at) => `/${at}/${'漢'.repeat(100)}`),
    )
    expect(hub.comments[0]?.body.split('\n').length).toBeLessThan(15)
    expect(hub.comments[0]?.body).toMatch(/<!-- docs-agent-report:1:\S+ -->$/)
    expect(summary.length).toBeGreaterThan(65_536)
  })

  it.each<[string, GitHubOptions, string]>([
    ['lacks a permission', { lacks: ['issues'] }, '`issues: write`'],
    [
      'cannot be read',
      { faults: [{ on: 'issues/list-comments', status: 404 }] },
      'Could not read the comments',
    ],
    ['cannot be posted', { faults: [{ on: 'issues/create-comment', status: 410 }] }, '(410'],
  ])('that %s costs a warning', async (_, options, says) => {
    const { hub, run } = await world(options)
    const result = await run({ 'report-dir': 'report' })
    expect(result.exitCode).toBe(0)
    expect(result.outputs.outcome).toBe('reported')
    expect(readdirSync(result.folder).sort()).toEqual(fileNames)
    expect(warningsOf(result)).toEqual([expect.stringContaining(says)])
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

  it('says once that a public repository shows its report to everyone', async () => {
    const { log } = await inRepository({ private: false, visibility: 'public' })
    expect(log.filter(({ text }) => text.includes(said))).toHaveLength(1)
  })

  it.each([{ private: true, visibility: 'private' }, { private: true, visibility: 'internal' }, {}])(
    'says nothing of the kind for %j',
    async (repository) => {
      expect((await inRepository(repository)).text).not.toContain(said)
    },
  )

  it('warns of globs that match nothing', async () => {
    const run = await visitors({ ...alone, include: '/page-*\n/nope/**' }, { visitors: siteOf(3) })
    expect(warningsOf(run)).toEqual(['include: /nope/** matches no page.'])
    expect(run.outputs.outcome).toBe('reported')
  })
})

describe('what comes from outside', () => {
  const hostile = [
    ...[
      '::error::x',
      '\n::set-output name=outcome::pwned',
      '##[add-path]/tmp',
      '\r::stop-commands::x',
      '%0A::error::y',
    ],
    ...[
      '</td></table></details><script>x</script>',
      '@octocat #1',
      '\u202Egnp.exe',
      '=cmd()',
      '../../etc',
      '::add-mask::x',
    ],
  ]

  it('never commands the runner, as a path or as the platform’s words', async () => {
    const refusal = { kind: 'status', status: 400, body: { error: hostile.join('\n') } } as const
    const source = siteOf(300, (at) => hostile[at] ?? `/${hostile[at % hostile.length]}${at}`)
    const run = await visitors(
      { ...alone, 'site-url': 'https://docs.example.com' },
      { visitors: source, faults: [{ on: 'visitors', after: 1, do: refusal }] },
    )
    expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'false', pages: '250' })
    expect(run.rejectedCommands).toEqual([])
    expect(run.masks.filter((mask) => mask.length < 8)).toEqual([])
    expect(run.annotations.filter(({ kind }) => kind === 'error')).toEqual([])
    expect(new Set(JSON.parse(run.read('report.json')).pages.map(({ path }: VisitorRow) => path))).toEqual(
      new Set(
        source(from, to)
          .rows.slice(0, 250)
          .map(({ path }) => path),
      ),
    )
    expect(run.read('report.html').match(/<script\b/g)).toHaveLength(2)
  })

  it.each([
    ['at once', 0],
    ['on the second page', 1],
  ])('never has the key in it, though the platform prints it back %s', async (_, after) => {
    const faults = [{ on: 'visitors', after, do: { kind: 'echo-key' } }] as const
    const run = await visitors(alone, { visitors: siteOf(300), faults })
    const written = readdirSync(run.folder).map((name) => run.read(name))
    expect(written).toHaveLength(after === 0 ? 0 : 4)
    const shown = [
      run.rawStdout.replace(/^::add-mask::.*$/gm, ''),
      ...[run.rawStderr, run.summary, ...Object.values(run.outputs), ...written],
    ]
    for (const dress of [sandboxKey, btoa(sandboxKey).replace(/=+$/, '')])
      expect(shown.filter((text) => text.includes(dress))).toEqual([])
    for (const text of [run.text, run.summary]) expect(text).toMatch(/\*\*\*|&#42;&#42;&#42;/)
  })
})

describe('a cancelled step', () => {
  it('writes nothing, and leaves nothing half-written', async () => {
    const workspace = temporaryFolder()
    let calls = 0
    const { rows, totals } = siteOf(1_000)(from, to)
    const source: VisitorsSource = () => {
      if (++calls === 3) step.cancel()
      return { rows, totals }
    }
    const platform = await platformFor({
      visitors: source,
      faults: [{ on: 'visitors', after: 2, do: { kind: 'hang', at: 'headers' } }],
    })
    const step = startStep({
      with: { ...inputsFor(platform.url, 'visitors'), mode: 'visitors', ...alone },
      workspace,
    })
    const { outputs, signal, exitCode, log } = await step.done
    expect(outputs).toMatchObject({ outcome: 'cancelled', visitors: '', reportCsv: '' })
    expect({ signal, exitCode }).toEqual({ signal: null, exitCode: 1 })
    expect(log.at(-1)?.text).toContain('Nothing was written.')
    expect(readdirSync(workspace, { recursive: true })).toEqual(['report'])
  })
})
