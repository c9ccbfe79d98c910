/** Properties of a step that are true for any response from Mintlify, and for any rejection or page in GitHub's name. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stepOn } from '../../sandbox/demo.ts'
import { type GitHubFault, startGitHub } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import { accountOn, type PlatformOptions, startPlatform } from '../../sandbox/platform/server.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
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
const reply = fc.record({
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

const purposes = [
  ...(['repos/get-collaborator-permission-level', 'issues/list-comments', 'issues/create-comment'] as const),
  ...(['issues/update-comment', 'issues/delete-comment', 'pulls/get', 'pulls/list-files'] as const),
]
/** GitHub's rejections, and pages that a proxy sends with any status. */
const githubFault: fc.Arbitrary<GitHubFault> = fc.record({
  on: fc.constantFrom(...purposes),
  do: fc.record({
    kind: fc.constant('raw' as const),
    body: fc.oneof(
      text.map((message) => JSON.stringify({ message, errors: [message] })),
      text.map((page) => `<html>${page}</html>`),
    ),
    status: fc.constantFrom(200, 201, 301, 400, 403, 404, 418, 422),
  }),
})

/** Runs a step with its own platform, and checks that it ends with an outcome. */
async function ends(options: PlatformOptions, step: StepOptions, inputs = {}) {
  const platform = await startPlatform(options)
  const given = { ...accountOn(platform), timeout: '1m', ...inputs }
  const run = await runStep({ ...step, with: given }).finally(() => platform.close())
  expect(outcomes).toContain(run.outputs.outcome)
  expect(run.text).not.toContain('bug in the action')
  return platform
}

it('a step never crashes, hangs or sends twice, whatever the platform responds', async () => {
  const property = fc.asyncProperty(reply, reply, async (created, read) => {
    const faults = [{ on: 'create', do: created } as const, { on: 'read', do: read } as const]
    const { requests } = await ends({ faults }, {}, { prompt: 'x' })
    const sends = requests.filter(({ method }) => method === 'POST').length
    expect(sends).toBeLessThanOrEqual(created.status === 429 ? 5 : 1)
  })
  await fc.assert(property, runs(30))
})

it('a step never crashes, hangs or trusts strangers, whatever GitHub responds', async () => {
  const thread = { number: 7, reviewRoot: null }
  const comments = [{ id: 1001, thread, body: '/docs fix it', user: 'mona' }]
  const roles = { mona: { permission: 'write', role_name: 'write' } } as const
  const someFaults = fc.array(githubFault, { minLength: 1, maxLength: 3 })
  const property = fc.asyncProperty(someFaults, async (faults) => {
    const hub = await startGitHub({ roles, comments, faults })
    const step = stepOn(issueComment(), hub.url)
    const ended = ends({ readsUntilEnd: 0 }, step, { command: '/docs' })
    const { jobs } = await ended.finally(() => hub.close())
    expect(jobs.size).toBeLessThanOrEqual(faults.some(({ on }) => on === purposes[0]) ? 0 : 1)
  })
  await fc.assert(property, runs(10))
})
