/** TROUBLESHOOTING.md: the action's messages, with more about some of them. A search for a message's first sentence finds it. */
import { type Operation, type OperationName, parseJob } from '../src/core/job/job.ts'
import type { Failure } from '../src/core/job/response.ts'
import type { AgentResult } from '../src/core/outcome.ts'
import { type FileFault, type Problem, problems, startOver } from '../src/core/problems.ts'
import type { Prompt } from '../src/core/prompt/prompt.ts'
import { pullThread } from '../src/core/thread.ts'
import { formatDuration } from '../src/core/units.ts'
import { withoutJob } from '../src/life/live.ts'
import { conclude } from '../src/say/conclusion.ts'
import { type LogEntry, say } from '../src/say/messages.ts'
import { killedEnding } from '../src/say/summary.ts'

/** A message: its first sentence, what to do, and what else helps. */
interface Entry {
  what: string
  next: string
  more: string
}

const project = 'PROJECT'
const forbidden = { status: 403, message: 'MESSAGE', kind: 'permission' } as const
const call = (name: OperationName, failure: Failure): Problem =>
  problems.call({ name, projectId: project, jobId: 'JOB' } as Operation, failure, 'api.mintlify.com')
const rejected = (status: number, name: Parameters<typeof call>[0] = 'create') =>
  call(name, { kind: 'rejected', status, detail: 'MESSAGE' })
const broken = (name: OperationName) => [
  call(name, { kind: 'no-response', code: 'CODE' }),
  call(name, { kind: 'broken', status: 502, detail: 'MESSAGE' }),
]
const unreachable = (reason: 'connection' | 'certificate' | 'proxy') =>
  call('create', { kind: 'unreachable', reason, code: 'CODE' })
const file = (kind: FileFault['kind'], input = 'prompt-file') => problems.file({ kind, input, path: 'PATH' })

const misused = { input: 'INPUT', got: 'VALUE', expected: 'SOMETHING ELSE' }

/** Each kind of problem, with placeholders for values, and what else helps. */
const kinds: Record<Problem['id'], (Problem | string)[]> = {
  inputs: [
    problems.inputs([misused]),
    problems.inputs([misused, misused]),
    'A secret or variable that is “nothing” does not exist, has another name, or belongs to an environment that the job does not name.',
  ],
  'bad-key': [
    rejected(401),
    'The key expired (by default after 90 days), was deleted, or is not an admin key.',
  ],
  'no-access': [
    rejected(403),
    'GitHub-hosted runners have no fixed addresses, so a key limited to IP addresses needs a self-hosted runner.',
  ],
  'no-project': [rejected(404)],
  'no-job': [rejected(404, 'read')],
  'rate-limit': [
    rejected(429),
    'A project has 100 new jobs and 100 follow-ups an hour, shared by all workflows. An organization has 100 analytics requests an hour, shared by all of its tools.',
  ],
  rejected: [
    ...[rejected(400), rejected(413), rejected(400, 'message')],
    ...[rejected(400, 'read'), rejected(400, 'visitors'), rejected(418)],
  ],
  connection: [unreachable('connection')],
  certificate: [unreachable('certificate')],
  proxy: [unreachable('proxy'), 'A proxy with a sign-in needs `http://user:password@host:port`.'],
  unavailable: broken('read'),
  unconfirmed: [
    ...broken('create'),
    ...broken('message'),
    'Mintlify may have received the request, so it is not sent again. To wait for a job that you find, set `job-id`.',
  ],
  unreadable: [call('read', { kind: 'unreadable', status: 200, problem: 'PROBLEM' })],
  redirected: [call('read', { kind: 'redirected', status: 302, location: 'ADDRESS' })],
  'too-late': [problems.tooLate()],
  'unsaved-state': [problems.unsavedState()],
  'unfinished-run': [problems.gaveUp('unfinished-run', project)],
  'key-changed': [problems.gaveUp('key-changed', project)],
  'no-result': [problems.gaveUp('no-result', project)],
  'unstarted-run': [problems.gaveUp('unstarted-run', project)],
  reported: [problems.reported(), 'Nothing was sent or changed.'],
  github: [
    ...(
      [
        ...(['thread', 'text', 'statuses', 'diff', 'pull-requests', 'open-pull-requests'] as const),
        ...(['history', 'open-jobs', 'role', 'comment', 'status', 'report'] as const),
      ] as const
    ).map((need) => problems.rejected(need, forbidden, 'NAME')),
    problems.rejected('diff', { status: 404, message: 'MESSAGE' }),
  ],
  'not-allowed': [
    problems.notAllowed('LOGIN', 'ROLE', false),
    problems.notAllowed('LOGIN', 'ROLE', true),
    'Only the role on the repository counts.',
  ],
  'no-prompt': [problems.noPrompt('COMMAND'), problems.noPrompt('COMMAND', true)],
  skipped: [
    problems.skipped('the comment does not start with COMMAND'),
    problems.skipped('context-paths (GLOBS) matches none of the changed files: FILES'),
    'The event is not for this step, or there is nothing to document. Edited comments, quotes, code blocks and a command in the middle of a text do not count.',
  ],
  'secrets-withheld': [
    problems.secretsWithheld("GitHub withholds secrets from runs for a fork's pull request"),
  ],
  'own-change': [problems.ownChange('LOGIN')],
  'start-unknown': [problems.startUnknown()],
  'open-limit': [problems.openLimit(1, ['']), 'Only pull requests from this action’s jobs count.'],
  'out-of-bounds': [
    problems.outOfBounds({ kind: 'outside', paths: ['', '', ''] }),
    ...(['unreadable', 'cut', 'unchecked'] as const).map((kind) => problems.outOfBounds({ kind, paths: [] })),
  ],
  'event-rejected': [problems.untrustedEvent('pull_request_target'), problems.noCommand('EVENT')],
  'secret-in-prompt': [problems.secretInPrompt('API key'), problems.secretInPrompt('GitHub token')],
  file: [
    ...(['outside', 'not-a-file', 'not-text', 'empty', 'too-large', 'unreadable', 'missing'] as const).map(
      (kind) => file(kind),
    ),
    ...(['outside', 'unreadable', 'too-many'] as const).map((kind) => file(kind, 'context-files')),
    ...(['outside', 'unwritable'] as const).map((kind) => file(kind, 'report-dir')),
    'Paths are relative to the workspace. Links and `..` must not lead out of it.',
  ],
  defect: [
    problems.defect('Unexpected error.'),
    problems.defect('The payload of `EVENT` is not what GitHub documents.'),
  ],
}

/** All samples of problems. */
export const samples = Object.values(kinds).flatMap((all) => all.filter((each) => typeof each !== 'string'))

const elapsed = 720_000
const result = (outcome: AgentResult['outcome'], status?: string): AgentResult => ({
  ...withoutJob(outcome, null),
  jobId: 'JOB',
  job: parseJob({ id: 'JOB', status }) ?? null,
  elapsed,
})
const results: [result: AgentResult, more?: string][] = [
  [
    result('timed-out', 'active'),
    'To wait again, paste the step from the summary into a workflow. Keep `timeout-minutes` above `timeout`.',
  ],
  [result('timed-out', 'completed')],
  [result('failed')],
  [result('no-changes'), 'If something is missing, describe the change in the prompt.'],
  [result('archived'), 'Someone, or Mintlify, archived it. Its pull request, if any, is in `prLink`.'],
  [result('cancelled'), 'Someone cancelled the run, or a `concurrency` group with `cancel-in-progress` did.'],
]

const thread = pullThread('REPOSITORY', 1)
const jobRef = { uses: './', actionUrl: '.', baseUrl: '', projectId: project, jobId: null }
const cutPrompt: Prompt = { text: '', included: [], leftOut: [{ path: '', why: '', byRule: false }] }
const warnings: [entry: LogEntry, more?: string][] = [
  ...(['reply', 'react', 'edit', 'delete', 'hide', 'read', 'status', 'label', 'hold', 'loop'] as const).map(
    (act): [LogEntry] => [say.rejected(act, thread, forbidden, ['LABEL'])],
  ),
  [say.rejected('review', thread, forbidden, ['LOGIN']), 'The default token cannot, but a GitHub App’s can.'],
  [say.noRecord(false)],
  [say.noRecord(true), 'The job may exist twice, so look for another one on the dashboard.'],
  [say.unchanged('completed', 180_000)],
  [say.noFiles()],
  [say.filesCut(3000)],
  [say.unknownStatus('STATUS')],
  ...say
    .prompt(cutPrompt, null, project, '')
    .flatMap((entry): [LogEntry][] => (entry.level === 'warning' ? [[entry]] : [])),
  [killedEnding(null, 'create', jobRef).entry, 'If the message names a job, it continues on Mintlify.'],
]

/** The first sentence of a text is its heading. */
function fromText(text: string, more = ''): Entry {
  const [said = ''] = text.replaceAll(formatDuration(elapsed), 'TIME').split('\nTo wait')
  const [what = '', ...rest] = said.split(/(?<=\.)\s+/)
  return { what, next: rest.join(' ').replace('The step continues.', '').trim(), more }
}

/** Kinds of problems with the same remedy for every request to Mintlify. */
const anyRequest = ['unavailable', 'unreadable', 'redirected']

/** The sections of the page, by their headings. */
export const sections: [heading: string, entries: Entry[]][] = [
  ['Results', results.map(([each, more]) => fromText(`${conclude(each).what} ${conclude(each).next}`, more))],
  [
    'Errors and skipped steps',
    Object.values(kinds).flatMap((all) => {
      const more = String(all.find((each) => typeof each === 'string') ?? '')
      const told = all.filter((each) => typeof each !== 'string')
      return told.map((problem, at) => ({
        what: anyRequest.includes(problem.id)
          ? problem.what.replace(/the (?:status request|request to create the job)/, 'REQUEST')
          : problem.what,
        next: problem.next
          .replace(startOver, '')
          .replace(/^.* so the request is not sent again\. /, '')
          .trim(),
        more: at === 0 ? more : '',
      }))
    }),
  ],
  [
    'Warnings',
    [
      ...warnings.map(([{ text }, more]) => fromText(text, more)),
      {
        what: 'This action needs Node.js 24 or newer.',
        next: 'GitHub’s runner provides it. A self-hosted runner needs version 2.327.1 or newer.',
        more: '',
      },
    ],
  ],
]

/** The page. */
export function troubleshooting(): string {
  const parts = sections.map(([heading, entries]) => `## ${heading}\n\n${shown(entries).join('\n\n')}`)
  return `# Troubleshooting

Each heading is a message in the log and the summary; words in capitals stand for values. Jobs are on the [Mintlify dashboard](https://app.mintlify.com). After you change a workflow file, start a new run, or comment again: a re-run uses the old file. A warning does not end the step.

${parts.join('\n\n')}
`
}

/** One section for messages with the same remedy. */
function shown(entries: readonly Entry[]): string[] {
  return [...Map.groupBy(entries, ({ next }) => next)].map(([next, group]) => {
    const [first = '', ...also] = group.map(({ what }) => what)
    const same = also.map((what) => `“${what}”`).join(', ')
    const text = [next, ...group.map(({ more }) => more)].filter(Boolean).join(' ')
    return [`### ${first}`, same && `Also: ${same}`, text].filter(Boolean).join('\n\n')
  })
}
