/**
 * The worlds of steps: a repository on GitHub with comments, the platform, and folders. A world runs steps in this
 * process, or as the bundle (bundle/run.ts).
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stepOn } from '../../sandbox/demo.ts'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import { Repository, type RepositoryOptions } from '../../sandbox/github/repository.ts'
import { type GitHubOptions, startGitHub } from '../../sandbox/github/server.ts'
import type { SeedComment } from '../../sandbox/github/threads.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import type { VisitorRow, VisitorsSource } from '../../sandbox/platform/analytics.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { StepOptions } from '../../sandbox/runner/environment.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished, temporaryFolder } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { runStep } from './run.ts'

export type Texts = Readonly<Record<string, string>>
type RunStep<Run> = (options: StepOptions) => Promise<Run>

export const agent = 'mintlify[bot]'
export const prompt = 'Update the docs'
/** The commits of main, where the last one is the head. */
export const first = commit({
  message: 'First',
  files: { 'src/install.ts': 'old\n', 'package-lock.json': '1\n' },
})
export const second = commit({
  parents: [first],
  message: 'Install globally\n\nAt length.',
  files: { 'src/install.ts': 'new\n', 'package-lock.json': '2\n' },
})

const roles: NonNullable<GitHubOptions['roles']> = {
  mona: { permission: 'write', role_name: 'write' },
  mary: { permission: 'write', role_name: 'maintain' },
  rita: { permission: 'read', role_name: 'read' },
}

export interface Setting {
  /** The repository's name, `acme/docs` by default. */
  name?: string
  repository?: Partial<RepositoryOptions>
  github?: GitHubOptions
  platform?: PlatformOptions
  /** The clock of GitHub, Mintlify and, through options of Node.js, of the bundle. */
  clock?: { now: () => Date; options: string }
  /** Events whose comments exist before the first step. */
  events?: readonly RawEvent[]
}

export function worldsOf<Run>(runStep: RunStep<Run>) {
  /** Runs one step without GitHub. Without a record, the post script has nothing to do, so it is skipped by default. */
  async function runAlone(
    inputs: Texts,
    options: PlatformOptions = {},
    step: Omit<StepOptions, 'with'> = {},
  ) {
    const platform = await platformFor(options)
    const run = await runStep({
      hasPost: false,
      ...step,
      with: { ...inputsFor(platform.url, inputs.mode), ...inputs },
    })
    return { ...run, platform, sent: platform.jobs.get('job_0001')?.prompt ?? '' }
  }

  /** Runs mode visitors for a week of November 2025. The report is in the folder `report` of the workspace. */
  async function report(inputs: Texts, options: PlatformOptions = {}, step: Omit<StepOptions, 'with'> = {}) {
    const folders = { workspace: temporaryFolder(), runnerTemp: temporaryFolder(), ...step }
    const run = await runAlone({ mode: 'visitors', ...week, ...inputs }, options, folders)
    return {
      ...run,
      folder: join(folders.workspace, 'report'),
      files: readdirSync(folders.workspace, { recursive: true, encoding: 'utf8' }).sort(),
      read: (name: string) => readFileSync(join(folders.workspace, 'report', name), 'utf8'),
    }
  }

  async function createWorld(setting: Setting = {}) {
    const { name = 'acme/docs', repository, github, platform, clock } = setting
    const { events = [issueComment(), issueComment({ id: 1002 })] } = setting
    const home = new Repository({ name, branches: { main: second }, ...repository })
    const places = { repository: name, repositories: [home], comments: events.flatMap(commentsOf) }
    const times = clock && { now: clock.now }
    const hub = await startGitHub({ roles, ...places, ...times, ...github })
    onTestFinished(() => hub.close())
    const service = await platformFor({ readsUntilEnd: 1, opens: opensIn(home), ...times, ...platform })
    /** Runs a step on an event, with exactly these inputs. */
    const step = (event: RawEvent, inputs: Texts, env: Texts = {}, actionDir?: string) => {
      const options = { ...stepOn(event, hub.url), with: inputs, ...(actionDir && { actionDir }) }
      const paced = clock && { NODE_OPTIONS: clock.options }
      return runStep({
        ...options,
        env: {
          ...options.env,
          GITHUB_REPOSITORY: name,
          GITHUB_REPOSITORY_ID: `${home.id}`,
          ...paced,
          ...env,
        },
      })
    }
    /** Runs a step on an event. In mode agent, a comment is read as a command, and other events run a prompt. */
    const run = (event: RawEvent, inputs: Texts = {}, env: Texts = {}) => {
      const asked = /comment|review/.test(event.name) ? { command: '/docs' } : { prompt }
      const own = { ...inputsFor(service.url, inputs.mode), ...(inputs.mode === undefined && asked) }
      return step(event, { ...own, ...inputs }, env)
    }
    return {
      hub,
      home,
      service,
      step,
      run,
      settle: (event: RawEvent, inputs: Texts = {}) =>
        run(event, { mode: 'settle', command: '/docs', timeout: '1m', ...inputs }),
      /** The action's comments on a thread. */
      written: (number = 7) =>
        hub.comments.flatMap(({ thread, user, body }) =>
          thread.number === number && user === 'github-actions[bot]' ? [body] : [],
        ),
      /** Requests that change something on GitHub. */
      writes: () =>
        hub.requests.filter(({ method, path }) => method !== 'GET' && !/\/(graphql|markdown)$/.test(path)),
      reactions: () => hub.reactions.map(({ content }) => content),
      prompts: () => [...service.jobs.values()].flatMap((job) => [job.prompt, ...job.messages]),
    }
  }

  return { runAlone, report, createWorld }
}

export const { runAlone, report, createWorld } = worldsOf(runStep)
export type World = Awaited<ReturnType<typeof createWorld>>

/** An event's comment, as it is on GitHub before the step; for a review comment, also the thread's first comment. */
function commentsOf({ payload }: RawEvent): SeedComment[] {
  const { comment, issue, pull_request } = payload as {
    comment?: { id: number; body: string; in_reply_to_id?: number; pull_request_review_id?: number }
    issue?: { number: number }
    pull_request?: { number: number }
  }
  if (comment === undefined) return []
  const { id, body, in_reply_to_id: root = id, pull_request_review_id: review = id } = comment
  const thread = {
    number: (issue ?? pull_request)?.number ?? 0,
    reviewRoot: pull_request === undefined ? null : root,
  }
  return [...new Set([thread.reviewRoot ?? id, id])].map((id) => ({ id, thread, body, user: 'mona', review }))
}

/** Opens the agent's pull requests, each with one file, unless the repository has them. */
function opensIn(home: Repository) {
  return (number: number, branch: string, folder: string): void => {
    const base = home.find('HEAD')
    if (home.pull(number) !== undefined || base === undefined) return
    const files = { [`${folder}/${number}.md`]: 'New\n' }
    const head = commit({ parents: [base], message: 'Update the docs', author: agent, files })
    home.setPull({ number, user: agent, title: 'Update the docs', head: { branch, commit: head } })
  }
}

/** A web page, which a service sends instead of JSON. */
export const webPage = `<html><title>${'Maintenance '.repeat(20)}</title><body>Source</body></html>`

/** The start of a commit's SHA, as prompts show it. */
export const short = ({ sha }: Commit) => sha.slice(0, 10)

export function workspaceWith(files: Readonly<Record<string, string | Buffer>>): string {
  const workspace = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content)
  }
  return workspace
}

export const week = { 'date-from': '2025-11-03', 'date-to': '2025-11-10' }
export const nextWeek = { 'date-from': week['date-to'], 'date-to': '2025-11-17' }
export const reportFiles = ['report.html', 'report.json', 'report.md', 'visitors.csv']

/** A site with this many pages, each with more visitors than the next. */
export function siteOf(pages: number, path = (at: number) => `/page-${at}`): VisitorsSource {
  const rows = Array.from({ length: pages }, (_, at): VisitorRow => {
    return { path: path(at), human: pages - at, ai: 1, total: pages - at }
  })
  return () => ({ totals: { human: 900, ai: 100, total: 950 }, rows })
}

/** A site with fewer human visitors than in the previous period. */
export const falling: VisitorsSource = (dateFrom) => {
  const human = dateFrom.startsWith(week['date-from']) ? 700 : 1_000
  const row = { human, ai: 50, total: human + 50 }
  return { totals: row, rows: [{ path: '/', ...row }] }
}
