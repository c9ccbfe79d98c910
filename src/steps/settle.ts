/** Mode settle: connects its use case to the adapters, and writes the results. */
import type { SettleInputs } from '../core/inputs/inputs.ts'
import { failsSettling } from '../core/settle.ts'
import { pullOfEvent } from '../core/trigger/event.ts'
import { readRequestId } from '../core/trigger/request-id.ts'
import { outputNames, settleOutputs } from '../render/outputs.ts'
import { describeSettled, jobBlocks, settleSummary } from '../render/settle.ts'
import { settle } from '../usecases/settle.ts'
import type { ThreadRequestRef } from '../usecases/thread-store.ts'
import { type StepContext, stateKeys } from './context.ts'
import { createStepPorts } from './ports.ts'
import { threadWords } from './words.ts'

/** Runs mode settle. */
export async function runSettleMode(inputs: SettleInputs, step: StepContext): Promise<void> {
  const { runner, jobRef, repository, serverUrl, event } = step
  const { command, dryRun, failOn } = inputs
  const home = { repository, pull: pullOfEvent(event) }
  const ports = createStepPorts(inputs, step)
  const result = await settle(inputs, home, {
    ...ports,
    wordsFor: (ref) => threadWords({ command }, askedBy(ref, serverUrl), step),
  })
  if (dryRun) {
    const blocks = jobBlocks(result, serverUrl)
    const details =
      blocks.length === 0 ? [] : ['Without `dry-run`, this run would have done this:', ...blocks]
    const { finishDryRun } = await import('./dry-run.ts')
    return finishDryRun({ problem: result.problem, details }, ports, step)
  }
  const outputs = settleOutputs(result)
  for (const name of outputNames) runner.output(name, outputs[name])
  for (const entry of describeSettled(result, jobRef, failOn, serverUrl)) runner.log(entry)
  await runner.summary(settleSummary(result, jobRef, serverUrl))
  runner.save(stateKeys.finished, 'true')
  if (failsSettling(result, failOn)) runner.fail()
}

/** The requester and the link of a request, from its mark. */
function askedBy({ thread, request, by }: ThreadRequestRef, serverUrl: string) {
  if (by === null) return null
  const { repository, number, isPullRequest, reviewRoot } = thread
  const at = `${serverUrl}/${repository}/${isPullRequest ? 'pull' : 'issues'}/${number}`
  const asked = readRequestId(request)
  if (asked === null || asked.kind === 'label') return { login: by, url: at }
  const comment = reviewRoot === null ? 'issuecomment-' : 'discussion_r'
  return { login: by, url: `${at}#${asked.kind === 'review' ? 'pullrequestreview-' : comment}${asked.id}` }
}
