/** Days in a repository whose docs ship with their feature, event by event. test/usecases/holds.test.ts has more. */
import { expect, it } from 'vitest'
import { type Commit, commit } from '../../sandbox/github/commits.ts'
import { pullRequest, scheduled } from '../../sandbox/payloads.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { runStep } from './run.ts'
import { agent, worldsOf } from './world.ts'

const hour = 60 * 60_000
const repository = 'acme/docs'
const text = (path: string, parents: Commit[] = [], author = 'mona') =>
  commit({ message: `Write ${path}`, files: { [path]: `${path}\n` }, parents, author })
const before = text('docs/install.mdx')
const code = text('src/install.ts', [before])
const newer = text('src/uninstall.ts', [code])
const merged = commit({ parents: [before, newer], message: 'Merge pull request #12' })
const docs = text('docs/global.mdx', [before], agent)
const note = text('src/notes.md', [docs], 'rita')
const onCode = { branch: 'install', commit: code }
const onDocs = { branch: 'docs-agent/job_0001', commit: docs }
const base = { commit: before }

const paths = { 'allowed-paths': 'docs/**' }
const asking = {
  ...paths,
  label: 'docs',
  hold: 'merge',
  'pull-request-labels': 'docs',
  reviewers: 'requester',
}
const changed = (action: 'labeled' | 'synchronize' | 'closed', { sha }: Commit, more: object = {}) =>
  pullRequest({ action, repository, head: { branch: 'install', sha }, ...more })

it('docs wait for the merge of code that changed, and each commit keeps its statuses', async () => {
  let date = Date.now()
  const { createWorld } = worldsOf((step) => runStep({ ...step, date }))
  const { home, hub, run, settle, prompts } = await createWorld({
    events: [],
    repository: {
      branches: { main: before, install: code, 'docs-agent/job_0001': docs },
      pulls: [
        { number: 12, user: 'mona', title: 'Install', head: onCode },
        { number: 101, user: agent, title: 'Docs', head: onDocs, base },
      ],
    },
    github: { now: () => new Date(date) },
  })
  /** Everything that people see, in a few lines. */
  const look = () => {
    const { head, state, labels, reviewers } = home.pull(101) ?? { labels: [], reviewers: [] }
    const shown = new Map(
      hub.statuses
        .filter(({ sha }) => sha === head?.commit.sha)
        .map((status) => [status.context, `${status.context}: ${status.state}: ${status.description}`]),
    )
    return [
      ...prompts().map((_, at) => '+'.repeat(at + 1)),
      `#101 is ${state}; ${labels.join()}; ${reviewers.join()}`,
      ...shown.values(),
      ...hub.comments.map(({ thread, body }) => `#${thread.number}: ${body.split('\n', 1)[0]}`),
    ]
  }
  let seen: string[] = []
  const story: string[] = []
  const on = async (what: string, event: WorkflowEvent, isAsked = false) => {
    date += hour
    const { outputs } = await (isAsked ? run(event, asking) : settle(event, paths))
    const now = look()
    story.push(`${what}: ${outputs.outcome}`, ...now.filter((line) => !seen.includes(line)))
    seen = now
  }
  await on('mona adds the label', changed('labeled', code), true)
  home.changePull(12, { head: { ...onCode, commit: newer } })
  await on('mona pushes to the code', changed('synchronize', newer))
  home.changePull(101, { head: { ...onDocs, commit: note } })
  await on('rita pushes to the docs', changed('synchronize', note, { number: 101, user: agent }))
  home.setBranch('main', merged)
  const updatedAt = new Date().toISOString()
  home.changePull(12, { state: 'closed', updatedAt, merged: { commit: merged } })
  await on('mona merges the code', changed('closed', merged, { merged }))
  await on('the schedule', scheduled(repository))
  expect(story).toMatchSnapshot()
})
