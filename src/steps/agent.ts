/** Mode agent: connects its use cases to their adapters, and writes the results. */

import { createWorkspace } from '../adapters/files.ts'
import { seal } from '../adapters/sign.ts'
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { type Failable, failsStep } from '../core/outcome.ts'
import type { AgentResult, TriggerRef } from '../core/progress.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import type { Change } from '../core/trigger/change.ts'
import type { Asked, Release } from '../core/trigger/request.ts'
import type { Trigger } from '../core/trigger/trigger.ts'
import { describeResult } from '../render/log.ts'
import { outputNames, outputsOf } from '../render/outputs.ts'
import { agentSummary, pendingSummary } from '../render/summary.ts'
import { carryOut, type Host, type Plan, withoutJob } from '../usecases/carry-out.ts'
import type { Ended } from '../usecases/ended.ts'
import { type EventSubject, planEvent } from '../usecases/event.ts'
import type { Policy } from '../usecases/policy.ts'
import type { AgentPorts } from '../usecases/ports.ts'
import { noStore } from '../usecases/store.ts'
import { bestEffort } from './best-effort.ts'
import { type StepContext, stateKeys } from './context.ts'
import type { DryRunPlace } from './dry-run.ts'
import { policyOf } from './policy.ts'
import { createStepPorts } from './ports.ts'
import { commandWords } from './words.ts'

/** Runs the agent for what the event asks for. @param trigger null if the step only waits for a job */
export async function runAgentMode(
  inputs: AgentInputs,
  trigger: Exclude<Trigger, { kind: 'skip' }> | null,
  step: StepContext,
): Promise<void> {
  const { workspace, temp } = step
  const ports = {
    ...createStepPorts(inputs, step),
    workspace: createWorkspace(workspace, temp === '' ? [] : [temp]),
  }
  const policy = policyOf(inputs)
  const run = async (plan: Plan | Ended, trigger: TriggerRef | null, place: DryRunPlace = null) => {
    if (inputs.dryRun && !(plan.kind === 'ended' && plan.outcome === 'skipped')) {
      const { tryAgent } = await import('./dry-run.ts')
      if (await tryAgent(plan, policy, place, ports, step)) return
      return finish(step, withoutJob('cancelled', null), inputs.failOn, trigger)
    }
    step.jobRef.jobId = inputs.jobId
    await carryOut(plan, { ...ports, host: hostOf(step, inputs.failOn, trigger) })
  }
  const onEvent = async (of: Partial<EventSubject>, ref = eventRef(step), place: DryRunPlace = null) => {
    const { repository, commit, runUrl, event } = step
    const home = { repository, commit, runUrl, eventName: event.name }
    const subject = { change: null, context: null, branch: null, ...of }
    const plan = await planEvent(policy, subject, step.run, home, ports)
    await run(plan, ref, place)
  }
  // Any event can run a step that only waits for a job, because such a step starts nothing.
  if (trigger === null) return run(planWait(policy), null)
  switch (trigger.kind) {
    case 'error':
      return finish(step, withoutJob('error', trigger.problem), inputs.failOn)
    case 'command':
    case 'label':
      return run(await planForThread(policy, inputs, trigger, ports, step), threadRef(trigger), trigger)
    case 'change':
      return onEvent({ change: trigger.change }, changeRef(trigger.change, step), 'change')
    case 'release':
      return onEvent({ context: policy.diff && (await readRelease(trigger.release, policy.diff.limit)) })
    case 'none':
      return onEvent({ branch: trigger.branch })
  }
}

/** Plans to wait for the job in `job-id`. Nothing is requested, so nothing is recorded. */
function planWait({ settings, destination: { jobId } }: Policy): Plan {
  return {
    kind: 'plan',
    settings,
    isRerun: false,
    store: noStore,
    ask: async () => ({ prompt: null, context: null }),
    choose: async () => ({ jobId, choice: 'own', head: null }),
    announce: async () => {},
  }
}

/** What the step writes for later steps, for people, and for the post step. */
function hostOf(step: StepContext, failOn: ReadonlySet<Failable>, trigger: TriggerRef | null): Host {
  const { runner, jobRef } = step
  return {
    sending: (operation, jobId) => {
      jobRef.jobId = jobId
      return runner.save(stateKeys.jobId, jobId ?? '') && runner.save(stateKeys.sending, operation)
    },
    async started({ jobId, job }) {
      jobRef.jobId = jobId
      runner.save(stateKeys.jobId, jobId)
      runner.save(stateKeys.sending, '')
      runner.output('jobId', jobId)
      if (job !== null) runner.output('status', job.status ?? '')
      await runner.summary(pendingSummary(jobId, jobRef))
    },
    output(result) {
      const outputs = outputsOf(result)
      for (const name of outputNames) runner.output(name, outputs[name])
    },
    finish: (result) => finish(step, result, failOn, trigger),
    lastly: (act) => bestEffort(step, act),
  }
}

/** Writes the outputs, the last lines of the log, and the summary, and sets the exit code. */
export async function finish(
  { runner, jobRef: given }: Pick<StepContext, 'runner' | 'jobRef'>,
  result: AgentResult,
  failOn: ReadonlySet<Failable> = new Set(),
  trigger: TriggerRef | null = null,
): Promise<void> {
  const jobRef = { ...given, jobId: result.jobId }
  const outputs = outputsOf(result)
  for (const name of outputNames) runner.output(name, outputs[name])
  for (const entry of describeResult(result, jobRef, failOn)) runner.log(entry)
  await runner.summary(agentSummary(result, jobRef, trigger))
  runner.save(stateKeys.finished, 'true')
  if (failsStep(result.outcome, failOn)) runner.fail()
}

async function planForThread(
  policy: Policy,
  inputs: AgentInputs,
  asked: Asked,
  ports: AgentPorts,
  step: StepContext,
): Promise<Plan | Ended> {
  // Other triggers do not need this code, so they do not load it.
  const { planCommand } = await import('../usecases/command.ts')
  const { readVisible } = await import('../adapters/visible-text.ts')
  return planCommand(policy, inputs, asked, step.run, {
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

function threadRef({ request, requesters, thread }: Asked): TriggerRef {
  const on = `${thread.repository}#${thread.number}`
  return { text: `${request.kind} by ${requesters[0].login} on ${on}`, url: request.url }
}

function changeRef({ repository, head, number }: Change, { serverUrl }: StepContext): TriggerRef {
  const at = `${serverUrl}/${repository}`
  return number === null
    ? { text: `commit ${repository}@${head.slice(0, 7)}`, url: `${at}/commit/${head}` }
    : { text: `pull request ${repository}#${number}`, url: `${at}/pull/${number}` }
}

function eventRef({ event: { name } }: StepContext): TriggerRef {
  if (name === 'workflow_dispatch') return { text: 'manual run', url: '' }
  return { text: name === 'release' || name === 'schedule' ? name : `event ${name}`, url: '' }
}
