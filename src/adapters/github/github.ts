/** GitHub, as the use cases need it. */
import { createClient, type GitHubOptions } from './client.ts'
import { commentCalls } from './comments.ts'
import { pullCalls } from './pulls.ts'
import { repositoryCalls } from './repositories.ts'
import { statusCalls } from './statuses.ts'

/** All calls to GitHub. */
export type GitHubPorts = ReturnType<typeof createGitHubPorts>

/** Makes all calls to GitHub. */
export function createGitHubPorts(options: GitHubOptions) {
  return createClient(options, { ...commentCalls, ...statusCalls, ...repositoryCalls, ...pullCalls })
}
