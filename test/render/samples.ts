/** Results that several tests start from. */

import type { OperationName } from '../../src/core/job/operation.ts'
import type { Failure } from '../../src/core/job/response.ts'
import type { FileFault, Problem } from '../../src/core/problem.ts'
import type { AgentResult } from '../../src/core/progress.ts'
import type { JobRef } from '../../src/render/problem.ts'
import { aJob, failures, operations } from '../core/samples.ts'

export const place: JobRef = { baseUrl: 'https://api.example', projectId: 'docs', jobId: 'job_1' }
export const step = {
  uses: 'acme/docs-agent-action@v1',
  projectId: 'docs',
  baseUrl: 'https://api.mintlify.com',
}

export function aResult(more: Partial<AgentResult> = {}): AgentResult {
  return {
    outcome: 'pull-request',
    jobId: 'job_1',
    job: aJob(),
    prompt: { text: 'Fix it', included: [], leftOut: [] },
    problem: null,
    delivery: 'sent',
    changes: null,
    elapsed: 252_000,
    ...more,
  }
}

export const platform = (operation: OperationName, failure: Failure, attempts = 1): Problem => ({
  type: 'platform',
  operation,
  failure,
  attempts,
})

const fileKinds = ['missing', 'not-a-file', 'outside', 'not-text', 'empty', 'unreadable'] as const
const fileFaults: FileFault[] = ['prompt-file', 'context-files'].flatMap((input) => [
  ...fileKinds.map((kind) => ({ kind, input, path: 'docs/a.md' })),
  { kind: 'too-many' as const, input, limit: 2000 },
])

/** Everything that can go wrong, under a name. */
export const problems: [name: string, problem: Problem][] = [
  ['inputs', { type: 'inputs', faults: [{ input: 'timeout', got: '"soon"', expected: 'a duration' }] }],
  ['the key in the prompt', { type: 'key-in-prompt' }],
  ['secrets withheld', { type: 'secrets-withheld', why: 'GitHub gives them none' }],
  ...fileFaults.map((fault): [string, Problem] => [`${fault.input}: ${fault.kind}`, { type: 'file', fault }]),
  ...operations.flatMap((operation) =>
    failures.map(([name, failure]): [string, Problem] => [
      `${operation}: ${name}`,
      platform(operation, failure),
    ]),
  ),
]
