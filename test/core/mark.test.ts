import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import {
  type FoundMark,
  jobToFollow,
  type Mark,
  projectName,
  readMark,
  recordOf,
  type StepName,
  stateFields,
  stateOnThread,
  stepName,
  type ThreadState,
  writeMark,
} from '../../src/core/mark.ts'
import { threadName } from '../../src/core/thread.ts'
import { anyCharacter, hostileText, stateNames, states } from './samples.ts'

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

/** Reads the mark in a comment with this id. */
const read = (id: number, body: string, from = thread, key = sign) =>
  readMark({ id, body, createdAt, nodeId: 'n1' }, from, key)

describe('a mark', () => {
  const mark = aMark()
  const written = writeMark(mark, thread, sign)

  it('a mark is read back from its comment, whatever the line endings are', () => {
    const found = { comment: 11, nodeId: 'n1', createdAt, mark, isSigned: true, isBound: true }
    for (const body of [`Done.\n\n${written}`, `Done.\r\n\r\n${written}\r\n `])
      expect(read(11, body)).toEqual({ ...found, body })
  })

  it('a mark is readable before it is bound, and reports that it is not bound', () => {
    const body = writeMark({ ...mark, at: 0 }, thread, sign)
    expect(read(11, body)).toMatchObject({ isSigned: true, isBound: false })
  })

  it('a mark can contain names in any script, and shows none of them', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (by, repository) => {
        const code = { repository, number: 12, head: 'a'.repeat(40), hold: 'merge' as const }
        const full = aMark({ by, code })
        const body = writeMark(full, thread, sign)
        expect(body).toMatch(/^<!-- [\w:+/=-]+ -->$/)
        expect(read(11, body)?.mark).toEqual(full)
      }),
    )
  })

  it('a mark is not written if its job is not a path segment', () => {
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
  ])('a mark has no valid signature if it was %s', (_, body, from, key) => {
    expect(read(11, body, from, key)?.isSigned).toBe(false)
  })

  it.each([
    ['if it was moved to another comment', 12, written],
    ['if it was forged for another comment', 12, payload(values)],
    ['if it was quoted, with text after it', 11, `${written}\n\nI agree`],
    ['if it is not at the end', 11, `${written} and more`],
    ['if it begins with another word', 11, written.replace('docs-agent', 'docs-agents')],
    ['if it has an earlier format', 11, written.replace(':2:', ':1:')],
    ['if it has no signature', 11, written.replace(/:[^:]+ -->/, ': -->')],
    ['if it is not Base64', 11, written.replace(/2:[^:]+:/, '2:ab=c:')],
    ['if it is not JSON', 11, payload('{')],
    ['if it is not a list', 11, payload({ at: 11 })],
    ['if a field is missing', 11, payload(values.slice(0, -2))],
    ['if its state is unknown', 11, payload(values.with(5, 'paid'))],
    ['if its job is not a path segment', 11, payload(values.with(6, '../x'))],
    ['if a number is text', 11, payload(values.with(0, '11'))],
    ['if it is huge', 11, payload(values.with(10, 'x'.repeat(20_000)))],
  ])('a mark is not read %s', (_, id, body) => {
    expect(read(id, body)).toBeNull()
  })

  it('reading text without a mark finds nothing, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), hostileText), (text) => {
        expect(read(11, `${text}<!-- docs-agent:2:${text}:${text} -->`)).toBeNull()
      }),
    )
  })

  it('a mark costs at most one signature check, however long the comment is', () => {
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
  ])('the name of a step is different with %j', (more) => {
    expect(stepName({ ...step, ...more })).not.toBe(stepName(step))
    expect(stepName({ ...step })).toBe(stepName(step))
  })

  it('step names do not reveal the project', () => {
    expect(projectName('acme-secret')).toMatch(/^[0-9a-f]{8}$/)
  })
})

/** A found mark, signed and bound to its comment unless the test says otherwise. */
function found(comment: number, more: Partial<Mark> = {}, how: Partial<FoundMark> = {}): FoundMark {
  const mark = aMark({ at: comment, job: null, ...more })
  return { comment, nodeId: '', body: '', createdAt, isSigned: true, isBound: true, mark, ...how }
}

const unbound = { isBound: false }
const unsigned = { isSigned: false }
const open = stateFields(states.open)
const atWork = stateFields(states.left)
const ended = stateFields(states['pull-request'])
const failed = stateFields(states.failed)
const notSent = stateFields(states['not-sent'])
/** The creation time of a second attempt at the request. */
const second = { since: 2 }

describe('the record of a mark', () => {
  it.each(stateNames)("a mark's record keeps its state: %s", (name) => {
    const mark = aMark({ ...stateFields(states[name]), until: 9 })
    const again = read(11, writeMark(mark, thread, sign))?.mark ?? aMark()
    expect(recordOf(again)).toEqual({ ...states[name], since: 1, until: 9 })
  })

  it('a mark from an earlier version is read as if its run ended within an hour', () => {
    const { isLeft: _, ...earlier } = aMark(atWork)
    expect(recordOf(earlier)).toEqual({ ...states.left, since: 1, until: 3_600_001 })
  })

  it.each<[string, Partial<Mark>]>([
    ['a job that it does not name', { state: 'job', job: null }],
    ['an outcome that it does not name', { state: 'ended', outcome: null }],
    ['an outcome that does not end a request', { state: 'ended', outcome: 'timed-out' }],
    ['an unknown outcome', { state: 'ended', outcome: 'paid' }],
  ])("a mark's record is open, so that nothing is sent, if it claims %s", (_, more) => {
    expect(recordOf(aMark(more)).state).toBe('open')
  })
})

/** What earlier runs left, in words: the record, then the comments. */
function inWords({ known, working, spare, outdated }: ThreadState): string {
  const record = known.kind === 'record' ? known.record : null
  const state = record?.state === 'ended' ? record.outcome : (record?.state ?? known.kind)
  const job = record !== null && 'job' in record && record.job !== null ? ` ${record.job}` : ''
  return [
    `${state}${job}`,
    ...(working === null ? [] : [`working ${working}`]),
    ...spare.map((comment) => `spare ${comment}`),
    ...outdated.map(({ comment }) => `outdated ${comment}`),
  ].join(', ')
}

describe('the state of a request', () => {
  it.each<[name: string, expected: string, marks: FoundMark[]]>([
    ['is nothing without a mark', 'none', []],
    [
      'is nothing if the mark is from another request',
      'none',
      [found(1, { ...atWork, request: 'comment:2' })],
    ],
    ['is nothing if the mark is from another step', 'none', [found(1, { ...atWork, step: 's2' })]],
    ['is nothing if the mark is of another kind', 'none', [found(1, { ...atWork, role: 'provenance' })]],
    ['is a comment to hide if its mark was never bound', 'none, outdated 1', [found(1, open, unbound)]],
    ['is the record of a request that may have been sent', 'open, working 1', [found(1, open)]],
    ['is a job', 'job job_1, working 1', [found(1, atWork)]],
    ['is a result', 'pull-request job_1', [found(2, ended)]],
    [
      'is a result, beside a comment that it replaces',
      'pull-request job_1, spare 1',
      [found(1, atWork), found(2, ended)],
    ],
    [
      'is the result of a job whose edit was lost',
      'failed job_1, spare 1',
      [found(1, open), found(2, failed)],
    ],
    [
      'is a result that is not bound, beside a comment that is only hidden',
      'pull-request job_1, outdated 1',
      [found(1, atWork), found(2, ended, unbound)],
    ],
    [
      'is a result, even if it was never bound, so nothing is sent',
      'pull-request job_1',
      [found(2, ended, unbound)],
    ],
    ['is a record that says that nothing was sent', 'not-sent, spare 1', [found(1, notSent)]],
    [
      'is nothing if the run was killed before it bound the mark that says that nothing was sent',
      'none, spare 1',
      [found(1, open), found(2, notSent, unbound)],
    ],
    [
      'is a second attempt after a first one that was not sent',
      'open, working 3, spare 2',
      [found(2, notSent), found(3, { ...open, ...second })],
    ],
    [
      'is a second attempt beside the result of the first, which stays',
      'job job_2, working 3',
      [found(2, failed), found(3, { ...atWork, ...second, job: 'job_2' })],
    ],
    [
      'is the last of two results',
      'pull-request job_2',
      [found(2, failed), found(3, { ...ended, ...second, job: 'job_2' })],
    ],
    [
      'is the bound record, even if a later one is not bound',
      'job job_1, working 1, outdated 2',
      [found(1, atWork), found(2, open, unbound)],
    ],
    ['is unknown after a change of key', 'foreign, outdated 1', [found(1, atWork, unsigned)]],
    ['is unknown after a result and a change of key', 'foreign', [found(1, ended, unsigned)]],
    [
      'is nothing if a mark signed with an earlier key says that nothing was sent',
      'none',
      [found(1, notSent, unsigned)],
    ],
    [
      'is the record that this key signed, whatever an earlier key signed',
      'job job_2, working 2, outdated 1',
      [found(1, atWork, unsigned), found(2, { ...atWork, job: 'job_2' })],
    ],
  ])('the state of a request %s', (_, expected, marks) => {
    const request = { request: 'comment:1', step: 's1' }
    expect(inWords(stateOnThread(request, marks))).toBe(expected)
    expect(inWords(stateOnThread(request, marks.toReversed()))).toBe(expected)
  })
})

describe('a later request', () => {
  const another = { ...atWork, job: 'job_2', request: 'comment:2' }
  const onPull = { ...atWork, role: 'provenance', step: 's2' } as const
  it.each<[name: string, expected: string | null, marks: FoundMark[]]>([
    ['makes its own job if the thread has none', null, []],
    ['goes to the last job', 'job_2', [found(1, ended), found(2, another)]],
    [
      'ignores a request without a job',
      'job_1',
      [found(1, ended), found(2, { ...open, request: 'comment:2' })],
    ],
    ["goes to the job behind the agent's pull request", 'job_1', [found(1, onPull)]],
    ["does not go to another project's job", null, [found(1, { ...onPull, project: 'p2' })]],
    ["does not go to another step's job", null, [found(1, { ...atWork, step: 's2' })]],
    ['ignores a mark with another signature', null, [found(1, atWork, unsigned)]],
    ['ignores a mark that is not bound', null, [found(1, atWork, unbound)]],
  ])('a later request %s', (_, expected, marks) => {
    expect(jobToFollow({ step: 's1', project: 'p1' }, marks)).toBe(expected)
  })
})
