/** What starts a demo's step, and the state of GitHub at that time. */
import type { WorkflowEvent } from '../src/core/trigger/event.ts'
import { demoIssue, demoPush, demoRepository, repository } from './demo.ts'
import { type GitHubOptions, sandboxGitHubToken } from './github/server.ts'
import type { StartOptions } from './options.ts'
import { issue, issueComment, scheduled } from './payloads.ts'

export interface Scene {
  github: GitHubOptions
  event: WorkflowEvent
}

/** The comment that starts the demo of --settle. */
const commandOfSettle = '/docs fix the install page'

/** The scene that the options ask for; undefined if no event starts the step. */
export function sceneOf({ comment, push, settle, inputs }: StartOptions): Scene | undefined {
  const asked = settle ? commandOfSettle : comment
  if (asked !== undefined) return commented(asked)
  const { label } = inputs
  if (label) return { github: withRoles(), event: issue({ ...demoIssue, label, repository }) }
  if (push) return { github: { repository, repositories: [demoRepository()] }, event: demoPush() }
  return inputs['issue-number'] ? { github: withRoles(), event: scheduled(repository) } : undefined
}

/** The scene in which someone with write access comments on the demo's issue. */
export function commented(body: string): Scene {
  const { number } = demoIssue
  const comments = [
    {
      id: 1001,
      thread: { number, reviewRoot: null },
      body,
      user: 'mona',
      createdAt: new Date().toISOString(),
    },
  ]
  return { github: { ...withRoles(), comments }, event: issueComment({ body, number }) }
}

function withRoles(): GitHubOptions {
  return {
    repository,
    roles: { mona: { permission: 'write', role_name: 'write' } },
    repositories: [demoRepository()],
  }
}

/** The options of the step that an event starts. */
export function stepOn({ name, payload }: WorkflowEvent, apiUrl: string) {
  return {
    eventName: name,
    event: payload,
    githubToken: sandboxGitHubToken,
    env: { GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: repository },
  }
}
