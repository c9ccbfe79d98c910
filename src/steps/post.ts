/** The post step: reports for a main step that was killed. It sends nothing to the platform. */
import { createGitHubPorts } from '../adapters/github/github.ts'
import { readSaved } from '../adapters/runner.ts'
import { signWith, unseal } from '../adapters/sign.ts'
import { given } from '../core/inputs/inputs.ts'
import { finishKilled } from '../life/live.ts'
import type { LogEntry } from '../say/messages.ts'
import { createWords } from '../say/replies.ts'
import { killedEnding } from '../say/summary.ts'
import { type StepContext, stateKeys } from './context.ts'
import { bestEffort } from './finish.ts'

/** The raw inputs that the post step needs. The main step has checked them. */
type RawInputs = Record<'command' | 'github-token' | 'api-key', string>

/** Time for GitHub in milliseconds. After a cancel, a few minutes are left at most. */
const githubTime = 60_000

const foreignState = {
  level: 'warning',
  title: 'Thread not updated',
  text: 'The saved state is not from this action: another step of the job set `STATE_reply`.',
} as const

/** Finishes what a killed step left. If the proxy settings are invalid, GitHub is not called. */
export async function runPost(raw: RawInputs, step: StepContext): Promise<void> {
  const { runner, jobRef, proxyFaults } = step
  const reply = readSaved(stateKeys.reply)
  if (reply !== '' && proxyFaults.length === 0) await bestEffort(step, () => endReply(reply, raw, step))
  if (readSaved(stateKeys.finished) !== '') return
  const jobId = readSaved(stateKeys.jobId) || jobRef.jobId
  const { entry, summary } = killedEnding(jobId, readSaved(stateKeys.sending), jobRef)
  runner.log(entry)
  await runner.summary(summary)
}

async function endReply(reply: string, raw: RawInputs, step: StepContext): Promise<void> {
  const { cancelled, clock, runner } = step
  const sign = signWith(raw['api-key'])
  // Without a key, the main step saved nothing, and anyone could make a seal.
  const saved = given(raw, 'api-key') === null ? undefined : unseal(reply, sign)
  if (saved === undefined) return runner.log(foreignState)
  const deadline = clock.now() + githubTime
  const github = createGitHubPorts({ ...step, token: given(raw, 'github-token'), deadline })
  const ports = {
    github,
    clock,
    cancelled,
    sign,
    words: createWords({ ...step.run, serverUrl: step.serverUrl, command: given(raw, 'command') }),
    log: (...entries: LogEntry[]) => entries.forEach(runner.log),
  }
  await finishKilled(JSON.parse(saved), ports)
}
