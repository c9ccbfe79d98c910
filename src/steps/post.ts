/** The post step: what a main step that was killed could not say any more. It sends the platform nothing. */
import { createGitHub } from '../adapters/github/github.ts'
import { readSaved } from '../adapters/runner.ts'
import { describeKilled, killedSummary } from '../render/killed.ts'
import { killedReply } from '../render/reply.ts'
import type { Reply } from '../usecases/command.ts'
import type { StepContext } from './context.ts'
import { stateKeys } from './state-keys.ts'

/** The raw inputs that the post step looks at: the main step has found fault with them, if there was any. */
type RawInputs = Record<'command' | 'github-token', string>

/** @param isOnline whether the proxies' settings can be used: without them GitHub is not spoken to */
export async function runPost(raw: RawInputs, stage: StepContext, isOnline: boolean): Promise<void> {
  const { runner, jobRef, uses } = stage
  const reply = readSaved(stateKeys.reply)
  if (reply !== '' && isOnline) await finishReply(JSON.parse(reply), raw, stage)
  if (readSaved(stateKeys.finished) !== '') return
  const jobId = readSaved(stateKeys.jobId) || jobRef.jobId
  const left = { jobId, sending: readSaved(stateKeys.sending) }
  const step = { uses, ...jobRef }
  runner.log(describeKilled(left, step))
  await runner.summary(killedSummary(left, step))
}

/** Ends a reply that a killed step left at “working”; the marker stays, so that the conversation can go on. */
async function finishReply({ thread, id, marker }: Reply, raw: RawInputs, stage: StepContext): Promise<void> {
  const { apiUrl, proxy, cancelled, runUrl } = stage
  const github = createGitHub({ token: raw['github-token'], apiUrl, proxy, cancelled })
  const text = killedReply({ command: raw.command, runUrl }, readSaved(stateKeys.jobId) || null)
  await github.edit(thread, id, marker === '' ? text : `${text}\n\n${marker}`)
}
