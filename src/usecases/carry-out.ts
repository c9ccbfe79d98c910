/**
 * The life of a request, from reading it to reporting the result. The order of steps is the same for threads and
 * commits, for first runs and re-runs. Mode settle continues from the same records.
 */
import type { AgentInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job/job.ts'
import type { SendName } from '../core/job/operation.ts'
import { isJobRejected } from '../core/job/response.ts'
import { type ChosenJob, newJob } from '../core/job-choice.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import { nextForRun, type RunStep } from '../core/record.ts'
import { oneLine } from '../core/text.ts'
import { listLag } from './comments.ts'
import type { Ended } from './ended.ts'
import type { AgentPorts, Workspace } from './ports.ts'
import { reviewChanges } from './review.ts'
import { type Asking, composePrompt, type Started, start, type Unsent } from './send.ts'
import type { Opened, Store } from './store.ts'
import { waitForJob } from './wait.ts'

/** A request to carry out. */
export interface Plan {
  kind: 'plan'
  inputs: AgentInputs
  isRerun: boolean
  store: Store
  /** Reads what is asked for, and the context from GitHub. */
  ask(): Promise<Asking | Ended>
  /** Chooses the job; null for a new one. */
  choose(): Promise<ChosenJob | Ended>
  /** Reports the result on the pull requests that it is about. */
  announce(result: AgentResult): Promise<void>
}

/** What the step writes on its runner. */
export interface Host {
  /**
   * Saves the operation that is about to be sent, for the post step. Otherwise, nothing is sent: `problem` says why, and
   * is null in a dry run.
   */
  sending(operation: SendName, jobId: string | null): { ok: true } | Unsent
  /** Saves the job for the post step and later steps. */
  started(started: Started): Promise<void>
  /** Writes the outputs immediately, so that a killed step does not lose the link. */
  output(result: AgentResult): void
  /** Writes the log, the summary and the exit code. Only work on GitHub comes after it. */
  finish(result: AgentResult): Promise<void>
  /** Finishes work on GitHub. An error there does not change the result. */
  lastly(act: () => Promise<void>): Promise<void>
}

export interface LifePorts extends AgentPorts {
  workspace: Workspace
  host: Host
}

/** Milliseconds between attempts to record a job. */
const retryRecord = 60_000

/** Carries a request out until the deadline, and reports the result. If the request has already ended, only finishes the step. */
export async function carryOut(plan: Plan | Ended, ports: LifePorts): Promise<AgentResult> {
  if (plan.kind === 'ended') {
    const result = stopped(plan.outcome, plan.problem, ports)
    await ports.host.finish(result)
    return result
  }
  const { inputs } = plan
  const begun = ports.clock.now()
  const found = await findNext(plan, ports)
  if (found.do === 'repeat') return repeat(found.ended, ports)
  const { result, head } =
    found.do === 'wait' ? await resume(found.job, plan, ports) : await begin(found, plan, ports)
  const timed = { ...result, elapsed: ports.clock.now() - begun }
  ports.host.output(timed)
  const reviewed = await reviewChanges(timed, inputs.allowedPaths, inputs, ports, head)
  await ports.host.finish(reviewed)
  await ports.host.lastly(async () => {
    await plan.announce(reviewed)
    // The record ends last: if the run is killed before that, the next run repeats all of this.
    await plan.store.end(reviewed)
  })
  return reviewed
}

type Found = RunStep | { do: 'stop'; problem: Problem }

/** What comes next after earlier runs. A re-run looks twice, because GitHub's lists lag. */
async function findNext({ store, isRerun }: Plan, { clock, cancelled }: LifePorts): Promise<Found> {
  for (let looks = isRerun ? 2 : 1; ; looks--) {
    const known = await store.find()
    if (known.kind === 'ended') return { do: 'stop', problem: known.problem }
    const step = nextForRun(known)
    if (step.do === 'repeat' || looks === 1) return step
    await clock.sleep(listLag, cancelled)
  }
}

/** Repeats a reported result, without sending or changing anything. */
async function repeat(
  { outcome, job: jobId, prLink }: Extract<RunStep, { do: 'repeat' }>['ended'],
  { host }: LifePorts,
): Promise<AgentResult> {
  const job: Job | null = jobId === null ? null : { ...unread, id: jobId, prLink }
  const problem: Problem = { type: 'reported', outcome }
  const result = { ...withoutJob(outcome, problem), jobId, job, delivery: 'sent' as const }
  host.output(result)
  await host.finish(result)
  return result
}

const unread = { status: null, repository: null, ref: null, model: null, createdAt: null, archivedAt: null }

/** The result of a request. `head`: the last commit of its pull request before a follow-up; null if there was none. */
interface Carried {
  result: AgentResult
  head: string | null
}

async function resume(jobId: string, plan: Plan, ports: LifePorts): Promise<Carried> {
  const job = { jobId, job: null, before: null, origin: 'resumed' } as const
  return { result: await follow(job, null, plan, ports), head: null }
}

/** Sends the request unless something prevents it, and waits for its job. */
async function begin(
  found: Exclude<Found, { do: 'repeat' | 'wait' }>,
  plan: Plan,
  ports: LifePorts,
): Promise<Carried> {
  const ended = (result: AgentResult): Carried => ({ result, head: null })
  if (found.do === 'stop') return ended(stopped('error', found.problem, ports))
  if (found.do === 'give-up') return ended(stopped('unconfirmed', { type: found.why }, ports))
  const asking = await plan.ask()
  if ('kind' in asking) return ended(stopped(asking.outcome, asking.problem, ports))
  const prompt = await composePrompt(asking, plan.inputs, ports)
  if (prompt !== null && 'kind' in prompt) return ended(stopped('error', prompt.problem, ports))
  const chosen = await plan.choose()
  if ('kind' in chosen) return ended({ ...stopped(chosen.outcome, chosen.problem, ports), prompt })
  const { jobId } = chosen
  if (prompt !== null) ports.onProgress({ type: 'prompt', prompt, jobId })
  if (prompt === null) {
    if (jobId !== null) return resume(jobId, plan, ports)
    return ended(stopped('error', { type: 'no-prompt', command: null, isHelp: false }, ports))
  }
  return send(chosen, prompt, plan, ports)
}

/**
 * Sends the prompt, and waits for its job. If Mintlify rejects a follow-up on a thread because of the job, a new job
 * gets the prompt.
 */
async function send(chosen: ChosenJob, prompt: Prompt, plan: Plan, ports: LifePorts): Promise<Carried> {
  const { jobId, choice, link, head } = chosen
  const { projectId } = plan.inputs
  const sent = await start(prompt, jobId, projectId, () => record(chosen, plan.store, ports), ports)
  if (sent.ok) return { result: await follow(sent.started, prompt, plan, ports), head }
  const { problem } = sent.result
  const isRejected =
    problem?.type === 'platform' && problem.operation === 'message' && isJobRejected(problem.failure)
  if (choice !== 'thread' || jobId === null || !isRejected)
    return { result: { ...withoutJob('error', null), prompt, ...sent.result }, head: null }
  ports.onProgress({ type: 'job-over', jobId, status: 'rejected' })
  return send({ ...newJob, choice: 'replaced' }, naming(link, prompt), plan, ports)
}

/** A prompt for a new job that also names the open pull request of the earlier one, if there is one. */
function naming(link: string | null, prompt: Prompt): Prompt {
  if (link === null) return prompt
  const note = `An earlier request here has an open pull request, ${oneLine(link)}. Do not repeat or undo its changes.`
  return { ...prompt, text: `${note}\n\n${prompt.text}` }
}

/** Records the request before it is sent, for later runs and for the post step. */
async function record(
  { jobId, choice }: ChosenJob,
  store: Store,
  { host }: LifePorts,
): Promise<Opened | Unsent> {
  const opened = await store.open(choice)
  if (!opened.ok) return opened
  const sending = host.sending(jobId === null ? 'create' : 'message', jobId)
  return sending.ok ? opened : sending
}

/** Records the job and, unless `wait` is false, waits for it. Meanwhile, retries a record that GitHub rejected. */
async function follow(
  started: Started,
  prompt: Prompt | null,
  { inputs, store }: Plan,
  ports: LifePorts,
): Promise<AgentResult> {
  const { jobId, job, before, origin } = started
  await ports.host.started(started)
  let isRecorded = await store.job(jobId)
  let triedAt = ports.clock.now()
  ports.onProgress({ type: 'job', jobId, job, origin })
  const known = { ...withoutJob('detached', null), prompt, jobId, job, delivery: 'sent' as const }
  if (!inputs.wait) return known
  const { projectId, pollInterval: interval } = inputs
  const wait = { projectId, jobId, job, before, created: origin === 'created', interval }
  const waited = await waitForJob(wait, ports, async () => {
    if (isRecorded || ports.clock.now() - triedAt < retryRecord) return
    isRecorded = await store.job(jobId)
    triedAt = ports.clock.now()
  })
  return { ...known, ...waited }
}

/** The result of a request without a job. An error after a cancel was caused by the cancel, not by GitHub. */
function stopped(
  outcome: 'skipped' | 'error' | 'unconfirmed',
  problem: Problem,
  { cancelled }: LifePorts,
): AgentResult {
  return cancelled.aborted ? withoutJob('cancelled', null) : withoutJob(outcome, problem)
}

/** A step's result without a job. */
export function withoutJob(outcome: AgentResult['outcome'], problem: Problem | null): AgentResult {
  const delivery = outcome === 'unconfirmed' ? 'uncertain' : 'not-sent'
  return { outcome, problem, delivery, jobId: null, job: null, prompt: null, changes: null, elapsed: 0 }
}
