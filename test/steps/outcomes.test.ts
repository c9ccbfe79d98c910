/** How a step ends: one row for an event, its inputs, and what is different from usual on GitHub or Mintlify. */
import { expect, it } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import type { GitHubFault, GitHubOptions } from '../../sandbox/github/server.ts'
import {
  dispatched,
  issue,
  issueComment,
  pullRequest,
  pushed,
  releasePublished,
  reviewComment,
  reviewSubmitted,
} from '../../sandbox/payloads.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { agent, createWorld, first, type Setting, second, siteOf, type Texts, week } from './world.ts'

const repository = 'acme/docs'
const manual = dispatched({ repository })
const comment = issueComment()
const bot = issueComment({ author: 'renovate[bot]' })
const push = pushed({ before: first, after: second, repository })
const rewritten = pushed({ before: commit({ message: 'Gone' }), after: second, repository })
const merge = commit({
  parents: [first, commit({ parents: [first], author: agent, files: { 'docs/a.md': 'a\n' } })],
})
const merged = {
  branches: { main: merge },
  pulls: [
    {
      number: 101,
      user: agent,
      head: { branch: 'docs', commit: merge.parents[1] ?? merge },
      merged: { commit: merge },
    },
  ],
}
const release = releasePublished({ repository, body: 'A fix.' })
const linked = reviewComment({}, { in_reply_to_id: 900 })

const rerunByRita = { GITHUB_RUN_ATTEMPT: '2', GITHUB_TRIGGERING_ACTOR: 'rita' }

const waits = { wait: 'true' }
const dry = { 'dry-run': 'true' }
const report = { mode: 'visitors', ...week }
const onIssue = { ...report, 'issue-number': '7' }

const platform = (platform: PlatformOptions): Setting => ({ platform: { visitors: siteOf(3), ...platform } })
const rejects = (status: number, on: 'create' | 'visitors' = 'create', headers: Texts = {}) =>
  platform({ faults: [{ on, status, headers, body: { error: 'Its own words' } }] })
const github = (github: GitHubOptions): Setting => ({ github })
const fails = (on: NonNullable<GitHubFault['on']>, status: number, after = 0) =>
  github({ faults: [{ on, status, after }] })
const renders = (body: string) => github({ faults: [{ on: 'markdown/render', kind: 'raw', body }] })
const lineComment = [
  { id: 2001, thread: { number: 7, reviewRoot: 2001 }, body: 'x', user: 'mona', review: 1001 },
]
const role = 'repos/get-collaborator-permission-level'

/** `ends`: whether the step is green, its outcome, the reactions, and `+` for each prompt that was sent. */
type Row = [
  ends: string,
  says: string,
  event: WorkflowEvent,
  inputs?: Texts,
  setting?: Setting & { env?: Texts },
]

/** How jobs end. test/bundle/agent.test.ts has more. */
const jobs: Row[] = [
  ['✅ pull-request +', 'acme/docs/pull/101', manual, waits],
  ['❌ failed +', 'gives no reason', manual, waits, platform({ ends: 'failed' })],
  ['✅ failed +', 'gives no reason', manual, { ...waits, 'fail-on': 'none' }, platform({ ends: 'failed' })],
  ['✅ archived +', 'was archived', manual, waits, platform({ ends: 'archived' })],
  ['❌ error', 'has no job `job_9999` in project', manual, { ...waits, 'job-id': 'job_9999', prompt: '' }],
  ['❌ error', 'Shorten the prompt', manual, {}, rejects(400)],
  ['❌ error', 'the scope `write`', manual, {}, rejects(403)],
  ['❌ error', 'has no project', manual, {}, rejects(404)],
  ['❌ unconfirmed +', 'The job may exist', manual, {}, rejects(500)],
  ['❌ error', 'Retry-After: 7200', manual, {}, rejects(429, 'create', { 'retry-after': '7200' })],
]

/** Inputs. test/core/inputs has the complete tables. */
const inputs: Row[] = [
  ['❌ error', '`prompt-file` got a file and a prompt', manual, { timeout: 'soon', 'prompt-file': 'x' }],
  ['❌ error', 'probably not a key', manual, { 'api-key': `mint_${'x'.repeat(20_000)}` }],
  ['✅ detached +', '`context-files` matches no file', manual, { 'context-files': 'docz/**' }],
  [
    '❌ error',
    '`https_proxy` got "…@not a url"',
    manual,
    {},
    { env: { https_proxy: 'user:secret@not a url' } },
  ],
  ['❌ error', '`prompt` got nothing', manual, { command: '/docs', prompt: '' }],
  ['❌ error', '`job-id` got "job_1"', manual, { ...report, prompt: 'x', 'job-id': 'job_1' }],
  ['❌ error', 'outside the workspace', manual, { ...report, 'report-dir': '../outside' }],
  ['✅ skipped', 'does not start with', issueComment({ body: 'Thanks!' }), { 'api-key': '' }],
  ['✅ skipped', 'bug', issue({ label: 'bug' }), { label: 'docs', 'api-key': '' }],
  [
    '✅ skipped',
    "a fork's pull request",
    pullRequest({ head: { repository: 'eve/docs' } }),
    { 'api-key': '' },
  ],
]

/** The gate. test/usecases/gate.test.ts and test/core/trigger have the complete tables. */
const gate: Row[] = [
  ['✅ detached eyes +', 'Created job', comment],
  ['✅ detached eyes +', 'Created job', linked, { 'context-diff': 'false' }],
  ['✅ detached eyes +', 'Created job', bot, { allowed: 'write, renovate[bot]' }],
  ['✅ detached +', 'Created job', manual, { command: '/docs' }],
  [
    '✅ skipped confused',
    '`rita` does not have the `write` role',
    issueComment({ author: 'rita', association: 'OWNER' }),
  ],
  ['✅ skipped confused', '`rita` does not have the `write` role', issueComment({ sender: 'rita' })],
  ['✅ skipped confused', '`rita` does not have the `write` role', comment, {}, { env: rerunByRita }],
  ['✅ skipped confused', '`allowed` does not list it', bot],
  ['✅ skipped', 'has no text after', issueComment({ body: '/docs' })],
  ['❌ error', "Could not check mona's role (500", comment, {}, fails(role, 500)],
  ['❌ error', '`issues: write`', comment, {}, github({ permissions: { issues: 'read' } })],
]

/** Changes and texts that cannot be read, or that start nothing. */
const changes: Row[] = [
  [
    '✅ skipped',
    'matches none of the changed files: package-lock.json',
    push,
    { 'context-paths': 'docs/**' },
  ],
  [
    '✅ skipped',
    `comes from \`${agent}\``,
    pushed({ before: first, after: merge, repository }),
    {},
    { repository: merged },
  ],
  ['❌ error', 'After a force push, the earlier commit may be gone', rewritten],
  ['❌ error', 'Give the workflow `contents: read`', push, {}, github({ permissions: { contents: 'none' } })],
  ['❌ error', 'failed (ECONNREFUSED)', push, {}, { env: { GITHUB_API_URL: 'http://127.0.0.1:9' } }],
  [
    '✅ detached +',
    'Give the workflow `pull-requests: read`',
    push,
    { 'context-diff': 'false' },
    github({ permissions: { contents: 'none', 'pull-requests': 'none', issues: 'read' } }),
  ],
  [
    '❌ error eyes confused',
    'did not render the text',
    comment,
    {},
    github({ permissions: { contents: 'none' } }),
  ],
  ['❌ error', 'did not render the text', release, {}, fails('markdown/render', 503)],
  ['❌ error eyes confused', '20 MiB', comment, {}, renders(' '.repeat(21 * 1024 * 1024))],
  [
    '❌ error',
    'did not render the text',
    reviewSubmitted(),
    { 'context-diff': 'false' },
    github({ comments: lineComment, faults: [{ on: 'markdown/render', after: 1, status: 503 }] }),
  ],
  [
    '❌ error',
    '`statuses: write`',
    manual,
    { mode: 'settle' },
    github({ permissions: { statuses: 'none' } }),
  ],
]

const checks: Row[] = [
  [
    '❌ dry-run',
    'Mintlify rejected the API key (401)',
    manual,
    { ...dry, 'api-key': 'mint_expired_0123456789' },
  ],
  ['❌ dry-run', 'the scope `read`', manual, dry, rejects(403, 'visitors')],
  ['❌ dry-run', 'Mintlify has no project', manual, { ...dry, mode: 'visitors' }, rejects(404, 'visitors')],
  [
    '❌ dry-run',
    'Mintlify rejected the request',
    manual,
    { ...dry, mode: 'settle' },
    rejects(400, 'visitors'),
  ],
  ['❌ dry-run', '`nowhere.md` does not exist.', manual, { ...dry, prompt: '', 'prompt-file': 'nowhere.md' }],
  ['❌ dry-run', "Could not check mona's role", comment, dry, fails(role, 403)],
]

const reports: Row[] = [
  ['❌ error', 'has no project `sandbox-docs`', manual, report, rejects(404, 'visitors')],
  ['❌ error', '`issues: write`', manual, onIssue, github({ permissions: { issues: 'read' } })],
  ['❌ error', '(410', manual, onIssue, fails('issues/create-comment', 410)],
]

it.each([...jobs, ...inputs, ...gate, ...changes, ...checks, ...reports])(
  'a step ends as %s, and its log or summary says “%s”',
  async (ends, says, event, given = {}, { env, ...setting } = {}) => {
    const { run, reactions, prompts, writes } = await createWorld({
      events: [event],
      ...platform({ readsUntilEnd: 0 }),
      ...setting,
    })
    const { outputs, exitCode, text, summary } = await run(
      event,
      { ...(given.mode === undefined && { wait: 'false' }), ...given },
      env,
    )
    const sends = prompts().map(() => '+')
    expect([exitCode === 0 ? '✅' : '❌', outputs.outcome, ...reactions(), ...sends].join(' ')).toBe(ends)
    expect(`${text}\n${summary}`).toContain(says)
    if (ends.endsWith('dry-run')) expect(writes()).toEqual([])
  },
)
