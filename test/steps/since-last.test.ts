/** `context-diff: since-last` on a repository whose default branch changes from day to day. */
import { expect, it } from 'vitest'
import { agentRuns, pushes, rhythms } from '../../bench/month.ts'
import { type Commit, type CommitOptions, commit } from '../../sandbox/github/commits.ts'
import { dispatched, pushed, scheduled } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import type { RawEvent } from '../../src/core/trigger/event.ts'
import { platformFor } from '../service.ts'
import { runStep } from './run.ts'
import { agent, type Setting, type Texts, type World, worldsOf } from './world.ts'

const repository = 'acme/docs'
/** When the branch started, and the time some days later. */
const start = Date.UTC(2026, 9, 5)
const timeOf = (days: number) => start + days * 24 * 60 * 60_000
const dateOf = (days: number) => new Date(timeOf(days)).toISOString().replace(/\.\d+Z$/, 'Z')

interface RunOptions {
  event?: RawEvent
  inputs?: Texts
  env?: Texts
}

/** A branch from day to day. Unless its commits are dated, there is one on day 27, and one every two hours after it. */
class Days {
  tip = commit({ message: 'Begin', files: { 'src/a.ts': 'old\n', 'docs/a.md': 'old\n' }, date: dateOf(0) })
  now = 30
  world!: World
  /** The commits by name. */
  readonly commits = new Map([['begin', this.tip]])
  private runs = 0

  static async begin({ github, ...setting }: Setting = {}): Promise<Days> {
    const days = new Days()
    // The time between polls is simulated, but each poll is a real request.
    const { createWorld } = worldsOf((step) => runStep({ ...step, date: timeOf(days.now) }))
    const common = { repository: { branches: { main: days.tip } }, events: [] }
    const now = () => new Date(timeOf(days.now))
    days.world = await createWorld({ ...common, github: { now, ...github }, ...setting })
    return days
  }

  push(name: string, options: CommitOptions = {}, day = 27 + this.commits.size / 12): Commit {
    const files = { [`src/${name}.ts`]: `${name}\n` }
    const common = { parents: [this.tip], message: `Change ${name}`, files, date: dateOf(day) }
    this.tip = commit({ ...common, ...options })
    this.commits.set(name, this.tip)
    this.world.home.setBranch('main', this.tip)
    return this.tip
  }

  /** Squash-merges a pull request. */
  merge(name: string, number: number, files: Record<string, string>, user = 'mona'): void {
    const base = { commit: this.tip }
    const head = commit({ parents: [this.tip], files, message: `Work on ${name}` })
    const merged = { commit: this.push(name, { message: `Merge ${name} (#${number})`, files }) }
    this.world.home.setPull({
      number,
      title: `Add ${name}`,
      user,
      base,
      head: { branch: name, commit: head },
      merged,
    })
  }

  async run({ event = scheduled(repository), inputs, env }: RunOptions = {}) {
    const { run } = this.world
    const ids = { GITHUB_SHA: this.tip.sha, GITHUB_RUN_ID: String(1000 + ++this.runs) }
    return run(event, { 'context-diff': 'since-last', ...inputs }, { ...ids, ...env })
  }

  get sent(): string {
    return this.world.prompts().at(-1) ?? ''
  }

  /** The files in the last prompt, without `src/` and `.ts`, in alphabetical order. */
  get shown(): string {
    const paths = [...this.sent.matchAll(/^### (?:src\/)?(\S+?)(?:\.ts)? /gm)]
    return paths
      .map(([, path]) => path)
      .sort()
      .join(' ')
  }
}

const manual = (ref: string) => ({ event: dispatched({ repository, ref }) })
const docs = { 'docs/a.md': 'new\n', 'docs/b.md': 'new\n' }
const ended = { platform: { readsUntilEnd: 0 } }
const newKey = 'mint_new_0123456789'

/** What happens in the stories of the table, by the first word of each part. */
const acts: Record<string, (days: Days, name: string) => unknown> = {
  push: (days, name) => days.push(name),
  merge: (days, name) =>
    name === 'docs'
      ? days.merge(name, 101, docs, agent)
      : days.merge(name, days.commits.size, { [`src/${name}.ts`]: 'x\n' }),
  force: (days, name) => days.push(name, { parents: [days.commits.get('before') ?? days.tip] }),
  replace: (days) => days.push('root', { parents: [] }, 10),
  become: (days, login) => days.world.hub.become(login),
  checkout: (days, name) => {
    days.tip = days.commits.get(name) ?? days.tip
  },
}

/** How the stories run the step, by the words after `run`. */
const ways: Record<string, (days: Days) => RunOptions | Promise<RunOptions>> = {
  '': () => ({}),
  'and leave': () => ({ inputs: { wait: 'false' } }),
  'and fail': async () => {
    const { url } = await platformFor({ ends: 'failed', readsUntilEnd: 0 })
    return { inputs: { 'base-url': url } }
  },
  'and lose': async () => {
    const { url } = await platformFor({ faults: [{ on: 'read', status: 404 }] })
    return { inputs: { 'base-url': url } }
  },
  manually: () => manual('refs/heads/main'),
  'on topic': () => manual('refs/heads/topic'),
  'on push': ({ tip }) => ({
    event: pushed({ before: tip.parents[0] ?? null, after: tip, repository }),
    env: { GITHUB_WORKFLOW: 'Pushes' },
  }),
  'another workflow': () => ({ env: { GITHUB_WORKFLOW: 'Other' } }),
  'another leg': () => ({ inputs: { 'matrix-index': '1' } }),
  'another project': () => ({ inputs: { 'project-id': 'other' } }),
  'with another key': () => ({ inputs: { 'api-key': newKey } }),
  'without since-last': () => ({ inputs: { 'context-diff': 'true' } }),
  dry: () => ({ inputs: { 'dry-run': 'true' } }),
  'without a token': () => ({ inputs: { 'github-token': '' } }),
}

const unreadable = { on: 'read', status: 403 } as const

it.each<[title: string, story: string, sends: string, setting?: Setting]>([
  ['everything new since its last job', 'push direct, merge flag, run', 'direct flag'],
  ['nothing on a quiet day', 'run', 'skipped: nothing is new'],
  ["nothing if only the agent's merges are new", 'merge docs, run', 'skipped: everything new'],
  ["the agent's merges with other changes", 'merge docs, merge flag, run', 'docs/a.md docs/b.md flag'],
  ['nothing if the job of a push documents all', 'merge flag, run on push, run', 'skipped: everything new'],
  ['what jobs of pushes document', 'merge flag, run on push, push other, run', 'flag other'],
  ['what remains after a force push', 'push gone, run, force again, run', 'again'],
  ['the last seven days if no job’s commit remains', 'replace, push again, run', 'again'],
  [
    'the last seven days if the key is new',
    'push after, run with another key',
    'after before',
    { platform: { keys: new Set([sandboxKey, newKey]) } },
  ],
  ['changes of a failed job again', 'push failing, run and fail, push next, run', 'failing next'],
  [
    'changes of a failed job again, although a later job has ended well',
    'push next, run, push last, run',
    'before last next',
    { platform: { ends: ['failed', 'no-changes'], readsUntilEnd: 1 } },
  ],
  ['changes of a job that is gone', 'push lost, run and lose, push next, run', 'lost next'],
  [
    'no changes of a detached job that is active',
    'push left, run and leave, push next, run and leave',
    'next',
    { platform: { ends: 'never' } },
  ],
  [
    'changes of a detached job that has failed',
    'push left, run and leave, push next, run',
    'before left next',
    { platform: { ends: 'failed', readsUntilEnd: 0 } },
  ],
  [
    'no changes of a job that cannot be polled',
    'push left, run and leave, push next, run and leave',
    'next',
    { platform: { faults: [unreadable] } },
  ],
  ['what another workflow sent', 'push next, run another workflow, run', 'next'],
  ['what another matrix leg sent', 'push next, run another leg, run', 'next'],
  ['what another project got', 'push next, run another project, run', 'next'],
  ['what is new since a manual run', 'push morning, run manually, push evening, run', 'evening'],
  ['what a run without since-last sent', 'push sent, run without since-last, push next, run', 'next sent'],
  [
    'nothing if a later commit was sent',
    'push early, push late, run, checkout early, run',
    'skipped: nothing is new',
  ],
  [
    'nothing if another account recorded the last job, even a day later',
    'push next, become acme-app[bot], run, push later, run',
    'error: last job was recorded by `github-actions[bot]`, and this token belongs to `acme-app[bot]`',
  ],
  ['only the prompt with `context-diff: true`', 'push next, run without since-last', ''],
  ['nothing for another branch', 'run on topic', 'skipped: topic is not'],
  ['nothing in a dry run', 'push next, run dry', 'dry-run: ### src/next.ts'],
  ['nothing without a token', 'run without a token', 'error: Set `github-token`'],
  [
    'nothing without `statuses: read`',
    'push next, run',
    'error: `statuses: write`',
    { github: { permissions: { statuses: 'none' } } },
  ],
  [
    'nothing without `statuses: write`',
    'push next, run',
    'error: `statuses: write`',
    { github: { permissions: { statuses: 'read' } } },
  ],
])('a scheduled run sends %s: %s', async (_, story, sends, setting = ended) => {
  const days = await Days.begin(setting)
  days.push('before')
  let run = await days.run({ inputs: { wait: 'false' } })
  for (const part of story.split(', ')) {
    const [, verb = '', rest = ''] = /^(\w+) ?(.*)$/.exec(part) ?? []
    if (verb === 'run') run = await days.run(await ways[rest]?.(days))
    else acts[verb]?.(days, rest)
  }
  const [outcome, says] = sends.split(': ')
  if (says === undefined) expect(days.shown).toBe(sends)
  else expect([run.outputs.outcome, run.text]).toEqual([outcome, expect.stringContaining(says)])
})

it("a scheduled run names the agent's pull request that was merged into a branch, although a squash hides it", async () => {
  const days = await Days.begin(ended)
  days.push('before')
  await days.run()
  const written = commit({ parents: [days.tip], files: docs, message: 'Document flag' })
  days.world.home.setPull({
    number: 101,
    user: agent,
    base: { branch: 'flag', commit: days.tip },
    head: { branch: 'docs', commit: written },
    merged: { commit: written },
  })
  days.merge('flag', 8, { 'src/flag.ts': 'x\n', ...docs })
  await days.run()
  expect(days.sent).toContain('- #101: your own pull request')
})

it('a month of 100 pushes starts as many jobs once a week as the README says', async () => {
  const rhythm = rhythms[2]
  const days = await Days.begin(ended)
  let pushed = 0
  for (const at of rhythm.runs) {
    days.now = at
    for (; (pushes[pushed] ?? at) < at; pushed++) days.push(`push${pushed}`, {}, pushes[pushed])
    await days.run()
  }
  const prompts = days.world.prompts()
  expect(prompts).toHaveLength(agentRuns(rhythm))
  // Every push before the last run is sent exactly once.
  for (let index = 0; index < pushed; index++)
    expect(prompts.filter((text) => text.includes(`### src/push${index}.ts `))).toHaveLength(1)
})
