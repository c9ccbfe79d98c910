/** The workflows of examples/, run with their own inputs on their own events, against the doubles. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import {
  dispatched,
  issue,
  issueComment,
  pushed,
  releasePublished,
  scheduled,
} from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import { projectDir } from '../../sandbox/runner/action.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished } from '../running.ts'
import { finishedJob, platformFor } from '../service.ts'

type Inputs = Record<string, unknown>

interface Job {
  uses?: string
  with?: Inputs
  if?: string
  strategy?: { matrix: { include: Inputs[] } }
  steps?: { uses?: string; with?: Inputs; if?: string }[]
}

interface Workflow {
  on: { workflow_call?: { inputs: Record<string, { default?: unknown }> } }
  jobs: Record<string, Job>
}

const repository = 'acme/docs'
const before = commit({
  message: 'Begin',
  files: { 'src/a.ts': 'a\n', 'api/openapi.yaml': 'openapi: 3.1.0\n' },
})
const after = commit({
  parents: [before],
  message: 'Go on',
  author: 'mona',
  files: { 'src/a.ts': 'b\n', 'api/openapi.yaml': 'openapi: 3.1.1\n' },
})
const push = pushed({ before, after, repository })
const comment = issueComment({ repository })

const read = (path: string) => parse(readFileSync(join(projectDir, path), 'utf8')) as Workflow

/** The inputs of the action's steps that run on an event. */
function stepsOn(workflow: Workflow, event: WorkflowEvent, inputs: Inputs = {}): Inputs[] {
  const isOn = (condition = '') => {
    const named = [...condition.matchAll(/github\.event_name == '(\w+)'/g)].map(([, name]) => name)
    return named.length === 0 || named.includes(event.name)
  }
  return Object.values(workflow.jobs)
    .filter((job) => isOn(job.if))
    .flatMap((job) => {
      const matrix = job.strategy?.matrix.include[0] ?? {}
      const called = job.uses?.match(/docs-agent-action\/(\.github\/workflows\/[\w-]+\.yml)@v1$/)?.[1]
      if (called !== undefined) {
        const inner = read(called)
        const defaults = Object.entries(inner.on.workflow_call?.inputs ?? {}).map(([name, input]) => [
          name,
          input.default ?? '',
        ])
        return stepsOn(inner, event, { ...Object.fromEntries(defaults), ...evaluated(job.with, { matrix }) })
      }
      return (job.steps ?? [])
        .filter((step) => step.uses?.includes('/docs-agent-action@') && isOn(step.if))
        .map((step) => evaluated(step.with, { inputs, matrix }))
    })
}

/** Inputs with their expressions replaced, as far as the examples use any. */
function evaluated(given: Inputs = {}, contexts: { inputs?: Inputs; matrix?: Inputs }): Inputs {
  const value = (expression: string): unknown => {
    const [context = '', name = ''] = expression.split(/\.(.*)/)
    const known: Record<string, Inputs> = {
      inputs: contexts.inputs ?? {},
      matrix: contexts.matrix ?? {},
      vars: { DOCS_PROJECT_ID: 'sandbox-docs' },
      github: { repository, server_url: 'https://github.com' },
    }
    if (context === 'secrets') return sandboxKey
    return expression === 'steps.token.outputs.token' ? sandboxGitHubToken : known[context]?.[name]
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => [
      name,
      String(text).replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) =>
        String(value(expression) ?? ''),
      ),
    ]),
  )
}

export const examples: [example: string, event: WorkflowEvent, outcome: string][] = [
  ['command-reusable.yml', comment, 'pull-request'],
  ['comment.yml', comment, 'pull-request'],
  ['elsewhere.yml', push, 'detached'],
  ['elsewhere.yml', scheduled(repository), 'settled'],
  ['label.yml', issue({ repository, label: 'docs' }), 'pull-request'],
  ['no-waiting.yml', comment, 'detached'],
  ['no-waiting.yml', scheduled(repository), 'settled'],
  ['openapi.yml', push, 'pull-request'],
  ['push.yml', push, 'pull-request'],
  ['release.yml', releasePublished({ repository, body: 'A fix.' }), 'pull-request'],
  ['slack.yml', scheduled(repository), 'reported'],
  ['visitors-fleet.yml', scheduled(repository), 'reported'],
  ['visitors-reusable.yml', scheduled(repository), 'reported'],
  ['visitors.yml', scheduled(repository), 'reported'],
  ['wait.yml', dispatched({ repository }), 'pull-request'],
]

/**
 * The step of an example that runs on an event, with `outcome` and, unless it succeeded, its log.
 * @param runStep runs a step in this process or as the bundle
 */
export async function runExample(
  name: string,
  event: WorkflowEvent,
  runStep: (
    options: StepOptions,
  ) => Promise<{ exitCode: number | null; outputs: Record<string, string>; log: unknown[] }>,
) {
  const hub = await startGitHub({
    repository,
    roles: { mona: { permission: 'write', role_name: 'write' } },
    repositories: [new Repository({ name: repository, branches: { main: after }, pulls: [] })],
    comments: [{ id: 1001, thread: { number: 7, reviewRoot: null }, body: '/docs fix it', user: 'mona' }],
    pullRequests: [101],
  })
  onTestFinished(() => hub.close())
  const platform = await platformFor({ readsUntilEnd: 2 })
  // finishedJob reads the job once, so that this one is still active at the step's first read.
  const jobId = name === 'wait.yml' ? await finishedJob(platform) : undefined
  const steps = stepsOn(read(join('examples', name)), event, { 'job-id': jobId })
  expect(steps).toHaveLength(1)
  const [inputs = {}] = steps as Record<string, string>[]
  const project = inputs['project-id']?.startsWith('acme-') ? { 'project-id': 'sandbox-docs' } : {}
  const { exitCode, outputs, log } = await runStep({
    with: {
      ...inputs,
      ...project,
      'base-url': platform.url,
      ...(inputs.mode === undefined && { 'poll-interval': '1s' }),
    },
    githubToken: sandboxGitHubToken,
    eventName: event.name,
    event: event.payload,
    env: { GITHUB_API_URL: hub.url, GITHUB_REPOSITORY: repository, GITHUB_SHA: after.sha },
  })
  return { outcome: outputs.outcome, log: exitCode === 0 ? [] : log }
}
