/** Mode visitors, run in this process or as the bundle, with sites, folders, and a GitHub server for comments. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GitHub,
  type GitHubOptions,
  sandboxGitHubToken,
  startGitHub,
} from '../../sandbox/github/server.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { VisitorRow, VisitorsSource } from '../../sandbox/platform/visitors.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { onTestFinished, temporaryFolder } from '../running.ts'

export const [from, to] = ['2025-11-03', '2025-11-10']
export const now = { 'date-from': from, 'date-to': to }
export const nextWeek = { 'date-from': to, 'date-to': '2025-11-17' }
/** Inputs that write files. */
export const alone = { ...now, 'report-dir': 'report' }

export const fileNames = ['report.html', 'report.json', 'report.md', 'visitors.csv']

/** A site with this many pages, each with more visitors than the next. */
export function siteOf(pages: number, path = (at: number) => `/page-${at}`): VisitorsSource {
  const rows = Array.from({ length: pages }, (_, at): VisitorRow => {
    return { path: path(at), human: pages - at, ai: 1, total: pages - at }
  })
  return () => ({ totals: { human: 900, ai: 100, total: 950 }, rows })
}

/** A site with fewer human visitors than in the previous period. */
export const falling: VisitorsSource = (dateFrom) => {
  const human = dateFrom.startsWith(from) ? 700 : 1_000
  return {
    totals: { human, ai: 50, total: human + 50 },
    rows: [{ path: '/', human, ai: 50, total: human + 50 }],
  }
}

/** `runAlone` or `runBundle`. */
export type RunOne<Run> = (
  inputs: Record<string, string>,
  options: PlatformOptions,
  step: Omit<StepOptions, 'with'>,
) => Promise<Run>

export function visitorsWith<Run>(run: RunOne<Run>) {
  return async (
    inputs: Record<string, string>,
    options: PlatformOptions = {},
    step: Omit<StepOptions, 'with'> = {},
  ) => {
    const folders = { workspace: temporaryFolder(), runnerTemp: temporaryFolder() }
    const result = await run({ mode: 'visitors', ...inputs }, options, { ...folders, ...step })
    const folder = join(folders.workspace, 'report')
    return {
      ...result,
      folder,
      files: () => readdirSync(folders.workspace, { recursive: true, encoding: 'utf8' }).sort(),
      read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    }
  }
}

/** Starts a GitHub server. `run` runs a step that comments on its issue 7. */
export async function commentsWith<Run>(runOne: RunOne<Run>, options: GitHubOptions = {}) {
  const hub = await startGitHub(options)
  onTestFinished(() => hub.close())
  const run = (inputs: Record<string, string> = {}, source = siteOf(3)) =>
    visitorsWith(runOne)(
      { ...now, 'issue-number': '7', ...inputs },
      { visitors: source },
      { githubToken: sandboxGitHubToken, env: { GITHUB_API_URL: hub.url } },
    )
  return { hub, run }
}

export const hiddenOf = ({ comments }: GitHub) =>
  comments.map(({ minimizedReason }) => minimizedReason ?? 'shown')
