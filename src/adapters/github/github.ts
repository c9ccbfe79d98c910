/** GitHub, as the use cases need it. */
import type { GitHubPorts } from '../../usecases/ports.ts'
import { createClient, type GitHubOptions } from './client.ts'
import { createComments } from './comments.ts'
import { createPulls } from './pulls.ts'
import { createRepositories } from './repositories.ts'
import { createStatuses } from './statuses.ts'
import { createViewer } from './viewer.ts'

/** All calls to GitHub. */
export function createGitHubPorts(options: GitHubOptions): GitHubPorts {
  const ask = createClient(options)
  const viewer = createViewer(ask)
  return {
    ...createComments(ask, viewer),
    ...createStatuses(ask, viewer),
    ...createRepositories(ask),
    ...createPulls(ask, viewer),
  }
}
