/** The composition root: it alone reads the environment, builds the adapters, catches, and writes the outcome. */
// Before all else: while the rest is loaded, a signal must not kill the step.
import './signals.ts'
import { readFileSync } from 'node:fs'
import { clock } from './adapters/clock.ts'
import { createGitHub } from './adapters/github.ts'
import { createHttp } from './adapters/http.ts'
import { createRunner, type Runner, readInputs, readSaved } from './adapters/runner.ts'
import { signWith } from './adapters/sign.ts'
import { createWorkspace } from './adapters/workspace.ts'
import { type WorkflowEvent, whySecretsAreWithheld } from './core/event.ts'
import { type AgentInputs, inputNames, parseInputs } from './core/inputs.ts'
import { type Failable, failsStep } from './core/outcome.ts'
import type { AgentResult, Problem, Progress } from './core/progress.ts'
import { type ProxySettings, readProxies } from './core/proxy.ts'
import { isCommentEvent, readTrigger } from './core/trigger.ts'
import { describeKilled, killedSummary } from './render/killed.ts'
import { describe, describeResult } from './render/log.ts'
import { type Outputs, outputNames, outputsOf } from './render/outputs.ts'
import type { Place } from './render/problem.ts'
import { announcementReply, killedReply, resultReply, usageReply, workingReply } from './render/reply.ts'
import { agentSummary, pendingSummary } from './render/summary.ts'
import { cancelled } from './signals.ts'
import { runAgent } from './usecases/agent.ts'
import type { AgentPorts, GitHub } from './usecases/ports.ts'
import { openConversation, type Reply, type ThreadPorts } from './usecases/thread.ts'

const { env } = process

/** Names under which the main step leaves word for the post step. */
const saved = { jobId: 'jobId', sending: 'sending', reply: 'reply', finished: 'finished' }

// dist/post.js adds the word and loads this very bundle: the runner starts both by file name, without arguments.
await (process.argv.includes('post') ? post() : main())

async function main(): Promise<void> {
  const raw = readInputs(inputNames)
  const runner = createRunner([raw['api-key'], raw['github-token']])
  const place = { baseUrl: raw['base-url'], projectId: raw['project-id'], jobId: raw['job-id'] || null }
  try {
    const event = readEvent()
    const withheld = raw['api-key'] === '' ? whySecretsAreWithheld(event) : undefined
    if (withheld !== undefined)
      return await finish(runner, place, without('skipped', { type: 'secrets-withheld', why: withheld }))
    const parsed = parseInputs(raw, isCommentEvent(event))
    const proxies = readProxies(env)
    if (parsed.ok && proxies.ok) return await act(runner, parsed.inputs, event, proxies.proxy, place)
    const faults = [...(parsed.ok ? [] : parsed.faults), ...(proxies.ok ? [] : proxies.faults)]
    await finish(runner, place, without('error', { type: 'inputs', faults }))
  } catch (error) {
    // Nobody expected this. The stack is for us; a job that there is already is not lost over it.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await finish(runner, place, { ...without('error', { type: 'defect', text }), jobId: place.jobId })
  }
}

/** Runs the agent for what the event asks, if it asks anything of us. */
async function act(
  runner: Runner,
  inputs: AgentInputs,
  event: WorkflowEvent,
  proxy: ProxySettings,
  place: Place,
): Promise<void> {
  const trigger = inputs.command === '' ? { kind: 'prompt' as const } : readTrigger(event, inputs.command)
  if (trigger.kind === 'skip')
    return finish(
      runner,
      place,
      without('skipped', { type: 'not-for-us', reason: trigger.reason }),
      inputs.failOn,
    )

  const ports = createPorts(runner, inputs, proxy, place)
  if (trigger.kind === 'prompt') {
    const result = await runAgent(inputs, ports)
    return finish(runner, { ...place, jobId: result.jobId }, result, inputs.failOn)
  }

  const threadPorts = await createThreadPorts(runner, inputs, proxy, ports, place)
  const opened = await openConversation(inputs, trigger.comment, readRunActor(), threadPorts)
  if (opened.kind === 'ended')
    return finish(runner, place, without(opened.outcome, opened.problem), inputs.failOn)
  const { conversation } = opened
  place.jobId = opened.inputs.jobId || null
  const onProgress = async (progress: Progress) => {
    await ports.onProgress(progress)
    await conversation.onProgress(progress)
  }
  const result = await runAgent(opened.inputs, { ...ports, onProgress })
  // The outputs first: GitHub may keep the thread's last word waiting, and a cancelled step has little time.
  await finish(runner, { ...place, jobId: result.jobId }, result, inputs.failOn)
  await conversation.close(result)
  runner.save(saved.reply, '')
}

function createPorts(runner: Runner, inputs: AgentInputs, proxy: ProxySettings, place: Place): AgentPorts {
  const onProgress = (progress: Progress) => {
    const kept = keep(runner, place, progress)
    for (const entry of describe(progress, place)) runner.log(entry)
    return kept
  }
  return {
    http: createHttp({ ...inputs, proxy, cancelled }),
    workspace: createWorkspace(
      env.GITHUB_WORKSPACE || process.cwd(),
      env.RUNNER_TEMP ? [env.RUNNER_TEMP] : [],
    ),
    clock,
    random: Math.random,
    cancelled,
    onProgress,
  }
}

async function createThreadPorts(
  runner: Runner,
  inputs: AgentInputs,
  proxy: ProxySettings,
  ports: AgentPorts,
  place: Place,
): Promise<ThreadPorts> {
  const context = { command: inputs.command, runUrl: readRunUrl() }
  return {
    ...ports,
    github: await connectGitHub(inputs.githubToken, proxy),
    sign: signWith(inputs.apiKey),
    words: {
      usage: () => usageReply(context),
      working: (choice) => workingReply(context, choice),
      result: (result) => resultReply(result, context, { ...place, jobId: result.jobId }),
      announcement: () => announcementReply(context),
    },
    keepReply: (reply) => runner.save(saved.reply, JSON.stringify(reply)),
  }
}

function connectGitHub(token: string, proxy: ProxySettings): Promise<GitHub> {
  return createGitHub({ token, apiUrl: env.GITHUB_API_URL || 'https://api.github.com', proxy })
}

/** Writes what must stand whatever happens to this process: before a send that it goes out, after it the job's id. */
async function keep(runner: Runner, place: Place, progress: Progress): Promise<void> {
  if (progress.type === 'sending') runner.save(saved.sending, progress.operation)
  if (progress.type !== 'job') return
  const { jobId, job } = progress
  place.jobId = jobId
  runner.save(saved.jobId, jobId)
  runner.output('jobId', jobId)
  if (job !== null) runner.output('status', job.status)
  await runner.summary(pendingSummary(jobId, { uses: readUses(), ...place }))
}

/** A result of a step that came to no job. */
function without(outcome: 'skipped' | 'error', problem: Problem): AgentResult {
  return { outcome, jobId: null, job: null, prompt: null, problem, elapsed: 0 }
}

async function finish(
  runner: Runner,
  place: Place,
  result: AgentResult,
  failOn: ReadonlySet<Failable> = new Set(),
): Promise<void> {
  const outputs: Outputs = outputsOf(result)
  for (const name of outputNames) runner.output(name, outputs[name])
  const step = { uses: readUses(), ...place }
  for (const entry of describeResult(result, place, step, failOn)) runner.log(entry)
  await runner.summary(agentSummary(result, place, step))
  runner.save(saved.finished, 'true')
  if (failsStep(result.outcome, failOn)) process.exitCode = 1
}

/** What a main step that was killed could not say any more. It sends nothing. */
async function post(): Promise<void> {
  const raw = readInputs(inputNames)
  const runner = createRunner([raw['api-key'], raw['github-token']])
  const reply = readSaved(saved.reply)
  if (reply !== '') await finishReply(JSON.parse(reply), raw['github-token'], raw.command)
  if (readSaved(saved.finished) !== '') return
  const jobId = readSaved(saved.jobId) || raw['job-id'] || null
  const left = { jobId, sending: readSaved(saved.sending) !== '' && readSaved(saved.jobId) === '' }
  const step = { uses: readUses(), projectId: raw['project-id'], baseUrl: raw['base-url'] }
  runner.log(describeKilled(left, step))
  await runner.summary(killedSummary(left, step))
}

/** Ends a reply that a killed step left at “working”; the marker stays, so that the conversation can go on. */
async function finishReply({ thread, id, marker }: Reply, token: string, command: string): Promise<void> {
  const proxies = readProxies(env)
  if (!proxies.ok) return
  const github = await connectGitHub(token, proxies.proxy)
  const text = killedReply({ command, runUrl: readRunUrl() }, readSaved(saved.jobId) || null)
  await github.edit(thread, id, marker === '' ? text : `${text}\n\n${marker}`)
}

/** On a re-run `GITHUB_ACTOR` stays who started the first run; `GITHUB_TRIGGERING_ACTOR` is who started this one (GitHub's docs). */
function readRunActor() {
  const isRerun = Number(env.GITHUB_RUN_ATTEMPT ?? 1) > 1
  return { triggeringActor: env.GITHUB_TRIGGERING_ACTOR ?? '', isRerun }
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
