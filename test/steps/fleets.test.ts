/** The workflows in docs/fleets.md for many projects and repositories, with their scripts. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { issueComment, scheduled } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { projectDir } from '../../sandbox/runner/action.ts'
import { hourlyLimit, requestsOf, spread } from '../../scripts/budget.ts'
import { runWorkflow, type WorkflowWorld } from '../workflow-run.ts'
import { report, siteOf, workspaceWith } from './world.ts'

/** Runs an example on a schedule. Its scripts run in this folder, whose programs take precedence over the machine's. */
async function runIn(folder: string, example: string, world: Partial<WorkflowWorld>, given: object = {}) {
  let failed = false
  execFileSync('chmod', ['-R', '+x', join(folder, 'bin')])
  await runWorkflow(join('examples', example), {
    event: scheduled('acme/platform'),
    repository: 'acme/platform',
    others: { 'actions/create-github-app-token': () => ({ token: 'x' }) },
    runAction: async () => ({}),
    runScript: async (script, env) => {
      const output = join(folder, 'output')
      writeFileSync(output, '')
      const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`
      const all = { ...process.env, ...env, GITHUB_OUTPUT: output, PATH: path, ...given }
      try {
        execFileSync('bash', ['-e', '-c', script], { cwd: folder, env: all, stdio: 'pipe' })
      } catch {
        failed = true
      }
      const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
      return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
    },
    ...world,
  })
  return failed
}

// These workflows run on runners with bash, jq and base64. On Windows, the test would find another bash first.
const withBash = it.skipIf(process.platform === 'win32')

withBash(
  'the workflow that spreads reports over hours covers each project once within the limit, however late GitHub starts its runs',
  async () => {
    const projects = Array.from({ length: 30 }, (_, at) => ({
      project: `acme-${at}`,
      site: 'https://docs.example.com',
    }))
    const list = JSON.stringify(projects)
    const folder = workspaceWith({ 'bin/date': '#!/bin/sh\ncat now\n', 'docs-projects.json': list })
    const reports: string[][] = []
    // From Sunday night until Monday morning.
    for (let hour = -1; hour < 7; hour++) {
      const late = ((hour + 60) * 37) % 60
      const now = Date.UTC(2026, 10, 23, hour, 17 + late)
      writeFileSync(join(folder, 'now'), String(now / 1000))
      const those: string[] = []
      reports.push(those)
      await runIn(folder, 'visitors-hours.yml', {
        secrets: { DOCS_READ_API_KEY: sandboxKey },
        runAction: async ({ inputs }) => {
          those.push(inputs['project-id'] ?? '')
          return {}
        },
      })
    }
    expect(reports.flat().toSorted()).toEqual(projects.map(({ project }) => project).toSorted())
    const { perHour, hours } = spread(projects.length, requestsOf(250))
    expect(Math.max(...reports.map(({ length }) => length))).toBe(perHour)
    expect(reports.filter(({ length }) => length > 0)).toHaveLength(hours)
    // A late run and the next one can start in the same hour.
    expect(2 * perHour * requestsOf(250)).toBeLessThanOrEqual(hourlyLimit)
  },
)

it('the hourly budget counts the requests of a report', async () => {
  const { platform } = await report({}, { visitors: siteOf(251) })
  expect(platform.requests).toHaveLength(requestsOf(251))
})

/** A mock of `gh` that knows a few repositories, and records the changes that it is asked to make. */
const gh = `#!/usr/bin/env bash
case "$*" in
  *broken*) exit 1 ;;
  "api repos/acme/"*" --jq .default_branch") echo main ;;
  "api repos/acme/current/contents/"*"ref=main"*) git hash-object callers/docs-command.yml ;;
  "api repos/acme/declined/contents/"*"ref=docs-agent"*) git hash-object callers/docs-command.yml ;;
  "api repos/acme/old/contents/"*) echo 1111111111111111111111111111111111111111 ;;
  *contents*"--jq .sha") echo '{"message":"Not Found"}'; exit 1 ;;
  *"git/ref/heads/main"*) echo 2222222222222222222222222222222222222222 ;;
  "api repos/acme/old/git/refs "*) exit 1 ;;
  *) echo "$*" >> changes ;;
esac
`

withBash(
  'the rollout proposes the file once, updates an old copy, continues after a failure, and stops at its limit',
  async () => {
    const names = ['current', 'broken', 'declined', 'new', 'old', 'beyond-the-limit']
    const list = names.map((name) => `${name}\n`).join('')
    const folder = workspaceWith({
      'bin/gh': gh,
      'callers/x': '',
      'docs-repositories.txt': list,
      changes: '',
    })
    copyFileSync(join(projectDir, 'examples/command-reusable.yml'), join(folder, 'callers/docs-command.yml'))
    expect(await runIn(folder, 'rollout.yml', {}, { MAX_PULL_REQUESTS: '2' })).toBe(true)
    const [sha, old] = ['2'.repeat(40), '1'.repeat(40)]
    const title = '--title Add the docs agent --body Comment `/docs …` on an issue to ask for a docs change.'
    const put = (name: string) =>
      `api --method PUT repos/acme/${name}/contents/.github/workflows/docs-command.yml -f branch=docs-agent -f message=Add the docs agent -f content=…`
    const changes = readFileSync(join(folder, 'changes'), 'utf8').replace(/-f content=\S+/g, '-f content=…')
    expect(changes.trim().split('\n')).toEqual([
      `api repos/acme/new/git/refs -f ref=refs/heads/docs-agent -f sha=${sha} --silent`,
      `${put('new')} --silent`,
      `pr create --repo acme/new --head docs-agent --base main ${title}`,
      `api --method PATCH repos/acme/old/git/refs/heads/docs-agent -f sha=${sha} -F force=true --silent`,
      `${put('old')} -f sha=${old} --silent`,
      `pr create --repo acme/old --head docs-agent --base main ${title}`,
    ])
  },
)

it.each([
  ['https://github.com', { group: 'docs-7', queue: 'max' }, 'ubuntu-slim'],
  // On Enterprise Server, `queue` would make the workflow invalid.
  ['https://github.acme.example', expect.stringMatching(/^docs-\d+-acme$/), 'self-hosted'],
])(
  'the reusable workflow for commands queues the commands of a thread on %s',
  async (serverUrl, concurrency, runsOn) => {
    const [job] = await runWorkflow('examples/command-reusable.yml', {
      event: issueComment({ repository: 'acme/app' }),
      repository: 'acme/app',
      serverUrl,
      vars: { DOCS_PROJECT_ID: 'acme' },
      secrets: { DOCS_AGENT_API_KEY: sandboxKey },
      runAction: async () => ({}),
    })
    expect(job).toMatchObject({ concurrency, runsOn })
  },
)

it.each([
  ['mona', 'write', 1],
  ['Copilot', 'write', 0],
  ['Copilot', 'write, Copilot', 1],
  ['renovate[bot]', 'admin\nrenovate', 1],
])(
  'a comment by %s starts a runner of the reusable workflow with `allowed: %s`: %i',
  async (author, allowed, runners) => {
    const { payload, ...event } = issueComment({ author })
    const inputs = { command: '/docs', allowed }
    const jobs = await runWorkflow('.github/workflows/docs-command.yml', {
      event: { ...event, payload: { ...(payload as object), inputs } },
      repository: 'acme/app',
      runAction: async () => ({}),
    })
    expect(jobs).toHaveLength(runners)
  },
)
