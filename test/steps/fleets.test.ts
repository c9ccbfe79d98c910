/** The workflows in docs/fleets.md, run against doubles of GitHub and Mintlify, at full scale and with delays. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { issueComment, scheduled } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { projectDir } from '../../sandbox/runner/action.ts'
import { hourlyLimit, requestsOf, spread } from '../../scripts/budget.ts'
import { temporaryFolder } from '../running.ts'
import { platformFor } from '../service.ts'
import { runWorkflow, type WorkflowWorld } from '../workflow-run.ts'
import { runStep } from './run.ts'
import { siteOf } from './visitors-world.ts'

const hour = 3_600_000
/** A Monday, 00:00 UTC. */
const monday = Date.UTC(2026, 10, 23)

/** A folder for scripts, with programs that take precedence over the machine's. */
function workspace(programs: Record<string, string>) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'bin'))
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), script)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  return {
    folder,
    /** Runs a script as the runner does if a step sets no `shell`, and reads the script's outputs. */
    run: async (script: string, given: Record<string, string>) => {
      const [file, output] = [join(folder, 'script.sh'), join(folder, 'output')]
      writeFileSync(file, script)
      writeFileSync(output, '')
      const env = { ...process.env, ...given, GITHUB_OUTPUT: output }
      const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`
      execFileSync('bash', ['-e', file], { cwd: folder, env: { ...env, PATH: path }, stdio: 'pipe' })
      const lines = readFileSync(output, 'utf8').trim().split('\n')
      return Object.fromEntries(lines.filter(Boolean).map((line) => line.split(/=(.*)/s).slice(0, 2)))
    },
  }
}

/** An hourly workflow with a clock that the test sets. */
function fleet(projects: number) {
  const space = workspace({ date: '#!/bin/sh\necho $(cat now)\n' })
  const list = Array.from({ length: projects }, (_, at) => ({
    project: `acme-${at}`,
    site: 'https://docs.example.com',
  }))
  writeFileSync(join(space.folder, 'docs-projects.json'), JSON.stringify(list))
  return {
    runAt: async (now: number, runAction: WorkflowWorld['runAction']) => {
      writeFileSync(join(space.folder, 'now'), String(Math.floor(now / 1000)))
      return runWorkflow('examples/visitors-hours.yml', {
        event: scheduled('acme/platform'),
        repository: 'acme/platform',
        secrets: { DOCS_READ_API_KEY: sandboxKey },
        runAction,
        runScript: space.run,
      })
    },
  }
}

// These workflows run on runners with bash, jq and base64. On Windows, the test would find another bash first.
describe.skipIf(process.platform === 'win32')('the workflow that spreads reports over hours', () => {
  it('the workflow that spreads reports over hours covers each project once, however late GitHub starts its runs', async () => {
    const { runAt } = fleet(160)
    const reports: string[] = []
    const sizes: number[] = []
    // From Sunday night until Tuesday morning.
    for (let at = -1; at < 30; at++) {
      const late = ((at + 60) * 37) % 60
      const before = reports.length
      await runAt(monday + at * hour + (17 + late) * 60_000, async ({ inputs }) => {
        reports.push(inputs['project-id'] ?? '')
        return {}
      })
      sizes.push(reports.length - before)
    }
    expect(reports).toHaveLength(160)
    expect(new Set(reports).size).toBe(160)
    const { perHour, hours } = spread(160, requestsOf(250))
    expect(Math.max(...sizes)).toBe(perHour)
    expect(sizes.filter((size) => size > 0)).toHaveLength(hours)
  })

  it('the hourly limit is kept if one run is almost an hour late and the next is on time', async () => {
    let now = monday
    const platform = await platformFor({
      now: () => new Date(now),
      visitorsLimit: hourlyLimit,
      visitors: siteOf(250),
    })
    const { runAt } = fleet(12)
    const outcomes: unknown[] = []
    for (const [at, late] of [59, 0].entries()) {
      now = monday + at * hour + (17 + late) * 60_000
      await runAt(now, async ({ folder, inputs }) => {
        const step = await runStep({
          actionDir: folder,
          with: { ...inputs, 'project-id': 'sandbox-docs', 'base-url': platform.url },
        })
        outcomes.push([step.outputs.outcome, step.outputs.complete, step.warnings])
        return step.outputs
      })
    }
    expect(outcomes).toEqual(Array.from({ length: 12 }, () => ['reported', 'true', []]))
    expect(platform.requests).toHaveLength(12 * requestsOf(250))
  })
})

describe('the workflow that rolls out the caller', () => {
  /** A double of `gh` that knows a few repositories, and records the changes that it is asked to make. */
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
  async function rollOut(repositories: string[], most = '100') {
    const space = workspace({ gh })
    mkdirSync(join(space.folder, 'callers'))
    writeFileSync(
      join(space.folder, 'callers/docs-command.yml'),
      readFileSync(join(projectDir, 'examples/command-reusable.yml')),
    )
    writeFileSync(
      join(space.folder, 'docs-repositories.txt'),
      repositories.map((name) => `${name}\n`).join(''),
    )
    writeFileSync(join(space.folder, 'changes'), '')
    let failed = false
    await runWorkflow('examples/rollout.yml', {
      event: scheduled('acme/platform'),
      repository: 'acme/platform',
      others: { 'actions/create-github-app-token': () => ({ token: 'x' }) },
      runAction: async () => ({}),
      runScript: (script, env) =>
        space.run(script, { ...env, MAX_PULL_REQUESTS: most }).catch(() => {
          failed = true
          return {}
        }),
    })
    const changes = readFileSync(join(space.folder, 'changes'), 'utf8').trim().split('\n')
    return { failed, changes: changes.map((line) => line.replace(/-f content=\S+/, '-f content=…')) }
  }

  it.skipIf(process.platform === 'win32')(
    'the rollout proposes the file once, updates an old copy, and continues after a failure',
    async () => {
      const { failed, changes } = await rollOut(['current', 'broken', 'declined', 'new', 'old'])
      expect(failed).toBe(true)
      const [sha, old] = ['2'.repeat(40), '1'.repeat(40)]
      const title = [
        '--title Add the docs agent',
        '--body Comment `/docs …` on an issue to ask for a docs change.',
      ]
      const put = (name: string) =>
        `api --method PUT repos/acme/${name}/contents/.github/workflows/docs-command.yml -f branch=docs-agent -f message=Add the docs agent -f content=…`
      expect(changes).toEqual([
        `api repos/acme/new/git/refs -f ref=refs/heads/docs-agent -f sha=${sha} --silent`,
        `${put('new')} --silent`,
        `pr create --repo acme/new --head docs-agent --base main ${title.join(' ')}`,
        `api --method PATCH repos/acme/old/git/refs/heads/docs-agent -f sha=${sha} -F force=true --silent`,
        `${put('old')} -f sha=${old} --silent`,
        `pr create --repo acme/old --head docs-agent --base main ${title.join(' ')}`,
      ])
    },
  )

  it.skipIf(process.platform === 'win32')(
    'the rollout stops at its limit, and leaves the rest to the next run',
    async () => {
      const { failed, changes } = await rollOut(['current', 'new-1', 'new-2', 'new-3'], '2')
      expect(failed).toBe(false)
      expect(changes.filter((line) => line.startsWith('pr create'))).toHaveLength(2)
    },
  )
})

describe('the reusable workflow for commands', () => {
  const comment = issueComment({ repository: 'acme/app' })
  const run = (serverUrl: string) =>
    runWorkflow('examples/command-reusable.yml', {
      event: comment,
      repository: 'acme/app',
      serverUrl,
      vars: { DOCS_PROJECT_ID: 'acme' },
      secrets: { DOCS_AGENT_API_KEY: sandboxKey },
      runAction: async () => ({}),
    })

  it.each(['https://github.com', 'https://acme.ghe.com'])(
    'the reusable workflow queues the commands of a thread on %s',
    async (server) => {
      const [job] = await run(server)
      expect(job).toMatchObject({ concurrency: { group: 'docs-7', queue: 'max' }, runsOn: 'ubuntu-slim' })
    },
  )

  it.each([
    ['', ['0', '0']],
    [`matrix-index: \${{ strategy.job-index }}`, ['0', '1']],
  ])('two calls from a matrix, with the line %j, run as the legs %j', async (line, expected) => {
    const file = join(workspace({}).folder, 'caller.yml')
    const caller = `on: push
jobs:
  docs:
    strategy: { matrix: { include: [{ package: client }, { package: server }] } }
    uses: OWNER/docs-agent-action/.github/workflows/docs-command.yml@v1
    with:
      project-id: acme
      prompt: Update \${{ matrix.package }}
      ${line}
    secrets: { api-key: '\${{ secrets.DOCS_AGENT_API_KEY }}' }
`
    writeFileSync(file, caller)
    const seen: unknown[] = []
    await runWorkflow(relative(projectDir, file), {
      event: { name: 'push', actor: 'mona', payload: {} },
      repository: 'acme/app',
      secrets: { DOCS_AGENT_API_KEY: sandboxKey },
      runAction: async ({ inputs }) => {
        seen.push(inputs['matrix-index'])
        return {}
      },
    })
    expect(seen).toEqual(expected)
  })

  it('the reusable workflow has no `queue` on Enterprise Server, where `queue` would make it invalid', async () => {
    const [job] = await run('https://github.acme.example')
    expect(job).toMatchObject({
      concurrency: expect.stringMatching(/^docs-\d+-acme$/),
      runsOn: 'self-hosted',
    })
  })
})

describe('the hourly budget', () => {
  it.each([
    [1, 8],
    [250, 8],
    [251, 10],
    [1500, 18],
  ])('the hourly budget counts a report of %i pages as %i requests', async (pages, requests) => {
    expect(requestsOf(pages)).toBe(requests)
    const platform = await platformFor({ visitors: siteOf(pages) })
    const inputs = {
      'project-id': 'sandbox-docs',
      'api-key': sandboxKey,
      'base-url': platform.url,
      mode: 'visitors',
    }
    const { outputs } = await runStep({ with: inputs })
    expect(outputs.complete).toBe('true')
    expect(platform.requests).toHaveLength(requests)
  })

  it.each([
    [5, 8, { perHour: 6, hours: 1 }],
    [50, 8, { perHour: 6, hours: 9 }],
    [500, 8, { perHour: 6, hours: 84 }],
    [500, 26, { perHour: 1, hours: 500 }],
    [5, 51, { perHour: 0, hours: Number.POSITIVE_INFINITY }],
  ])('the hourly budget spreads %i reports of %i requests', (projects, requests, expected) => {
    expect(spread(projects, requests)).toEqual(expected)
  })
})
