import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { projectDir } from '../../sandbox/runner/action.ts'
import { parseJob } from '../../src/core/job/job.ts'
import { type AgentOutcome, failable, outcomesOf } from '../../src/core/outcome.ts'
import { withoutCommands } from '../../src/core/text.ts'
import { describeResult, type LogEntry, describe as say } from '../../src/say/messages.ts'
import { aJob, anyFailure, broken, hostileText, operations, rejected, runs } from '../core/samples.ts'
import { aResult, jobRef, platform } from './samples.ts'

const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })
const withProblem = (outcome: AgentOutcome) =>
  aResult({ outcome, job: done, problem: platform('create', broken(500)) })
const usual = new Set(['failed', 'timed-out'] as const)
const lines = (entries: LogEntry[]) =>
  entries.map((entry) => `${entry.level}: ${'title' in entry ? `${entry.title}: ` : ''}${entry.text}`)

describe('the log', () => {
  it('the log reports a failing poll of a new job without the word null', () => {
    const failing: Progress = {
      type: 'failing',
      operation: 'read',
      failure: rejected(404),
      nextAttempt: 2_000,
    }
    expect(lines(say(failing, { ...jobRef, jobId: null })).join()).not.toContain('null')
  })

  it('the log has one or two short lines for each event, whatever the platform sends', () => {
    const job = hostileText.map((status) => parseJob({ id: 'job_1', status }) ?? aJob())
    const progress = fc.oneof<fc.Arbitrary<Progress>[]>(
      job.map((job) => ({ type: 'status', job, age: 1 })),
      job.map((job) => ({ type: 'job', jobId: 'job_1', job, origin: 'created' })),
      job.map((job) => ({ type: 'unchanged', job, age: 1 })),
      hostileText.map((status) => ({ type: 'unknown-status', status })),
      hostileText.map((status) => ({ type: 'waiting', age: 1, status, nextRead: 1, failures: 2 })),
      fc.tuple(fc.constantFrom(...operations), anyFailure).map(([operation, failure]) => ({
        type: 'failing',
        operation,
        failure,
        nextAttempt: 1,
      })),
    )
    fc.assert(
      fc.property(progress, (seen) => {
        const entries = say(seen, jobRef)
        expect(entries).toHaveLength(1)
        expect(entries[0]?.text).toMatch(/^[^\r\u2028\u202E]{5,700}$/)
        expect(entries[0]?.text.split('\n').length).toBeLessThanOrEqual(2)
      }),
      runs(150),
    )
  })

  it.each([
    ['commands', '::error::x\n ::set-output name=a::b\n##[add-path]x\n'],
    ['lines that end a group', '::endgroup::\n'],
    ['a million characters', 'x'],
  ])(
    'the log shows a prompt in a group of limited size, and no part of it is a runner command: %s',
    (_, part) => {
      const text = part.repeat(1_000_000 / part.length)
      const [group, ...rest] = say(
        { type: 'prompt', prompt: { text, included: [], leftOut: [] }, jobId: null },
        jobRef,
      )
      expect(rest).toEqual([])
      expect(group?.level).toBe('group')
      expect(group?.text.length).toBeLessThanOrEqual(65_536)
      expect(withoutCommands(group?.text ?? '')).not.toMatch(/^\s*::|##\[/m)
    },
  )
})

describe('the last lines', () => {
  it('the last lines of a step that does not wait say that settle reports the result, and link to the recipe', () => {
    const shown = lines(describeResult(aResult({ outcome: 'detached' }), jobRef, usual)).join('\n')
    expect(shown).toContain('only a later step with `mode: settle` reports the result')
    expect(shown).toContain(
      'https://github.com/acme/docs-agent-action/blob/v1/docs/recipes.md#no-runner-waits',
    )
    const recipes = readFileSync(join(projectDir, 'docs/recipes.md'), 'utf8')
    expect(recipes).toContain('\n## No runner waits\n')
  })

  it.each([
    ['pull-request', 'notice'],
    ['out-of-bounds', 'warning'],
    ['no-changes', 'info'],
    ['archived', 'warning'],
    ['failed', 'error'],
    ['timed-out', 'error'],
    ['detached', 'notice'],
    ['skipped', 'info'],
    ['cancelled', 'error'],
    ['unconfirmed', 'error'],
    ['error', 'error'],
  ] as const)('the last lines for the outcome %s have the level %s by default', (outcome, level) => {
    expect(describeResult(withProblem(outcome), jobRef, usual)[0]?.level).toBe(level)
  })

  it.each(outcomesOf('agent'))(
    'the last lines for the outcome %s are an error only if the step fails',
    (outcome) => {
      const [entry] = describeResult(withProblem(outcome), jobRef, new Set())
      expect(entry?.level === 'error').toBe(['cancelled', 'unconfirmed', 'error'].includes(outcome))
    },
  )

  it.each(failable.filter((outcome) => outcome !== 'alert'))(
    'the last lines for the outcome %s are an error if fail-on names the outcome',
    (outcome) => {
      expect(describeResult(withProblem(outcome), jobRef, new Set([outcome]))[0]?.level).toBe('error')
    },
  )
})
