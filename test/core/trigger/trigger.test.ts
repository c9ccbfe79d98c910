import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  issue,
  issueComment,
  pullRequest,
  reviewComment,
  reviewSubmitted,
} from '../../../sandbox/payloads.ts'
import { problems } from '../../../src/core/problems.ts'
import { readTrigger } from '../../../src/core/trigger/trigger.ts'

const rules = { command: '/docs', label: null, agentLogin: 'mintlify[bot]' }
const read = (body: string) => readTrigger(issueComment({ body }), rules)
const notForUs = (reason: string) => ({ kind: 'skip', problem: problems.skipped(reason) })

describe('the command', () => {
  it.each([
    ['/docs fix it', ' fix it'],
    ['/docs\nfix it\nand that', '\nfix it\nand that'],
    ['/docs\tfix it', '\tfix it'],
    ['/docs', ''],
    ['/docs   ', ''],
    ['/docs /docs', ' /docs'],
    ['/Docs fix it', ' fix it'],
    ...[':', ',', '.', '!', '?', '!!'].map((sign): [string, string] => [`/docs${sign} fix it`, ' fix it']),
    ['/docs?', ''],
    ['/docs, help', ' help'],
    ['   /docs fix it', ' fix it'],
    ['\n \r\n/docs fix it', ' fix it'],
  ])('a command is recognized in %j', (body, instruction) => {
    expect(read(body)).toMatchObject({ kind: 'command', request: { instruction } })
  })

  it.each([
    ['> /docs fix it', 'a quote'],
    ['```\n/docs fix it\n```', 'a code block'],
    ['    /docs fix it', 'an indented code block'],
    ['`/docs` is the command', 'inline code'],
    ['/docs-old fix it', 'another command'],
    ['/docsfix it', 'a longer word'],
    ['please /docs fix it', 'a word before it'],
    ['/docs:fix it', 'a longer word'],
    ['/docs.example.com is down', 'a URL'],
    ['/docs; fix it', 'other punctuation'],
    ['\n    /docs fix it', 'an indented code block after an empty line'],
    ['<!-- x -->/docs fix it', 'a hidden comment before it'],
    ['\u200b/docs fix it', 'an invisible character before it'],
    ['', 'nothing'],
  ])('a command is not recognized in %j: %s', (body) => {
    expect(read(body)).toEqual(notForUs('the comment does not start with /docs'))
  })

  it.each(['edited', 'deleted'] as const)('a command is ignored in a comment that was %s', (action) => {
    expect(readTrigger(issueComment({ action }), rules)).toEqual(
      notForUs(`the comment was ${action}, not created`),
    )
  })

  it('a command is never read from an undocumented payload', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom('issue_comment', 'pull_request_review_comment', 'pull_request_review'),
        (payload, name) => {
          expect(readTrigger({ name, actor: 'x', payload }, rules)).toMatchObject({ kind: 'error' })
        },
      ),
    )
  })

  it("a command in a review comment is read with the comment's line and the thread's first comment", () => {
    expect(readTrigger(reviewComment({ id: 5 }, { in_reply_to_id: 3 }), rules)).toMatchObject({
      thread: { reviewRoot: 3, isPullRequest: true },
      request: { location: { path: 'docs/install.md', line: 12 } },
    })
    const first = reviewComment({ id: 5 })
    expect(readTrigger(first, rules)).toMatchObject({ thread: { reviewRoot: 5 } })
    // GitHub can send null for a field that it documents as optional.
    const { comment } = first.payload as { comment: object }
    Object.assign(comment, { in_reply_to_id: null })
    expect(readTrigger(first, rules)).toMatchObject({ thread: { reviewRoot: 5 } })
  })

  it("a command in a review's text counts as a request by the author and the sender", () => {
    expect(readTrigger(reviewSubmitted({ id: 5, sender: 'rita', head: 'abc' }), rules)).toMatchObject({
      kind: 'command',
      thread: { number: 7, isPullRequest: true, reviewRoot: null },
      requesters: [{ login: 'mona' }, { login: 'rita' }],
      openedBy: 'mona',
      request: {
        kind: 'review',
        review: 5,
        instruction: ' fix the install page',
        submittedAt: Date.UTC(2026, 10, 2, 10),
        writtenAt: 'abc',
        subject: { title: 'Install globally', body: 'The command is global now.' },
      },
    })
  })

  it.each([
    ["is on a fork's pull request", { fork: 'eve/docs' }, "reviews on a fork's pull request start nothing"],
    ['was edited', { action: 'edited' }, 'the review was edited, not submitted'],
    ['has no text', { body: null }, 'the review does not start with /docs'],
    ['has no author', { author: null }, "the review's author is gone"],
  ] as const)('a review that %s starts nothing', (_, options, why) => {
    expect(readTrigger(reviewSubmitted(options), rules)).toEqual(notForUs(why))
  })
})

describe('an event', () => {
  const event = (name: string, payload: unknown = {}) => ({ name, actor: 'mona', payload })

  it('repository_dispatch runs the prompt', () => {
    expect(readTrigger(event('repository_dispatch'), rules)).toEqual({ kind: 'none', branch: null })
  })

  const repository = { id: 1, full_name: 'acme/docs', default_branch: 'trunk' }
  it.each([
    ['schedule', { schedule: '0 6 * * 1', repository }, { name: 'trunk', isDefault: true }],
    ['schedule', {}, { name: 'the default branch', isDefault: true }],
    ['workflow_dispatch', { ref: 'refs/heads/trunk', repository }, { name: 'trunk', isDefault: true }],
    ['workflow_dispatch', { ref: 'refs/heads/topic', repository }, { name: 'topic', isDefault: false }],
    ['workflow_dispatch', { ref: 'refs/tags/trunk', repository }, { name: 'trunk', isDefault: false }],
    ['workflow_dispatch', { ref: 'refs/heads/topic' }, { name: 'topic', isDefault: false }],
  ])('the event %s with %j names its branch', (name, payload, branch) => {
    expect(readTrigger(event(name, payload), rules)).toEqual({ kind: 'none', branch })
  })

  it.each(['commit_comment', 'discussion_comment'])('the event %s never contains a command', (name) => {
    expect(readTrigger(event(name), rules)).toEqual(notForUs(`commands are not read from ${name}`))
  })

  it.each([
    ...['issue_comment', 'pull_request_review_comment', 'pull_request_review'],
    ...['commit_comment', 'discussion_comment'],
  ])('the event %s is rejected without the input `command`', (name) => {
    expect(readTrigger(event(name), { ...rules, command: null })).toMatchObject({
      kind: 'error',
      problem: { id: 'event-rejected' },
    })
  })

  it('pull_request_target is rejected', () => {
    expect(readTrigger({ ...pullRequest({}), name: 'pull_request_target' }, rules)).toMatchObject({
      kind: 'error',
      problem: { id: 'event-rejected' },
    })
  })

  it.each(['issues', 'discussion', 'fork', 'star', 'create', 'delete', 'status', 'constructor', ''])(
    'the event %j starts nothing',
    (name) => {
      expect(readTrigger(event(name), rules)).toMatchObject({ kind: 'skip' })
    },
  )

  it('a release provides its name, tag and notes', () => {
    const release = { tag_name: 'v2', name: null, body: 'Breaks things' }
    expect(readTrigger(event('release', { action: 'published', release }), rules)).toEqual({
      kind: 'release',
      release: { tag: 'v2', name: '', notes: 'Breaks things' },
    })
  })
})

it.each(['created', 'edited', 'deleted', 'unpublished', 'prereleased', 'released'])(
  'a release that was %s starts nothing',
  (action) => {
    const payload = { action, release: { tag_name: 'v2', name: null, body: '' } }
    expect(readTrigger({ name: 'release', actor: 'mona', payload }, rules)).toEqual(
      notForUs(`the release was ${action}, not published`),
    )
  },
)

it.each([
  ['is from a fork', { head: { repository: 'eve/app' } }],
  ['is from a fork that is gone', { head: { repository: null } }],
  [
    'is from a fork and was merged',
    { action: 'closed', merged: { sha: 'c'.repeat(40) }, head: { repository: 'eve/app' } },
  ],
] as const)('a pull request that %s starts nothing, even if its run has secrets', (_, more) => {
  expect(readTrigger(pullRequest({ ...more }), rules)).toEqual(
    notForUs("a fork's pull request starts nothing"),
  )
})

/** The event with a payload that lacks the pull request's repositories. */
function nameless({ payload, ...event }: ReturnType<typeof pullRequest>) {
  const { pull_request: pull, ...rest } = payload as { pull_request: { head: object; base: object } }
  const bare = { ...pull, head: { ...pull.head, repo: null }, base: { ...pull.base, repo: null } }
  return { ...event, payload: { ...rest, pull_request: bare } }
}

describe('a label', () => {
  const labels = { ...rules, label: 'docs' }
  const onIssue = (more: Parameters<typeof issue>[0] = {}) => issue({ action: 'labeled', ...more })
  const onPull = (more: Parameters<typeof pullRequest>[0] = {}) => pullRequest({ action: 'labeled', ...more })

  it("a label on an issue provides the issue's title and text, and the account that added the label", () => {
    expect(readTrigger(onIssue({ sender: 'mona' }), labels)).toMatchObject({
      kind: 'label',
      request: { kind: 'label', label: 'docs', subject: { title: expect.any(String) } },
      requesters: [{ login: 'mona' }],
      thread: { isPullRequest: false, reviewRoot: null },
    })
  })

  it("a label on a pull request makes a request with the pull request's title and text", () => {
    expect(readTrigger(onPull({ sender: 'mona' }), labels)).toMatchObject({
      kind: 'label',
      request: { kind: 'label', subject: { title: 'Add a flag', body: '' } },
      thread: { number: 12, isPullRequest: true },
    })
  })

  it('a label is compared regardless of case', () => {
    expect(readTrigger(onIssue({ label: 'Docs' }), labels)).toMatchObject({ kind: 'label' })
  })

  it.each([
    ['another label', onIssue({ label: 'bug' }), labels],
    ['a label in a step without the input `label`', onIssue(), rules],
    ['a label on a pull request in a step without the input `label`', onPull(), rules],
    ["a label on a fork's pull request", onPull({ head: { repository: 'eve/app' } }), labels],
    ['a label on a pull request whose fork is gone', onPull({ head: { repository: null } }), labels],
    ['a label on a pull request that names no repository', nameless(onPull()), labels],
    ['a label that was removed', issue({ action: 'unlabeled' }), labels],
    ['an issue that was opened', issue({ action: 'opened' }), labels],
  ])('%s starts nothing', (_, event, rules) => {
    expect(readTrigger(event, rules)).toMatchObject({ kind: 'skip', problem: { id: 'skipped' } })
  })

  it.each(['issues', 'pull_request'])('an undocumented payload of %s is rejected', (name) => {
    expect(readTrigger({ name, actor: 'x', payload: { action: 'labeled' } }, labels)).toMatchObject({
      kind: 'error',
      problem: { id: 'defect' },
    })
  })
})

describe('a workflow run', () => {
  const run = (more: object = {}) => ({
    name: 'workflow_run',
    actor: 'mona',
    payload: {
      repository: { id: 1, full_name: 'acme/app' },
      workflow_run: {
        id: 5,
        event: 'push',
        conclusion: 'success',
        head_sha: 'a'.repeat(40),
        head_branch: 'main',
        head_repository: { id: 1 },
        actor: { login: 'mona' },
        ...more,
      },
    },
  })
  it.each([{}, { event: 'pull_request' }])(
    'a workflow run provides the commit if the upstream run was for code of this repository: %j',
    (more) => {
      expect(readTrigger(run(more), rules)).toMatchObject({
        kind: 'change',
        change: { head: 'a'.repeat(40), range: { by: 'commit' }, upstreamRun: 5 },
      })
    },
  )

  it.each([
    { event: 'pull_request', head_repository: { id: 2 } },
    { event: 'pull_request', head_repository: null },
    { event: 'issue_comment' },
    { event: 'pull_request_target' },
    { conclusion: 'failure' },
    { conclusion: null },
    { actor: { login: 'mintlify[bot]' } },
  ])('a workflow run starts nothing if the upstream run has %j', (more) => {
    expect(readTrigger(run(more), rules)).toMatchObject({ kind: 'skip' })
  })
})
