/** Which job more work goes to. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import { isTerminal, type Job, parseJob } from '../core/job/job.ts'
import { type Called, call } from './call.ts'
import type { PlatformPorts } from './ports.ts'

/** Reads a job, with retries. */
export function readJob(projectId: string, jobId: string, ports: PlatformPorts): Promise<Called<Job>> {
  const operation = { name: 'read', projectId, jobId } as const
  return call({ operation, parse: (json) => parseJob(json, jobId) }, ports)
}

/**
 * Whether a job takes more work: not if it failed, was archived or is gone. One that cannot be read is taken to: its
 * message then says what is wrong.
 */
export async function takesMore(
  jobId: string,
  { projectId, dryRun }: Pick<AgentInputs, 'projectId' | 'dryRun'>,
  ports: PlatformPorts,
): Promise<boolean> {
  if (dryRun) return true
  const read = await readJob(projectId, jobId, ports)
  const isGone = !read.ok && read.failure.kind === 'refused' && read.failure.status === 404
  const status = read.ok ? read.value.status : null
  const isOver = status !== null && status !== 'completed' && isTerminal(status)
  if (!isGone && !isOver) return true
  ports.onProgress({ type: 'job-over', jobId, status: status ?? 'gone' })
  return false
}
