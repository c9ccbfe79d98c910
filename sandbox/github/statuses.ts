/** The statuses of the double's commits. */

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

  constructor(seeds: readonly SeedStatus[], now: () => Date) {
    this.#now = now
    for (const seed of seeds) this.add(seed, seed.createdAt ?? '2026-11-02T10:00:00Z')
  }

  add(status: Omit<SandboxStatus, 'id' | 'createdAt'>, createdAt = this.#now().toISOString()): SandboxStatus {
    const added = { ...status, id: firstId + this.all.length, createdAt }
    this.all.push(added)
    return added
  }

  /** The statuses of a commit, newest first. */
  list(repository: string, sha: string): SandboxStatus[] {
    const name = repository.toLowerCase()
    return this.all.filter((one) => one.repository.toLowerCase() === name && one.sha === sha).reverse()
  }

  /** The latest status of each context. */
  latest(repository: string, sha: string): SandboxStatus[] {
    const oldestFirst = this.list(repository, sha).reverse()
    return [...new Map(oldestFirst.map((one) => [one.context, one])).values()]
  }
}
