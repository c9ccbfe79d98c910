/** The main step: checks the inputs and runs the selected mode. */
import { modeOf, parseInputs, readTriggerRules, textOf } from '../core/inputs/inputs.ts'
import type { RawInputs } from '../core/inputs/schema.ts'
import { agentResult } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { whySecretsAreWithheld } from '../core/trigger/event.ts'
import { isCommentEvent, readTrigger } from '../core/trigger/trigger.ts'
import { runAgentMode } from './agent.ts'
import type { StepContext } from './context.ts'
import { finish } from './finish.ts'

/** Runs the step. Never throws: after an unexpected error, the outcome is `error`. */
export async function runMain(raw: RawInputs, step: StepContext): Promise<void> {
  try {
    const why = textOf(raw, 'api-key') === null ? whySecretsAreWithheld(step.event) : undefined
    if (why !== undefined) return await end(step, 'skipped', { kind: 'secrets-withheld', why })
    const rules = readTriggerRules(raw)
    const trigger = rules && readTrigger(step.event, rules)
    // The other inputs of such a step do not matter.
    if (trigger?.kind === 'stop') return await end(step, trigger.outcome, trigger.problem)
    // Modes visitors and settle are only loaded when they run.
    const visitors = modeOf(raw) === 'visitors' ? await import('./visitors.ts') : null
    const parsed = parseInputs(raw, {
      isComment: isCommentEvent(step.event),
      now: step.clock.date(),
      sections: visitors?.sectionNames ?? [],
    })
    const faults = [...(parsed.ok ? [] : parsed.failure), ...step.proxyFaults]
    if (!parsed.ok || faults.length > 0) return await end(step, 'error', { kind: 'inputs', faults })
    const inputs = parsed.value
    if (inputs.mode === 'agent') return await runAgentMode(inputs, trigger, step)
    if (inputs.mode === 'visitors') return await visitors?.runVisitorsMode(inputs, step)
    const { runSettleMode } = await import('./settle.ts')
    await runSettleMode(inputs, step)
  } catch (error) {
    // This is a bug. The stack helps to find it, and `end` keeps the id of a job that already exists.
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await end(step, 'error', { kind: 'defect', in: 'code', stack })
  }
}

/** Ends a step that stops before it has a job or report, or that hits a bug. */
async function end(step: StepContext, outcome: 'skipped' | 'error', problem: Problem): Promise<void> {
  const delivery = problem.kind === 'defect' ? 'uncertain' : 'not-sent'
  await finish(step, { ...agentResult(outcome, problem), jobId: step.jobRef.jobId, delivery })
}
