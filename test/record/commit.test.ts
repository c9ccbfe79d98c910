/** What a step decides from the statuses on a commit. test/request/event.test.ts has the calls to GitHub. */
import { expect, it } from 'vitest'
import type { GitHubFailure } from '../../src/core/http.ts'
import {
  type CommitRecord,
  canDoWithout,
  contextFor,
  otherRequests,
  seemsOpen,
} from '../../src/record/commit.ts'
import { isAtRest, type State } from '../../src/record/entry.ts'
import type { MarkedStatus } from '../../src/record/format.ts'
import type { StepStatus } from '../../src/record/lists.ts'
import { contextMs } from '../../src/record/next.ts'
import { rowsOf } from '../core/samples.ts'
import { aboutCommit, commitRequest, stated } from './samples.ts'

/**
 * Reads a status: the run and the state of its entry, and what differs from a signed status in the first context, which
 * is `pending` unless its entry is at rest. The run `-` has no entry.
 */
function statusOf(text: string, id: number): StepStatus {
  const [run = '', state = '', ...more] = text.split(' ')
  const context = more.includes('second') ? 'x · 2' : 'x'
  const isPending = more.includes('pending') || (run !== '-' && !isAtRest(state as State))
  const shown = {
    commit: 'aaaa',
    context,
    description: '',
    targetUrl: '',
    author: null,
    viewer: '',
    createdAt: 0,
  }
  const status = { ...shown, id, state: isPending ? 'pending' : 'success' } as const
  if (run === '-') return { ...status, entry: null }
  const entry = { ...stated(state as State, { writer: run }), ...aboutCommit, run, hides: false }
  return { ...status, entry, isSigned: !more.includes('foreign'), accounts: null }
}

/** A record from the statuses that are listed, and those that the step wrote later; each list begins with the earliest. */
function recordOf(listed: string, written = ''): CommitRecord {
  const read = (list: string) => list.split(', ').filter((text) => text !== '')
  const statuses = read(listed).map((text, index) => statusOf(text, index + 1))
  const writes = read(written).map((text, index) => statusOf(text, index + 100) as MarkedStatus)
  return { request: commitRequest, statuses: statuses.reverse(), writes: writes.reverse() }
}

it.each(
  rowsOf(`
    is the first one on a new commit                         |                                    |          | x
    is the first one if the others have ended                | 2 open, 2 failed                   |          | x
    is the next one beside an open request                   | 2 open                             |          | x · 2
    is not that of an open request whose status is hidden    | 2 open, 3 failed                   |          | x · 2
    is the first one without an open request                 | 2 open, 3 open second              |          | x · 3
    is free again once its request has ended                 | 2 open, 3 open second, 2 failed    |          | x
    does not change once the request has begun               | 1 open second                      |          | x · 2
    does not change if GitHub does not list its begin        |                                    | 1 open   | x
    does not follow an entry with another key                | 1 open second foreign              |          | x
    is free if its open entry has another key                | 2 open foreign                     |          | x
    may be another project's, which is pending               | - - pending                        |          | x · 2
    is free if another project has ended in it               | - - pending, - -                   |          | x
  `),
)('the context of a request %s', (_, listed = '', written = '', context) => {
  expect(contextFor(recordOf(listed, written), contextMs)).toBe(context)
})

it('a request begins beside a status that is so young that a copy of it could hide the request', () => {
  const contexts = [0, contextMs - 1, contextMs].map((age) => contextFor(recordOf('2 failed'), age))
  expect(contexts).toEqual(['x · 2', 'x · 2', 'x'])
})

it.each(
  rowsOf(`
    no request if it is alone            | 1 job           | 0
    no request if the others have ended  | 1 job, 2 failed | 0
    a request that is open               | 2 open          | 1
    a request that is open elsewhere     | 2 open second   | 1
  `),
)('an end may hide %s', (_, listed = '', hidden) => {
  expect(otherRequests(recordOf(listed))).toHaveLength(Number(hidden))
})

it.each(
  rowsOf(`
    a status that looks open after the end    | 1 failed, 1 not-sent pending           |                    | true
    a status that this step wrote after it     | 1 failed                               | 1 not-sent pending | true
    no status of an open request              | 1 open                                 |                    | false
    no status that shows the end              | 1 open, 1 failed                       |                    | false
    no status that another one hides          | 1 not-sent pending, 2 open             |                    | false
    a status beside one in another context    | 1 not-sent pending, 2 open second      |                    | true
    no status with another key                | 1 failed, 1 not-sent pending foreign   |                    | false
    no status of another request              | 2 not-sent pending                     |                    | false
  `),
)('a request at rest has left %s', (_, listed = '', written = '', expected) => {
  expect(String(seemsOpen(recordOf(listed, written)))).toBe(expected)
})

const denied: GitHubFailure = { kind: 'rejected', status: 403, detail: 'no' }
const alone = { ...recordOf(''), request: { ...commitRequest, follows: 'nothing' } } as const
it.each<[name: string, record: CommitRecord, failure?: GitHubFailure]>([
  ['its docs are about the commit', recordOf('')],
  ['it has an entry', { ...recordOf('1 open'), request: alone.request }],
  ['GitHub only limits the rate', alone, { kind: 'rate-limit', status: 403, detail: '' }],
  ['GitHub has an error', alone, { ...denied, kind: 'broken', status: 502 }],
  ['there is no response', alone, { kind: 'no-response', code: 'ECONNRESET' }],
])('a request cannot do without a record if %s', (_, record, failure = denied) => {
  expect(canDoWithout(record, failure)).toBe(false)
})

it('a request that has no docs on the commit can do without a record that GitHub denies', () => {
  expect(canDoWithout(alone, denied)).toBe(true)
})
