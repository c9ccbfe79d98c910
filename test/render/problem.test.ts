import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSend } from '../../src/core/job/operation.ts'
import { mayHaveArrived } from '../../src/core/job/response.ts'
import { explain } from '../../src/render/problem.ts'
import { anyFailure, hostileText, operations, refused } from '../core/samples.ts'
import { place, platform, problems } from './samples.ts'

describe.each(problems)('the explanation of %s', (_, problem) => {
  const { id, what, why, next } = explain(problem, place)

  it('says what, why and what next, in whole sentences', () => {
    for (const sentence of [what, why, next]) {
      expect(sentence).toMatch(/^[“"`\w][\s\S]*[.]$/)
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\.\.$| {2}|\s\./)
    }
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
  })
})

describe('an explanation', () => {
  // A message always goes to a job that is known.
  it.each(problems.filter(([name]) => !name.startsWith('message')))(
    'of %s says nothing undefined where no job is known yet',
    (_, problem) => {
      const { what, why, next } = explain(problem, { ...place, jobId: null })
      expect(`${what} ${why} ${next}`).not.toMatch(/undefined|null|NaN/)
    },
  )

  it('has an id that stands for one meaning', () => {
    // The scope a key lacks is a detail; what can not be known of a send has one heading of its own.
    const meanings = problems
      .map(([name, problem]) => ({ name, ...explain(problem, place) }))
      .filter(({ id }) => id !== 'unconfirmed')
      .map(({ id, why }) => `${id}: ${why.replace(/“(read|write)”/, '`scope`')}`)
    const ids = [...new Set(meanings)].map((meaning) => meaning.split(':')[0])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('lists every fault of the inputs, each on its line', () => {
    const faults = ['a', 'b', 'c'].map((input) => ({ input, got: `"${input}"`, expected: 'x' }))
    const { what, why } = explain({ type: 'inputs', faults }, place)
    expect(what.split('\n')).toEqual([
      'a: got "a"; expected x.',
      'b: got "b"; expected x.',
      'c: got "c"; expected x.',
    ])
    expect(why).toContain('3 inputs')
  })

  it('says that nothing came of a send only where that is certain, and where to look where it is not', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operations), anyFailure, (operation, failure) => {
        const { id, next } = explain(platform(operation, failure), place)
        const isOpen = isSend(operation) && mayHaveArrived(failure)
        expect(id === 'unconfirmed').toBe(isOpen)
        expect(next.includes('all the same, so nothing is sent again')).toBe(isOpen)
        expect(/No job was created|The job got no message/.test(next)).toBe(isSend(operation) && !isOpen)
      }),
    )
  })

  it('of what failed at a read never tells to run the workflow again: that would make a second job', () => {
    const told = problems
      .filter(([name]) => name.startsWith('read:'))
      .map(([name, problem]) => `${name}: ${explain(problem, place).next}`)
    expect(told.filter((next) => /run the workflow again/i.test(next))).toEqual([])
  })

  it('gives the platform the word within bounds, on one line, without what is hidden', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        hostileText,
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom(400, 401, 403, 404, 418, 429),
        (operation, text, times, status) => {
          const failure = { ...refused(status, text), detail: text.repeat(times) } as ReturnType<
            typeof refused
          >
          const { what, why, next } = explain(platform(operation, failure), place)
          for (const sentence of [what, why, next]) {
            expect(sentence.length).toBeLessThan(600)
            expect(sentence).not.toMatch(/[\p{Cc}\u202E\u200B\u2028]/u)
          }
        },
      ),
    )
  })

  it.each([
    ['create', 401, 'API key'],
    ['create', 403, '“write”'],
    ['read', 403, '“read”'],
    ['message', 403, '“write”'],
    ['create', 404, 'project docs'],
    ['read', 404, 'job job_1'],
    ['message', 404, 'job job_1'],
    ['create', 400, 'prompt'],
    ['read', 400, 'job-id'],
    ['create', 429, '100'],
  ] as const)('of %s refused with %i names %s', (operation, status, name) => {
    const { what, why, next } = explain(platform(operation, refused(status)), place)
    expect(`${what} ${why} ${next}`).toContain(name)
  })
})
