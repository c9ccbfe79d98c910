/** A request to carry out, and what its run needs from its step. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import type { ChosenJob, Job } from '../core/job.ts'
import type { AgentResult, Stop } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import type { Prompt } from '../core/prompt/prompt.ts'
import type { AgentPorts } from '../ports.ts'
import type { Statement } from '../record/entry.ts'
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
