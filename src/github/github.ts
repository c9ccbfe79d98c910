/** All calls to GitHub together. */
import { createApi, type GitHubOptions, returningFailures } from './client.ts'
import { commentCalls } from './comments.ts'
import { queryCalls } from './queries.ts'
import { repositoryCalls } from './repositories.ts'
import { statusCalls } from './statuses.ts'

/** All calls to GitHub. They never throw. */
export type GitHubPorts = ReturnType<typeof createGitHubPorts>

/** Makes all calls to GitHub. */
export function createGitHubPorts(options: GitHubOptions) {
  const api = createApi(options)
  return returningFailures({
    ...commentCalls(api),
    ...statusCalls(api),
    ...repositoryCalls(api),
    ...queryCalls(api),
  })
}
