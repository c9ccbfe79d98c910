import { describe, expect, it } from 'vitest'
import { type Mark, projectName, writeMark } from '../../../src/core/mark.ts'
import type { Progress } from '../../../src/core/progress.ts'
import type { SeenPull } from '../../../src/core/pull.ts'
import { type Thread, threadName } from '../../../src/core/thread.ts'
import type { GitHubPorts } from '../../../src/usecases/ports.ts'
import { readPullStats } from '../../../src/visitors/usecases/pull-stats.ts'
import { Calls, GitHub, rejected } from '../../usecases/github.ts'

const day = 24 * 60 * 60_000
const repository = 'acme/docs'
const to = Date.parse('2026-11-16')
const request = { repository, projectId: 'docs', from: to - 7 * day, to }
const sign = (text: string) => `s${text.length}`

const aMark: Mark = {
  at: 0,
  role: 'provenance',
  request: 'comment:1',
  step: 'step',
  project: projectName('docs'),
  state: 'job',
  job: 'job_1',
  outcome: null,
  prLink: null,
  since: 0,
  by: null,
}

class World {
  now = to + day
  readonly github = new GitHub(() => this.now)
  readonly calls: Calls
  readonly progress: Progress[] = []

  constructor(mishapOf?: ConstructorParameters<typeof Calls>[0]) {
    this.calls = new Calls(mishapOf)
  }

  /** Adds a pull request and the action's comment on it, which is as old as the pull request. */
  add(number: number, view: Partial<SeenPull>, mark: Partial<Mark> = {}, signWith = sign) {
    const thread: Thread = { repository, number, isPullRequest: true, reviewRoot: null }
    this.github.changeView(repository, number, { createdAt: to - day, ...view })
    this.now = view.createdAt ?? to - day
    const id = this.github.add(thread, '')
    const body = writeMark({ ...aMark, at: id, ...mark }, threadName(thread), signWith)
    Object.assign(this.github.comments.at(-1) ?? {}, { body })
    this.now = to + day
  }

  read(more: Partial<typeof request> = {}, github: Partial<GitHubPorts> = {}) {
    const ports = { ...this.github.ports(this.calls), ...github }
    const onProgress = (seen: Progress) => void this.progress.push(seen)
    return readPullStats({ ...request, ...more }, { github: ports, sign, onProgress })
  }
}

const merged = (createdAt: number, closedAt: number) => ({ state: 'merged', createdAt, closedAt }) as const

describe('the statistics of the pull requests', () => {
  it('the statistics include pull requests that the action commented on for this project, each once', async () => {
    const world = new World()
    world.add(1, {})
    world.add(1, {})
    world.add(2, merged(to - 3 * day, to - 2 * day))
    world.add(3, {}, { project: projectName('other') })
    world.add(4, {}, { role: 'link' })
    world.add(5, {}, {}, () => 'forged')
    expect(await world.read()).toMatchObject({ opened: 2, merged: 1, waiting: 1, timeToMerge: day })
    expect(world.calls.made).toEqual(['viewer', 'recentComments issue', 'pullDates 2'])
  })

  it('the statistics include a pull request that was merged in the period after weeks of waiting', async () => {
    const world = new World()
    world.add(1, merged(to - 50 * day, to - day))
    expect(await world.read()).toMatchObject({ opened: 0, merged: 1 })
  })

  it('if the period is shorter than 28 days, the merge rate covers the 28 days up to its end', async () => {
    const world = new World()
    for (const number of [1, 2, 3, 4, 5]) world.add(number, merged(to - 20 * day, to - 10 * day))
    expect(await world.read()).toMatchObject({ merged: 0, rate: { merged: 5, of: 5 } })
  })

  it('the statistics are null if there are no pull requests, or if none changed in the period', async () => {
    const world = new World()
    expect(await world.read()).toBeNull()
    expect(world.calls.made).toEqual(['viewer', 'recentComments issue'])
    world.add(1, merged(to - 50 * day, to - 49 * day))
    expect(await world.read()).toBeNull()
    expect(world.progress).toEqual([])
  })

  it.each(['viewer', 'recentComments', 'pullDates'])(
    'the statistics are null if GitHub rejects `%s`, and one line is logged',
    async (call) => {
      const world = new World((_, name) => (name === call ? rejected : undefined))
      world.add(1, {})
      expect(await world.read()).toBeNull()
      expect(world.progress).toEqual([{ type: 'pulls-unread', repository, rejection: rejected }])
    },
  )
})
