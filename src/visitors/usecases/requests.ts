/** A run's requests. Their number is limited, because all tools of an organization share the platform's hourly limit. */

import { type Calling, call } from '../../usecases/jobs.ts'
import type { PlatformPorts } from '../../usecases/ports.ts'
import type { Missing } from '../core/gap.ts'
import type { Period } from '../core/period.ts'
import { type List, type Listing, readList } from '../core/section.ts'
import { pageSize, parseVisitorsPage } from '../core/visitors.ts'
import { reading } from './messages.ts'

/** Takes one of the run's requests. Returns null, or the reason why no request is left. */
export type Take = () => Missing | null | Promise<Missing | null>

/** A response, or why there is none. */
export type Response<T> = { ok: true; value: T } | { ok: false; gap: Missing }

/** The requests of a run: how many it may make, including retries, and how many it has made. */
export class Requests {
  used = 0
  readonly limit: number
  /** Why the platform would reject any more requests; null if it would not. */
  rejected: Missing | null = null
  private readonly projectId: string
  private readonly ports: PlatformPorts

  constructor(limit: number, projectId: string, ports: PlatformPorts) {
    this.limit = limit
    this.projectId = projectId
    this.ports = ports
  }

  /** Takes a request if time and budget are left. Once the step is cancelled, the returned reason does not matter. */
  take(): Missing | null {
    const { clock, cancelled, deadline } = this.ports
    if (this.rejected !== null) return this.rejected
    if (cancelled.aborted || clock.now() >= deadline) return { why: 'timeout' }
    if (this.used >= this.limit) return { why: 'budget' }
    this.used++
    return null
  }

  /** Requests pages of the site, with their visitors. */
  pages(period: Period, offset: number, take?: Take) {
    const { projectId } = this
    const operation = {
      name: 'visitors',
      projectId,
      period,
      path: 'visitors',
      query: { limit: pageSize, offset },
    } as const
    return this.make({ operation, parse: parseVisitorsPage }, take)
  }

  /** Reads a list of what readers say. A failure does not affect the rest of the report. */
  async list<Entry>(list: List<Entry>, period: Period): Promise<Listing<Entry>> {
    const { path, query, name } = list
    const operation = { name: 'list', projectId: this.projectId, period, path, query } as const
    const reply = await this.make({ operation, parse: (json) => readList(list, json) })
    this.ports.log(reading.listRead(name, period, reply.ok ? null : reply.gap))
    return reply.ok ? reply.value : { kind: 'missing', gap: reply.gap }
  }

  /** Makes a request, and repeats it if that may help. */
  private async make<T>(calling: Calling<T>, take: Take = () => this.take()): Promise<Response<T>> {
    const gap = await take()
    if (gap !== null) return { ok: false, gap }
    const reply = await call(calling, this.ports, async () => (await take()) === null)
    if (reply.ok) return reply
    return { ok: false, gap: { why: 'failed', problem: reply.problem } }
  }
}
