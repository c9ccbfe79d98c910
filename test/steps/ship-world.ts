/** The story of docs that ship with a feature: a label on the code's pull request, and what follows. */
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import type { GitHub, GitHubOptions } from '../../sandbox/github/server.ts'
import { pullRequest, pushed, scheduled } from '../../sandbox/payloads.ts'

const repository = 'acme/docs'

const before = commit({
  message: 'Install from npm',
  files: {
    'src/install.ts': "export const command = 'npm install acme'\n",
    'docs/install.mdx': '# Install\n\nRun `npm install acme`.\n',
  },
})
const code = commit({
  parents: [before],
  message: 'Install globally',
  author: 'mona',
  files: { 'src/install.ts': "export const command = 'npm install --global acme'\n" },
})
/** A later commit of the code's pull request. */
const later = commit({
  parents: [code],
  message: 'Uninstall, too',
  author: 'mona',
  files: { 'src/uninstall.ts': "export const command = 'npm uninstall --global acme'\n" },
})
const docs = commit({
  parents: [before],
  message: 'Say how to install globally',
  author: 'mintlify[bot]',
  files: { 'docs/install.mdx': '# Install\n\nRun `npm install --global acme`.\n' },
})
/** What a person adds to the agent's pull request. */
const note = commit({
  parents: [docs],
  message: 'Say why',
  author: 'rita',
  files: { 'src/notes.md': 'Why\n' },
})

const codeNumber = 12
const docsNumber = 101
const codeBranch = 'install'
const docsBranch = 'docs-agent/job_0001'

/** What people and the agent do on GitHub. Each method returns the event that starts a step. */
export function createStory() {
  const home = new Repository({
    name: repository,
    branches: { main: before, [codeBranch]: code, [docsBranch]: docs },
    pulls: [
      {
        number: codeNumber,
        user: 'mona',
        title: 'Install globally',
        head: { branch: codeBranch, commit: code },
      },
      {
        number: docsNumber,
        user: 'mintlify[bot]',
        title: 'Say how to install globally',
        head: { branch: docsBranch, commit: docs },
        base: { commit: before },
      },
    ],
  })
  let head = code
  let merged = before
  const github: GitHubOptions = {
    repository,
    repositories: [home],
    roles: {
      mona: { permission: 'write', role_name: 'write' },
      rita: { permission: 'write', role_name: 'write' },
    },
  }
  const now = () => `${new Date().toISOString().slice(0, 19)}Z`
  const event = (action: 'labeled' | 'synchronize' | 'closed', more: object = {}) =>
    pullRequest({
      action,
      number: codeNumber,
      user: 'mona',
      repository,
      head: { branch: codeBranch, sha: head.sha },
      ...more,
    })
  return {
    home,
    github,
    label: () => event('labeled'),
    pushCode() {
      head = later
      home.setBranch(codeBranch, later)
      home.changePull(codeNumber, { head: { branch: codeBranch, commit: later } })
      return event('synchronize')
    },
    pushDocs() {
      home.setBranch(docsBranch, note)
      home.changePull(docsNumber, { head: { branch: docsBranch, commit: note } })
      return event('synchronize', {
        number: docsNumber,
        user: 'mintlify[bot]',
        head: { branch: docsBranch, sha: note.sha },
      })
    },
    merge() {
      merged = commit({ parents: [before, head], message: `Merge pull request #${codeNumber} from install` })
      home.setBranch('main', merged)
      home.changePull(codeNumber, {
        merged: { commit: merged, by: 'mona' },
        state: 'closed',
        updatedAt: now(),
      })
      return event('closed', { merged: { sha: merged.sha } })
    },
    pushed: () => pushed({ before, after: merged, repository }),
    abandon() {
      home.changePull(codeNumber, { state: 'closed', updatedAt: now() })
      return event('closed')
    },
    schedule: () => scheduled(repository),
  }
}

export type Story = ReturnType<typeof createStory>

/** The inputs of the story's agent step, and those of settle. */
export const shipInputs = {
  agent: {
    label: 'docs',
    prompt: 'Update the docs for what this pull request changes.',
    hold: 'merge',
    'pull-request-labels': 'docs',
    reviewers: 'requester',
    'allowed-paths': 'docs/**',
  },
  settle: { mode: 'settle', command: '/docs', 'allowed-paths': 'docs/**' },
}

/** The agent's pull request and the code's thread, in a few lines. */
export function tellStory({ home }: Story, { comments, statuses }: GitHub): string[] {
  const pull = home.pull(docsNumber)
  const head = pull?.head.commit.sha
  const lights = new Map(
    statuses
      .filter(({ sha }) => sha === head)
      .map(({ context, state, description }) => [context, [state, description]]),
  )
  const words = (text: string | null = '') => (text ?? '').replace(/ · [0-9a-f]{8}\..*$/, '')
  const said = comments.filter(({ user }) => user !== 'mona')
  return [
    `#${docsNumber} is ${pull?.state}; labels: ${pull?.labels.join(', ')}; reviewers: ${pull?.reviewers.join(', ')}`,
    ...[...lights].map(([context, [state, text]]) => `${context}: ${state}: ${words(text)}`),
    ...said.map(({ thread, body }) => `#${thread.number}: ${body.split('\n', 1)[0]}`),
  ]
}
