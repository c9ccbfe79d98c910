/**
 * Carries a request out, from reading it to its result: a loop of tasks, each of which makes the next one. `next` decides
 * for a run and its re-run. The order of tasks is the same for threads and commits.
 */
import { isJobRejected, mayHaveArrived } from '../core/http.ts'
import { type ChosenJob, type Job, type JobChoice, newJob, recordedJob } from '../core/job.ts'
import { type AgentResult, agentResult, isRequestEnd, type Stop } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { mentionPull, type Prompt } from '../core/prompt/prompt.ts'
import { isTemporary, type Rejection } from '../core/reply.ts'
import { isSend } from '../mintlify/client.ts'
import type { Progress, Statement } from '../record/entry.ts'
import { writersOf } from '../record/format.ts'
import { next, stateAfter } from '../record/next.ts'
import { type Display, lookAt } from '../record/place.ts'
import { say } from '../say/messages.ts'
import { checkChanges } from './check-changes.ts'
import type { Plan, RunPorts } from './plan.ts'
import { writeOnPulls } from './pull.ts'
import { waitForJob } from './wait.ts'

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

/** A run between two tasks. Nothing in it changes: each task makes the next run. */
interface Run extends Plan {
  /** When it began, on the clock's `now`. */
  start: number
  /** The writers of its earlier attempts. */
  before: readonly string[]
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
  head: string | null
  task: Task
}

/** Carries a request out until the deadline, and reports its result. If there is none to carry out, only finishes the step. */
export async function carryOut(plan: Plan | Stop, ports: RunPorts) {
  if ('kind' in plan) return finishStep(agentResult(plan.outcome, plan.problem), ports)
  let run = await begin(plan, ports)
  while (run.task.do !== 'finish') run = await perform(run, run.task, ports)
  return finish(run, run.task.result, ports)
}

async function begin(plan: Plan, ports: RunPorts) {
  const { clock, deadline } = ports
  const start = clock.now()
  const since = clock.date()
  const until = since + deadline - start
  const { writer, before } = writersOf(ports.run)
  const run: Run = {
    ...plan,
    start,
    before,
    statement: { attempt: 1, writer, state: 'asked', job: null, link: null, since, until, isLeft: false },
    progress: null,
    openedAt: null,
    isSender: true,
    facts: {},
    head: null,
    task: { do: 'decide' },
  }
  // Two commands at the same time see each other's comment. A commit shows nothing before the send.
  if (plan.place.kind !== 'thread' || !plan.isFirst) return run
  const { problem } = await record(run, {}, 'own', ports)
  return problem === null ? run : stop(run, problem)
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

async function decide(earlier: Run, ports: RunPorts) {
  const { place, inputs } = earlier
  const rule = (progress: Progress | null) => next.run(actorOf(earlier), progress)
  const { step, progress, failure } = await lookAt(place, rule, ports, earlier.progress)
  if (step === null) return stopBlind({ ...earlier, progress }, failure)
  if (step.do === 'repeat') return end(earlier, repeatedResult(progress))
  const statement = { ...earlier.statement, attempt: step.attempt }
  const isSender = step.do === 'open'
  const run = { ...earlier, progress, statement, isSender }
  if (isSender) return to(run, { do: 'prepare' })
  if (step.do === 'wait') return to(run, { do: 'follow', jobId: step.job })
  const accounts = progress?.accounts ?? null
  const problem = { kind: 'gave-up', why: step.why, project: inputs.projectId, accounts } as const
  return stop(run, problem, 'unconfirmed')
}

async function prepare(run: Run, { log, mintlify }: RunPorts) {
  const { inputs, ask, choose } = run
  const { projectId, jobId } = inputs
  const prompt = await ask()
  if (prompt === null && jobId !== null) return to(run, { do: 'follow', jobId })
  if (prompt === null) return stop(run, { kind: 'no-prompt', command: null, isHelp: false })
  if ('kind' in prompt) return stop(run, prompt.problem, prompt.outcome)
  const target = await choose()
  if ('kind' in target) return stop({ ...run, facts: { prompt } }, target.problem, target.outcome)
  log(...say.prompt(prompt, target.jobId, projectId, mintlify.host))
  return to(run, { do: 'open', prompt, target })
}

/** Records the request before it is sent. If another run sends it, decides again. */
async function open(earlier: Run, { prompt, target }: Message, ports: RunPorts) {
  const { clock, cancelled, deadline } = ports
  const { jobId, before: job, choice, problem } = target
  const ready = { ...earlier, facts: { prompt, jobId, job } }
  if (problem !== null) return stop(ready, problem)
  if (clock.now() >= deadline) return stop(ready, { kind: 'too-late' })
  if (cancelled.aborted) return stop(ready, null)
  const { run: opener, problem: rejection } = await record(ready, { state: 'open' }, choice, ports)
  if (rejection !== null) return stop(opener, rejection)
  const sender = { ...opener, openedAt: opener.openedAt ?? clock.date() }
  const rule = (progress: Progress | null) => next.sender(actorOf(sender), progress)
  const { step, progress, failure } = await lookAt(sender.place, rule, ports, sender.progress)
  const run = { ...sender, progress }
  if (step === null) return stopBlind(run, failure)
  if (step.do === 'send') return to(run, { do: 'send', prompt, target })
  const idler = { ...run, openedAt: null, facts: {} }
  // Whether GitHub accepts this entry or not, this run does not send.
  const reply = await record(idler, { state: 'not-sent' }, 'own', ports)
  return to(reply.run, { do: 'decide' })
}

/** Sends a prompt. If Mintlify rejects a follow-up because of the job, a new job gets the prompt. */
async function send(run: Run, { prompt, target }: Message, ports: RunPorts) {
  const { mintlify, hooks, cancelled, log } = ports
  const { jobId, choice, link } = target
  const obstacle = hooks.beforeSend(jobId)
  if (obstacle !== null) return stop(run, obstacle.problem)
  if (cancelled.aborted) return stop(run, null)
  const response = await (jobId === null
    ? mintlify.createJob(prompt.text)
    : mintlify.sendFollowUp(jobId, prompt.text))
  if (response.ok) {
    const job = response.value
    return to(run, { do: 'follow', jobId: job.id, job, target })
  }
  const problem = response.failure
  if (jobId !== null && choice === 'thread' && isJobRejected(problem.why)) {
    log(say.jobOver(jobId))
    const replacement: ChosenJob = { ...newJob, choice: 'replaced' }
    return to(run, { do: 'open', prompt: mentionPull(link, prompt), target: replacement })
  }
  if (mayHaveArrived(problem.why)) return stop(run, problem, 'unconfirmed')
  return stop(run, problem)
}

/** Waits for the job, unless `wait` is false. */
async function follow(earlier: Run, { jobId, job = null, target = null }: Pursuit, ports: RunPorts) {
  const { inputs, place, isFirst } = earlier
  const { hooks, log } = ports
  hooks.onJob(jobId, job)
  // Logged only once there is a job: without it, a re-run cannot repeat one.
  if (place.isOff && place.kind !== 'nowhere') log(say.noRecord(!isFirst))
  let run = earlier
  if (target !== null) {
    const { head, choice } = target
    // Whether GitHub accepts this entry or not, the job exists.
    const reply = await record({ ...earlier, head }, { state: 'job', job: jobId }, choice, ports)
    run = reply.run
  }
  log(say.job(sourceOf(target), jobId, job?.status ?? 'active'))
  const result = agentResult('detached', null, { ...run.facts, jobId, job, delivery: 'sent' })
  if (!inputs.wait) return end(run, result)
  const before = target?.before ?? null
  const isRecorded = target !== null || run.progress?.top?.entry.job === jobId
  const wait = { jobId, job, before, isRecorded, interval: inputs.pollInterval }
  const last = await waitForJob(wait, ports)
  return end(run, { ...result, ...last })
}

/** How a run got its job. @param target null if it did not send the request */
function sourceOf(target: ChosenJob | null) {
  if (target === null) return 'read'
  if (target.jobId === null) return 'create'
  return 'message'
}

/** The result that was already reported. */
function repeatedResult(progress: Progress | null): AgentResult {
  const { job: jobId = null, link = null, state = 'open' } = progress?.top?.entry ?? {}
  const job = jobId === null ? null : recordedJob(jobId, link)
  const outcome = isRequestEnd(state) ? state : 'unconfirmed'
  return agentResult(outcome, { kind: 'reported' }, { jobId, job, delivery: 'sent' })
}

/** Writes what a run states from now on. `problem`: null if GitHub accepts the entry. */
async function record(earlier: Run, change: Partial<Statement>, choice: JobChoice, ports: RunPorts) {
  const { place } = earlier
  const statement = { ...earlier.statement, ...change }
  const run = { ...earlier, statement }
  // Saved first, because the post step must know about an entry that may exist.
  save(run, ports)
  const reply = await place.write(statement, place.pending(ports.words.working(choice)))
  if (reply.ok) return { run, problem: null }
  const need = place.kind === 'thread' ? 'comment' : 'status'
  const problem: Problem = { kind: 'rejected', need, rejection: reply.failure }
  return { run, problem }
}

/** Ends a run that cannot see what to do. @param rejection null if there was no time to look */
function stopBlind(run: Run, rejection: Rejection | null) {
  if (rejection === null) return stop(run, { kind: 'too-late' })
  const need = run.place.kind === 'thread' ? 'thread' : 'statuses'
  return stop(run, { kind: 'rejected', need, rejection })
}

/** Ends a run without a job. */
function stop(run: Run, problem: Problem | null, outcome: Stop['outcome'] | 'unconfirmed' = 'error') {
  return end(run, agentResult(outcome, problem, run.facts))
}

function end(run: Run, result: AgentResult) {
  return to(run, { do: 'finish', result })
}

/** The run, with what it does next. */
function to(run: Run, task: Task) {
  return { ...run, task }
}

/** Finishes the step, and reports a result on GitHub. */
async function finish(run: Run, result: AgentResult, ports: RunPorts) {
  const { hooks, clock, cancelled } = ports
  if (result.problem?.kind === 'reported') return finishStep(result, ports)
  const draft = { ...afterCancel(result, cancelled), elapsed: clock.now() - run.start }
  hooks.output(draft)
  const final = await checkChanges(draft, run.inputs, ports, run.head)
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
  const { place, progress, openedAt, statement } = run
  // If this run has not read the entries, its result might contradict another run's.
  if (progress === null && !actorOf(run).isFirst) return
  const hasRecord = place.kind === 'thread' || openedAt !== null || progress?.top
  if (result.outcome === 'skipped' && !hasRecord) return
  const reporter = { ...run, statement: { ...statement, ...stateAfter(result) } }
  const { step } = await lookAt(place, (progress) => next.reporter(actorOf(reporter), progress), ports)
  if (step === null) return
  const isDone = step.do === 'leave' || (await conclude(reporter, result, step.do === 'report', ports))
  if (!isDone) return
  await place.clear()
  // If the run is killed before that, the post step clears the place.
  ports.hooks.save(null)
}

/** Writes a result, or states that this run has left the job; false if GitHub rejected that, and the post step can try again. */
async function conclude(run: Run, result: AgentResult, isReport: boolean, ports: RunPorts) {
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
