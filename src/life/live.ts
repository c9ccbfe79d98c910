/**
 * The only interpreter of `next`: carries out what comes next for a run and its re-run, from reading the request to
 * reporting the result, and for the post step of a killed run. The order of steps is the same for threads and commits.
 */

import type { AgentInputs } from '../core/inputs/schema.ts'
import { type ChosenJob, type Job, type JobChoice, newJob, type SendName } from '../core/job/job.ts'
import type { StepName } from '../core/mark.ts'
import { type AgentResult, isRequestEnd } from '../core/outcome.ts'
import { type Problem, problems, type Rejection } from '../core/problems.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import type { Origin } from '../core/pull.ts'
import { say } from '../say/messages.ts'
import type { Ended } from '../usecases/gate.ts'
import type { AgentPorts, GitHubReply, RunIdentity, Workspace } from '../usecases/ports.ts'
import { reviewChanges } from '../usecases/review.ts'
import { waitForJob } from '../usecases/wait.ts'
import type { CommentPorts } from './comments.ts'
import { CommitPlace, type CommitPorts } from './commit.ts'
import { fold, isAtRest, type Known, type State, type Statement } from './entry.ts'
import { writerName } from './format.ts'
import { next, type Opened, type RunStep, stateAfter } from './next.ts'
import type { Place, Shown } from './place.ts'
import { announce, type RequestRef } from './pull.ts'
import {
  type Asking,
  composePrompt,
  type Permitted,
  permit,
  type Started,
  start,
  type Unsent,
} from './send.ts'
import { ThreadPlace } from './thread.ts'

/** The ledger of a request, and the run that writes in it. */
export interface Ledger {
  place: Place
  /** See `writerName`. */
  writer: string
  /** The writers of this run's earlier attempts, which have ended. */
  before: readonly string[]
  /** Whether no other run can have carried out the request. */
  isFirst: boolean
  /** Whether a first run writes before it looks, so that two commands at the same time see each other. */
  isAnnounced: boolean
}

/** The writers of a run's attempts, up to this one. */
export function writersOf(
  { id, attempt }: Pick<RunIdentity, 'id' | 'attempt'>,
  step: StepName,
): Pick<Ledger, 'writer' | 'before'> {
  const names = Array.from({ length: attempt }, (_, index) => writerName(id, index + 1, step))
  return { writer: names.at(-1) ?? '', before: names.slice(0, -1) }
}

/** A request to carry out. */
export interface Plan {
  kind: 'plan'
  inputs: AgentInputs
  /** null if nothing can be written, so that a re-run does not know what the first run did. */
  ledger: Ledger | null
  /** Reads what is asked for, and the context from GitHub. */
  ask(): Promise<Asking | Ended>
  /** Chooses the job, unless `job-id` names it. */
  choose(): Promise<ChosenJob | Ended>
  /** What to say on the pull requests that the result is about; null if nothing is. */
  about: { origin: Origin; ref: RequestRef } | null
}

/** What the post step needs to finish a killed run's request. */
export interface Saved {
  place: ReturnType<Place['saved']>
  statement: Statement
  /** What was about to be reported; null before the end. `isReport`: it is not an edit of what people see already. */
  pending: { shown: Shown; isReport: boolean } | null
}

/** What the step writes on its runner. */
export interface Host {
  /** Saves what the post step needs; null if nothing is left to do. */
  save(saved: Saved | null): void
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
export async function live(plan: Plan | Ended, ports: LifePorts): Promise<AgentResult> {
  if (plan.kind === 'plan') return new Run(plan, ports).go()
  const result = stopped(plan.outcome, plan.problem, ports)
  await ports.host.finish(result)
  return result
}

/** A result, and the last commit of its pull request before a follow-up; null if there was none. */
interface Carried {
  result: AgentResult
  head: string | null
}

/** A run of a request. */
class Run {
  private readonly plan: Plan
  private readonly ports: LifePorts
  /** null if nothing can be written. */
  private ledger: Ledger | null
  private known: Known = fold([])
  private hasLooked = false
  private opened: Opened | null = null
  /** Whether this run sends the request, or was about to. */
  private isSender = true
  private statement: Statement

  constructor(plan: Plan, ports: LifePorts) {
    this.plan = plan
    this.ports = ports
    this.ledger = plan.ledger
    const { clock, deadline } = ports
    const since = clock.date()
    const until = since + deadline - clock.now()
    const writer = plan.ledger?.writer ?? ''
    this.statement = {
      attempt: 1,
      writer,
      state: 'asked',
      job: null,
      link: null,
      since,
      until,
      isLeft: false,
    }
  }

  async go(): Promise<AgentResult> {
    const { host, clock } = this.ports
    const { inputs } = this.plan
    const begun = clock.now()
    const carried = await this.carry()
    if (carried === 'repeat') return this.repeat()
    const timed = { ...carried.result, elapsed: clock.now() - begun }
    host.output(timed)
    const reviewed = await reviewChanges(timed, inputs.allowedPaths, inputs, this.ports, carried.head)
    await host.finish(reviewed)
    await host.lastly(() => this.end(reviewed))
    return reviewed
  }

  /** Does what comes next until there is a result. */
  private async carry(): Promise<Carried | 'repeat'> {
    const { ledger } = this
    if (ledger?.isAnnounced && ledger.isFirst) {
      const asked = await this.write(ledger, 'asked', 'own')
      if (!asked.ok) return this.stop('error', unwritten(asked.rejection, ledger))
    }
    for (;;) {
      const carried = await this.carryOut(await this.look())
      if (carried !== 'withdrawn') return carried
    }
  }

  private async carryOut(step: Ready): Promise<Carried | 'repeat' | 'withdrawn'> {
    if (step.do === 'repeat') return 'repeat'
    if (step.do === 'stop') return this.stop('error', step.problem)
    const attempt = 'attempt' in step ? step.attempt : Math.max(1, this.known.attempt)
    this.statement = { ...this.statement, attempt }
    this.isSender = step.do === 'open'
    if (step.do === 'follow') return { result: await this.resume(step.job), head: null }
    return step.do === 'give-up'
      ? this.stop('unconfirmed', problems.gaveUp(step.why, this.plan.inputs.projectId))
      : this.begin()
  }

  /** Looks at the ledger until something can be done. */
  private async look(): Promise<Ready> {
    for (;;) {
      const { ledger } = this
      // The first run on a commit needs no list to decide, only to choose a context, right before it writes.
      if (ledger === null || (ledger.isFirst && !ledger.isAnnounced)) return { do: 'open', attempt: 1 }
      const stop = await this.read(ledger)
      if (stop !== null) return stop
      const step = this.next(ledger)
      if (step.do !== 'look') return step.do === 'send' || step.do === 'withdraw' ? unfinished : step
      if (!(await this.waitUntil(step.at))) return unfinished
    }
  }

  private next(ledger: Ledger): RunStep {
    const { since } = this.statement
    const actor = { ...ledger, kind: 'run' as const, since, opened: this.opened }
    return next(actor, this.known, this.ports.clock.date())
  }

  /** Reads the ledger; returns why nothing can be decided without it, or null. */
  private async read(ledger: Ledger): Promise<Stop | null> {
    const read = await ledger.place.list()
    if (read.ok) {
      this.known = fold(read.value)
      this.hasLooked = true
    } else if (ledger.place.canDoWithout(read.rejection)) this.ledger = null
    else {
      const reading = ledger.isAnnounced ? 'thread' : 'statuses'
      return { do: 'stop', problem: problems.unread(reading, read.rejection) }
    }
    return null
  }

  /** Waits; false if the step must end before that time. */
  private async waitUntil(date: number): Promise<boolean> {
    const { clock, cancelled, deadline } = this.ports
    const wait = date - clock.date()
    if (clock.now() + wait > deadline) return false
    await clock.sleep(wait, cancelled)
    return !cancelled.aborted
  }

  /** Repeats a reported result, without sending or changing anything. */
  private async repeat(): Promise<AgentResult> {
    const { host } = this.ports
    const { job: jobId = null, link: prLink = null, state } = this.known.top?.entry ?? {}
    const outcome = state !== undefined && isRequestEnd(state) ? state : 'unconfirmed'
    const job: Job | null = jobId === null ? null : { ...unread, id: jobId, prLink }
    const problem: Problem = problems.reported()
    const result = { ...withoutJob(outcome, problem), jobId, job, delivery: 'sent' as const }
    host.output(result)
    await host.finish(result)
    return result
  }

  /** Sends the request unless something prevents it, and waits for its job. */
  private async begin(): Promise<Carried | 'withdrawn'> {
    const { plan, ports } = this
    const asking = await plan.ask()
    if ('kind' in asking) return this.stop(asking.outcome, asking.problem)
    const prompt = await composePrompt(asking, plan.inputs, ports)
    if (prompt !== null && 'kind' in prompt) return this.stop('error', prompt.problem)
    const { jobId: given } = plan.inputs
    const chosen = given === null ? await plan.choose() : { ...newJob, jobId: given }
    if ('kind' in chosen) return this.stop(chosen.outcome, chosen.problem, prompt)
    const { jobId } = chosen
    if (prompt !== null) ports.log(...say.prompt(prompt, jobId, plan.inputs.projectId, ports.http.host))
    if (prompt === null) {
      if (jobId === null) return this.stop('error', problems.noPrompt(null))
      return { result: await this.resume(jobId), head: null }
    }
    const sent = await start(prompt, chosen, plan.inputs.projectId, (choice) => this.open(choice), ports)
    if (sent === 'withdrawn') return sent
    if (!sent.ok) return { result: { ...withoutJob('error', null), prompt, ...sent.result }, head: null }
    return { result: await this.follow(sent.started, prompt), head: chosen.head }
  }

  /** Records the request before it is sent, for later runs and for the post step. */
  private async open({ jobId, choice }: ChosenJob): Promise<Permitted> {
    const { ledger, ports } = this
    if (ledger !== null) {
      // One rejected call must not fail the request.
      const first = await this.write(ledger, 'open', choice)
      const written = first.ok ? first : await this.write(ledger, 'open', choice)
      if (written.ok) {
        const { attempt } = this.statement
        this.opened ??= { attempt, id: written.value, at: ports.clock.date() }
        const stop = await this.isOvertaken(ledger)
        if (stop !== null) return stop
      } else if (!ledger.place.canDoWithout(written.rejection))
        return { ok: false, problem: unwritten(written.rejection, ledger) }
      else this.ledger = null
    }
    const operation = jobId === null ? 'create' : 'message'
    const saved = ports.host.sending(operation, jobId)
    return saved.ok ? { ok: true, permit } : saved
  }

  /** Looks whether another run sends the request; null if it does not. */
  private async isOvertaken(ledger: Ledger): Promise<Unsent | 'withdrawn' | null> {
    for (;;) {
      const step = this.next(ledger)
      if (step.do === 'send') return null
      if (step.do === 'withdraw') {
        this.opened = null
        await this.write(ledger, 'not-sent', 'own')
        return 'withdrawn'
      }
      const isInTime = step.do === 'look' && (await this.waitUntil(step.at))
      if (!isInTime) return { ok: false, problem: problems.tooLate() }
      const stop = await this.read(ledger)
      if (stop !== null) return { ok: false, problem: stop.problem }
    }
  }

  private resume(jobId: string): Promise<AgentResult> {
    return this.follow({ jobId, job: null, before: null, origin: 'resumed', choice: 'own' }, null)
  }

  /** Records the job and, unless `wait` is false, waits for it. Meanwhile, retries a record that GitHub rejected. */
  private async follow(started: Started, prompt: Prompt | null): Promise<AgentResult> {
    const { plan, ports } = this
    const { jobId, job, before, origin } = started
    await ports.host.started(started)
    let isWritten = await this.record(started, false)
    let triedAt = ports.clock.now()
    ports.log(say.job(origin, jobId, job?.status ?? 'active'))
    const known = { ...withoutJob('detached', null), prompt, jobId, job, delivery: 'sent' as const }
    const { wait: isWaiting, pollInterval: interval, projectId } = plan.inputs
    if (!isWaiting) return known
    const isRecorded = origin !== 'resumed' || this.known.top?.entry.job === jobId
    const wait = { projectId, jobId, job, before, isRecorded, interval }
    const waited = await waitForJob(wait, ports, async () => {
      if (isWritten || ports.clock.now() - triedAt < retryRecord) return
      isWritten = await this.record(started, true)
      triedAt = ports.clock.now()
    })
    return { ...known, ...waited }
  }

  /** Records the job that this run sent to; false if GitHub rejected that. */
  private async record({ jobId: job, choice }: Started, isRetry: boolean): Promise<boolean> {
    const { ledger } = this
    if (ledger === null) {
      // Logged only once there is a job: without it, a re-run cannot repeat one.
      if (this.plan.ledger !== null) this.ports.log(say.noRecord(!this.plan.ledger.isFirst))
      return true
    }
    if (this.opened === null) return true
    this.statement = { ...this.statement, job }
    const done = await this.write(ledger, 'job', choice)
    if (!done.ok && !isRetry) ledger.place.warn(done.rejection)
    return done.ok
  }

  /** Writes this run's entry, or raises it. */
  private async write(ledger: Ledger, state: State, choice: JobChoice): Promise<GitHubReply<number>> {
    const { place } = ledger
    this.statement = { ...this.statement, state }
    // Saved first, because the post step must know about an entry that may exist.
    this.save(ledger, null)
    const done = await place.write(this.statement, place.pending(choice))
    this.save(ledger, null)
    return done
  }

  private save({ place }: Ledger, pending: Saved['pending']): void {
    this.ports.host.save({ place: place.saved(), statement: this.statement, pending })
  }

  /** Reports the result, unless another run has. */
  private async end(result: AgentResult): Promise<void> {
    const { ledger } = this
    if (ledger === null) return this.announce(result)
    // If this run has not read the entries, its result might contradict another run's.
    if (!ledger.isFirst && !this.hasLooked) return
    const hasRecord = this.known.top !== null || this.opened !== null || ledger.isAnnounced
    if (result.outcome === 'skipped' && !hasRecord) return
    const wasSaid = { ...this.statement, ...stateAfter(result) }
    this.statement = wasSaid
    if (!isAtRest(wasSaid.state)) {
      await this.announce(result)
      return this.leave(ledger, result)
    }
    const step = await this.mayReport(ledger)
    if (step === null) return
    if (step) {
      await this.announce(result)
      const shown = ledger.place.result(result, false)
      this.save(ledger, { shown, isReport: true })
      // The entry comes last: if the run is killed before that, the next run repeats all of this.
      const reported = await ledger.place.report(wasSaid, shown)
      if (!reported.ok) return
    }
    // If GitHub is too slow to clear the place before the run is killed, the post step does it.
    if (await ledger.place.clear()) this.ports.host.save(null)
  }

  /** Reports the result on the pull requests that it is about. */
  private async announce(result: AgentResult): Promise<void> {
    const { about, inputs } = this.plan
    if (about !== null) await announce(result, about.origin, about.ref, inputs, this.ports)
  }

  /** Whether this run reports its result; null if it cannot know. */
  private async mayReport(ledger: Ledger): Promise<boolean | null> {
    const { attempt, since } = this.statement
    const actor = { ...ledger, kind: 'reporter' as const, attempt, since, isSender: this.isSender }
    for (;;) {
      if (!this.isSender && (await this.read(ledger)) !== null) return null
      const step = next(actor, this.known, this.ports.clock.date())
      if (step.do !== 'look') return step.do === 'report'
      if (!(await this.waitUntil(step.at))) return null
    }
  }

  /** States that this run has left the job. A run that only waited has nothing to add. */
  private async leave(ledger: Ledger, result: AgentResult): Promise<void> {
    if (this.opened === null) return this.ports.host.save(null)
    const shown = ledger.place.result(result, true)
    this.save(ledger, { shown, isReport: false })
    const left = await ledger.place.write(this.statement, shown)
    if (left.ok) this.ports.host.save(null)
    else ledger.place.warn(left.rejection)
  }

  private stop(outcome: Stopped, problem: Problem | null, prompt: Prompt | null = null): Carried {
    return { result: { ...stopped(outcome, problem, this.ports), prompt }, head: null }
  }
}

type Stop = { do: 'stop'; problem: Problem }

/** What a run does after its last look. */
type Ready = Exclude<RunStep, { do: 'look' | 'send' | 'withdraw' }> | Stop

const unfinished = { do: 'give-up', why: 'unfinished-run' } as const

const unread = { status: null, repository: null, ref: null, model: null, createdAt: null, archivedAt: null }

type Stopped = 'skipped' | 'error' | 'unconfirmed'

/** The result of a request without a job. An error after a cancel was caused by the cancel, not by GitHub. */
function stopped(outcome: Stopped, problem: Problem | null, { cancelled }: LifePorts): AgentResult {
  return cancelled.aborted ? withoutJob('cancelled', null) : withoutJob(outcome, problem)
}

function unwritten(rejection: Rejection, { isAnnounced }: Ledger): Problem {
  return problems.recordUnwritten(isAnnounced, rejection)
}

/** A step's result without a job. */
export function withoutJob(outcome: AgentResult['outcome'], problem: Problem | null): AgentResult {
  const delivery = outcome === 'unconfirmed' ? 'uncertain' : 'not-sent'
  return { outcome, problem, delivery, jobId: null, job: null, prompt: null, changes: null, elapsed: 0 }
}

/** What the post step needs from outside. */
type PostPorts = CommentPorts & CommitPorts & Pick<AgentPorts, 'github'>

/**
 * Finishes what a killed run left: reports its result, or states how far it got, so that a later run can continue. It
 * sends nothing.
 */
export async function finishKilled(
  { place: saved, statement, pending }: Saved,
  ports: PostPorts,
): Promise<void> {
  const { clock, cancelled, words } = ports
  const place = savedPlace(saved, ports)
  const hasResult = pending?.isReport === true
  const { writer, state } = statement
  const post = {
    kind: 'post',
    writer,
    since: clock.date(),
    state: hasResult ? 'asked' : state,
    hasResult,
  } as const
  let step = next(post, fold([]), clock.date())
  while (step.do === 'look') {
    await clock.sleep(step.at - clock.date(), cancelled)
    // One rejected call must not lose what the run knew.
    const first = await place.list()
    const read = first.ok ? first : await place.list()
    if (!read.ok || cancelled.aborted) return
    step = next(post, fold<Statement>(read.value), clock.date())
  }
  if (step.do === 'report' && pending !== null) await place.report(statement, pending.shown)
  if (step.do === 'quit' && place.resume(writer)) {
    const left = { ...statement, state: step.state, isLeft: step.state === 'job' }
    const killed: Shown = { ...place.pending('own'), words: words.killed(step.state) }
    const shown = saved.kind === 'thread' ? killed : place.pending('own')
    const write = () => place.write(left, pending?.shown ?? shown)
    if (!(await write()).ok) await write()
  }
  await place.clear()
}

function savedPlace(saved: Saved['place'], ports: PostPorts): ThreadPlace | CommitPlace {
  if (saved.kind === 'commit') return new CommitPlace(saved.request, ports, saved.context)
  return new ThreadPlace(saved.request, ports, saved.comment)
}
