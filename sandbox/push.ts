/** The push of the demo: a pull request of somebody's was merged, and the code's own tests and lock file came with it. */
import { commit } from './github/commits.ts'
import { Repository } from './github/repository.ts'
import { type GitHubOptions, sandboxGitHubToken } from './github/server.ts'
import { pushed } from './payloads.ts'

const before = commit({
  message: 'Install from npm',
  files: {
    'src/install.ts': "export const command = 'npm install acme'\n",
    'package-lock.json': '{ "lockfileVersion": 2 }\n',
  },
})
const after = commit({
  parents: [before],
  message: 'Install globally (#12)',
  author: 'mona',
  files: {
    'src/install.ts': "export const command = 'npm install --global acme'\n",
    'src/uninstall.ts': "export const command = 'npm uninstall --global acme'\n",
    'package-lock.json': '{ "lockfileVersion": 3 }\n',
  },
})

const repository = 'acme/docs'

/** GitHub after the merge; the embedded platform's pull requests are numbers 101 and on. */
export const gitHubOfPush: GitHubOptions = {
  repository,
  repositories: [
    new Repository({
      name: repository,
      branches: { main: after },
      pulls: [
        {
          number: 12,
          user: 'mona',
          head: { branch: 'install', commit: after },
          merged: { commit: after, by: 'mona' },
        },
      ],
    }),
  ],
  pullRequests: [12, 101],
}

/** The step as the push starts it. */
export function pushStep(apiUrl: string) {
  const { name, payload } = pushed({ before, after, repository })
  return {
    eventName: name,
    event: payload,
    githubToken: sandboxGitHubToken,
    env: { GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: repository },
  }
}
