/** Mode `agent`, set up: the adapters that its use cases get, and what is written of what they give back. */
import { posix } from 'node:path'
import { clock } from '../adapters/clock.ts'
import { createGitHub } from '../adapters/github/github.ts'
import { createHttp } from '../adapters/http.ts'
import { signWith } from '../adapters/sign.ts'
import { createWorkspace } from '../adapters/workspace.ts'
import type { AgentInputs } from '../core/inputs/inputs.ts'
import type { DocumentedChange } from '../core/marker.ts'
import { type Failable, failsStep } from '../core/outcome.ts'
import type { AgentResult, Progress } from '../core/progress.ts'
import { readTrigger } from '../core/trigger/trigger.ts'
import { describe, describeResult } from '../render/log.ts'
import { outputNames, outputsOf } from '../render/outputs.ts'
import {
  documentationComment,
  helpComment,
  provenanceComment,
  resultComment,
  workingComment,
} from '../render/reply.ts'
import { agentSummary, pendingSummary } from '../render/summary.ts'
import { runAgent } from '../usecases/agent.ts'
import { prepareChange } from '../usecases/change.ts'
import { openConversation, type ThreadPorts } from '../usecases/command.ts'
import { tellPullRequests } from '../usecases/comments.ts'
import type { AgentPorts } from '../usecases/ports.ts'
import { bestEffort } from './best-effort.ts'
import type { StepContext } from './context.ts'
import { stateKeys } from './state-keys.ts'

/** Runs the agent for what the event asks, if it asks anything of us. */
export async function runAgentMode(inputs: AgentInputs, stage: StepContext): Promise<void> {
  const { event, jobRef, runner } = stage
  const { failOn } = inputs
  const trigger = inputs.command === '' ? { kind: 'prompt' as const } : readTrigger(event, inputs.command)
  if (trigger.kind === 'skip') {
    const problem = { type: 'not-for-us', reason: trigger.reason } as const
    return finish(stage, without('skipped', problem), failOn)
  }

  const ports = createPorts(inputs, stage)
  if (trigger.kind === 'prompt') return runForEvent(inputs, ports, stage)

  const threadPorts = { ...createCommentPorts(inputs, ports, stage), ...createWords(inputs, stage) }
  const opened = await openConversation(inputs, trigger.comment, stage.actor, threadPorts)
  if (opened.kind === 'ended') return finish(stage, without(opened.outcome, opened.problem), failOn)
  const { conversation } = opened
  jobRef.jobId = opened.inputs.jobId || null
  const onProgress = async (progress: Progress) => {
    await ports.onProgress(progress)
    await conversation.onProgress(progress)
  }
  const result = await runAgent(opened.inputs, { ...ports, onProgress })
  // The outputs first: GitHub may keep the thread's last word waiting, and a cancelled step has little time.
  await finish(stage, result, failOn)
  await bestEffort(stage, async () => {
    await conversation.close(result)
    runner.save(stateKeys.reply, '')
  })
}

/** Writes the outputs, the log's last lines and the summary, and fails the step where it is to fail. */
export async function finish(
  { runner, jobRef: given, uses }: Pick<StepContext, 'runner' | 'jobRef' | 'uses'>,
  result: AgentResult,
  failOn: ReadonlySet<Failable> = new Set(),
): Promise<void> {
  const jobRef = { ...given, jobId: result.jobId }
  const outputs = outputsOf(result)
  for (const name of outputNames) runner.output(name, outputs[name])
  const step = { uses, ...jobRef }
  for (const entry of describeResult(result, jobRef, step, failOn)) runner.log(entry)
  await runner.summary(agentSummary(result, jobRef, step))
  runner.save(stateKeys.finished, 'true')
  if (failsStep(result.outcome, failOn)) process.exitCode = 1
}

/** A result of a step that came to no job. */
function without(outcome: 'skipped' | 'error' | 'cancelled', problem: AgentResult['problem']): AgentResult {
  return { outcome, jobId: null, job: null, prompt: null, problem, changes: null, elapsed: 0 }
}

function createPorts(inputs: AgentInputs, stage: StepContext): AgentPorts {
  const { runner, jobRef, proxy, cancelled, workspace, temp } = stage
  const onProgress = (progress: Progress) => {
    const kept = keep(stage, progress)
    for (const entry of describe(progress, jobRef)) runner.log(entry)
    return kept
  }
  return {
    http: createHttp({ ...inputs, proxy, cancelled }),
    workspace: createWorkspace(workspace, temp === '' ? [] : [temp]),
    clock,
    random: Math.random,
    cancelled,
    onProgress,
  }
}

/** Runs the agent for a push, a pull request, a release, a schedule, or by hand. */
async function runForEvent(inputs: AgentInputs, ports: AgentPorts, stage: StepContext): Promise<void> {
  const { failOn, prompt, promptFile } = inputs
  // A step that only waits for a job starts nothing.
  if (prompt === '' && promptFile === '') return finish(stage, await runAgent(inputs, ports), failOn)
  const changePorts = { ...createCommentPorts(inputs, ports, stage), matches: posix.matchesGlob }
  const prepared = await prepareChange(inputs, stage.event, stage.repository, changePorts)
  if (prepared.kind === 'ended')
    // What a cancel broke off is no fault of GitHub's.
    return finish(
      stage,
      stage.cancelled.aborted ? without('cancelled', null) : without(prepared.outcome, prepared.problem),
      failOn,
    )
  const { documented, context } = prepared
  stage.jobRef.jobId = prepared.inputs.jobId || null
  const result = await runAgent(prepared.inputs, ports, context)
  await finish(stage, result, failOn)
  if (documented !== null && inputs.reply && result.outcome === 'pull-request')
    await bestEffort(stage, () => tellPullRequests(result, documented, changePorts))
}

function createCommentPorts(inputs: AgentInputs, ports: AgentPorts, stage: StepContext) {
  const { apiUrl, proxy, cancelled, serverUrl, runUrl } = stage
  const context = { command: inputs.command, runUrl, serverUrl }
  return {
    ...ports,
    github: createGitHub({ token: inputs.githubToken, apiUrl, proxy, cancelled }),
    sign: signWith(inputs.apiKey),
    notes: {
      announcement: (changes: readonly DocumentedChange[]) =>
        provenanceComment(context, changes, { changes: null, problem: null }),
      documentation: (prLink: string) => documentationComment(prLink),
    },
  }
}

function createWords(
  inputs: AgentInputs,
  { runner, jobRef, runUrl }: StepContext,
): Pick<ThreadPorts, 'words' | 'keepReply'> {
  const context = { command: inputs.command, runUrl }
  return {
    words: {
      usage: () => helpComment(context, inputs),
      working: (choice) => workingComment(context, choice),
      result: (result) => resultComment(result, context, { ...jobRef, jobId: result.jobId }),
    },
    keepReply: (reply) => runner.save(stateKeys.reply, JSON.stringify(reply)),
  }
}

/** Writes what must stand whatever happens to this process: before a send that it goes out, after it the job's id. */
async function keep({ runner, jobRef, uses }: StepContext, progress: Progress): Promise<void> {
  if (progress.type === 'sending') runner.save(stateKeys.sending, progress.operation)
  if (progress.type !== 'job') return
  const { jobId, job } = progress
  jobRef.jobId = jobId
  runner.save(stateKeys.jobId, jobId)
  runner.output('jobId', jobId)
  if (job !== null) runner.output('status', job.status)
  await runner.summary(pendingSummary(jobId, { uses, ...jobRef }))
}
