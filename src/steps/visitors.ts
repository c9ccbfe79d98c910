/** Mode visitors: connects its use cases to their adapters, and writes the report. */
import { createReportFolder, type ReportFolder } from '../adapters/files.ts'
import type { VisitorsInputs } from '../core/inputs/schema.ts'
import { failsStep } from '../core/outcome.ts'
import { problems } from '../core/problems.ts'
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
import { sections } from '../visitors/sections/index.ts'
import type { StepContext } from './context.ts'
import { finishDryRun, writeEnd } from './finish.ts'
import { createStepPorts } from './ports.ts'

/** What the input `sections` can name. */
export const sectionNames = Object.keys(sections)

/** Reads the visitors and writes the complete report. Only then can an alert fail the step. */
export async function runVisitorsMode(inputs: VisitorsInputs, stage: StepContext): Promise<void> {
  const { folders, run } = stage
  const { issueNumber: number, reportDir, failOn } = inputs
  const ports = createStepPorts(inputs, stage)
  const issue =
    number === null ? null : { repository: run.repository, number, isPullRequest: false, reviewRoot: null }
  if (inputs.dryRun) {
    const read = issue && (await ports.github.comments(issue))
    const problem = read?.ok === false ? problems.rejected('thread', read.rejection) : null
    return finishDryRun({ problem, details: [] }, ports)
  }
  const finish = (result: VisitorsResult, files: ReportFiles = noFiles) =>
    writeEnd(stage, {
      outputs: visitorsOutputs(result, files),
      entries: [describeReport(result, failOn)],
      summary: visitorsSummary(result),
      isFailed: failsStep(result.outcome, failOn),
    })
  const folder = reportDir === null ? null : createReportFolder(reportDir, folders)
  // Checked before any request: if the report could not be written, everything would be read for nothing.
  const opened = await folder?.open()
  if (opened?.ok === false)
    return finish({ outcome: 'error', report: null, problem: problems.file(opened.fault) })
  const period = periodOf(inputs, ports.clock.date())
  const read = await runVisitors({ ...inputs, period }, ports)
  const { report } = read
  if (report === null) return finish(read)
  const written = folder && (await writeFiles(report, folder))
  const comment = commentMarkdown(report, run.runUrl)
  const problem = written?.problem ?? (issue && (await postReport(comment, issue, report, ports)))
  await finish(problem === null ? read : { outcome: 'error', report, problem }, written?.paths)
}

/** Writes the report's files one after another. If one fails, the earlier ones stay. */
async function writeFiles(report: VisitorsReport, folder: ReportFolder) {
  const files: [output: keyof ReportFiles, name: string, pieces: Iterable<string>][] = [
    ['reportCsv', 'visitors.csv', reportCsv(report)],
    ['reportJson', 'report.json', reportJson(report)],
    ['reportMarkdown', 'report.md', [wholeMarkdown(report, 200)]],
    ['reportHtml', 'report.html', [reportHtml(report)]],
  ]
  const paths = { ...noFiles }
  for (const [output, name, pieces] of files) {
    const written = await folder.write(name, pieces)
    if (!written.ok) return { paths, problem: problems.file(written.fault) }
    paths[output] = written.value
  }
  return { paths, problem: null }
}
