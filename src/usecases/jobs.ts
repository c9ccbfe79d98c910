/** Checks how a job ended, and whether it takes a follow-up. */
import type { RunInputs } from '../core/inputs/schema.ts'
import { isTerminal, type Job, parseJob, pullRequestThread } from '../core/job/job.ts'
import { isMissing, type Reply } from '../core/job/response.ts'
import { call } from './call.ts'
import type { AgentPorts, PlatformPorts } from './ports.ts'

/** Polls a job, with retries. */
export function readJob(projectId: string, jobId: string, ports: PlatformPorts): Promise<Reply<Job>> {
  const operation = { name: 'read', projectId, jobId } as const
  return call({ operation, parse: (json) => parseJob(json, jobId) }, ports)
}

/** Milliseconds before the second poll of a completed job without a link, because the link may appear later. */
const linkGrace = 5_000
/** Maximum number of jobs to poll at the same time. */
const atOnce = 4

/** Polls jobs. Jobs that completed without a link are polled a second time. */
export async function pollJobs(
  ids: readonly string[],
  projectId: string,
  ports: PlatformPorts,
): Promise<Map<string, Reply<Job>>> {
  const reads = await readJobs([...new Set(ids)], projectId, ports)
  const linkless = [...reads].flatMap(([id, read]) =>
    read.ok && read.value.status === 'completed' && read.value.prLink === null ? [id] : [],
  )
  if (linkless.length === 0) return reads
  await ports.clock.sleep(linkGrace, ports.cancelled)
  const again = await readJobs(linkless, projectId, ports)
  // A job without a link only counts as ended once a second poll confirms it.
  for (const id of linkless) reads.delete(id)
  for (const [id, read] of again) if (read.ok) reads.set(id, read)
  return reads
}

async function readJobs(
  ids: readonly string[],
  projectId: string,
  ports: PlatformPorts,
): Promise<Map<string, Reply<Job>>> {
  const reads = new Map<string, Reply<Job>>()
  const left = [...ids]
  const work = async () => {
    for (let id = left.shift(); id !== undefined && !ports.cancelled.aborted; id = left.shift()) {
      reads.set(id, await readJob(projectId, id, ports))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return reads
}

/** Whether a job takes a follow-up. `head` and `link` of its open pull request are null if there is none, or if it is unknown. */
export type Followable =
  | { takes: true; head: string | null; link: string | null }
  | { takes: false; why: 'replaced' | 'finished' }

/**
 * Checks whether a job takes a follow-up. A job takes none if it failed, was archived or is gone (`replaced`), or if
 * its pull request is merged or closed (`finished`). A job that cannot be polled counts as taking one: the follow-up
 * will show what is wrong.
 */
export async function followable(
  jobId: string,
  { projectId, githubToken }: RunInputs,
  ports: AgentPorts,
): Promise<Followable> {
  const yes = (head: string | null, link: string | null = null) => ({ takes: true, head, link }) as const
  const read = await readJob(projectId, jobId, ports)
  const job = read.ok ? read.value : null
  const status = job?.status ?? null
  const isOver = status !== null && status !== 'completed' && isTerminal(status)
  if (isOver || (!read.ok && isMissing(read.failure))) {
    ports.onProgress({ type: 'job-over', jobId, status: status ?? 'gone' })
    return { takes: false, why: 'replaced' }
  }
  const thread = pullRequestThread(job?.prLink ?? null, ports.serverUrl)
  if (thread === null || githubToken === null) return yes(null)
  const pull = await ports.github.pull(thread.repository, thread.number)
  if (!pull.ok || pull.value === null) return yes(null)
  if (pull.value.isOpen) return yes(pull.value.headCommit, pull.value.url)
  ports.onProgress({ type: 'job-over', jobId, status: pull.value.isMerged ? 'merged' : 'closed' })
  return { takes: false, why: 'finished' }
}
