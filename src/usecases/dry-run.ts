/** A dry run's request to Mintlify: one row of analytics, which needs the same key and project as everything else. */
import type { PlatformProblem } from '../core/problem.ts'
import { dayMs } from '../core/units.ts'
import { call } from './call.ts'
import type { PlatformPorts } from './ports.ts'

/** The day of a time, in UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/**
 * Reads one row of the last complete day. Returns why the key or project cannot be used; null if they can. The request
 * does not name a job: with a job, a 404 would not show whether the job, the project or the key is wrong.
 */
export async function checkAccess(projectId: string, ports: PlatformPorts): Promise<PlatformProblem | null> {
  const today = ports.clock.date()
  const period = { from: dayOf(today - dayMs), to: dayOf(today) }
  const operation = { name: 'visitors', projectId, period, limit: 1, offset: 0 } as const
  const read = await call({ operation, parse: (json) => json ?? undefined }, ports)
  return read.ok ? null : { type: 'platform', operation: 'visitors', failure: read.failure }
}
