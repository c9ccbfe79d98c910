/** Results that several tests start from. */

import type { OperationName } from '../../src/core/job/job.ts'
import type { Failure } from '../../src/core/job/response.ts'
import type { AgentResult } from '../../src/core/outcome.ts'
import type { FileFault, PlatformProblem, Problem, Rejection } from '../../src/core/problems.ts'
import type { Origin } from '../../src/core/pull.ts'
import type { PullRequestChanges } from '../../src/core/review.ts'
import type { JobRef } from '../../src/say/problems.ts'
import { aJob, broken as failed, failures, operations, rejected } from '../core/samples.ts'

export const jobRef: JobRef = {
  uses: 'acme/docs-agent-action@v1',
  actionUrl: 'https://github.com/acme/docs-agent-action/blob/v1',
  baseUrl: 'https://api.example',
  projectId: 'docs',
  jobId: 'job_1',
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

export const platform = (operation: OperationName, failure: Failure): PlatformProblem => ({
  type: 'platform',
  operation,
  failure,
})

/** A request by mona; `more` sets what is different. */
export function anOrigin(more: Partial<Origin> = {}): Origin {
  return { repository: 'acme/app', thread: null, change: null, requester: 'mona', code: null, ...more }
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
    previousPath: from,
    status,
    additions,
    deletions,
    url: `https://github.com/acme/docs/pull/7/files#diff-${path.length}`,
  })
  return {
    title: 'Fix the install page',
    files: [
      file('docs/install.mdx', 'modified', 30, 12),
      file('docs/node-24.mdx', 'added', 10, 0),
      file('docs/old_setup.mdx', 'renamed', 0, 0, 'docs/setup.mdx'),
    ],
    opened: { author: 'mintlify[bot]', branch: 'docs/job_1' },
    total: { files: 3, additions: 40, deletions: 12 },
    head: '9f8e7d6c5b',
    isCut: false,
    ...more,
  }
}

const anyFile = ['missing', 'outside', 'unreadable'] as const
const singleFile = [...anyFile, 'not-a-file', 'not-text', 'empty', 'too-large'] as const
const fileFaults: FileFault[] = [
  ...singleFile.map((kind) => ({ kind, input: 'prompt-file', path: 'docs/a.md' })),
  ...anyFile.map((kind) => ({ kind, input: 'context-files', path: 'docs/a.md' })),
  { kind: 'too-many', input: 'context-files', limit: 2000 },
  { kind: 'unwritable', input: 'report-dir', path: 'report' },
]
/** GitHub's rejections: a missing permission, a missing object, a rate limit, a failure, and no response. */
export const rejections = {
  forbidden: { status: 403, message: 'Resource not accessible by integration', kind: 'permission' },
  missing: { status: 404, message: 'Not Found' },
  limited: { status: 403, message: 'API rate limit exceeded for installation', kind: 'rate-limit' },
  broken: { status: 502, message: 'Server Error' },
  silent: { status: null, message: 'ECONNRESET' },
} as const satisfies Record<string, Rejection>
const { forbidden, missing, limited, broken, silent } = rejections

/** Everything that can go wrong, with a name. */
export const problems: [name: string, problem: Problem][] = [
  [
    'an input',
    { type: 'inputs', faults: [{ input: 'timeout', got: '"soon"', expected: 'a duration such as 90s' }] },
  ],
  [
    'two inputs',
    {
      type: 'inputs',
      faults: [
        { input: 'timeout', got: '"soon"', expected: 'a duration such as 90s' },
        { input: 'api-key', got: 'nothing', expected: 'an admin key' },
      ],
    },
  ],
  ['the key in the prompt', { type: 'secret-in-prompt', secret: 'api-key' }],
  ['the token in the prompt', { type: 'secret-in-prompt', secret: 'github-token' }],
  [
    'secrets withheld',
    { type: 'secrets-withheld', why: "GitHub withholds secrets from runs for a fork's pull request" },
  ],
  ['another comment', { type: 'not-for-us', reason: 'the comment does not start with /docs' }],
  ...(['target', 'no-command', 'unreadable'] as const).map((why): [string, Problem] => [
    `a rejected event: ${why}`,
    { type: 'event-rejected', event: why === 'target' ? 'pull_request_target' : 'issue_comment', why },
  ]),
  ['no prompt', { type: 'no-prompt', command: '/docs', isHelp: false }],
  ['a request for help', { type: 'no-prompt', command: '/docs', isHelp: true }],
  [
    'a person without the required role',
    { type: 'not-allowed', login: 'eve', required: 'write', isBot: false },
  ],
  ['a bot that is not listed', { type: 'not-allowed', login: 'some[bot]', required: 'write', isBot: true }],
  ...([forbidden, limited, broken] as const).map((rejection): [string, Problem] => [
    `an unknown role: ${rejection.message}`,
    { type: 'gate-closed', login: 'mona', rejection },
  ]),
  ['an unreadable thread', { type: 'unread', reading: 'thread', rejection: forbidden }],
  [
    'a report that could not be posted',
    { type: 'report-unposted', issue: 'acme/docs#7', rejection: forbidden },
  ],
  ['text that is not rendered', { type: 'unread', reading: 'text', rejection: forbidden }],
  ['unreadable statuses', { type: 'unread', reading: 'statuses', rejection: forbidden }],
  ['unreadable open jobs', { type: 'unread', reading: 'open-jobs', rejection: forbidden }],
  ['a state that could not be saved', { type: 'unsaved-state', operation: 'create' }],
  [
    'a comment that could not be written',
    { type: 'record-unwritten', where: 'comment', rejection: forbidden },
  ],
  ['a status that could not be written', { type: 'record-unwritten', where: 'status', rejection: silent }],
  ['an unfinished run', { type: 'unfinished-run' }],
  ['a run that sent nothing', { type: 'unstarted-run' }],
  ['a job without a result', { type: 'no-result' }],
  ['a key that has changed', { type: 'key-changed' }],
  ['a result that was reported', { type: 'reported', outcome: 'unconfirmed' }],
  ['nothing to document', { type: 'no-change', reason: 'none of the changed files match context-paths' }],
  ['an unknown start', { type: 'start-unknown' }],
  ["the agent's own change", { type: 'own-change', login: 'mintlify[bot]' }],
  ['the open limit', { type: 'open-limit', limit: 1, links: ['https://github.com/acme/docs/pull/7'] }],
  ...(['diff', 'pull-requests', 'open-pull-requests', 'history'] as const).map(
    (reading): [string, Problem] => [`unread: ${reading}`, { type: 'unread', reading, rejection: forbidden }],
  ),
  ['a change that is gone', { type: 'unread', reading: 'diff', rejection: missing }],
  ['a message that came too late', { type: 'too-late' }],
  ['a follow-up to a missing job', { type: 'unsent-message', cause: platform('read', rejected(404)) }],
  ['a follow-up during an outage', { type: 'unsent-message', cause: platform('read', failed(503)) }],
  ['a bug', { type: 'defect', text: 'TypeError: x is not a function\n    at main (dist/index.js:1:2)' }],
  [
    'files outside',
    { type: 'out-of-bounds', files: { kind: 'outside', paths: ['package.json', 'src/a.ts'] } },
  ],
  ['files that no step checked', { type: 'out-of-bounds', files: { kind: 'unchecked' } }],
  ['unreadable files', { type: 'out-of-bounds', files: { kind: 'unreadable' } }],
  ['too many files to list', { type: 'out-of-bounds', files: { kind: 'cut', listed: 3000, total: 3100 } }],
  ...fileFaults.map((fault): [string, Problem] => [`${fault.input}: ${fault.kind}`, { type: 'file', fault }]),
  ...operations.flatMap((operation) =>
    failures.map(([name, failure]): [string, Problem] => [
      `${operation}: ${name}`,
      platform(operation, failure),
    ]),
  ),
]
