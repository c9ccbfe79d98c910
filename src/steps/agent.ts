/** Mode agent: connects its use cases to their adapters, and writes the results. */
import { seal } from '../adapters/sign.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { newJob } from '../core/job.ts'
import { failsStep, type Outcome, type Stop } from '../core/outcome.ts'
import type { Trigger } from '../core/trigger/trigger.ts'
import { nowhere } from '../record/place.ts'
import { planEvent } from '../request/event.ts'
import type { Hooks, Plan } from '../run/plan.ts'
import { carryOut } from '../run/run.ts'
import { outputsOf } from '../say/outputs.ts'
import { promptBlock } from '../say/summary.ts'
import type { StepContext } from './context.ts'
import { bestEffort, finish, finishDryRun } from './finish.ts'
import { createStepPorts, type StepPorts } from './ports.ts'

/** Runs the agent for what the event asks for. @param trigger null if the step only waits for a job */
export async function runAgentMode(
  given: AgentInputs,
  trigger: Exclude<Trigger, Stop> | null,
  step: StepContext,
): Promise<void> {
  // A dry run does not wait for a job.
  const inputs = given.dryRun ? { ...given, wait: false } : given
  const ports = createStepPorts(inputs, step)
  const run = async (plan: Plan | Stop) => {
    const hooks = hooksOf(ports, inputs.failOn)
    await carryOut(plan, { ...ports, hooks: inputs.dryRun ? dryHooks(hooks, ports) : hooks })
  }
  // Any event can run a step that only waits for a job, because such a step starts nothing.
  if (trigger === null) return run(planWait(inputs))
  if (trigger.kind === 'thread') {
    // Other triggers do not need this code, so they do not load it.
    const { planCommand } = await import('../request/command.ts')
    return run(await planCommand(inputs, trigger, ports))
  }
  await run(await planEvent(inputs, trigger, ports))
}

/** Plans to wait for the job in `job-id`. Nothing is requested, so nothing is recorded. */
function planWait(inputs: AgentInputs): Plan {
  return {
    inputs,
    place: nowhere,
    isFirst: true,
    ask: async () => null,
    choose: async () => newJob,
  }
}

/** What the step writes for later steps, for people, and for the post step. */
function hooksOf(ports: StepPorts, failOn: ReadonlySet<Outcome>): Hooks {
  const { runner, jobRef, sign } = ports
  return {
    save: (checkpoint) => {
      runner.save('reply', checkpoint === null ? '' : seal(JSON.stringify(checkpoint), sign))
    },
    beforeSend: (jobId) => {
      jobRef.jobId = jobId
      const sending = jobId === null ? 'create' : 'message'
      const isSaved = runner.save('jobId', jobId ?? '') && runner.save('sending', sending)
      return isSaved ? null : { problem: { kind: 'unsaved-state' } }
    },
    onJob(jobId, job) {
      jobRef.jobId = jobId
      runner.save('jobId', jobId)
      runner.save('sending', '')
      runner.output({ jobId, ...(job !== null && { status: job.status ?? '' }) })
    },
    output: (result) => runner.output(outputsOf(result)),
    finish: (result) => finish(ports, result, failOn),
    lastly: (act) => bestEffort(ports, act),
  }
}

/** Hooks that prevent the send, and write nothing but what was checked. */
function dryHooks(hooks: Hooks, ports: StepPorts): Hooks {
  return {
    // The post step must not write, either.
    save: () => {},
    beforeSend: (jobId) => {
      ports.jobRef.jobId = jobId
      return { problem: null }
    },
    onJob: () => {},
    output: () => {},
    lastly: async () => {},
    async finish(result) {
      if (result.outcome === 'skipped') return hooks.finish(result)
      const problem = failsStep(result.outcome, new Set()) ? result.problem : null
      await finishDryRun({ problem, details: [promptBlock(result)] }, ports)
    },
  }
}
