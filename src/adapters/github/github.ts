/** GitHub, as the use cases need it. */
import type { GitHub, Repositories } from '../../usecases/ports.ts'
import { createClient, type GitHubOptions } from './client.ts'
import { createRepositories } from './repositories.ts'
import { createThreads } from './threads.ts'

export function createGitHub(options: GitHubOptions): GitHub & Repositories {
  const call = createClient(options)
  return { ...createThreads(call), ...createRepositories(call) }
}
