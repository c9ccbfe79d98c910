/** Mode agent: connects its use cases to their adapters, and writes the results. */
import { seal } from '../adapters/sign.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { newJob } from '../core/job.ts'
import { type Ended, failsStep } from '../core/outcome.ts'
import type { Trigger } from '../core/trigger/trigger.ts'
import { nowhere } from '../record/place.ts'
import { planEvent } from '../request/event.ts'
import { type Host, live, type Plan } from '../run/live.ts'
import { promptBlock } from '../say/ending.ts'
import { outputsOf } from '../say/outputs.ts'
import type { StepContext } from './context.ts'
import { bestEffort, finish, finishDryRun } from './finish.ts'
import { createStepPorts, type StepPorts } from './ports.ts'

/** What started the step; null if it only waits for a job. */
type Cause = Exclude<Trigger, Ended> | null

/** Runs the agent for what the event asks for. */
export async function runAgentMode(given: AgentInputs, cause: Cause, step: StepContext) {
  // A dry run does not wait for a job.
  const inputs = { ...given, wait: given.wait && !given.dryRun }
  const ports = createStepPorts(inputs, step)
  const plan = await planFor(inputs, cause, ports)
  const host = inputs.dryRun ? dryHost(inputs, ports) : hostOf(inputs, ports)
  await live(plan, { ...ports, host })
}

async function planFor(inputs: AgentInputs, cause: Cause, ports: StepPorts): Promise<Plan | Ended> {
  // Any event can run a step that only waits for a job, because such a step starts nothing.
  if (cause === null) return planWait(inputs)
  if (cause.kind === 'event') return planEvent(inputs, cause, ports)
  // Other triggers do not need this code, so they do not load it.
  const { planCommand } = await import('../request/command.ts')
  return planCommand(inputs, cause, ports)
}

/** Plans to wait for the job in `job-id`. Nothing is requested, so nothing is recorded. */
function planWait(inputs: AgentInputs): Plan {
  return {
    kind: 'plan',
    inputs,
    place: nowhere,
    isFirst: true,
    ask: async () => null,
    choose: async () => newJob,
  }
}

/** What the step writes for later steps, for people, and for the post step. */
function hostOf({ failOn }: AgentInputs, ports: StepPorts): Host {
  const { runner, jobRef, sign } = ports
  return {
    save(saved) {
      runner.save('reply', saved === null ? '' : seal(JSON.stringify(saved), sign))
    },
    sending(jobId) {
      jobRef.jobId = jobId
      const sending = jobId === null ? 'create' : 'message'
      if (runner.save('jobId', jobId ?? '') && runner.save('sending', sending)) return null
      return { problem: { kind: 'unsaved-state' } }
    },
    started(jobId, job) {
      jobRef.jobId = jobId
      runner.save('jobId', jobId)
      runner.save('sending', '')
      runner.output({ jobId })
      if (job !== null) runner.output({ status: job.status ?? '' })
    },
    output: (result) => runner.output(outputsOf(result)),
    finish: (result) => finish(ports, result, failOn),
    lastly: (act) => bestEffort(ports, act),
  }
}

/** A host that prevents the send, and writes nothing but what was checked. */
function dryHost({ failOn }: AgentInputs, ports: StepPorts): Host {
  return {
    // The post step must not write, either.
    save() {},
    sending(jobId) {
      ports.jobRef.jobId = jobId
      return { problem: null }
    },
    started() {},
    output() {},
    async lastly() {},
    async finish(result) {
      const { outcome, problem } = result
      if (outcome === 'skipped') return finish(ports, result, failOn)
      const isFailed = failsStep(outcome, new Set())
      await finishDryRun(isFailed ? problem : null, [promptBlock(result)], ports)
    },
  }
}
