/** The statuses of the mock's commits. */
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

export type StatusBook = ReturnType<typeof createStatuses>

export function createStatuses(seeds: readonly SeedStatus[], now: () => Date) {
  /** In order of creation. */
  const all: SandboxStatus[] = []

  function add(status: SeedStatus): SandboxStatus {
    const added = { createdAt: now().toISOString(), ...status, id: firstId + all.length }
    all.push(added)
    return added
  }

  /** The statuses of a commit, newest first. */
  function list(repository: string, sha: string): SandboxStatus[] {
    return all.filter((one) => isSameName(one.repository, repository) && one.sha === sha).reverse()
  }

  /** The latest status of each context. */
  function latest(repository: string, sha: string): SandboxStatus[] {
    const oldestFirst = list(repository, sha).reverse()
    return [...new Map(oldestFirst.map((one) => [one.context, one])).values()]
  }

  /** Moves the statuses of a repository to its new name. */
  function rename(from: string, to: string): void {
    for (const [index, one] of all.entries())
      if (isSameName(one.repository, from)) all[index] = { ...one, repository: to }
  }

  for (const seed of seeds) add({ createdAt: '2026-11-02T10:00:00Z', ...seed })
  return { all, add, list, latest, rename }
}
