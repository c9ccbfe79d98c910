/** Runs a workflow as GitHub would, with its jobs in order, its matrix, its called workflows, and GitHub's own expressions. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { projectDir } from '../sandbox/runner/action.ts'
import type { RawEvent } from '../src/core/trigger/event.ts'
import { evaluate, isMet, mapped, ownActionFolder, ownWorkflow } from './github-parser.ts'

type Values = Record<string, unknown>
type Texts = Record<string, string>

export interface WorkflowWorld {
  event: RawEvent
  repository: string
  /** `https://github.com` by default. */
  serverUrl?: string
  vars?: Texts
  secrets?: Texts
  /** Runs a step of this project with the permissions of its job, and returns the step's outputs. */
  runAction(step: { folder: string; inputs: Texts; permissions: Texts }): Promise<Texts>
  /** Whether the last step of this project failed. By default, none does. */
  hasFailed?(): boolean
  /** Runs a step's script, and returns the step's outputs. Scripts are skipped by default. */
  runScript?(script: string, env: Texts): Promise<Texts>
  /** What steps from other projects return for their inputs, by owner and name. Other steps return nothing. */
  others?: Readonly<Record<string, (inputs: Texts) => Texts>>
}

/** A job that ran, or one leg of its matrix. */
interface RanJob {
  concurrency: unknown
  runsOn: unknown
}

/** Runs a workflow file of this project. Throws if GitHub would reject the file or an expression. */
export async function runWorkflow(path: string, world: WorkflowWorld): Promise<RanJob[]> {
  const { event, repository, serverUrl = 'https://github.com', vars = {}, secrets = {} } = world
  const github = {
    event: event.payload,
    event_name: event.name,
    repository,
    repository_owner: repository.split('/')[0],
    server_url: serverUrl,
    ref: 'refs/heads/main',
    run_id: '1658821493',
    token: secrets.GITHUB_TOKEN ?? '',
  }
  const ran: RanJob[] = []
  const { inputs = {} } = event.payload as { inputs?: Values }
  // Copies, because the caller may change the originals for the next workflow.
  await runJobs(path, { github, vars: { ...vars }, secrets: { ...secrets }, inputs }, world, ran)
  return ran
}

interface Step {
  id?: string
  if?: unknown
  uses?: string
  run?: string
  with?: Values
  env?: Values
}

interface Job {
  if?: unknown
  uses?: string
  needs?: string | string[]
  permissions?: Texts
  strategy?: { matrix: unknown }
  concurrency?: unknown
  'runs-on'?: unknown
  steps?: Step[]
  outputs?: Values
  with?: Values
  secrets?: Values
}

interface Workflow {
  on: { workflow_call?: { inputs?: Record<string, { default?: unknown }>; outputs?: Record<string, Values> } }
  permissions?: Texts
  jobs: Record<string, Job>
}

const read = new Map<string, Workflow>()

/** Reads a workflow file, only once. */
function readWorkflow(path: string): Workflow {
  const workflow: Workflow = read.get(path) ?? parse(readFileSync(join(projectDir, path), 'utf8'))
  read.set(path, workflow)
  return workflow
}

/** Runs a workflow's jobs, and returns the workflow's outputs. */
async function runJobs(
  path: string,
  contexts: Values,
  world: WorkflowWorld,
  ran: RanJob[],
  callers: Texts = {},
): Promise<Values> {
  const workflow = readWorkflow(path)
  const call = workflow.on.workflow_call
  const defaults = mapped(call?.inputs, (input) => evaluate(input.default, contexts) ?? '')
  const inputs = { ...defaults, ...(contexts.inputs as Values) }
  const results: Record<string, { result: string; outputs: Values }> = {}
  for (const [id, job] of Object.entries(workflow.jobs)) {
    const permissions = job.permissions ?? workflow.permissions ?? callers
    const needs = [job.needs ?? []].flat()
    const known = {
      ...contexts,
      inputs,
      needs: Object.fromEntries(needs.map((name) => [name, results[name]])),
    }
    const runs = needs.every((name) => results[name]?.result === 'success')
    if (!runs || !isMet(job.if, known)) {
      results[id] = { result: 'skipped', outputs: {} }
      continue
    }
    const outputs: Values = {}
    for (const [index, matrix] of legsOf(job, known).entries()) {
      const leg = { ...known, matrix, strategy: { 'job-index': index } }
      Object.assign(outputs, await runJob(job, permissions, leg, world, ran))
    }
    results[id] = { result: 'success', outputs }
  }
  return mapped(call?.outputs, ({ value }) => evaluate(value, { ...contexts, inputs, jobs: results }))
}

/** The legs of a matrix, which must list them under `include`; one leg if there is no matrix. */
function legsOf({ strategy }: Job, contexts: Values): Values[] {
  if (strategy === undefined) return [{}]
  const { include } = evaluate(strategy.matrix, contexts) as { include?: Values[] }
  if (include === undefined) throw new Error('Only a matrix with `include` can be run here.')
  return include
}

async function runJob(
  job: Job,
  permissions: Texts,
  contexts: Values,
  world: WorkflowWorld,
  ran: RanJob[],
): Promise<Values> {
  if (job.uses !== undefined) {
    const called = ownWorkflow(job.uses)
    if (called === undefined) throw new Error(`${job.uses} is not a workflow of this project.`)
    const { github, vars } = contexts
    const given = evaluate({ inputs: job.with ?? {}, secrets: job.secrets ?? {} }, contexts) as Values
    return runJobs(called, { github, vars, ...given }, world, ran, permissions)
  }
  ran.push(evaluate({ concurrency: job.concurrency, runsOn: job['runs-on'] }, contexts) as RanJob)
  const steps: Record<string, { outputs: Texts }> = {}
  const known = () => ({ ...contexts, steps: { ...steps } })
  let hasFailed = false
  for (const step of job.steps ?? []) {
    const here = known()
    if (!isMet(step.if, here, hasFailed)) continue
    const outputs = await runStep(step, here, permissions, world)
    hasFailed ||= world.hasFailed?.() === true
    if (step.id !== undefined) steps[step.id] = { outputs }
  }
  return evaluate(job.outputs ?? {}, known()) as Values
}

async function runStep(
  step: Step,
  contexts: Values,
  permissions: Texts,
  world: WorkflowWorld,
): Promise<Texts> {
  const { uses, run = '', env } = step
  if (uses === undefined) {
    const { script = '' } = texts({ script: run }, contexts)
    return (await world.runScript?.(script, texts(env, contexts))) ?? {}
  }
  const folder = ownActionFolder(uses)
  const inputs = texts(step.with, contexts)
  if (folder !== undefined) return world.runAction({ folder, inputs, permissions })
  return world.others?.[uses.replace(/@.*/, '')]?.(inputs) ?? {}
}

function texts(values: Values | undefined, contexts: Values): Texts {
  return mapped(values, (value) => String(evaluate(value, contexts) ?? ''))
}
