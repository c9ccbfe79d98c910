/** Mode visitors in the committed bundle. test/steps/visitors.test.ts covers every case. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { seededTraffic } from '../../sandbox/platform/traffic.ts'
import type { VisitorRow, VisitorsSource } from '../../sandbox/platform/visitors.ts'
import { projectDir } from '../../sandbox/runner/action.ts'
import { startStep } from '../../sandbox/runner/step.ts'
import { temporaryFolder } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { reportWith } from '../steps/sections-world.ts'
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
} from '../steps/visitors-world.ts'
import { runBundle } from './run.ts'

const fileOutputs = ['reportCsv', 'reportJson', 'reportMarkdown']

const visitors = visitorsWith(runBundle)

it.concurrent('a report sets every output in action.yml, and its files are at the paths in the outputs', async () => {
  const event = { repository: { full_name: 'acme/docs', private: false, visibility: 'public' } }
  const site = { visitors: seededTraffic(to) }
  const run = await visitors({ ...now, 'report-dir': 'report' }, site, { event })
  const { outputs } = run
  const { outputs: named } = parseYaml(readFileSync(join(projectDir, 'action.yml'), 'utf8'))
  expect(Object.keys(outputs).sort()).toEqual(Object.keys(named).sort())
  expect(run.exitCode).toBe(0)
  expect(run.files()).toEqual(['report', ...fileNames.map((name) => join('report', name))])
  expect(fileOutputs.map((name) => outputs[name])).toEqual(
    ['visitors.csv', 'report.json', 'report.md'].map((name) => join(run.folder, name)),
  )
  const report = JSON.parse(run.read('report.json'))
  expect(outputs).toMatchObject({
    outcome: 'reported',
    complete: 'true',
    alerts: '[]',
    jobId: '',
    prLink: '',
    visitors: String(report.period.totals.total),
    humanVisitors: String(report.period.totals.human),
    aiVisitors: String(report.period.totals.ai),
    pages: String(report.period.pages),
  })
  expect(run.summary).toBe(run.read('report.md'))
  expect(run.summary).toContain('/guides/agents')
  expect(run.log.at(-1)).toMatchObject({ kind: 'notice', text: report.verdict })
  expect(run.text.split('This repository is public')).toHaveLength(2)
})

it.concurrent.each([
  [
    'fails on an alert',
    { 'alert-drop': '20%', 'fail-on': 'alert' },
    1,
    'alert',
    'Human visitors fell by 30.0%',
  ],
  ['reads one row in a dry run', { 'dry-run': 'true' }, 0, 'dry-run', 'Nothing was sent or written.'],
])('the step %s', async (_, inputs, exitCode, outcome, said) => {
  const run = await visitors({ ...now, 'report-dir': 'report', ...inputs }, { visitors: falling })
  expect([run.exitCode, run.outputs.outcome]).toEqual([exitCode, outcome])
  expect(run.text).toContain(said)
  expect(run.files()).toHaveLength(outcome === 'alert' ? 4 : 0)
  if (outcome === 'dry-run') expect(run.platform.requests).toHaveLength(1)
})

it.concurrent('each period gets a new comment on the issue, and the previous comment is hidden', async () => {
  const { hub, run } = await commentsWith(runBundle)
  expect((await run()).outputs.outcome).toBe('reported')
  await run(nextWeek)
  expect(hub.comments.map(({ thread }) => thread.number)).toEqual([7, 7])
  expect(hiddenOf(hub)).toEqual(['outdated', 'shown'])
})

describe.concurrent('what comes from outside', () => {
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

  it('outside text in a path or in the platform’s message never becomes a workflow command', async () => {
    const rejection = { kind: 'status', status: 400, body: { error: hostile.join('\n') } } as const
    const source = siteOf(300, (at) => hostile[at] ?? `/${hostile[at % hostile.length]}${at}`)
    const run = await visitors(
      { ...alone, 'site-url': 'https://docs.example.com' },
      { visitors: source, faults: [{ on: 'visitors', after: 1, do: rejection }] },
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
  })

  it('a report never contains the key, even if the platform returns it', async () => {
    const faults = [{ on: 'visitors', after: 1, do: { kind: 'echo-key' } }] as const
    const run = await visitors(alone, { visitors: siteOf(300), faults })
    const written = readdirSync(run.folder).map((name) => run.read(name))
    expect(written).toHaveLength(3)
    const shown = [
      run.rawStdout.replace(/^::add-mask::.*$/gm, ''),
      ...[run.rawStderr, run.summary, ...Object.values(run.outputs), ...written],
    ]
    for (const dress of [sandboxKey, btoa(sandboxKey).replace(/=+$/, '')])
      expect(shown.filter((text) => text.includes(dress))).toEqual([])
    for (const text of [run.text, run.summary]) expect(text).toMatch(/\*\*\*|&#42;&#42;&#42;/)
  })
})

describe.concurrent('a cancelled step', () => {
  it('a cancelled step writes no files, not even partial ones', async () => {
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

const report = reportWith(runBundle)

// test/steps/sections.test.ts covers every case.
it.concurrent('sections start with what to do next, and are also in the files', async () => {
  const run = await report()
  expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'true' })
  expect(run.headings.slice(0, 3)).toEqual([
    'Do next',
    'What moved',
    'Questions the assistant left unanswered',
  ])
  expect(run.files).toEqual(fileNames)
  const json = JSON.parse(run.read('report.json'))
  expect(run.commands).toHaveLength(3)
  expect(json.suggestions.map(({ command }: { command: string }) => command)).toEqual(run.commands)
})
