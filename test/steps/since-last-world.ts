/** A repository whose default branch changes from day to day, and a step that runs on its schedule. */
import { type Commit, type CommitOptions, commit } from '../../sandbox/github/commits.ts'
import type { PullRequestOptions } from '../../sandbox/github/repository.ts'
import type { GitHubOptions } from '../../sandbox/github/server.ts'
import { dispatched, scheduled } from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { createWorld } from './push-world.ts'
import { runStep, type StepRun } from './run.ts'

const repository = 'acme/docs'
export const agent = 'mintlify[bot]'
const day = 24 * 60 * 60_000
export const schedule = scheduled(repository)
export const manual = (ref = 'refs/heads/main') => dispatched({ repository, ref })

export interface RunOptions {
  event?: WorkflowEvent
  inputs?: Record<string, string>
  env?: Record<string, string>
  /** The commit of the run; by default, the branch's last one. */
  at?: Commit
}

/** A run, with its requests to GitHub. */
export interface SinceLastRun extends StepRun {
  requests: string[]
}

interface Setting {
  github?: GitHubOptions
  platform?: PlatformOptions
  /** Age of the branch when the step runs, in days. */
  age?: number
}

/** When the branch started. */
const start = Date.UTC(2026, 9, 5)

export class Days {
  tip: Commit
  readonly world: Awaited<ReturnType<typeof createWorld<StepRun>>>
  /** `now`: days since the branch started. */
  readonly clock: { now: number }
  private readonly names = new Map<string, string>()
  private runs = 0
  private pulls = 0

  private constructor(world: Days['world'], tip: Commit, clock: { now: number }) {
    this.world = world
    this.tip = tip
    this.clock = clock
    this.names.set(tip.sha, 'begin')
  }

  static async begin({ age = 30, github, ...rest }: Setting = {}): Promise<Days> {
    const files = { 'src/a.ts': 'old\n', 'docs/a.md': 'old\n' }
    const first = commit({ message: 'Begin', files, date: timeText(start) })
    const clock = { now: age }
    const date = () => start + clock.now * day
    const world = await createWorld(
      {
        name: repository,
        repository: { branches: { main: first } },
        github: { now: () => new Date(date()), ...github },
        ...rest,
      },
      // The time between polls is simulated, but each poll is a real request.
      (step) => runStep({ ...step, with: { ...step.with, 'poll-interval': '60s' }, date: date() }),
    )
    return new Days(world, first, clock)
  }

  /** The time this many days after the start, in ISO format. */
  at(days: number): string {
    return timeText(start + days * day)
  }

  /** Pushes a commit, dated this many days after the start. */
  push(name: string, days: number, options: CommitOptions = {}): Commit {
    const files = { [`src/${name}.ts`]: `${name}\n` }
    const made = commit({
      parents: [this.tip],
      message: `Change ${name}`,
      files,
      date: this.at(days),
      ...options,
    })
    this.moveTo(made, name)
    return made
  }

  /** Squash-merges a pull request into the branch, and returns its number. */
  merge(
    name: string,
    days: number,
    { files, ...pull }: Partial<PullRequestOptions> & { files?: Record<string, string> } = {},
  ): number {
    const number = pull.number ?? ++this.pulls
    const before = this.tip
    const squashed = this.push(name, days, {
      message: `Merge ${name} (#${number})`,
      ...(files && { files }),
    })
    const head = commit({
      parents: [before],
      message: `Work on ${name}`,
      files: files ?? { [`src/${name}.ts`]: `${name}\n` },
      date: this.at(days - 0.01),
    })
    this.world.home.setPull({
      number,
      title: `Add ${name}`,
      head: { branch: name, commit: head },
      merged: { commit: squashed },
      ...pull,
    })
    return number
  }

  /** Opens the pull request of the newest job, unless it already exists. */
  openAgentsPull(): void {
    const { home, service } = this.world
    const number = 100 + service.jobs.size
    if (service.jobs.size === 0 || home.pull(number) !== undefined) return
    const files = { [`docs/${number}.md`]: 'x\n' }
    const head = commit({ parents: [this.tip], message: 'Docs', author: agent, files })
    home.setPull({ number, user: agent, head: { branch: `docs-${number}`, commit: head } })
  }

  /** Moves the branch to a commit, with a force push if necessary. */
  moveTo(to: Commit, name: string): void {
    this.names.set(to.sha, name)
    this.world.home.setBranch('main', to)
    this.tip = to
  }

  /** Runs the step, by default on its schedule. */
  async run({ event = schedule, inputs, env, at: where = this.tip }: RunOptions = {}): Promise<SinceLastRun> {
    const { hub, run } = this.world
    const before = hub.requests.length
    const id = String(1000 + ++this.runs)
    const made = await run(
      event,
      { 'context-diff': 'since-last', ...inputs },
      { GITHUB_SHA: where.sha, GITHUB_RUN_ID: id, ...env },
    )
    const requests = hub.requests.slice(before).map(({ name, method, path, query }) => {
      const page = query.page === undefined ? '' : ` page ${query.page}`
      return name?.startsWith('graphql/')
        ? name
        : this.named(`${method} ${path.replace(/^\/repos\/acme\/docs/, '')}${page}`)
    })
    return { ...made, requests }
  }

  /** The last prompt that was sent, as a new job or as a follow-up. */
  sent(): string {
    const job = [...this.world.service.jobs.values()].at(-1)
    return this.named(job?.messages.at(-1) ?? job?.prompt ?? '')
  }

  /** Replaces commit IDs with the commits' names. */
  named(text: string): string {
    let result = text
    for (const [sha, name] of this.names)
      result = result
        .replaceAll(sha, name)
        .replaceAll(sha.slice(0, 10), name)
        .replaceAll(sha.slice(0, 7), name)
    return result
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}
