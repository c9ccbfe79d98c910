/** Days in a repository whose docs ship with their feature, event by event, with the shipped steps. */
import { expect, it } from 'vitest'
import { stepOn } from '../../sandbox/demo.ts'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { startGitHub } from '../../sandbox/github/server.ts'
import { pullRequest, pushed, scheduled } from '../../sandbox/payloads.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { runStep } from './run.ts'

const hour = 60 * 60_000
const repository = 'acme/docs'
const text = (path: string, parents: ReturnType<typeof commit>[] = [], author = 'mona') =>
  commit({ message: `Write ${path}`, files: { [path]: `${path}\n` }, parents, author })
const before = text('docs/install.mdx')
const code = text('src/install.ts', [before])
const newer = text('src/uninstall.ts', [code])
const mergeOf = (head = code) => commit({ parents: [before, head], message: 'Merge pull request #12' })
const docs = text('docs/global.mdx', [before], 'mintlify[bot]')
const note = text('src/notes.md', [docs], 'rita')

/** What people do. Each returns the event that starts a step. */
type Act = (home: Repository) => WorkflowEvent

const changed = (action: 'labeled' | 'synchronize' | 'closed', head: typeof code, more: object = {}) =>
  pullRequest({ action, repository, head: { branch: 'install', sha: head.sha }, ...more })
const label: Act = () => changed('labeled', code)
const pushCode: Act = (home) => {
  home.changePull(12, { head: { branch: 'install', commit: newer } })
  return changed('synchronize', newer)
}
const pushDocs: Act = (home) => {
  home.changePull(101, { head: { branch: 'docs-agent/job_0001', commit: note } })
  return changed('synchronize', note, { number: 101, user: 'mintlify[bot]' })
}
const closed = (home: Repository, more: object = {}) =>
  home.changePull(12, { state: 'closed', updatedAt: new Date().toISOString(), ...more })
const merge: Act = (home) => {
  const merged = mergeOf(home.pull(12)?.head.commit)
  home.setBranch('main', merged)
  closed(home, { merged: { commit: merged, by: 'mona' } })
  return changed('closed', merged, { merged })
}
const pushMerge: Act = () => pushed({ before, after: mergeOf(), repository })
const abandon: Act = (home) => {
  closed(home)
  return changed('closed', code)
}
const schedule: Act = () => scheduled(repository)

const paths = { 'allowed-paths': 'docs/**' }
const modes = {
  agent: {
    ...paths,
    label: 'docs',
    prompt: 'Update the docs.',
    hold: 'merge',
    'pull-request-labels': 'docs',
    reviewers: 'requester',
  },
  settle: { ...paths, mode: 'settle', command: '/docs' },
}

/** An event, the mode that runs on it, the outcome, and what is new on GitHub and on Mintlify (`+` for each send). */
type Line = [act: Act, mode: keyof typeof modes, outcome: string, news: string[]]

const held: Line = [
  label,
  'agent',
  'pull-request',
  [
    '+',
    '#101 is open; docs; mona',
    'Docs agent / hold: pending: Waits for acme/docs#12',
    'Docs agent / allowed paths: success: All files are within the allowed paths',
    "#101: 📖 Mintlify's agent wrote this pull request. `mona` asked for it in acme/docs#12.",
    "#12: ✅ **The agent's pull request is ready.** In reply to [mona](https://github.com/acme/docs/pull/12).",
  ],
]
const outside = 'Docs agent / allowed paths: failure: 1 file is outside the allowed paths'
const lifted = 'Docs agent / hold: success: acme/docs#12 is merged'
const link = `[acme/docs#101](https://github.com/acme/docs/pull/101)`
const free = `#12: ▶️ **This pull request is merged.** Its docs can be merged: ${link}`
const failed = 'Docs agent / hold: failure: acme/docs#12 was closed without being merged'
const end = 'Close this pull request, or merge what is still correct.'

it.each<[name: string, lines: Line[]]>([
  [
    'docs wait for the merge of code that changed, and each commit keeps its statuses',
    [
      held,
      [pushCode, 'settle', 'settled', []],
      [pushDocs, 'settle', 'settled', [outside]],
      [merge, 'settle', 'settled', [lifted, free]],
      [schedule, 'settle', 'settled', []],
    ],
  ],
  [
    'the push of the merge starts no second job',
    [held, [merge, 'settle', 'settled', [lifted, free]], [pushMerge, 'agent', 'skipped', []]],
  ],
  [
    'docs for abandoned code are left to people',
    [
      held,
      [
        abandon,
        'settle',
        'settled',
        [failed, `#101: 🗑️ **acme/docs#12 was closed without being merged.** ${end}`],
      ],
      [schedule, 'settle', 'settled', []],
    ],
  ],
])('%s', async (_, lines) => {
  const home = new Repository({
    name: repository,
    branches: { main: before, install: code, 'docs-agent/job_0001': docs },
    pulls: [
      { number: 12, user: 'mona', title: 'Install', head: { branch: 'install', commit: code } },
      {
        number: 101,
        user: 'mintlify[bot]',
        title: 'Docs',
        head: { branch: 'docs-agent/job_0001', commit: docs },
        base: { commit: before },
      },
    ],
  })
  let date = Date.now()
  const roles = { mona: { permission: 'write', role_name: 'write' } } as const
  const hub = await startGitHub({ repository, repositories: [home], roles, now: () => new Date(date) })
  onTestFinished(() => hub.close())
  const platform = await platformFor({ readsUntilEnd: 1 })
  /** Everything that people see, in a few lines. */
  const look = () => {
    const { head, state, labels, reviewers } = home.pull(101) ?? { labels: [], reviewers: [] }
    const shown = new Map(
      hub.statuses
        .filter(({ sha }) => sha === head?.commit.sha)
        .map((status) => [status.context, `${status.context}: ${status.state}: ${status.description}`]),
    )
    return [
      ...platform.requests.filter(({ method }) => method === 'POST').map((_, at) => '+'.repeat(at + 1)),
      `#101 is ${state}; ${labels.join()}; ${reviewers.join()}`,
      ...shown.values(),
      ...hub.comments.map(({ thread, body }) => `#${thread.number}: ${body.split('\n', 1)[0]}`),
    ]
  }
  let seen: string[] = []
  for (const [act, mode, outcome, news] of lines) {
    date += hour
    const event = act(home)
    const inputs = { ...inputsFor(platform.url, mode), ...modes[mode] }
    const { outputs } = await runStep({ with: inputs, date, ...stepOn(event, hub.url) })
    const now = look()
    expect([event.name, outputs.outcome, ...now.filter((line) => !seen.includes(line))]).toEqual([
      event.name,
      outcome,
      ...news,
    ])
    seen = now
  }
})
