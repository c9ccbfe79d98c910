/** Mode visitors: connects the reading to its adapters, and writes the report. */
import { createReportFolder, type ReportFolder } from '../adapters/files.ts'
import type { VisitorsInputs } from '../core/inputs/schema.ts'
import { failsStep } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { pullThread, type Thread } from '../core/thread.ts'
import { permissionsOf } from '../say/rejections.ts'
import { postReport } from '../visitors/issue.ts'
import { periodOf } from '../visitors/period.ts'
import { runVisitors } from '../visitors/read.ts'
import { reportCsv, reportJson } from '../visitors/render/files.ts'
import { reportHtml } from '../visitors/render/html.ts'
import { commentMarkdown, wholeMarkdown } from '../visitors/render/markdown.ts'
import {
  describeReport,
  noFiles,
  type ReportFiles,
  visitorsOutputs,
  visitorsSummary,
} from '../visitors/render/result.ts'
import type { VisitorsReport, VisitorsResult } from '../visitors/report.ts'
import type { StepContext } from './context.ts'
import { finishDryRun, writeEnd } from './finish.ts'
import { createStepPorts, type StepPorts } from './ports.ts'

/** Reads the visitors and writes the complete report. Only then can an alert fail the step. */
export async function runVisitorsMode(inputs: VisitorsInputs, step: StepContext) {
  const { failOn, reportDir, issueNumber: number } = inputs
  const { runUrl } = step.run
  const ports = createStepPorts(inputs, step)
  const issue = number === null ? null : { ...pullThread(step.run, number), isPullRequest: false }
  const needed = issue === null ? [] : permissionsOf('report')
  if (inputs.dryRun) return finishDryRun(await checkIssue(issue, ports), needed, ports)

  async function finish(result: VisitorsResult, files: ReportFiles = noFiles) {
    await writeEnd(step, {
      cause: result,
      outputs: visitorsOutputs(result, files),
      entries: [describeReport(result, failOn)],
      summary: visitorsSummary(result),
      isFailed: failsStep(result.outcome, failOn),
    })
  }

  const folder = reportDir === null ? null : createReportFolder(reportDir, step.folders)
  // Checked before any request: if the report could not be written, everything would be read for nothing.
  const opening = await folder?.open()
  if (opening?.ok === false) return finish({ outcome: 'error', report: null, problem: opening.failure })
  const result = await runVisitors({ ...inputs, period: periodOf(inputs, ports.clock.date()) }, ports)
  const { report } = result
  if (report === null) return finish(result)
  const files = await writeFiles(report, folder, runUrl)
  let problem: Problem | null = files.problem
  if (problem === null && issue !== null)
    problem = await postReport(commentMarkdown(report, runUrl), issue, report, ports)
  if (problem === null) return finish(result, files.paths)
  await finish({ outcome: 'error', report, problem }, files.paths)
}

/** Why a report could not be posted; null if it could. */
async function checkIssue(issue: Thread | null, { github }: StepPorts): Promise<Problem | null> {
  if (issue === null) return null
  const comments = await github.comments(issue)
  if (comments.ok) return null
  return { kind: 'github-failed', need: 'thread', failure: comments.failure }
}

/** The report's files: the output with the path of each, its name, and its content. */
const printers: [
  keyof ReportFiles,
  name: string,
  print: (report: VisitorsReport, runUrl: string) => string,
][] = [
  ['reportCsv', 'visitors.csv', reportCsv],
  ['reportJson', 'report.json', reportJson],
  ['reportMarkdown', 'report.md', (report) => wholeMarkdown(report, 200)],
  ['reportHtml', 'report.html', reportHtml],
]

/** Writes the report's files one after another. If one fails, the earlier ones stay. */
async function writeFiles(report: VisitorsReport, folder: ReportFolder | null, runUrl: string) {
  const paths = { ...noFiles }
  if (folder === null) return { paths, problem: null }
  for (const [output, name, print] of printers) {
    const file = await folder.write(name, print(report, runUrl))
    if (!file.ok) return { paths, problem: file.failure }
    paths[output] = file.value
  }
  return { paths, problem: null }
}
