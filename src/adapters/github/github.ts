/** GitHub, as the use cases need it. */
import type { GitHubPorts } from '../../usecases/ports.ts'
import { createClient, type GitHubOptions } from './client.ts'
import { createComments } from './comments.ts'
import { createRepositories } from './repositories.ts'
import { createStatuses } from './statuses.ts'

export function createGitHubPorts(options: GitHubOptions): GitHubPorts {
  const ask = createClient(options)
  return { ...createComments(ask), ...createStatuses(ask), ...createRepositories(ask) }
}
