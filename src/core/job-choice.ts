/**
 * Why a request goes to its job. `own`: earlier requests on its thread do not matter. `thread`: it is a follow-up to an
 * earlier request. A new job replaces an earlier one that is over (`replaced`), whose pull request is merged or closed
 * (`finished`), or that is unknown (`unclear`).
 */
export type JobChoice = 'own' | 'thread' | 'replaced' | 'finished' | 'unclear'

/** The job that a request goes to; `jobId` is null for a new one. */
export interface ChosenJob {
  jobId: string | null
  choice: JobChoice
  /** The last commit of the job's pull request before the follow-up; null if unknown. */
  head: string | null
  /** The job's open pull request; null if it has none, or if it is unknown. */
  link: string | null
}

/** A new job, regardless of earlier requests. */
export const newJob: ChosenJob = { jobId: null, choice: 'own', head: null, link: null }
