/** Mode `settle`: gives its use case the adapters, and writes what it returns. */
import type { SettleInputs } from '../core/inputs/inputs.ts'
import { failsSettling } from '../core/settle.ts'
import { pullOfEvent } from '../core/trigger/event.ts'
import { outputNames, settleOutputs } from '../render/outputs.ts'
import { describeSettled, settleSummary } from '../render/settle.ts'
import { settle } from '../usecases/settle.ts'
import type { ThreadRequestRef } from '../usecases/thread-store.ts'
import type { StepContext } from './context.ts'
import { createStepPorts } from './ports.ts'
import { stateKeys } from './state-keys.ts'
import { noticeWords, pullWords, statusWords, threadWords } from './words.ts'

/** Finishes what earlier runs left open. */
export async function runSettleMode(inputs: SettleInputs, step: StepContext): Promise<void> {
  const { runner, jobRef, repository, serverUrl, event } = step
  const home = { repository, pull: pullOfEvent(event) }
  const result = await settle(inputs, home, {
    ...createStepPorts(inputs, step),
    words: { ...pullWords(inputs, step), ...noticeWords(inputs) },
    wordsFor: (ref) => threadWords(inputs, askedBy(ref, serverUrl), step),
    statusWords: statusWords(step),
  })
  const outputs = settleOutputs(result)
  for (const name of outputNames) runner.output(name, outputs[name])
  for (const entry of describeSettled(result, jobRef, inputs.failOn, serverUrl)) runner.log(entry)
  await runner.summary(settleSummary(result, jobRef, serverUrl))
  runner.save(stateKeys.finished, 'true')
  if (failsSettling(result, inputs.failOn)) runner.fail()
}

/** Who asked, and where, as the mark of the request tells. */
function askedBy({ thread, comment, by }: ThreadRequestRef, serverUrl: string) {
  if (by === null) return null
  const { repository, number, isPullRequest, reviewRoot } = thread
  const at = `${serverUrl}/${repository}/${isPullRequest ? 'pull' : 'issues'}/${number}`
  if (comment === null) return { login: by, url: at }
  return { login: by, url: `${at}#${reviewRoot === null ? 'issuecomment-' : 'discussion_r'}${comment}` }
}
