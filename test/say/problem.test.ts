import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSend } from '../../src/core/job/job.ts'
import { mayHaveArrived } from '../../src/core/job/response.ts'
import { explain } from '../../src/say/problems.ts'
import { anyFailure, hostileText, operations, rejected } from '../core/samples.ts'
import { jobRef, platform, problems, rejections } from './samples.ts'

describe.each(problems)('the explanation for “%s”', (_, problem) => {
  const { id, what, next } = explain(problem, jobRef)

  it('an explanation says what happened and what to do next, in complete sentences', () => {
    for (const sentence of [what, next].filter((each) => each !== '')) {
      expect(sentence).toMatch(/^[“"`\w][\s\S]*[.]$/)
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\.\.$| {2}|\s\./)
    }
    expect(what).not.toMatch(/\. [A-Z]/)
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
  })
})

it('readers have to tell apart at most 40 kinds of problems', () => {
  expect(new Set(problems.map(([, problem]) => explain(problem, jobRef).id)).size).toBeLessThanOrEqual(40)
})

describe('an explanation', () => {
  // A follow-up always goes to a known job.
  it.each(problems.filter(([name]) => !name.startsWith('message')))(
    'an explanation for “%s” never contains undefined if no job is known yet',
    (_, problem) => {
      const { what, next } = explain(problem, { ...jobRef, jobId: null })
      expect(`${what} ${next}`).not.toMatch(/undefined|null|NaN/)
    },
  )

  it.each([
    [
      [{ input: 'api-key', got: 'nothing' }],
      /^Create an admin key on \S+\. Store it in the secret that `api-key` reads\.$/,
    ],
    [
      [{ input: 'project-id', got: 'nothing' }],
      /^Store the project ID in the variable that `project-id` reads\.$/,
    ],
    [[{ input: 'project-id', got: '"a b"' }], /^Correct the workflow file\.$/],
    [
      [
        { input: 'api-key', got: 'nothing' },
        { input: 'timeout', got: '"soon"' },
      ],
      /secret.* Correct the rest in the workflow file\.$/,
    ],
  ])('an explanation says where to correct %j', (faults, remedy) => {
    const all = faults.map((fault) => ({ ...fault, expected: 'x' }))
    expect(explain({ type: 'inputs', faults: all }, jobRef).next).toMatch(remedy)
  })

  it('an explanation lists every fault of the inputs on its own line', () => {
    const faults = ['a', 'b', 'c'].map((input) => ({ input, got: `"${input}"`, expected: 'x' }))
    const { what, list } = explain({ type: 'inputs', faults }, jobRef)
    expect(what).toBe('The workflow is misconfigured: 3 inputs are invalid.')
    expect(list).toEqual(
      ['a', 'b', 'c'].map((input) => ({ text: `\`${input}\` got "${input}", expected x.` })),
    )
  })

  it('an explanation lists ten files out of bounds, and the number of others', () => {
    const paths = Array.from({ length: 12 }, (_, at) => `src/${at}.ts`)
    const { what, list } = explain({ type: 'out-of-bounds', files: { kind: 'outside', paths } }, jobRef)
    expect(what).toContain('12 files')
    expect(list).toHaveLength(11)
    expect(list?.at(-1)).toEqual({ text: 'and 2 more' })
  })

  it.each(Object.entries(rejections))(
    'an explanation of a rejection by GitHub (%s) gives advice that helps',
    (name, rejection) => {
      const { next, fix } = explain({ type: 'unread', reading: 'pull-requests', rejection }, jobRef)
      const expected = {
        forbidden: [/contents: read/, 'maintainer'],
        missing: [/contents: read/, 'maintainer'],
        limited: [/rate limit .* in an hour/, 'later'],
        broken: [/GitHub may be unavailable.*later/, 'later'],
        silent: [/GitHub may be unavailable.*later/, 'later'],
      }[name] as [RegExp, string]
      expect(next).toMatch(expected[0])
      expect(fix).toBe(expected[1])
    },
  )

  it.each([
    ...(['diff', 'pull-requests', 'open-pull-requests', 'history', 'statuses'] as const).map(
      (reading) => [reading, ['contents: read', 'pull-requests: write', 'statuses: write']] as const,
    ),
    ...(['thread', 'text'] as const).map(
      (reading) => [reading, ['contents: read', 'issues: write', 'pull-requests: write']] as const,
    ),
    ['open-jobs', ['contents: read', 'issues: write', 'pull-requests: write', 'statuses: write']] as const,
  ])(
    'the remedy for a missing permission to read %s names all that the step needs, and a new run',
    (reading, needed) => {
      const { next } = explain({ type: 'unread', reading, rejection: rejections.forbidden }, jobRef)
      expect([...next.matchAll(/`([\w-]+: \w+)`/g)].map(([, name]) => name)).toEqual(needed)
      expect(next).toMatch(/ Commit it, and start a new run \(for a comment: comment again\)\.$/)
      expect(next).not.toContain('re-run')
    },
  )

  it('an error that GitHub reports with a success status does not show that status', () => {
    const rejection = { ...rejections.forbidden, status: 200 }
    const { what } = explain({ type: 'unread', reading: 'open-jobs', rejection }, jobRef)
    expect(what).toContain('(Resource not accessible by integration)')
  })

  it('an explanation says that the request is not sent again if and only if it may have arrived', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operations), anyFailure, (operation, failure) => {
        const { id, next } = explain(platform(operation, failure), jobRef)
        const isOpen = isSend(operation) && mayHaveArrived(failure)
        expect(id === 'unconfirmed').toBe(isOpen)
        expect(next.includes('so the request is not sent again')).toBe(isOpen)
      }),
    )
  })

  it("an explanation shows the platform's message with limited length, on one line, with hidden characters visible", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...operations),
        hostileText,
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom(400, 401, 403, 404, 418, 429),
        (operation, text, times, status) => {
          const failure = { ...rejected(status, text), detail: text.repeat(times) } as ReturnType<
            typeof rejected
          >
          const { what, next } = explain(platform(operation, failure), jobRef)
          for (const sentence of [what, next]) {
            expect(sentence.length).toBeLessThan(600)
            expect(sentence).not.toMatch(/[\p{Cc}\u202E\u200B\u2028]/u)
          }
        },
      ),
    )
  })

  it.each([
    ['create', 401, 'API key'],
    ['create', 403, '`write`'],
    ['read', 403, '`read`'],
    ['message', 403, '`write`'],
    ['create', 404, 'project `docs`'],
    ['read', 404, 'job `job_1`'],
    ['message', 404, 'job `job_1`'],
    ['create', 400, 'prompt'],
    ['read', 400, 'job-id'],
    ['create', 403, 'organization'],
    ['create', 413, 'context-files'],
  ] as const)('an explanation of a %s rejected with %i contains “%s”', (operation, status, name) => {
    const { what, next } = explain(platform(operation, rejected(status)), jobRef)
    expect(`${what} ${next}`).toContain(name)
  })
})
