/** Mode settle: connects its use case to the adapters, and writes the results. */
import type { SettleInputs } from '../core/inputs/schema.ts'
import { failsSettling } from '../core/outcome.ts'
import { pullOfEvent } from '../core/trigger/event.ts'
import { settle } from '../run/settle.ts'
import { settleOutputs } from '../say/outputs.ts'
import { jobBlocks, settleEntries, settleSummary } from '../say/settle.ts'
import type { StepContext } from './context.ts'
import { finishDryRun, writeEnd } from './finish.ts'
import { createStepPorts } from './ports.ts'

/** Runs mode settle. */
export async function runSettleMode(inputs: SettleInputs, step: StepContext): Promise<void> {
  const { serverUrl, event } = step
  const { dryRun, failOn } = inputs
  const ports = createStepPorts(inputs, step)
  const result = await settle({ inputs, pull: pullOfEvent(event), ports })
  if (dryRun) {
    const blocks = jobBlocks(result, serverUrl)
    const details =
      blocks.length === 0 ? [] : ['Without `dry-run`, this run would have done this:', ...blocks]
    return finishDryRun({ problem: result.problem, details }, ports)
  }
  await writeEnd(step, {
    outputs: settleOutputs(result),
    entries: settleEntries(result, failOn, serverUrl),
    summary: settleSummary(result, serverUrl),
    isFailed: failsSettling(result, failOn),
  })
}
