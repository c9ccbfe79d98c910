/**
 * The format of entries, as text: entries.txt has comments and statuses that the action has written, each with the values
 * in it. Lines are only ever added there, because entries outlive the code that wrote them.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { holdKinds, holdStatuses } from '../../src/core/hold.ts'
import { states } from '../../src/record/entry.ts'
import type { CommentEntry, StatusEntry } from '../../src/record/format.ts'
import { readComment, readStatus, writeComment, writeStatus } from '../../src/record/format.ts'
import { sign, theRun, issue as thread } from '../run/step.ts'
import { link } from './samples.ts'

const owner = { run: theRun, sign }
const own = { author: 'me', viewer: 'me' }
const target = { commit: 'a'.repeat(40), context: 'Docs agent / x', targetUrl: link }

const lines = readFileSync(`${import.meta.dirname}/entries.txt`, 'utf8')
  .trimEnd()
  .split('\n')
const rows = lines.flatMap((bytes, index) => {
  const json = lines[index + 1] ?? ''
  return index % 2 === 0 ? { bytes, json, values: JSON.parse(json) } : []
})
const comments = rows.filter(({ bytes }) => bytes.startsWith('<!--'))
const statuses = rows.filter(({ bytes }) => !bytes.startsWith('<!--'))

it.each(comments)(
  'an entry in a comment is written and read: $values.request, $values.state',
  ({ bytes, values }) => {
    const { isNewer, ...entry }: CommentEntry & { isNewer?: true } = values
    const body = `Words\n\n${bytes}`
    const found = readComment({ ...own, id: 1, nodeId: '', body, createdAt: 0, thread }, sign)
    expect(found).toMatchObject({ isSigned: !isNewer, isNewer: isNewer === true })
    expect(found?.entry).toEqual(entry)
    if (!isNewer) expect(writeComment('Words', entry, thread, sign)).toBe(body)
  },
)

it.each(statuses)(
  'an entry in a status is written and read: run $values.run, $values.state',
  ({ bytes, values }) => {
    const { isNewer, ...entry }: StatusEntry & { isNewer?: true } = values
    const shown = { ...own, id: 1, state: 'success', createdAt: 0, description: bytes } as const
    const found = readStatus({ ...shown, ...target }, owner)
    expect(found).toMatchObject({ isSigned: !isNewer, isNewer: isNewer === true })
    expect(found?.entry).toEqual(entry)
    if (!isNewer) expect(writeStatus('Words', entry, target, owner)).toBe(bytes)
  },
)

it('there is text for each state, in the order of their ranks, and for each other code', () => {
  const valuesOf = (of: typeof rows, name: string) =>
    of.flatMap(({ values }) => (values.isNewer ? [] : values[name]))
  expect(valuesOf(comments, 'state')).toEqual(states)
  expect(valuesOf(statuses, 'state')).toEqual(states)
  expect(new Set(valuesOf(comments, 'role'))).toEqual(new Set(['request', 'pull', 'link', 'notice']))
  const follows = ['commit', 'branch', 'nothing', 'merge', 'release']
  expect(new Set(valuesOf(statuses, 'follows'))).toEqual(new Set(follows))
  const holds = valuesOf(comments, 'code').filter((code) => code !== null)
  expect(new Set(holds.map(({ hold }) => hold))).toEqual(new Set([null, ...holdKinds]))
  expect(new Set(holds.flatMap(({ state }) => state ?? []))).toEqual(new Set(Object.keys(holdStatuses)))
  expect(rows.filter(({ json }) => json.includes('isNewer'))).toHaveLength(2)
})
