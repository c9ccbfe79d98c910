/** The push of the demo: someone's pull request was merged. */
import { demoPush, demoRepository, repository } from './demo.ts'
import { type GitHubOptions, sandboxGitHubToken } from './github/server.ts'

/** GitHub after the merge. */
export const gitHubOfPush = (): GitHubOptions => ({ repository, repositories: [demoRepository()] })

/** The step as the push starts it. */
export function pushStep(apiUrl: string) {
  const { name, payload } = demoPush()
  return {
    eventName: name,
    event: payload,
    githubToken: sandboxGitHubToken,
    env: { GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: repository },
  }
}
