import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSend } from '../../src/core/job/operation.ts'
import { mayHaveArrived } from '../../src/core/job/response.ts'
import { explain } from '../../src/render/problem.ts'
import { anyFailure, hostileText, operations, rejected } from '../core/samples.ts'
import { jobRef, platform, problems, rejections } from './samples.ts'

describe.each(problems)('the explanation for “%s”', (_, problem) => {
  const { id, headline, what, why, next } = explain(problem, jobRef)

  it('an explanation says what, why and what next, in complete sentences', () => {
    expect(what).not.toBe('')
    for (const sentence of [what, why, next].filter((each) => each !== '')) {
      expect(sentence).toMatch(/^[“"`\w][\s\S]*[.]$/)
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\.\.$| {2}|\s\./)
    }
    expect(id).toMatch(/^[a-z][a-z0-9-]*$/)
    expect(headline).toMatch(/^[A-Z0-9][^`]{5,58}[^.`]$/)
  })
})

/** Headings under which TROUBLESHOOTING.md explains several causes. */
const seenInManyWays = [
  ...[
    'unconfirmed',
    'event-rejected',
    'not-allowed',
    'gate-closed',
    'record-unwritten',
    'open-limit',
    'out-of-bounds',
  ],
  ...['rejected-404-job', 'broken', 'inputs'],
]

describe('an explanation', () => {
  // A follow-up always goes to a known job.
  it.each(problems.filter(([name]) => !name.startsWith('message')))(
    'an explanation for “%s” never contains undefined if no job is known yet',
    (_, problem) => {
      const { what, why, next } = explain(problem, { ...jobRef, jobId: null })
      expect(`${what} ${why} ${next}`).not.toMatch(/undefined|null|NaN/)
    },
  )

  it("an explanation's id has one meaning", () => {
    // A key's missing scope does not change the meaning. Unconfirmed sends have their own heading.
    const meanings = problems
      .map(([name, problem]) => ({ name, ...explain(problem, jobRef) }))
      .filter(({ id }) => !seenInManyWays.includes(id))
      .map(({ id, why }) => `${id}: ${why.replace(/scope `(read|write)`/, 'scope')}`)
    const ids = [...new Set(meanings)].map((meaning) => meaning.split(':')[0])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

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
    const { headline, what, list } = explain({ type: 'inputs', faults }, jobRef)
    expect([headline, what]).toEqual(['3 invalid inputs', 'These inputs are invalid.'])
    expect(list).toEqual(
      ['a', 'b', 'c'].map((input) => ({ text: `\`${input}\`: got "${input}", expected x.` })),
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
      const { why, next, fix } = explain({ type: 'unread', reading: 'pull-requests', rejection }, jobRef)
      const expected = {
        forbidden: [/permission/, /contents: read/, 'maintainer'],
        missing: [/permission/, /contents: read/, 'maintainer'],
        limited: [/rate limit/, /in an hour/, 'later'],
        broken: [/GitHub may be unavailable/, /later/, 'later'],
        silent: [/GitHub may be unavailable/, /later/, 'later'],
      }[name] as [RegExp, RegExp, string]
      expect(why).toMatch(expected[0])
      expect(next).toMatch(expected[1])
      expect(fix).toBe(expected[2])
    },
  )

  it.each([
    ['issues=write', 'Give the workflow job `issues: write`, then'],
    [
      'issues=write; pull_requests=write',
      'Give the workflow job `issues: write`, or `pull-requests: write`, then',
    ],
    [
      'contents=read,pull_requests=read',
      'Give the workflow job `contents: read` and `pull-requests: read`, then',
    ],
    ['`evil` @octocat', 'Give the workflow job `contents: read` and `pull-requests: read`, then'],
  ])('an explanation names the permissions that GitHub requires (%s)', (acceptedPermissions, text) => {
    const rejection = { ...rejections.forbidden, acceptedPermissions }
    expect(explain({ type: 'unread', reading: 'pull-requests', rejection }, jobRef).next).toContain(text)
  })

  it('an explanation says that no job or follow-up exists only if that is certain', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operations), anyFailure, (operation, failure) => {
        const { id, next } = explain(platform(operation, failure), jobRef)
        const isOpen = isSend(operation) && mayHaveArrived(failure)
        expect(id === 'unconfirmed').toBe(isOpen)
        expect(next.includes('so the request is not sent again')).toBe(isOpen)
        expect(/No job was created|The job got no follow-up/.test(next)).toBe(isSend(operation) && !isOpen)
      }),
    )
  })

  it('the explanation of a failed poll never asks people to start over, because that would create a second job', () => {
    const told = problems
      .filter(([name]) => name.startsWith('read:'))
      .map(([name, problem]) => `${name}: ${explain(problem, jobRef).next}`)
    expect(told.filter((next) => /re-?run the workflow|new run/i.test(next))).toEqual([])
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
          const { what, why, next } = explain(platform(operation, failure), jobRef)
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
    ['create', 429, '100'],
  ] as const)('an explanation of a %s rejected with %i contains “%s”', (operation, status, name) => {
    const { what, why, next } = explain(platform(operation, rejected(status)), jobRef)
    expect(`${what} ${why} ${next}`).toContain(name)
  })
})
