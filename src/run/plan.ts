/** A request to carry out, the run that does it, and what the run needs from its step. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import type { ChosenJob, Job } from '../core/job.ts'
import type { AgentResult, Stop } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import type { AgentPorts } from '../ports.ts'
import type { Progress, Statement } from '../record/entry.ts'
import type { RunActor } from '../record/next.ts'
import type { Display, Place } from '../record/place.ts'

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
  /** Saves that a request is about to be sent, for the post step. Otherwise, returns why nothing is sent. */
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
export interface Message {
  prompt: Prompt
  target: ChosenJob
}

/** A job to wait for. */
export interface Pursuit {
  jobId: string
  /** The job in the response to its creation or follow-up; none if this run did not send the request. */
  job?: Job | null
  /** The job as it was chosen; none if this run did not send the request. */
  target?: ChosenJob | null
}

/** What a run does next. */
export type Task =
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
export interface Run extends Plan {
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

/** A run, as `next` sees it. */
export function actorOf(run: Run): RunActor {
  return { ...run, ...run.statement, isFirst: run.isFirst || run.place.isOff, waits: run.inputs.wait }
}

/** Saves what the post step needs. @param end what is about to be shown at the end; null before that */
export function save({ place, statement }: Run, { hooks }: RunPorts, end: Display | null = null): void {
  const { request, isOff } = place
  if (request === null || isOff) hooks.save(null)
  else hooks.save({ request, statement, end })
}
