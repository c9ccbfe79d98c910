/** Whatever the platform answers, the step ends with an outcome, in time, and commands nothing. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { outcomes } from '../../src/core/outcome.ts'
import { runBundle } from './run.ts'

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
