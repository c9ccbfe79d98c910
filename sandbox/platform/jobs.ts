/** How the embedded platform's jobs can end. With `never`, they stay active. */
export type JobEnd = 'pull-request' | 'no-changes' | 'archived' | 'failed' | 'never'

/** How jobs progress: with each read of the job, so that no clock is needed. */
export interface JobScript {
  /** `pull-request` by default. A list: how the jobs end, in turn; the last entry applies to all later jobs. */
  ends?: JobEnd | readonly JobEnd[]
  /** Number of reads that show `active` before the job ends; 2 by default. */
  readsUntilEnd?: number
  /** Whether `prLink` is missing from the first read that shows `completed`, and appears in the next one. */
  linkLate?: boolean
  /** Number of reads after a follow-up to a finished job that still show its earlier result; 0 by default. */
  staleReads?: number
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
const active = { status: 'active', prLink: null, archivedAt: null } as const

/** The jobs of one project. */
export class JobBook {
  readonly #jobs = new Map<string, TrackedJob>()
  readonly #script: Required<JobScript>
  readonly #now: () => Date

  constructor(script: JobScript, now: () => Date) {
    this.#script = {
      ends: 'pull-request',
      readsUntilEnd: 2,
      linkLate: false,
      staleReads: 0,
      opens: () => {},
      ...script,
    }
    this.#now = now
  }

  get jobs(): ReadonlyMap<string, SandboxJob> {
    return this.#jobs
  }

  create(prompt: string): JobView {
    const id = `job_${String(this.#jobs.size + 1).padStart(4, '0')}`
    const source = { repository, ref: `docs-agent/${id}` }
    const view: JobView = {
      id,
      source,
      model: 'docs-writer-2',
      createdAt: this.#now().toISOString(),
      ...active,
    }
    this.#jobs.set(id, {
      prompt,
      messages: [],
      pullRequest: firstPullRequest + this.#jobs.size,
      activeReadsLeft: this.#script.readsUntilEnd,
      staleReadsLeft: 0,
      view,
    })
    return view
  }

  /** Shows a job after one more read; undefined if the id is unknown. */
  read(id: string): JobView | undefined {
    const job = this.#jobs.get(id)
    if (job === undefined) return undefined
    if (job.staleReadsLeft > 0) job.staleReadsLeft--
    else job.view = this.#advanced(job)
    return job.view
  }

  /** Accepts a follow-up; undefined if the id is unknown. */
  message(id: string, prompt: string): JobView | undefined {
    const job = this.#jobs.get(id)
    if (job === undefined) return undefined
    job.messages.push(prompt)
    job.activeReadsLeft = this.#script.readsUntilEnd
    if (job.view.status !== 'active') job.staleReadsLeft = this.#script.staleReads
    if (job.staleReadsLeft === 0) job.view = { ...job.view, ...active }
    return job.view
  }

  #advanced(job: TrackedJob): JobView {
    const { linkLate, opens } = this.#script
    const list = [this.#script.ends].flat()
    const ends = list[Math.min(job.pullRequest - firstPullRequest, list.length - 1)]
    if (ends === 'never' || job.activeReadsLeft-- > 0) return { ...job.view, ...active }
    const hasLink = ends === 'pull-request' && !(linkLate && job.view.status === 'active')
    if (hasLink) opens(job.pullRequest, job.view.source.ref ?? '')
    return {
      ...job.view,
      status: ends === 'archived' || ends === 'failed' ? ends : 'completed',
      prLink: hasLink ? `${repository}/pull/${job.pullRequest}` : null,
      archivedAt: ends === 'archived' ? (job.view.archivedAt ?? this.#now().toISOString()) : null,
    }
  }
}
