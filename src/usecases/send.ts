/** Assembles the prompt, and sends it as a new job or as a follow-up. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import { type Job, parseJob } from '../core/job/job.ts'
import type { Operation } from '../core/job/operation.ts'
import { mayHaveArrived, type Reply } from '../core/job/response.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult, JobOrigin } from '../core/progress.ts'
import { assemblePrompt, type ChangeContext, type Prompt } from '../core/prompt/prompt.ts'
import { containsSecret } from '../core/redact.ts'
import { paragraphs } from '../core/text.ts'
import { maskTokens } from '../core/tokens.ts'
import { call } from './call.ts'
import { type Ended, failed } from './ended.ts'
import { readJob } from './jobs.ts'
import type { PlatformPorts, Workspace } from './ports.ts'
import type { Opened, Permit } from './store.ts'

/** What a request asks for, before files from the workspace are added. */
export interface Asking {
  /** The prompt, without `prompt-file`; null if there is none. */
  prompt: string | null
  context: ChangeContext | null
}

/** The prompt with its context; null if the step has none, and so only waits. It never contains a secret. */
export async function composePrompt(
  { prompt, context }: Asking,
  inputs: AgentInputs,
  ports: Pick<PlatformPorts, 'onProgress'> & { workspace: Workspace },
): Promise<Prompt | null | Ended> {
  const { workspace, onProgress } = ports
  const { contextFiles, promptFile } = inputs
  const file = promptFile === null ? null : await workspace.readText('prompt-file', promptFile)
  if (file?.ok === false) return failed({ type: 'file', fault: file.fault })
  const instructions = paragraphs([file?.value, prompt])
  if (instructions === null) return null
  const files = contextFiles.length === 0 ? null : await workspace.readMatching('context-files', contextFiles)
  if (files?.ok === false) return failed({ type: 'file', fault: files.fault })
  if (files?.value.length === 0) onProgress({ type: 'no-files', input: 'context-files' })
  const composed = assemblePrompt(instructions, files?.value ?? [], context)
  const leaked = secretIn(composed.text, inputs)
  if (leaked !== undefined) return failed({ type: 'secret-in-prompt', secret: leaked })
  const masked = maskTokens(composed.text)
  if (masked.count > 0) onProgress({ type: 'tokens-masked', count: masked.count })
  return { ...composed, text: masked.text }
}

function secretIn(
  text: string,
  { apiKey, githubToken }: AgentInputs,
): 'api-key' | 'github-token' | undefined {
  if (containsSecret(text, [apiKey])) return 'api-key'
  return containsSecret(text, [githubToken]) ? 'github-token' : undefined
}

/** A job to record, so that a killed step does not lose it. */
export interface Started {
  jobId: string
  /** As in the platform's response; null if it contained none. */
  job: Job | null
  /** The job before a follow-up; null if there was none. */
  before: Job | null
  origin: JobOrigin
}

/** Nothing is sent. `problem` is null in a dry run. */
export interface Unsent {
  ok: false
  problem: Problem | null
}

/** A started job, or why nothing was started. */
export type Sent =
  | { ok: true; started: Started }
  | { ok: false; result: Pick<AgentResult, 'outcome' | 'problem' | 'jobId' | 'job' | 'delivery'> }

/**
 * Sends a prompt once it is recorded.
 * @param jobId the job that gets it; null for a new one
 * @param record writes the record, and returns the permit to send
 */
export async function start(
  { text }: Prompt,
  jobId: string | null,
  projectId: string,
  record: () => Promise<Opened | Unsent>,
  ports: PlatformPorts,
): Promise<Sent> {
  const stop = (problem: Problem | null, job: Job | null, isUncertain = false): Sent => {
    const outcome = isUncertain ? 'unconfirmed' : 'error'
    const delivery = isUncertain ? 'uncertain' : 'not-sent'
    const result = { outcome: ports.cancelled.aborted ? ('cancelled' as const) : outcome, delivery } as const
    return { ok: false, result: { ...result, problem, jobId, job } }
  }
  if (ports.cancelled.aborted) return stop(null, null)
  const before = jobId === null ? null : await readJob(projectId, jobId, ports)
  if (before?.ok === false) {
    const cause = { type: 'platform', operation: 'read', failure: before.failure } as const
    return stop({ type: 'unsent-message', cause }, null)
  }
  const job = before?.value ?? null
  if (ports.clock.now() >= ports.deadline) return stop({ type: 'too-late' }, job)
  const recorded = await record()
  if (!recorded.ok) return stop(recorded.problem, job)
  if (ports.cancelled.aborted) return stop(null, job)
  const operation: Operation =
    jobId === null
      ? { name: 'create', projectId, prompt: text }
      : { name: 'message', projectId, jobId, prompt: text }
  const sent = await send(recorded.permit, operation, ports)
  if (!sent.ok) {
    const problem = { type: 'platform', operation: operation.name, failure: sent.failure } as const
    return stop(problem, job, mayHaveArrived(sent.failure))
  }
  const origin = jobId === null ? 'created' : 'continued'
  return { ok: true, started: { jobId: sent.value.id, job: sent.value, before: job, origin } }
}

/** Sends what must not be sent twice. The permit proves that it is recorded. */
function send(_: Permit, operation: Operation, ports: PlatformPorts): Promise<Reply<Job>> {
  const jobId = operation.name === 'message' ? operation.jobId : undefined
  return call({ operation, parse: (json) => parseJob(json, jobId) }, ports)
}
