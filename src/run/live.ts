/**
 * The interpreter of `next` for a run, its re-run, and the post step: carries out what comes next, from reading the
 * request to reporting the result. The order of steps is the same for threads and commits.
 */
import { isJobRejected, mayHaveArrived } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type Job, type JobChoice, newJob, recordedJob } from '../core/job.ts'
import { type AgentResult, agentResult, type Ended, isRequestEnd } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import { mentionPull, type Prompt } from '../core/prompt/prompt.ts'
import type { AgentPorts } from '../ports.ts'
import { commitPlace } from '../record/commit.ts'
import type { Progress, State, Statement } from '../record/entry.ts'
import { writersOf } from '../record/format.ts'
import { next, type Step, stateAfter } from '../record/next.ts'
import { type Display, lookAt, type Place } from '../record/place.ts'
import { threadPlace } from '../record/thread.ts'
import { say } from '../say/messages.ts'
import { checkChanges } from './check-changes.ts'
import { announce } from './pull.ts'
import { waitForJob } from './wait.ts'

/** A request to carry out, and the run that does it. */
export interface Plan {
  kind: 'plan'
  inputs: AgentInputs
  place: Place
  /** Whether no other run can have carried out the request. */
  isFirst: boolean
  /** Reads what is asked for, with its context; null if the step only waits. */
  ask(): Promise<Prompt | null | Ended>
  /** Chooses the job for a prompt. */
  choose(): Promise<ChosenJob | Ended>
}

/** What the post step needs to finish a killed run's request. */
export interface Saved {
  request: NonNullable<Place['request']>
  statement: Statement
  /** What was about to be shown at the end; null before that. */
  end: Display | null
}

/** What the step writes on its runner. */
export interface Host {
  /** Saves what the post step needs; null if nothing is left to do. */
  save(saved: Saved | null): void
  /** Saves that a request is about to be sent, for the post step. Otherwise, returns why nothing is sent. */
  sending(jobId: string | null): { problem: Problem | null } | null
  /** Saves the job, so that a killed step does not lose it. @param job null if this step only waits for it */
  started(jobId: string, job: Job | null): void
  /** Writes the outputs immediately, so that a killed step does not lose the link. */
  output(result: AgentResult): void
  /** Writes the log, the summary and the exit code. Only work on GitHub comes after it. */
  finish(result: AgentResult): Promise<void>
  /** Finishes work on GitHub. An error there does not change the result. */
  lastly(act: () => Promise<void>): Promise<void>
}

export interface LifePorts extends AgentPorts {
  host: Host
}

/** Carries a request out until the deadline, and reports the result. If the request has already ended, only finishes the step. */
export async function live(plan: Plan | Ended, ports: LifePorts): Promise<AgentResult> {
  if (plan.kind === 'plan') return createRun(plan, ports)()
  const result = stopped(plan.outcome, plan.problem, ports)
  await ports.host.finish(result)
  return result
}

type Stopped = 'skipped' | 'error' | 'unconfirmed'

/** The result of a request without a job. An error after a cancel was caused by the cancel, not by GitHub. */
function stopped(outcome: Stopped, problem: Problem | null, { cancelled }: LifePorts): AgentResult {
  const result = agentResult(outcome, problem)
  if (!cancelled.aborted) return result
  return { ...result, outcome: 'cancelled', problem: outcome === 'unconfirmed' ? problem : null }
}

/** Makes a run of a request. */
function createRun({ place, inputs, ...plan }: Plan, ports: LifePorts): () => Promise<AgentResult> {
  const { host, mintlify, clock, cancelled, deadline } = ports
  const { writer, before } = writersOf(ports.run)
  const begun = clock.now()
  const since = clock.date()
  const times = { since, until: since + deadline - begun, isLeft: false }
  /** What this run has stated last. */
  let own: Statement = { attempt: 1, writer, state: 'asked', job: null, link: null, ...times }
  let known: Progress | null = null
  /** When this run recorded that it is about to send, in milliseconds since the epoch; null before that. */
  let openedAt: number | null = null
  /** Whether this run sends the request, or was about to. */
  let isSender = true
  /** Whether the result was already reported. */
  let isRepeat = false
  /** What the result says if nothing is sent. */
  let about: Partial<AgentResult> = {}
  /** The last commit of the pull request before a follow-up; null if there was none. */
  let head: string | null = null

  /** This run, for `next`. */
  const actor = () => ({ ...own, before, isFirst: plan.isFirst || place.isOff, openedAt, isSender })

  function stop(outcome: Stopped, problem: Problem | null): AgentResult {
    return { ...stopped(outcome, problem, ports), ...about }
  }

  function save(end: Saved['end']): void {
    const { request, isOff } = place
    host.save(request === null || isOff ? null : { request, statement: own, end })
  }

  /** Writes this run's entry, or raises it. Returns the result if GitHub rejects that; otherwise null. */
  async function write(state: State, choice: JobChoice): Promise<AgentResult | null> {
    own = { ...own, state }
    // Saved first, because the post step must know about an entry that may exist.
    save(null)
    const written = await place.write(own, place.pending(ports.words.working(choice)))
    if (written.ok) return null
    const need = place.kind === 'thread' ? 'comment' : 'status'
    return stop('error', { kind: 'rejected', need, rejection: written.failure })
  }

  /** Looks until something can be done, or until nothing can. */
  async function look<S extends Step>(
    decide: (known: Progress | null) => S | Step<'look'>,
  ): Promise<S | AgentResult> {
    const looked = await lookAt(place, decide, ports, known)
    known = looked.progress
    if (looked.step !== null) return looked.step
    const { failure: rejection } = looked
    if (rejection === null) return stop('error', { kind: 'too-late' })
    const need = place.kind === 'thread' ? 'thread' : 'statuses'
    return stop('error', { kind: 'rejected', need, rejection })
  }

  /** Does what comes next until there is a result. */
  async function carry(): Promise<AgentResult> {
    about = {}
    const step = await look((known) => next.run(actor(), known))
    if ('outcome' in step) return step
    if (step.do === 'repeat') return repeated()
    own = { ...own, attempt: step.attempt }
    isSender = step.do === 'open'
    if (step.do === 'open') return begin()
    if (step.do === 'wait') return follow(step.job, null, null)
    return stop('unconfirmed', { kind: 'gave-up', why: step.why, project: inputs.projectId })
  }

  /** The result that was already reported. */
  function repeated(): AgentResult {
    isRepeat = true
    const { job: jobId = null, link = null, state = 'open' } = known?.top?.entry ?? {}
    const job = jobId === null ? null : recordedJob(jobId, link)
    const outcome = isRequestEnd(state) ? state : 'unconfirmed'
    return agentResult(outcome, { kind: 'reported' }, { jobId, job, delivery: 'sent' })
  }

  /** Sends the request unless something prevents it, and waits for its job. */
  async function begin(): Promise<AgentResult> {
    const { projectId, jobId: given } = inputs
    const prompt = await plan.ask()
    if (prompt !== null && 'kind' in prompt) return stop(prompt.outcome, prompt.problem)
    about = { prompt }
    if (prompt === null) {
      if (given !== null) return follow(given, null, null)
      return stop('error', { kind: 'no-prompt', command: null, isHelp: false })
    }
    const chosen = await plan.choose()
    if ('kind' in chosen) return stop(chosen.outcome, chosen.problem)
    ports.log(...say.prompt(prompt, chosen.jobId, projectId, mintlify.host))
    return send(prompt, chosen)
  }

  /** Sends a prompt once it is recorded. If Mintlify rejects a follow-up because of the job, a new job gets the prompt. */
  async function send(prompt: Prompt, chosen: ChosenJob): Promise<AgentResult> {
    const { jobId, before: job, choice, problem } = chosen
    about = { prompt, jobId, job }
    if (problem !== null) return stop('error', problem)
    const instead = await open(chosen)
    if (instead !== null) return instead
    const { text } = prompt
    const sent = await (jobId === null ? mintlify.createJob(text) : mintlify.sendFollowUp(jobId, text))
    if (sent.ok) return follow(sent.value.id, sent.value, chosen)
    const { why } = sent.failure
    if (jobId === null || choice !== 'thread' || !isJobRejected(why))
      return stop(mayHaveArrived(why) ? 'unconfirmed' : 'error', sent.failure)
    ports.log(say.jobOver(jobId, 'rejected'))
    return send(mentionPull(chosen.link, prompt), { ...newJob, choice: 'replaced' })
  }

  /** Records the request before it is sent. Returns the result if it must not be sent; otherwise null. */
  async function open({ jobId, choice }: ChosenJob): Promise<AgentResult | null> {
    if (clock.now() >= deadline) return stop('error', { kind: 'too-late' })
    if (cancelled.aborted) return stop('error', null)
    const unwritten = await write('open', choice)
    if (unwritten !== null) return unwritten
    openedAt ??= clock.date()
    const step = await look((known) => next.sender(actor(), known))
    if ('outcome' in step) return step
    if (step.do === 'withdraw') {
      openedAt = null
      await write('not-sent', 'own')
      return carry()
    }
    const unsent = host.sending(jobId)
    return unsent !== null || cancelled.aborted ? stop('error', unsent?.problem ?? null) : null
  }

  /** Waits for the job, unless `wait` is false. @param sent null if this run did not send it, so it records nothing */
  async function follow(jobId: string, job: Job | null, sent: ChosenJob | null): Promise<AgentResult> {
    host.started(jobId, job)
    // Logged only once there is a job: without it, a re-run cannot repeat one.
    if (place.isOff && place.kind !== 'nowhere') ports.log(say.noRecord(!plan.isFirst))
    if (sent !== null) {
      head = sent.head
      own = { ...own, job: jobId }
      await write('job', sent.choice)
    }
    ports.log(say.job(originOf(sent), jobId, job?.status ?? 'active'))
    const left = agentResult('detached', null, { ...about, jobId, job, delivery: 'sent' })
    if (!inputs.wait) return left
    const isRecorded = sent !== null || known?.top?.entry.job === jobId
    const wait = { jobId, job, before: sent?.before ?? null, isRecorded, interval: inputs.pollInterval }
    return { ...left, ...(await waitForJob(wait, ports)) }
  }

  /** Reports the result, unless another run has, or states that this run has left the job. */
  async function report(result: AgentResult): Promise<void> {
    // If this run has not read the entries, its result might contradict another run's.
    if (!actor().isFirst && known === null) return
    const hasRecord = place.kind === 'thread' || openedAt !== null || (known?.top ?? null) !== null
    if (result.outcome === 'skipped' && !hasRecord) return
    own = { ...own, ...stateAfter(result) }
    const { step } = await lookAt(place, (known) => next.reporter(actor(), known), ports)
    if (step === null) return
    const isDone = step.do === 'leave' || (await conclude(result, step.do === 'report'))
    // If GitHub is too slow to clear the place before the run is killed, the post step does it.
    if (isDone && (await place.clear())) host.save(null)
  }

  /** Reports the result, or states that this run has left the job; false if GitHub rejected that. */
  async function conclude(result: AgentResult, isReport: boolean): Promise<boolean> {
    await announce({ result, place, since, settings: inputs }, ports)
    // A run that only waited has not written anything that it could raise.
    if (!isReport && openedAt === null) return true
    const end = place.result(result, isReport)
    save(end)
    // The entry comes last: if the run is killed before that, the next run repeats all of this.
    return (await place.write(own, end)).ok
  }

  return async () => {
    // Two commands at the same time see each other's comment. A commit shows nothing before the send.
    const unasked = place.kind === 'thread' && plan.isFirst ? await write('asked', 'own') : null
    const carried = unasked ?? (await carry())
    if (isRepeat) {
      await host.finish(carried)
      return carried
    }
    const timed = { ...carried, elapsed: clock.now() - begun }
    host.output(timed)
    const checked = await checkChanges(timed, inputs, ports, head)
    await host.finish(checked)
    await host.lastly(() => report(checked))
    return checked
  }
}

/** How a run got its job. @param sent null if it did not send the request */
function originOf(sent: ChosenJob | null): 'create' | 'message' | 'read' {
  if (sent === null) return 'read'
  return sent.jobId === null ? 'create' : 'message'
}

/** Finishes what a killed run left: reports its result, or states how far it got. It sends nothing. */
export async function finishKilled({ request, statement, end }: Saved, ports: AgentPorts): Promise<void> {
  const place = 'thread' in request ? threadPlace(request, ports) : commitPlace(request, ports)
  const post = { ...statement, since: ports.clock.date(), hasResult: end?.isReport === true }
  const { step } = await lookAt(place, (known) => next.post(post, known), ports)
  if (step === null) return
  if (step.do === 'report' && end !== null) await place.write(statement, end)
  if (step.do === 'quit') {
    const left = { ...statement, state: step.state, isLeft: step.state === 'job' }
    await place.write(left, end ?? place.pending(ports.words.killed(step.state)))
  }
  await place.clear()
}
