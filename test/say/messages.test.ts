/** Every text that people see in modes agent and settle, in full, to read from top to bottom. */
import { expect, it } from 'vitest'
import { samples } from '../../scripts/troubleshooting.ts'
import type { CodePull } from '../../src/core/hold.ts'
import type { GitHubFailure } from '../../src/core/http.ts'
import type { LogEntry } from '../../src/core/log.ts'
import {
  type AgentResult,
  isJobEnd,
  type OpenPull,
  type SettledJob,
  type SettleResult,
} from '../../src/core/outcome.ts'
import type { PathsProblem, Problem } from '../../src/core/problems.ts'
import { fenced } from '../../src/core/text.ts'
import { dayMs } from '../../src/core/units.ts'
import { agentEnding, dryRunEnding, killedEnding } from '../../src/say/ending.ts'
import { say } from '../../src/say/messages.ts'
import { needs, reasons } from '../../src/say/rejections.ts'
import { settleEnding } from '../../src/say/settle.ts'
import { agentOutcomes, aJob, broken, noResponse, rejected, unreachable } from '../core/samples.ts'
import { anOrigin, aResult, asked, platform, someChanges, wordsOf } from './samples.ts'

const serverUrl = 'https://github.com'
const link = 'https://github.com/acme/docs/pull/7'
const failOn = new Set(['failed', 'timed-out'] as const)
const words = wordsOf()
const { thread } = asked
const pull = { ...thread, repository: 'acme/docs', repositoryId: '2', isPullRequest: true }
const change = {
  repository: 'acme/app',
  repositoryId: '1',
  head: '4f2c9a1b8d4f2c9a1b8d',
  number: 12,
  author: 'mona',
}
const done = aJob({ status: 'completed', link, creationTime: '2026-11-21T14:05:09Z' })
const jobless = { jobId: null, job: null, prompt: null, elapsed: 1_200, delivery: 'not-sent' } as const
const changes = someChanges()
const code: CodePull = {
  repository: 'acme/app',
  repositoryId: '1',
  number: 12,
  head: 'a1b2c3d4e5',
  hold: 'merge',
}

const forbidden = {
  kind: 'permission',
  status: 403,
  detail: 'Resource not accessible by integration',
} as const
const limited: GitHubFailure = { kind: 'rate-limit', status: 403, detail: 'API rate limit exceeded' }
const outOfBounds = (reason: PathsProblem['reason'], ...paths: string[]): PathsProblem => {
  return { kind: 'allowed-paths', reason, paths }
}

const results: Record<string, Partial<AgentResult>> = {
  'A pull request': { job: done, changes },
  'Out of bounds': {
    outcome: 'out-of-bounds',
    job: done,
    problem: outOfBounds('outside', 'package.json', 'src/a.ts'),
    changes,
  },
  'Not checked': {
    outcome: 'error',
    job: done,
    problem: outOfBounds('unreadable'),
  },
  'No pull request': { outcome: 'no-changes', job: aJob({ status: 'completed' }) },
  'Archived, with a pull request': {
    outcome: 'archived',
    job: aJob({ status: 'archived', link, archiveTime: '2026-11-21T14:05:09Z' }),
  },
  Failed: { outcome: 'failed', job: aJob({ status: 'failed' }) },
  'Timed out': { outcome: 'timed-out', prompt: null },
  'Timed out while polls failed': { outcome: 'timed-out', problem: platform('read', broken(503)) },
  'Timed out after a follow-up': { outcome: 'timed-out', job: done },
  'Not waited for': { outcome: 'detached', elapsed: 900 },
  'Cancelled with a job': { outcome: 'cancelled' },
  'Cancelled before a job': {
    outcome: 'cancelled',
    ...jobless,
    problem: platform('create', { ...unreachable('connection'), code: 'CANCELLED' } as typeof noResponse),
  },
  'Cancelled before a follow-up': { outcome: 'cancelled', delivery: 'not-sent' },
  'Cancelled during the request': {
    outcome: 'cancelled',
    ...jobless,
    delivery: 'uncertain',
    problem: platform('create', noResponse),
  },
  'Unconfirmed follow-up': { outcome: 'unconfirmed', problem: platform('message', noResponse) },
  'A re-run whose result was reported': {
    job: done,
    problem: { kind: 'reported' },
    prompt: null,
    elapsed: null,
  },
  'A job that is gone': { outcome: 'error', job: null, problem: platform('read', rejected(404)) },
  'An error while the job continues': {
    outcome: 'error',
    problem: platform('read', rejected(401)),
  },
  'Two invalid inputs': {
    outcome: 'error',
    ...jobless,
    problem: {
      kind: 'inputs',
      faults: [
        { input: 'timeout', got: '"soon"', expected: 'a duration such as 90s' },
        { input: 'api-key', got: 'nothing', expected: 'an admin key' },
      ],
    },
  },
  'A bug': {
    outcome: 'error',
    ...jobless,
    delivery: 'uncertain',
    problem: { kind: 'defect', stack: 'TypeError: x is not a function\n    at main' },
  },
}

const prompt = {
  text: 'Fix it',
  included: ['a.md'],
  leftOut: [
    { path: 'b.md', why: 'over the context limit of 256 KiB' },
    { path: 'yarn.lock', why: 'lock file', byRule: true },
  ],
}
const missing: GitHubFailure = { kind: 'rejected', status: 404, detail: 'Not Found' }
const accounts = { recorder: 'acme-app[bot]', own: 'github-actions[bot]' }
const start = { branch: 'main', commit: '4f2c9a1b8d', job: 'job_1', commits: 12 }

/** Every message of the log, in all of its forms. */
const messages: { [Name in keyof typeof say]: Readonly<Parameters<(typeof say)[Name]>>[] } = {
  prompt: [
    [prompt, 'job_1'],
    [prompt, null],
  ],
  tokensMasked: [[2]],
  noFiles: [[]],
  job: [
    ['create', 'job_1'],
    ['message', 'job_1'],
    ['read', 'job_1'],
  ],
  status: [['active']],
  unknownStatus: [['thinking']],
  waiting: [[60_000, 'active']],
  failing: [
    [platform('read', broken(503)), 2_000],
    [platform('create', unreachable('connection')), 60_000],
  ],
  limited: [[200_000]],
  page: [['502 Bad Gateway']],
  unchanged: [['completed', 180_000]],
  githubFailed: [
    ...(
      [
        ...(['react', 'reply', 'read', 'delete', 'hide', 'label', 'review'] as const),
        ...(['record-hold', 'hold', 'guard', 'link'] as const),
      ] as const
    ).map((act) => [act, thread, forbidden, ['docs', 'ai']] as const),
    ['record', pull, limited],
    ['begin', pull, forbidden],
    ['status', 'commit 4f2c9a1', forbidden],
    ['pulls', 'acme/docs', { ...forbidden, status: 200 }],
    ['files', link, missing],
    ['read', thread, { kind: 'too-long' }],
    ...reasons.map(([detail, , status = 0]) => {
      return ['reply', thread, { kind: 'rejected', status, detail }] as const
    }),
    ['reply', thread, { kind: 'rejected', status: 403, detail: 'No' }],
  ],
  notOnDefault: [[pull, 13]],
  holdIgnored: [[]],
  foreignPull: [
    [pull, 'mona', 'mintlify[bot]'],
    [pull, null, 'mintlify[bot]'],
  ],
  filesCut: [[1]],
  sinceLast: [[start], [{ ...start, job: null, commits: 1 }]],
  noDiff: [['a tag does not change files']],
  jobOver: [['job_1']],
  waitingForEarlier: [[]],
  otherRecords: [['acme-docs']],
  otherAccount: [[pull, accounts]],
  noRecord: [[false], [true]],
}

const write = (name: string, form: readonly unknown[]) =>
  (say[name as keyof typeof say] as (...form: unknown[]) => LogEntry | LogEntry[])(...form)

const after = (more: Partial<SettledJob>): SettledJob => ({
  job: 'job_1',
  since: Date.UTC(2026, 10, 2, 10, 5),
  link: thread,
  state: 'settled',
  result: null,
  accounts: null,
  ...more,
})
const ended = (outcome: AgentResult['outcome'], problem: Problem | null = null) =>
  aResult({ outcome, problem, job: null })
const opened = (days: number, hold: OpenPull['hold']): OpenPull => {
  return { link, openedAt: '', age: days * dayMs, hold: hold && { ...hold, state: 'held' }, isOwn: true }
}
const settled: SettleResult = {
  outcome: 'settled',
  jobs: [
    after({ result: aResult({ job: done }) }),
    after({ result: ended('failed'), link: pull }),
    after({ result: ended('out-of-bounds'), link: { repository: 'acme/app', commit: change.head } }),
    after({ result: ended('error', platform('read', rejected(404))) }),
    after({ result: ended('error', { kind: 'gave-up', why: 'no-result', project: 'docs', accounts: null }) }),
    after({ result: aResult({ outcome: 'error', job: done, problem: outOfBounds('unchecked') }) }),
    after({ state: 'unreported', result: ended('no-changes') }),
    after({ state: 'pending', job: null }),
    after({ state: 'left' }),
    after({ state: 'postponed' }),
    after({ state: 'pending', accounts }),
  ],
  pulls: [opened(9, null), opened(3, null), opened(1, { ...code, hold: 'release' }), opened(0.5, code)],
  isCut: true,
  problem: null,
}
const settles: Record<string, SettleResult> = {
  'Some jobs': settled,
  'A cancel': { ...settled, outcome: 'cancelled', jobs: [], pulls: [], isCut: false },
  'A rejection': {
    ...settled,
    outcome: 'error',
    jobs: [],
    problem: { kind: 'github-failed', need: 'open-jobs', failure: forbidden },
  },
}

const markdown = (text: string) => fenced(text.trim(), 'markdown')
/** Entries as the log shows them. Only groups show their titles; the titles of others are on the run's page. */
function logged(entries: readonly LogEntry[]): string {
  const lines = entries.map((entry) => {
    if (entry.level === 'info') return entry.text
    return entry.level === 'group'
      ? `▸ ${entry.title}\n${entry.text}`
      : `${entry.level} (${entry.title}): ${entry.text}`
  })
  return fenced(lines.join('\n'), 'text')
}
const listed = (texts: Record<string, string>) =>
  Object.entries(texts).flatMap(([name, text]) => [`## ${name}`, markdown(text)])

const denied = { kind: 'denied', role: 'write', isListed: false } as const
const comments: Record<string, string> = {
  ...Object.fromEntries(
    (['own', 'thread', 'replaced', 'unclear'] as const).map((choice) => [
      `Working: ${choice}`,
      words.working(choice),
    ]),
  ),
  Help: words.help({ role: 'write', bots: ['renovate[bot]'] }),
  'Denied: a person': words.denied({ ...denied, login: 'eve', isBot: false }),
  'Denied: a bot': words.denied({ ...denied, login: 'some[bot]', isBot: true }),
  'Killed, with a job': words.killed('job'),
  'Killed, perhaps with a job': words.killed('open'),
  'Killed before anything was sent': words.killed('not-sent'),
  "On the agent's pull request, after a command": words.provenance(aResult(), anOrigin({ thread }), '1'),
  "On the agent's pull request, after a push": words.provenance(
    aResult({ changes }),
    anOrigin({ change: { ...change, number: null, author: null } }),
    '1',
  ),
  "On the agent's pull request in another repository, with a hold": words.provenance(
    aResult(),
    anOrigin({ change, code }),
    '2',
  ),
  "On the code's pull request": words.documentation(link, changes, code),
  "On the code's pull request, for a release": words.documentation(link, null, {
    ...code,
    hold: 'release',
  }),
  'At the lift': words.released(code, link, false),
  'At the lift, if the code changed': words.released({ ...code, hold: 'release' }, link, true),
  'At the lift, if the code changed in another repository': words.released(
    { ...code, repository: 'acme/api', repositoryId: '3' },
    link,
    true,
  ),
  'After the code was closed': words.abandoned(code),
  'Statuses of allowed-paths': [
    undefined,
    outOfBounds('outside', 'a'),
    outOfBounds('outside', 'a', 'b'),
    outOfBounds('cut'),
  ]
    .map(words.guard)
    .join('\n'),
  'Statuses of a hold': (['held', 'lifted', 'closed'] as const)
    .flatMap((state) => [words.hold(code, state), words.hold({ ...code, hold: 'release' }, state)])
    .join('\n'),
  'A result for a review': words.result(
    aResult({ outcome: 'failed' }),
    { ...asked, request: 'review:5', thread: pull },
    null,
  ),
  'A result for a label': wordsOf({ command: null, label: 'docs' }).result(
    aResult({ outcome: 'error', ...jobless, problem: platform('create', rejected(401)) }),
    { ...asked, request: 'label:1' },
    null,
  ),
}

it('the snapshot has a result for each outcome that ends a job', () => {
  const shown = new Set(Object.values(results).map((more) => aResult(more).outcome))
  expect(agentOutcomes.filter((outcome) => isJobEnd(outcome) && !shown.has(outcome))).toEqual([])
})

it('the texts match the snapshot, and lines of the log have at most 100 characters', async () => {
  const parts = [
    '# Comments before and beside the result',
    ...listed(comments),
    `Commit status while the job is running: ${words.status(null)}`,
    '# Results',
    ...Object.entries(results).flatMap(([name, more]) => {
      const result = aResult(more)
      const { entries, summary } = agentEnding(result, failOn)
      return [
        `## ${name}`,
        markdown(words.result(result, asked, code)),
        `Commit status: ${words.status(result)}`,
        markdown(summary),
        logged(entries),
      ]
    }),
    '# What a reply says about each problem',
    ...samples.map((problem) => {
      const result = aResult({ outcome: 'error', ...jobless, problem })
      return markdown(words.result(result, { ...asked, by: null }, null))
    }),
    '# The log while the step runs',
    ...Object.entries(messages).flatMap(([name, forms]) =>
      forms.map((form) => logged([write(name, form)].flat())),
    ),
    '# What remains of a killed step, and dry runs',
    ...[
      killedEnding(false, 'docs', null),
      killedEnding(true, 'docs', null),
      killedEnding(false, 'docs', 'job_1'),
      killedEnding(true, 'docs', 'job_1'),
      dryRunEnding(null, null, { names: [], hasRead: false }),
      dryRunEnding(null, null, { names: needs.thread[1], hasRead: true }),
      dryRunEnding(
        platform('analytics', rejected(401)),
        { kind: 'too-late' },
        { names: needs.report[1], hasRead: false },
      ),
    ].flatMap(({ entries, summary }) => [logged(entries), markdown(summary)]),
    '# Mode settle',
    ...Object.entries(settles).flatMap(([name, result]) => {
      const { entries, summary } = settleEnding(result, failOn, serverUrl)
      return [`## ${name}`, logged(entries), markdown(summary)]
    }),
  ]
  const long = parts.join('\n\n').matchAll(/^```text\n([\s\S]*?)^```/gm)
  const lines = [...long].flatMap(([, text = '']) => text.split('\n'))
  // Neither GitHub's own messages nor links can be shortened.
  const isLong = (line: string) => line.length > 100 && !/\(\d+: .*\)|https:/.test(line)
  expect(lines.filter((line) => isLong(line.replace(/^\w+ \(.*?\): /, '')))).toEqual([])
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('__snapshots__/messages.md')
})

it('settle lists at most a hundred pull requests, and how many more there are', () => {
  const [pull] = settled.pulls
  const pulls = Array.from({ length: 102 }, () => pull).filter((each) => each !== undefined)
  const { summary } = settleEnding({ ...settled, jobs: [], pulls }, failOn, serverUrl)
  expect(summary.match(/ waits for /g)).toHaveLength(100)
  expect(summary).toContain('\n- and 2 more')
})
