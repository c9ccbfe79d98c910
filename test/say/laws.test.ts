/** What messages, results and replies always say. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { samples } from '../../scripts/troubleshooting.ts'
import { isSend } from '../../src/core/job/job.ts'
import { mayHaveArrived } from '../../src/core/job/response.ts'
import { type AgentOutcome, failable, outcomesOf } from '../../src/core/outcome.ts'
import { problems, type Reading } from '../../src/core/problems.ts'
import { conclude, lastEntries, outputNames, outputsOf, resumeStep } from '../../src/say/conclusion.ts'
import { prose } from '../../src/say/markdown.ts'
import { aJob, anyFailure, broken, failures, noResponse, operations, rejected } from '../core/samples.ts'
import { aResult, asked, jobRef, platform, runUrl, wordsOf } from './samples.ts'

const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })
const forbidden = {
  status: 403,
  message: 'Resource not accessible by integration',
  kind: 'permission',
} as const
const all = [
  ...samples,
  ...operations.flatMap((name) => failures.map(([, failure]) => platform(name, failure))),
]
const missingInput = (input: string, got = 'nothing') => ({ input, got, expected: 'x' })

describe('a problem', () => {
  it('a problem says what happened and what to do next, in complete sentences', () => {
    for (const { what, next } of all) {
      for (const sentence of [what, next].filter((each) => each !== '')) {
        expect(sentence).toMatch(/^[“"`\w][\s\S]*[.]$/)
        expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\.\.$| {2}|\s\./)
      }
      expect(what).not.toMatch(/\. [A-Z]/)
    }
  })

  it.each([
    [
      [missingInput('api-key')],
      /^Create an admin key on \S+\. Store it in the secret that `api-key` reads\.$/,
    ],
    [[missingInput('project-id')], /^Store the project ID in the variable that `project-id` reads\.$/],
    [[missingInput('project-id', '"a b"')], /^Correct the workflow file\.$/],
    [[missingInput('api-key'), missingInput('timeout')], /secret.* Correct the rest in the workflow file\.$/],
  ])('a problem says where to correct %j', (faults, remedy) => {
    expect(problems.inputs(faults).next).toMatch(remedy)
  })

  it('a problem lists ten files out of bounds, and the number of others', () => {
    const paths = Array.from({ length: 12 }, (_, at) => `src/${at}.ts`)
    const { what, list } = problems.outOfBounds({ kind: 'outside', paths })
    expect(what).toContain('12 files')
    expect(list).toHaveLength(11)
    expect(list.at(-1)).toEqual({ text: 'and 2 more' })
  })

  it.each([
    [forbidden, /contents: read/, false],
    [{ status: 404, message: 'Not Found' }, /contents: read/, false],
    [{ status: 403, message: 'no', kind: 'rate-limit' } as const, /rate limit .* in an hour/, true],
    [{ status: 502, message: 'Server Error' }, /GitHub may be unavailable.*later/, true],
    [{ status: null, message: 'ECONNRESET' }, /GitHub may be unavailable.*later/, true],
  ])('a problem with GitHub’s rejection %j gives advice that helps', (rejection, advice, isTemporary) => {
    expect(problems.unread('pull-requests', rejection)).toMatchObject({
      next: expect.stringMatching(advice),
      isTemporary,
    })
  })

  const onCommit = ['contents: read', 'pull-requests: write', 'statuses: write']
  const onThread = ['contents: read', 'issues: write', 'pull-requests: write']
  it.each<[Reading, string[]]>([
    ...(['diff', 'pull-requests', 'open-pull-requests', 'history', 'statuses'] as const).map(
      (reading): [Reading, string[]] => [reading, onCommit],
    ),
    ['thread', onThread],
    ['text', onThread],
    ['open-jobs', [...onThread, 'statuses: write']],
  ])(
    'a problem with a missing permission to read %s names all that the step needs, and a new run',
    (reading, needed) => {
      const { next } = problems.unread(reading, forbidden)
      expect([...next.matchAll(/`([\w-]+: \w+)`/g)].map(([, name]) => name)).toEqual(needed)
      expect(next).toMatch(/ Commit it, and start a new run \(for a comment: comment again\)\.$/)
      expect(next).not.toContain('re-run')
    },
  )

  it('a problem says that the request is not sent again if and only if it may have arrived', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operations), anyFailure, (operation, failure) => {
        const { id, next } = platform(operation, failure)
        const isOpen = isSend(operation) && mayHaveArrived(failure)
        expect(id === 'unconfirmed').toBe(isOpen)
        expect(next.includes('so the request is not sent again')).toBe(isOpen)
      }),
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
    ['visitors', 404, 'project `docs`'],
    ['create', 400, 'prompt'],
    ['visitors', 400, 'period'],
    ['read', 400, 'job-id'],
    ['create', 413, 'context-files'],
    ['create', 418, 'newer version'],
  ] as const)('a problem with a %s rejected with %i mentions “%s”', (operation, status, name) => {
    const { what, next } = platform(operation, rejected(status))
    expect(`${what} ${next}`).toContain(name)
  })
})

describe('a result', () => {
  const withProblem = (outcome: AgentOutcome) =>
    aResult({
      outcome,
      job: done,
      problem:
        outcome === 'out-of-bounds'
          ? problems.outOfBounds({ kind: 'unreadable' })
          : platform('create', broken(500)),
    })
  const levelOf = (outcome: AgentOutcome, ...failOn: (typeof failable)[number][]) =>
    lastEntries(withProblem(outcome), jobRef, new Set(failOn))[0]?.level

  it('a result has its own headline for each outcome', () => {
    const headlines = outcomesOf('agent').map((outcome) => conclude(withProblem(outcome)).headline)
    expect(new Set(headlines).size).toBe(headlines.length)
  })

  it.each([
    ['pull-request', 'notice'],
    ['out-of-bounds', 'warning'],
    ['no-changes', 'info'],
    ['archived', 'warning'],
    ['failed', 'error'],
    ['timed-out', 'error'],
    ['detached', 'notice'],
    ['skipped', 'info'],
    ['cancelled', 'error'],
    ['unconfirmed', 'error'],
    ['error', 'error'],
  ] as const)('the last lines for the outcome %s have the level %s by default', (outcome, level) => {
    expect(levelOf(outcome, 'failed', 'timed-out')).toBe(level)
    const isAlwaysRed = ['cancelled', 'unconfirmed', 'error'].includes(outcome)
    expect(levelOf(outcome) === 'error').toBe(isAlwaysRed)
    const named = failable.find((each) => each === outcome)
    if (named !== undefined) expect(levelOf(outcome, named)).toBe('error')
  })

  it.each(outcomesOf('agent'))(
    'a result with the outcome %s says how to wait for its job if it may continue',
    (outcome) => {
      const mayContinue = ['timed-out', 'detached', 'cancelled', 'error'].includes(outcome)
      expect(conclude(aResult({ outcome })).resumable).toBe(mayContinue)
      expect(conclude(aResult({ outcome, jobId: null })).resumable).toBe(false)
    },
  )

  it.each([
    ['the job is unknown', { job: null, problem: platform('read', rejected(404)) }],
    ['the follow-up’s job is unknown', { problem: platform('message', rejected(404)) }],
    ['inputs are invalid', { problem: problems.inputs([missingInput('timeout')]) }],
  ])('a result does not say how to wait for its job if %s', (_, more) => {
    expect(conclude(aResult({ outcome: 'error', ...more })).resumable).toBe(false)
  })

  it.each([
    ['not-sent', 'The request was not sent'],
    ['sent', 'The result is unknown'],
    ['uncertain', 'The result is unknown'],
  ] as const)('the headline of an error whose request was %s is: %s', (delivery, headline) => {
    expect(conclude(aResult({ outcome: 'error', delivery, problem: problems.tooLate() })).headline).toBe(
      headline,
    )
  })

  it('a step that does not wait names a recipe that exists', () => {
    const [, recipe] = lastEntries(aResult({ outcome: 'detached' }), jobRef, new Set())
    expect(recipe?.text).toContain('/docs/recipes.md#no-runner-waits')
    expect(readFileSync(join(projectDir, 'docs/recipes.md'), 'utf8')).toContain('\n## No runner waits\n')
  })

  it('the step that waits for a job names another base URL only if the workflow does', () => {
    expect(resumeStep(jobRef, 'job_1')).not.toContain('base-url')
    expect(resumeStep({ ...jobRef, baseUrl: 'https://api.example' }, 'job_1')).toContain(
      '\n    base-url: "https://api.example"\n    job-id: job_1',
    )
  })

  it("the outputs repeat the job's fields, and all others are empty", () => {
    const none = Object.fromEntries(outputNames.map((name) => [name, '']))
    expect(outputsOf(aResult({ job: { ...done, archivedAt: '2026-11-02' } }))).toEqual({
      ...none,
      outcome: 'pull-request',
      jobId: 'job_1',
      status: 'completed',
      prLink: 'https://github.com/acme/docs/pull/7',
      prNumber: '7',
      repository: 'https://github.com/acme/docs',
      ref: 'docs-agent/job_1',
      model: 'docs-writer-2',
      createdAt: '2026-11-02T10:00:00Z',
      archivedAt: '2026-11-02',
    })
    const unknown = { ...none, outcome: 'unconfirmed', jobId: 'job_1' }
    expect(outputsOf(aResult({ outcome: 'unconfirmed', job: null }))).toEqual(unknown)
  })
})

it('a reply suggests nothing that only a maintainer can do', () => {
  const replies = all
    .filter(({ files }) => files === undefined)
    .map((problem) => {
      const result = aResult({ outcome: 'error', jobId: null, job: null, problem })
      return { text: wordsOf().result(result, asked, null), next: problem.next }
    })
  expect(replies.filter(({ text, next }) => next !== '' && text.includes(prose(next)))).toEqual([])
  expect(replies.filter(({ text }) => !/comment `\/docs …` again/.test(text))).toEqual([])
  expect(replies.filter(({ text }) => text.split(runUrl).length !== 2)).toEqual([])
})

it('a cancelled step that may have sent its request does not say that no job was created', () => {
  const cancelled = { outcome: 'cancelled', jobId: null, job: null } as const
  const text = (problem: ReturnType<typeof platform> | null) =>
    conclude(aResult({ ...cancelled, problem })).what
  expect(text(null)).toContain('No job was created.')
  expect(text(platform('create', noResponse))).not.toContain('No job was created.')
})
