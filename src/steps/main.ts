/** The main step: checks its inputs, and hands them to their mode. */
import { parseInputs } from '../core/inputs/inputs.ts'
import type { InputName } from '../core/inputs/schema.ts'
import type { Problem } from '../core/problem.ts'
import type { ReadProxies } from '../core/proxy.ts'
import { whySecretsAreWithheld } from '../core/trigger/event.ts'
import { isCommentEvent } from '../core/trigger/trigger.ts'
import { withoutJob } from '../usecases/memory.ts'
import { finish, runAgentMode } from './agent.ts'
import type { StepContext } from './context.ts'

/** Runs the step to its end. Never throws: what nobody expected becomes the step's error. */
export async function runMain(
  raw: Readonly<Record<InputName, string>>,
  proxies: ReadProxies,
  step: StepContext,
): Promise<void> {
  try {
    const withheld = raw['api-key'] === '' ? whySecretsAreWithheld(step.event) : undefined
    if (withheld !== undefined) return await end(step, 'skipped', { type: 'secrets-withheld', why: withheld })
    const parsed = parseInputs(raw, { isComment: isCommentEvent(step.event), now: step.clock.date() })
    if (!parsed.ok || !proxies.ok) {
      const faults = [...(parsed.ok ? [] : parsed.faults), ...(proxies.ok ? [] : proxies.faults)]
      return await end(step, 'error', { type: 'inputs', faults })
    }
    if (parsed.inputs.mode === 'agent') return await runAgentMode(parsed.inputs, step)
    // Only what a mode needs is loaded for it.
    if (parsed.inputs.mode === 'settle') {
      const { runSettleMode } = await import('./settle.ts')
      return await runSettleMode(parsed.inputs, step)
    }
    const { runVisitorsMode } = await import('./visitors.ts')
    await runVisitorsMode(parsed.inputs, step)
  } catch (error) {
    // Nobody expected this. The stack is for us; a job that there is already is not lost over it.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await end(step, 'error', { type: 'defect', text })
  }
}

/** Ends a step that came to no job and no report, or broke on the way. */
async function end(step: StepContext, outcome: 'skipped' | 'error', problem: Problem): Promise<void> {
  await finish(step, { ...withoutJob(outcome, problem), jobId: step.jobRef.jobId })
}
