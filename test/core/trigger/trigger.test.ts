import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commit } from '../../../sandbox/github/commits.ts'
import {
  dispatched,
  issue,
  issueComment,
  type PullRequestEventOptions,
  type PushOptions,
  pullRequest,
  pushed,
  releasePublished,
  reviewComment,
  reviewSubmitted,
} from '../../../sandbox/payloads.ts'
import { problems } from '../../../src/core/problems.ts'
import { isCausedBy, newChange, type Range, rangeText } from '../../../src/core/trigger/change.ts'
import { type WorkflowEvent, whySecretsAreWithheld } from '../../../src/core/trigger/event.ts'
import { readTrigger } from '../../../src/core/trigger/trigger.ts'
import { hostileText } from '../samples.ts'

const agent = 'mintlify[bot]'
const rules = { command: '/docs', label: 'docs', agentLogin: agent }
const read = (event: WorkflowEvent, more: Partial<typeof rules> | { label: null } = {}) =>
  readTrigger(event, { ...rules, ...more })
const event = (name: string, payload: unknown = {}, actor = 'mona') => ({ name, actor, payload })
const notForUs = (reason: string) => ({ kind: 'skip', problem: problems.skipped(reason) })

describe('a command', () => {
  it.each([
    ['/docs fix it', ' fix it'],
    ['/docs\nfix it\nand that', '\nfix it\nand that'],
    ['/docs   ', ''],
    ['/docs /docs', ' /docs'],
    ['/Docs\tfix it', '\tfix it'],
    ...[':', ',', '.', '!', '?', '!!'].map((sign) => [`/docs${sign} fix it`, ' fix it']),
    ['/docs?', ''],
    ['   /docs fix it', ' fix it'],
    ['\n \r\n/docs fix it', ' fix it'],
  ])('a command is recognized in %j', (body, instruction) => {
    expect(read(issueComment({ body }))).toMatchObject({ kind: 'command', request: { instruction } })
  })

  it.each([
    ...['> /docs x', '```\n/docs x\n```', '    /docs x', '\n    /docs x', '`/docs` x', 'x /docs x', ''],
    ...['/docs-old x', '/docsfix', '/docs:fix', '/docs.example.com', '/docs; x'],
    ...['<!-- x -->/docs x', '\u200b/docs x'],
  ])('a command is not recognized in %j', (body) => {
    expect(read(issueComment({ body }))).toEqual(notForUs('the comment does not start with /docs'))
  })

  it("a command in a review comment has the comment's line and the thread's first comment", () => {
    const first = reviewComment({ id: 5 })
    expect(read(first)).toMatchObject({
      thread: { reviewRoot: 5, isPullRequest: true },
      request: { kind: 'comment', comment: 5, location: { path: 'docs/install.md', line: 12 } },
    })
    expect(read(reviewComment({ id: 5 }, { in_reply_to_id: 3 }))).toMatchObject({ thread: { reviewRoot: 3 } })
    // GitHub can send null for a field that it documents as optional.
    const { comment } = first.payload as { comment: object }
    Object.assign(comment, { in_reply_to_id: null })
    expect(read(first)).toMatchObject({ thread: { reviewRoot: 5 } })
  })

  it("a command in a review's text counts as a request by the author and the sender", () => {
    expect(read(reviewSubmitted({ id: 5, sender: 'rita', head: 'abc' }))).toMatchObject({
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
    [issueComment({ action: 'edited' }), 'the comment was edited, not created'],
    [issueComment({ action: 'deleted' }), 'the comment was deleted, not created'],
    [reviewSubmitted({ action: 'edited' }), 'the review was edited, not submitted'],
    [reviewSubmitted({ body: null }), 'the review does not start with /docs'],
    [reviewSubmitted({ author: null }), "the review's author is gone"],
    [reviewSubmitted({ fork: 'eve/docs' }), "reviews on a fork's pull request start nothing"],
    [event('commit_comment'), 'commands are not read from commit_comment'],
    [event('discussion_comment'), 'commands are not read from discussion_comment'],
  ])('a comment or review (%o) is skipped, because %s', (each, why) => {
    expect(read(each)).toEqual(notForUs(why))
    expect(readTrigger(each, { ...rules, command: null })).toEqual({
      kind: 'error',
      problem: problems.noCommand(each.name),
    })
  })
})

describe('a label', () => {
  const onIssue = (more: Parameters<typeof issue>[0] = {}) => issue({ action: 'labeled', ...more })
  const onPull = (more: Parameters<typeof pullRequest>[0] = {}) => pullRequest({ action: 'labeled', ...more })
  /** The event with a payload that lacks the pull request's repositories. */
  const nameless = () => {
    const { payload, ...rest } = onPull()
    const { pull_request: pull } = payload as { pull_request: { head: object; base: object } }
    for (const side of [pull.head, pull.base]) Object.assign(side, { repo: null })
    return { ...rest, payload }
  }

  it.each([
    [onIssue({ sender: 'mona', label: 'Docs' }), { isPullRequest: false }],
    [onPull({ sender: 'mona' }), { isPullRequest: true, number: 12 }],
  ])('a label provides the title and text, and the account that added the label: %o', (labeled, thread) => {
    expect(read(labeled)).toMatchObject({
      kind: 'label',
      request: { kind: 'label', subject: { title: expect.any(String), body: expect.any(String) } },
      requesters: [{ login: 'mona' }],
      thread: { reviewRoot: null, ...thread },
    })
    expect(read(labeled, { label: null })).toMatchObject({ kind: 'skip' })
  })

  it.each([
    ['another label', onIssue({ label: 'bug' })],
    ["a label on a fork's pull request", onPull({ head: { repository: 'eve/app' } })],
    ['a label on a pull request whose fork is gone', onPull({ head: { repository: null } })],
    ['a label on a pull request that names no repository', nameless()],
    ['a label that was removed', issue({ action: 'unlabeled' })],
    ['an issue that was opened', issue({ action: 'opened' })],
  ])('%s starts nothing', (_, each) => {
    expect(read(each)).toMatchObject({ kind: 'skip', problem: { id: 'skipped' } })
  })
})

const before = commit({ files: { a: '1\n' }, message: 'First' })
const after = commit({ parents: [before], files: { a: '2\n' }, message: 'Second\n\nAt length.' })
const byAgent = commit({ parents: [before], files: { a: '3\n' }, message: 'Docs', author: agent })
const merge = commit({ parents: [after, byAgent], message: 'Merge pull request #101' })
const push = (more: PushOptions = {}) => pushed({ before, after, ...more })
const pull = (more: PullRequestEventOptions = {}) => pullRequest(more)
const upstream = (more: object = {}) => {
  const run = { id: 5, event: 'push', conclusion: 'success', head_sha: 'a'.repeat(40), head_branch: 'main' }
  return event('workflow_run', {
    repository: { id: 1, full_name: 'acme/app' },
    workflow_run: { ...run, head_repository: { id: 1 }, actor: { login: 'mona' }, ...more },
  })
}

const compared: Range = { by: 'compare', base: before.sha, head: after.sha }
const alone: Range = { by: 'commit', sha: after.sha }
const fromMain: Range = { by: 'compare', base: 'main', head: after.sha }
const files: Range = { by: 'pull', number: 12 }

describe('a change', () => {
  it.each<[string, WorkflowEvent, Range, object]>([
    ['a push', push(), compared, { branch: 'main', head: after.sha, number: null, subjects: ['Second'] }],
    ['a push to a branch with slashes', push({ ref: 'refs/heads/a/b' }), compared, { branch: 'a/b' }],
    ['the first push of a repository', push({ before: null }), alone, { subjects: ['Second'] }],
    ['a new branch', push({ before: null, ref: 'refs/heads/x' }), fromMain, { branch: 'x' }],
    ['a push without commits', push({ commits: [] }), compared, { subjects: [] }],
    ['a push by a bot', push({ pusher: 'renovate[bot]' }), compared, { author: 'renovate[bot]' }],
    ['a tag', pushed({ ref: 'refs/tags/v1', after }), fromMain, { noFiles: 'a tag does not change files' }],
    ['a pull request', pull(), files, { number: 12, branch: 'main', author: 'mona', head: 'b'.repeat(40) }],
    [
      'a merged pull request',
      pull({ action: 'closed', merged: after }),
      files,
      { head: after.sha, pullHead: 'b'.repeat(40) },
    ],
    [
      'a pull request that is closed without being merged',
      pull({ action: 'closed' }),
      files,
      { head: 'b'.repeat(40), noFiles: 'it was closed without being merged' },
    ],
    ...['push', 'pull_request'].map((name): [string, WorkflowEvent, Range, object] => [
      `an upstream run of ${name}`,
      upstream({ event: name }),
      { by: 'commit', sha: 'a'.repeat(40) },
      { head: 'a'.repeat(40), upstreamRun: 5 },
    ]),
  ])('an event contains a change: %s', (_, each, range, more) => {
    const change = { repository: 'acme/app', noFiles: null, range, ...more }
    expect(read(each)).toEqual({ kind: 'change', change: expect.objectContaining(change) })
  })

  it.each([
    [pushed({ ref: 'refs/heads/topic', before }), 'topic was deleted'],
    [push({ ref: 'refs/tags/v1', after: null }), 'v1 was deleted'],
    [pushed({ ref: 'refs/heads/gh-readonly-queue/main/pr-1', after }), 'the merge queue is testing'],
    [upstream({ event: 'issue_comment' }), 'the upstream run was started by issue_comment'],
    [upstream({ head_repository: { id: 2 } }), "the upstream run was for a fork's code"],
    [upstream({ head_repository: null }), "the upstream run was for a fork's code"],
    [upstream({ conclusion: 'failure' }), 'the upstream run did not succeed'],
    [upstream({ conclusion: null }), 'the upstream run did not succeed'],
  ])('an event (%o) contains no change: %s', (each, reason) => {
    const problem = { id: 'skipped', what: expect.stringContaining(reason) }
    expect(read(each)).toMatchObject({ kind: 'skip', problem })
  })

  it('a change has at most fifty subjects, each on one line', () => {
    const hostile = commit({ message: `x\u202e ${'y'.repeat(300)}\n\nbody` })
    const reading = read(push({ commits: Array.from({ length: 60 }, () => hostile) }))
    const { subjects } = reading.kind === 'change' ? reading.change : { subjects: [] }
    expect(subjects).toHaveLength(50)
    expect(subjects[0]).toMatch(/^x\\u\{202E\} y{189}…$/)
  })

  it.each([
    { head: { repository: 'eve/app' } },
    { head: { repository: null } },
    { action: 'closed', merged: { sha: 'c'.repeat(40) }, head: { repository: 'eve/app' } },
  ] as const)('a pull request from a fork starts nothing, even if its run has secrets: %j', (more) => {
    expect(read(pull(more))).toEqual(notForUs("a fork's pull request starts nothing"))
  })

  it.each<[string, WorkflowEvent, isCaused: boolean]>([
    ['its own push', push({ pusher: agent }), true],
    ['its push, which only the pusher’s name reveals', push({ pusher: agent, sender: 'mona' }), true],
    ['its push, with its login in different case', push({ pusher: 'Mintlify[bot]' }), true],
    ['its pull request, merged by a person', pull({ user: agent, merged: merge, sender: 'mona' }), true],
    ['its push to a person’s pull request', pull({ action: 'synchronize', sender: agent }), true],
    ['its upstream run', upstream({ actor: { login: agent } }), true],
    ['its own release', releasePublished({ sender: agent }), true],
    ['a manual run that it started', dispatched({ sender: agent }), true],
    ['a person’s push of commits that name it as their author', push({ commits: [byAgent] }), false],
    ['a commit without an account', push({ commits: [commit({ author: null })] }), false],
    ['a merge by a person, which takes a request to GitHub to check', push({ after: merge }), false],
    ['a person’s pull request', pull(), false],
    ['a person whose login resembles the agent’s', pull({ user: 'mintlify' }), false],
    ['a schedule', event('schedule', { schedule: '0 6 * * 1' }), false],
  ])('the agent caused %s: %s', (_, each, isCaused) => {
    expect(isCausedBy(each, agent)).toBe(isCaused)
    const isChange = ['push', 'pull_request', 'workflow_run'].includes(each.name)
    if (isChange) expect(read(each)).toMatchObject({ kind: isCaused ? 'skip' : 'change' })
  })

  const named = (range: Range, head = 'f'.repeat(40)) =>
    rangeText(newChange({ repository: 'acme/app', head, branch: 'main', range }))
  it.each<[Range, string]>([
    [compared, `${before.sha.slice(0, 10)}…${after.sha.slice(0, 10)}`],
    [fromMain, `main…${after.sha.slice(0, 10)}`],
    [alone, `commit ${after.sha.slice(0, 10)}`],
    [files, 'pull request #12, at ffffffffff'],
    [{ by: 'compare', base: 'a\nb', head: 'x\u202e' }, 'a b…x\\u{202E}'],
  ])('the range %j is called %s', (range, text) => {
    expect(named(range)).toBe(text)
  })
})

describe('an event', () => {
  const repository = { id: 1, full_name: 'acme/docs', default_branch: 'trunk' }
  it.each([
    ['schedule', { schedule: '0 6 * * 1', repository }, { name: 'trunk', isDefault: true }],
    ['schedule', {}, { name: 'the default branch', isDefault: true }],
    ['workflow_dispatch', { ref: 'refs/heads/trunk', repository }, { name: 'trunk', isDefault: true }],
    ['workflow_dispatch', { ref: 'refs/heads/topic', repository }, { name: 'topic', isDefault: false }],
    ['workflow_dispatch', { ref: 'refs/tags/trunk', repository }, { name: 'trunk', isDefault: false }],
    ['repository_dispatch', {}, null],
  ])('the event %s with %j runs the prompt, on the branch %j', (name, payload, branch) => {
    expect(read(event(name, payload))).toEqual({ kind: 'none', branch })
  })

  it.each(['discussion', 'fork', 'star', 'status', 'constructor', ''])(
    'the event %j starts nothing',
    (name) => {
      expect(read(event(name))).toMatchObject({ kind: 'skip' })
    },
  )

  it('pull_request_target is rejected', () => {
    const name = 'pull_request_target'
    expect(read({ ...pull(), name })).toEqual({ kind: 'error', problem: problems.untrustedEvent(name) })
  })

  const release = { tag_name: 'v2', name: null, body: 'Breaks things' }
  it('a published release provides its name, tag and notes, and any other starts nothing', () => {
    const expected = { kind: 'release', release: { tag: 'v2', name: '', notes: 'Breaks things' } }
    expect(read(event('release', { action: 'published', release }))).toEqual(expected)
    for (const action of ['created', 'edited', 'deleted', 'prereleased', 'released'])
      expect(read(event('release', { action, release }))).toEqual(
        notForUs(`the release was ${action}, not published`),
      )
  })

  const known = ['push', 'pull_request', 'workflow_run', 'release', 'issues', 'issue_comment']
  it.each([...known, 'pull_request_review_comment', 'pull_request_review'])(
    'an undocumented payload of %s is rejected, and never throws',
    (name) => {
      const unreadable = { kind: 'error', problem: { id: 'defect' } }
      expect(read(event(name, { action: 'labeled' }))).toMatchObject(unreadable)
      fc.assert(
        fc.property(fc.anything(), (payload) => {
          const expected = name === 'issues' ? { kind: 'skip' } : unreadable
          expect(read(event(name, payload))).toMatchObject(expected)
          expect(isCausedBy(event(name, payload), agent)).toBe(false)
          expect(whySecretsAreWithheld(event(name, payload))).toBeUndefined()
        }),
      )
    },
  )

  const fork = (repository: string | null) => pull({ head: { repository } }).payload
  const own = pull().payload
  it.each([
    ['pull_request', 'octocat', fork('mallory/docs'), 'fork'],
    ['pull_request', 'octocat', fork(null), 'fork'],
    ['pull_request_review', 'octocat', fork('mallory/docs'), 'fork'],
    ['pull_request_review_comment', 'octocat', fork('mallory/docs'), 'fork'],
    ['pull_request', 'dependabot[bot]', own, 'Dependabot'],
    ['pull_request', 'dependabot', own, undefined],
    ['pull_request', 'octocat', own, undefined],
    ['pull_request_target', 'octocat', fork('mallory/docs'), undefined],
    ['push', 'dependabot[bot]', push().payload, undefined],
    ['push', 'octocat', fork('mallory/docs'), undefined],
    ['issue_comment', 'octocat', { issue: { pull_request: {} } }, undefined],
  ])('the event %s by %s with %o gets no secrets because of: %s', (name, actor, payload, why) => {
    const withheld = whySecretsAreWithheld(event(name, payload, actor))
    expect(withheld).toEqual(why === undefined ? why : expect.stringContaining(why))
  })

  it("a range's name is on one line", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (base, head) => {
        const range: Range = { by: 'compare', base, head }
        const change = newChange({ repository: 'acme/app', head, branch: 'main', range })
        expect(rangeText(change)).not.toMatch(/[\n\r\u2028]/)
      }),
    )
  })
})
