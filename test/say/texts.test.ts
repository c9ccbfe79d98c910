/** Every text in mode agent that people see, in full, to read from top to bottom. */
import { describe, expect, it } from 'vitest'
import type { JobChoice } from '../../src/core/job/job.ts'
import type { Failable } from '../../src/core/outcome.ts'
import type { Problem } from '../../src/core/problem.ts'
import type { AgentResult, LogEntry, Progress, TriggerRef } from '../../src/core/progress.ts'
import { holdKinds, holdStates } from '../../src/core/pull.ts'
import { fenced } from '../../src/core/text.ts'
import type { DocumentedChange } from '../../src/core/trigger/change.ts'
import { describeKilled, killedSummary } from '../../src/say/killed.ts'
import { describe as describeProgress, describeResult } from '../../src/say/messages.ts'
import {
  abandonedComment,
  deniedComment,
  documentationComment,
  helpComment,
  holdDescription,
  killedComment,
  provenanceComment,
  releasedComment,
  resultComment,
  statusDescription,
  workingComment,
} from '../../src/say/replies.ts'
import { agentSummary, pendingSummary } from '../../src/say/summary.ts'
import { aJob, broken, noResponse, rejected, unreachable } from '../core/samples.ts'
import {
  anOrigin,
  jobRef as anyRef,
  aResult,
  platform,
  problems,
  rejections,
  someChanges,
} from './samples.ts'

const jobRef = { ...anyRef, baseUrl: 'https://api.mintlify.com' }
const failOn: ReadonlySet<Failable> = new Set(['failed', 'timed-out'])
const prLink = 'https://github.com/acme/docs/pull/7'
const done = aJob({ status: 'completed', prLink, createdAt: '2026-11-21T14:05:09Z' })
const context = {
  command: '/docs',
  runUrl: 'https://github.com/acme/app/actions/runs/1',
  request: { login: 'mona', url: 'https://github.com/acme/app/issues/3#issuecomment-1' },
}
const allowed = { role: 'write', bots: ['renovate[bot]'] } as const
const server = { command: '/docs', serverUrl: 'https://github.com' }
const trigger: TriggerRef = {
  text: 'comment by mona on acme/app#3',
  url: 'https://github.com/acme/app/issues/3#issuecomment-1',
}
const documented: DocumentedChange = {
  repository: 'acme/app',
  head: '4f2c9a1b8d4f2c9a1b8d4f2c9a1b8d4f2c9a1b8d',
  number: 12,
  author: 'mona',
}

const thread = { repository: 'acme/app', number: 3, isPullRequest: false, reviewRoot: null }
const prompt = { text: 'Fix the install page', included: [], leftOut: [] }
const jobless = { jobId: null, job: null, prompt: null, elapsed: 1_200 }
const outsideProblem = problems.filter(([, { type }]) => type === 'out-of-bounds')

const results: [name: string, result: AgentResult][] = [
  ['A pull request', aResult({ job: done, changes: someChanges(), prompt })],
  ['A pull request that the token cannot read', aResult({ job: done })],
  ...outsideProblem.map(([name, problem]): [string, AgentResult] => [
    `Out of bounds: ${name}`,
    aResult({
      outcome: 'out-of-bounds',
      job: done,
      problem,
      changes: name === 'unreadable files' ? null : someChanges(),
    }),
  ]),
  ['No pull request', aResult({ outcome: 'no-changes', job: aJob({ status: 'completed' }) })],
  [
    'Archived, with a pull request',
    aResult({ outcome: 'archived', job: aJob({ status: 'archived', prLink }) }),
  ],
  ['Failed', aResult({ outcome: 'failed', job: aJob({ status: 'failed' }) })],
  ['Timed out', aResult({ outcome: 'timed-out', prompt: null })],
  ['Timed out while polls failed', aResult({ outcome: 'timed-out', problem: platform('read', broken(503)) })],
  ['Timed out after a follow-up', aResult({ outcome: 'timed-out', job: done })],
  ['Not waited for', aResult({ outcome: 'detached', elapsed: 900 })],
  ['Cancelled with a job', aResult({ outcome: 'cancelled' })],
  ['Cancelled before a job', aResult({ outcome: 'cancelled', ...jobless })],
  [
    'Cancelled during the request',
    aResult({ outcome: 'cancelled', ...jobless, problem: platform('create', noResponse) }),
  ],
  [
    'Unconfirmed job',
    aResult({ outcome: 'unconfirmed', ...jobless, problem: platform('create', broken(502)) }),
  ],
  ['Unconfirmed follow-up', aResult({ outcome: 'unconfirmed', problem: platform('message', noResponse) })],
  [
    'A re-run of a run that was killed',
    aResult({ outcome: 'unconfirmed', ...jobless, problem: { type: 'unfinished-run' } }),
  ],
  [
    'A re-run after a change of key',
    aResult({ outcome: 'unconfirmed', ...jobless, problem: { type: 'key-changed' } }),
  ],
  [
    'A re-run whose result was reported',
    aResult({ job: done, problem: { type: 'reported', outcome: 'pull-request' }, prompt: null, elapsed: 0 }),
  ],
  [
    'An error while the job continues',
    aResult({ outcome: 'error', problem: platform('read', rejected(401)) }),
  ],
]

/** Whether the use cases skip the step. */
const isSkipped = (problem: Problem) => {
  const skips = ['secrets-withheld', 'not-for-us', 'no-prompt', 'not-allowed', 'no-change', 'own-change']
  return skips.includes(problem.type)
}
const others = problems.filter(
  ([name, { type }]) =>
    !['out-of-bounds', 'unfinished-run', 'key-changed', 'reported'].includes(type) &&
    (type !== 'platform' ||
      /^create: (unreach|redirected|4(00|01|03|04|13|29|18))|^read: (400|404|unread)/.test(name)),
)
const withoutJob: [name: string, result: AgentResult][] = others.map(([name, problem]) => [
  `${isSkipped(problem) ? 'Skipped' : 'Error'}: ${name}`,
  aResult({ outcome: isSkipped(problem) ? 'skipped' : 'error', ...jobless, problem }),
])

const block = (text: string, info = 'markdown') => fenced(text, info)
/** Entries as the log shows them. Only groups show their titles. */
function logText(entries: readonly LogEntry[]): string {
  const prefix = { info: '', group: '▸ ', notice: 'Notice: ', warning: 'Warning: ', error: 'Error: ' }
  return entries
    .map((entry) => `${prefix[entry.level]}${entry.level === 'group' ? entry.title : entry.text}`)
    .join('\n')
}
const annotations = (entries: readonly LogEntry[]) =>
  entries
    .flatMap((entry) =>
      entry.level === 'info' || entry.level === 'group' ? [] : [`${entry.level}: **${entry.title}**`],
    )
    .join('\n') || 'none'

function section(name: string, result: AgentResult): string {
  const named = { ...jobRef, jobId: result.jobId }
  const log = describeResult(result, named, failOn)
  const isReported = result.problem?.type === 'reported'
  const isDone = !isReported && (result.outcome === 'pull-request' || result.outcome === 'out-of-bounds')
  return [
    `## ${name}`,
    ...(isReported ? [] : ['Thread:', block(resultComment(result, context, named))]),
    ...(isDone
      ? ["Agent's pull request:", block(provenanceComment(server, anOrigin({ change: documented }), result))]
      : []),
    ...(isDone ? ["Change's pull request:", block(documentationComment(prLink, result.changes))] : []),
    `Commit status: ${statusDescription(result, named)}`,
    'Summary:',
    block(agentSummary(result, named, trigger)),
    'Log:',
    block(logText(log), 'text'),
    `Annotation: ${annotations(log)}`,
  ].join('\n\n')
}

/** An error in the action itself has no reply. */
const unanswered = new Set<Problem['type'] | undefined>(['defect'])

function shortSection(name: string, result: AgentResult): string {
  const log = describeResult(result, jobRef, failOn)
  return [
    `## ${name}`,
    ...(result.outcome === 'error' && !unanswered.has(result.problem?.type)
      ? ['Thread:', block(resultComment(result, context, jobRef))]
      : []),
    `Summary: ${agentSummary(result, jobRef).split('\n', 1)[0]}`,
    'Log:',
    block(logText(log), 'text'),
  ].join('\n\n')
}

const choices: JobChoice[] = ['own', 'thread', 'replaced', 'finished', 'unclear']
const denied = problems.flatMap(([, problem]) => (problem.type === 'not-allowed' ? [problem] : []))
const comments: [name: string, text: string][] = [
  ...choices.map((choice): [string, string] => [`Working: ${choice}`, workingComment(context, choice)]),
  ['Help', helpComment(context, allowed)],
  ...denied.map((problem): [string, string] => [
    `Denied: ${problem.isBot ? 'a bot' : 'a person'}`,
    deniedComment(problem, context),
  ]),
  ['Killed, with a job', killedComment(context, 'job')],
  ['Killed, perhaps with a job', killedComment(context, 'open')],
  ['Killed before anything was sent', killedComment(context, 'not-sent')],
  [
    "On the agent's pull request, after a command",
    provenanceComment(server, anOrigin({ thread }), aResult()),
  ],
  [
    "On the agent's pull request, after a push",
    provenanceComment(server, anOrigin({ change: { ...documented, number: null, author: null } }), aResult()),
  ],
  [
    'After an error, for a label',
    resultComment(
      aResult({ outcome: 'error', ...jobless, problem: platform('create', rejected(401)) }),
      { ...context, command: null, label: 'docs' },
      jobRef,
    ),
  ],
]

const held = { repository: 'acme/app', number: 12, head: '4f2c9a1b8d', hold: 'merge' } as const
const lift = (command: string | null, isNewer: boolean) => releasedComment(held, prLink, { command, isNewer })
const holds: [name: string, text: string][] = [
  ...holdStates.flatMap((state) =>
    holdKinds.map((hold): [string, string] => [
      `The status: ${state}, with ${hold}`,
      holdDescription({ ...held, hold }, state),
    ]),
  ),
  ["On the agent's pull request", provenanceComment(server, anOrigin({ code: held }), aResult())],
  ["On the change's pull request", documentationComment(prLink, null, held)],
  ['The code is merged', lift('/docs', false)],
  ['The code is merged, and has changed', lift('/docs', true)],
  ['The code has changed, and there is no command', lift(null, true)],
  ['The code is closed', abandonedComment(held)],
]

const { forbidden, limited } = rejections
const events: [name: string, progress: Progress][] = [
  [
    'The prompt',
    {
      type: 'prompt',
      jobId: 'job_1',
      prompt: {
        text: 'Fix it',
        included: ['a.md'],
        leftOut: [
          { path: 'b.md', why: 'over the context limit of 256 KiB' },
          { path: 'yarn.lock', why: 'lock file', byRule: true },
        ],
      },
    },
  ],
  ['No context file', { type: 'no-files', input: 'context-files' }],
  ['A new job', { type: 'job', jobId: 'job_1', job: aJob(), origin: 'created' }],
  ['A follow-up', { type: 'job', jobId: 'job_1', job: done, origin: 'continued' }],
  ['A job to wait for', { type: 'job', jobId: 'job_1', job: null, origin: 'resumed' }],
  ['The first look at it', { type: 'status', job: aJob(), age: 0 }],
  ['A change', { type: 'status', job: done, age: 252_000 }],
  ['An unknown status', { type: 'unknown-status', status: 'thinking' }],
  ['A minute', { type: 'waiting', age: 60_000, status: 'active', nextRead: 0, failures: 0 }],
  [
    'A minute of a long interval',
    { type: 'waiting', age: 60_000, status: 'active', nextRead: 300_000, failures: 0 },
  ],
  [
    'A minute after a follow-up',
    { type: 'waiting', age: 60_000, status: 'completed', nextRead: 5_000, failures: 0 },
  ],
  ['A minute of failing polls', { type: 'waiting', age: 60_000, status: 'active', nextRead: 0, failures: 4 }],
  [
    'A minute without a response',
    { type: 'waiting', age: 60_000, status: null, nextRead: 30_000, failures: 1 },
  ],
  ['A failing poll', { type: 'failing', operation: 'read', failure: broken(503), nextAttempt: 2_000 }],
  [
    'A rate limit',
    { type: 'failing', operation: 'create', failure: rejected(429, '60'), nextAttempt: 60_000 },
  ],
  [
    'No connection',
    { type: 'failing', operation: 'create', failure: unreachable('connection'), nextAttempt: 300 },
  ],
  ['Many attempts', { type: 'retrying', operation: 'create', attempts: 3, nextAttempt: 30_000 }],
  ['Nothing new', { type: 'unchanged', job: done, age: 180_000 }],
  ['A rejected comment', { type: 'thread-failed', act: 'reply', thread, rejection: forbidden }],
  ['A rate limit on GitHub', { type: 'thread-failed', act: 'edit', thread, rejection: limited }],
  ['A rejected status', { type: 'status-failed', commit: '4f2c9a1b8d4f2c9a1b8d', rejection: forbidden }],
  ['An unchecked push', { type: 'loop-unchecked', rejection: forbidden }],
  [
    "Someone else's pull request",
    {
      type: 'foreign-pull',
      thread: { repository: 'acme/docs', number: 7, isPullRequest: true, reviewRoot: null },
      author: 'mona',
      agentLogin: 'mintlify[bot]',
      ref: 'docs-agent/job_1',
    },
  ],
  ['A change with too many files', { type: 'files-cut', listed: 300 }],
  ['No diff', { type: 'no-diff', reason: 'a tag does not change files' }],
  ['Too many comments', { type: 'comments-cut', repository: 'acme/app' }],
  [
    'What is new',
    { type: 'since-last', branch: 'main', commit: '4f2c9a1b8d', job: 'job_1', failed: 'job_0', commits: 12 },
  ],
  [
    'A first run',
    { type: 'since-last', branch: 'main', commit: '4f2c9a1b8d', job: null, failed: null, commits: 1 },
  ],
  ['An earlier job that failed', { type: 'job-over', jobId: 'job_1', status: 'failed' }],
  ['An earlier job that is gone', { type: 'job-over', jobId: 'job_1', status: 'gone' }],
  ['An earlier job that rejects the follow-up', { type: 'job-over', jobId: 'job_1', status: 'rejected' }],
  ['An earlier request at work', { type: 'earlier-command', state: 'waiting' }],
  ['An earlier request without a job', { type: 'earlier-command', state: 'unclear' }],
  ['No record', { type: 'no-record', isRerun: false }],
  ['A re-run without a record', { type: 'no-record', isRerun: true }],
  ['A hold without a pull request', { type: 'hold-ignored' }],
  ...(['label', 'review', 'hold', 'guard'] as const).map((act): [string, Progress] => [
    `On the agent's pull request, a rejected ${act}`,
    { type: 'pull-unchanged', act, what: '`docs`', thread, rejection: forbidden },
  ]),
  ['Unread files', { type: 'changes-unread', prLink, rejection: { status: 404, message: 'Not Found' } }],
]

/** Ten minutes of a job, with an outage from the fourth to the sixth. */
const tenMinutes: Progress[] = [
  { type: 'prompt', prompt, jobId: null },
  { type: 'job', jobId: 'job_1', job: aJob(), origin: 'created' },
  ...[1, 2, 3].map(
    (minute): Progress => ({
      type: 'waiting',
      age: minute * 60_000,
      status: 'active',
      nextRead: 4_000,
      failures: 0,
    }),
  ),
  { type: 'failing', operation: 'read', failure: unreachable('connection'), nextAttempt: 1_700 },
  { type: 'waiting', age: 240_000, status: 'active', nextRead: 0, failures: 5 },
  { type: 'waiting', age: 300_000, status: 'active', nextRead: 31_000, failures: 6 },
  ...[6, 7, 8, 9].map(
    (minute): Progress => ({
      type: 'waiting',
      age: minute * 60_000,
      status: 'active',
      nextRead: 0,
      failures: 0,
    }),
  ),
  { type: 'status', job: done, age: 575_000 },
]

const killed = [
  { jobId: null, sending: '' },
  { jobId: null, sending: 'create' },
  { jobId: 'job_1', sending: '' },
  { jobId: 'job_1', sending: 'message' },
]

describe('the texts of mode agent', () => {
  it('the texts of mode agent match the snapshot, and lines of the log have at most 100 characters', async () => {
    const story = tenMinutes.flatMap((progress) => describeProgress(progress, { ...jobRef, jobId: null }))
    const last = describeResult(
      aResult({ job: done, changes: someChanges(), elapsed: 575_000 }),
      jobRef,
      failOn,
    )
    const parts = [
      '# Comments before and beside the result',
      ...comments.map(([name, text]) => `## ${name}\n\n${block(text)}`),
      `Commit status while the job is running: ${statusDescription(null, jobRef)}`,
      '# Docs that wait for their code',
      ...holds.map(([name, text]) => `## ${name}\n\n${block(text)}`),
      '# Results, place by place',
      ...results.map(([name, result]) => section(name, result)),
      '# Steps without a job, place by place',
      'The summary says the same as the log.',
      ...withoutJob.map(([name, result]) => shortSection(name, result)),
      '# The log while the step runs',
      ...events.map(([name, progress]) => {
        const entries = describeProgress(progress, jobRef)
        const titles = annotations(entries)
        return `## ${name}\n\n${block(logText(entries), 'text')}${titles === 'none' ? '' : `\n\nAnnotation: ${titles}`}`
      }),
      '# Ten minutes of a log',
      block(logText([...story, ...last]), 'text'),
      '# What remains of a killed step',
      block(pendingSummary('job_1', jobRef)),
      ...killed.flatMap((left) => [
        block(killedSummary(left, jobRef)),
        block(logText([describeKilled(left, jobRef)]), 'text'),
      ]),
    ]
    const long = parts.join('\n\n').matchAll(/^```text\n([\s\S]*?)^```/gm)
    const lines = [...long].flatMap(([, text = '']) => text.split('\n'))
    // GitHub's own message cannot be shortened.
    expect(lines.filter((line) => line.length > 100 && !/\(\d+: .*\)/.test(line))).toEqual([])
    await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('__snapshots__/texts.md')
  })
})
