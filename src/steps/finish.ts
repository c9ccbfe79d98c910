/** The end of a step: its result for later steps and for people. */
import { type Failable, failsStep } from '../core/outcome.ts'
import type { AgentResult, TriggerRef } from '../core/progress.ts'
import { describeResult } from '../say/messages.ts'
import { outputNames, outputsOf } from '../say/outputs.ts'
import { agentSummary } from '../say/summary.ts'
import { type StepContext, stateKeys } from './context.ts'

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
