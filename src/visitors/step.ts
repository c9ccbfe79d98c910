/** Mode visitors: connects its use cases to their adapters, and writes the report. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGitHubPorts } from '../adapters/github/github.ts'
import { createReportFolder } from '../adapters/report-folder.ts'
import { signWith } from '../adapters/sign.ts'
import { createHttp } from '../adapters/wire.ts'
import { projectName } from '../core/mark.ts'
import { failsStep } from '../core/outcome.ts'
import type { PullStats } from '../core/pull.ts'
import { isPublicRepository } from '../core/trigger/event.ts'
import { prose } from '../render/markdown.ts'
import { outputNames } from '../render/outputs.ts'
import { bestEffort } from '../steps/best-effort.ts'
import { type StepContext, stateKeys } from '../steps/context.ts'
import { type DryRunEnd, finishTrial } from '../steps/dry-run.ts'
import { githubTime } from '../steps/ports.ts'
import type { GitHubPorts } from '../usecases/ports.ts'
import type { VisitorsInputs } from './core/inputs.ts'
import { momentsOf } from './core/period.ts'
import type { VisitorsReport, VisitorsResult } from './core/report.ts'
import { type Series, seriesName } from './core/report-mark.ts'
import { reportComment } from './render/comment.ts'
import { describeReport, planText, publicNotice, visitorsSummary } from './render/conclusion.ts'
import { reportCsv } from './render/csv.ts'
import { reportJson } from './render/json.ts'
import { describeReading } from './render/log.ts'
import { reportMarkdown, summaryLimit } from './render/markdown.ts'
import { type ReportFiles, visitorsOutputs } from './render/outputs.ts'
import { reportPage } from './render/page.ts'
import { type Issue, type IssuePorts, postReport, readIssue } from './usecases/issue.ts'
import type { ReadingPorts } from './usecases/ports.ts'
import { type ReportFile, writeFiles } from './usecases/publish.ts'
import { readPullStats } from './usecases/pull-stats.ts'
import { runVisitors } from './usecases/visitors.ts'

export { parseVisitorsInputs } from './core/inputs.ts'

/** Reads the visitors and writes the complete report. Only then can an alert fail the step. */
export async function runVisitorsMode(inputs: VisitorsInputs, stage: StepContext): Promise<void> {
  const ports = createPorts(inputs, stage)
  if (inputs.dryRun) return tryVisitors(inputs, ports, stage)
  const folder = openFolder(inputs, stage)
  // Checked before any request: if the report could not be written, everything would be read for nothing.
  const opened = await folder?.open()
  if (opened?.ok === false) {
    const problem = { type: 'file', fault: opened.fault } as const
    return finish(inputs, stage, { outcome: 'error', report: null, problem, elapsed: 0 })
  }
  const github = openGitHub(inputs, stage, ports)
  const issue = await openIssue(inputs, stage, github, ports)
  const read = await runVisitors(inputs, ports, issue?.found)
  if (read.report === null) return finish(inputs, stage, read)
  const report = { ...read.report, pullStats: await pullStatsOf(read.report, inputs, stage, github, ports) }
  if (isPublicRepository(stage.event)) stage.runner.log(publicNotice)

  const written = folder && (await writeFiles(filesOf(report, stage), folder))
  const failed = written?.fault
    ? ({ outcome: 'error', problem: { type: 'file', fault: written.fault } } as const)
    : {}
  await finish(inputs, stage, { ...read, report, ...failed }, written?.paths)
  // The comment comes last, because GitHub may be slow, and a cancelled step has little time.
  await bestEffort(stage, () => comment(report, issue, stage))
}

/** A dry run: reads one row of analytics, and writes nothing. */
async function tryVisitors(inputs: VisitorsInputs, ports: ReadingPorts, stage: StepContext): Promise<void> {
  const { reportDir, issueNumber } = inputs
  const found: DryRunEnd['found'] = { checks: [], unchecked: [] }
  if (reportDir !== null) found.unchecked.push('report-dir')
  if (issueNumber !== null) found.unchecked.push('issues')
  const text = planText(inputs, inputs.baseUrl)
  const cancelled = { outcome: 'cancelled', report: null, problem: null, elapsed: 0 } as const
  const outputs = visitorsOutputs(cancelled, {})
  const plan = { lines: [text], details: [prose(text)] }
  const end = { found, thread: null, jobId: null, plan, outputs }
  if (!(await finishTrial(end, ports, stage))) await finish(inputs, stage, cancelled)
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
  { jobRef, dist }: StepContext,
): Record<keyof ReportFiles, ReportFile> {
  const template = readFileSync(join(dist, 'report.html'), 'utf8')
  const markdown = reportMarkdown(report, jobRef, summaryLimit, fileRows)
  return {
    reportCsv: { name: 'visitors.csv', chunks: reportCsv(report) },
    reportJson: { name: 'report.json', chunks: reportJson(report, jobRef) },
    reportMarkdown: { name: 'report.md', chunks: [markdown] },
    reportHtml: { name: 'report.html', chunks: reportPage(template, report, jobRef) },
  }
}

/** The issue that gets the reports. */
interface OpenIssue {
  series: Series
  ports: IssuePorts
  found: Issue
}

/** GitHub, for the whole step; null without a token. */
function openGitHub(
  { githubToken }: VisitorsInputs,
  { apiUrl, proxy, cancelled, clock }: StepContext,
  { deadline }: ReadingPorts,
): GitHubPorts | null {
  if (githubToken === null) return null
  return createGitHubPorts({
    token: githubToken,
    apiUrl,
    proxy,
    cancelled,
    clock,
    deadline: deadline + githubTime,
  })
}

/** What happened to the agent's pull requests. Read last, so that a rejection or delay by GitHub affects no other figures. */
async function pullStatsOf(
  { current, timezone }: VisitorsReport,
  { projectId, apiKey }: VisitorsInputs,
  { repository }: StepContext,
  github: GitHubPorts | null,
  { onProgress }: ReadingPorts,
): Promise<PullStats | null> {
  if (github === null) return null
  const request = { repository, projectId, ...momentsOf(current.period, timezone) }
  return readPullStats(request, { github, onProgress, sign: signWith(apiKey) })
}

/** null if no issue is set, or if it could not be read. */
async function openIssue(
  { issueNumber, projectId, apiKey, timezone, period, include, exclude }: VisitorsInputs,
  { repository, serverUrl }: StepContext,
  github: GitHubPorts | null,
  { onProgress }: ReadingPorts,
): Promise<OpenIssue | null> {
  if (issueNumber === null || github === null) return null
  const series: Series = {
    thread: { repository, number: issueNumber, isPullRequest: false, reviewRoot: null },
    name: seriesName(projectId, period, { include, exclude }),
    project: projectName(projectId),
    sign: signWith(apiKey),
  }
  const ports = { github, onProgress, serverUrl }
  const found = await readIssue(series, { period, timezone }, ports)
  return found && { series, ports, found }
}

async function comment(
  report: VisitorsReport,
  issue: OpenIssue | null,
  { runUrl }: StepContext,
): Promise<void> {
  if (issue === null) return
  const { series, ports, found } = issue
  const text = reportComment(report, runUrl)
  await postReport({ text, period: report.current.period, known: report.known ?? [] }, found, series, ports)
}
