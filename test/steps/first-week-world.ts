/** A team's first week: one repository, one Mintlify project, and everything that people see, as Markdown. */

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as bodyOf } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { stepOn } from '../../sandbox/demo.ts'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import type { VisitorsSource } from '../../sandbox/platform/visitors.ts'
import { projectDir, readAction } from '../../sandbox/runner/action.ts'
import { type RecordedRequest, serveHttp } from '../../sandbox/wire.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import type { LogEntry } from '../../src/say/messages.ts'
import { onTestFinished } from '../running.ts'
import { platformFor } from '../service.ts'
import { runWorkflow } from '../workflow-run.ts'
import { runStep, type StepRun } from './run.ts'

export const repository = 'acme/docs'
/** The key that is stored on the first day, and expires in the middle of the week. */
export const firstKey = 'mint_first_0123456789abcdef'
const today = '2026-11-09'

const code = commit({
  message: 'Install globally',
  author: 'mona',
  files: { 'docs/install.mdx': '# Install\n' },
})
export const docs = commit({
  parents: [code],
  message: 'Say how to install globally',
  files: { 'docs/install.mdx': '# Install\n\nRun `npm install --global acme`.\n' },
})
/** The head of the team's pull request. */
export const flag = commit({
  parents: [code],
  message: 'Add --global',
  author: 'mona',
  files: { 'src/cli.ts': "const flags = ['--global']\n" },
})
export const pushedCode = commit({
  parents: [code],
  message: 'Rename the command',
  author: 'mona',
  files: { 'src/name.ts': "export const name = 'acme-next'\n" },
})
export const base = code
export const flagPull = 12
/** The number of the agent's first pull request for this action. The others follow, one for each job. */
export const firstPull = 101
const mostJobs = 12
const ofAgent = Array.from({ length: mostJobs }, (_, at) => ({
  number: firstPull + at,
  user: 'mintlify[bot]',
  title: 'Say how to install globally',
  head: { branch: `docs-agent/job_${String(at + 1).padStart(4, '0')}`, commit: docs },
  base: { commit: code },
}))
const pulls = [
  { number: flagPull, title: 'Add --global', head: { branch: 'flag', commit: flag }, base: { commit: code } },
  // Opened by one of Mintlify's automations, without this action.
  { ...ofAgent[0], number: 90, title: 'Weekly update', head: { branch: 'mintlify/weekly', commit: docs } },
  ...ofAgent,
]

/** A repository where the agent opens a pull request with each job. */
class Home extends Repository {
  jobs = () => 0
  override get pulls() {
    return super.pulls.filter(({ number }) => number < firstPull + this.jobs())
  }
}

/** A small site whose page on webhooks got many more visitors last week. */
const site: VisitorsSource = (from) => {
  const isNews = from === '2026-11-02'
  const page = (path: string, human: number, ai: number) => ({ path, human, ai, total: human + ai })
  const rows = [
    page('/quickstart', 520, 210),
    page('/api-reference/webhooks', isNews ? 480 : 190, 60),
    page('/installation', 310, 120),
    page('/guides/migrate-to-v3', isNews ? 70 : 250, 40),
  ]
  const human = isNews ? 1010 : 980
  return { totals: { human, ai: 390, total: human + 350 }, rows }
}

export const reviewId = 2001
/** The first run's ID. Each chapter is a new run with the next ID, except a re-run. */
const firstRun = 1_000_001
/** Fields that the comments on GitHub share. */
const said = { body: '/docs', user: 'mona' }

export async function createWeek() {
  const home = new Home({ name: repository, branches: { main: pushedCode }, pulls })
  const hub = await startGitHub({
    repository,
    roles: { mona: { permission: 'write', role_name: 'write' } },
    repositories: [home],
    comments: [
      ...[1001, 1002, 1003].map((id) => ({ ...said, id, thread: { number: 7, reviewRoot: null } })),
      { ...said, id: 1004, thread: { number: flagPull, reviewRoot: null } },
      { ...said, id: 1005, thread: { number: flagPull, reviewRoot: 1005 } },
      {
        ...said,
        id: 1006,
        thread: { number: firstPull, reviewRoot: 1006 },
        body: 'Say that Node.js 24 is needed.',
        review: reviewId,
      },
    ],
  })
  onTestFinished(() => hub.close())
  const keys = {
    [firstKey]: { scopes: ['read', 'write'], expired: false },
    [sandboxKey]: { scopes: ['read', 'write'] },
  } as const
  const expiring: { expired: boolean } = keys[firstKey]
  const platform = await platformFor({
    keys,
    readsUntilEnd: 1,
    visitors: site,
    readers: demoReaders(today),
  })
  home.jobs = () => platform.jobs.size
  const slack = await startWebhook()
  const vars: Record<string, string> = {}
  const secrets: Record<string, string> = { GITHUB_TOKEN: sandboxGitHubToken, SLACK_WEBHOOK_URL: slack.url }
  const chapters: string[] = []

  return {
    /** The repository's variables and secrets. The test sets them, as a maintainer would. */
    vars,
    secrets,
    expireFirstKey: () => {
      expiring.expired = true
    },
    /** Runs an example on an event, records what it sent and what people saw, and returns the run's id. */
    async on(
      title: string,
      example: string,
      event: WorkflowEvent,
      env: Record<string, string> = {},
    ): Promise<string> {
      const before = {
        requests: platform.requests.length,
        comments: shownOf(hub),
        statuses: hub.statuses.length,
        reactions: hub.reactions.length,
        slack: slack.posts.length,
      }
      const started = stepOn(event, hub.url)
      const runs: StepRun[] = []
      const own = {
        GITHUB_WORKFLOW: workflowName(example),
        GITHUB_RUN_ID: String(firstRun + chapters.length),
      }
      await runWorkflow(`examples/${example}`, {
        event,
        repository,
        vars,
        secrets,
        runAction: async ({ folder, inputs, permissions }) => {
          hub.grant(permissions)
          const polls = 'poll-interval' in readAction(folder).inputs
          const run = await runStep({
            actionDir: folder,
            with: { ...inputs, 'base-url': platform.url, ...(polls && { 'poll-interval': '1s' }) },
            ...started,
            env: { ...started.env, GITHUB_SHA: pushedCode.sha, ...own, ...env },
          })
          runs.push(run)
          return run.outputs
        },
        runScript: async (script, env) => {
          await promisify(execFile)('bash', ['-e', '-c', script], { env: { ...process.env, ...env } })
          return {}
        },
      })
      const parts = [
        `# ${title}`,
        `\`examples/${example}\` on \`${event.name}\``,
        section(
          'Mintlify got',
          inOrder(platform.requests.slice(before.requests).map(requestText), '`GET /v1/'),
        ),
        section('GitHub shows', [
          ...hub.reactions.slice(before.reactions).map(({ content }) => `A reaction: ${content}`),
          ...hub.statuses
            .slice(before.statuses)
            .map(({ state, context, description }) => `A status: ${state}, ${context}: ${description}`),
          ...[...shownOf(hub)]
            .filter(([id, shown]) => before.comments.get(id) !== shown)
            .map(([, shown]) => shown),
        ]),
        section('Slack shows', slack.posts.slice(before.slack)),
        ...runs.map(runText),
      ]
      chapters.push(parts.filter((part) => part !== '').join('\n\n'))
      return own.GITHUB_RUN_ID
    },
    /** The whole week as Markdown, without the parts that differ between runs. */
    told: () => `${plain(chapters.join('\n\n'), platform.url)}\n`,
  }
}

/** The name in a workflow's first line. */
function workflowName(example: string): string {
  return /^name: (.+)$/m.exec(readFileSync(join(projectDir, 'examples', example), 'utf8'))?.[1] ?? ''
}

/** Each comment as people see it. */
function shownOf({ comments }: Awaited<ReturnType<typeof startGitHub>>): Map<number, string> {
  return new Map(
    comments.map(({ id, thread, user, body, minimizedReason }) => {
      const hidden = minimizedReason === undefined ? '' : ', hidden as outdated'
      return [id, `A comment by ${user} on #${thread.number}${hidden}:\n\n${block(body, 'markdown')}`]
    }),
  )
}

function requestText({ method, path, query, body }: RecordedRequest): string {
  const search = new URLSearchParams(query).toString()
  const { prompt } = (body ?? {}) as { prompt?: string }
  const line = `\`${method} ${path}${search === '' ? '' : `?${search}`}\``
  return prompt === undefined ? line : `${line} with the prompt:\n\n${block(prompt, 'text')}`
}

function runText({ exitCode, log, summary }: StepRun): string {
  return [
    `## The step is ${exitCode === 0 ? 'green' : 'red'}`,
    `Log:\n\n${block(inOrder(log.map(lineOf), 'Read ').join('\n'), 'text')}`,
    `Summary:\n\n${block(summary.replace(/<details><summary>(.*?)<\/summary>.*?<\/details>/gs, '(folded: $1)'), 'markdown')}`,
  ].join('\n\n')
}

/** Periods are read in parallel, so the lines about them are sorted. */
function inOrder(lines: string[], start: string): string[] {
  const sorted = lines.filter((line) => line.startsWith(start)).toSorted()
  return lines.map((line) => (line.startsWith(start) ? (sorted.shift() ?? '') : line))
}

/** A line of the log. A group is reduced to its title, because the prompt in it appears under “Mintlify got”. */
function lineOf(entry: LogEntry): string {
  if (entry.level === 'group') return `▸ ${entry.title}`
  return entry.level === 'info' ? entry.text : `${entry.level}, “${entry.title}”: ${entry.text}`
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0
    ? ''
    : `${title}:\n\n${items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n')}`
}

function block(content: string, language: string): string {
  return `\`\`\`\`${language}\n${content.trim()}\n\`\`\`\``
}

/** Replaces what differs between runs: ports, signed marks and durations. */
function plain(text: string, url: string): string {
  return text
    .replaceAll(url, 'https://api.mintlify.com')
    .replaceAll(new URL(url).host, 'api.mintlify.com')
    .replace(/\n *<!-- .*?-->/g, '')
    .replace(/(· run \d+) · \S+$/gm, '$1 · (mark)')
    .replace(/((?:[Tt]ook|[Aa]fter) (?:\| )?)\d+ s/g, '$1a few s')
    .replace(/[ \t]+$/gm, '')
}

/** A double of Slack's incoming webhook, which keeps the text of each message. */
async function startWebhook() {
  const posts: string[] = []
  const { url, close } = await serveHttp(async (request, response) => {
    posts.push((JSON.parse(await bodyOf(request)) as { text: string }).text)
    response.end('ok')
  })
  onTestFinished(close)
  return { posts, url: `${url}/` }
}
