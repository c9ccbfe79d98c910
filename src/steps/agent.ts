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
import type { Change } from '../core/trigger/change.ts'
import type { Asked } from '../core/trigger/request.ts'
import { readTrigger } from '../core/trigger/trigger.ts'
import { describe, describeResult } from '../render/log.ts'
import { outputNames, outputsOf } from '../render/outputs.ts'
import {
  announcementReply,
  documentationReply,
  resultReply,
  usageReply,
  workingReply,
} from '../render/reply.ts'
import { agentSummary, pendingSummary } from '../render/summary.ts'
import { runAgent } from '../usecases/agent.ts'
import { prepareChange } from '../usecases/change.ts'
import { openConversation, type ThreadPorts } from '../usecases/command.ts'
import { tellPullRequests } from '../usecases/comments.ts'
import type { AgentPorts, Journal } from '../usecases/ports.ts'
import { bestEffort } from './best-effort.ts'
import type { StepContext } from './context.ts'
import { stateKeys } from './state-keys.ts'

/** Runs the agent for what the event asks, if it asks anything of us. */
export async function runAgentMode(inputs: AgentInputs, stage: StepContext): Promise<void> {
  const { event } = stage
  const { failOn } = inputs
  const ports = createPorts(inputs, stage)
  // A step that only waits for a job starts nothing, so any event may bring it.
  if (isOnlyWaiting(inputs)) return finish(stage, await runAgent(inputs, ports), failOn)
  const trigger = readTrigger(event, inputs)
  switch (trigger.kind) {
    case 'skip':
      return finish(stage, without('skipped', trigger.problem), failOn)
    case 'error':
      return finish(stage, without('error', trigger.problem), failOn)
    case 'command':
      return runForComment(inputs, trigger, ports, stage)
    case 'change':
      return runForEvent(inputs, trigger.change, ports, stage)
    case 'release':
    case 'none':
      return runForEvent(inputs, null, ports, stage)
  }
}

function isOnlyWaiting({ prompt, promptFile, jobId, command }: AgentInputs): boolean {
  return jobId !== '' && prompt === '' && promptFile === '' && command === ''
}

/** Runs the agent for a command on a thread. */
async function runForComment(
  inputs: AgentInputs,
  asked: Asked,
  ports: AgentPorts,
  stage: StepContext,
): Promise<void> {
  const threadPorts = { ...createCommentPorts(inputs, ports, stage), ...createWords(inputs, stage) }
  const opened = await openConversation(inputs, asked, stage.actors, threadPorts)
  if (opened.kind === 'ended') return finish(stage, without(opened.outcome, opened.problem), inputs.failOn)
  const { conversation } = opened
  stage.jobRef.jobId = opened.inputs.jobId || null
  const journal: Journal = {
    ...ports.journal,
    async job(started) {
      const recorded = await ports.journal.job(started)
      await conversation.job(recorded)
      return recorded
    },
  }
  const result = await runAgent(opened.inputs, { ...ports, journal })
  // The outputs first: GitHub may keep the thread's last word waiting, and a cancelled step has little time.
  await finish(stage, result, inputs.failOn)
  await bestEffort(stage, async () => {
    await conversation.close(result)
    stage.runner.save(stateKeys.reply, '')
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
  return { outcome, jobId: null, job: null, prompt: null, problem, elapsed: 0 }
}

function createPorts(inputs: AgentInputs, stage: StepContext): AgentPorts {
  const { runner, jobRef, proxy, cancelled, workspace, temp } = stage
  const onProgress = (progress: Progress) => {
    for (const entry of describe(progress, jobRef)) runner.log(entry)
  }
  return {
    http: createHttp({ ...inputs, proxy, cancelled }),
    workspace: createWorkspace(workspace, temp === '' ? [] : [temp]),
    clock,
    deadline: clock.now() + inputs.timeout,
    random: Math.random,
    cancelled,
    onProgress,
    journal: createJournal(stage),
  }
}

/** Runs the agent for a push, a pull request, a release, a schedule, or by hand. */
async function runForEvent(
  inputs: AgentInputs,
  change: Change | null,
  ports: AgentPorts,
  stage: StepContext,
): Promise<void> {
  const { failOn } = inputs
  const changePorts = { ...createCommentPorts(inputs, ports, stage), matches: posix.matchesGlob }
  const prepared = await prepareChange(inputs, change, stage.event.name, stage.repository, changePorts)
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
    serverUrl,
    notes: {
      announcement: (changes: readonly DocumentedChange[]) => announcementReply(context, changes),
      documentation: documentationReply,
    },
  }
}

function createWords(
  { command }: AgentInputs,
  { runner, jobRef, runUrl }: StepContext,
): Pick<ThreadPorts, 'words' | 'keepReply'> {
  const context = { command, runUrl }
  return {
    words: {
      usage: () => usageReply(context),
      working: (choice) => workingReply(context, choice),
      result: (result) => resultReply(result, context, { ...jobRef, jobId: result.jobId }),
    },
    keepReply: (reply) => runner.save(stateKeys.reply, JSON.stringify(reply)),
  }
}

/** Records on this machine, for the post step of a step that is killed. */
function createJournal({ runner, jobRef, uses }: StepContext): Journal {
  return {
    async sending(operation) {
      runner.save(stateKeys.sending, operation)
      return { ok: true }
    },
    async job(started) {
      const { jobId, job } = started
      jobRef.jobId = jobId
      runner.save(stateKeys.jobId, jobId)
      runner.output('jobId', jobId)
      if (job !== null) runner.output('status', job.status ?? '')
      await runner.summary(pendingSummary(jobId, { uses, ...jobRef }))
      return started
    },
  }
}
