/**
 * Which job a request goes to. `own`: a new one. `thread`: that of an earlier request on the thread, as a follow-up;
 * `waited`: the same, once that request had its job. A new one all the same if that job is over (`replaced`), if its pull
 * request is merged or closed (`finished`), or if the earlier request has no job (`unclear`).
 */
export type JobChoice = 'own' | 'thread' | 'waited' | 'replaced' | 'finished' | 'unclear'

/** The job that a request goes to; `jobId` is null for a new one. */
export interface ChosenJob {
  jobId: string | null
  choice: JobChoice
  /** The last commit of the job's pull request before the follow-up; null if that is not known. */
  head: string | null
}
