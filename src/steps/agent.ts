/** Mode agent: plans what the event asks for, carries it out, and writes the result. */
import { seal } from '../adapters/sign.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { newJob } from '../core/job.ts'
import { failsStep, type Stop } from '../core/outcome.ts'
import type { Trigger } from '../core/trigger/trigger.ts'
import { nowhere } from '../record/place.ts'
import { planEvent } from '../request/event.ts'
import { carryOut, type Hooks, type Plan } from '../run/run.ts'
import { outputsOf } from '../say/outputs.ts'
import { acts, permissionsOf } from '../say/rejections.ts'
import type { StepContext } from './context.ts'
import { bestEffort, finishAgent, finishDryRun } from './finish.ts'
import { createStepPorts, type StepPorts } from './ports.ts'

/** What started the step; null if it only waits for a job. */
type Cause = Exclude<Trigger, Stop> | null

/** Runs the agent for what the event asks for. */
export async function runAgentMode(original: AgentInputs, cause: Cause, step: StepContext) {
  // A dry run does not wait for a job.
  const inputs = { ...original, wait: original.wait && !original.dryRun }
  const ports = createStepPorts(inputs, step)
  await ports.github.viewer()
  const plan = await planFor(inputs, cause, ports)
  const hooks = inputs.dryRun ? dryHooks(inputs, cause, ports) : hooksOf(inputs, ports)
  await carryOut(plan, { ...ports, hooks })
}

async function planFor(inputs: AgentInputs, cause: Cause, ports: StepPorts): Promise<Plan | Stop> {
  // Any event can run a step that only waits for a job, because such a step starts nothing, and so records nothing.
  if (cause === null)
    return { inputs, place: nowhere, isFirst: true, ask: async () => null, choose: async () => newJob }
  if (cause.kind === 'event') return planEvent(inputs, cause, ports)
  // Other triggers do not need this code, so they do not load it.
  const { planCommand } = await import('../request/command.ts')
  return planCommand(inputs, cause, ports)
}

/** What the step writes for later steps, for people, and for the post step. */
function hooksOf({ failOn }: AgentInputs, ports: StepPorts): Hooks {
  const { runner, jobRef, sign } = ports
  return {
    save(checkpoint) {
      runner.save('checkpoint', checkpoint === null ? '' : seal(JSON.stringify(checkpoint), sign))
    },
    beforeSend(jobId) {
      jobRef.jobId = jobId
      if (runner.save('jobId', jobId ?? '') && runner.save('sending', 'true')) return null
      return { problem: { kind: 'unsaved-state' } }
    },
    onJob(jobId, job) {
      jobRef.jobId = jobId
      runner.save('jobId', jobId)
      runner.save('sending', '')
      runner.output({ jobId })
      if (job !== null) runner.output({ status: job.status ?? '' })
    },
    output: (result) => runner.output(outputsOf(result, ports.serverUrl)),
    finish: (result) => finishAgent(ports, result, failOn),
    lastly: (act) => bestEffort(ports, act),
  }
}

/** The permissions that a real run needs. */
function permissionsOfRealRun(inputs: AgentInputs, cause: Cause) {
  if (inputs.githubToken === null) return []
  const isChecked = inputs.allowedPaths.length > 0
  if (cause?.kind === 'thread') return permissionsOf(isChecked || inputs.hold ? 'open-jobs' : 'thread')
  const isSinceLast = inputs.contextDiff === 'since-last' && cause?.branch
  if (isChecked || isSinceLast || cause?.change || cause?.release) return permissionsOf('diff')
  if (inputs.pullRequestLabels.length > 0 || inputs.reviewers.length > 0 || inputs.openLimit !== null) {
    const [, permission] = acts.review
    return [permission]
  }
  return []
}

/** Hooks that prevent the send, and write nothing but what was checked. */
function dryHooks(inputs: AgentInputs, cause: Cause, ports: StepPorts): Hooks {
  return {
    // The post step must not write, either.
    save() {},
    beforeSend(jobId) {
      ports.jobRef.jobId = jobId
      return { problem: null }
    },
    onJob() {},
    output() {},
    async lastly() {},
    async finish(result) {
      if (result.outcome === 'skipped') return finishAgent(ports, result, inputs.failOn)
      const failure = failsStep(result.outcome, new Set()) ? result.problem : null
      await finishDryRun(failure, permissionsOfRealRun(inputs, cause), ports)
    },
  }
}
