/** Marks that point to a planted job, and a step that may follow them. */
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import type { GitHubOptions } from '../../sandbox/github/server.ts'
import type { SeedStatus } from '../../sandbox/github/statuses.ts'
import { issueComment, pushed } from '../../sandbox/payloads.ts'
import { sandboxKey } from '../../sandbox/platform/server.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { signWith } from '../../src/adapters/sign.ts'
import { projectName, stepName } from '../../src/core/mark.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import {
  type CommentEntry,
  type StatusPlace,
  statusContext,
  writeComment,
  writeStatus,
} from '../../src/life/format.ts'
import { createWorld } from './comment-world.ts'

/** The job in a planted mark. */
export const planted = 'job_9999'
const self = 'github-actions[bot]'
export const step = {
  workflow: 'Docs',
  job: 'docs',
  step: '__self',
  matrixIndex: '0',
  project: 'sandbox-docs',
}
/** The comment that contains a planted mark. */
export const id = 901

/** A comment by a run of this step on acme/docs#7, in which any part can be replaced. */
export function markOf({
  thread = 'acme/docs#7',
  key = sandboxKey,
  words = 'Working',
  ...more
}: Planting = {}) {
  const entry: CommentEntry = {
    role: 'request',
    request: 'comment:1',
    step: stepName(step),
    project: projectName(step.project),
    attempt: 1,
    writer: 'w001',
    state: 'job',
    job: planted,
    link: null,
    since: 1_762_000_000_000,
    until: 1_762_000_000_000,
    isLeft: true,
    by: 'mona',
    code: null,
    globs: null,
    ...more,
  }
  return writeComment(words, entry, thread, signWith(key))
}

type Planting = Partial<CommentEntry> & { thread?: string; key?: string; words?: string }

export const first = commit({ message: 'First', files: { 'src/a.ts': 'old\n' } })
const head = commit({ parents: [first], message: 'Second', files: { 'src/a.ts': 'new\n' } })

const context = statusContext(step, 'push')
const until = 1_900_000_000_000
const entry = {
  attempt: 1,
  writer: 'w001',
  state: 'job',
  job: planted,
  link: null,
  isLeft: true,
  since: until,
  until,
  follows: 'commit',
  globs: null,
} as const

/** A status by a run of this step on the head commit, in which any part can be replaced. */
export function described({ run = '1000001', key = sandboxKey, ...more }: DescribedBy = {}) {
  const place = { repository: 'acme/docs', commit: head.sha, context, project: step.project, ...more }
  return writeStatus('Working', { ...entry, run }, place, '', signWith(key))
}

type DescribedBy = Partial<StatusPlace> & { run?: string; key?: string }

/** Plants marks. @param runStep runs a step in this process or as the bundle */
export function createSteering(
  runStep: (options: StepOptions) => Promise<{ outputs: Record<string, string> }>,
) {
  /** Runs one step, and returns whether it used the planted job. */
  const steered = async (github: GitHubOptions, event: WorkflowEvent, inputs: object, env: object = {}) => {
    const { hub, service, run } = await createWorld(runStep, { github, events: [] })
    const { outputs } = await run(event, { wait: 'false', ...inputs }, { ...env })
    const isSteered = outputs.jobId === planted || service.requests.some(({ path }) => path.includes(planted))
    return { isSteered, jobs: service.jobs.size, outcome: outputs.outcome, hub }
  }
  const thread = { number: 7, reviewRoot: null }
  const command = { id: 1001, thread, body: '/docs fix it', user: 'mona' }
  const push = pushed({ before: first, after: head, repository: 'acme/docs' })
  const repositories = [new Repository({ name: 'acme/docs', branches: { main: head } })]
  const status: SeedStatus = {
    repository: 'acme/docs',
    sha: head.sha,
    context,
    state: 'pending',
    description: described(),
    targetUrl: null,
    creator: self,
  }
  return {
    /** Plants a mark in a comment above a command. */
    byComment: (body: string, user: string | null = self, env = {}) =>
      steered({ comments: [{ id, thread, body, user }, command] }, issueComment(), { command: '/docs' }, env),
    /** Plants a status on a pushed commit, and re-runs the step for the push. */
    byStatus: (more: Partial<SeedStatus> = {}) => {
      const github = { repositories, statuses: [{ ...status, ...more }] }
      return steered(github, push, { prompt: 'Update the docs' }, { GITHUB_RUN_ATTEMPT: '2' })
    },
  }
}
