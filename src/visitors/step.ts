/** Mode visitors: connects its use cases to their adapters, and writes the report. */

import { createReportFolder } from '../adapters/files.ts'
import { createGitHubPorts } from '../adapters/github/github.ts'
import { signWith } from '../adapters/sign.ts'
import { createHttp } from '../adapters/wire.ts'
import { failsStep } from '../core/outcome.ts'
import { type Problem, problems } from '../core/problems.ts'
import { isPublicRepository } from '../core/trigger/event.ts'
import type { StepContext } from '../steps/context.ts'
import { finishDryRun, writeEnd } from '../steps/finish.ts'
import { githubTime } from '../steps/ports.ts'
import type { PlatformPorts, ReportFolder } from '../usecases/ports.ts'
import type { VisitorsReport, VisitorsResult } from './core/report.ts'
import { seriesName } from './core/report-mark.ts'
import type { VisitorsInputs } from './inputs.ts'
import { describeReport, publicNotice, visitorsSummary } from './render/conclusion.ts'
import { reportCsv } from './render/csv.ts'
import { reportHtml } from './render/html.ts'
import { reportJson } from './render/json.ts'
import { commentMarkdown, fileMarkdown } from './render/markdown.ts'
import { type ReportFiles, visitorsOutputs } from './render/outputs.ts'
import { sections } from './sections/index.ts'
import { postReport } from './usecases/issue.ts'
import { runVisitors } from './usecases/visitors.ts'

export { parseVisitorsInputs } from './inputs.ts'

/** Reads the visitors and writes the complete report. Only then can an alert fail the step. */
export async function runVisitorsMode(inputs: VisitorsInputs, stage: StepContext): Promise<void> {
  const ports = createPorts(inputs, stage)
  if (inputs.dryRun) return tryVisitors(inputs, ports, stage)
  const { workspace, temp } = stage
  const folders = [workspace, ...(temp === '' ? [] : [temp])] as const
  const folder = inputs.reportDir === null ? null : createReportFolder(inputs.reportDir, folders)
  // Checked before any request: if the report could not be written, everything would be read for nothing.
  const opened = await folder?.open()
  if (opened?.ok === false) {
    const problem = problems.file(opened.fault)
    return finish(inputs, stage, { outcome: 'error', report: null, problem, elapsed: 0 })
  }
  const read = await runVisitors(inputs, sections, ports)
  const { report } = read
  if (report === null) return finish(inputs, stage, read)
  if (isPublicRepository(stage.event)) stage.runner.log(publicNotice)

  const written = folder && (await writeFiles(report, folder))
  const problem = written?.problem ?? (await comment(report, inputs, stage, ports))
  await finish(
    inputs,
    stage,
    problem === null ? read : { ...read, outcome: 'error', problem },
    written?.paths,
  )
}

/** A dry run: reads the issue and one row of analytics, and writes nothing. */
async function tryVisitors(inputs: VisitorsInputs, ports: PlatformPorts, stage: StepContext): Promise<void> {
  const issue = issueOf(inputs, stage, ports)
  const read = await issue?.github.comments(issue.thread)
  const problem = read?.ok === false ? problems.unread('thread', read.rejection) : null
  await finishDryRun({ problem, details: [] }, ports, stage)
}

async function finish(
  { failOn }: VisitorsInputs,
  step: StepContext,
  result: VisitorsResult,
  files: Partial<ReportFiles> = {},
): Promise<void> {
  await writeEnd(step, {
    outputs: visitorsOutputs(result, files),
    entries: [describeReport(result, failOn)],
    summary: visitorsSummary(result),
    isFailed: failsStep(result.outcome, failOn),
  })
}

function createPorts(
  inputs: VisitorsInputs,
  { runner, clock, proxy, cancelled }: StepContext,
): PlatformPorts {
  return {
    http: createHttp({ ...inputs, proxy, cancelled, keepAlive: true }),
    clock,
    deadline: clock.now() + inputs.timeout,
    random: Math.random,
    cancelled,
    log: (...entries) => entries.forEach(runner.log),
  }
}

/** Writes the report's files one after another. If one fails, the earlier ones stay. */
async function writeFiles(report: VisitorsReport, folder: ReportFolder) {
  const files: [output: keyof ReportFiles, name: string, chunks: Iterable<string>][] = [
    ['reportCsv', 'visitors.csv', reportCsv(report)],
    ['reportJson', 'report.json', reportJson(report)],
    ['reportMarkdown', 'report.md', [fileMarkdown(report)]],
    ['reportHtml', 'report.html', [reportHtml(report)]],
  ]
  const paths: Partial<ReportFiles> = {}
  for (const [output, name, chunks] of files) {
    const written = await folder.write(name, chunks)
    if (!written.ok) return { paths, problem: problems.file(written.fault) }
    paths[output] = written.value
  }
  return { paths, problem: null }
}

/** The issue in `issue-number`; null if there is none, or no token. */
function issueOf(
  { githubToken, issueNumber }: VisitorsInputs,
  { apiUrl, proxy, cancelled, clock, repository }: StepContext,
  { deadline }: PlatformPorts,
) {
  if (githubToken === null || issueNumber === null) return null
  const github = createGitHubPorts({
    token: githubToken,
    apiUrl,
    proxy,
    cancelled,
    clock,
    deadline: deadline + githubTime,
  })
  return { github, thread: { repository, number: issueNumber, isPullRequest: false, reviewRoot: null } }
}

/** Posts the report on the issue in `issue-number`. Returns why that was impossible; null if it was done. */
async function comment(
  report: VisitorsReport,
  inputs: VisitorsInputs,
  stage: StepContext,
  ports: PlatformPorts,
): Promise<Problem | null> {
  const issue = issueOf(inputs, stage, ports)
  if (issue === null) return null
  const { period } = report.current
  const { projectId, apiKey, paths } = inputs
  const series = {
    thread: issue.thread,
    name: seriesName(projectId, period, paths),
    sign: signWith(apiKey),
  }
  const text = commentMarkdown(report, stage.runUrl)
  const { github, thread } = issue
  const rejection = await postReport(text, period, series, { github, log: ports.log })
  return rejection && problems.reportUnposted(`${thread.repository}#${thread.number}`, rejection)
}
