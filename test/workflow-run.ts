/** Runs a workflow as GitHub would, with its jobs in order, its matrix, its called workflows, and GitHub's own expressions. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from '../sandbox/runner/action.ts'
import type { WorkflowEvent } from '../src/core/trigger/event.ts'
import {
  childOf,
  entriesOf,
  evaluate,
  isMet,
  itemsOf,
  ownActionFolder,
  ownWorkflow,
  parsedWorkflow,
  type TemplateToken,
} from './github-parser.ts'

type Values = Record<string, unknown>
type Texts = Record<string, string>

export interface WorkflowWorld {
  event: WorkflowEvent
  repository: string
  /** `https://github.com` by default. */
  serverUrl?: string
  vars?: Texts
  secrets?: Texts
  /** Runs a step of this project with the permissions of its job, and returns the step's outputs. */
  runAction(step: { folder: string; inputs: Texts; permissions: Texts }): Promise<Texts>
  /** Runs a step's script, and returns the step's outputs. Scripts are skipped by default. */
  runScript?(script: string, env: Texts): Promise<Texts>
  /** What steps from other projects return for their inputs, by owner and name. Other steps return nothing. */
  others?: Readonly<Record<string, (inputs: Texts) => Texts>>
}

/** A job that ran, or one leg of its matrix. */
export interface RanJob {
  name: string
  concurrency: unknown
  runsOn: unknown
  /** The `uses` of its steps without versions; `run` for scripts. */
  steps: string[]
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

/** Runs a workflow's jobs, and returns the workflow's outputs. */
async function runJobs(
  path: string,
  contexts: Values,
  world: WorkflowWorld,
  ran: RanJob[],
  callers: Texts = {},
): Promise<Values> {
  const root = parsedWorkflow(path, readFileSync(join(projectDir, path), 'utf8'))
  const call = childOf(childOf(root, 'on'), 'workflow_call')
  const defaults = entriesOf(childOf(call, 'inputs')).map(([name, input]) => [
    name,
    evaluate(childOf(input, 'default'), contexts) ?? '',
  ])
  const inputs = { ...Object.fromEntries(defaults), ...(contexts.inputs as Values) }
  const results: Record<string, { result: string; outputs: Values }> = {}
  for (const [id, job] of entriesOf(childOf(root, 'jobs'))) {
    const granted = childOf(job, 'permissions') ?? childOf(root, 'permissions')
    const permissions = granted === undefined ? callers : texts(granted, contexts)
    const needs = namesOf(childOf(job, 'needs')).map((name) => [name, results[name]])
    const known = { ...contexts, inputs, needs: Object.fromEntries(needs) }
    const runs = needs.every(([, need]) => (need as { result: string }).result === 'success')
    if (!runs || !isMet(childOf(job, 'if'), known)) {
      results[id] = { result: 'skipped', outputs: {} }
      continue
    }
    const outputs: Values = {}
    for (const [index, matrix] of legsOf(childOf(job, 'strategy'), known).entries()) {
      const leg = { ...known, matrix, strategy: { 'job-index': index } }
      Object.assign(outputs, await runJob({ id, job, permissions, ran, world }, leg))
    }
    results[id] = { result: 'success', outputs }
  }
  const declared = entriesOf(childOf(call, 'outputs')).map(([name, output]) => [
    name,
    evaluate(childOf(output, 'value'), { ...contexts, inputs, jobs: results }),
  ])
  return Object.fromEntries(declared)
}

function namesOf(token: TemplateToken | undefined): string[] {
  if (token === undefined) return []
  const items = itemsOf(token)
  return items.length > 0 ? items.map(String) : [token.toString()]
}

/** The legs of a matrix, which must list them under `include`; one leg if there is no matrix. */
function legsOf(strategy: TemplateToken | undefined, contexts: Values): Values[] {
  if (strategy === undefined) return [{}]
  const { matrix } = evaluate(strategy, contexts) as { matrix: { include?: Values[] } }
  if (matrix.include === undefined) throw new Error('Only a matrix with `include` can be run here.')
  return matrix.include
}

interface JobToRun {
  id: string
  job: TemplateToken
  permissions: Texts
  ran: RanJob[]
  world: WorkflowWorld
}

async function runJob({ id, job, permissions, ran, world }: JobToRun, contexts: Values): Promise<Values> {
  const uses = childOf(job, 'uses')?.toString()
  if (uses !== undefined) {
    const called = ownWorkflow(uses)
    if (called === undefined) throw new Error(`${uses} is not a workflow of this project.`)
    const inputs = evaluate(childOf(job, 'with'), contexts) ?? {}
    const secrets = evaluate(childOf(job, 'secrets'), contexts) ?? {}
    const { github, vars } = contexts
    return runJobs(called, { github, vars, inputs, secrets }, world, ran, permissions)
  }
  const done: RanJob = {
    name: id,
    concurrency: evaluate(childOf(job, 'concurrency'), contexts),
    runsOn: evaluate(childOf(job, 'runs-on'), contexts),
    steps: [],
  }
  ran.push(done)
  const steps: Record<string, { outputs: Texts }> = {}
  const known = () => ({ ...contexts, steps: { ...steps } })
  for (const step of itemsOf(childOf(job, 'steps'))) {
    const here = known()
    if (!isMet(childOf(step, 'if'), here)) continue
    done.steps.push(childOf(step, 'uses')?.toString().replace(/@.*/, '') ?? 'run')
    const outputs = await runStep(step, here, permissions, world)
    const name = childOf(step, 'id')?.toString()
    if (name !== undefined) steps[name] = { outputs }
  }
  return (evaluate(childOf(job, 'outputs'), known()) ?? {}) as Values
}

async function runStep(
  step: TemplateToken,
  contexts: Values,
  permissions: Texts,
  world: WorkflowWorld,
): Promise<Texts> {
  const uses = childOf(step, 'uses')?.toString()
  if (uses === undefined)
    return (
      (await world.runScript?.(
        text(childOf(step, 'run'), contexts),
        texts(childOf(step, 'env'), contexts),
      )) ?? {}
    )
  const folder = ownActionFolder(uses)
  if (folder !== undefined)
    return world.runAction({ folder, inputs: texts(childOf(step, 'with'), contexts), permissions })
  return world.others?.[uses.replace(/@.*/, '')]?.(texts(childOf(step, 'with'), contexts)) ?? {}
}

function texts(token: TemplateToken | undefined, contexts: Values): Texts {
  return Object.fromEntries(entriesOf(token).map(([name, value]) => [name, text(value, contexts)]))
}

function text(token: TemplateToken | undefined, contexts: Values): string {
  return String(evaluate(token, contexts) ?? '')
}
