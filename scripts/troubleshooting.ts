/** TROUBLESHOOTING.md: the action's messages, with more about some of them. A search for a message's first sentence finds it. */
import type { Failure, UnreachableReason } from '../src/core/http.ts'
import { type AgentResult, agentResult } from '../src/core/outcome.ts'
import type { CallName, FileFault, Need, PathsProblem, Problem, SkipReason } from '../src/core/problems.ts'
import { listed } from '../src/core/text.ts'
import { pullThread } from '../src/core/thread.ts'
import { startOver } from '../src/say/calls.ts'
import { conclude } from '../src/say/conclusion.ts'
import { killedEnding } from '../src/say/ending.ts'
import { info, say } from '../src/say/messages.ts'
import { explain, placeOf } from '../src/say/problems.ts'
import { acts, type GitHubAct, minorActs, needs, reasons } from '../src/say/rejections.ts'

/** A message, or what else helps after the message before it. */
type Item = { text: string } | { what: string; next: string; place?: string } | string

const project = 'PROJECT'
const accounts = { recorder: 'LOGIN', own: 'OTHER' }
const forbidden = { kind: 'permission', status: 403, detail: 'MESSAGE' } as const
const gone = { kind: 'rejected', status: 404, detail: 'MESSAGE' } as const
function call(name: CallName, why: Failure): Problem {
  const jobId = name === 'read' || name === 'message' ? 'JOB' : null
  return { kind: 'call-failed', call: name, jobId, project, host: 'api.mintlify.com', why }
}
const rejected = (status: number, name: CallName = 'create') =>
  call(name, { kind: 'rejected', status, detail: 'MESSAGE' })
const calls: CallName[] = ['create', 'message', 'read', 'analytics']
const broken = (name: CallName) => [
  call(name, { kind: 'no-response', code: 'CODE' }),
  call(name, { kind: 'broken', status: 502, detail: 'MESSAGE' }),
]
const unreachable = (reason: UnreachableReason) =>
  call('create', { kind: 'unreachable', reason, code: 'CODE' })
const file = (reason: FileFault['reason'], input = 'prompt-file'): Problem => {
  return { kind: 'file', reason, input, path: 'PATH' }
}
const files = (reason: PathsProblem['reason'], ...paths: string[]): Problem => {
  return { kind: 'allowed-paths', reason, paths }
}
const skipped = (reason: SkipReason): Problem => ({ kind: 'skipped', reason })

/** Other reasons to skip a step, by what to do. */
const skips: Record<string, SkipReason[]> = {
  "On a fork's pull request, comment the command.": [
    { kind: 'fork', subject: 'label' },
    { kind: 'fork', subject: 'review' },
    { kind: 'fork', subject: 'pull-request' },
    { kind: 'fork', subject: 'upstream-run' },
  ],
  'Use an event [that starts the agent](docs/reference.md#events).': [
    { kind: 'other-event', event: 'EVENT' },
    { kind: 'other-comment', event: 'EVENT' },
  ],
}

const otherSkips = Object.entries(skips).flatMap(([next, reasons]) =>
  reasons.flatMap((reason) => [skipped(reason), next]),
)

const beginNew = 'Begin a new comment with the command. Edited comments, quotes and code blocks do not count.'

const misused = { input: 'INPUT', got: 'VALUE', expected: 'SOMETHING ELSE' }

/** Problems of each kind, with placeholders for values, and what else helps. */
const kinds: Record<Problem['kind'], (Problem | string)[]> = {
  inputs: [
    { kind: 'inputs', faults: [misused] },
    { kind: 'inputs', faults: [misused, misused] },
    'If `INPUT` got “nothing”, the secret or variable does not exist, has another name, or belongs to an environment that the job does not name.',
    ...['an assistant key (`mint_dsc_…`)', 'an index key (`mint_us_…`)'].map((got): Problem => {
      return { kind: 'inputs', faults: [{ input: 'api-key', got, expected: '' }] }
    }),
  ],
  'call-failed': [
    rejected(401),
    'The key expired (by default after 90 days), was deleted, or is not an admin key.',

    rejected(403),
    'GitHub-hosted runners have no fixed addresses, so a key limited to IP addresses needs a self-hosted runner. For reports, the scope `read` is enough.',

    rejected(404),
    rejected(404, 'read'),
    rejected(429),
    'All workflows share the [limits](README.md#limits).',
    ...[rejected(400), rejected(400, 'message')],
    ...[rejected(400, 'read'), rejected(400, 'analytics')],
    ...calls.map((name) => rejected(418, name)),

    unreachable('connection'),
    unreachable('certificate'),
    unreachable('proxy'),
    'A proxy with a sign-in needs `http://user:password@host:port`.',
    ...broken('read'),
    ...broken('analytics'),
    ...broken('create'),
    ...broken('message'),
    '`unconfirmed` means that Mintlify may have received the request, so it is not resent. To wait for a job that you find, set `job-id`.',

    call('read', { kind: 'unreadable', status: 200, reason: 'not-json', code: '' }),
    call('read', { kind: 'redirected', status: 302, location: 'ADDRESS' }),
  ],
  'too-late': [{ kind: 'too-late' }],
  'unsaved-state': [{ kind: 'unsaved-state' }],
  'gave-up': [
    ...(['unfinished-run', 'key-changed', 'newer-version', 'no-result', 'unstarted-run'] as const).map(
      (why) => ({ kind: 'gave-up', why, project, accounts: null }) as const,
    ),
    ...(['other-account', 'other-last-job'] as const).map((why) => {
      return { kind: 'gave-up', why, project, accounts } as const
    }),
  ],
  reported: [{ kind: 'reported' }],
  'github-failed': [
    ...(Object.keys(needs) as Need[]).flatMap((need): (Problem | string)[] => [
      { kind: 'github-failed', need, failure: forbidden, name: 'NAME' },
      `Or see [GitHub's reasons](#githubs-reasons).${need === 'open-jobs' ? ' Then, the next run reports the results.' : ''}`,
    ]),
    { kind: 'github-failed', need: 'diff', failure: gone },
  ],
  denied: [
    { kind: 'denied', login: 'LOGIN', role: 'ROLE', isBot: false, isListed: true },
    { kind: 'denied', login: 'LOGIN', role: 'ROLE', isBot: true, isListed: false },
  ],
  'no-prompt': [{ kind: 'no-prompt', command: 'COMMAND' }],
  skipped: [
    skipped({ kind: 'other-text', subject: 'comment', command: 'COMMAND' }),
    beginNew,
    skipped({ kind: 'other-action', subject: 'comment', action: 'ACTION', expected: 'created' }),
    beginNew,
  ],
  'secrets-withheld': [
    { kind: 'secrets-withheld', why: 'fork' },
    "On forks' pull requests, comment the command.",
  ],
  'own-change': [{ kind: 'own-change', login: 'LOGIN' }],
  'start-unknown': [{ kind: 'start-unknown' }],
  'open-limit': [{ kind: 'open-limit', limit: 1, links: [''] }],
  'allowed-paths': [files('outside', '', '', ''), files('unreadable'), files('cut'), files('unchecked')],
  'untrusted-event': [{ kind: 'untrusted-event', event: 'pull_request_target' }],
  'no-command': [{ kind: 'no-command', event: 'EVENT' }],
  'secret-in-prompt': [
    { kind: 'secret-in-prompt', secret: 'api-key' },
    { kind: 'secret-in-prompt', secret: 'github-token' },
  ],
  file: [
    ...(['outside', 'not-a-file', 'not-text', 'empty', 'too-large', 'unreadable', 'missing'] as const).map(
      (reason) => file(reason),
    ),
    ...(['outside', 'unreadable', 'too-many'] as const).map((reason) => file(reason, 'context-files')),
    ...(['outside', 'unwritable'] as const).map((reason) => file(reason, 'report-dir')),
    'Paths are relative to the workspace. Links and `..` must not lead out of it.',
  ],
  'thin-payload': [{ kind: 'thin-payload', event: 'EVENT', field: 'FIELD' }],
  defect: [{ kind: 'defect', stack: '' }],
}

/** All samples of problems. */
export const samples = Object.values(kinds)
  .flat()
  .filter((each) => typeof each !== 'string')

function ended(outcome: AgentResult['outcome']) {
  const { what, next } = conclude(agentResult(outcome, null, { delivery: 'sent' }))
  return { what, next, place: outcome }
}
const results = [
  ended('timed-out'),
  'To wait again, re-run the workflow. Keep `timeout-minutes` above `timeout`. A follow-up needs three minutes to show new work.',
  ended('failed'),
  // A job that mode settle reports.
  { ...ended('failed'), place: 'settled' },
  ended('no-changes'),
  'If something is missing, describe the change in the prompt.',
  ended('archived'),
  'Someone, or Mintlify, archived it. Its pull request, if any, is in `prLink`.',
  {
    what: 'Fewer human visitors.',
    next: 'The drop reached `alert-drop`. The report shows which pages lost them.',
    place: 'alert',
  },
  ended('cancelled'),
  "Someone cancelled the run, or a `concurrency` group with `cancel-in-progress` did. At the workflow's level, the action's own reply can do so: put `concurrency` on the job, after its `if`.",
]

/** Messages of GitHub, about a run that it does not start. */
const blocked = ["Event 'EVENT'", 'Actor'].map((what) => {
  const next = 'A workflow policy blocks the run. Ask an organization administrator to allow it.'
  return { what: `${what} is not allowed to trigger Actions workflows.`, next }
})

const thread = pullThread({ repository: 'REPOSITORY', repositoryId: '' }, 1)

const warnings: Item[] = [
  // The others are only in the log, because the result or the report shows the same.
  ...(Object.keys(acts) as GitHubAct[])
    .filter((act) => !minorActs.includes(act))
    .flatMap((act) => [
      say.githubFailed(act, thread, forbidden, ['NAME']),
      ...(act === 'react' ? ['For an issue, give the workflow `issues: write`.'] : []),
    ]),
  say.noRecord(false),
  say.noFiles(),
  say.otherRecords('PROJECT'),
  ...killedEnding(true, project, null).entries,
  say.foreignPull(thread, 'LOGIN', 'AGENT-LOGIN'),
  "If LOGIN is the agent's account, set `agent-login` to it.",
  info('Not all pages of DAYS were read: REASON. If requests ran out, raise `max-requests`.'),
  info(
    'Nothing is compared, because DAYS could not be read: REASON. If requests ran out, raise `max-requests`.',
  ),
  info(
    'This action always checks certificates. To trust your own authority, set NODE_EXTRA_CA_CERTS to its certificate.',
  ),
  info(
    'The result is complete, but could not be reported to GitHub. This is a bug in the action. Please report it.',
  ),
  info(
    'The saved state is not from this action: another step of the job set `STATE_checkpoint`. Rename it there.',
  ),
  info(
    "This action needs Node.js 24 or newer. GitHub's runner provides it. A self-hosted runner needs version 2.327.1 or newer.",
  ),
]

/** Reasons that the action recognizes in another way than by a part of GitHub's message. */
const otherReasons = [
  '- “Resource not accessible by integration”, or “by personal access token” (403): Give the workflow, or the token, the permissions that the message names.',
  '- “rate limit” (403 or 429): Wait until it resets. A GitHub App has a limit of its own.',
]

/** What GitHub says, and what to do. */
const reasonLines = reasons.map(([words, remedy, ...statuses]) => {
  return `- “${words}” (${listed(statuses.map(String))}): ${remedy}`
})

/** Problems that never fail a step. */
export const harmless: Problem['kind'][] = [
  'skipped',
  'denied',
  'no-prompt',
  'own-change',
  'secrets-withheld',
]

function explained(each: Problem | string): Item {
  if (typeof each === 'string') return each
  const { what, next } = explain(each)
  return {
    what,
    next,
    place: harmless.includes(each.kind) ? '' : placeOf('error', each),
  }
}

/** The sections of the page, by their headings. */
const sections: [heading: string, items: readonly Item[]][] = [
  ['Results', results],
  [
    'Errors and skipped steps',
    [...[...Object.values(kinds).flat(), ...otherSkips].map(explained), ...blocked],
  ],
  ['Warnings', warnings],
]

/** A message: its first sentence without the service's own message, what to do, and what else helps. */
function entryOf(item: Exclude<Item, string>, more: Item = '') {
  const said = 'text' in item ? item.text : `${item.what} ${item.next}`
  const text = said.replace(startOver, '')
  const [first = '', ...rest] = text.split(/(?<=\.)\s+/)
  const what = first
    .replace(/: “MESSAGE”| \(403: MESSAGE\)|: MESSAGE/g, '')
    .replace(/the (?:status|analytics) request(?! \(400)/, 'REQUEST')
    .replace(/(?<=REQUEST(?: for an unknown reason)? \()\d+/, 'STATUS')
    .replace('its body is not JSON', 'PROBLEM')
  const next = rest.filter(
    (each) =>
      !/^(?:Starting a|Trying|Reading the last|To wait for the job)|the request is not sent again/.test(each),
  )
  const place = ('place' in item && item.place) || ''
  return { what, next: next.join(' ').trim(), more: typeof more === 'string' ? more : '', place }
}

/** The messages of a section. */
function entriesOf(items: readonly Item[]) {
  return items.flatMap((item, at) => (typeof item === 'string' ? [] : entryOf(item, items[at + 1])))
}

/** All messages on the page. */
export const entries = sections.flatMap(([, items]) => entriesOf(items))

/** The page. */
export function troubleshooting(): string {
  const parts = sections.map(([heading, items]) => `## ${heading}\n\n${groupTexts(items).join('\n\n')}`)
  return `# Troubleshooting

Each heading or quote is a message, without GitHub's or Mintlify's reason. Words in capitals stand for values: search for the words around them. After you change a workflow file, start a new run, or comment again: a re-run uses the old file. A warning does not end the step. Other “Skipped” messages are normal.

${parts.join('\n\n')}

## GitHub's reasons

${[...otherReasons, ...reasonLines].join('\n')}
`
}

/** One section for messages with the same remedy. */
function groupTexts(items: readonly Item[]): string[] {
  return [...Map.groupBy(entriesOf(items), ({ next, more }) => next || more)].map(([, group]) => {
    const anchors = new Map(group.toReversed().map(({ place, what }) => [place, what]))
    const named = (what: string) =>
      what + [...anchors].map(([place, at]) => (at === what ? anchor(place) : '')).join('')
    const [first = '', ...also] = new Set(group.map(({ what }) => what))
    const same = also.length > 0 && also.map((what) => `“${named(what)}”`).join('\\\n')
    const text = [...new Set([group[0]?.next, ...group.map(({ more }) => more)])].filter(Boolean).join(' ')
    return [`### ${named(first)}`, same, text].filter(Boolean).join('\n\n')
  })
}

/** A target of links from the log (GitHub's docs, "Custom anchors"). */
function anchor(place: string): string {
  return place && `<a name="${place}"></a>`
}
