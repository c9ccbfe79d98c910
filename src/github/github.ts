/** GitHub, as the use cases need it. */
import { asked, createApi, type GitHubOptions } from './client.ts'
import { commentCalls } from './comments.ts'
import { repositoryCalls } from './repositories.ts'
import { statusCalls } from './statuses.ts'

/** All calls to GitHub. They never throw. */
export type GitHubPorts = ReturnType<typeof createGitHubPorts>

/** Makes all calls to GitHub. */
export function createGitHubPorts(options: GitHubOptions) {
  const api = createApi(options)
  return asked({ ...commentCalls(api), ...statusCalls(api), ...repositoryCalls(api) })
}
