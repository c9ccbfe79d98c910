/** A property of a step that is true for any response from Mintlify. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { FaultAction } from '../../sandbox/faults.ts'
import { accountOn, startPlatform } from '../../sandbox/platform/server.ts'
import { outcomes } from '../../src/core/outcome.ts'
import { anyCharacter, runs, webUrl } from '../core/samples.ts'
import { runStep } from './run.ts'

const commands = ['::set-output name=a::b', '##[add-path]/tmp', '\r::set-env name=A::b']
const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 60 }), fc.constantFrom(...commands))
const job = fc.record(
  {
    id: fc.oneof(text, fc.constant('job_1')),
    status: fc.oneof(text, fc.constantFrom('active', 'completed', 'failed', 'archived')),
    prLink: fc.oneof(text, webUrl, fc.constant('javascript:alert(1)'), fc.constant(null)),
    source: fc.oneof(text, fc.record({ repository: text, ref: text })),
    model: text,
    createdAt: text,
    error: text,
  },
  { requiredKeys: [] },
)
const raw = fc.record({
  kind: fc.constant('raw' as const),
  body: fc.oneof(
    job.map((value) => JSON.stringify(value)),
    fc.json(),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  ),
  headers: fc.dictionary(
    fc.constantFrom('retry-after', 'content-encoding', 'location', 'content-type'),
    fc.oneof(fc.constantFrom('gzip', 'br', 'x', '0', '-1', '1e9'), fc.stringMatching(/^[ -~]{0,30}$/)),
  ),
  status: fc.constantFrom(200, 201, 202, 204, 301, 400, 401, 404, 418, 429, 500, 599),
})
const broken = fc.constantFrom<FaultAction>(
  { kind: 'reset', when: 'before' },
  { kind: 'reset', when: 'after' },
  { kind: 'cut' },
)
const reply = fc.oneof({ weight: 9, arbitrary: raw }, { weight: 1, arbitrary: broken })

// test/github/github.test.ts has GitHub's responses.
it('a step never crashes, hangs or sends twice, whatever the platform responds', async () => {
  const property = fc.asyncProperty(reply, reply, async (created, read) => {
    const faults = [{ on: 'create', ...created } as const, { on: 'read', ...read } as const]
    const platform = await startPlatform({ faults })
    const inputs = { ...accountOn(platform), timeout: '1m', prompt: 'x' }
    const { outputs, text } = await runStep({ with: inputs }).finally(() => platform.close())
    expect(outcomes).toContain(outputs.outcome)
    expect(text).not.toContain('bug in the action')
    const sends = platform.requests.filter(({ method }) => method === 'POST').length
    const isLimited = 'status' in created && created.status === 429
    expect(sends).toBeLessThanOrEqual(isLimited ? 5 : 1)
    if (created.kind !== 'raw') expect(outputs.outcome).toBe('unconfirmed')
  })
  await fc.assert(property, runs(20))
})
