/** Whatever the platform and GitHub answer, the step ends with an outcome, in time, and commands nothing. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { GitHubFault } from '../../sandbox/github/faults.ts'
import { sandboxGitHubToken, startGitHub } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import { runStep } from '../../sandbox/runner/step.ts'
import { outcomes } from '../../src/core/outcome.ts'
import { inputsFor, platformFor, runBundle } from './run.ts'

const commands = [
  '::set-output name=a::b',
  '##[add-path]/tmp',
  '::stop-commands::x',
  '::error::x',
  '\r::set-env name=A::b',
]
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(...commands),
  fc.constantFrom(...commands).map((command) => `\n ${command}\n`),
)
const job = fc.record(
  {
    id: fc.oneof(text, fc.constant('job_1')),
    status: fc.oneof(text, fc.constantFrom('active', 'completed', 'failed', 'archived')),
    prLink: fc.oneof(text, fc.webUrl(), fc.constant('javascript:alert(1)'), fc.constant(null)),
    source: fc.oneof(text, fc.record({ repository: text, ref: text })),
    model: text,
    createdAt: text,
    error: text,
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  job.map((value) => JSON.stringify(value)),
  fc.json(),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)
const headers = fc.dictionary(
  fc.constantFrom('retry-after', 'content-encoding', 'location', 'content-type'),
  fc.oneof(
    fc.constantFrom('gzip', 'br', 'x', '0', '-1', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT'),
    fc.stringMatching(/^[ -~]{0,30}$/),
  ),
)
const reply = fc.record({
  body,
  headers,
  status: fc.constantFrom(200, 201, 202, 204, 301, 400, 401, 404, 418, 429, 500, 599),
})

// Four at a time, since a run mostly waits.
it.each([1, 2, 3, 4])(
  'no reply makes it crash, hang, or command the runner (part %i)',
  async () => {
    await fc.assert(
      fc.asyncProperty(reply, reply, async (created, read) => {
        const run = await runBundle(
          { prompt: 'x', timeout: '1s' },
          {
            faults: [
              { on: 'create', do: { kind: 'raw', ...created } },
              { on: 'read', do: { kind: 'raw', ...read } },
            ],
          },
        )
        expect(outcomes).toContain(run.outputs.outcome)
        expect(run.rejectedCommands).toEqual([])
        expect(run.text).not.toContain('bug in the action')
        expect(run.rawStderr).toBe('')
        expect(run.platform.requests.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 15 },
    )
  },
  180_000,
)

const purposes = [
  ...(['repos/get-collaborator-permission-level', 'issues/list-comments', 'issues/create-comment'] as const),
  ...(['issues/update-comment', 'issues/delete-comment', 'pulls/get', 'pulls/list-files'] as const),
]
const answer = fc.oneof(
  fc.json(),
  fc.record({ message: text, errors: fc.array(text), id: fc.oneof(text, fc.integer()), user: fc.anything() }),
  fc.array(
    fc.record(
      { id: fc.integer(), body: text, user: fc.record({ login: text }), created_at: text, filename: text },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
)
const githubFault = fc.record({
  on: fc.constantFrom(...purposes),
  do: fc.record({
    kind: fc.constant('raw' as const),
    body: fc.oneof(
      text,
      answer.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    ),
    status: fc.constantFrom(200, 201, 204, 301, 400, 403, 404, 418, 422),
  }),
})

it('no answer of GitHub does so either, or makes a second job, or lets anyone in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(githubFault, { minLength: 1, maxLength: 3 }), async (faults) => {
      const event = issueComment()
      const comments = [
        { id: 1001, thread: { number: 7, reviewRoot: null }, body: '/docs fix it', user: 'mona' },
      ]
      const roles = { mona: { permission: 'write', role_name: 'write' } } as const
      const hub = await startGitHub({ roles, comments, faults: faults as GitHubFault[] })
      const platform = await platformFor({ readsUntilEnd: 0 })
      const run = await runStep({
        with: { ...inputsFor(platform.url), command: '/docs', timeout: '2s' },
        ...{ githubToken: sandboxGitHubToken, eventName: event.name, event: event.payload },
        env: { GITHUB_API_URL: hub.url },
      }).finally(() => hub.close())
      expect(outcomes).toContain(run.outputs.outcome)
      expect(run.rejectedCommands).toEqual([])
      expect(run.log.map(({ text }) => text).join('\n')).not.toContain('bug in the action')
      expect(run.rawStderr).toBe('')
      expect(platform.jobs.size).toBeLessThanOrEqual(1)
      // Nothing but GitHub's word lets anyone in.
      const isGateHit = faults.some(({ on }) => on === purposes[0])
      if (isGateHit) expect(platform.jobs.size).toBe(0)
    }),
    { numRuns: 8 },
  )
}, 180_000)
