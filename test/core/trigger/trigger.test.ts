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

/** What an event asks for, on one line. */
function said(each: WorkflowEvent): string {
  const trigger = read(each)
  if ('problem' in trigger) return trigger.problem.what
  if (trigger.kind !== 'change') return JSON.stringify({ ...trigger, kind: undefined })
  const { head, branch, number, pullHead, author, noFiles, upstreamRun } = trigger.change
  const short = (sha: string | null) => sha?.slice(0, 10)
  const pulls = number === null ? '' : ` of #${number} at ${short(pullHead)}`
  const run = upstreamRun === null ? '' : ` after run ${upstreamRun}`
  return `${rangeText(trigger.change)}${pulls} on ${branch}, head ${short(head)}, by ${author}${run}${noFiles === null ? '' : `: ${noFiles}`}`
}

describe('a change', () => {
  it('each event asks for what this table says', () => {
    const repository = { id: 1, full_name: 'acme/docs', default_branch: 'trunk' }
    const manual = (ref: string) => event('workflow_dispatch', { ref, repository })
    const release = { tag_name: 'v2', name: null, body: 'Breaks things' }
    const fork = { repository: 'eve/app' }
    const events: [string, WorkflowEvent][] = [
      ['a push', push()],
      ['a push to a branch with slashes', push({ ref: 'refs/heads/a/b' })],
      ['the first push of a repository', push({ before: null })],
      ['a new branch', push({ before: null, ref: 'refs/heads/x' })],
      ['a push by a bot', push({ pusher: 'renovate[bot]' })],
      ['a tag', pushed({ ref: 'refs/tags/v1', after })],
      ['a deleted branch', pushed({ ref: 'refs/heads/topic', before })],
      ['a deleted tag', push({ ref: 'refs/tags/v1', after: null })],
      ['a merge queue', pushed({ ref: 'refs/heads/gh-readonly-queue/main/pr-1', after })],
      ['a pull request', pull()],
      ['a merged pull request', pull({ action: 'closed', merged: after })],
      ['a closed pull request', pull({ action: 'closed' })],
      ["a fork's pull request", pull({ head: fork })],
      ['a pull request of a fork that is gone', pull({ head: { repository: null } })],
      ["a fork's merged pull request", pull({ action: 'closed', merged: after, head: fork })],
      ['an upstream run of a push', upstream()],
      ['an upstream run of a pull request', upstream({ event: 'pull_request' })],
      ['an upstream run of a comment', upstream({ event: 'issue_comment' })],
      ["an upstream run of a fork's code", upstream({ head_repository: { id: 2 } })],
      ['an upstream run of a deleted fork', upstream({ head_repository: null })],
      ['an upstream run that failed', upstream({ conclusion: 'failure' })],
      ['an upstream run without an end', upstream({ conclusion: null })],
      ['a schedule', event('schedule', { repository })],
      ['a schedule without a repository', event('schedule')],
      ['a manual run of the default branch', manual('refs/heads/trunk')],
      ['a manual run of another branch', manual('refs/heads/topic')],
      ['a manual run of a tag', manual('refs/tags/trunk')],
      ['a dispatch', event('repository_dispatch')],
      ['a published release', event('release', { action: 'published', release })],
      ['an edited release', event('release', { action: 'edited', release })],
      ['pull_request_target', { ...pull(), name: 'pull_request_target' }],
      ...['discussion', 'status', 'constructor', ''].map((name): [string, WorkflowEvent] => [
        name,
        event(name),
      ]),
    ]
    expect(events.map(([name, each]) => `${name}: ${said(each)}`).join('\n')).toMatchInlineSnapshot(`
      "a push: 798f8aced4…6b393e02d1 on main, head 6b393e02d1, by mona
      a push to a branch with slashes: 798f8aced4…6b393e02d1 on a/b, head 6b393e02d1, by mona
      the first push of a repository: commit 6b393e02d1 on main, head 6b393e02d1, by mona
      a new branch: main…6b393e02d1 on x, head 6b393e02d1, by mona
      a push by a bot: 798f8aced4…6b393e02d1 on main, head 6b393e02d1, by renovate[bot]
      a tag: main…6b393e02d1 on v1, head 6b393e02d1, by mona: a tag does not change files
      a deleted branch: Skipped: topic was deleted.
      a deleted tag: Skipped: v1 was deleted.
      a merge queue: Skipped: the merge queue is testing a change; the push to the branch comes later.
      a pull request: pull request #12, at bbbbbbbbbb of #12 at bbbbbbbbbb on main, head bbbbbbbbbb, by mona
      a merged pull request: pull request #12, at 6b393e02d1 of #12 at bbbbbbbbbb on main, head 6b393e02d1, by mona
      a closed pull request: pull request #12, at bbbbbbbbbb of #12 at bbbbbbbbbb on main, head bbbbbbbbbb, by mona: it was closed without being merged
      a fork's pull request: Skipped: a fork's pull request starts nothing.
      a pull request of a fork that is gone: Skipped: a fork's pull request starts nothing.
      a fork's merged pull request: Skipped: a fork's pull request starts nothing.
      an upstream run of a push: commit aaaaaaaaaa on main, head aaaaaaaaaa, by mona after run 5
      an upstream run of a pull request: commit aaaaaaaaaa on main, head aaaaaaaaaa, by mona after run 5
      an upstream run of a comment: Skipped: the upstream run was started by issue_comment.
      an upstream run of a fork's code: Skipped: the upstream run was for a fork's code.
      an upstream run of a deleted fork: Skipped: the upstream run was for a fork's code.
      an upstream run that failed: Skipped: the upstream run did not succeed.
      an upstream run without an end: Skipped: the upstream run did not succeed.
      a schedule: {"branch":{"name":"trunk","isDefault":true}}
      a schedule without a repository: {"branch":{"name":"the default branch","isDefault":true}}
      a manual run of the default branch: {"branch":{"name":"trunk","isDefault":true}}
      a manual run of another branch: {"branch":{"name":"topic","isDefault":false}}
      a manual run of a tag: {"branch":{"name":"trunk","isDefault":false}}
      a dispatch: {"branch":null}
      a published release: {"release":{"tag":"v2","name":"","notes":"Breaks things"}}
      an edited release: Skipped: the release was edited, not published.
      pull_request_target: The step does not run on \`pull_request_target\`, which gives secrets to runs for forks.
      discussion: Skipped: the event discussion starts nothing.
      status: Skipped: the event status starts nothing.
      constructor: Skipped: the event constructor starts nothing.
      : Skipped: the event without a name starts nothing."
    `)
  })

  it('a change has at most fifty subjects, each on one line', () => {
    const hostile = commit({ message: `x\u202e ${'y'.repeat(300)}\n\nbody` })
    const reading = read(push({ commits: Array.from({ length: 60 }, () => hostile) }))
    const { subjects } = reading.kind === 'change' ? reading.change : { subjects: [] }
    expect(subjects).toHaveLength(50)
    expect(subjects[0]).toMatch(/^x\\u\{202E\} y{189}…$/)
  })

  const mine = [
    ...[push({ pusher: agent }), push({ pusher: agent, sender: 'mona' }), push({ pusher: 'Mintlify[bot]' })],
    ...[pull({ user: agent, merged: merge, sender: 'mona' }), pull({ action: 'synchronize', sender: agent })],
    ...[
      upstream({ actor: { login: agent } }),
      releasePublished({ sender: agent }),
      dispatched({ sender: agent }),
    ],
  ]
  /** A commit's author can be forged, and a merge takes a request to GitHub to check. */
  const others = [
    ...[push({ commits: [byAgent] }), push({ commits: [commit({ author: null })] }), push({ after: merge })],
    ...[pull(), pull({ user: 'mintlify' }), upstream(), event('schedule')],
  ]
  it("pushes and merges of the agent's own work start nothing, and those of others do", () => {
    for (const each of [...mine, ...others]) {
      expect(isCausedBy(each, agent), JSON.stringify(each)).toBe(mine.includes(each))
      const isChange = ['push', 'pull_request', 'workflow_run'].includes(each.name)
      if (isChange) expect(read(each).kind).toBe(mine.includes(each) ? 'skip' : 'change')
    }
  })
})

describe('an event', () => {
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
