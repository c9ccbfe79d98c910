/** How the embedded platform's jobs can end. With `never`, they stay active. */
export type JobEnd = 'pull-request' | 'no-changes' | 'archived' | 'failed' | 'never'

/** How jobs progress: with each read of the job, so that no clock is needed. */
export interface JobScript {
  /** `pull-request` by default. A list: how the jobs end, in turn; the last entry applies to all later jobs. */
  ends?: JobEnd | readonly JobEnd[]
  /** Number of reads that show `active` before the job ends; 2 by default. */
  readsUntilEnd?: number
  /** Opens a job's pull request on GitHub. @param folder the first folder in `docs/` that the prompt names, or `docs` */
  opens?: (number: number, branch: string, folder: string) => void
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
interface SandboxJob {
  prompt: string
  /** The follow-ups, oldest first. */
  messages: string[]
  /** The job as the last response showed it. */
  view: JobView
  activeReadsLeft: number
}

const repository = 'https://github.com/acme/docs'
const firstPullRequest = 101
const active = { status: 'active', prLink: null, archivedAt: null } as const

/** Makes the jobs of one project. */
export function createJobs(
  { ends = 'pull-request', readsUntilEnd = 2, opens = () => {} }: JobScript,
  now: () => Date,
) {
  const jobs = new Map<string, SandboxJob>()

  function ended({ view, prompt }: SandboxJob): JobView {
    const at = [...jobs.keys()].indexOf(view.id)
    const list = [ends].flat()
    const end = list[Math.min(at, list.length - 1)]
    if (end === 'never') return view
    const number = firstPullRequest + at
    const [folder] = /\bdocs\/[\w-]+(?=[,.]?\s)/.exec(prompt) ?? ['docs']
    if (end === 'pull-request') opens(number, view.source.ref ?? '', folder)
    return {
      ...view,
      status: end === 'archived' || end === 'failed' ? end : 'completed',
      prLink: end === 'pull-request' ? `${repository}/pull/${number}` : null,
      archivedAt: end === 'archived' ? (view.archivedAt ?? now().toISOString()) : null,
    }
  }

  return {
    /** By id, in order of creation. */
    jobs,

    create(prompt: string): JobView {
      const id = `job_${String(jobs.size + 1).padStart(4, '0')}`
      const source = { repository, ref: `docs-agent/${id}` }
      const view = { id, source, model: 'docs-writer-2', createdAt: now().toISOString(), ...active }
      jobs.set(id, { prompt, messages: [], activeReadsLeft: readsUntilEnd, view })
      return view
    },

    /** Shows a job after one more read; undefined if the id is unknown. */
    read(id: string): JobView | undefined {
      const job = jobs.get(id)
      if (job !== undefined && job.activeReadsLeft-- <= 0) job.view = ended(job)
      return job?.view
    },

    /** Accepts a follow-up; undefined if the id is unknown. */
    message(id: string, prompt: string): JobView | undefined {
      const job = jobs.get(id)
      if (job === undefined) return undefined
      job.messages.push(prompt)
      job.activeReadsLeft = readsUntilEnd
      job.view = { ...job.view, ...active }
      return job.view
    },
  }
}
