/** A job of the agent, and which job a request goes to. */
import type { Problem } from './problems.ts'

/**
 * A job as the platform shows it. The platform guarantees no fields (openapi.yaml): each is null if it is missing or
 * malformed. `status` is the platform's own word; an unknown status counts as not ended. `link` is the address of the
 * job's pull request, as `mintlify/jobs.ts` reads it. The times are the platform's own text, usually an ISO 8601 date-time.
 */
export type Job = { id: string } & Record<JobField, string | null>

type JobField = 'status' | 'link' | 'repository' | 'branch' | 'model' | 'creationTime' | 'archiveTime'

/** A job that was not polled: only its id and its pull request are known. */
export function recordedJob(id: string, link: string | null): Job {
  return {
    id,
    status: null,
    link,
    repository: null,
    branch: null,
    model: null,
    creationTime: null,
    archiveTime: null,
  }
}

/**
 * Why a request goes to its job. `own`: earlier requests on its thread do not matter. `thread`: it is a follow-up to an
 * earlier request. A new job replaces an earlier one that is over, or whose pull request is merged or closed
 * (`replaced`), or that is unknown (`unclear`).
 */
export type JobChoice = 'own' | 'thread' | 'replaced' | 'unclear'

/** The job that a request goes to; `jobId` is null for a new one. */
export interface ChosenJob {
  jobId: string | null
  choice: JobChoice
  /** The last commit of the job's pull request before the follow-up; null if unknown. */
  head: string | null
  /** The job's open pull request; null if it has none, or if it is unknown. */
  link: string | null
  /** The job before the follow-up; null if it was not polled. */
  before: Job | null
  /** Why the job could not be polled, so that nothing is sent; otherwise null. */
  problem: Problem | null
}

/** A new job, regardless of earlier requests. */
export const newJob: ChosenJob = {
  jobId: null,
  choice: 'own',
  head: null,
  link: null,
  before: null,
  problem: null,
}
