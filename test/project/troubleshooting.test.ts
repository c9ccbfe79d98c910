/** TROUBLESHOOTING.md covers everything that can go wrong. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import type { UnreachableReason } from '../../src/core/job/response.ts'
import { outcomesOf } from '../../src/core/outcome.ts'
import type { FileFault, Problem, Reading } from '../../src/core/problem.ts'
import { explain } from '../../src/render/problem.ts'
import { jobRef, problems } from '../render/samples.ts'

const types: Record<Problem['type'], true> = {
  inputs: true,
  file: true,
  platform: true,
  defect: true,
  'secrets-withheld': true,
  'secret-in-prompt': true,
  'unsent-message': true,
  'too-late': true,
  'not-for-us': true,
  'event-rejected': true,
  'no-prompt': true,
  'not-allowed': true,
  'gate-closed': true,
  'unsaved-state': true,
  'no-change': true,
  'start-unknown': true,
  'own-change': true,
  unread: true,
  'open-limit': true,
  'out-of-bounds': true,
  'unfinished-run': true,
  'unstarted-run': true,
  'no-result': true,
  'key-changed': true,
  reported: true,
  'record-unwritten': true,
}
const readings: Record<Reading, true> = {
  diff: true,
  'pull-requests': true,
  'open-pull-requests': true,
  history: true,
  thread: true,
  text: true,
  statuses: true,
  'open-jobs': true,
}
const reasons: Record<UnreachableReason, true> = {
  connection: true,
  name: true,
  certificate: true,
  tls: true,
  proxy: true,
}
const fileKinds: Record<FileFault['kind'], true> = {
  missing: true,
  'not-a-file': true,
  outside: true,
  'not-text': true,
  empty: true,
  unreadable: true,
  unwritable: true,
  'too-many': true,
  'too-large': true,
}
const all = problems.map(([, problem]) => problem)
const text = readFileSync(join(projectDir, 'TROUBLESHOOTING.md'), 'utf8')
const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)

it('TROUBLESHOOTING.md explains each kind of problem, and no others', () => {
  const ids = new Set(all.map((problem) => explain(problem, jobRef).id))
  expect(headings.toSorted()).toEqual([...ids].toSorted())
})

it('TROUBLESHOOTING.md is compared with samples of every kind of problem', () => {
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(Object.keys(types)))
  const files = all.flatMap((problem) => (problem.type === 'file' ? [problem.fault.kind] : []))
  expect(new Set(files)).toEqual(new Set(Object.keys(fileKinds)))
  const unread = all.flatMap((problem) => (problem.type === 'unread' ? [problem.reading] : []))
  expect(new Set(unread)).toEqual(new Set(Object.keys(readings)))
  const unreachable = all.flatMap((problem) =>
    problem.type === 'platform' && problem.failure.kind === 'unreachable' ? [problem.failure.reason] : [],
  )
  expect(new Set(unreachable)).toEqual(new Set(Object.keys(reasons)))
})

it('TROUBLESHOOTING.md explains every unwanted outcome', () => {
  const clear = ['pull-request', 'detached', 'dry-run', 'skipped', 'error', 'unconfirmed']
  const explained = [...text.matchAll(/^## The outcome is `(.*)`$/gm)].map(([, outcome]) => outcome)
  expect(explained.toSorted()).toEqual(
    outcomesOf('agent')
      .filter((outcome) => !clear.includes(outcome))
      .toSorted(),
  )
})
