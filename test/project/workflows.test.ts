/** This project's workflows, the examples and those in documents follow the rules, and the rules find what they should. */
import { describe, expect, it } from 'vitest'
import {
  allWorkflows,
  declaresPermissions,
  givesUpBeforeItsJob,
  grantsWhatIsNeeded,
  keepsTokensFromPackages,
  passesGitHub,
  pinsByCommit,
  type Rule,
  readsOutputsThatExist,
  rules,
  workflowsIn,
} from './workflow-rules.ts'

const workflows = allWorkflows()

it('workflows in files and documents are found', () => {
  const names = workflows.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['.github/workflows/ci.yml', 'examples/push.yml', 'README.md, workflow 1']),
  )
})

describe.each(Object.keys(rules))('every workflow %s', (rule) => {
  it.each(workflows)(`$name ${rule}`, async (workflow) => {
    expect(await rules[rule]?.(workflow)).toEqual([])
  })
})

interface Sample {
  on?: string
  permissions?: string
  jobPermissions?: string
  uses?: string
  with?: Record<string, string>
  rest?: string
}

const account = { 'project-id': 'docs', 'api-key': 'x' }

/** A workflow with one step of this action, which follows every rule. */
function sample({
  on = 'workflow_dispatch',
  permissions = '{ pull-requests: write }',
  jobPermissions,
  uses,
  rest = '',
  ...step
}: Sample = {}): string {
  const given = step.with ?? { ...account, prompt: 'Fix it.' }
  return `name: Sample
on: ${on}
permissions: ${permissions}
jobs:
  docs:
    runs-on: ubuntu-slim
${jobPermissions === undefined ? '' : `    permissions: ${jobPermissions}\n`}    steps:
      - uses: ${uses ?? 'OWNER/docs-agent-action@v1'}
        id: docs
        with: ${JSON.stringify(given)}
${rest}`
}

/** A workflow with one job that calls a workflow of this project. */
function caller(job: string, permissions = '{}'): string {
  return `name: Sample
on: push
permissions: ${permissions}
jobs:
  docs:
${job.replace(/^/gm, '    ')}
`
}

const faultsOf = (rule: Rule, text: string, name = 'examples/sample.yml') => rule({ name, text })
const both = '{ issues: write, pull-requests: write }'
const forCommand = '{ contents: read, issues: write, pull-requests: write }'
const everything = '{ contents: read, issues: write, pull-requests: write, statuses: write }'
const command = { ...account, command: '/docs' }
const sinceLast = { ...account, prompt: 'x', 'context-diff': 'since-last' }
const issue = { ...account, mode: 'visitors', 'issue-number': '7' }
const readOutput = (name: string) => `      - run: echo "$IT"
        env:
          IT: \${{ steps.docs.outputs.${name} }}
`
const callCommand = `uses: OWNER/docs-agent-action/.github/workflows/docs-command.yml@v1
with: { project-id: docs }
secrets: { api-key: x }`
const callVisitors = (line: string) => `uses: OWNER/docs-agent-action/.github/workflows/docs-visitors.yml@v1
${line}`

describe('a correct workflow', () => {
  it.each([
    ['with a prompt', sample()],
    ['with an output', sample({ rest: readOutput('prLink') })],
    ['with a command', sample({ permissions: both, with: command })],
    ['with a command and job-level permissions', sample({ jobPermissions: both, with: command })],
    [
      'on a schedule with everything new',
      sample({
        on: '{ schedule: [{ cron: "17 5 * * *" }] }',
        permissions: '{ contents: read, pull-requests: write, statuses: write }',
        with: sinceLast,
      }),
    ],
    [
      'on a push',
      sample({ on: 'push', permissions: '{ contents: read, pull-requests: write, statuses: write }' }),
    ],
    [
      'on a push without a token',
      sample({ on: 'push', permissions: '{}', with: { ...account, prompt: 'x', 'github-token': '' } }),
    ],
    [
      'on a schedule with a record',
      sample({
        on: '{ schedule: [{ cron: "17 5 * * *" }] }',
        permissions: '{ pull-requests: write, statuses: write }',
      }),
    ],
    ['that settles', sample({ permissions: everything, with: { ...account, mode: 'settle' } })],
    [
      'with a queue and a time zone',
      sample({ on: '{ schedule: [{ cron: "17 5 * * *", timezone: Europe/Berlin }] }' }).replace(
        'jobs:',
        'concurrency: { group: docs, queue: max }\njobs:',
      ),
    ],
    ['with a report in an issue', sample({ permissions: '{ issues: write }', with: issue })],
    ['that calls this project’s workflow', caller(callCommand, forCommand)],
  ])('a workflow %s follows every rule', async (_, text) => {
    const faults = await Promise.all(Object.values(rules).map((rule) => faultsOf(rule, text)))
    expect(faults.flat()).toEqual([])
  })
})

describe('GitHub’s parser rejects', () => {
  const withKey = 'secrets: { api-key: x }'
  it.each([
    ['an unknown key', `${sample()}    nonsense: true\n`, "Unexpected value 'nonsense'"],
    [
      'an unknown value of queue',
      `${sample()}concurrency: { group: docs, queue: all }\n`,
      "Unexpected value 'all'",
    ],
    [
      'a malformed expression',
      sample({ with: { ...account, prompt: `\${{ github.nothing( }}` } }),
      "Unexpected symbol: '('",
    ],
    [
      'an output of a step that does not exist',
      `${sample()}      - run: echo \${{ steps.other.outputs.x }}\n`,
      'other',
    ],
    ['a workflow without jobs', 'name: Sample\non: push\n', 'jobs'],
    ['an unknown input', sample({ with: { ...account, promt: 'x' } }), "Invalid action input 'promt'"],
    ['a missing input', sample({ with: { 'api-key': 'x' } }), 'Missing required input `project-id`'],
    [
      'an input of another mode',
      sample({ uses: 'OWNER/docs-agent-action/visitors@v1', with: { ...account, prompt: 'x' } }),
      "Invalid action input 'prompt'",
    ],
    ['a missing input of a local action', sample({ uses: './', with: { prompt: 'x' } }), 'project-id'],
    [
      'an unknown input of a called workflow',
      caller(callVisitors(`with: { project-id: docs, label: x }\n${withKey}`)),
      'Invalid input, label is not defined',
    ],
    [
      'a missing input of a called workflow',
      caller(callVisitors(`with: { site-url: x }\n${withKey}`)),
      'Input project-id is required',
    ],
    [
      'a missing secret of a called workflow',
      caller(callVisitors('with: { project-id: docs }')),
      'Secret api-key is required',
    ],
    [
      'an unknown secret of a called workflow',
      caller(callVisitors('with: { project-id: docs }\nsecrets: { api-key: x, key: x }')),
      'Invalid secret, key is not defined',
    ],
  ])('GitHub’s parser rejects %s', async (_, text, word) => {
    expect((await faultsOf(passesGitHub, text)).join('\n')).toContain(word)
  })
})

describe('a misspelled output is found', () => {
  it('a misspelled output is found in a step', () => {
    const text = sample({ rest: readOutput('pr-link') })
    expect(faultsOf(readsOutputsThatExist, text)).toEqual(['there is no output pr-link'])
  })

  it('a misspelled output is found in a called workflow', () => {
    const then = '  next:\n    needs: docs\n    runs-on: ubuntu-latest\n    steps:\n'
    const step = (name: string) => `      - run: echo "\${{ needs.docs.outputs.${name} }}"\n`
    const text = caller(callCommand, both) + then + step('prLink') + step('pr-link')
    expect(faultsOf(readsOutputsThatExist, text)).toEqual(['there is no output pr-link'])
  })
})

describe('code from elsewhere', () => {
  const commit = '3d3c42e5aac5ba805825da76410c181273ba90b1'
  it.each([
    `actions/checkout@v7`,
    `actions/checkout@${commit}`,
    `actions/checkout@${commit.slice(0, 7)} # v7.0.1`,
    `actions/checkout@${commit} # v7`,
    `other/workflows/.github/workflows/x.yml@main`,
  ])('a `uses` without a full commit and a full version is found: %s', (uses) => {
    expect(faultsOf(pinsByCommit, sample({ uses }))).toHaveLength(1)
  })

  it('a `uses` with a full commit and a full version is accepted', () => {
    expect(faultsOf(pinsByCommit, sample({ uses: `actions/checkout@${commit} # v7.0.1` }))).toEqual([])
  })

  it.each(['', '/visitors', '/.github/workflows/docs-visitors.yml'])(
    'OWNER/docs-agent-action%s must be pinned, except in workflows that users copy',
    (path) => {
      const ours = sample({ uses: `OWNER/docs-agent-action${path}@v1` })
      expect(faultsOf(pinsByCommit, ours, '.github/workflows/sample.yml')).toHaveLength(1)
      expect(faultsOf(pinsByCommit, ours)).toEqual([])
    },
  )
})

describe('permissions', () => {
  it('permissions must be declared', () => {
    const text = sample({ permissions: '{}' }).replace('permissions: {}\n', '')
    expect(faultsOf(declaresPermissions, text)).toEqual(['no permissions at the top'])
  })

  it.each(['read-all', 'write-all'])('permissions must not be %s', (permissions) => {
    expect(faultsOf(declaresPermissions, sample({ permissions }))).toHaveLength(1)
    expect(faultsOf(grantsWhatIsNeeded, sample({ permissions }))).toHaveLength(1)
  })

  it("permissions in this project's own workflows are set for each job", () => {
    const text = sample({ permissions: '{ contents: read }' })
    expect(faultsOf(declaresPermissions, text, '.github/workflows/sample.yml')).toHaveLength(1)
    expect(faultsOf(declaresPermissions, text)).toEqual([])
  })

  it.each([
    [
      'a command without permissions',
      sample({ permissions: '{}', with: command }),
      ['lacks issues: write', 'lacks pull-requests: write'],
    ],
    [
      'a command with one of two permissions',
      sample({ permissions: '{ issues: write }', with: command }),
      ['lacks pull-requests: write'],
    ],
    [
      'a command whose job drops the permissions',
      sample({ permissions: both, jobPermissions: '{}', with: command }),
      ['lacks issues: write', 'lacks pull-requests: write'],
    ],
    ['a prompt', sample({ permissions: '{}' }), ['lacks pull-requests: write']],
    ['everything new', sample({ with: sinceLast }), ['lacks contents: read', 'lacks statuses: write']],
    [
      'a diff',
      sample({ on: 'push', permissions: '{ pull-requests: write, statuses: write }' }),
      ['lacks contents: read'],
    ],
    [
      'a job to wait for',
      sample({ permissions: '{}', with: { ...account, 'job-id': 'x' } }),
      ['lacks pull-requests: read'],
    ],
    ['issue-number', sample({ permissions: '{}', with: issue }), ['lacks issues: write']],
    [
      'the event push',
      sample({ on: '{ push: { branches: [main] } }' }),
      ['lacks contents: read', 'lacks statuses: write'],
    ],
    [
      'the events schedule and pull_request',
      sample({ on: '[schedule, pull_request]' }),
      ['lacks contents: read', 'lacks statuses: write'],
    ],
    [
      'mode settle',
      sample({ permissions: both, with: { ...account, mode: 'settle' } }),
      ['lacks contents: read', 'lacks statuses: write'],
    ],
    [
      'a called workflow',
      caller(callCommand),
      ['lacks contents: read', 'lacks pull-requests: write', 'lacks issues: write'],
    ],
    [
      'a called workflow that posts',
      caller(callVisitors('with: { project-id: docs, issue-number: 7 }')),
      ['lacks issues: write'],
    ],
    [
      'a called workflow that reads files',
      caller(callCommand.replace('docs }', 'docs, prompt-file: x.md }'), both).replace(
        'on: push',
        'on: issue_comment',
      ),
      ['lacks contents: read'],
    ],
    [
      'the action that settles',
      sample({ uses: 'OWNER/docs-agent-action/settle@v1', permissions: both, with: account }),
      ['lacks contents: read', 'lacks statuses: write'],
    ],
    ['a checkout', sample({ permissions: '{}', uses: 'actions/checkout@v7' }), ['lacks contents: read']],
  ])('missing permissions are found for %s', (_, text, faults) => {
    expect(faultsOf(grantsWhatIsNeeded, text)).toEqual(faults.map((fault) => `docs: ${fault}`))
  })

  it.each([
    [
      'a step with only a command',
      sample({
        on: 'issue_comment',
        permissions: '{ contents: read, issues: write, pull-requests: write, statuses: write }',
        with: command,
      }),
      'statuses',
    ],
    [
      'a command that writes contents',
      sample({ permissions: '{ contents: write, issues: write, pull-requests: write }', with: command }),
      'contents',
    ],
    [
      'the visitors report',
      sample({ permissions: '{ issues: write }', with: { ...account, mode: 'visitors' } }),
      'issues',
    ],
    ['a called workflow', caller(callVisitors('with: { project-id: docs }'), '{ issues: write }'), 'issues'],
  ])('a needless write permission is found for %s', (_, text, name) => {
    expect(faultsOf(grantsWhatIsNeeded, text)).toEqual([`docs: has ${name}: write without a need`])
  })
})

it('a step that can outlast its job is found', () => {
  const inJob = (minutes: number, timeout?: string) =>
    sample({ with: { ...account, prompt: 'x', ...(timeout && { timeout }) } }).replace(
      '    runs-on',
      `    timeout-minutes: ${minutes}\n    runs-on`,
    )
  expect(faultsOf(givesUpBeforeItsJob, inJob(15))).toEqual(['docs: timeout 60m is not below 15 minutes'])
  expect(faultsOf(givesUpBeforeItsJob, inJob(15, '15m'))).toHaveLength(1)
  expect(faultsOf(givesUpBeforeItsJob, inJob(15, '12m'))).toEqual([])
  expect(faultsOf(givesUpBeforeItsJob, inJob(90))).toEqual([])
})

it.each(['npm ci', 'npx tsc', 'node scripts/build.ts'])('a job that can sign must not run %s', (command) => {
  const text = (permissions: string) =>
    sample({
      jobPermissions: permissions,
      rest: `      - run: |\n          unset TOKEN\n          ${command}\n`,
    })
  expect(faultsOf(keepsTokensFromPackages, text('{ id-token: write }'))).toEqual([
    'docs: runs code of packages with id-token: write',
  ])
  expect(faultsOf(keepsTokensFromPackages, text('{ contents: read }'))).toEqual([])
})

it('only the complete workflows of a document are checked', () => {
  const document = `\`\`\`yaml\n      - uses: ./\n\`\`\`\n\n\`\`\`yaml\n${sample()}\`\`\`\n`
  expect(workflowsIn('x.md', document)).toEqual([{ name: 'x.md, workflow 1', text: sample() }])
})
