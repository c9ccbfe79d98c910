/**
 * The rules for a workflow: valid for GitHub's own parser, only existing inputs and outputs, pinned actions, minimal
 * permissions. A rule takes a workflow and returns what is wrong with it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { projectDir, readAction } from '../../sandbox/runner/action.ts'
import { parseDuration } from '../../src/core/units.ts'
import { faultsByGitHub, ownActionFolder, ownWorkflow } from '../github-parser.ts'

export interface Workflow {
  /** The file's path; for a code block, also its number among the page's workflows. */
  name: string
  text: string
}

export type Rule = (workflow: Workflow) => string[] | Promise<string[]>

type Grants = Record<string, string>
type Values = Record<string, unknown>

interface Step {
  id?: string
  uses?: string
  run?: string
  with?: Values
  env?: Values
}

interface Job {
  uses?: string
  'timeout-minutes'?: number | string
  with?: Values
  secrets?: Values | 'inherit'
  permissions?: Grants | string
  steps?: Step[]
}

interface Content {
  on?: string | string[] | { workflow_call?: { inputs?: Declared; outputs?: Values } | null }
  permissions?: Grants | string
  jobs: Record<string, Job>
}

type Declared = Record<string, { default?: unknown }>

const workflowFolder = '.github/workflows'

const read = (path: string) => readFileSync(join(projectDir, path), 'utf8')
const contentOf = ({ text }: Workflow) => parse(text) as Content
const jobsOf = (workflow: Workflow) => Object.entries(contentOf(workflow).jobs)
const isOwn = ({ uses = '' }: Step) => ownActionFolder(uses) !== undefined

/** All workflows: files, and complete ones in the code blocks of documents. */
export function allWorkflows(): Workflow[] {
  const inFolder = (folder: string, ending: string) =>
    readdirSync(join(projectDir, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`))
  const files = [workflowFolder, 'examples'].flatMap((folder) => inFolder(folder, '.yml'))
  const documents = ['.', 'docs'].flatMap((folder) => inFolder(folder, '.md'))
  return [
    ...files.map((name) => ({ name, text: read(name) })),
    ...documents.flatMap((name) => workflowsIn(name, read(name))),
  ]
}

/** The complete workflows in a document's YAML code blocks. */
export function workflowsIn(name: string, document: string): Workflow[] {
  const blocks = [...document.matchAll(/^```ya?ml\n(.*?)^```$/gms)].map(([, text = '']) => text)
  return blocks
    .filter((text) => /^jobs:/m.test(text))
    .map((text, index) => ({ name: `${name}, workflow ${index + 1}`, text }))
}

/** What GitHub's editor extension reports: keys, expressions, contexts, and this project's inputs and secrets. */
export const passesGitHub: Rule = ({ text }) => faultsByGitHub(text, read)

/** Expressions only read outputs that exist in this project's actions and workflows. */
export const readsOutputsThatExist: Rule = (workflow) =>
  jobsOf(workflow).flatMap(([name, job]) => {
    const text = JSON.stringify(job.steps ?? [])
    const called = calledBy(job)
    return [
      ...(job.steps ?? []).flatMap(({ uses = '', id }) => {
        const folder = ownActionFolder(uses)
        return folder === undefined ? [] : unknown(readOutputs(text, 'steps', id), readAction(folder).outputs)
      }),
      ...(called === undefined
        ? []
        : unknown(readOutputs(workflow.text, 'needs', name), callOf(contentOf(called)).outputs ?? {})),
    ]
  })

function callOf({ on }: Pick<Content, 'on'>): { inputs?: Declared; outputs?: Values } {
  return (typeof on === 'object' && 'workflow_call' in on ? on.workflow_call : undefined) ?? {}
}

function calledBy({ uses = '' }: Job): Workflow | undefined {
  const path = ownWorkflow(uses)
  return path === undefined ? undefined : { name: path, text: read(path) }
}

function unknown(given: Values, known: object): string[] {
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `there is no output ${name}`)
}

/** The outputs that expressions read from a step or job. */
function readOutputs(text: string, of: 'steps' | 'needs', id = ''): Values {
  const names = [...text.matchAll(/\b(steps|needs)\.([\w-]+)\.outputs\.([\w-]+)/g)]
    .filter(([, kind, whose]) => kind === of && whose === id)
    .map(([, , , name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, '']))
}

/**
 * Code from elsewhere is pinned by full commit, with its version in a comment, to satisfy policies that also check
 * called workflows. Only workflows that users copy name this project by its major version, because users pin it
 * themselves, and their own organization's workflow by its branch.
 */
export const pinsByCommit: Rule = ({ name, text }) =>
  [...text.matchAll(/^\s*(?:- )?uses:\s*(.*)$/gm)]
    .map(([, value = '']) => value)
    .filter((value) => !value.startsWith('./'))
    .filter(
      (value) =>
        name.startsWith(workflowFolder) ||
        !/^(?:[\w-]+\/docs-agent-action[@/]\S*@?v\d+|acme\/platform\/\S+@main)( #.*)?$/.test(value),
    )
    .filter((value) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(value))
    .map((value) => `${value} is not pinned as OWNER/NAME@COMMIT # vX.Y.Z`)

/** Without `permissions`, a token gets the permissions from the repository's settings or, in a called workflow, from the caller. */
export const declaresPermissions: Rule = (workflow) => {
  const { permissions, on } = contentOf(workflow)
  if (eventsOf(on).join() === 'workflow_call' && permissions === undefined) return []
  if (permissions === undefined) return ['no permissions at the top']
  if (typeof permissions === 'string') return [`permissions: ${permissions}; name them one by one`]
  return workflow.name.startsWith(workflowFolder) && Object.keys(permissions).length > 0
    ? ['our own workflows give permissions to jobs, not at the top']
    : []
}

/** For each permission, the lowest level that is enough and the highest that is allowed. */
type Needs = Record<string, { least: 'read' | 'write' | 'none'; most: 'read' | 'write' }>

/** Each job has the permissions that its steps need, and no other write permissions. */
export const grantsWhatIsNeeded: Rule = (workflow) => {
  const { permissions: top, on } = contentOf(workflow)
  const events = eventsOf(on)
  return jobsOf(workflow).flatMap(([name, job]) => {
    const granted = job.permissions ?? top
    // The job that calls this one is checked instead.
    if (granted === undefined && events.join() === 'workflow_call') return []
    if (typeof granted === 'string') return [`${name}: permissions: ${granted}; name them one by one`]
    return compare(granted ?? {}, needsOf(job, events)).map((fault) => `${name}: ${fault}`)
  })
}

function eventsOf(on: Content['on']): string[] {
  if (typeof on === 'string') return [on]
  return Array.isArray(on) ? on : Object.keys(on ?? {})
}

const ranks = ['none', 'read', 'write']
const rank = (level: string | undefined) => ranks.indexOf(level ?? 'none')

function compare(granted: Grants, needs: Needs): string[] {
  const lacking = Object.entries(needs).filter(([name, { least }]) => rank(granted[name]) < rank(least))
  // Reading does little harm, and checkout needs it in a private repository.
  const needless = Object.entries(granted).filter(
    ([name, level]) => level === 'write' && needs[name]?.most !== 'write',
  )
  return [
    ...lacking.map(([name, { least }]) => `lacks ${name}: ${least}`),
    ...needless.map(([name]) => `has ${name}: write without a need`),
  ]
}

function needsOf(job: Job, events: readonly string[]): Needs {
  const called = calledBy(job)
  if (called !== undefined) return needsOfCalled(called, job.with ?? {}, events)
  return Object.assign(
    {},
    ...(job.steps ?? []).map((step) => (isOwn(step) ? needsOfAction(step, events) : needsOfOther(step))),
  )
}

/** A called workflow has its caller's permissions, so the caller needs what the called steps need with these inputs. */
function needsOfCalled(workflow: Workflow, given: Values, events: readonly string[]): Needs {
  const content = contentOf(workflow)
  const declared = Object.entries(callOf(content).inputs ?? {})
  const inputs = Object.fromEntries(
    declared.map(([name, { default: value = '' }]) => [name, given[name] ?? value]),
  )
  const jobs = Object.values(content.jobs)
  const steps = jobs.flatMap((job) => job.steps ?? [])
  return Object.assign(
    {},
    ...jobs.map((job) => {
      const inner = calledBy(job)
      return inner === undefined ? {} : needsOfCalled(inner, job.with ?? {}, events)
    }),
    ...steps.filter(isOwn).map((step) => needsOfAction({ ...step, with: inputs }, events)),
    ...(['prompt-file', 'context-files'].some((name) => inputs[name]) ? [{ contents: readOnly }] : []),
  )
}

const write = { least: 'write', most: 'write' } as const
const readOnly = { least: 'read', most: 'read' } as const
const readOrWrite = { least: 'read', most: 'write' } as const

function needsOfAction({ uses = '', with: own = {} }: Step, events: readonly string[]): Needs {
  const mode = readAction(ownActionFolder(uses)).inputs.mode?.default
  const given: Values = { mode, ...own }
  // A personal token has its own permissions.
  if ('github-token' in given) return {}
  const isOn = (name: string) => !['', 'false', 'undefined'].includes(String(given[name]))
  if (given.mode === 'settle')
    return { contents: readOnly, issues: write, 'pull-requests': write, statuses: write }
  return {
    // For the status that shows the check on the agent's pull request.
    ...(isOn('allowed-paths') && { statuses: { least: 'none', most: 'write' } as const }),
    ...(isOn('open-limit') && { 'pull-requests': readOrWrite }),
    ...(given.mode !== 'visitors' && needsOfDiff(given, events)),
    ...(given.mode !== 'visitors' && !isOn('label') && needsOfMark(given, events)),
    ...(given['context-diff'] === 'since-last' && { statuses: write }),
    ...(given.mode !== 'visitors' &&
      (isOn('command') || isOn('label')) && { issues: write, 'pull-requests': write }),
    ...(isOn('hold') && given.hold !== 'none' && { statuses: write, 'pull-requests': write }),
    ...(isOn('issue-number') && { issues: write }),
  }
}

/** Events whose jobs are recorded on a commit. Without that record, nothing is sent. */
const changes = ['push', 'pull_request', 'workflow_run']
/** Events with a command, which is recorded in a comment. */
const comments = ['issue_comment', 'pull_request_review_comment', 'pull_request_review']

/** The diff of a change or of everything new is read from GitHub. A release's text is in the event. */
function needsOfDiff(
  { prompt, 'prompt-file': file, command, label, 'context-diff': diff }: Values,
  events: readonly string[],
): Needs {
  const isSinceLast = diff === 'since-last'
  const hasChange = events.some((event) => changes.includes(event) || comments.includes(event))
  const isRead =
    (prompt || file || command || label) && String(diff) !== 'false' && (hasChange || isSinceLast)
  return isRead ? { contents: readOnly, 'pull-requests': readOrWrite } : {}
}

function needsOfMark(
  { prompt, 'prompt-file': file, 'job-id': jobId }: Values,
  events: readonly string[],
): Needs {
  // A step that waits lists the files of the agent's pull request.
  if (jobId && !prompt && !file) return { 'pull-requests': readOnly }
  // Any other step without a prompt only reacts to comments.
  if (!prompt && !file) return {}
  // The step lists the files of the agent's pull request, and comments on it, so that commands there go to its job.
  const pulls = { 'pull-requests': write }
  if (events.some((event) => changes.includes(event))) return { statuses: write, ...pulls }
  const isOther = events.some((event) => !comments.includes(event))
  return isOther ? { statuses: { least: 'none', most: 'write' }, ...pulls } : {}
}

/** What scripts and other projects' actions need. */
function needsOfOther({ uses = '', run = '', env = {} }: Step): Needs {
  if (uses.startsWith('actions/checkout@')) return { contents: readOnly }
  if (uses.startsWith('actions/stale@')) return { issues: write, 'pull-requests': write }
  if (uses.startsWith('github/codeql-action/')) return { 'security-events': write }
  if (uses.startsWith('ossf/scorecard-action@')) return { 'id-token': write }
  if (uses.startsWith('actions/attest-build-provenance@')) return { attestations: write, 'id-token': write }
  // Another token has its own permissions.
  const isWriting =
    String(env.GH_TOKEN).includes('github.token') && /\bgh (?:release create|api --method)/.test(run)
  return isWriting ? { contents: write } : {}
}

const signing = ['id-token', 'attestations', 'contents', 'packages']

/**
 * A job whose token can sign or change the code runs no code from packages: a package could take the token from the
 * runner's processes, even if the step's environment does not contain it.
 */
export const keepsTokensFromPackages: Rule = (workflow) =>
  jobsOf(workflow).flatMap(([name, { permissions = {}, steps = [] }]) => {
    const grants = typeof permissions === 'string' ? {} : permissions
    const token = signing.find((each) => grants[each] === 'write')
    const runs = steps.some(
      ({ run = '', uses = '' }) => /\b(?:npm|npx|node|yarn|pnpm)\b/.test(run) || uses.startsWith('./'),
    )
    return token !== undefined && runs ? [`${name}: runs code of packages with ${token}: write`] : []
  })

/** A step's timeout is shorter than that of its GitHub job, because a step that GitHub ends reports less. */
export const givesUpBeforeItsJob: Rule = (workflow) =>
  jobsOf(workflow).flatMap(([name, { steps = [], 'timeout-minutes': limit = 360 }]) =>
    steps.flatMap(({ uses = '', with: given = {} }) => {
      const folder = ownActionFolder(uses)
      if (folder === undefined || typeof limit === 'string' || String(given.wait) === 'false') return []
      const timeout = String(given.timeout ?? readAction(folder).inputs.timeout?.default)
      const ms = timeout.includes('${{') ? 0 : (parseDuration(timeout) ?? Number.NaN)
      return ms < limit * 60_000 ? [] : [`${name}: timeout ${timeout} is not below ${limit} minutes`]
    }),
  )

export const rules: Record<string, Rule> = {
  'gives each step less time than its job': givesUpBeforeItsJob,
  'passes GitHub’s own parser': passesGitHub,
  'reads only outputs that exist': readsOutputsThatExist,
  'pins code by commit': pinsByCommit,
  'declares its permissions': declaresPermissions,
  'has the permissions that it needs, and no other write permissions': grantsWhatIsNeeded,
  'runs no package code with a token that can sign or change code': keepsTokensFromPackages,
}
