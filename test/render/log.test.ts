import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJob } from '../../src/core/job/job.ts'
import type { LogEntry } from '../../src/core/log-entry.ts'
import { failable, agentOutcomes as outcomes } from '../../src/core/outcome.ts'
import type { Progress } from '../../src/core/progress.ts'
import { withoutCommands } from '../../src/core/text.ts'
import { describeResult, describe as say } from '../../src/render/log.ts'
import { aJob, anyFailure, broken, hostileText, operations, refused } from '../core/samples.ts'
import { aResult, place, platform, step } from './samples.ts'

const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })
const usual = new Set(['failed', 'timed-out'] as const)
const lines = (entries: LogEntry[]) =>
  entries.map((entry) => `${entry.level}: ${'title' in entry ? `${entry.title}: ` : ''}${entry.text}`)

describe('the log', () => {
  const story: [string, Progress][] = [
    [
      'a prompt',
      {
        type: 'prompt',
        prompt: { text: 'Fix it', included: ['a'], leftOut: [{ path: 'b', why: 'binary' }] },
        dryRun: false,
      },
    ],
    ['a dry run', { type: 'prompt', prompt: { text: 'Fix it', included: [], leftOut: [] }, dryRun: true }],
    ['no files', { type: 'no-files', input: 'context-files' }],
    ['a job', { type: 'job', jobId: 'job_1', job: aJob(), origin: 'created' }],
    ['a follow-up', { type: 'job', jobId: 'job_1', job: done, origin: 'continued' }],
    ['a resumed job', { type: 'job', jobId: 'job_1', job: null, origin: 'resumed' }],
    ['a change', { type: 'status', job: done, age: 252_000 }],
    ['an unknown status', { type: 'unknown-status', status: 'thinking' }],
    ['a minute', { type: 'waiting', age: 60_000, status: 'active', nextRead: 5_000, failures: 0 }],
    ['a minute of trouble', { type: 'waiting', age: 60_000, status: 'active', nextRead: 0, failures: 1 }],
    ['a failing read', { type: 'failing', operation: 'read', failure: broken(503), nextAttempt: 2_000 }],
    ['a limit', { type: 'failing', operation: 'create', failure: refused(429, '60'), nextAttempt: 60_000 }],
    ['an answer', { type: 'recovered', failures: 3 }],
    ['nothing new', { type: 'unchanged', job: done, age: 180_000 }],
  ]
  it('tells what happens in a line each', () => {
    expect(story.map(([name, progress]) => [name, ...lines(say(progress, place))])).toMatchInlineSnapshot(`
      [
        [
          "a prompt",
          "group: Sending the prompt (6 B) to job job_1 of project docs at https://api.example: Fix it",
          "info: Context: 1 file appended.",
          "warning: Context left out: 1 file not in the prompt, or not whole; the log and the prompt name them.",
          "group: Not in the prompt, or not whole (1 file): b (binary)",
        ],
        [
          "a dry run",
          "group: Would send the prompt (6 B) to job job_1 of project docs at https://api.example: Fix it",
        ],
        [
          "no files",
          "warning: No context: context-files matched no file. Is there a step with actions/checkout before this one, and are the globs right?",
        ],
        [
          "a job",
          "info: Created job job_1; it is active.",
        ],
        [
          "a follow-up",
          "info: Sent the prompt to job job_1; it is completed.",
        ],
        [
          "a resumed job",
          "info: Waiting for job job_1.",
        ],
        [
          "a change",
          "info: 4m 12s: the job is completed.",
        ],
        [
          "an unknown status",
          "warning: Unknown status: The platform calls the job “thinking”, which this version does not know. It goes on waiting.",
        ],
        [
          "a minute",
          "info: 1m: still active. Next read in 5s.",
        ],
        [
          "a minute of trouble",
          "info: 1m: still active; the last read failed. Next read in 0s.",
        ],
        [
          "a failing read",
          "info: The platform failed at the reading of the job (503): “oops”. Next attempt in 2s.",
        ],
        [
          "a limit",
          "info: The platform's limit is reached (429): “no”. Next attempt in 1m.",
        ],
        [
          "an answer",
          "info: The platform answers again, after 3 failed reads.",
        ],
        [
          "nothing new",
          "warning: No sign of new work: The job has shown the same end (completed) for 3m since the message, and is taken at its word.",
        ],
      ]
    `)
  })

  it('tells of a failing read of a job that was created here without naming it null', () => {
    const failing: Progress = {
      type: 'failing',
      operation: 'read',
      failure: refused(404),
      nextAttempt: 2_000,
    }
    expect(lines(say(failing, { ...place, jobId: null })).join()).not.toContain('null')
  })

  it('says when it tries again, however far off that is', () => {
    for (const nextAttempt of [0, 1_500, 31_536_000_000, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) {
      const text = lines(
        say({ type: 'failing', operation: 'read', failure: broken(503), nextAttempt }, place),
      ).join()
      expect(text).not.toMatch(/NaN|Infinity|e\+/)
    }
  })

  it('has one bounded line for each thing that happens, whatever the platform calls it', () => {
    const job = hostileText.map((status) => parseJob({ id: 'job_1', status }) ?? aJob())
    const progress = fc.oneof<fc.Arbitrary<Progress>[]>(
      job.map((job) => ({ type: 'status', job, age: 1 })),
      job.map((job) => ({ type: 'job', jobId: 'job_1', job, origin: 'created' })),
      job.map((job) => ({ type: 'unchanged', job, age: 1 })),
      hostileText.map((status) => ({ type: 'unknown-status', status })),
      hostileText.map((status) => ({ type: 'waiting', age: 1, status, nextRead: 1, failures: 2 })),
      fc.tuple(fc.constantFrom(...operations), anyFailure).map(([operation, failure]) => ({
        ...{ type: 'failing', operation, failure },
        nextAttempt: 1,
      })),
    )
    fc.assert(
      fc.property(progress, (seen) => {
        const entries = say(seen, place)
        expect(entries).toHaveLength(1)
        expect(entries[0]?.text).toMatch(/^[^\n\r\u2028\u202E]{5,700}$/)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['commands', '::error::x\n ::set-output name=a::b\n##[add-path]x\n'],
    ['the end of a group', '::endgroup::\n'],
    ['a million characters', 'x'],
  ])('shows a prompt of %s in a group, bounded, and none of it commands the runner', (_, part) => {
    const text = part.repeat(1_000_000 / part.length)
    const [group, ...rest] = say(
      { type: 'prompt', prompt: { text, included: [], leftOut: [] }, dryRun: false },
      place,
    )
    expect(rest).toEqual([])
    expect(group?.level).toBe('group')
    expect(group?.text.length).toBeLessThanOrEqual(65_536)
    expect(withoutCommands(group?.text ?? '')).not.toMatch(/^\s*::|##\[/m)
  })
})

describe('the last lines', () => {
  it.each([
    ['pull-request', 'notice'],
    ['no-changes', 'info'],
    ['archived', 'warning'],
    ['failed', 'error'],
    ['timed-out', 'error'],
    ['detached', 'notice'],
    ['skipped', 'info'],
    ['dry-run', 'info'],
    ['cancelled', 'error'],
    ['unconfirmed', 'error'],
    ['error', 'error'],
  ] as const)('of %s are a %s by default', (outcome, level) => {
    expect(describeResult(aResult({ outcome, job: done }), place, step, usual)[0]?.level).toBe(level)
  })

  it.each(outcomes)('of %s are no error where the step is green', (outcome) => {
    const [entry] = describeResult(aResult({ outcome, job: done }), place, step, new Set())
    expect(entry?.level === 'error').toBe(['cancelled', 'unconfirmed', 'error'].includes(outcome))
  })

  it.each(failable.filter((outcome) => outcome !== 'alert'))(
    'of %s are an error where fail-on names it',
    (outcome) => {
      expect(describeResult(aResult({ outcome }), place, step, new Set([outcome]))[0]?.level).toBe('error')
    },
  )

  it('of a few results', () => {
    const results = [
      aResult({ job: done }),
      aResult({ outcome: 'no-changes', job: aJob({ status: 'completed' }) }),
      aResult({ outcome: 'archived', job: aJob({ status: 'archived', prLink: done.prLink }) }),
      aResult({ outcome: 'timed-out' }),
      aResult({ outcome: 'error', problem: platform('read', refused(401)) }),
      aResult({ outcome: 'cancelled', jobId: null, job: null }),
    ]
    expect(
      results.flatMap((result) => lines(describeResult(result, place, step, usual))),
    ).toMatchInlineSnapshot(`
      [
        "notice: The agent opened a pull request: After 4m 12s: https://github.com/acme/docs/pull/7",
        "info: The agent finished without changing a file. Job job_1 completed after 4m 12s and, on a second look too, has no pull request.",
        "warning: The job was archived: Job job_1 was archived before it was seen to complete; its pull request is https://github.com/acme/docs/pull/7.",
        "error: The time was up before the job was done: Job job_1 is still active after 4m 12s. It goes on at the platform.",
        "info: To wait for the job again, run this step:
      - uses: acme/docs-agent-action@v1
        with:
          project-id: docs
          api-key: \${{ secrets.DOCS_AGENT_API_KEY }} # or what your secret is called
          job-id: job_1",
        "error: The step could not do its work: The platform refused the API key (401): “no”.
      It has expired (keys last 90 days unless told otherwise), was deleted, or is of another kind.
      Make an admin key (mint_…) on the API keys page of the platform's dashboard and put it into the secret that api-key reads.",
        "info: To wait for the job again, run this step:
      - uses: acme/docs-agent-action@v1
        with:
          project-id: docs
          api-key: \${{ secrets.DOCS_AGENT_API_KEY }} # or what your secret is called
          job-id: job_1",
        "error: Cancelled: The run was cancelled after 4m 12s. No job was created.",
      ]
    `)
  })
})
