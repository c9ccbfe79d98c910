/** Mode visitors in the committed bundle. test/steps/visitors.test.ts has more. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import { seededTraffic } from '../../sandbox/platform/traffic.ts'
import { readAction } from '../../sandbox/runner/action.ts'
import { temporaryFolder } from '../running.ts'
import { nextWeek, reportFiles, siteOf } from '../steps/world.ts'
import { bundle, stoppable } from './run.ts'

const to = nextWeek['date-from']
const files = { 'report-dir': 'report' }

it.concurrent('a report sets every output in action.yml, and its files are at the paths in the outputs', async () => {
  const inputs = { ...files, sections: 'feedback, searches, questions' }
  const site = { visitors: seededTraffic(to), readers: demoReaders(to) }
  const run = await bundle.report(inputs, site)
  const { outputs } = run
  expect(Object.keys(outputs).sort()).toEqual(Object.keys(readAction().outputs).sort())
  expect(run.files).toEqual(['report', ...reportFiles.map((name) => join('report', name))])
  const paths = [outputs.reportHtml, outputs.reportJson, outputs.reportMarkdown, outputs.reportCsv]
  expect(paths).toEqual(reportFiles.map((name) => join(run.folder, name)))
  const report = JSON.parse(run.read('report.json'))
  expect(outputs).toMatchObject({
    outcome: 'reported',
    complete: 'true',
    alerts: '[]',
    jobId: '',
    prLink: '',
    visitors: String(report.figures.visitors.now),
    humanVisitors: String(report.figures.humanVisitors.now),
    aiVisitors: String(report.figures.aiVisitors.now),
  })
  expect(run.log.at(-1)).toMatchObject({ kind: 'notice', text: report.headline })
  for (const name of reportFiles) expect(run.read(name)).not.toMatch(/jane|reader@example/)
})

const hostile = [
  '::error::x',
  '\n::set-output name=outcome::pwned',
  '##[add-path]/tmp',
  '\r::stop-commands::x',
  '%0A::error::y',
  '</td></table></details><script>x</script>',
  '@octocat #1',
  '\u202Egnp.exe',
  '=cmd()',
  '../../etc',
  '::add-mask::x',
]

it.concurrent('text in a path or in the platform’s message never becomes a workflow command or a script', async () => {
  const rejection = { status: 400, body: { error: hostile.join('\n') } } as const
  const source = siteOf(300, (at) => hostile[at] ?? `/${hostile[at % hostile.length]}${at}`)
  const faults = [{ on: 'visitors', after: 1, ...rejection } as const]
  const run = await bundle.report(
    { ...files, 'site-url': 'https://docs.example.com' },
    { visitors: source, faults },
  )
  expect(run.outputs).toMatchObject({ outcome: 'reported', complete: 'false', pages: '250' })
  expect(run.rejectedCommands).toEqual([])
  expect(run.masks.filter((mask) => mask.length < 8)).toEqual([])
  expect(run.annotations.filter(({ kind }) => kind === 'error')).toEqual([])
  expect(run.read('report.html')).not.toContain('<script')
  const paths = JSON.parse(run.read('report.json')).pages.rows.map(({ path }: { path: string }) => path)
  expect(paths).toEqual(expect.arrayContaining(hostile))
})

it.concurrent('a cancelled step writes no files, not even partial ones', async () => {
  const workspace = temporaryFolder()
  const { report, stop } = stoppable('cancel')
  const run = () => {
    stop()
    return new Promise(() => {})
  }
  const faults = [{ on: 'visitors', after: 2, kind: 'meanwhile', run } as const]
  const step = await report(files, { visitors: siteOf(1_000), faults }, { workspace, hasPost: true })
  expect(step.outputs).toMatchObject({ outcome: 'cancelled', visitors: '', reportCsv: '' })
  expect([step.signal, step.exitCode]).toEqual([null, 1])
  expect(step.log.at(-1)?.text).toContain('Nothing was written.')
  expect(readdirSync(workspace, { recursive: true })).toEqual(['report'])
})
