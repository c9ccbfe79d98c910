/** Results that several tests start from. */
import type { Failure } from '../../src/core/http.ts'
import type { AgentResult } from '../../src/core/outcome.ts'
import type { CallName, FailedCall } from '../../src/core/problems.ts'
import type { PullRequestChanges } from '../../src/core/pull-changes.ts'
import type { Origin } from '../../src/core/trigger/change.ts'
import { createWords } from '../../src/say/replies.ts'
import { aJob } from '../core/samples.ts'

export const runUrl = 'https://github.com/acme/app/actions/runs/1'
const step = {
  command: '/docs',
  label: null,
  runUrl,
  serverUrl: 'https://github.com',
  repositoryId: '1',
}

/** The texts of a step in acme/app; `more` sets what is different. */
export const wordsOf = (more: Partial<Parameters<typeof createWords>[0]> = {}) =>
  createWords({ ...step, ...more })

/** The request of a comment by mona. */
export const asked = {
  thread: { repository: 'acme/app', repositoryId: '1', number: 3, isPullRequest: false, reviewRoot: null },
  request: 'comment:1',
  by: 'mona',
}

export function aResult(more: Partial<AgentResult> = {}): AgentResult {
  return {
    outcome: 'pull-request',
    jobId: 'job_1',
    job: aJob(),
    prompt: { text: 'Fix it', included: [], leftOut: [] },
    problem: null,
    delivery: 'sent',
    changes: null,
    elapsed: 252_000,
    ...more,
  }
}

/** A failed call about project `docs` and job `job_1`. */
export function platform(call: CallName, why: Failure): FailedCall {
  const jobId = call === 'read' || call === 'message' ? 'job_1' : null
  return { kind: 'call-failed', call, jobId, project: 'docs', host: 'api.example', why }
}

/** A request by mona; `more` sets what is different. */
export function anOrigin(more: Partial<Origin> = {}): Origin {
  return { thread: null, change: null, requester: 'mona', isBot: false, code: null, ...more }
}

/** The changes of a pull request with three files; `more` sets what is different. */
export function someChanges(more: Partial<PullRequestChanges> = {}): PullRequestChanges {
  const file = (
    path: string,
    status: string,
    additions: number,
    deletions: number,
    from: string | null = null,
  ) => ({
    path,
    id: null,
    previousPath: from,
    status,
    kind: 'file' as const,
    additions,
    deletions,
    url: `https://github.com/acme/docs/pull/7/files#diff-${path.length}`,
  })
  return {
    repositoryId: '2',
    title: 'Fix the install page',
    files: [
      file('docs/install.mdx', 'modified', 30, 12),
      file('docs/node-24.mdx', 'added', 10, 0),
      file('docs/old_setup.mdx', 'renamed', 0, 0, 'docs/setup.mdx'),
    ],
    author: 'mintlify[bot]',
    branch: 'docs/job_1',
    total: { files: 3, additions: 40, deletions: 12 },
    head: '9f8e7d6c5b',
    isCut: false,
    diffName: '0123abcd',
    ...more,
  }
}
