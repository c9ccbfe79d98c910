/** TROUBLESHOOTING.md: the messages of the action, with more about some of them. A search for a message finds its heading. */
import type { AgentResult } from '../src/core/outcome.ts'
import type { Job } from '../src/core/job/job.ts'
import type { Failure } from '../src/core/job/response.ts'
import type { FileFault, Problem, Reading, Rejection } from '../src/core/problems.ts'
import { formatDuration } from '../src/core/units.ts'
import { conclude } from '../src/say/conclusion.ts'
import { describeKilled } from '../src/say/killed.ts'
import { describe, type LogEntry } from '../src/say/messages.ts'
import { explain, type JobRef } from '../src/say/problems.ts'

/** A message, and what else helps. */
export interface Entry {
  /** Its kind. */
  id: string
  what: string
  next: string
  more?: string
}

const jobRef: JobRef = {
  uses: './',
  actionUrl: '.',
  baseUrl: 'https://api.mintlify.com',
  projectId: 'PROJECT',
  jobId: 'JOB',
}
const rejection: Rejection = { status: 403, message: 'MESSAGE', kind: 'permission' }
const elapsed = 720_000

const rejected = (status: number): Failure => ({ kind: 'rejected', status, detail: 'MESSAGE' })
const sent = (failure: Failure): Problem => ({ type: 'platform', operation: 'create', failure })
const polled = (failure: Failure): Problem => ({ type: 'platform', operation: 'read', failure })
const unreachable = (reason: Extract<Failure, { kind: 'unreachable' }>['reason']) =>
  sent({ kind: 'unreachable', reason, code: 'CODE' })
const unread = (reading: Reading): Problem => ({ type: 'unread', reading, rejection })
const fault = (input: string, kind: Exclude<FileFault['kind'], 'too-many'>): Problem => ({
  type: 'file',
  fault: { kind, input, path: 'PATH' },
})

/** Every kind of problem, with placeholders for values. */
export const problems: [problem: Problem, more?: string][] = [
  [
    { type: 'inputs', faults: [{ input: 'INPUT', got: 'VALUE', expected: 'SOMETHING ELSE' }] },
    'A secret or variable that is “nothing” does not exist, has another name, or belongs to an environment that the job does not name.',
  ],
  [sent(rejected(401)), 'The key expired (by default after 90 days), was deleted, or is not an admin key.'],
  [
    sent(rejected(403)),
    'GitHub-hosted runners have no fixed addresses, so a key limited to IP addresses needs a self-hosted runner.',
  ],
  [sent(rejected(404))],
  [polled(rejected(404))],
  [polled(rejected(400))],
  [sent(rejected(400))],
  [sent(rejected(413))],
  [{ type: 'platform', operation: 'visitors', failure: rejected(400) }],
  [
    sent(rejected(429)),
    'A project has 100 new jobs and 100 follow-ups an hour, shared by all workflows. An organization has 100 analytics requests an hour, shared by all of its tools.',
  ],
  [sent(rejected(418))],
  [unreachable('connection')],
  [unreachable('certificate')],
  [unreachable('proxy'), 'A proxy with a sign-in needs `http://user:password@host:port`.'],
  [polled({ kind: 'no-response', code: 'CODE' })],
  [polled({ kind: 'broken', status: 503, detail: 'MESSAGE' })],
  [
    sent({ kind: 'no-response', code: 'CODE' }),
    'Mintlify has no way to find or undo such a job. To wait for a job that you find, set `job-id`.',
  ],
  [sent({ kind: 'broken', status: 502, detail: 'MESSAGE' })],
  [polled({ kind: 'unreadable', status: 200, problem: 'PROBLEM' })],
  [polled({ kind: 'redirected', status: 302, location: 'ADDRESS' })],
  [{ type: 'too-late' }],
  [{ type: 'unsaved-state', operation: 'create' }],
  [{ type: 'unfinished-run' }],
  [{ type: 'key-changed' }],
  [{ type: 'no-result' }],
  [{ type: 'unstarted-run' }],
  [
    { type: 'reported', outcome: 'pull-request' },
    'Nothing was sent or changed. If the job failed, or was archived without a pull request, a re-run starts a new job.',
  ],
  [unread('thread')],
  [unread('text')],
  [
    { type: 'record-unwritten', where: 'comment', rejection },
    'Without the record, a re-run could start the job twice.',
  ],
  [unread('statuses')],
  [unread('diff')],
  [unread('pull-requests')],
  [unread('open-pull-requests')],
  [unread('history')],
  [{ type: 'record-unwritten', where: 'status', rejection }],
  [{ type: 'report-unposted', issue: 'ISSUE', rejection }],
  [unread('open-jobs')],
  [{ type: 'unread', reading: 'diff', rejection: { status: 404, message: 'MESSAGE' } }],
  [
    { type: 'gate-closed', login: 'LOGIN', rejection },
    'A person whose role is unknown cannot start the agent.',
  ],
  [
    { type: 'not-allowed', login: 'LOGIN', required: 'ROLE', isBot: false },
    'Only the role on the repository counts.',
  ],
  [{ type: 'not-allowed', login: 'LOGIN', required: 'ROLE', isBot: true }],
  [{ type: 'no-prompt', command: 'COMMAND', isHelp: false }],
  [{ type: 'no-prompt', command: 'COMMAND', isHelp: true }],
  [
    { type: 'not-for-us', reason: 'the comment does not start with COMMAND' },
    'The event is not for this step. Edited comments, quotes, code blocks and a command in the middle of a text do not count.',
  ],
  [
    { type: 'no-change', reason: 'context-paths (GLOBS) matches none of the changed files: FILES' },
    'There is nothing to document.',
  ],
  [{ type: 'secrets-withheld', why: "GitHub withholds secrets from runs for a fork's pull request" }],
  [{ type: 'own-change', login: 'LOGIN' }],
  [{ type: 'start-unknown' }],
  [{ type: 'open-limit', limit: 2, links: ['', ''] }, 'Only pull requests from this action’s jobs count.'],
  [{ type: 'out-of-bounds', files: { kind: 'outside', paths: ['', '', ''] } }],
  [{ type: 'out-of-bounds', files: { kind: 'unreadable' } }],
  [{ type: 'out-of-bounds', files: { kind: 'cut', listed: 3000, total: 3100 } }],
  [{ type: 'out-of-bounds', files: { kind: 'unchecked' } }],
  [{ type: 'event-rejected', event: 'pull_request_target', why: 'target' }],
  [{ type: 'event-rejected', event: 'EVENT', why: 'no-command' }],
  [{ type: 'event-rejected', event: 'EVENT', why: 'unreadable' }],
  [{ type: 'secret-in-prompt', secret: 'api-key' }],
  [{ type: 'secret-in-prompt', secret: 'github-token' }],
  [fault('prompt-file', 'missing')],
  [
    fault('prompt-file', 'outside'),
    'Paths are relative to the workspace. Links and `..` must not lead out of it.',
  ],
  ...(['not-a-file', 'not-text', 'empty', 'too-large', 'unreadable'] as const).map((kind): [Problem] => [
    fault('prompt-file', kind),
  ]),
  [fault('context-files', 'outside')],
  [fault('report-dir', 'unwritable')],
  [{ type: 'file', fault: { kind: 'too-many', input: 'context-files', limit: 2000 } }],
  [{ type: 'defect', text: '' }],
]

const result: AgentResult = {
  outcome: 'pull-request',
  jobId: 'JOB',
  job: null,
  prompt: null,
  problem: null,
  delivery: 'sent',
  changes: null,
  elapsed,
}
const job = (status: string): Job => ({
  id: 'JOB',
  status,
  prLink: null,
  repository: null,
  ref: null,
  model: null,
  createdAt: null,
  archivedAt: null,
})

const outcomes: [result: Partial<AgentResult>, more?: string][] = [
  [
    { outcome: 'timed-out', job: job('active') },
    'To wait again, paste the step from the summary into a workflow. Keep `timeout-minutes` above `timeout`: if GitHub ends the job first, the outcome is `cancelled`.',
  ],
  [{ outcome: 'timed-out', job: job('completed') }],
  [{ outcome: 'failed' }],
  [{ outcome: 'no-changes' }, 'If something is missing, describe the change in the prompt.'],
  [{ outcome: 'archived' }, 'Someone, or Mintlify, archived it. Its pull request, if any, is in `prLink`.'],
  [
    { outcome: 'cancelled' },
    'Someone cancelled the run, or a `concurrency` group with `cancel-in-progress` did.',
  ],
]

const thread = { repository: 'REPOSITORY', number: 1, isPullRequest: true, reviewRoot: null }
const events: [progress: Progress, more?: string][] = [
  [
    { type: 'thread-failed', act: 'reply', thread, rejection },
    'Reactions and comments on issues need `issues: write`.',
  ],
  [{ type: 'status-failed', commit: 'COMMIT', rejection }],
  [
    { type: 'pull-unchanged', act: 'label', what: 'LABEL', thread, rejection },
    'To request a review from a team, use a GitHub App’s token: the default token cannot read the organization.',
  ],
  [{ type: 'no-record', isRerun: false }],
  [{ type: 'no-record', isRerun: true }],
  [{ type: 'unchanged', job: job('completed'), age: 180_000 }],
  [{ type: 'no-files', input: 'context-files' }],
  [{ type: 'loop-unchecked', rejection }],
  [{ type: 'files-cut', listed: 3000 }],
  [{ type: 'unknown-status', status: 'STATUS' }],
]

const others: Entry[] = [
  ...[
    { jobId: null, sending: 'create' },
    { jobId: 'JOB', sending: '' },
  ].map((left) => fromText('killed', describeKilled(left, jobRef).text.split('\nTo wait')[0] ?? '')),
  {
    id: 'node',
    what: 'This action needs Node.js 24 or newer.',
    next: 'GitHub’s runner provides it. A self-hosted runner needs version 2.327.1 or newer.',
  },
]

/** The first sentence of a text is its heading. */
function fromText(id: string, text: string, more?: string): Entry {
  const [what = '', ...rest] = text.replaceAll(formatDuration(elapsed), 'TIME').split(/(?<=\.)\s+/)
  return { id, what, next: rest.join(' '), ...(more !== undefined && { more }) }
}

/** The sections of the page, by their headings. */
export const sections: [heading: string, entries: Entry[]][] = [
  [
    'Results',
    outcomes.map(([part, more]) => {
      const { paragraphs } = conclude({ ...result, ...part }, jobRef)
      return fromText(part.outcome ?? '', paragraphs.join(' '), more)
    }),
  ],
  [
    'Errors and skipped steps',
    problems.map(([problem, more]) => ({
      ...explain(problem, jobRef),
      ...(more !== undefined && { more }),
    })),
  ],
  [
    'Warnings',
    [
      ...events.map(([progress, more]) =>
        fromText(progress.type, describe(progress, jobRef)[0]?.text ?? '', more),
      ),
      ...others,
    ],
  ],
]

/** The page. */
export function troubleshooting(): string {
  const parts = sections.map(([heading, entries]) => `## ${heading}\n\n${shown(entries).join('\n\n')}`)
  return `# Troubleshooting

Each heading is a message of the log and the summary; words in capitals stand for values. Jobs are on the [Mintlify dashboard](https://app.mintlify.com).

${parts.join('\n\n')}
`
}

/** One section for consecutive messages with the same remedy. */
function shown(entries: readonly Entry[]): string[] {
  const groups: Entry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0]?.next === entry.next) last.push(entry)
    else groups.push([entry])
  }
  return groups.map((group) => {
    const [first, ...also] = group
    const same = also.map(({ what }) => `“${what}”`).join(', ')
    const text = [first?.next, ...group.map(({ more }) => more)].filter(Boolean).join(' ')
    return [`### ${first?.what}`, same && `Also: ${same}`, text].filter(Boolean).join('\n\n')
  })
}
