/** What a step decides from the comments on a thread. test/request/command.test.ts has the calls to GitHub. */
import { expect, it } from 'vitest'
import type { State } from '../../src/record/entry.ts'
import type { MarkedComment } from '../../src/record/format.ts'
import { entriesOf, foreignComments, type ThreadRecord, workingComment } from '../../src/record/thread.ts'
import { rowsOf } from '../core/samples.ts'
import { issue as thread } from '../run/step.ts'
import { aboutCommand, stated } from './samples.ts'

/** Reads an entry: its writer and state, and how it differs from a signed entry of the request. */
function entryOf(text: string) {
  const [writer = '', state, ...more] = text.split(' ')
  const other = more.includes('other') ? { request: 'comment:2' } : {}
  const role = more.includes('notice') ? 'notice' : 'request'
  const entry = { ...aboutCommand, ...other, ...stated(state as State, { writer }), role } as const
  const accounts = more.includes('elsewhere') ? { recorder: 'acme-app[bot]', own: 'me' } : null
  return { entry, isSigned: accounts === null && !more.includes('foreign'), accounts }
}

const parts = (list: string) => list.split(', ').filter((text) => text !== '')

/** A record from the comments that are listed, with ids from 1, and what the step wrote: each with its id. */
function recordOf(listed: string, written = '', comment: number | null = null): ThreadRecord {
  const entries = parts(listed).map((text, index): MarkedComment => {
    const found = { thread, nodeId: '', createdAt: 0, words: 'listed', isIntact: true }
    return { ...found, id: index + 1, ...entryOf(text) }
  })
  const writes = parts(written).map((text) => {
    const [id, ...entry] = text.split(' ')
    return [Number(id), entryOf(entry.join(' ')).entry] as const
  })
  return { request: { ...aboutCommand, thread }, entries, writes: new Map(writes), comment }
}

it.each(
  rowsOf(`
    what is listed about it                       | a open, b job                |         | 1 open, 2 job
    nothing about another request                 | a open other, b open         |         | 2 open
    nothing with another role                     | a open notice, b open        |         | 2 open
    what this step wrote instead of an older list  | a asked, b job               | 1 a job | 1 job, 2 job
    what this step wrote and no list shows         | a asked                      | 9 a job | 1 asked, 9 job
    an entry with another key                     | a open foreign               |         | 1 open
  `),
)('the entries of a request include %s', (_, listed = '', written = '', expected) => {
  const entries = entriesOf(recordOf(listed, written))
  expect(entries.map(({ id, entry }) => `${id} ${entry.state}`).join(', ')).toBe(expected)
})

it('an entry that this step wrote is signed, and keeps what GitHub listed about its comment', () => {
  const [comment] = entriesOf(recordOf('a asked foreign', '1 a job'))
  expect(comment).toMatchObject({ id: 1, words: 'listed', isSigned: true, entry: { state: 'job' } })
})

it.each(
  rowsOf(`
    the one that this step edited  | a asked                 | 5 | 5
    the earliest one of the writer | b asked, a asked, a job |   | 2
    not one with another key       | a asked foreign         |   |
    missing on a new thread        |                         |   |
  `),
)('the working comment is %s', (_, listed = '', edited, expected) => {
  const record = recordOf(listed, '', edited ? Number(edited) : null)
  expect(`${workingComment(record, 'a') ?? ''}`).toBe(expected)
})

it.each(
  rowsOf(`
    hides what is older than its result   | a open foreign, b open, c failed | 3 c failed | 1
    hides nothing newer than its result   | c failed, a open foreign         | 1 c failed |
    hides nothing before its result       | a open foreign, c job            | 2 c job    |
    hides nothing for the result of others | a open foreign, b failed        | 9 c job    |
    hides nothing of another account      | a open elsewhere, c failed       | 2 c failed |
  `),
)('a step %s, in comments with another key', (_, listed = '', written = '', ids) => {
  const comments = foreignComments(recordOf(listed, written))
  expect(comments.map(({ id }) => id).join()).toBe(ids)
  // They are hidden, never deleted.
  expect(comments.filter(({ isIntact }) => isIntact)).toEqual([])
})
