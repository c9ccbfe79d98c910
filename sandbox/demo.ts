/** The demo's repository: an issue with a command, and the pull request that the agent opens. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RawEvent } from '../src/core/trigger/event.ts'
import { commit } from './github/commits.ts'
import { Repository } from './github/repository.ts'
import { type GitHubOptions, sandboxGitHubToken, startGitHub } from './github/server.ts'
import { issueComment } from './payloads.ts'
import { demoReaders } from './platform/demo-readers.ts'
import { startPlatform } from './platform/server.ts'
import { seededTraffic } from './platform/traffic.ts'
import { projectDir } from './runner/action.ts'

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

/** The folders of all runs of `npm start`, numbered from 1. */
const runs = join(projectDir, 'out')

/** The folder of the newest run. */
export const lastFolder = (): string => join(runs, String(countRuns()))

/** The folder of the next run. */
export const nextFolder = (): string => join(runs, String(countRuns() + 1))

function countRuns(): number {
  const names = existsSync(runs) ? readdirSync(runs) : []
  return Math.max(0, ...names.map(Number).filter(Number.isInteger))
}

/** The issue that people comment on. */
export const demoIssue = {
  number: 7,
  title: 'The install page is wrong',
  user: 'mona',
  body: 'It says `npm install acme`. Since #12, the command is `npm install --global acme`.',
}
/** The embedded platform's first job, and its pull request. */
const opened = { number: 101, branch: 'docs-agent/job_0001' }

/** The repository at the start of each demo. As on GitHub, the agent's pull request exists before its job ends. */
function demoRepository(): Repository {
  return new Repository({
    name: repository,
    branches: { main: after, [opened.branch]: docs },
    pulls: [
      {
        number: 12,
        user: 'mona',
        title: 'Install globally',
        head: { branch: 'install', commit: after },
        merged: { commit: after },
      },
      {
        number: opened.number,
        user: 'mintlify[bot]',
        head: { branch: opened.branch, commit: docs },
        base: { commit: after },
      },
    ],
  })
}

/** A comment on the demo's issue by someone with write access, and the state of GitHub at that time. */
function commented(body: string): { event: RawEvent; github: GitHubOptions } {
  const { number, title, body: text } = demoIssue
  const thread = { number, reviewRoot: null }
  const createdAt = new Date().toISOString()
  return {
    event: issueComment({ body, number, title, text }),
    github: {
      repository,
      roles: { mona: { permission: 'write', role_name: 'write' } },
      repositories: [demoRepository()],
      comments: [{ id: 1001, thread, body, user: 'mona', createdAt }],
    },
  }
}

/** Starts the mocks. Without a comment, the issue has none. */
export async function startDemo(comment?: string) {
  const today = new Date().toISOString().slice(0, 10)
  const platform = await startPlatform({ visitors: seededTraffic(today), readers: demoReaders(today) })
  const { event, github } = commented(comment ?? '')
  const hub = await startGitHub(comment === undefined ? { ...github, comments: [] } : github)
  return { platform, hub, event }
}

/** The options of the step that an event starts. */
export function stepOn({ name, payload }: RawEvent, apiUrl: string) {
  return {
    eventName: name,
    event: payload,
    githubToken: sandboxGitHubToken,
    env: { GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: repository, GITHUB_SHA: after.sha },
  }
}
