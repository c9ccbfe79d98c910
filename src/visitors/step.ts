/** Mode visitors: connects its use cases to their adapters, and writes the report. */
import { createGitHubPorts } from '../adapters/github/github.ts'
import { keepNurserySmall } from '../adapters/heap.ts'
import { createHttp } from '../adapters/http.ts'
import { createReportFolder } from '../adapters/report-folder.ts'
import { signWith } from '../adapters/sign.ts'
import { failsStep } from '../core/outcome.ts'
import { isPublicRepository } from '../core/trigger/event.ts'
import { outputNames } from '../render/outputs.ts'
import { bestEffort } from '../steps/best-effort.ts'
import { type StepContext, stateKeys } from '../steps/context.ts'
import { finishDryRun } from '../steps/dry-run.ts'
import { githubTime } from '../steps/ports.ts'
import type { VisitorsInputs } from './core/inputs.ts'
import type { VisitorsReport, VisitorsResult } from './core/report.ts'
import { seriesName } from './core/report-mark.ts'
import { reportComment } from './render/comment.ts'
import { describeReport, publicNotice, visitorsSummary } from './render/conclusion.ts'
import { reportCsv } from './render/csv.ts'
import { reportJson } from './render/json.ts'
import { describeReading } from './render/log.ts'
import { reportMarkdown, summaryLimit } from './render/markdown.ts'
import { type ReportFiles, visitorsOutputs } from './render/outputs.ts'
import { postReport } from './usecases/issue.ts'
import type { ReadingPorts } from './usecases/ports.ts'
import { type ReportFile, writeFiles } from './usecases/publish.ts'
import { runVisitors } from './usecases/visitors.ts'

export { parseVisitorsInputs } from './core/inputs.ts'

/** Reads the visitors and writes the complete report. Only then can an alert fail the step. */
export async function runVisitorsMode(inputs: VisitorsInputs, stage: StepContext): Promise<void> {
  keepNurserySmall()
  const ports = createPorts(inputs, stage)
  if (inputs.dryRun) return tryVisitors(inputs, ports, stage)
  const folder = openFolder(inputs, stage)
  // Checked before any request: if the report could not be written, everything would be read for nothing.
  const opened = await folder?.open()
  if (opened?.ok === false) {
    const problem = { type: 'file', fault: opened.fault } as const
    return finish(inputs, stage, { outcome: 'error', report: null, problem, elapsed: 0 })
  }
  const read = await runVisitors(inputs, ports)
  const { report } = read
  if (report === null) return finish(inputs, stage, read)
  if (isPublicRepository(stage.event)) stage.runner.log(publicNotice)

  const written = folder && (await writeFiles(filesOf(report, stage), folder))
  const failed = written?.fault
    ? ({ outcome: 'error', problem: { type: 'file', fault: written.fault } } as const)
    : {}
  await finish(inputs, stage, { ...read, ...failed }, written?.paths)
  // The comment comes last, because GitHub may be slow, and a cancelled step has little time.
  await bestEffort(stage, () => comment(report, inputs, stage, ports))
}

/** A dry run: reads the issue and one row of analytics, and writes nothing. */
async function tryVisitors(inputs: VisitorsInputs, ports: ReadingPorts, stage: StepContext): Promise<void> {
  const issue = issueOf(inputs, stage, ports)
  const read = await issue?.github.comments(issue.thread)
  const problem =
    read?.ok === false ? ({ type: 'unread', reading: 'thread', rejection: read.rejection } as const) : null
  await finishDryRun({ problem, details: [] }, ports, stage)
}

async function finish(
  inputs: VisitorsInputs,
  { runner, jobRef }: StepContext,
  result: VisitorsResult,
  files: Partial<ReportFiles> = {},
): Promise<void> {
  const outputs = visitorsOutputs(result, files)
  for (const name of outputNames) runner.output(name, outputs[name])
  await runner.summary(visitorsSummary(result, jobRef))
  describeReport(result, inputs.failOn, jobRef).forEach(runner.log)
  runner.save(stateKeys.finished, 'true')
  if (failsStep(result.outcome, inputs.failOn)) runner.fail()
}

function createPorts(
  inputs: VisitorsInputs,
  { runner, clock, jobRef, proxy, cancelled }: StepContext,
): ReadingPorts {
  return {
    http: createHttp({ ...inputs, proxy, cancelled, keepAlive: true }),
    clock,
    deadline: clock.now() + inputs.timeout,
    random: Math.random,
    cancelled,
    onProgress: (progress) => describeReading(progress, jobRef).forEach(runner.log),
  }
}

function openFolder({ reportDir }: VisitorsInputs, { workspace, temp }: StepContext) {
  if (reportDir === null) return undefined
  return createReportFolder(reportDir, [workspace, ...(temp === '' ? [] : [temp])])
}

/** Maximum number of rows in each section of report.md. The summary has fewer. */
const fileRows = 100

function filesOf(
  report: VisitorsReport,
  { jobRef }: StepContext,
): Record<Exclude<keyof ReportFiles, 'reportHtml'>, ReportFile> {
  const markdown = reportMarkdown(report, jobRef, summaryLimit, fileRows)
  return {
    reportCsv: { name: 'visitors.csv', chunks: reportCsv(report) },
    reportJson: { name: 'report.json', chunks: reportJson(report, jobRef) },
    reportMarkdown: { name: 'report.md', chunks: [markdown] },
  }
}

/** The issue in `issue-number`; null if there is none, or no token. */
function issueOf(
  { githubToken, issueNumber }: VisitorsInputs,
  { apiUrl, proxy, cancelled, clock, repository }: StepContext,
  { deadline }: ReadingPorts,
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

/** Posts the report on the issue in `issue-number`. */
async function comment(
  report: VisitorsReport,
  inputs: VisitorsInputs,
  stage: StepContext,
  ports: ReadingPorts,
): Promise<void> {
  const issue = issueOf(inputs, stage, ports)
  if (issue === null) return
  const { period } = report.current
  const { projectId, apiKey, paths } = inputs
  const series = {
    thread: issue.thread,
    name: seriesName(projectId, period, paths),
    sign: signWith(apiKey),
  }
  const { github } = issue
  const { onProgress } = ports
  await postReport(reportComment(report, stage.runUrl), period, series, { github, onProgress })
}
