/**
 * Carries a request out, from reading it to its result: a loop of tasks, each of which makes the next one. `next` decides
 * for a run and its re-run. The order of tasks is the same for threads and commits.
 */
import { isJobRejected, mayHaveArrived } from '../core/http.ts'
import { type ChosenJob, type JobChoice, newJob, recordedJob } from '../core/job.ts'
import { type AgentResult, agentResult, isRequestEnd, type Stop } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { mentionPull } from '../core/prompt/prompt.ts'
import type { Rejection } from '../core/reply.ts'
import type { Progress, Statement } from '../record/entry.ts'
import { writersOf } from '../record/format.ts'
import { next } from '../record/next.ts'
import { lookAt } from '../record/place.ts'
import { say } from '../say/messages.ts'
import {
  actorOf,
  type Message,
  type Plan,
  type Pursuit,
  type Run,
  type RunPorts,
  save,
  type Task,
} from './plan.ts'
import { finish, finishStep } from './report.ts'
import { waitForJob } from './wait.ts'

/** Carries a request out until the deadline, and reports its result. If there is none to carry out, only finishes the step. */
export async function carryOut(plan: Plan | Stop, ports: RunPorts): Promise<AgentResult> {
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
  const none = { job: null, link: null, isLeft: false }
  const run: Run = {
    ...plan,
    start,
    before,
    statement: { attempt: 1, writer, state: 'asked', since, until, ...none },
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
  return problem === null ? run : stop(run, 'error', problem)
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
  if (step.do === 'open') return to(run, { do: 'prepare' })
  if (step.do === 'wait') return to(run, { do: 'follow', jobId: step.job })
  const accounts = progress?.accounts ?? null
  return stop(run, 'unconfirmed', { kind: 'gave-up', why: step.why, project: inputs.projectId, accounts })
}

async function prepare(run: Run, { log, mintlify }: RunPorts) {
  const { inputs, ask, choose } = run
  const { projectId, jobId } = inputs
  const prompt = await ask()
  if (prompt === null && jobId !== null) return to(run, { do: 'follow', jobId })
  if (prompt === null) return stop(run, 'error', { kind: 'no-prompt', command: null, isHelp: false })
  if ('kind' in prompt) return stop(run, prompt.outcome, prompt.problem)
  const target = await choose()
  if ('kind' in target) return stop({ ...run, facts: { prompt } }, target.outcome, target.problem)
  log(...say.prompt(prompt, target.jobId, projectId, mintlify.host))
  return to(run, { do: 'open', prompt, target })
}

/** Records the request before it is sent. If another run sends it, decides again. */
async function open(earlier: Run, { prompt, target }: Message, ports: RunPorts) {
  const { clock, cancelled, deadline } = ports
  const { jobId, before: job, choice, problem } = target
  const ready = { ...earlier, facts: { prompt, jobId, job } }
  if (problem !== null) return stop(ready, 'error', problem)
  if (clock.now() >= deadline) return stop(ready, 'error', { kind: 'too-late' })
  if (cancelled.aborted) return stop(ready, 'error', null)
  const { run: opener, problem: rejection } = await record(ready, { state: 'open' }, choice, ports)
  if (rejection !== null) return stop(opener, 'error', rejection)
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
  const { text } = prompt
  const obstacle = hooks.beforeSend(jobId)
  if (obstacle !== null) return stop(run, 'error', obstacle.problem)
  if (cancelled.aborted) return stop(run, 'error', null)
  const response = await (jobId === null ? mintlify.createJob(text) : mintlify.sendFollowUp(jobId, text))
  if (response.ok) {
    const job = response.value
    return to(run, { do: 'follow', jobId: job.id, job, target })
  }
  const problem = response.failure
  if (jobId !== null && choice === 'thread' && isJobRejected(problem.why)) {
    log(say.jobOver(jobId, 'rejected'))
    const replacement: ChosenJob = { ...newJob, choice: 'replaced' }
    return to(run, { do: 'open', prompt: mentionPull(link, prompt), target: replacement })
  }
  if (mayHaveArrived(problem.why)) return stop(run, 'unconfirmed', problem)
  return stop(run, 'error', problem)
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
function stopBlind(run: Run, rejection: Rejection | null): Run {
  if (rejection === null) return stop(run, 'error', { kind: 'too-late' })
  const need = run.place.kind === 'thread' ? 'thread' : 'statuses'
  return stop(run, 'error', { kind: 'rejected', need, rejection })
}

/** Ends a run without a job. */
function stop(run: Run, outcome: Stop['outcome'] | 'unconfirmed', problem: Problem | null): Run {
  const result = agentResult(outcome, problem, run.facts)
  return end(run, result)
}

function end(run: Run, result: AgentResult): Run {
  return to(run, { do: 'finish', result })
}

/** The run, with what it does next. */
function to(run: Run, task: Task): Run {
  return { ...run, task }
}
