import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MarkState, StepName } from '../../src/core/mark.ts'
import {
  isOwnContext,
  readStatus,
  type StatusMark,
  standingOfRun,
  statusContext,
  writeStatus,
} from '../../src/core/status.ts'
import { hostileText } from './samples.ts'

const owner = { project: 'p1', hasChange: true }
const step: StepName = { workflow: 'Docs', job: 'docs', step: 'run', matrixIndex: '0', project: 'p1' }

/** What GitHub shows for a mark: a job at work is pending. */
const shown = (mark: StatusMark, words = 'Working on the docs') => ({
  state: mark.state === 'job' ? 'pending' : 'success',
  description: writeStatus(words, mark, owner),
})

describe('a status', () => {
  const marks: [MarkState, string | null][] = [
    ['open', null],
    ['job', 'job_1'],
    ['ended', 'job_1'],
    ['not-sent', null],
  ]
  it.each(marks)('comes back: %s', (state, job) => {
    const mark = { state, job, run: '42' }
    expect(readStatus(shown(mark), 'p1')).toEqual({ ...mark, ...owner })
  })

  it('comes back with any words and ids, in 140 characters', () => {
    const anId = fc.stringMatching(/^[\w.:-]{1,200}$/).filter((id) => !/^\.\.?$/.test(id))
    fc.assert(
      fc.property(hostileText, anId, fc.constantFrom('job', 'ended'), (words, job, state) => {
        const status = shown({ state, job, run: '12345678901' } as StatusMark, words)
        expect(status.description.length).toBeLessThanOrEqual(140)
        expect(status.description).not.toMatch(/[\r\n]/)
        const expected = job.length > 91 ? { state: 'open', job: null } : { state, job }
        expect(readStatus(status, 'p1')).toMatchObject(expected)
      }),
    )
  })

  it('is left open if the job’s id is too long for it', () => {
    const status = shown({ state: 'ended', job: 'j'.repeat(101), run: '42' })
    expect(readStatus(status, 'p1')).toEqual({ state: 'open', job: null, run: '42', ...owner })
    expect(status.description.length).toBeLessThanOrEqual(140)
  })

  it('says so if it only needs the commit for its mark', () => {
    const description = writeStatus(
      'x',
      { state: 'job', job: 'job_1', run: '42' },
      { ...owner, hasChange: false },
    )
    expect(readStatus({ state: 'pending', description }, 'p1')).toMatchObject({ hasChange: false })
  })

  const told = shown({ state: 'ended', job: 'job_1', run: '42' }).description
  it.each([
    ['of another project', told, 'p2'],
    ['of another action', 'All checks passed', 'p1'],
    ['with something after it', `${told} !`, 'p1'],
    ['with a run that is none', told.replace('42', 'x'), 'p1'],
    ['without a run', told.replace(' · run 42', ''), 'p1'],
  ])('is not read: %s', (_, description, project) => {
    expect(readStatus({ state: 'success', description }, project)).toBeNull()
  })

  it('takes its job from the end: words before it say nothing', () => {
    const words = told.replace('job_1', 'job_9')
    const status = shown({ state: 'ended', job: 'job_1', run: '42' }, words)
    expect(readStatus(status, 'p1')?.job).toBe('job_1')
  })
})

describe('a context', () => {
  it('names the workflow, the job and the step', () => {
    expect(statusContext(step)).toBe('Docs agent / Docs / docs / run')
    expect(statusContext({ ...step, matrixIndex: '' })).toBe(statusContext(step))
    expect(isOwnContext(statusContext(step))).toBe(true)
    expect(isOwnContext('Docs agents / x')).toBe(false)
  })

  const long = { ...step, workflow: 'W'.repeat(300) }
  it.each<[string, StepName, StepName]>([
    ['workflow', step, { ...step, workflow: 'Other' }],
    ['job', step, { ...step, job: 'other' }],
    ['step', step, { ...step, step: 'other' }],
    ['matrix leg', step, { ...step, matrixIndex: '1' }],
    ['step, after a long name', long, { ...long, step: 'other' }],
    ['end of a long name', long, { ...long, workflow: `${long.workflow}!` }],
  ])('differs with the %s', (_, one, other) => {
    expect(statusContext(one)).not.toBe(statusContext(other))
    for (const each of [one, other]) expect(statusContext(each).length).toBeLessThanOrEqual(200)
  })
})

describe('what stands of a run on a commit, the newest status first', () => {
  const mark = (state: MarkState, job: string | null = null, run = '42'): StatusMark => ({ state, job, run })
  const rows: [name: string, marks: StatusMark[], expected: ReturnType<typeof standingOfRun>][] = [
    ['nothing', [], { kind: 'none' }],
    ['nothing of this run', [mark('job', 'job_1', '41')], { kind: 'none' }],
    ['it may have been sent', [mark('open')], { kind: 'open' }],
    ['a job', [mark('job', 'job_1'), mark('open')], { kind: 'job', job: 'job_1', isOpen: false }],
    [
      'a job that ended',
      [mark('ended', 'job_1'), mark('open')],
      { kind: 'job', job: 'job_1', isOpen: false },
    ],
    ['not sent', [mark('not-sent'), mark('open')], { kind: 'none' }],
    ['sent again after it was not', [mark('open'), mark('not-sent'), mark('open')], { kind: 'open' }],
    [
      'perhaps sent again after a job',
      [mark('open'), mark('ended', 'job_1'), mark('open')],
      { kind: 'job', job: 'job_1', isOpen: true },
    ],
    [
      'the latest of two jobs',
      [mark('job', 'job_2'), mark('open'), mark('ended', 'job_1')],
      { kind: 'job', job: 'job_2', isOpen: false },
    ],
  ]
  it.each(rows)('%s', (_, marks, expected) => {
    expect(standingOfRun('42', marks)).toEqual(expected)
  })
})
