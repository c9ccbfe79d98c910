import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { minuteMs } from '../../src/core/units.ts'
import { states } from '../../src/record/entry.ts'
import type { CommentEntry, StatusEntry } from '../../src/record/format.ts'
import {
  readComment,
  readStatus,
  statusContext,
  writeComment,
  writersOf,
  writeStatus,
} from '../../src/record/format.ts'
import { hostileText, runs } from '../core/samples.ts'
import { theRun, issue as thread } from '../run/step.ts'
import { start } from '../run/world.ts'
import { aboutCommand, aboutCommit, stated } from './samples.ts'

const sign = signWith('mint_0123456789')
const other = signWith('mint_another_key')
const { step } = theRun
const own = { author: 'me', viewer: 'me' }
const comment = (body: string, on = thread) => ({
  ...own,
  id: 1,
  nodeId: 'n1',
  body,
  createdAt: start,
  thread: on,
})
const entry: CommentEntry = {
  ...stated('job'),
  ...aboutCommand,
  code: { repository: 'acme/app', repositoryId: '2', number: 12, head: 'aaaa', hold: 'merge', state: 'held' },
}

describe('an entry in a comment', () => {
  it('an entry is read as it was written, whatever the words before it', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...states), (words, state) => {
        const written = { ...entry, ...stated(state) }
        const found = readComment(comment(writeComment(words, written, thread, sign)), sign)
        expect(found).toMatchObject({ entry: written, isSigned: true, isIntact: true })
      }),
      runs(100),
    )
  })

  it('an entry is signed for its thread, with its key', () => {
    const body = writeComment('Words', entry, thread, sign)
    expect(readComment(comment(body, { ...thread, number: 8 }), sign)).toMatchObject({ isSigned: false })
    expect(readComment(comment(body), other)).toMatchObject({ isSigned: false })
  })

  it('another account’s entry does not count, and is none without the signature of this key', () => {
    const stranger = { ...comment(writeComment('Words', entry, thread, sign)), author: 'mallory' }
    const accounts = { recorder: 'mallory', own: 'me' }
    expect(readComment(stranger, sign)).toMatchObject({ entry, isSigned: false, accounts })
    expect(readComment({ ...stranger, author: null }, sign)?.accounts?.recorder).toBe('ghost')
    expect(readComment(stranger, other)).toBeNull()
  })

  it('words with other line endings are still the action’s, and words with a corrected typo are not', () => {
    const body = writeComment('Two\nlines', entry, thread, sign)
    const read = (text: string) => readComment(comment(text), sign)
    expect(read(body.replaceAll('\n', '\r\n'))).toMatchObject({ isSigned: true, isIntact: true })
    expect(read(body.replace('Two', 'Three'))).toMatchObject({ isSigned: true, isIntact: false })
    expect(read(`${body}\n\nMore`)).toBeNull()
  })
})

describe('an entry in a status', () => {
  const place = { commit: 'a'.repeat(40), context: 'Docs agent / x', targetUrl: '' }
  const owner = { run: theRun, sign }
  const shown = { ...own, id: 1, state: 'success', createdAt: start } as const
  const target = 'https://github.com/acme/docs/pull/7'
  const anyEntry: fc.Arbitrary<StatusEntry> = fc
    .record({
      state: fc.constantFrom(...states),
      attempt: fc.integer({ min: 1, max: 2000 }),
      isLeft: fc.boolean(),
      follows: fc.constantFrom('commit', 'branch', 'nothing', 'merge', 'release'),
      globs: fc.constantFrom(null, '0123abcd'),
      number: fc.constantFrom(null, 7, 123_456),
      hides: fc.boolean(),
      writtenAt: fc.integer({ min: -1, max: 40_000 }).map((minutes) => start + minutes * minuteMs),
      run: fc.bigInt({ min: 1n, max: 10n ** 15n }).map(String),
    })
    .map(({ state, isLeft, ...more }) => ({
      ...stated(state, { isLeft: isLeft && state === 'job', link: null }),
      ...more,
    }))

  const aboutRun = { ...aboutCommit, hides: false }
  const job: StatusEntry = { ...stated('job'), ...aboutRun }
  const read = (description: string, at = place, by = owner) =>
    readStatus({ ...shown, ...at, description }, by)

  it('an entry is read as it was written, in at most 140 characters', () => {
    fc.assert(
      fc.property(hostileText, anyEntry, (words, written) => {
        const description = writeStatus(words, written, place, owner)
        expect(description.length).toBeLessThanOrEqual(140)
        expect(read(description)).toMatchObject({ entry: written, isSigned: true })
      }),
      runs(100),
    )
  })

  it('an end’s pull request is the status’s target', () => {
    const at = { ...place, targetUrl: target }
    const description = writeStatus('Words', { ...stated('pull-request'), ...aboutRun }, at, owner)
    expect(read(description, at)?.entry.link).toBe(target)
  })

  it.each<[of: string, elsewhere: object]>([
    ['commit', { commit: 'b'.repeat(40) }],
    ['context', { context: 'Docs agent / y' }],
    ['target', { targetUrl: target }],
  ])('an entry is signed for its %s', (_, elsewhere) => {
    const description = writeStatus('Words', job, place, owner)
    expect(read(description, { ...place, ...elsewhere })).toMatchObject({ isSigned: false })
    const run = { ...theRun, repositoryId: '2' }
    expect(read(description, place, { run, sign })).toMatchObject({ isSigned: false })
  })

  it('an entry whose job has a long ID stays open, so that nothing is sent twice', () => {
    const description = writeStatus('Words', { ...job, job: 'j'.repeat(100) }, place, owner)
    expect(read(description)?.entry.state).toBe('open')
  })

  it('a context has at most 200 characters, names every event but a push, and differs for each step', () => {
    const long = { ...step, workflow: 'x'.repeat(300) }
    const names = [
      statusContext(step, 'push'),
      statusContext(step, 'pull_request'),
      statusContext({ ...step, matrixIndex: '1' }, 'push'),
      statusContext(long, 'push'),
      statusContext({ ...long, step: 'other' }, 'push'),
    ]
    expect(names.slice(0, 2)).toEqual([
      'Docs agent / Docs / docs / __docs',
      'Docs agent / Docs / docs / __docs (pull_request)',
    ])
    expect(new Set(names).size).toBe(names.length)
    expect(Math.max(...names.map(({ length }) => length))).toBe(200)
  })
})

it('each attempt of a run and each step has its own writer name, of five characters', () => {
  const names = ['0', '1'].flatMap((matrixIndex) =>
    ['1', '2'].flatMap((id) => {
      const { writer, before } = writersOf({ ...theRun, id, attempt: 3, step: { ...step, matrixIndex } })
      return [...before, writer]
    }),
  )
  expect(new Set(names).size).toBe(12)
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{5}$/)
})
