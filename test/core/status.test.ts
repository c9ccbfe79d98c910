import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signWith } from '../../src/adapters/sign.ts'
import { recordedGlobs } from '../../src/core/guard.ts'
import type { StepName } from '../../src/core/mark.ts'
import type { RequestRecord } from '../../src/core/record.ts'
import {
  contextsFor,
  firstContext,
  isOwnContext,
  readStatus,
  type StatusMark,
  type StatusPlace,
  stateOfRun,
  statusContext,
  stepOfContext,
  writeStatus,
} from '../../src/core/status.ts'
import { hostileText, stateNames, states } from './samples.ts'

const step: StepName = { workflow: 'Docs', job: 'docs', step: 'run', matrixIndex: '0', project: 'p1' }
const place: StatusPlace = { repository: 'acme/docs', commit: 'a'.repeat(40), context: 'c', project: 'p1' }
const sign = signWith('mint_0123456789')
const runUrl = 'https://github.com/acme/docs/actions/runs/42'
/** Times in whole minutes, because a description has no room for seconds. */
const times = { since: 1_800_000_000_000, until: 1_800_003_600_000 }
const recordOf = (name: keyof typeof states): RequestRecord => ({ ...states[name], ...times })
const markOf = (name: keyof typeof states, run = '42', isSigned = true): StatusMark => ({
  record: recordOf(name),
  run,
  follows: 'commit',
  isSigned,
})
const targetOf = (name: keyof typeof states) => {
  const state = states[name]
  return ('prLink' in state ? state.prLink : null) ?? runUrl
}
const written = (mark: StatusMark, words = 'Working on the docs', targetUrl = runUrl) =>
  writeStatus(words, mark, place, targetUrl, sign)
const read = (description: string, where: Partial<StatusPlace> = {}, targetUrl = runUrl, key = sign) =>
  readStatus({ description, targetUrl }, { ...place, ...where }, key)

describe('a status', () => {
  it.each(stateNames)('a status keeps its record: %s', (name) => {
    const mark = markOf(name)
    expect(read(written(mark, 'x', targetOf(name)), {}, targetOf(name))).toEqual(mark)
  })

  it.each(['commit', 'branch', 'nothing', 'merge', 'release'] as const)(
    'a status keeps what the docs are about: %s',
    (follows) => expect(read(written({ ...markOf('left'), follows }))).toMatchObject({ follows }),
  )

  it('a status keeps the name of allowed-paths, and its signature covers the name', () => {
    const globs = recordedGlobs(['docs/**'])
    const status = written({ ...markOf('left'), globs })
    expect(read(status)).toMatchObject({ globs, isSigned: true })
    for (const forged of [status.replace(`:${globs}`, ''), status.replace(`:${globs}`, ':00000000')])
      expect(read(forged)).toMatchObject({ isSigned: false })
  })

  it('a status has room for its record and any words in 140 characters; if the job id is too long, the record stays open', () => {
    const anId = fc.stringMatching(/^[\w.:-]{1,200}$/).filter((id) => !/^\.\.?$/.test(id))
    const aState = fc.constantFrom<'left' | 'failed'>('left', 'failed')
    fc.assert(
      fc.property(hostileText, anId, aState, (words, job, name) => {
        const record: RequestRecord = { ...states[name], ...times, job }
        const description = written(
          { ...markOf('left'), record, run: '12345678901', globs: 'a1b2c3d4' },
          words,
        )
        expect(description.length).toBeLessThanOrEqual(140)
        expect(description).not.toMatch(/[\r\n]/)
        const seen = read(description)
        const open = { state: 'open', ...times }
        expect(seen?.record).toEqual(job.length > 60 && seen?.record.state === 'open' ? open : record)
      }),
    )
  })

  const told = written(markOf('left'))
  it.each<[string, ...Parameters<typeof read>]>([
    ['another commit', told, { commit: 'b'.repeat(40) }],
    ['another repository', told, { repository: 'acme/app' }],
    ['another context', told, { context: 'c · 2' }],
    ['another target', told, {}, 'https://evil.example/pull/1'],
    ['another key', told, {}, runUrl, signWith('mint_another_key')],
    ['another job', told.replace('job_1', 'job_9')],
    ['another run', told.replace('run 42', 'run 43')],
    ['another state', told.replace(' · l', ' · w')],
  ])('a status has no valid signature for %s', (_, ...seen) => {
    expect(read(...seen)).toMatchObject({ isSigned: false })
  })

  it('a status has a valid signature for its repository regardless of case', () => {
    expect(read(told, { repository: 'Acme/Docs' })?.isSigned).toBe(true)
  })

  it.each([
    ['of another action', 'All checks passed'],
    ['with text after its mark', `${told} !`],
    ['whose run is not a number', told.replace('42', 'x')],
    ['without a run', told.replace(' · run 42', '')],
    ['in an unknown state', told.replace(' · l', ' · q')],
    ['whose job is not a path segment', told.replace('job_1', '../x')],
    ['without the job that its state needs', told.replace(' · job job_1', '')],
  ])('a status %s is not read', (_, description) => {
    expect(read(description)).toBeNull()
  })

  it('a status of another project is not read', () => {
    expect(read(told, { project: 'p2' })).toBeNull()
  })

  it("a status's job is read from the end of the description, and a job ID before that is ignored", () => {
    expect(read(written(markOf('left'), told.replace('job_1', 'job_9')))?.record).toMatchObject({
      job: 'job_1',
    })
  })

  it.each([
    ['job job_1', 'open'],
    ['sending', 'open'],
    ['not sent', 'not-sent'],
  ])('a status of an earlier version is still read: “%s” becomes %s', (said, state) => {
    expect(read(`Working · ${said} · run 42 · 0123abcd`)).toMatchObject({
      record: { state },
      run: '42',
      isSigned: false,
    })
  })
})

describe('a context', () => {
  it('a context names the workflow, the job and the step', () => {
    expect(statusContext(step)).toBe('Docs agent / Docs / docs / run')
    expect(statusContext({ ...step, matrixIndex: '' })).toBe(statusContext(step))
  })

  it.each([
    [statusContext(step), true],
    [`${statusContext(step)} · 2`, true],
    ['Docs agents / x', false],
    ['Docs agent / hold', false],
    ['Docs agent / allowed paths', false],
  ])('the context “%s” belongs to a step: %s', (context, isOwn) => {
    expect(isOwnContext(context)).toBe(isOwn)
  })

  const long = { ...step, workflow: 'W'.repeat(300) }
  it.each<[string, StepName, StepName]>([
    ['workflow', step, { ...step, workflow: 'Other' }],
    ['job', step, { ...step, job: 'other' }],
    ['step', step, { ...step, step: 'other' }],
    ['matrix leg', step, { ...step, matrixIndex: '1' }],
    ['step, after a long name', long, { ...long, step: 'other' }],
    ['end of a long name', long, { ...long, workflow: `${long.workflow}!` }],
  ])('a context is different for another %s', (_, one, other) => {
    expect(statusContext(one)).not.toBe(statusContext(other))
    for (const each of [one, other]) expect(statusContext(each).length).toBeLessThanOrEqual(200)
  })

  type Found = Parameters<typeof contextsFor>[2]
  const by = (context: string, ...marks: (StatusMark | null)[]): Found =>
    marks.map((mark) => ({ context, mark, isPending: true }))
  const ofProject = (isPending: boolean): Found => [{ context: 'c', mark: null, isPending }]
  const others = markOf('open', '41')
  const ended = markOf('failed', '41')
  it.each<[name: string, expected: string, found: Found]>([
    ['is free on a new commit', 'c', []],
    ['is the one that the run already uses', 'c', by('c', markOf('open'))],
    ["is free once another run's request has ended", 'c', by('c', ended, others)],
    ['is free once another run has sent nothing', 'c', by('c', markOf('not-sent', '41'), others)],
    ['is not taken by a status with another signature', 'c', by('c', markOf('open', '41', false))],
    ["is free once another project's request has ended", 'c', ofProject(false)],
    ["does not hide another project's open record", 'c · 2', ofProject(true)],
    ["does not hide another run's open record", 'c · 2', by('c', others)],
    ["does not hide another run's job", 'c · 2', by('c', markOf('left', '41'), others)],
    ['is found again', 'c · 2', [...by('c', others), ...by('c · 2', markOf('left'))]],
    ['is a third one if two are in use', 'c · 3', [...by('c', others), ...by('c · 2', markOf('left', '40'))]],
    ['has room below 900 statuses', 'c', by('c', ...Array<StatusMark>(899).fill(ended))],
    ['is full at 900 statuses', 'c · 2', by('c', ...Array<StatusMark>(900).fill(ended))],
  ])('the context of a run %s', (_, expected, found) => {
    expect(contextsFor('c', '42', found)).toEqual([expected])
    expect(firstContext(expected)).toBe('c')
    expect(stepOfContext(expected, 'p1')).toBe(stepOfContext('c', 'p1'))
  })
})

describe('the record of a run', () => {
  const unsigned = (name: keyof typeof states) => markOf(name, '42', false)
  it.each<[name: string, expected: keyof typeof states | 'none' | 'foreign', marks: StatusMark[]]>([
    ['is nothing without a status', 'none', []],
    ['is nothing if all statuses belong to another run', 'none', [markOf('left', '41')]],
    ['is its last record', 'left', [markOf('left'), markOf('open')]],
    [
      'is its last record, even if another run has a later one',
      'left',
      [markOf('failed', '41'), markOf('left')],
    ],
    ['is a second attempt', 'open', [markOf('open'), markOf('failed'), markOf('open')]],
    ['is unknown if the key has changed', 'foreign', [unsigned('left')]],
    [
      'is nothing if a status signed with an earlier key says that nothing was sent',
      'none',
      [unsigned('not-sent'), unsigned('open')],
    ],
    [
      'is the record that this key signed, whatever an earlier key signed',
      'left',
      [unsigned('open'), markOf('left')],
    ],
  ])('the record of a run %s', (_, expected, marks) => {
    const isRecord = expected !== 'none' && expected !== 'foreign'
    const known = isRecord ? { kind: 'record', record: recordOf(expected) } : { kind: expected }
    expect(stateOfRun('42', marks)).toEqual(known)
  })
})
