/** This project's workflows and the examples follow these rules. (A test runs each example with only its permissions.) */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectDir, readAction } from '../../sandbox/runner/action.ts'
import { pages } from '../../scripts/docs.ts'
import { isOutputOf } from '../../scripts/sub-actions.ts'
import { modes } from '../../src/core/outcome.ts'
import { parseDuration } from '../../src/core/units.ts'
import { faultsByGitHub, ownActionFolder } from '../github-parser.ts'

type Values = Record<string, unknown>

interface Step {
  id?: string
  uses?: string
  run?: string
  with?: Values
}

interface Job {
  'timeout-minutes'?: number | string
  permissions?: Record<string, string>
  steps?: Step[]
}

interface Workflow {
  on?: string | object
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

/** What is wrong with a workflow. `isOwn`: it is in .github/workflows. */
type Rule = (text: string, isOwn: boolean) => string[] | Promise<string[]>

const own = '.github/workflows'
const read = (path: string) => readFileSync(join(projectDir, path), 'utf8')
const contentOf = (text: string) => parse(text) as Workflow
const jobsOf = (text: string) =>
  Object.entries(contentOf(text).jobs).map(([name, { steps = [], ...job }]) => ({ name, steps, ...job }))

/** A rule about each step of this action, with its folder and inputs. */
const eachStep =
  (
    rule: (
      step: { folder: string; given: Values; id?: string },
      job: ReturnType<typeof jobsOf>[0],
    ) => string[],
  ) =>
  (text: string) =>
    jobsOf(text).flatMap((job) =>
      job.steps.flatMap(({ uses = '', with: given = {}, ...step }) => {
        const folder = ownActionFolder(uses)
        return folder === undefined ? [] : rule({ folder, given, ...step }, job)
      }),
    )

const stepOutput = /\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g

/** The outputs of other projects' actions that workflows here read, from their action.yml. */
const outputsOfOthers: Record<string, string[]> = {
  'actions/create-github-app-token': ['token', 'installation-id', 'app-slug'],
}

/** Whether a step sets an output: one of its mode, or one that its script writes. */
function hasOutput({ uses, run = '', with: given = {} }: Step, name: string) {
  // What a program writes cannot be read here.
  if (uses === undefined)
    return /\b(?:node|npm run) /.test(run) || new RegExp(`\\b${name}(?:=|<<).*GITHUB_OUTPUT`, 's').test(run)
  const folder = ownActionFolder(uses)
  if (folder === undefined) return outputsOfOthers[uses.replace(/@.*/, '')]?.includes(name) === true
  const mode = String(given.mode ?? readAction(folder).inputs.mode?.default)
  return modes.some((each) => each === mode && isOutputOf(each, name))
}

const signing = ['id-token', 'attestations', 'contents', 'packages']
/** The permissions that this action can use. */
const writable = ['issues', 'pull-requests', 'statuses']

const rules = {
  'passes GitHub’s own parser': (text) => faultsByGitHub(text, read),

  // GitHub's parser knows the outputs of jobs, but not those of steps.
  'reads only outputs that exist': (text) =>
    jobsOf(text).flatMap((job) => {
      const reads = JSON.stringify(job).matchAll(stepOutput)
      return [...reads].flatMap(([all, id, name = '']) => {
        const step = job.steps.find((each) => each.id === id)
        return step !== undefined && hasOutput(step, name) ? [] : [`there is no output ${all}`]
      })
    }),

  // Workflows that users copy name this project by its major version, because users pin it themselves, and their own
  // organization's workflow by its branch.
  'pins code from elsewhere by commit, with its version in a comment': (text, isOwn) =>
    [...text.matchAll(/^\s*(?:- )?uses:\s*(.*)$/gm)].flatMap(([, value = '']) => {
      const isCopied =
        !isOwn && /^(?:[\w-]+\/docs-agent-action[@/]\S*@?v\d+|acme\/platform\/\S+@main)( #.*)?$/.test(value)
      const isPinned = value.startsWith('./') || /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(value)
      return isCopied || isPinned ? [] : [`${value} is not pinned`]
    }),

  'declares its permissions one by one, our own for each job': (text, isOwn) => {
    const { permissions, on } = contentOf(text)
    const isCalled = typeof on === 'object' && Object.keys(on).join() === 'workflow_call'
    if (permissions === undefined) return isCalled ? [] : ['no permissions at the top']
    const all = [permissions, ...jobsOf(text).map((job) => job.permissions ?? {})]
    if (all.some((each) => typeof each === 'string')) return ['permissions without names']
    return isOwn && Object.keys(permissions).length > 0 ? ['permissions at the top'] : []
  },

  'gives this action no permission that it cannot use': (text) =>
    eachStep(({ folder, given }, job) => {
      const mode = given.mode ?? readAction(folder).inputs.mode?.default
      const ofReport = given['issue-number'] ? ['issues'] : []
      const useful = mode === 'visitors' ? ofReport : writable
      const granted = Object.entries(job.permissions ?? contentOf(text).permissions ?? {})
      return granted.flatMap(([name, level]) =>
        level === 'write' && !useful.includes(name) ? [`${name}: write`] : [],
      )
    })(text),

  // A package could take the token from the runner's processes, even if the step's environment does not contain it.
  'runs no package code with a token that can sign or change code': (text) =>
    jobsOf(text).flatMap(({ name, permissions = {}, steps }) => {
      const runs = steps.some(
        ({ run = '', uses = '' }) => /\b(?:npm|npx|node|yarn|pnpm)\b/.test(run) || uses.startsWith('./'),
      )
      return runs && signing.some((each) => permissions[each] === 'write')
        ? [`${name} runs code of packages`]
        : []
    }),

  // On a workflow, the action's own reply to a comment could cancel the run.
  'limits jobs, not whole workflows, with `concurrency`': (text, isOwn) =>
    isOwn || !('concurrency' in contentOf(text)) ? [] : ['concurrency at the top'],

  // A step that GitHub ends reports less.
  'gives each step less time than its job': eachStep(
    ({ folder, given }, { 'timeout-minutes': limit = 360 }) => {
      const timeout = String(given.timeout ?? readAction(folder).inputs.timeout?.default)
      if (typeof limit === 'string' || String(given.wait) === 'false' || timeout.includes('${{')) return []
      return (parseDuration(timeout) ?? Number.NaN) < limit * 60_000
        ? []
        : [`${timeout} is not below ${limit} minutes`]
    },
  ),
} satisfies Record<string, Rule>

const files = [own, 'examples'].flatMap((folder) =>
  readdirSync(join(projectDir, folder)).flatMap((name) =>
    name.endsWith('.yml') ? [`${folder}/${name}`] : [],
  ),
)

describe.each(Object.entries<Rule>(rules))('a workflow %s', (name, rule) => {
  it.each(files)(`the workflow %s ${name}`, async (path) => {
    expect(await rule(read(path), path.startsWith(own))).toEqual([])
  })
})

it.each(pages())('%s names only outputs of this action', (page) => {
  const names = [...read(page).matchAll(stepOutput)].map(([, , name = '']) => name)
  expect(names.filter((name) => !(name in readAction().outputs))).toEqual([])
})

const good = `name: Sample
on: push
permissions: { pull-requests: write }
jobs:
  docs:
    runs-on: ubuntu-slim
    steps:
      - uses: OWNER/docs-agent-action@v1
        id: docs
        with: { project-id: docs, api-key: x, prompt: Fix it. }
`
const signs = good.replace('runs-on', 'permissions: { id-token: write }\n    runs-on')
const calls = (more: string) => `name: Sample
on: push
permissions: {}
jobs:
  docs:
    uses: OWNER/docs-agent-action/.github/workflows/docs-visitors.yml@v1
    ${more}
`

it.each<[finds: string, rule: keyof typeof rules, text: string, isOwn?: boolean]>([
  ["Unexpected value 'nonsense'", 'passes GitHub’s own parser', `${good}    nonsense: true\n`],
  ["Unexpected symbol: '('", 'passes GitHub’s own parser', good.replace('Fix it.', `"\${{ github.x( }}"`)],
  ["Invalid action input 'promt'", 'passes GitHub’s own parser', good.replace('prompt', 'promt')],
  [
    'Missing required input `project-id`',
    'passes GitHub’s own parser',
    good.replace('project-id: docs, ', ''),
  ],
  [
    "Invalid action input 'prompt'",
    'passes GitHub’s own parser',
    good.replace('action@', 'action/visitors@'),
  ],
  ['Invalid input, label', 'passes GitHub’s own parser', calls('with: { project-id: x, label: x }')],
  ['Secret api-key is required', 'passes GitHub’s own parser', calls('with: { project-id: docs }')],
  ...['docs.outputs.pr-link', 'docs.outputs.waiting', 'doc.outputs.prLink'].map(
    (name): [string, keyof typeof rules, string] => [
      `there is no output steps.${name}`,
      'reads only outputs that exist',
      `${good}      - run: echo \${{ steps.${name} }}\n`,
    ],
  ),
  [
    'there is no output steps.plan.outputs.list',
    'reads only outputs that exist',
    `${good}      - { id: plan, run: echo lists=1 >>$GITHUB_OUTPUT }\n    outputs: { list: "\${{ steps.plan.outputs.list }}" }\n`,
  ],
  [
    'Context access might be invalid: x',
    'passes GitHub’s own parser',
    `${calls('')}  next: { needs: docs, runs-on: ubuntu-slim, if: needs.docs.outputs.x, steps: [{ run: echo }] }\n`,
  ],
  [
    'actions/checkout@v7 is',
    'pins code from elsewhere by commit, with its version in a comment',
    `${good}      - uses: actions/checkout@v7\n`,
  ],
  [
    'OWNER/docs-agent-action@v1 is',
    'pins code from elsewhere by commit, with its version in a comment',
    good,
    true,
  ],
  [
    'no permissions',
    'declares its permissions one by one, our own for each job',
    good.replace(/permissions.*\n/, ''),
  ],
  [
    'without names',
    'declares its permissions one by one, our own for each job',
    good.replace(/\{ pull.*\}/, 'write-all'),
  ],
  ['at the top', 'declares its permissions one by one, our own for each job', good, true],
  [
    'contents: write',
    'gives this action no permission that it cannot use',
    good.replace('pull-requests', 'contents'),
  ],
  [
    'pull-requests: write',
    'gives this action no permission that it cannot use',
    good.replace('action@', 'action/visitors@'),
  ],
  [
    'docs runs code',
    'runs no package code with a token that can sign or change code',
    `${signs}      - run: npx tsc\n`,
  ],
  ['at the top', 'limits jobs, not whole workflows, with `concurrency`', `${good}concurrency: docs\n`],
  [
    '60m is not below 15',
    'gives each step less time than its job',
    good.replace('runs-on', 'timeout-minutes: 15\n    runs-on'),
  ],
])('the rules for workflows find a fault: %s', async (finds, rule, text, isOwn = false) => {
  expect((await rules[rule](text, isOwn)).join('\n')).toContain(finds)
})
