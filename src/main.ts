/** The composition root: it alone reads the environment; it hands the step to its mode, and catches. */
// Before all else: while the rest is loaded, a signal must not kill the step.
import type { Problem } from './core/problem.ts'
import './signals.ts'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { clock } from './adapters/clock.ts'
import { createRunner, readInputs } from './adapters/runner.ts'
import { inputNames, parseInputs } from './core/inputs/inputs.ts'
import { readProxies } from './core/proxy.ts'
import { type Account, type WorkflowEvent, whySecretsAreWithheld } from './core/trigger/event.ts'
import { isCommentEvent } from './core/trigger/trigger.ts'
import { cancelled } from './signals.ts'
import { finish, runAgentMode } from './steps/agent.ts'
import type { StepContext } from './steps/context.ts'
import { withoutJob } from './usecases/memory.ts'
import type { RunIdentity } from './usecases/ports.ts'

const { env } = process

const isTlsUnchecked = env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
// Node would warn that it does not check certificates.
delete env.NODE_TLS_REJECT_UNAUTHORIZED

// dist/post.js adds the word and loads this very bundle: the runner starts both by file name, without arguments.
await (process.argv.includes('post') ? post() : main())

async function main(): Promise<void> {
  const raw = readInputs(inputNames)
  const stage = setStage(raw)
  if (isTlsUnchecked)
    stage.runner.log({
      level: 'warning',
      title: 'NODE_TLS_REJECT_UNAUTHORIZED is ignored',
      text: 'This action always checks certificates. To trust your own authority, set NODE_EXTRA_CA_CERTS to its certificate.',
    })
  try {
    const withheld = raw['api-key'] === '' ? whySecretsAreWithheld(stage.event) : undefined
    if (withheld !== undefined)
      return await end(stage, 'skipped', { type: 'secrets-withheld', why: withheld })
    const parsed = parseInputs(raw, { isComment: isCommentEvent(stage.event), now: clock.date() })
    const proxies = readProxies(env)
    if (!parsed.ok || !proxies.ok) {
      const faults = [...(parsed.ok ? [] : parsed.faults), ...(proxies.ok ? [] : proxies.faults)]
      return await end(stage, 'error', { type: 'inputs', faults })
    }
    stage.proxy = proxies.proxy
    if (parsed.inputs.mode === 'agent') return await runAgentMode(parsed.inputs, stage)
    // Only what a mode needs is loaded for it.
    if (parsed.inputs.mode === 'settle') {
      const { runSettleMode } = await import('./steps/settle.ts')
      return await runSettleMode(parsed.inputs, stage)
    }
    const { runVisitorsMode } = await import('./steps/visitors.ts')
    await runVisitorsMode(parsed.inputs, stage)
  } catch (error) {
    // Nobody expected this. The stack is for us; a job that there is already is not lost over it.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await end(stage, 'error', { type: 'defect', text })
  }
}

/** What a main step that was killed could not say any more. It sends nothing. */
async function post(): Promise<void> {
  const raw = readInputs(inputNames)
  const stage = setStage(raw)
  const proxies = readProxies(env)
  if (proxies.ok) stage.proxy = proxies.proxy
  const { runPost } = await import('./steps/post.ts')
  await runPost(raw, stage, proxies.ok)
}

/** Ends a step that came to no job and no report, or broke on the way. */
async function end(stage: StepContext, outcome: 'skipped' | 'error', problem: Problem): Promise<void> {
  await finish(stage, { ...withoutJob(outcome, problem), jobId: stage.jobRef.jobId })
}

function setStage(raw: Record<(typeof inputNames)[number], string>): StepContext {
  return {
    runner: createRunner([raw['api-key'], raw['github-token']]),
    event: readEvent(),
    proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
    jobRef: { baseUrl: raw['base-url'], projectId: raw['project-id'], jobId: raw['job-id'] || null },
    cancelled,
    uses: readUses(),
    runUrl: readRunUrl(),
    run: readRun(raw['matrix-index']),
    serverUrl: env.GITHUB_SERVER_URL || 'https://github.com',
    apiUrl: env.GITHUB_API_URL || 'https://api.github.com',
    repository: env.GITHUB_REPOSITORY ?? '',
    commit: env.GITHUB_SHA ?? '',
    workspace: env.GITHUB_WORKSPACE || process.cwd(),
    temp: env.RUNNER_TEMP ?? '',
    dist: dirname(process.argv[1] ?? ''),
  }
}

function readRun(matrixIndex: string): RunIdentity {
  return {
    id: env.GITHUB_RUN_ID ?? '',
    step: {
      ...{ workflow: env.GITHUB_WORKFLOW ?? '', job: env.GITHUB_JOB ?? '', step: env.GITHUB_ACTION ?? '' },
      matrixIndex,
    },
    actors: {
      actor: account(env.GITHUB_ACTOR, Number(env.GITHUB_ACTOR_ID ?? Number.NaN)),
      triggeringActor: account(env.GITHUB_TRIGGERING_ACTOR),
      isRerun: Number(env.GITHUB_RUN_ATTEMPT ?? 1) > 1,
    },
  }
}

/** An account as the environment names it. */
function account(login = '', id = Number.NaN): Account {
  return { login, id: Number.isSafeInteger(id) ? id : null, isBot: login.endsWith('[bot]') }
}

function readRunUrl(): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : ''
}

/** The event's payload is a file (GitHub's docs, "Default environment variables"); without one there is no event. */
function readEvent(): WorkflowEvent {
  let payload: unknown
  try {
    payload = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? '', 'utf8'))
  } catch {
    payload = undefined
  }
  return { name: env.GITHUB_EVENT_NAME ?? '', actor: env.GITHUB_ACTOR ?? '', payload }
}

/** How the workflow names this action; a local one (`uses: ./`) has no repository. */
function readUses(): string {
  const { GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = env
  return repository ? `${repository}@${ref || 'main'}` : './'
}
