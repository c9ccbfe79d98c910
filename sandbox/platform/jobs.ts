/** How the embedded platform's jobs can end. With `never`, they stay active. */
export const jobEnds = ['pull-request', 'no-changes', 'archived', 'failed', 'never'] as const

export type JobEnd = (typeof jobEnds)[number]

/** How jobs progress: with each read of the job, so that no clock is needed. */
export interface JobScript {
  /** `pull-request` by default. */
  ends?: JobEnd
  /** Number of reads that show `active` before the job ends; 2 by default. */
  readsUntilEnd?: number
  /** Whether `prLink` is missing from the first read that shows `completed`, and appears in the next one. */
  linkLate?: boolean
  /** Number of reads after a follow-up to a finished job that still show its earlier result; 0 by default. */
  staleReads?: number
  /** Whether to return only what openapi.yaml requires: the id of a new job, and status and `prLink` of a finished one. */
  isSparse?: boolean
  /** Opens a job's pull request on GitHub. */
  opens?: (number: number, branch: string) => void
}

/** A job in the API's format (openapi.yaml, "Job"). */
export interface JobView {
  id: string
  status: 'active' | 'completed' | 'archived' | 'failed'
  source: { repository: string; ref: string | null }
  model: string
  prLink: string | null
  createdAt: string
  archivedAt: string | null
}

/** A job of the embedded platform, and its requests. */
export interface SandboxJob {
  readonly prompt: string
  /** The follow-ups, oldest first. */
  readonly messages: readonly string[]
  /** The job as the last response showed it. */
  readonly view: Readonly<JobView>
}

interface TrackedJob extends SandboxJob {
  messages: string[]
  view: JobView
  readonly pullRequest: number
  activeReadsLeft: number
  staleReadsLeft: number
}

const repository = 'https://github.com/acme/docs'
const firstPullRequest = 101

/** The jobs of one project. */
export class JobBook {
  readonly #jobs = new Map<string, TrackedJob>()
  readonly #script: Required<JobScript>
  readonly #now: () => Date

  constructor(script: JobScript, now: () => Date) {
    const defaults = {
      ends: 'pull-request',
      readsUntilEnd: 2,
      linkLate: false,
      staleReads: 0,
      isSparse: false,
      opens: () => {},
    } as const
    this.#script = { ...defaults, ...script }
    this.#now = now
  }

  get jobs(): ReadonlyMap<string, SandboxJob> {
    return this.#jobs
  }

  create(prompt: string): Partial<JobView> {
    const id = `job_${String(this.#jobs.size + 1).padStart(4, '0')}`
    const job: TrackedJob = {
      prompt,
      messages: [],
      pullRequest: firstPullRequest + this.#jobs.size,
      activeReadsLeft: this.#script.readsUntilEnd,
      staleReadsLeft: 0,
      view: {
        id,
        status: 'active',
        source: { repository, ref: `docs-agent/${id}` },
        model: 'docs-writer-2',
        prLink: null,
        createdAt: this.#now().toISOString(),
        archivedAt: null,
      },
    }
    this.#jobs.set(id, job)
    return this.#script.isSparse ? { id } : job.view
  }

  /** Shows a job after one more read; undefined if the id is unknown. */
  read(id: string): Partial<JobView> | undefined {
    const job = this.#jobs.get(id)
    if (job === undefined) return undefined
    if (job.staleReadsLeft > 0) job.staleReadsLeft--
    else this.#advance(job)
    if (!this.#script.isSparse) return job.view
    const { status, prLink } = job.view
    return status === 'active' ? {} : { status, ...(prLink !== null && { prLink }) }
  }

  /** Accepts a follow-up; undefined if the id is unknown. */
  message(id: string, prompt: string): Partial<JobView> | undefined {
    const job = this.#jobs.get(id)
    if (job === undefined) return undefined
    job.messages.push(prompt)
    job.activeReadsLeft = this.#script.readsUntilEnd
    if (job.view.status !== 'active') job.staleReadsLeft = this.#script.staleReads
    if (job.staleReadsLeft === 0) reopen(job)
    return this.#script.isSparse ? {} : job.view
  }

  #advance(job: TrackedJob): void {
    if (this.#script.ends === 'never' || job.activeReadsLeft > 0) {
      job.activeReadsLeft--
      reopen(job)
    } else {
      this.#end(job, this.#script.ends)
    }
  }

  #end(job: TrackedJob, end: Exclude<JobEnd, 'never'>): void {
    const justEnded = job.view.status === 'active'
    const withLink = end === 'pull-request' && !(this.#script.linkLate && justEnded)
    const { pullRequest } = job
    if (withLink) this.#script.opens(pullRequest, job.view.source.ref ?? '')
    job.view = {
      ...job.view,
      status: end === 'archived' || end === 'failed' ? end : 'completed',
      prLink: withLink ? `${repository}/pull/${pullRequest}` : null,
      archivedAt: end === 'archived' ? (job.view.archivedAt ?? this.#now().toISOString()) : null,
    }
  }
}

function reopen(job: TrackedJob): void {
  job.view = { ...job.view, status: 'active', prLink: null, archivedAt: null }
}
