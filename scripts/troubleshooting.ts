/** TROUBLESHOOTING.md: the action's messages, with more about some of them. A search for a message's first sentence finds it. */
import type { Failure, UnreachableReason } from '../src/core/http.ts'
import { type AgentResult, agentResult } from '../src/core/outcome.ts'
import {
  type CallName,
  type FileFault,
  type Need,
  needs,
  type Problem,
  problems,
  startOver,
} from '../src/core/problems.ts'
import type { Prompt } from '../src/core/prompt/prompt.ts'
import { pullThread } from '../src/core/thread.ts'
import { formatDuration } from '../src/core/units.ts'
import { parseJob } from '../src/mintlify/job.ts'
import { conclude } from '../src/say/conclusion.ts'
import { acts, type GitHubAct, info, say } from '../src/say/messages.ts'
import { killedEnding } from '../src/say/summary.ts'

/** A message, or what else helps after the message before it. */
type Item = { text: string } | { what: string; next: string } | string

const project = 'PROJECT'
const forbidden = { status: 403, message: 'MESSAGE', kind: 'permission' } as const
const call = (name: CallName, failure: Failure): Problem => {
  const jobId = name === 'read' || name === 'message' ? 'JOB' : null
  return problems.call({ name, projectId: project, jobId }, failure, 'api.mintlify.com')
}
const rejected = (status: number, name: CallName = 'create') =>
  call(name, { kind: 'rejected', status, detail: 'MESSAGE' })
const broken = (name: CallName) => [
  call(name, { kind: 'no-response', code: 'CODE' }),
  call(name, { kind: 'broken', status: 502, detail: 'MESSAGE' }),
]
const unreachable = (reason: UnreachableReason) =>
  call('create', { kind: 'unreachable', reason, code: 'CODE' })
const file = (kind: FileFault['kind'], input = 'prompt-file') => problems.file({ kind, input, path: 'PATH' })

/** Other reasons to skip a step, by what to do. */
const skips: Record<string, string[]> = {
  "On a fork's pull request, comment the command.": [
    "labels on a fork's pull request start nothing",
    "reviews on a fork's pull request start nothing",
    "a fork's pull request starts nothing",
    "the upstream run was for a fork's code",
  ],
  'Use an event [that starts the agent](docs/reference.md#events).': [
    'the event EVENT starts nothing',
    'commands are not read from EVENT',
    'the upstream run was started by EVENT',
    'the release was ACTION, not published',
  ],
  'Start the workflow on the default branch.': ['BRANCH is not the default branch'],
  'To send these files, change `context-paths`.': [
    'context-paths (GLOBS) matches none of the changed files: FILES',
  ],
  'This is normal. To start the agent anyway, comment a command.': [
    'the label “ADDED” was added, not “LABEL”',
    'the step acts only when its label is added',
    'the upstream run did not succeed',
    'it was closed without being merged',
    'BRANCH was deleted',
    'the merge queue is only testing the change',
    'all changed files are generated, binary or empty',
    'nothing is new on BRANCH since COMMIT',
    'everything new on BRANCH since COMMIT is documented',
    'already in REPOSITORY#1',
    'an earlier job already covers it',
  ],
}

const otherSkips = Object.entries(skips).flatMap(([next, reasons]) =>
  reasons.flatMap((reason) => [problems.skipped(reason), next]),
)

const misused = { input: 'INPUT', got: 'VALUE', expected: 'SOMETHING ELSE' }

/** What each constructor returns, with placeholders for values, and what else helps. */
const kinds: Record<keyof typeof problems, (Problem | string)[]> = {
  inputs: [
    problems.inputs([misused]),
    problems.inputs([misused, misused]),
    'If `INPUT` got “nothing”, the secret or variable does not exist, has another name, or belongs to an environment that the job does not name.',
  ],
  call: [
    rejected(401),
    'The key expired (by default after 90 days), was deleted, or is not an admin key.',

    rejected(403),
    'GitHub-hosted runners have no fixed addresses, so a key limited to IP addresses needs a self-hosted runner. For reports, the scope `read` is enough.',

    rejected(404),
    rejected(404, 'read'),
    rejected(429),
    'All workflows share the [limits](README.md#limits).',
    ...[rejected(400), rejected(413), rejected(400, 'message')],
    ...[rejected(400, 'read'), rejected(400, 'visitors'), rejected(418, 'read')],

    unreachable('connection'),
    unreachable('certificate'),
    unreachable('proxy'),
    'A proxy with a sign-in needs `http://user:password@host:port`.',
    ...broken('read'),
    ...broken('create'),
    ...broken('message'),
    'The outcome is `unconfirmed`: Mintlify may have received the request, so it is not sent again. To wait for a job that you find, set `job-id`.',

    call('read', { kind: 'unreadable', status: 200, problem: 'PROBLEM' }),
    call('read', { kind: 'redirected', status: 302, location: 'ADDRESS' }),
  ],
  tooLate: [problems.tooLate()],
  unsavedState: [problems.unsavedState()],
  gaveUp: (['unfinished-run', 'key-changed', 'no-result', 'unstarted-run'] as const).map((why) =>
    problems.gaveUp(why, project),
  ),
  reported: [problems.reported()],
  rejected: [
    ...(Object.keys(needs) as Need[]).map((need) => problems.rejected(need, forbidden, 'NAME')),
    problems.rejected('diff', { status: 404, message: 'MESSAGE' }),
  ],
  notAllowed: [problems.notAllowed('LOGIN', 'ROLE', false), problems.notAllowed('LOGIN', 'ROLE', true)],
  noPrompt: [problems.noPrompt('COMMAND'), problems.noPrompt('COMMAND', true)],
  skipped: [
    ...['the comment does not start with COMMAND', 'the comment was ACTION, not created'].flatMap(
      (reason) => [
        problems.skipped(reason),
        'Begin a new comment with the command. Edited comments, quotes and code blocks do not count.',
      ],
    ),
  ],
  secretsWithheld: [
    problems.secretsWithheld("GitHub withholds secrets from runs for a fork's pull request"),
    "On other forks' pull requests, comment the command.",
  ],
  ownChange: [problems.ownChange('LOGIN')],
  startUnknown: [problems.startUnknown()],
  openLimit: [problems.openLimit(1, [''])],
  outOfBounds: [
    problems.outOfBounds({ kind: 'outside', paths: ['', '', ''] }),
    ...(['unreadable', 'cut', 'unchecked'] as const).map((kind) => problems.outOfBounds({ kind, paths: [] })),
  ],
  untrustedEvent: [problems.untrustedEvent('pull_request_target')],
  noCommand: [problems.noCommand('EVENT')],
  secretInPrompt: [problems.secretInPrompt('API key'), problems.secretInPrompt('GitHub token')],
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
export const samples = Object.values(kinds)
  .flat()
  .filter((each) => typeof each !== 'string')

const elapsed = 720_000
const ended = (outcome: AgentResult['outcome'], status?: string) =>
  conclude({
    ...agentResult(outcome, null),
    jobId: 'JOB',
    job: parseJob({ id: 'JOB', status }) ?? null,
    elapsed,
  })
const results = [
  ended('timed-out', 'active'),
  'To wait again, re-run the workflow. Keep `timeout-minutes` above `timeout`.',
  ended('timed-out', 'completed'),
  'It must leave a follow-up three minutes to show new work.',
  ended('failed'),
  ended('no-changes'),
  'If something is missing, describe the change in the prompt.',
  ended('archived'),
  'Someone, or Mintlify, archived it. Its pull request, if any, is in `prLink`.',
  ended('cancelled'),
  'Someone cancelled the run, or a `concurrency` group with `cancel-in-progress` did.',
]

const thread = pullThread('REPOSITORY', 1)
const jobRef = { uses: './', actionUrl: '.', baseUrl: '', projectId: project, jobId: null }
const cutPrompt: Prompt = { text: '', included: [], leftOut: [{ path: '', why: '', byRule: false }] }
const start = { branch: 'BRANCH', commit: 'COMMIT', job: null, failed: null, commits: 1 }

const warnings: Item[] = [
  ...(Object.keys(acts) as GitHubAct[]).flatMap((act) => [
    say.rejected(act, thread, forbidden, ['NAME']),
    ...(act === 'react' ? ['For an issue, give the workflow `issues: write`.'] : []),
  ]),
  say.noRecord(false),
  say.noRecord(true),
  'The job may exist twice, so look for another one on the dashboard.',
  say.unchanged('completed', 180_000),
  say.noFiles(),
  say.filesCut(3000),
  say.unknownStatus('STATUS'),
  ...say.prompt(cutPrompt, null, project, '').filter(({ level }) => level === 'warning'),
  killedEnding(null, 'create', jobRef).entry,
  say.foreignPull(thread, 'LOGIN', 'AGENT-LOGIN'),
  "If LOGIN is the agent's account, set `agent-login` to it.",
  say.commentsCut('REPOSITORY'),
  say.sinceLast(start),
  info('Not all pages of DAYS were read: REASON. If requests ran out, raise `max-requests`.'),
  info(
    'Nothing is compared, because DAYS could not be read: REASON. If requests ran out, raise `max-requests`.',
  ),
  info('paths: GLOB matches no page. Check the globs in `paths`.'),
  info(
    'GitHub listed more comments, statuses or pull requests than this action reads. Older open jobs may be missing.',
  ),
  info(
    'This action always checks certificates. To trust your own authority, set NODE_EXTRA_CA_CERTS to its certificate.',
  ),
  info(
    'The result is complete, but could not be reported to GitHub. This is a bug in the action. Please report it.',
  ),
  info(
    'The saved state is not from this action: another step of the job set `STATE_reply`. Rename it there.',
  ),
  info(
    "This action needs Node.js 24 or newer. GitHub's runner provides it. A self-hosted runner needs version 2.327.1 or newer.",
  ),
]

const progress: Item[] = [
  ...(['create', 'message', 'read'] as const).map((origin) => say.job(origin, 'JOB', 'active')),
  say.status('active', 0),
  ...['completed', 'failed'].map((status) => say.status(status, elapsed)),
  ...say
    .prompt(cutPrompt, null, project, 'HOST')
    .flatMap((entry) => (entry.level === 'group' ? info(`${entry.title}.`) : [])),
  say.waiting(elapsed, 'active', 0),
  say.waiting(elapsed, null, 0),
  say.waiting(elapsed, 'completed', 0),
  say.retrying(3, 0),
  ...['STATUS', 'gone', 'rejected'].map((status) => say.jobOver('JOB', status)),
  say.waitingForEarlier(),
  say.earlierHasNoJob(),
  say.sinceLast({ ...start, job: 'JOB' }),
  say.noDiff('REASON'),
  say.holdIgnored(),
  say.tokensMasked(2),
]

/** The sections of the page, by their headings. */
const sections: [heading: string, items: readonly Item[]][] = [
  ['Results', results],
  ['Errors and skipped steps', [...Object.values(kinds).flat(), ...otherSkips]],
  ['Warnings', warnings],
  ['Lines that need no action', progress],
]

/** A message: its first sentence without the service's own message, what to do, and what else helps. */
function entryOf(item: Exclude<Item, string>, more: Item = '') {
  const said = 'text' in item ? item.text : `${item.what} ${item.next}`
  const text =
    said.replaceAll(formatDuration(elapsed), 'TIME').replace(startOver, '').split('\nTo wait')[0] ?? ''
  const [first = '', ...rest] = text.split(/(?<=\.)\s+/)
  const what = first
    .replace(/: “MESSAGE”| \(403: MESSAGE\)|: MESSAGE/g, '')
    .replace(/the status request(?! \(400)/, 'REQUEST')
    .replace(/(?<=REQUEST \()\d+/, 'STATUS')
  const next = rest.filter(
    (each) =>
      !/^(?:The step continues\.|Starting a|Trying|Reading the last)|the request is not sent again/.test(
        each,
      ),
  )
  return { what, next: next.join(' ').trim(), more: typeof more === 'string' ? more : '' }
}

/** The messages of a section. */
function entriesOf(items: readonly Item[]) {
  return items.flatMap((item, at) => (typeof item === 'string' ? [] : entryOf(item, items[at + 1])))
}

/** All messages on the page. */
export const entries = sections.flatMap(([, items]) => entriesOf(items))

/** The page. */
export function troubleshooting(): string {
  const parts = sections.map(([heading, items]) => `## ${heading}\n\n${shown(items).join('\n\n')}`)
  return `# Troubleshooting

Each heading is a message, without GitHub's or Mintlify's reason. Words in capitals stand for values: search for the words around them. Jobs are on the [Mintlify dashboard](https://app.mintlify.com). After you change a workflow file, start a new run, or comment again: a re-run uses the old file. If GitHub's reason is a rate limit or a 5xx error, re-run the workflow in an hour. A warning does not end the step.

${parts.join('\n\n')}
`
}

/** One section for messages with the same remedy. */
function shown(items: readonly Item[]): string[] {
  return [...Map.groupBy(entriesOf(items), ({ next, more }) => next || more)].map(([, group]) => {
    const [first = '', ...also] = group.map(({ what }) => what)
    const same = also.length > 0 && ['Also:', ...also.map((what) => `“${what}”`)].join('\\\n')
    const text = [...new Set([group[0]?.next, ...group.map(({ more }) => more)])].filter(Boolean).join(' ')
    return [`### ${first}`, same, text].filter(Boolean).join('\n\n')
  })
}
