import { describe, expect, test } from 'vitest'
import { commit } from '../../sandbox/github/commits.ts'
import {
  branchDeleted,
  mergeQueued,
  noCommit,
  pullRequest,
  pushed,
  tagPushed,
} from '../../sandbox/payloads.ts'

const first = commit({ files: { a: 'a\n' }, message: 'First' })
const second = commit({ parents: [first], files: { a: 'b\n' }, message: 'Second', author: 'ann' })
const third = commit({ parents: [second], files: { a: 'c\n' }, message: 'Third' })
const other = commit({ parents: [first], files: { b: 'b\n' }, message: 'Other' })

describe('a push', () => {
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
})

describe('a pull request', () => {
  test.each([
    ['fork/app', { repo: { full_name: 'fork/app', fork: true }, label: 'fork:topic' }],
    [null, { repo: null, label: 'mona:topic' }],
  ])('a pull request of %s', (repository, head) => {
    const event = pullRequest({ action: 'synchronize', head: { repository, sha: third.sha } })
    expect(event.payload).toMatchObject({
      after: third.sha,
      before: expect.any(String),
      pull_request: { head },
    })
  })
})
