/** Properties of a step that are true for any response from Mintlify, and for any rejection or page in GitHub's name. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { stepOn } from '../../sandbox/demo.ts'
import type { GitHubFault } from '../../sandbox/github/server.ts'
import { startGitHub } from '../../sandbox/github/server.ts'
import { issueComment } from '../../sandbox/payloads.ts'
import { accountOn, startPlatform } from '../../sandbox/platform/server.ts'
import type { StepOptions } from '../../sandbox/runner/types.ts'
import { outcomes } from '../../src/core/outcome.ts'
import { anyCharacter, webUrl } from '../core/samples.ts'

const commands = [
  '::set-output name=a::b',
  '##[add-path]/tmp',
  '::stop-commands::x',
  '::error::x',
  '\r::set-env name=A::b',
]
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(...commands),
  fc.constantFrom(...commands).map((command) => `\n ${command}\n`),
)
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

const purposes = [
  ...(['repos/get-collaborator-permission-level', 'issues/list-comments', 'issues/create-comment'] as const),
  ...(['issues/update-comment', 'issues/delete-comment', 'pulls/get', 'pulls/list-files'] as const),
]
/** GitHub's rejections, and pages that a proxy sends with any status. */
const githubFault = fc.record({
  on: fc.constantFrom(...purposes),
  do: fc.oneof(
    fc.record({
      kind: fc.constant('raw' as const),
      body: fc.record({ message: text, errors: fc.array(text) }).map((value) => JSON.stringify(value)),
      status: fc.constantFrom(301, 400, 403, 404, 418, 422),
    }),
    fc.record({
      kind: fc.constant('raw' as const),
      body: text.map((page) => `<html>${page}</html>`),
      status: fc.constantFrom(200, 201, 301, 400, 403, 404, 418, 422),
    }),
  ),
})

interface Run {
  outputs: Record<string, string>
  log: { text: string }[]
}

/** Runs a step, and can add checks of its own. */
type RunStep = (options: StepOptions) => Promise<Run>

function expectOutcome({ outputs, log }: Run): void {
  expect(outcomes).toContain(outputs.outcome)
  expect(log.map(({ text }) => text).join('\n')).not.toContain('bug in the action')
}

/** Maximum number of attempts for a request that the platform rejects without processing it (src/core/job/retry.ts). */
const mostAttempts = 5

/** For any response from the platform, the step ends with an outcome, and resends only after a 429. */
export function anyReply(runStep: RunStep, timeout: string) {
  return fc.asyncProperty(reply, reply, async (created, read) => {
    const platform = await startPlatform({
      faults: [
        { on: 'create', do: { kind: 'raw', ...created } },
        { on: 'read', do: { kind: 'raw', ...read } },
      ],
    })
    const inputs = { ...accountOn(platform), prompt: 'x', timeout }
    expectOutcome(await runStep({ with: inputs }).finally(() => platform.close()))
    const sends = platform.requests.filter(({ method }) => method === 'POST')
    expect(sends.length).toBeLessThanOrEqual(created.status === 429 ? mostAttempts : 1)
  })
}

/** For any response from GitHub, the step ends with an outcome, and starts no job if the role is unknown. */
export function anyGitHubReply(runStep: RunStep, timeout: string) {
  return fc.asyncProperty(fc.array(githubFault, { minLength: 1, maxLength: 3 }), async (faults) => {
    const comments = [
      { id: 1001, thread: { number: 7, reviewRoot: null }, body: '/docs fix it', user: 'mona' },
    ]
    const roles = { mona: { permission: 'write', role_name: 'write' } } as const
    const hub = await startGitHub({ roles, comments, faults: faults as GitHubFault[] })
    const platform = await startPlatform({ readsUntilEnd: 0 })
    const run = await runStep({
      ...stepOn(issueComment(), hub.url),
      with: { ...accountOn(platform), command: '/docs', timeout },
    }).finally(() => Promise.all([hub.close(), platform.close()]))
    expectOutcome(run)
    expect(platform.jobs.size).toBeLessThanOrEqual(faults.some(({ on }) => on === purposes[0]) ? 0 : 1)
  })
}
