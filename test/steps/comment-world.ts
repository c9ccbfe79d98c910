/** A world for commands in comments on acme/docs: a GitHub server with the comments, and the platform. */

import { stepOn } from '../../sandbox/demo.ts'
import { commit } from '../../sandbox/github/commits.ts'
import { Repository } from '../../sandbox/github/repository.ts'
import { type GitHubOptions, startGitHub } from '../../sandbox/github/server.ts'
import type { SeedComment } from '../../sandbox/github/threads.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { opensIn } from './agent-pulls.ts'

const roles: NonNullable<GitHubOptions['roles']> = {
  mona: { permission: 'write', role_name: 'write' },
  mary: { permission: 'write', role_name: 'maintain' },
  rita: { permission: 'read', role_name: 'read' },
}

interface Payload {
  comment?: { id: number; body: string; in_reply_to_id?: number }
  issue?: { number: number; pull_request?: object }
  pull_request?: { number: number }
}

/** An event's comment, as it is on GitHub before the step; for a review comment, also the thread's first comment. */
function commentsOf(event: WorkflowEvent): SeedComment[] {
  const { comment, issue, pull_request } = event.payload as Payload
  if (comment === undefined) return []
  const number = (issue ?? pull_request)?.number ?? 0
  const reviewRoot = pull_request ? (comment.in_reply_to_id ?? comment.id) : null
  const ids = new Set([reviewRoot ?? comment.id, comment.id])
  return [...ids].map((id) => ({
    id,
    thread: { number, reviewRoot },
    body: comment.body ?? '',
    user: 'mona',
  }))
}

export const onPull = issueComment({ id: 1003, number: 101, isPullRequest: true })

type Texts = Record<string, string>

export interface Setting {
  github?: GitHubOptions
  platform?: PlatformOptions
  /** Events whose comments exist before the step starts. */
  events?: WorkflowEvent[]
}

/** Creates the world. @param runStep runs a step in this process or as the bundle */
export async function createWorld<Run>(
  runStep: (options: StepOptions) => Promise<Run>,
  { github, platform, events = [issueComment(), issueComment({ id: 1002 }), onPull] }: Setting = {},
) {
  const comments = events.flatMap(commentsOf)
  const [home = new Repository({ name: 'acme/docs', branches: { main: commit() } })] =
    github?.repositories ?? []
  const hub = await startGitHub({ roles, comments, pullRequests: [101], repositories: [home], ...github })
  onTestFinished(() => hub.close())
  const service = await platformFor({ readsUntilEnd: 1, opens: opensIn(home), ...platform })
  const run = (event: WorkflowEvent, inputs: Texts, env: Texts = {}) => {
    const step = stepOn(event, hub.url)
    const own = { ...inputsFor(service.url, inputs.mode), ...inputs }
    return runStep({ ...step, with: own, env: { ...step.env, ...env } })
  }
  return {
    hub,
    service,
    run,
    command: (event: WorkflowEvent, inputs: Texts = {}, env: Texts = {}) =>
      run(event, { command: '/docs', ...inputs }, env),
    /** The action's comments on a thread. */
    written: (number = 7) =>
      hub.comments.filter(({ thread, user }) => thread.number === number && user !== 'mona'),
  }
}
