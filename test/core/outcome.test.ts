import { describe, expect, it } from 'vitest'
import {
  type AgentOutcome,
  agentResult,
  failable,
  failsSettling,
  failsStep,
  isGood,
  isJobEnd,
  isRequestEnd,
  mayContinue,
  outcomes,
  type SettledJob,
} from '../../src/core/outcome.ts'
import { agentOutcomes } from './samples.ts'

describe('a step', () => {
  it.each(outcomes)(
    'a step with `fail-on: none` fails only if its outcome is unconfirmed, error or cancelled: %s',
    (outcome) => {
      expect(failsStep(outcome, new Set())).toBe(['unconfirmed', 'error', 'cancelled'].includes(outcome))
    },
  )

  it.each(failable)('a step with the outcome %s fails only if fail-on names it', (outcome) => {
    expect(failsStep(outcome, new Set([outcome]))).toBe(true)
    expect(failsStep(outcome, new Set(failable.filter((other) => other !== outcome)))).toBe(false)
  })

  it('a step that did its work or had nothing to do succeeds with any fail-on', () => {
    const green = outcomes.filter((outcome) => !failsStep(outcome, new Set(failable)))
    expect(green).toEqual(['pull-request', 'detached', 'settled', 'reported', 'skipped', 'dry-run'])
  })
})

it.each([
  ['are good', isGood, ['pull-request', 'no-changes', 'detached']],
  ['leave a job that may continue', mayContinue, ['timed-out', 'detached', 'cancelled', 'error']],
  ['end a job', isJobEnd, ['pull-request', 'out-of-bounds', 'no-changes', 'archived', 'failed']],
  [
    'end a request',
    isRequestEnd,
    ['pull-request', 'out-of-bounds', 'no-changes', 'archived', 'failed', 'unconfirmed', 'error'],
  ],
] as const)('exactly the listed outcomes of mode agent %s', (_, is, expected) => {
  expect(agentOutcomes.filter(is)).toEqual(expected)
})

it.each<[state: SettledJob['state'], outcome: AgentOutcome | null, fails: boolean]>([
  ['settled', 'failed', true],
  ['settled', 'pull-request', false],
  ['unreported', 'failed', false],
  ['pending', null, false],
])('a settle step with `fail-on: failed` and a job that is %s (%s) fails: %s', (state, outcome, fails) => {
  const ended = outcome && agentResult(outcome, null)
  const job = {
    job: 'j',
    since: 0,
    link: { repository: 'a/b', commit: 'c' },
    state,
    result: ended,
    accounts: null,
  }
  const lists = { jobs: [job], pulls: [], waiting: [] }
  const result = { outcome: 'settled' as const, ...lists, isCut: false, problem: null }
  expect(failsSettling(result, new Set(['failed']))).toBe(fails)
})
