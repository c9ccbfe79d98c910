/** What a dry run asks Mintlify: one row of analytics, which takes the same key and project as everything else. */
import type { PlatformProblem } from '../core/problem.ts'
import { addDays, dayIn } from '../visitors/core/calendar.ts'
import { parseVisitorsPage } from '../visitors/core/visitors.ts'
import { call } from './call.ts'
import type { PlatformPorts } from './ports.ts'

/**
 * Reads one row of the last complete day. A job's 404 would prove nothing: it may be about the job, the project or the
 * key. Returns why the key or the project cannot be used; null if they can.
 */
export async function checkAccess(projectId: string, ports: PlatformPorts): Promise<PlatformProblem | null> {
  const today = dayIn('UTC', ports.clock.date())
  const period = { from: addDays(today, -1), to: today }
  const operation = { name: 'visitors', projectId, period, limit: 1, offset: 0 } as const
  const read = await call({ operation, parse: parseVisitorsPage }, ports)
  if (read.ok) return null
  const { failure, attempts } = read
  return { type: 'platform', operation: 'visitors', failure, attempts }
}
