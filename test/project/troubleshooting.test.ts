/** TROUBLESHOOTING.md has a place for everything that can go wrong. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import type { Failure, UnreachableReason } from '../../src/core/job/response.ts'
import type { FileFault, Problem } from '../../src/core/problem.ts'
import { explain } from '../../src/render/problem.ts'

const reasons: Record<UnreachableReason, true> = {
  connection: true,
  name: true,
  certificate: true,
  tls: true,
  proxy: true,
}
const fileKinds: Record<Exclude<FileFault['kind'], 'too-many'>, true> = {
  ...{ missing: true, 'not-a-file': true, outside: true, 'not-text': true, empty: true, unreadable: true },
  ...{ 'too-large': true, unwritable: true },
}
const failures: Failure[] = [
  ...(Object.keys(reasons) as UnreachableReason[]).map(
    (reason) => ({ kind: 'unreachable', reason, code: 'X' }) as const,
  ),
  { kind: 'no-answer', code: 'X' },
  { kind: 'unreadable', status: 200, problem: 'x' },
  { kind: 'redirected', status: 301, location: '' },
  { kind: 'broken', status: 500, detail: '' },
  ...[400, 401, 403, 404, 418, 429].map((status) => ({ kind: 'refused', status, detail: '' }) as const),
]
const problems: Problem[] = [
  { type: 'inputs', faults: [] },
  { type: 'secrets-withheld', why: '' },
  { type: 'key-in-prompt' },
  { type: 'too-late' },
  { type: 'defect', text: '' },
  { type: 'not-for-us', reason: '' },
  { type: 'no-instruction', command: '/docs' },
  { type: 'not-allowed', login: 'eve', required: 'write', isBot: false },
  { type: 'gate-closed', login: 'eve', refusal: { status: 500, message: '' } },
  { type: 'thread-unread', refusal: { status: 500, message: '' } },
  { type: 'no-change', reason: '' },
  { type: 'own-change', login: 'eve' },
  { type: 'open-limit', limit: 1, links: [], jobless: false },
  ...[404, 500].map(
    (status) => ({ type: 'change-unread', reading: 'diff', refusal: { status, message: '' } }) as const,
  ),
  { type: 'file', fault: { kind: 'too-many', input: 'context-files', limit: 1 } },
  ...(Object.keys(fileKinds) as (keyof typeof fileKinds)[]).map(
    (kind) => ({ type: 'file', fault: { kind, input: 'prompt-file', path: 'x' } }) as const,
  ),
  ...(['create', 'read', 'visitors'] as const).flatMap((operation) =>
    failures.map((failure) => ({ type: 'platform', operation, failure, attempts: 1 }) as const),
  ),
]
const ids = new Set(
  problems.map((problem) => explain(problem, { baseUrl: '', projectId: 'docs', jobId: null }).id),
)
const text = readFileSync(join(projectDir, 'TROUBLESHOOTING.md'), 'utf8')
const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)

it('explains each kind of problem, and no other', () => {
  expect(headings.toSorted()).toEqual([...ids].toSorted())
})
