/** Mode settle: settles open requests, and writes the results. */
import type { SettleInputs } from '../core/inputs/schema.ts'
import { failsSettling } from '../core/outcome.ts'
import { pullOfEvent } from '../core/trigger/event.ts'
import { settle } from '../run/settle.ts'
import { settleOutputs } from '../say/outputs.ts'
import { permissionsOf } from '../say/rejections.ts'
import { settleEnding } from '../say/settle.ts'
import type { StepContext } from './context.ts'
import { finishDryRun, writeEnd } from './finish.ts'
import { createStepPorts } from './ports.ts'

/** Runs mode settle. */
export async function runSettleMode(inputs: SettleInputs, step: StepContext) {
  const { failOn } = inputs
  const ports = createStepPorts(inputs, step)
  await ports.github.viewer()
  const pull = pullOfEvent(step.event)
  const result = await settle({ inputs, pull, ports })
  // Unless the event is a pull request's, GraphQL has listed commits. Only REST names the permission of a request.
  if (pull === null && result.problem === null) ports.accepted.add('contents=read')
  if (inputs.dryRun) return finishDryRun(result.problem, permissionsOf('open-jobs'), ports)
  await writeEnd(step, {
    cause: result,
    ...settleEnding(result, failOn, step.serverUrl),
    outputs: settleOutputs(result, step.serverUrl),
    isFailed: failsSettling(result, failOn),
  })
}
