import { describe, expect, it } from 'vitest'
import { type AgentOutcome, type AgentResult, outcomesOf } from '../../src/core/outcome.ts'
import { conclude } from '../../src/say/conclusion.ts'
import { aJob, noResponse, rejected, unreachable } from '../core/samples.ts'
import { aResult, jobRef, platform } from './samples.ts'

const textOf = (result: AgentResult) => conclude(result, jobRef).paragraphs.join(' ')

/** The problem that an outcome takes its headline from, for outcomes that need one. */
function problemOf(outcome: AgentOutcome): Partial<AgentResult> {
  if (outcome === 'error') return { problem: platform('read', rejected(401)) }
  if (outcome === 'unconfirmed') return { problem: platform('create', noResponse) }
  return outcome === 'out-of-bounds'
    ? { problem: { type: 'out-of-bounds', files: { kind: 'unreadable' } } }
    : {}
}

describe('a conclusion', () => {
  it.each(outcomesOf('agent'))(
    'the conclusion for the outcome %s has its own headline, and never contains undefined',
    (outcome) => {
      const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })
      const result = aResult({
        outcome,
        ...problemOf(outcome),
        ...(outcome === 'pull-request' && { job: done }),
      })
      const { headline } = conclude(result, jobRef)
      const text = textOf(result)
      const others = outcomesOf('agent')
        .filter((other) => other !== outcome)
        .map((other) => conclude(aResult({ outcome: other, ...problemOf(other) }), jobRef).headline)
      expect(others).not.toContain(headline)
      expect(text).not.toMatch(/undefined|null|NaN/)
    },
  )

  it.each(['timed-out', 'detached', 'cancelled', 'error'] as const)(
    'the conclusion for the outcome %s says how to continue if there is a job',
    (outcome) => {
      expect(conclude(aResult({ outcome }), jobRef).resumable).toBe(true)
      expect(conclude(aResult({ outcome, jobId: null }), jobRef).resumable).toBe(false)
    },
  )

  it.each(['pull-request', 'out-of-bounds', 'no-changes', 'archived', 'failed', 'skipped'] as const)(
    'the conclusion for the outcome %s does not suggest a way to continue',
    (outcome) => {
      expect(conclude(aResult({ outcome }), jobRef).resumable).toBe(false)
    },
  )

  it('a conclusion of a step cancelled before it had a job says that none was created, if that is certain', () => {
    const cancelled = aResult({ outcome: 'cancelled', jobId: null, job: null })
    expect(textOf(cancelled)).toContain('No job was created.')
    const unknown = textOf({ ...cancelled, problem: platform('create', noResponse) })
    expect(unknown).toContain('The job may exist')
    expect(unknown).not.toContain('No job was created.')
  })

  it('a conclusion of a step cancelled before its request was sent does not blame the network', () => {
    const failure = { ...unreachable('connection'), code: 'CANCELLED' } as ReturnType<typeof unreachable>
    const text = textOf(aResult({ outcome: 'cancelled', jobId: null, problem: platform('create', failure) }))
    expect(text).not.toMatch(/firewall|Check base-url/)
  })

  it('a conclusion after a follow-up does not call a job with its earlier result “still completed”', () => {
    const job = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/1' })
    expect(textOf(aResult({ outcome: 'timed-out', job }))).not.toContain('still completed')
  })

  it('a conclusion says how the last polls failed if the step timed out while polls were failing', () => {
    const text = textOf(aResult({ outcome: 'timed-out', problem: platform('read', noResponse) }))
    expect(text).toContain('The last polls failed, so the job may have ended. Mintlify did not respond to')
  })

  it('a conclusion of an error leads with its cause', () => {
    const result = aResult({ outcome: 'error', problem: platform('read', rejected(401)) })
    expect(textOf(result)).toMatch(/^Mintlify rejected the API key \(401\)/)
  })

  it.each([
    ['not-sent', 'The request was not sent'],
    ['sent', 'The result is unknown'],
    ['uncertain', 'The result is unknown'],
  ] as const)('the headline of an error whose request was %s is: %s', (delivery, headline) => {
    const result = aResult({ outcome: 'error', delivery, problem: platform('read', rejected(401)) })
    expect(conclude(result, jobRef).headline).toBe(headline)
  })
})
