/** Mode `agent`: from an instruction to what came of it. */

import type { AgentInputs } from '../core/inputs/inputs.ts'
import { type Job, parseJob } from '../core/job/job.ts'
import type { Operation, SendName } from '../core/job/operation.ts'
import { mayHaveArrived } from '../core/job/response.ts'
import type { AgentOutcome } from '../core/outcome.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { assemblePrompt, type Prompt } from '../core/prompt/prompt.ts'
import { containsSecret } from '../core/redact.ts'
import { maskTokens } from '../core/tokens.ts'
import { type Called, call } from './call.ts'
import type { AgentPorts, FileResult, StartedJob } from './ports.ts'
import { waitForJob } from './wait.ts'

/** Creates, continues or resumes a job and, unless told not to, waits for it. */
export async function runAgent(
  inputs: AgentInputs,
  ports: AgentPorts,
  change: ChangeContext | null = null,
): Promise<AgentResult> {
  const start = ports.clock.now()
  let prompt: Prompt | null = null
  const result = (outcome: AgentOutcome, more: Partial<AgentResult> = {}): AgentResult => ({
    outcome,
    jobId: null,
    job: null,
    prompt,
    problem: null,
    changes: null,
    delivery: 'not-sent',
    elapsed: ports.clock.now() - start,
    ...more,
  })

  const composed = await composePrompt(inputs, change, ports)
  if (!composed.ok) return result('error', { problem: { type: 'file', fault: composed.fault } })
  const text = composed.value?.text ?? ''
  const secrets = [
    ['api-key', inputs.apiKey],
    ['github-token', inputs.githubToken],
  ] as const
  const [leaked] = secrets.find(([, secret]) => containsSecret(text, [secret])) ?? []
  if (leaked !== undefined) return result('error', { problem: { type: 'secret-in-prompt', secret: leaked } })
  const masked = maskTokens(text)
  if (masked.count > 0) ports.onProgress({ type: 'tokens-masked', count: masked.count })
  prompt = composed.value === null ? null : { ...composed.value, text: masked.text }
  if (prompt !== null) ports.onProgress({ type: 'prompt', prompt, dryRun: inputs.dryRun })
  if (inputs.dryRun) return result('dry-run', { jobId: inputs.jobId || null })

  const started = await startJob(inputs, prompt, ports)
  if (!started.ok) return result(started.outcome, started)
  const { before } = started
  const { jobId, job, origin } = await ports.journal.job(started)
  ports.onProgress({ type: 'job', jobId, job, origin })
  if (!inputs.wait) return result('detached', { jobId, job, delivery: 'sent' })

  const { projectId, pollInterval: interval } = inputs
  const wait = {
    projectId,
    jobId,
    job,
    before,
    created: origin === 'created',
    interval,
  }
  const waited = await waitForJob(wait, ports)
  return result(waited.outcome, { ...waited, jobId, delivery: 'sent' })
}

const noFile = { ok: true, value: '' } as const

/** The prompt with its context; null where none was given, to wait for a job and say nothing to it. */
async function composePrompt(
  inputs: AgentInputs,
  change: ChangeContext | null,
  { workspace, onProgress }: AgentPorts,
): Promise<FileResult<Prompt | null>> {
  const file = inputs.promptFile === '' ? noFile : await workspace.readText('prompt-file', inputs.promptFile)
  if (!file.ok) return file
  // Only a comment's command brings an instruction beside the file: then the file is the standing one.
  const instruction = [file.value, inputs.prompt].filter((part) => part !== '').join('\n\n')
  if (instruction === '') return { ok: true, value: null }
  const { contextLimit } = inputs
  if (inputs.contextFiles.length === 0)
    return { ok: true, value: assemblePrompt(instruction, [], contextLimit, change) }
  const files = await workspace.readMatching('context-files', inputs.contextFiles, contextLimit)
  if (!files.ok) return files
  if (files.value.length === 0) onProgress({ type: 'no-files', input: 'context-files' })
  return { ok: true, value: assemblePrompt(instruction, files.value, contextLimit, change) }
}

type Started =
  /** `before` is the job as it was before the message; null if none was sent. */
  | ({ ok: true; before: Job | null } & StartedJob)
  | ({ ok: false } & Pick<AgentResult, 'outcome' | 'problem' | 'jobId' | 'job' | 'delivery'>)

async function startJob(
  { projectId, jobId }: AgentInputs,
  prompt: Prompt | null,
  ports: AgentPorts,
): Promise<Started> {
  const tooLate = (job: Job | null): Started => ({
    ok: false,
    outcome: 'error',
    problem: { type: 'too-late' },
    delivery: 'not-sent',
    jobId: jobId || null,
    job,
  })
  // A step that only waits has nothing to send, so its job is what counts.
  if (prompt === null) return { ok: true, jobId, job: null, before: null, origin: 'resumed' }
  if (ports.cancelled.aborted)
    return {
      ok: false,
      outcome: 'cancelled',
      problem: null,
      delivery: 'not-sent',
      jobId: jobId || null,
      job: null,
    }
  if (jobId === '') {
    const create = { name: 'create', projectId, prompt: prompt.text } as const
    if (ports.clock.now() >= ports.deadline) return tooLate(null)
    const created = await send(create, ports)
    if (!created.ok) return { ...notStarted(create, created, ports), jobId: null, job: null }
    return { ok: true, jobId: created.value.id, job: created.value, before: null, origin: 'created' }
  }

  const read: Operation = { name: 'read', projectId, jobId }
  const before = await call({ operation: read, parse: (json) => parseJob(json, jobId) }, ports)
  if (!before.ok) return { ...notStarted(read, before, ports), jobId, job: null }
  if (ports.clock.now() >= ports.deadline) return tooLate(before.value)
  const message = { name: 'message', projectId, jobId, prompt: prompt.text } as const
  const sent = await send(message, ports)
  if (!sent.ok) return { ...notStarted(message, sent, ports), jobId, job: before.value }
  return { ok: true, jobId, job: sent.value, before: before.value, origin: 'continued' }
}

/** What came of a send: the platform's answer, or why nothing was sent. */
type Sent = Called<Job> | { ok: false; unsent: Problem | null }

/** Sends what must not be sent twice, once it is recorded that it is about to be. */
async function send(operation: Extract<Operation, { name: SendName }>, ports: AgentPorts): Promise<Sent> {
  const jobId = operation.name === 'message' ? operation.jobId : undefined
  const recorded = await ports.journal.sending(operation.name)
  if (!recorded.ok) return { ok: false, unsent: recorded.problem }
  if (ports.cancelled.aborted) return { ok: false, unsent: null }
  return call({ operation, parse: (json) => parseJob(json, jobId) }, ports)
}

function notStarted(
  { name }: Operation,
  failed: Extract<Sent, { ok: false }>,
  { cancelled }: AgentPorts,
): { ok: false } & Pick<AgentResult, 'outcome' | 'problem' | 'delivery'> {
  if ('unsent' in failed) {
    const outcome = cancelled.aborted ? 'cancelled' : 'error'
    return { ok: false, outcome, problem: failed.unsent, delivery: 'not-sent' }
  }
  const { failure, attempts } = failed
  const cause = { type: 'platform', operation: name, failure, attempts } as const
  const problem: Problem = name === 'read' ? { type: 'unsent-message', cause } : cause
  const isUncertain = name !== 'read' && mayHaveArrived(failure)
  const outcome = isUncertain ? 'unconfirmed' : 'error'
  return {
    ok: false,
    outcome: cancelled.aborted ? 'cancelled' : outcome,
    problem,
    delivery: isUncertain ? 'uncertain' : 'not-sent',
  }
}
