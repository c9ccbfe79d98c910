/** The demo's repository: a push by a person, and the pull request that the agent opens. */
import { commit } from './github/commits.ts'
import { Repository } from './github/repository.ts'
import { pullRequest, pushed } from './payloads.ts'

const before = commit({
  message: 'Install from npm',
  files: {
    'src/install.ts': "export const command = 'npm install acme'\n",
    'package-lock.json': '{ "lockfileVersion": 2 }\n',
    'docs/install.mdx': '# Install\n\nRun `npm install acme`.\n',
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
const docs = commit({
  parents: [after],
  message: 'Say how to install globally',
  author: 'mintlify[bot]',
  files: {
    'docs/install.mdx':
      '# Install\n\nRun `npm install --global acme`.\n\nTo remove it, see [Uninstall](uninstall).\n',
    'docs/uninstall.mdx': '# Uninstall\n\nRun `npm uninstall --global acme`.\n',
  },
})

export const repository = 'acme/docs'

/** The issue that people comment on or label. */
export const demoIssue = {
  number: 7,
  title: 'The install page is wrong',
  user: 'mona',
  body: 'It says `npm install acme`. Since #12, the command is `npm install --global acme`.',
}
/** The embedded platform's first job, and its pull request. */
const opened = { number: 101, branch: 'docs-agent/job_0001' }

/** The titles of the demo's threads. */
export const titles: Readonly<Record<number, string>> = {
  [demoIssue.number]: demoIssue.title,
  12: 'Install globally',
  [opened.number]: 'Say how to install globally',
}

/** The repository at the start of each demo. As on GitHub, the agent's pull request exists before its job ends. */
export function demoRepository(): Repository {
  return new Repository({
    name: repository,
    branches: { main: after, [opened.branch]: docs },
    pulls: [
      {
        number: 12,
        user: 'mona',
        title: 'Install globally',
        head: { branch: 'install', commit: after },
        merged: { commit: after, by: 'mona' },
      },
      {
        number: opened.number,
        user: 'mintlify[bot]',
        title: 'Say how to install globally',
        head: { branch: opened.branch, commit: docs },
        base: { commit: after },
      },
    ],
  })
}

/** The push that starts a demo: the merge of a change to the code and its lock file. */
export const demoPush = () => pushed({ before, after, repository })

/** The event that the agent's pull request triggers. */
export const demoPullRequest = () =>
  pullRequest({
    action: 'opened',
    number: opened.number,
    user: 'mintlify[bot]',
    repository,
    head: { branch: opened.branch, sha: docs.sha },
  })
