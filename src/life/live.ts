/**
 * The interpreter of `next` for a run, its re-run, and the post step: carries out what comes next, from reading the
 * request to reporting the result. The order of steps is the same for threads and commits.
 */
import type { AgentInputs } from '../core/inputs/schema.ts'
import {
  type ChosenJob,
  type Job,
  type JobChoice,
  newJob,
  parseJob,
  sendName,
  sendTo,
} from '../core/job/job.ts'
import { isJobRejected, mayHaveArrived } from '../core/job/response.ts'
import { type AgentResult, agentResult, type Ended, isRequestEnd } from '../core/outcome.ts'
import { type Problem, problems } from '../core/problems.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import { say } from '../say/messages.ts'
import { call, waitForJob } from '../usecases/jobs.ts'
import type { AgentPorts } from '../usecases/ports.ts'
import { type Asking, composePrompt, naming } from '../usecases/prompt.ts'
import { checkChanges } from '../usecases/pull-changes.ts'
import { CommitPlace } from './commit.ts'
import type { Known, State, Statement } from './entry.ts'
import { writersOf } from './format.ts'
import { next, type Step, stateAfter } from './next.ts'
import { lookAt, type Place, type Shown } from './place.ts'
import { announce } from './pull.ts'
import { ThreadPlace } from './thread.ts'

/** A request to carry out, and the run that does it. */
export interface Plan {
  kind: 'plan'
  inputs: AgentInputs
  place: Place
  /** Whether no other run can have carried out the request. */
  isFirst: boolean
  /** Reads what is asked for, and the context from GitHub. */
  ask(): Promise<Asking | Ended>
  /** Chooses the job for a prompt. */
  choose(): Promise<ChosenJob | Ended>
}

/** What the post step needs to finish a killed run's request. */
export interface Saved {
  request: NonNullable<Place['request']>
  statement: Statement
  /** What was about to be shown at the end; null before that. */
  end: Shown | null
}

/** What the step writes on its runner. */
export interface Host {
  /** Saves what the post step needs; null if nothing is left to do. */
  save(saved: Saved | null): void
  /** Saves that a request is about to be sent, for the post step. Otherwise, returns why nothing is sent. */
  sending(jobId: string | null): { problem: Problem | null } | null
  /**
   * Saves the job for the post step and later steps, so that a killed step does not lose it.
   * @param job as in the platform's response; null if this step only waits for it
   */
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
  if (plan.kind === 'plan') return new Run(plan, ports).go()
  const result = stopped(plan.outcome, plan.problem, ports)
  await ports.host.finish(result)
  return result
}

/** A run of a request. */
class Run {
  private readonly plan: Plan
  private readonly ports: LifePorts
  private known: Known | null = null
  /** When this run recorded that it is about to send, in milliseconds since the epoch; null before that. */
  private openedAt: number | null = null
  /** Whether this run sends the request, or was about to. */
  private isSender = true
  /** Whether the result was already reported. */
  private isRepeat = false
  /** What the result says if nothing is sent. */
  private about: Partial<AgentResult> = {}
  /** The last commit of the pull request before a follow-up; null if there was none. */
  private head: string | null = null
  private statement: Statement

  constructor(plan: Plan, ports: LifePorts) {
    this.plan = plan
    this.ports = ports
    const { clock, deadline, run } = ports
    const { writer } = writersOf(run)
    const since = clock.date()
    const until = since + deadline - clock.now()
    const none = { job: null, link: null, isLeft: false }
    this.statement = { attempt: 1, writer, state: 'asked', ...none, since, until }
  }

  async go(): Promise<AgentResult> {
    const { host, clock } = this.ports
    const { inputs, place, isFirst } = this.plan
    const begun = clock.now()
    // Two commands at the same time see each other's comment. A commit shows nothing before the send.
    const unasked = place.kind === 'thread' && isFirst ? await this.write('asked', 'own') : null
    const carried = unasked ?? (await this.carry())
    if (this.isRepeat) return carried
    const timed = { ...carried, elapsed: clock.now() - begun }
    host.output(timed)
    const checked = await checkChanges(timed, inputs, this.ports, this.head)
    await host.finish(checked)
    await host.lastly(() => this.end(checked))
    return checked
  }

  /** This run, for `next`. */
  private actor() {
    const { plan, ports, statement, openedAt, isSender } = this
    const isFirst = plan.isFirst || plan.place.isOff
    return { ...statement, before: writersOf(ports.run).before, isFirst, openedAt, isSender }
  }

  /** Does what comes next until there is a result. */
  private async carry(): Promise<AgentResult> {
    this.about = {}
    const { plan, statement } = this
    const step = await this.look((known) => next.run(this.actor(), known))
    if ('outcome' in step) return step
    if (step.do === 'repeat') return this.repeat()
    this.statement = { ...statement, attempt: step.attempt }
    this.isSender = step.do === 'open'
    if (step.do === 'open') return this.begin()
    if (step.do === 'follow') return this.follow(step.job, null, null)
    return this.stop('unconfirmed', problems.gaveUp(step.why, plan.inputs.projectId))
  }

  /** Looks until something can be done, or until nothing can. */
  private async look<S extends { do: string }>(
    decide: (known: Known | null) => S | Step<'look'>,
  ): Promise<S | AgentResult> {
    const { place } = this.plan
    const looked = await lookAt(place, decide, this.ports, this.known)
    this.known = looked.known
    if (looked.step !== null) return looked.step
    const { rejection } = looked
    if (rejection === null) return this.stop('error', problems.tooLate())
    return this.stop('error', problems.rejected(place.kind === 'thread' ? 'thread' : 'statuses', rejection))
  }

  /** Repeats a reported result, without sending or changing anything. */
  private async repeat(): Promise<AgentResult> {
    this.isRepeat = true
    const { job: jobId = null, link: prLink = null, state = 'open' } = this.known?.top?.entry ?? {}
    const job = jobId === null ? null : (parseJob({ prLink }, jobId) ?? null)
    const outcome = isRequestEnd(state) ? state : 'unconfirmed'
    const result = agentResult(outcome, problems.reported(), { jobId, job, delivery: 'sent' })
    await this.ports.host.finish(result)
    return result
  }

  /** Sends the request unless something prevents it, and waits for its job. */
  private async begin(): Promise<AgentResult> {
    const { plan, ports } = this
    const { projectId, jobId: given } = plan.inputs
    const asking = await plan.ask()
    if ('kind' in asking) return this.stop(asking.outcome, asking.problem)
    const prompt = await composePrompt(asking, plan.inputs, ports)
    if (prompt !== null && 'kind' in prompt) return this.stop('error', prompt.problem)
    this.about = { prompt }
    if (prompt === null)
      return given === null ? this.stop('error', problems.noPrompt(null)) : this.follow(given, null, null)
    const chosen = await plan.choose()
    if ('kind' in chosen) return this.stop(chosen.outcome, chosen.problem)
    ports.log(...say.prompt(prompt, chosen.jobId, projectId, ports.http.host))
    return this.send(prompt, chosen)
  }

  /** Sends a prompt once it is recorded. If Mintlify rejects a follow-up because of the job, a new job gets the prompt. */
  private async send(prompt: Prompt, chosen: ChosenJob): Promise<AgentResult> {
    const { plan, ports } = this
    const { jobId, before, choice, problem } = chosen
    this.about = { prompt, jobId, job: before }
    // The follow-up was not sent, so the call that failed is not the request.
    if (problem !== null) return this.stop('error', { ...problem, call: null })
    const instead = await this.open(chosen)
    if (instead !== null) return instead
    const operation = sendTo(jobId, plan.inputs.projectId, prompt.text)
    const sent = await call({ operation, parse: (json) => parseJob(json, jobId ?? undefined) }, ports)
    if (sent.ok) return this.follow(sent.value.id, sent.value, chosen)
    if (jobId === null || choice !== 'thread' || !isJobRejected(sent.failure))
      return this.stop(mayHaveArrived(sent.failure) ? 'unconfirmed' : 'error', sent.problem)
    ports.log(say.jobOver(jobId, 'rejected'))
    return this.send(naming(chosen.link, prompt), { ...newJob, choice: 'replaced' })
  }

  /**
   * Records the request before it is sent, for later runs and for the post step. Returns the result if it must not be
   * sent; otherwise null.
   */
  private async open({ jobId, choice }: ChosenJob): Promise<AgentResult | null> {
    const { clock, deadline, cancelled, host } = this.ports
    if (clock.now() >= deadline) return this.stop('error', problems.tooLate())
    if (cancelled.aborted) return this.stop('error', null)
    const unwritten = await this.write('open', choice)
    if (unwritten !== null) return unwritten
    this.openedAt ??= clock.date()
    const step = await this.look((known) => next.sender(this.actor(), known))
    if ('outcome' in step) return step
    if (step.do === 'withdraw') {
      this.openedAt = null
      await this.write('not-sent', 'own')
      return this.carry()
    }
    const unsent = host.sending(jobId)
    return unsent !== null || cancelled.aborted ? this.stop('error', unsent?.problem ?? null) : null
  }

  /**
   * Records the job and, unless `wait` is false, waits for it.
   * @param sent null if this run did not send the request, so that it records nothing
   */
  private async follow(jobId: string, job: Job | null, sent: ChosenJob | null): Promise<AgentResult> {
    const { plan, ports, statement } = this
    ports.host.started(jobId, job)
    // Logged only once there is a job: without it, a re-run cannot repeat one.
    if (plan.place.isOff && plan.place.kind !== 'nowhere') ports.log(say.noRecord(!plan.isFirst))
    if (sent !== null) {
      this.head = sent.head
      this.statement = { ...statement, job: jobId }
      await this.write('job', sent.choice)
    }
    const operation = sent === null ? 'read' : sendName(sent.jobId)
    ports.log(say.job(operation, jobId, job?.status ?? 'active'))
    const known = agentResult('detached', null, { ...this.about, jobId, job, delivery: 'sent' })
    const { wait: isWaiting, pollInterval: interval } = plan.inputs
    if (!isWaiting) return known
    const before = sent?.before ?? null
    const isRecorded = sent !== null || this.known?.top?.entry.job === jobId
    return { ...known, ...(await waitForJob({ jobId, job, before, isRecorded, interval }, ports)) }
  }

  /** Writes this run's entry, or raises it. Returns the result if GitHub rejects that; otherwise null. */
  private async write(state: State, choice: JobChoice): Promise<AgentResult | null> {
    const { place } = this.plan
    this.statement = { ...this.statement, state }
    // Saved first, because the post step must know about an entry that may exist.
    this.save(null)
    const written = await place.write(this.statement, place.pending(this.ports.words.working(choice)))
    const act = place.kind === 'thread' ? 'comment' : 'status'
    return written.ok ? null : this.stop('error', problems.rejected(act, written.rejection))
  }

  private save(end: Saved['end']): void {
    const { request, isOff } = this.plan.place
    this.ports.host.save(request === null || isOff ? null : { request, statement: this.statement, end })
  }

  /** Reports the result, unless another run has, or states that this run has left the job. */
  private async end(result: AgentResult): Promise<void> {
    const { ports, plan } = this
    const { place, inputs: settings } = plan
    // If this run has not read the entries, its result might contradict another run's.
    if (!this.actor().isFirst && this.known === null) return
    const hasRecord = place.kind === 'thread' || this.openedAt !== null || (this.known?.top ?? null) !== null
    if (result.outcome === 'skipped' && !hasRecord) return
    this.statement = { ...this.statement, ...stateAfter(result) }
    const { since } = this.statement
    const { step } = await lookAt(place, (known) => next.reporter(this.actor(), known), ports)
    if (step === null) return
    if (step.do !== 'leave') await announce({ result, place, since, settings }, ports)
    // A run that only waited has not written anything that it could raise.
    const isReport = step.do === 'report'
    const end =
      isReport || (step.do === 'quit' && this.openedAt !== null) ? place.result(result, isReport) : null
    if (end !== null) this.save(end)
    // The entry comes last: if the run is killed before that, the next run repeats all of this.
    if (end !== null && !(await place.write(this.statement, end)).ok) return
    // If GitHub is too slow to clear the place before the run is killed, the post step does it.
    if (await place.clear()) ports.host.save(null)
  }

  private stop(outcome: Stopped, problem: Problem | null): AgentResult {
    return { ...stopped(outcome, problem, this.ports), ...this.about }
  }
}

type Stopped = 'skipped' | 'error' | 'unconfirmed'

/** The result of a request without a job. An error after a cancel was caused by the cancel, not by GitHub. */
function stopped(outcome: Stopped, problem: Problem | null, { cancelled }: LifePorts): AgentResult {
  const result = agentResult(outcome, problem)
  if (!cancelled.aborted) return result
  return { ...result, outcome: 'cancelled', problem: problem?.call ? problem : null }
}

/**
 * Finishes what a killed run left: reports its result, or states how far it got, so that a later run can continue. It
 * sends nothing.
 */
export async function finishKilled({ request, statement, end }: Saved, ports: AgentPorts): Promise<void> {
  const place = 'thread' in request ? new ThreadPlace(request, ports) : new CommitPlace(request, ports)
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
