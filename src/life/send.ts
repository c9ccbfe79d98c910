/** Assembles the prompt, and sends it as a new job or as a follow-up. */

import type { AgentInputs } from '../core/inputs/schema.ts'
import {
  type ChosenJob,
  type Job,
  type JobChoice,
  newJob,
  type Operation,
  parseJob,
} from '../core/job/job.ts'
import { type Failure, isJobRejected, mayHaveArrived } from '../core/job/response.ts'
import type { AgentResult } from '../core/outcome.ts'
import { type Problem, problems } from '../core/problems.ts'
import { assemblePrompt, type ChangeContext, type Prompt } from '../core/prompt/prompt.ts'
import { containsSecret, maskTokens } from '../core/redact.ts'
import { oneLine, paragraphs } from '../core/text.ts'
import { type JobOrigin, say } from '../say/messages.ts'
import { type Ended, failed } from '../usecases/gate.ts'
import { type Called, call, readJob } from '../usecases/jobs.ts'
import type { PlatformPorts, Workspace } from '../usecases/ports.ts'

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
  ports: Pick<PlatformPorts, 'log'> & { workspace: Workspace },
): Promise<Prompt | null | Ended> {
  const { workspace, log } = ports
  const { contextFiles, promptFile } = inputs
  const file = promptFile === null ? null : await workspace.readText('prompt-file', promptFile)
  if (file?.ok === false) return failed(problems.file(file.fault))
  const instructions = paragraphs([file?.value, prompt])
  if (instructions === null) return null
  const files = contextFiles.length === 0 ? null : await workspace.readMatching('context-files', contextFiles)
  if (files?.ok === false) return failed(problems.file(files.fault))
  if (files?.value.length === 0) log(say.noFiles())
  const composed = assemblePrompt(instructions, files?.value ?? [], context)
  const leaked = secretIn(composed.text, inputs)
  if (leaked !== undefined) return failed(leaked)
  const masked = maskTokens(composed.text)
  if (masked.count > 0) log(say.tokensMasked(masked.count))
  return { ...composed, text: masked.text }
}

function secretIn(text: string, { apiKey, githubToken }: AgentInputs): Problem | undefined {
  if (containsSecret(text, [apiKey])) return problems.keyInPrompt()
  return containsSecret(text, [githubToken]) ? problems.tokenInPrompt() : undefined
}

/** A job to record, so that a killed step does not lose it. */
export interface Started {
  jobId: string
  /** As in the platform's response; null if it contained none. */
  job: Job | null
  /** The job before a follow-up; null if there was none. */
  before: Job | null
  origin: JobOrigin
  choice: JobChoice
}

/** Nothing is sent. `problem` is null in a dry run. */
export interface Unsent {
  ok: false
  problem: Problem | null
}

/** A started job, or why nothing was started. */
type Sent =
  | { ok: true; started: Started }
  | { ok: false; result: Pick<AgentResult, 'outcome' | 'problem' | 'jobId' | 'job' | 'delivery'> }

declare const permitted: unique symbol

/** Proof that the request is recorded, or that nothing can be recorded. Nothing is sent without it. */
interface Permit {
  readonly [permitted]: true
}

/** Only the interpreter gives it, after writing the entry. */
export const permit = {} as Permit

/** The permit, or why there is none. `withdrawn`: another run sends the request. */
export type Permitted = { ok: true; permit: Permit } | Unsent | 'withdrawn'

/**
 * Sends a prompt once it is recorded. If Mintlify rejects a follow-up on a thread because of the job, a new job gets the
 * prompt.
 * @param open writes the record, and returns the permit to send
 */
export async function start(
  prompt: Prompt,
  chosen: ChosenJob,
  projectId: string,
  open: (chosen: ChosenJob) => Promise<Permitted>,
  ports: PlatformPorts,
): Promise<Sent | 'withdrawn'> {
  const { jobId } = chosen
  const stop = stopper(jobId, ports)
  if (ports.cancelled.aborted) return stop(null, null)
  const before = jobId === null ? null : await readJob(projectId, jobId, ports)
  // The follow-up was not sent, so the call that failed is not the request.
  if (before?.ok === false && !isReplacedAfter(chosen, before.failure))
    return stop({ ...before.problem, call: null }, null)
  const job = before?.ok ? before.value : null
  if (ports.clock.now() >= ports.deadline) return stop(problems.tooLate(), job)
  const opened = await open(chosen)
  if (opened === 'withdrawn') return opened
  if (!opened.ok) return stop(opened.problem, job)
  if (ports.cancelled.aborted) return stop(null, job)
  const operation = operationFor(prompt, jobId, projectId)
  const sent = await send(opened.permit, operation, ports)
  if (sent.ok) return { ok: true, started: startedBy(chosen, sent.value, job) }
  if (isReplacedAfter(chosen, sent.failure)) {
    ports.log(say.jobOver(jobId ?? '', 'rejected'))
    return start(naming(chosen.link, prompt), { ...newJob, choice: 'replaced' }, projectId, open, ports)
  }
  return stop(sent.problem, job, mayHaveArrived(sent.failure))
}

function startedBy({ jobId, choice }: ChosenJob, job: Job, before: Job | null): Started {
  return { jobId: job.id, job, before, origin: jobId === null ? 'created' : 'continued', choice }
}

function stopper(jobId: string | null, { cancelled }: PlatformPorts) {
  return (problem: Problem | null, job: Job | null, isUncertain = false): Sent => {
    const outcome = isUncertain ? 'unconfirmed' : 'error'
    const delivery = isUncertain ? 'uncertain' : 'not-sent'
    const result = { outcome: cancelled.aborted ? ('cancelled' as const) : outcome, delivery } as const
    return { ok: false, result: { ...result, problem, jobId, job } }
  }
}

function operationFor({ text: prompt }: Prompt, jobId: string | null, projectId: string) {
  if (jobId === null) return { name: 'create', projectId, prompt } as const
  return { name: 'message', projectId, jobId, prompt } as const
}

/** Whether a new job gets the prompt, because Mintlify rejects the job of the thread. */
function isReplacedAfter({ jobId, choice }: ChosenJob, failure: Failure): boolean {
  return jobId !== null && choice === 'thread' && isJobRejected(failure)
}

/** A prompt for a new job that also names the open pull request of the earlier one, if there is one. */
function naming(link: string | null, prompt: Prompt): Prompt {
  if (link === null) return prompt
  const note = `An earlier request here has an open pull request, ${oneLine(link)}. Do not repeat or undo its changes.`
  return { ...prompt, text: `${note}\n\n${prompt.text}` }
}

/** Sends what must not be sent twice. The permit proves that it is recorded. */
function send(_: Permit, operation: Operation, ports: PlatformPorts): Promise<Called<Job>> {
  const jobId = operation.name === 'message' ? operation.jobId : undefined
  return call({ operation, parse: (json) => parseJob(json, jobId) }, ports)
}
