/** Mode `agent`: gives its use cases their adapters, and writes what they return. */
import { seal } from '../adapters/sign.ts'
import { createWorkspace } from '../adapters/workspace.ts'
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { type Failable, failsStep } from '../core/outcome.ts'
import type { AgentResult, TriggerRef } from '../core/progress.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import type { Change } from '../core/trigger/change.ts'
import type { Asked, Release } from '../core/trigger/request.ts'
import { readTrigger } from '../core/trigger/trigger.ts'
import { describeResult } from '../render/log.ts'
import { outputNames, outputsOf } from '../render/outputs.ts'
import { agentSummary, pendingSummary } from '../render/summary.ts'
import { runAgent } from '../usecases/agent.ts'
import { type Opened, openEvent } from '../usecases/event.ts'
import { type Memory, noMemory, withoutJob } from '../usecases/memory.ts'
import type { AgentPorts, Journal } from '../usecases/ports.ts'
import { reviewChanges } from '../usecases/review.ts'
import { bestEffort } from './best-effort.ts'
import type { StepContext } from './context.ts'
import { createStepPorts, type StepPorts } from './ports.ts'
import { stateKeys } from './state-keys.ts'
import { commandWords, provenanceWords, statusWords } from './words.ts'

/** Runs the agent for what the event asks, if it asks anything of this step. */
export async function runAgentMode(inputs: AgentInputs, step: StepContext): Promise<void> {
  const { workspace, temp } = step
  const ports = {
    ...createStepPorts(inputs, step),
    workspace: createWorkspace(workspace, temp === '' ? [] : [temp]),
  }
  const run = (opened: Opened, trigger: TriggerRef | null) => runOpened(opened, inputs, trigger, ports, step)
  // A step that only waits for a job starts nothing, so any event may bring it.
  if (isOnlyWaiting(inputs)) return run({ kind: 'open', inputs, context: null, memory: noMemory }, null)
  const trigger = readTrigger(step.event, inputs)
  switch (trigger.kind) {
    case 'skip':
      return finish(step, withoutJob('skipped', trigger.problem), inputs.failOn)
    case 'error':
      return finish(step, withoutJob('error', trigger.problem), inputs.failOn)
    case 'command':
    case 'label':
      return run(await openForCommand(inputs, trigger, ports, step), threadRef(trigger))
    case 'change':
      return run(
        await openForEvent(inputs, { change: trigger.change, context: null }, ports, step),
        changeRef(trigger.change, step),
      )
    case 'release': {
      const context = inputs.contextDiff ? await readRelease(trigger.release, inputs.contextLimit) : null
      return run(await openForEvent(inputs, { change: null, context }, ports, step), eventRef(step))
    }
    case 'none':
      return run(await openForEvent(inputs, { change: null, context: null }, ports, step), eventRef(step))
  }
}

function isOnlyWaiting({ prompt, promptFile, jobId, command, label }: AgentInputs): boolean {
  return jobId !== '' && prompt === '' && promptFile === '' && command === '' && label === ''
}

/** Runs the agent, unless there is nothing to do, and tells what came of it. */
async function runOpened(
  opened: Opened,
  { failOn, allowedPaths, githubToken }: AgentInputs,
  trigger: TriggerRef | null,
  ports: StepPorts & Pick<AgentPorts, 'workspace'>,
  step: StepContext,
): Promise<void> {
  // GitHub is not to blame for what a cancel interrupted.
  if (opened.kind === 'ended' && step.cancelled.aborted)
    return finish(step, withoutJob('cancelled', null), failOn, trigger)
  if (opened.kind === 'ended')
    return finish(step, withoutJob(opened.outcome, opened.problem), failOn, trigger)
  const { memory } = opened
  step.jobRef.jobId = opened.inputs.jobId || null
  const journal = createJournal(memory, step)
  const result = await runAgent(opened.inputs, { ...ports, journal }, opened.context)
  // Before GitHub is asked about it: a killed step must not lose the link.
  for (const name of outputNames) step.runner.output(name, outputsOf(result)[name])
  const reviewed = await reviewChanges(result, { allowedPaths, githubToken }, ports)
  await finish(step, reviewed, failOn, trigger)
  await bestEffort(step, async () => void (await memory.close(reviewed)))
}

/** Writes the outputs, the last lines of the log and the summary, and fails the step if it must fail. */
export async function finish(
  { runner, jobRef: given, uses }: Pick<StepContext, 'runner' | 'jobRef' | 'uses'>,
  result: AgentResult,
  failOn: ReadonlySet<Failable> = new Set(),
  trigger: TriggerRef | null = null,
): Promise<void> {
  const jobRef = { ...given, jobId: result.jobId }
  const outputs = outputsOf(result)
  for (const name of outputNames) runner.output(name, outputs[name])
  const identity = { uses, ...jobRef }
  for (const entry of describeResult(result, jobRef, identity, failOn)) runner.log(entry)
  await runner.summary(agentSummary(result, jobRef, identity, trigger))
  runner.save(stateKeys.finished, 'true')
  if (failsStep(result.outcome, failOn)) runner.fail()
}

async function openForCommand(
  inputs: AgentInputs,
  asked: Asked,
  ports: StepPorts,
  step: StepContext,
): Promise<Opened> {
  // Other triggers do not need this code, so they do not load it.
  const { openCommand } = await import('../usecases/command.ts')
  const { readVisible } = await import('../adapters/visible-text.ts')
  return openCommand(inputs, asked, step.run, {
    ...ports,
    readVisible,
    words: commandWords(inputs, asked, step),
    save: (reply) =>
      step.runner.save(stateKeys.reply, reply === null ? '' : seal(JSON.stringify(reply), ports.sign)),
  })
}

async function readRelease(release: Release, limit: number): Promise<ChangeContext> {
  const { releaseContext } = await import('../core/prompt/context.ts')
  const { readVisible } = await import('../adapters/visible-text.ts')
  return releaseContext(release, limit, readVisible)
}

/** For a push, a pull request, a release, a schedule, or a start by hand. */
function openForEvent(
  inputs: AgentInputs,
  of: { change: Change | null; context: ChangeContext | null },
  ports: StepPorts,
  step: StepContext,
): Promise<Opened> {
  const { repository, commit, serverUrl, runUrl, event } = step
  return openEvent(
    inputs,
    of,
    step.run,
    { repository, commit, serverUrl, runUrl, eventName: event.name },
    { ...ports, words: provenanceWords(inputs, step), statusWords: statusWords(step) },
  )
}

/** Records on this machine, for the post step of a step that is killed, and then at GitHub. */
function createJournal(memory: Memory, { runner, jobRef, uses }: StepContext): Journal {
  return {
    async sending(operation) {
      const marked = await memory.sending()
      if (!marked.ok) {
        const { where } = memory
        return { ok: false, problem: { type: 'mark-unwritten', where, refusal: marked.refusal } }
      }
      const isSaved =
        runner.save(stateKeys.jobId, jobRef.jobId ?? '') && runner.save(stateKeys.sending, operation)
      return isSaved ? { ok: true } : { ok: false, problem: { type: 'unsaved-state', operation } }
    },
    async job(started) {
      const { jobId, job } = started
      jobRef.jobId = jobId
      runner.save(stateKeys.jobId, jobId)
      runner.save(stateKeys.sending, '')
      runner.output('jobId', jobId)
      if (job !== null) runner.output('status', job.status ?? '')
      await runner.summary(pendingSummary(jobId, { uses, ...jobRef }))
      await memory.job(jobId)
      return started
    },
  }
}

function threadRef({ request, requesters, thread }: Asked): TriggerRef {
  const text = `by ${requesters[0].login} on ${thread.repository}#${thread.number}`
  return { kind: request.comment === null ? 'label' : 'comment', text, url: request.url }
}

function changeRef({ repository, head, number }: Change, { serverUrl }: StepContext): TriggerRef {
  const at = `${serverUrl}/${repository}`
  return number === null
    ? { kind: 'commit', text: `${repository}@${head.slice(0, 7)}`, url: `${at}/commit/${head}` }
    : { kind: 'pull request', text: `${repository}#${number}`, url: `${at}/pull/${number}` }
}

function eventRef({ event }: StepContext): TriggerRef {
  const kinds: Record<string, TriggerRef['kind']> = {
    release: 'release',
    schedule: 'schedule',
    workflow_dispatch: 'run by hand',
  }
  return { kind: kinds[event.name] ?? 'event', text: event.name in kinds ? '' : event.name, url: '' }
}
