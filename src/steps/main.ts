/** The main step: checks the event and the inputs, and runs the selected mode. */
import { parseInputs, readTriggerRules, textOf } from '../core/inputs/inputs.ts'
import type { RawInputs } from '../core/inputs/schema.ts'
import { agentResult, fail, type Stop, stop } from '../core/outcome.ts'
import { whySecretsAreWithheld } from '../core/trigger/event.ts'
import { isCommentEvent, readTrigger } from '../core/trigger/trigger.ts'
import { runAgentMode } from './agent.ts'
import type { StepContext } from './context.ts'
import { finishAgent } from './finish.ts'

/** Runs the step. Never throws: after an unexpected error, the outcome is `error`. */
export async function runMain(raw: RawInputs, step: StepContext) {
  try {
    await runMode(raw, step)
  } catch (error) {
    // This is a bug. The stack helps to find it.
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    await endEarly(step, fail({ kind: 'defect', stack }))
  }
}

async function runMode(raw: RawInputs, step: StepContext) {
  const trigger = triggerOf(raw, step)
  // The other inputs of such a step do not matter.
  if (trigger?.kind === 'stop') return endEarly(step, trigger)
  const parsed = parseInputs(raw, {
    isComment: isCommentEvent(step.event),
    now: step.clock.date(),
  })
  const faults = parsed.ok ? step.proxyFaults : [...parsed.failure, ...step.proxyFaults]
  if (!parsed.ok || faults.length > 0) return endEarly(step, fail({ kind: 'inputs', faults }))
  const inputs = parsed.value
  if (inputs.mode === 'agent') return runAgentMode(inputs, trigger, step)
  // Modes visitors and settle are only loaded when they run.
  if (inputs.mode === 'visitors') {
    const { runVisitorsMode } = await import('./visitors.ts')
    return runVisitorsMode(inputs, step)
  }
  const { runSettleMode } = await import('./settle.ts')
  await runSettleMode(inputs, step)
}

/** What the event asks for; null if it does not matter. */
function triggerOf(raw: RawInputs, { event }: StepContext) {
  const withheld = textOf(raw, 'api-key') === null ? whySecretsAreWithheld(event) : undefined
  if (withheld !== undefined) return stop('skipped', { kind: 'secrets-withheld', why: withheld })
  const rules = readTriggerRules(raw)
  return rules && readTrigger(event, rules)
}

/** Ends a step that stops before it has a job or report, or that hits a bug. The id of a job that already exists is kept. */
async function endEarly(step: StepContext, { outcome, problem }: Stop) {
  const { jobId } = step.jobRef
  const delivery = problem.kind === 'defect' ? 'uncertain' : 'not-sent'
  await finishAgent(step, agentResult(outcome, problem, { jobId, delivery }))
}
