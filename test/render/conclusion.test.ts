import { describe, expect, it } from 'vitest'
import { agentOutcomes as outcomes } from '../../src/core/outcome.ts'
import { conclude } from '../../src/render/conclusion.ts'
import { aJob, noAnswer, refused, unreachable } from '../core/samples.ts'
import { aResult, place, platform } from './samples.ts'

describe('a conclusion', () => {
  it.each(outcomes)('of %s has a headline of its own, and says nothing undefined', (outcome) => {
    const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })
    const { headline, text } = conclude(
      aResult({ outcome, ...(outcome === 'pull-request' && { job: done }) }),
      place,
    )
    const others = outcomes
      .filter((other) => other !== outcome)
      .map((other) => conclude(aResult({ outcome: other }), place).headline)
    expect(others).not.toContain(headline)
    expect(text).not.toMatch(/undefined|null|NaN/)
  })

  it.each(['timed-out', 'detached', 'cancelled', 'error'] as const)(
    'of %s tells how to go on where there is a job',
    (outcome) => {
      expect(conclude(aResult({ outcome }), place).resumable).toBe(true)
      expect(conclude(aResult({ outcome, jobId: null }), place).resumable).toBe(false)
    },
  )

  it.each(['pull-request', 'no-changes', 'archived', 'failed', 'dry-run', 'skipped'] as const)(
    'of %s has nothing to go on with',
    (outcome) => {
      expect(conclude(aResult({ outcome }), place).resumable).toBe(false)
    },
  )

  it('of a step cancelled before it had a job says that none was created, if that is certain', () => {
    const cancelled = aResult({ outcome: 'cancelled', jobId: null, job: null })
    expect(conclude(cancelled, place).text).toContain('No job was created.')
    const unknown = conclude({ ...cancelled, problem: platform('create', noAnswer) }, place).text
    expect(unknown).toContain('may have been created')
    expect(unknown).not.toContain('No job was created.')
  })

  it('of a step cancelled before its request went out does not blame the network', () => {
    const failure = { ...unreachable('connection'), code: 'CANCELLED' } as ReturnType<typeof unreachable>
    const { text } = conclude(
      aResult({ outcome: 'cancelled', jobId: null, problem: platform('create', failure) }),
      place,
    )
    expect(text).not.toMatch(/firewall|Check base-url/)
  })

  it('of a job whose message still shows its old end does not call it still completed', () => {
    const job = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/1' })
    expect(conclude(aResult({ outcome: 'timed-out', job }), place).text).not.toContain('still completed')
  })

  it('of a time-out with failing reads says how they failed', () => {
    const { text } = conclude(
      aResult({ outcome: 'timed-out', problem: platform('read', noAnswer, 9) }),
      place,
    )
    expect(text).toContain('The last reads failed: The platform did not answer')
  })

  it('of an error is the explanation of its problem', () => {
    const { text } = conclude(aResult({ outcome: 'error', problem: platform('read', refused(401)) }), place)
    expect(text.split('\n')).toHaveLength(3)
    expect(text).toContain('(401)')
  })
})
