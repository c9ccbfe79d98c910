/**
 * Carries a request out, from reading it to its result: a loop of tasks, each of which returns the next one. `next`
 * decides for a run, its re-run, and its post step. The order of tasks is the same for threads and commits.
 */
import { type GitHubFailure, isJobRejected, isTemporary, mayHaveArrived } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type Job, type JobChoice, newJob, recordedJob } from '../core/job.ts'
import { type AgentResult, agentResult, isRequestEnd, type Stop } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { mentionPull, type Prompt } from '../core/prompt/prompt.ts'
import { isSend } from '../mintlify/client.ts'
import type { AgentPorts } from '../ports.ts'
import { commitPlace } from '../record/commit.ts'
import type { Progress, Statement } from '../record/entry.ts'
import { writersOf } from '../record/format.ts'
import { next, stateAfter } from '../record/next.ts'
import { type Display, lookAt, type Place } from '../record/place.ts'
import { threadPlace } from '../record/thread.ts'
import { say } from '../say/messages.ts'
import { checkChanges } from './check-changes.ts'
import { writeOnPulls } from './pull.ts'
import { waitForJob } from './wait.ts'

/** A request to carry out. */
export interface Plan {
  inputs: AgentInputs
  place: Place
  /** Whether no other run can have carried out the request. */
  isFirst: boolean
  /** Reads what is asked for, with its context; null if the step only waits. */
  ask(): Promise<Prompt | null | Stop>
  /** Chooses the job for a prompt. */
  choose(): Promise<ChosenJob | Stop>
}

/** What the post step needs to finish a killed run's request. */
export interface Checkpoint {
  request: NonNullable<Place['request']>
  statement: Statement
  /** What was about to be shown at the end; null before that. */
  end: Display | null
}

/** What a step does while its run proceeds. */
export interface Hooks {
  /** Saves what the post step needs; null if nothing is left to do. */
  save(checkpoint: Checkpoint | null): void
  /**
   * Saves that a request is about to be sent, for the post step. Otherwise, returns why nothing is sent: a dry run ends
   * here without a problem.
   */
  beforeSend(jobId: string | null): { problem: Problem | null } | null
  /** Saves the job, so that a killed step does not lose it. @param job null if this step only waits for it */
  onJob(jobId: string, job: Job | null): void
  /** Writes the outputs immediately, so that a killed step does not lose the link. */
  output(result: AgentResult): void
  /** Writes the log, the summary and the exit code. Only work on GitHub comes after it. */
  finish(result: AgentResult): Promise<void>
  /** Finishes work on GitHub. An error there does not change the result. */
  lastly(act: () => Promise<void>): Promise<void>
}

/** Everything that a run needs from outside. */
export interface RunPorts extends AgentPorts {
  hooks: Hooks
}

/** A prompt, and the job that gets it. */
interface Message {
  prompt: Prompt
  target: ChosenJob
}

/** A job to wait for. */
interface Pursuit {
  jobId: string
  /** The job in the response to its creation or follow-up; none if this run did not send the request. */
  job?: Job | null
  /** The job as it was chosen; none if this run did not send the request. */
  target?: ChosenJob | null
}

/** What a run does next. */
type Task =
  /** Look at the request's entries, and decide. */
  | { do: 'decide' }
  /** Read what is asked for, and choose the job. */
  | { do: 'prepare' }
  /** Record that the prompt is about to be sent, or send it. */
  | ({ do: 'open' | 'send' } & Message)
  /** Wait for the job. */
  | ({ do: 'follow' } & Pursuit)
  | { do: 'finish'; result: AgentResult }

/**
 * What a run does for its request, and how far it is; `ports.run` says which run of the workflow it is. Tasks change only
 * what is not `readonly`.
 */
interface Run extends Readonly<Plan> {
  /** When it began, on the clock's `now`. */
  readonly start: number
  /** The writers of its earlier attempts. */
  readonly before: readonly string[]
  /** What it has stated last. */
  statement: Statement
  /** What its last look showed; null before that. */
  progress: Progress | null
  /** When it recorded that it is about to send, in milliseconds since the epoch; null before that. */
  openedAt: number | null
  /** Whether it sends the request, or was about to. */
  isSender: boolean
  /** What its result says about the prompt and the job, even if nothing is sent. */
  facts: Partial<AgentResult>
  /** The last commit of the pull request before a follow-up; null if there was none. */
  earlierHead: string | null
}

/** Carries a request out until the deadline, and reports its result. If there is none to carry out, only finishes the step. */
export async function carryOut(plan: Plan | Stop, ports: RunPorts) {
  if ('kind' in plan) return finishStep(agentResult(plan.outcome, plan.problem), ports)
  const run = newRun(plan, ports)
  let task = await begin(run, ports)
  while (task.do !== 'finish') task = await perform(run, task, ports)
  return finish(run, task.result, ports)
}

function newRun(plan: Plan, { run, clock, deadline }: RunPorts): Run {
  const start = clock.now()
  const since = clock.date()
  const until = since + deadline - start
  const { writer, before } = writersOf(run)
  return {
    ...plan,
    start,
    before,
    statement: { attempt: 1, writer, state: 'asked', job: null, link: null, since, until, isLeft: false },
    progress: null,
    openedAt: null,
    isSender: true,
    facts: {},
    earlierHead: null,
  }
}

async function begin(run: Run, ports: RunPorts): Promise<Task> {
  // Two commands at the same time see each other's comment. A commit shows nothing before the send.
  const isShown = run.place.kind === 'thread' && run.isFirst
  const problem = isShown ? await record(run, {}, 'own', ports) : null
  return problem === null ? { do: 'decide' } : stop(run, problem)
}

function perform(run: Run, task: Exclude<Task, { do: 'finish' }>, ports: RunPorts) {
  switch (task.do) {
    case 'decide':
      return decide(run, ports)
    case 'prepare':
      return prepare(run, ports)
    case 'open':
      return open(run, task, ports)
    case 'send':
      return send(run, task, ports)
    case 'follow':
      return follow(run, task, ports)
  }
}

async function decide(run: Run, ports: RunPorts): Promise<Task> {
  const rule = (progress: Progress | null) => next.run(actorOf(run), progress)
  const { step, progress, failure } = await lookAt(run.place, rule, ports, run.progress)
  run.progress = progress
  if (step === null) return stopBlind(run, failure)
  if (step.do === 'repeat') return end(repeatedResult(progress))
  run.statement = { ...run.statement, attempt: step.attempt }
  run.isSender = step.do === 'open'
  if (step.do === 'open') return { do: 'prepare' }
  if (step.do === 'wait') return { do: 'follow', jobId: step.job }
  const accounts = progress?.accounts ?? null
  const problem = { kind: 'gave-up', why: step.why, project: run.inputs.projectId, accounts } as const
  return stop(run, problem, 'unconfirmed')
}

async function prepare(run: Run, { log }: RunPorts): Promise<Task> {
  const { jobId } = run.inputs
  const prompt = await run.ask()
  if (prompt === null && jobId !== null) return { do: 'follow', jobId }
  if (prompt === null) return stop(run, { kind: 'no-prompt', command: null })
  if ('kind' in prompt) return stop(run, prompt.problem, prompt.outcome)
  run.facts = { prompt }
  const target = await run.choose()
  if ('kind' in target) return stop(run, target.problem, target.outcome)
  log(...say.prompt(prompt, target.jobId))
  return { do: 'open', prompt, target }
}

/** Records the request before it is sent. If another run sends it, decides again. */
async function open(run: Run, { prompt, target }: Message, ports: RunPorts): Promise<Task> {
  const { clock } = ports
  const { jobId, before: job, choice, problem } = target
  run.facts = { prompt, jobId, job }
  if (problem !== null) return stop(run, problem)
  if (clock.now() >= ports.deadline) return stop(run, { kind: 'too-late' })
  if (ports.cancelled.aborted) return stop(run, null)
  const recordProblem = await record(run, { state: 'open' }, choice, ports)
  if (recordProblem !== null) return stop(run, recordProblem)
  run.openedAt ??= clock.date()
  const rule = (progress: Progress | null) => next.sender(actorOf(run), progress)
  const { step, progress, failure } = await lookAt(run.place, rule, ports, run.progress)
  run.progress = progress
  if (step === null) return stopBlind(run, failure)
  if (step.do === 'send') return { do: 'send', prompt, target }
  run.openedAt = null
  run.facts = {}
  // Whether GitHub accepts this entry or not, this run does not send.
  await record(run, { state: 'not-sent' }, 'own', ports)
  return { do: 'decide' }
}

/** Sends a prompt. If Mintlify rejects a follow-up because of the job, a new job gets the prompt. */
async function send(run: Run, { prompt, target }: Message, ports: RunPorts): Promise<Task> {
  const { mintlify } = ports
  const { jobId, choice, link } = target
  const obstacle = ports.hooks.beforeSend(jobId)
  if (obstacle !== null) return stop(run, obstacle.problem)
  if (ports.cancelled.aborted) return stop(run, null)
  const response = await (jobId === null
    ? mintlify.createJob(prompt.text)
    : mintlify.sendFollowUp(jobId, prompt.text))
  if (response.ok) {
    const job = response.value
    return { do: 'follow', jobId: job.id, job, target }
  }
  const problem = response.failure
  if (jobId !== null && choice === 'thread' && isJobRejected(problem.why)) {
    ports.log(say.jobOver(jobId))
    const replacement: ChosenJob = { ...newJob, choice: 'replaced' }
    return { do: 'open', prompt: mentionPull(link, prompt), target: replacement }
  }
  return stop(run, problem, mayHaveArrived(problem.why) ? 'unconfirmed' : 'error')
}

/** Waits for the job, unless `wait` is false. */
async function follow(
  run: Run,
  { jobId, job = null, target = null }: Pursuit,
  ports: RunPorts,
): Promise<Task> {
  const { inputs, place, isFirst } = run
  const { log } = ports
  ports.hooks.onJob(jobId, job)
  // Logged only once there is a job: without it, a re-run cannot repeat one.
  if (place.isOff && place.kind !== 'nowhere') log(say.noRecord(!isFirst))
  if (target !== null) {
    run.earlierHead = target.head
    // Whether GitHub accepts this entry or not, the job exists.
    await record(run, { state: 'job', job: jobId }, target.choice, ports)
  }
  log(say.job(sourceOf(target), jobId))
  const result = agentResult('detached', null, { ...run.facts, jobId, job, delivery: 'sent' })
  if (!inputs.wait) return end(result)
  const before = target?.before ?? null
  const isRecorded = target !== null || run.progress?.top?.entry.job === jobId
  const wait = { jobId, job, before, isRecorded, interval: inputs.pollInterval }
  return end({ ...result, ...(await waitForJob(wait, ports)) })
}

/** How a run got its job. @param target null if it did not send the request */
function sourceOf(target: ChosenJob | null) {
  if (target === null) return 'read'
  if (target.jobId === null) return 'create'
  return 'message'
}

/** The result that was already reported. */
function repeatedResult(progress: Progress | null) {
  const { job: jobId = null, link = null, state = 'open' } = progress?.top?.entry ?? {}
  const job = jobId === null ? null : recordedJob(jobId, link)
  const outcome = isRequestEnd(state) ? state : 'unconfirmed'
  return agentResult(outcome, { kind: 'reported' }, { jobId, job, delivery: 'sent' })
}

/** Writes what a run states from now on. Returns null if GitHub accepts the entry. */
async function record(run: Run, change: Partial<Statement>, choice: JobChoice, ports: RunPorts) {
  const { place } = run
  run.statement = { ...run.statement, ...change }
  // Saved first, because the post step must know about an entry that may exist.
  save(run, ports)
  const reply = await place.write(run.statement, place.pending(ports.words.working(choice)))
  if (reply.ok) return null
  const need = place.kind === 'thread' ? 'comment' : 'status'
  return { kind: 'github-failed', need, failure: reply.failure } as const
}

/** Ends a run that cannot see what to do. @param failure null if there was no time to look */
function stopBlind(run: Run, failure: GitHubFailure | null) {
  if (failure === null) return stop(run, { kind: 'too-late' })
  const need = run.place.kind === 'thread' ? 'thread' : 'statuses'
  return stop(run, { kind: 'github-failed', need, failure })
}

/** Ends a run without a job. @param problem null after a cancel, or at the end of a dry run */
function stop({ facts }: Run, problem: Problem | null, outcome: Stop['outcome'] | 'unconfirmed' = 'error') {
  return end(agentResult(outcome, problem, facts))
}

function end(result: AgentResult): Task {
  return { do: 'finish', result }
}

/** Finishes the step, and reports a result on GitHub. */
async function finish(run: Run, result: AgentResult, ports: RunPorts) {
  const { hooks, clock, cancelled } = ports
  if (result.problem?.kind === 'reported') return finishStep(result, ports)
  const draft = { ...afterCancel(result, cancelled), elapsed: clock.now() - run.start }
  hooks.output(draft)
  const final = await checkChanges(draft, run.inputs, run.earlierHead, new Map(), ports)
  await hooks.finish(final)
  await hooks.lastly(() => report(run, final, ports))
}

/** Finishes a step that has nothing to report. */
async function finishStep(result: AgentResult, { hooks, cancelled }: RunPorts) {
  await hooks.finish(afterCancel(result, cancelled))
}

/**
 * After a cancel, a result without a job is `cancelled`. An error was caused by the cancel, not by GitHub. A failed send
 * remains: its job perhaps does not exist, or perhaps the request arrived.
 */
function afterCancel(result: AgentResult, cancelled: AbortSignal): AgentResult {
  const { delivery, problem } = result
  if (!cancelled.aborted || delivery === 'sent') return result
  const isFailedSend = problem?.kind === 'call-failed' && isSend(problem.call)
  return { ...result, outcome: 'cancelled', problem: isFailedSend ? problem : null }
}

/** Reports a result, unless another run has, or states that this run has left the job. */
async function report(run: Run, result: AgentResult, ports: RunPorts) {
  const { place, progress, openedAt } = run
  // If this run has not read the entries, its result might contradict another run's.
  if (progress === null && !actorOf(run).isFirst) return
  const hasRecord = place.kind === 'thread' || openedAt !== null || progress?.top
  if (result.outcome === 'skipped' && !hasRecord) return
  run.statement = { ...run.statement, ...stateAfter(result) }
  const { step } = await lookAt(place, (latest) => next.reporter(actorOf(run), latest), ports)
  if (step === null) return
  if (step.do !== 'leave' && !(await recordEnd(run, result, step.do === 'report', ports))) return
  await place.clear()
  // If the run is killed before this, the post step clears the place.
  ports.hooks.save(null)
}

/**
 * Records a result, or that this run has left the job. False if that failed, and the post step can try again.
 */
async function recordEnd(run: Run, result: AgentResult, isReport: boolean, ports: RunPorts) {
  const { inputs, place, openedAt, statement } = run
  await writeOnPulls({ result, place, since: statement.since, settings: inputs }, ports)
  // A run that only waited has not written anything that it could raise.
  if (!isReport && openedAt === null) return true
  const end = place.result(result, isReport)
  save(run, ports, end)
  // The entry comes last: if the run is killed before that, the next run repeats all of this.
  const reply = await place.write(statement, end)
  return reply.ok || !isTemporary(reply.failure)
}

/** A run, as `next` sees it. */
function actorOf(run: Run) {
  return { ...run, ...run.statement, isFirst: run.isFirst || run.place.isOff, waits: run.inputs.wait }
}

/** Saves what the post step needs. @param end what is about to be shown at the end; null before that */
function save({ place, statement }: Run, { hooks }: RunPorts, end: Display | null = null) {
  const { request, isOff } = place
  if (request === null || isOff) hooks.save(null)
  else hooks.save({ request, statement, end })
}

/** Finishes what a killed run left: reports its result, or states how far it got. */
export async function finishKilled({ request, statement, end }: Checkpoint, ports: AgentPorts) {
  const place = 'thread' in request ? threadPlace(request, ports) : commitPlace(request, ports)
  const actor = { ...statement, since: ports.clock.date(), hasResult: end?.isReport === true }
  const { step } = await lookAt(place, (progress) => next.post(actor, progress), ports)
  if (step === null) return
  if (step.do === 'report' && end !== null) await place.write(statement, end)
  if (step.do === 'quit') {
    const { state } = step
    const display = end ?? place.pending(ports.words.killed(state))
    await place.write({ ...statement, state, isLeft: state === 'job' }, display)
  }
  await place.clear()
}
