/** The statuses of the double's commits. */
import { isSameName } from './repository.ts'

export interface SandboxStatus {
  readonly id: number
  /** `owner/name` */
  readonly repository: string
  readonly sha: string
  readonly context: string
  readonly state: 'pending' | 'success' | 'failure' | 'error'
  readonly description: string | null
  readonly targetUrl: string | null
  readonly creator: string
  readonly createdAt: string
}

/** A status that exists before the first request. */
export type SeedStatus = Omit<SandboxStatus, 'id' | 'createdAt'> & { createdAt?: string }

const firstId = 5001

export class StatusBook {
  /** In order of creation. */
  readonly all: SandboxStatus[] = []
  readonly #now: () => Date
  readonly #lag: () => number

  constructor(seeds: readonly SeedStatus[], now: () => Date, lag: () => number) {
    this.#now = now
    this.#lag = lag
    for (const seed of seeds) this.add({ createdAt: '2026-11-02T10:00:00Z', ...seed })
  }

  add(status: SeedStatus): SandboxStatus {
    const added = { createdAt: this.#now().toISOString(), ...status, id: firstId + this.all.length }
    this.all.push(added)
    return added
  }

  /** The statuses of a commit, newest first. The list lags. */
  list(repository: string, sha: string): SandboxStatus[] {
    const time = this.#now().getTime() - this.#lag()
    const listed = this.all.filter(({ createdAt }) => Date.parse(createdAt) <= time)
    return listed.filter((one) => isSameName(one.repository, repository) && one.sha === sha).reverse()
  }

  /** The latest status of each context. */
  latest(repository: string, sha: string): SandboxStatus[] {
    const oldestFirst = this.list(repository, sha).reverse()
    return [...new Map(oldestFirst.map((one) => [one.context, one])).values()]
  }
}
