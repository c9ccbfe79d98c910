/**
 * A team's first week, as a script: one repository, one Mintlify project. The snapshot contains every request to
 * Mintlify and every word that people saw: read it as an editor would.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import { sandboxGitHubToken } from '../../sandbox/github/server.ts'
import {
  issue,
  issueComment,
  pushed,
  releasePublished,
  reviewComment,
  reviewSubmitted,
  scheduled,
} from '../../sandbox/payloads.ts'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { seededTraffic } from '../../sandbox/platform/traffic.ts'
import { projectDir } from '../../sandbox/runner/action.ts'
import type { RecordedRequest } from '../../sandbox/wire.ts'
import type { LogEntry } from '../../src/core/log.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { runIn } from './examples-world.ts'
import type { StepRun } from './run.ts'
import { runInBash, startWebhook } from './slack.ts'
import { agent, createWorld, type Texts } from './world.ts'

// Report periods end before today.
const today = '2026-11-09'
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${today}T06:17:00Z`) }))
afterEach(() => vi.useRealTimers())

const repository = 'acme/docs'
/** The key that is stored on the first day, and expires in the middle of the week. */
const firstKey = 'mint_first_0123456789abcdef'
const change = (message: string, files: Record<string, string>, author = 'mona') =>
  commit({ parents: [code], message, author, files })
const code = commit({
  message: 'Install globally',
  author: 'mona',
  files: { 'docs/install.mdx': '# Install\n' },
})
const flag = change('Add --global', { 'src/cli.ts': "const flags = ['--global']\n" })
const renamed = change('Rename the command', { 'src/name.ts': "export const name = 'acme-next'\n" })
const docs = change(
  'Say how to install globally',
  { 'docs/install.mdx': '# Install\n\nRun `npm install --global acme`.\n' },
  agent,
)
const base = { commit: code }
const pulls = [
  { number: 12, title: 'Add --global', head: { branch: 'flag', commit: flag }, base },
  // Opened by one of Mintlify's automations, without this action.
  {
    number: 90,
    user: agent,
    title: 'Weekly update',
    head: { branch: 'mintlify/weekly', commit: docs },
    base,
  },
]

const dry = { 'dry-run': 'true' }
const comment = (id: number, body: string) => issueComment({ repository, id, body })
const rejected = comment(1003, '/docs add a note on Node 24')
const text = 'The command can be installed globally.'
const onFlag = { repository, number: 12, head: flag.sha, title: 'Add --global', text }
const onPull = issueComment({ ...onFlag, id: 1004, isPullRequest: true, body: '/docs document this change' })
const onLine = reviewComment(
  { ...onFlag, id: 1005, body: '/docs name this flag' },
  { path: 'src/cli.ts', line: 1, diff_hunk: "@@ -0,0 +1 @@\n+const flags = ['--global']" },
)
/** A review with one comment on a line of the agent's first pull request. */
const review = {
  id: 2001,
  repository,
  number: 101,
  title: 'Update the docs',
  text: null,
  body: '/docs do what I wrote below',
}
const lineComment = reviewComment(
  { repository, id: 1006, number: review.number, body: 'Say that Node.js 24 is needed.' },
  { pull_request_review_id: review.id },
)

// These workflows run on runners with bash, jq and curl. On Windows, the test would find another bash first.
it.skipIf(process.platform === 'win32')('the first week matches its snapshot', async () => {
  const { on, vars, secrets, keys, home, told } = await createWeek()

  const asked = comment(1001, '/docs! fix the install page')

  await on('Install: nothing is stored yet', 'comment.yml', asked, {}, dry)
  vars.DOCS_PROJECT_ID = 'sandbox-docs'
  secrets.DOCS_AGENT_API_KEY = firstKey
  await on('Dry run', 'comment.yml', asked, {}, dry)
  await on(
    "A push while a pull request of Mintlify's automations is open",
    'push.yml',
    pushed({ before: code, after: renamed, repository }),
  )
  await on('A comment on an issue', 'comment.yml', asked)
  await on('A question', 'comment.yml', comment(1002, '/docs help'))
  await on('A comment on a pull request', 'comment.yml', onPull)
  await on('A comment on a line', 'command-reusable.yml', onLine)
  const head = home.pull(review.number)?.head.commit.sha ?? ''
  await on(
    "A review of the agent's pull request",
    'command-reusable.yml',
    reviewSubmitted({ ...review, head }),
  )
  await on('A label', 'label.yml', issue({ repository, number: 8, label: 'docs' }))
  keys.delete(firstKey)
  const run = await on('The key is rejected', 'comment.yml', rejected)
  await on('The dry run says why', 'comment.yml', rejected, {}, dry)
  secrets.DOCS_AGENT_API_KEY = sandboxKey
  await on('The key is replaced, and checked', 'comment.yml', rejected, {}, dry)
  const again = { GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'mona' }
  await on('The rejected command is run again', 'comment.yml', rejected, again)
  await on('A release', 'release.yml', releasePublished({ repository, body: 'The command is now global.' }))
  await on('A job on a schedule', 'schedule.yml', scheduled(repository))
  await on('The schedule settles what is open', 'no-waiting.yml', scheduled(repository))
  vars.DOCS_REPORT_ISSUE = '9'
  await on('The report in an issue', 'visitors.yml', scheduled(repository))
  await on('The line in Slack', 'slack.yml', scheduled(repository))

  await expect(told()).toMatchFileSnapshot('__snapshots__/first-week.md')
})

async function createWeek() {
  const keys = new Set([firstKey, sandboxKey])
  const world = await createWorld({
    repository: { branches: { main: renamed }, pulls },
    platform: { keys, readsUntilEnd: 1, visitors: seededTraffic(today), readers: demoReaders(today) },
    events: [1001, 1002, 1003].map((id) => comment(id, '/docs')).concat(onPull, onLine, lineComment),
  })
  const { hub, home, service } = world
  const slack = await startWebhook()
  const vars: Record<string, string> = {}
  const secrets: Record<string, string> = { GITHUB_TOKEN: sandboxGitHubToken, SLACK_WEBHOOK_URL: slack.url }
  const chapters: string[] = []

  /** Runs an example on an event, records what it sent and what people saw, and returns the run's id. */
  async function on(
    title: string,
    example: string,
    event: RawEvent,
    env: Texts = {},
    inputs: Texts = {},
  ): Promise<string> {
    const shown = new Set(shownOf(hub))
    const [requests, posts] = [service.requests.length, slack.posts.length]
    // Each chapter is a new run with the next ID, except a re-run.
    const own = { GITHUB_WORKFLOW: nameOf(example), GITHUB_RUN_ID: String(1_000_001 + chapters.length) }
    const runs = await runIn(world, example, event, {
      vars,
      secrets,
      inputs,
      env: { GITHUB_SHA: renamed.sha, ...own, ...env },
      runScript: runInBash,
    })
    const parts = [
      `# ${title}`,
      `\`examples/${example}\` on \`${event.name}\``,
      section('Mintlify got', inOrder(service.requests.slice(requests).map(requestText), /^`GET \/v1\//)),
      section(
        'GitHub shows',
        shownOf(hub).filter((each) => !shown.has(each)),
      ),
      section('Slack shows', slack.posts.slice(posts)),
      ...runs.map(runText),
    ]
    chapters.push(parts.filter((part) => part !== '').join('\n\n'))
    return own.GITHUB_RUN_ID
  }

  /** The whole week as Markdown, without the parts that differ between runs. */
  const told = () => `${plain(chapters.join('\n\n'), service.url)}\n`
  return { on, vars, secrets, keys, home, told }
}

/** The name in a workflow's first line. */
function nameOf(example: string): string {
  return /^name: (.+)$/m.exec(readFileSync(join(projectDir, 'examples', example), 'utf8'))?.[1] ?? ''
}

type Hub = Awaited<ReturnType<typeof createWorld>>['hub']

/** Reactions, statuses and comments as people see them. All texts differ, so that new ones can be found. */
function shownOf({ reactions, statuses, comments }: Hub): string[] {
  return [
    ...reactions.map(({ content, id }) => `A reaction: ${content}<!-- ${id} -->`),
    ...statuses.map(
      ({ id, state, context, description }) => `A status: ${state}, ${context}: ${description}<!-- ${id} -->`,
    ),
    ...comments.map(({ thread, user, body, minimizedReason }) => {
      const hidden = minimizedReason === undefined ? '' : ', hidden as outdated'
      return `A comment by ${user} on #${thread.number}${hidden}:\n\n${block(body, 'markdown')}`
    }),
  ]
}

function requestText({ method, path, query, body }: RecordedRequest): string {
  const search = new URLSearchParams(query).toString()
  const { prompt } = (body ?? {}) as { prompt?: string }
  const line = `\`${method} ${path}${search === '' ? '' : `?${search}`}\``
  return prompt === undefined ? line : `${line} with the prompt:\n\n${block(prompt, 'text')}`
}

function runText({ exitCode, log, summary }: StepRun): string {
  const shown = summary.replace(/<details><summary>(.*?)<\/summary>.*?<\/details>/gs, '(folded: $1)')
  return [
    `## The step is ${exitCode === 0 ? 'green' : 'red'}`,
    `Log:\n\n${block(parallel.reduce(inOrder, log.map(lineOf)).join('\n'), 'text')}`,
    `Summary:\n\n${block(shown, 'markdown')}`,
  ].join('\n\n')
}

/** Lines about what is read in parallel: the pages of two periods, then their page views, then the lists. */
const parallel = [/: read \d+ pages/, /: read the page views/, /: read the (?!page)/]

/** Sorts the lines about requests that are made in parallel. */
function inOrder(lines: string[], pattern: RegExp): string[] {
  const sorted = lines.filter((line) => pattern.test(line)).toSorted()
  return lines.map((line) => (pattern.test(line) ? (sorted.shift() ?? '') : line))
}

/** A line of the log. A group is reduced to its title, because the prompt in it appears under “Mintlify got”. */
function lineOf(entry: LogEntry): string {
  if (entry.level === 'group') return `▸ ${entry.title}`
  return entry.level === 'info' ? entry.text : `${entry.level}, “${entry.title}”: ${entry.text}`
}

function section(title: string, items: readonly string[]): string {
  const list = items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`)
  return items.length === 0 ? '' : `${title}:\n\n${list.join('\n')}`
}

function block(content: string, language: string): string {
  return `\`\`\`\`${language}\n${content.trim()}\n\`\`\`\``
}

/** Replaces what differs between runs: ports, signed marks and durations. */
function plain(text: string, url: string): string {
  return text
    .replaceAll(url, 'https://api.mintlify.com')
    .replaceAll(new URL(url).host, 'api.mintlify.com')
    .replace(/(?:\n *)?<!-- .*?-->/g, '')
    .replace(/(· run \d+) · \S+$/gm, '$1 · (mark)')
    .replace(/((?:[Tt]ook|[Aa]fter) (?:\| )?)\d+ s/g, '$1a few s')
    .replace(/[ \t]+$/gm, '')
}
