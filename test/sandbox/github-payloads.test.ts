import { describe, expect, test } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import {
  branchDeleted,
  dispatched,
  issue,
  mergeQueued,
  noCommit,
  otherComment,
  pullRequest,
  pushed,
  releasePublished,
  scheduled,
  tagPushed,
  workflowRun,
} from '../../sandbox/payloads.ts'

const first = commit({ files: { a: 'a\n' }, message: 'First' })
const second = commit({ parents: [first], files: { a: 'b\n' }, message: 'Second', author: 'ann' })
const third = commit({ parents: [second], files: { a: 'c\n' }, message: 'Third' })
const other = commit({ parents: [first], files: { b: 'b\n' }, message: 'Other' })

describe('a push', () => {
  test('has the commits that it brought, the oldest first, and not what they changed', () => {
    const { name, actor, payload } = pushed({ before: first, after: third, pusher: 'ann' })
    expect([name, actor]).toEqual(['push', 'ann'])
    expect(payload).toMatchObject({
      ref: 'refs/heads/main',
      before: first.sha,
      after: third.sha,
      created: false,
      deleted: false,
      forced: false,
      commits: [{ id: second.sha, message: 'Second', author: { username: 'ann' } }, { id: third.sha }],
      head_commit: { id: third.sha, tree_id: third.treeSha },
      pusher: { name: 'ann' },
      sender: { login: 'ann', type: 'User' },
      repository: { full_name: 'acme/app' },
    })
    expect(JSON.stringify(payload)).not.toMatch(/"(added|removed|modified)"/)
  })

  test.each([
    ['a force', pushed({ before: third, after: other }), [other.sha], false, false, true],
    ['the first', pushed({ after: first }), [first.sha], true, false, false],
    ['a tag', tagPushed({ tag: 'v1', after: third }), [], true, false, false],
    ['a deletion', branchDeleted({ branch: 'topic', before: other }), [], false, true, false],
    ['the queue', mergeQueued({ number: 12, after: third }), [third.sha], true, false, false],
  ])('%s push', (_, event, ids, created, deleted, forced) => {
    const payload = event.payload as { commits: { id: string }[]; before: string; after: string }
    expect(payload).toMatchObject({ created, deleted, forced })
    expect(payload.commits.map(({ id }) => id)).toEqual(ids)
    expect([payload.before === noCommit, payload.after === noCommit]).toEqual([created, deleted])
  })

  test('names its ref', () => {
    const refs = [
      tagPushed({ tag: 'v1', after: third }),
      branchDeleted({ branch: 'topic', before: other }),
      mergeQueued({ number: 12, after: third }),
    ].map(({ payload }) => (payload as { ref: string }).ref)
    expect(refs).toEqual([
      'refs/tags/v1',
      'refs/heads/topic',
      `refs/heads/gh-readonly-queue/main/pr-12-${second.sha}`,
    ])
    expect(branchDeleted({ branch: 'topic', before: other }).payload).toMatchObject({ head_commit: null })
    expect(mergeQueued({ number: 12, after: third }).payload).toMatchObject({ sender: { type: 'Bot' } })
  })
})

describe('a pull request', () => {
  test('that was opened is not merged, and its repository is its own', () => {
    const { name, payload } = pullRequest({ user: 'ann' })
    expect(name).toBe('pull_request')
    expect(payload).toMatchObject({
      action: 'opened',
      pull_request: {
        state: 'open',
        merged: false,
        merge_commit_sha: null,
        user: { login: 'ann' },
        head: { repo: { full_name: 'acme/app', fork: false } },
      },
      sender: { login: 'ann' },
    })
    expect(payload).not.toHaveProperty('before')
  })

  test.each([
    ['fork/app', { repo: { full_name: 'fork/app', fork: true }, label: 'fork:topic' }],
    [null, { repo: null, label: 'mona:topic' }],
  ])('of %s', (repository, head) => {
    const event = pullRequest({ action: 'synchronize', head: { repository, sha: third.sha } })
    expect(event.payload).toMatchObject({
      after: third.sha,
      before: expect.any(String),
      pull_request: { head },
    })
  })
})

test('a release and a dispatch', () => {
  expect(releasePublished({ tag: 'v2', body: 'New', author: 'ann' })).toMatchObject({
    name: 'release',
    actor: 'ann',
    payload: { action: 'published', release: { tag_name: 'v2', body: 'New', draft: false } },
  })
  expect(dispatched({ inputs: { prompt: 'Go' } })).toMatchObject({
    name: 'workflow_dispatch',
    payload: { inputs: { prompt: 'Go' }, ref: 'refs/heads/main' },
  })
  expect(dispatched().payload).toMatchObject({ inputs: null })
})

test('a label names what was added, and is then one of them', () => {
  const label = { name: 'docs' }
  expect(issue({ sender: 'ann', label: 'docs' })).toMatchObject({
    name: 'issues',
    actor: 'ann',
    payload: { action: 'labeled', label, issue: { labels: [label], user: { login: 'mona' } } },
  })
  expect(issue({ action: 'opened' }).payload).not.toHaveProperty('label')
  const labeled = pullRequest({ action: 'labeled', labels: ['bug'], label: 'docs' })
  expect(labeled.payload).toMatchObject({ label, pull_request: { labels: [{ name: 'bug' }, label] } })
  expect(pullRequest().payload).not.toHaveProperty('label')
})

test('a workflow run tells whose code ran', () => {
  const idOf = (event: ReturnType<typeof workflowRun>) => {
    const { repository, workflow_run } = event.payload as {
      repository: { id: number }
      workflow_run: { head_repository: { id: number } | null }
    }
    return workflow_run.head_repository?.id === repository.id
  }
  expect(
    [workflowRun(), workflowRun({ headRepository: 'eve/app' }), workflowRun({ headRepository: null })].map(
      idOf,
    ),
  ).toEqual([true, false, false])
})

test.each(['commit_comment', 'discussion_comment', 'pull_request_review'] as const)(
  '%s says something',
  (name) => {
    const event = otherComment(name, { body: '/docs x', author: 'eve' })
    expect([event.name, event.actor]).toEqual([name, 'eve'])
    expect(JSON.stringify(event.payload)).toContain('"/docs x"')
  },
)

test('a schedule has no sender', () => {
  expect(scheduled().payload).toMatchObject({ schedule: '0 6 * * 1', repository: { full_name: 'acme/app' } })
  expect(scheduled().payload).not.toHaveProperty('sender')
})
