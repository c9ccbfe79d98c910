import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import {
  type FoundMark,
  jobToFollow,
  type Mark,
  projectName,
  readMark,
  type Standing,
  type StepName,
  standingOf,
  stepName,
  writeMark,
} from '../../src/core/mark.ts'
import { threadName } from '../../src/core/thread.ts'
import { anyCharacter, hostileText } from './samples.ts'

const sign = signWith('mint_0123456789')
const thread = threadName({ repository: 'Acme/Docs', number: 7, isPullRequest: false, reviewRoot: null })
const createdAt = 1_800_000_000_000

function aMark(more: Partial<Mark> = {}): Mark {
  return {
    at: 11,
    role: 'reply',
    request: 'comment:1',
    step: 's1',
    project: 'p1',
    state: 'job',
    job: 'job_1',
    outcome: null,
    prLink: null,
    since: 1,
    by: 'mona',
    ...more,
  }
}

/** What is read of a comment with this id. */
const read = (id: number, body: string, from = thread, key = sign) =>
  readMark({ id, body, createdAt }, from, key)

describe('a mark', () => {
  const mark = aMark()
  const written = writeMark(mark, thread, sign)

  it('comes back from the comment that bears it', () => {
    const found = { comment: 11, createdAt, mark, isSigned: true, isBound: true }
    expect(read(11, `Done.\n\n${written}`)).toEqual(found)
    expect(read(11, `Done.\r\n\r\n${written}\r\n `)).toEqual(found)
  })

  it('comes back before it is bound, and says that it is not', () => {
    const body = writeMark({ ...mark, at: 0 }, thread, sign)
    expect(read(11, body)).toMatchObject({ isSigned: true, isBound: false })
  })

  it('holds names in any letters, and shows nothing of them', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (by, author) => {
        const changes = [{ repository: 'acme/app', head: 'a'.repeat(40), number: null, author }]
        const full = aMark({ by, changes })
        const body = writeMark(full, thread, sign)
        expect(body).toMatch(/^<!-- [\w:+/=-]+ -->$/)
        expect(read(11, body)?.mark).toEqual(full)
      }),
    )
  })

  it('keeps the latest changes if it would be too long to be read', () => {
    const changes = Array.from({ length: 20 }, (_, number) => {
      return { repository: 'acme/app', head: 'a'.repeat(40), number, author: 'é'.repeat(300) }
    })
    const found = read(11, writeMark(aMark({ changes }), thread, sign))
    expect(found?.mark.changes?.length).toBeGreaterThan(2)
    expect(found?.mark.changes?.at(-1)).toEqual(changes.at(-1))
  })

  it('is not written with a job that no request could name', () => {
    expect(() => writeMark(aMark({ job: '../keys' }), thread, sign)).toThrow()
  })

  const payload = (values: unknown) =>
    written.replace(/2:[^:]+:/, `2:${btoa(typeof values === 'string' ? values : JSON.stringify(values))}:`)
  const values = [11, 'reply', 'comment:1', 's1', 'p1', 'job', 'job_2', null, null, 1, 'mona']

  it.each([
    ['signed with another key', written, thread, signWith('mint_another_key')],
    ['copied from another thread', written, 'acme/docs#8', sign],
    ['copied into a review thread', written, `${thread}/900`, sign],
    ['changed to another job', payload(values), thread, sign],
  ])('is not taken for signed: %s', (_, body, from, key) => {
    expect(read(11, body, from, key)?.isSigned).toBe(false)
  })

  it.each([
    ['moved to another comment', 12, written],
    ['forged for another comment', 12, payload(values)],
    ['quoted: text comes after it', 11, `${written}\n\nI agree`],
    ['edited in before the end', 11, `${written} and more`],
    ['with another word in it', 11, written.replace('docs-agent', 'docs-agents')],
    ['of an earlier version', 11, written.replace(':2:', ':1:')],
    ['without a signature', 11, written.replace(/:[^:]+ -->/, ': -->')],
    ['not Base64', 11, written.replace(/2:[^:]+:/, '2:ab=c:')],
    ['not JSON', 11, payload('{')],
    ['not a list', 11, payload({ at: 11 })],
    ['with a field too few', 11, payload(values.slice(0, -1))],
    ['with an unknown state', 11, payload(values.with(5, 'paid'))],
    ['with a job that is no path segment', 11, payload(values.with(6, '../x'))],
    ['with a number that is none', 11, payload(values.with(0, '11'))],
    ['huge', 11, payload(values.with(10, 'x'.repeat(20_000)))],
  ])('is not read: %s', (_, id, body) => {
    expect(read(id, body)).toBeNull()
  })

  it('is not found in text that has none, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), hostileText), (text) => {
        expect(read(11, `${text}<!-- docs-agent:2:${text}:${text} -->`)).toBeNull()
      }),
    )
  })

  it('costs one signature at most, however long the comment is', () => {
    const signed: string[] = []
    const counting = (text: string) => {
      signed.push(text)
      return sign(text)
    }
    const foreign = written.replace(/:[^:]+ -->/, ':forged -->')
    expect(read(11, foreign.repeat(300), thread, counting)?.isSigned).toBe(false)
    expect(signed).toHaveLength(1)
  })
})

describe('the names of steps', () => {
  const step: StepName = { workflow: 'Docs', job: 'docs', step: 'run', matrixIndex: '0', project: 'p' }
  it.each<Partial<StepName>>([
    { workflow: 'Other' },
    { job: 'other' },
    { step: 'other' },
    { matrixIndex: '1' },
    { project: 'other' },
    { workflow: 'Docs","docs', job: '' },
  ])('differ with %j', (more) => {
    expect(stepName({ ...step, ...more })).not.toBe(stepName(step))
    expect(stepName({ ...step })).toBe(stepName(step))
  })

  it('name no project', () => {
    expect(projectName('acme-secret')).toMatch(/^[0-9a-f]{8}$/)
  })
})

/** A mark as it is found: signed and bound to its comment, unless it is said otherwise. */
function found(comment: number, more: Partial<Mark> = {}, how: Partial<FoundMark> = {}): FoundMark {
  return {
    comment,
    createdAt,
    isSigned: true,
    isBound: true,
    mark: aMark({ at: comment, job: null, ...more }),
    ...how,
  }
}

const unbound = { isBound: false }
const unsigned = { isSigned: false }
const open = { state: 'open' } as const
const atWork = { state: 'job', job: 'job_1' } as const
const ended = {
  state: 'ended',
  job: 'job_1',
  outcome: 'pull-request',
  prLink: 'https://x.example/1',
} as const
const failed = { ...ended, outcome: 'failed', prLink: null } as const
const notSent = { state: 'not-sent', outcome: 'error' } as const
/** Of a second run of the request. */
const second = { since: 2 }

describe('what stands of a request', () => {
  type Row = [name: string, marks: FoundMark[], expected: Standing]
  const nothing: Standing = {
    kind: 'none',
    job: null,
    isSpent: false,
    working: null,
    result: null,
    spare: [],
  }
  const withJob: Standing = { ...nothing, kind: 'job', job: 'job_1' }
  const spent: Standing = { ...withJob, isSpent: true }
  const rows: Row[] = [
    ['nothing', [], nothing],
    ['a mark that is not bound: nothing was sent', [found(1, open, unbound)], { ...nothing, working: 1 }],
    ['an open mark: it may have been sent', [found(1, open)], { ...nothing, kind: 'open', working: 1 }],
    ['a job at work', [found(1, atWork)], { ...withJob, working: 1 }],
    ['a job whose end is told', [found(2, ended)], { ...withJob, result: 2 }],
    ['both: killed in between', [found(1, atWork), found(2, ended)], { ...withJob, working: 1, result: 2 }],
    [
      'a result that is not bound yet',
      [found(1, atWork), found(2, ended, unbound)],
      { ...withJob, working: 1, result: 2 },
    ],
    [
      'a result alone that is not bound: it directs nothing',
      [found(2, ended, unbound)],
      { ...nothing, spare: [2] },
    ],
    [
      'an open mark beside it: not known, so not sent again',
      [found(1, open), found(2, ended, unbound)],
      { ...nothing, kind: 'open', working: 1, spare: [2] },
    ],
    ['closed as not sent', [found(1, notSent)], { ...nothing, spare: [1] }],
    [
      'closed as not sent, killed before the open mark was deleted',
      [found(1, open), found(2, notSent, unbound)],
      { ...nothing, working: 1, spare: [2] },
    ],
    [
      'open again after it was closed as not sent',
      [found(2, notSent), found(3, { ...open, ...second })],
      { ...nothing, kind: 'open', working: 3, spare: [2] },
    ],
    ['a job that failed', [found(2, failed)], { ...spent, result: 2 }],
    ['a job that was archived', [found(2, { ...failed, outcome: 'archived' })], { ...spent, result: 2 }],
    [
      'archived with a pull request',
      [found(2, { ...ended, outcome: 'archived' })],
      { ...withJob, result: 2 },
    ],
    [
      'failed, in a result that is not bound',
      [found(1, atWork), found(2, failed, unbound)],
      { ...spent, working: 1, result: 2 },
    ],
    [
      'open again after a job that failed',
      [found(2, failed), found(3, { ...open, ...second })],
      { ...nothing, kind: 'open', working: 3, spare: [2] },
    ],
    [
      'the same in the comment of the first run',
      [found(1, { ...open, ...second }), found(2, failed)],
      { ...nothing, kind: 'open', working: 1, spare: [2] },
    ],
    [
      'open in the run whose job failed: the edit that names the job was lost',
      [found(1, open), found(2, failed)],
      { ...spent, working: 1, result: 2 },
    ],
    [
      'a second job after one that failed',
      [found(2, failed), found(3, { ...atWork, ...second, job: 'job_2' })],
      { ...withJob, job: 'job_2', working: 3, spare: [2] },
    ],
    [
      'the same in the comment of the first run',
      [found(1, { ...atWork, ...second, job: 'job_2' }), found(2, failed)],
      { ...withJob, job: 'job_2', working: 1, spare: [2] },
    ],
    [
      'an orphan beside the bound mark',
      [found(1, atWork), found(2, open, unbound)],
      { ...withJob, working: 1, spare: [2] },
    ],
    ['signed with a key of before', [found(1, atWork, unsigned)], { ...nothing, kind: 'unverifiable' }],
    [
      'signed with a key of before, and with this one',
      [found(1, atWork, unsigned), found(2, { ...atWork, job: 'job_2' })],
      { ...withJob, job: 'job_2', working: 2 },
    ],
    ['of another request', [found(1, { ...atWork, request: 'comment:2' })], nothing],
    ['of another step', [found(1, { ...atWork, step: 's2' })], nothing],
    ['of another kind', [found(1, { ...atWork, role: 'provenance' })], nothing],
  ]
  it.each(rows)('%s', (_, marks, expected) => {
    const request = { request: 'comment:1', step: 's1' }
    expect(standingOf(request, marks)).toEqual(expected)
  })
})

describe('the job that a further request goes to', () => {
  const rows: [name: string, marks: FoundMark[], expected: string | null][] = [
    ['none', [], null],
    [
      'that of the last request',
      [found(1, ended), found(2, { ...atWork, job: 'job_2', request: 'comment:2' })],
      'job_2',
    ],
    [
      'that of the last request that has one',
      [found(1, ended), found(2, { ...open, request: 'comment:2' })],
      'job_1',
    ],
    ['that of the agent’s pull request', [found(1, { ...atWork, role: 'provenance', step: 's2' })], 'job_1'],
    ['no job of another project', [found(1, { ...atWork, role: 'provenance', project: 'p2' })], null],
    ['no job of another step', [found(1, { ...atWork, step: 's2' })], null],
    ['none of a forged mark', [found(1, atWork, unsigned)], null],
    ['none of a mark that is not bound', [found(1, atWork, unbound)], null],
  ]
  it.each(rows)('%s', (_, marks, expected) => {
    expect(jobToFollow({ step: 's1', project: 'p1' }, marks)).toBe(expected)
  })
})
