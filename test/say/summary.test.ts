import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Job, parseJob } from '../../src/core/job/job.ts'
import { type AgentResult, type AgentOutcome as Outcome, outcomesOf } from '../../src/core/outcome.ts'
import { dashboardUrl } from '../../src/say/problems.ts'
import { agentSummary } from '../../src/say/summary.ts'
import { aJob, hostileText, rejected, runs, webUrl } from '../core/samples.ts'
import { elements, find, links, mentions, render, textOf } from './github.ts'
import { aResult, jobRef, platform } from './samples.ts'

const summary = (result: AgentResult) => agentSummary(result, jobRef)
const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })

describe('the summary', () => {
  it('the summary of invalid inputs lists them', () => {
    const faults = [
      { input: 'timeout', got: '"soon"', expected: 'a duration' },
      { input: 'api-key', got: 'nothing', expected: 'a key' },
    ]
    const result = aResult({
      outcome: 'error',
      jobId: null,
      job: null,
      prompt: null,
      elapsed: 0,
      problem: { type: 'inputs', faults },
    })
    expect(summary(result)).toMatchInlineSnapshot(`
      "## ❌ The result is unknown

      The workflow is misconfigured: 2 inputs are invalid.

      - \`timeout\` got "soon", expected a duration.
      - \`api-key\` got nothing, expected a key.

      Create an admin key on [app.mintlify.com/settings/organization/api-keys](https://app.mintlify.com/settings/organization/api-keys). Store it in the secret that \`api-key\` reads. Correct the rest in the workflow file.

      | Outcome | \`error\` |
      | :-- | :-- |
      | Took | 0 s |
      "
    `)
  })

  it('the summary of left-out files lists fifty of them', () => {
    const leftOut = Array.from({ length: 60 }, (_, index) => ({
      path: `docs/__init__${index}.md`,
      why: 'binary',
    }))
    const tree = render(summary(aResult({ prompt: { text: 'Fix', included: [], leftOut } })))
    expect(elements(tree).filter((name) => name === 'li')).toHaveLength(51)
    expect(textOf(tree)).toContain('docs/__init__49.md: binary')
    expect(textOf(tree)).toContain('and 10 more')
  })

  it.each(['failed', 'archived', 'timed-out', 'cancelled', 'error'] as const)(
    'the summary for the outcome %s says why, even if the job has a link',
    (outcome) => {
      const problem = outcome === 'error' ? platform('read', rejected(401)) : null
      const text = textOf(render(summary(aResult({ outcome, job: done, problem }))))
      expect(text).toContain('acme/docs#7')
      expect(text).toContain(outcome === 'error' ? '(401)' : 'ob job_1')
      if (outcome === 'failed') expect(text).toContain('gives no reason')
    },
  )
})

describe('outside text in a summary', () => {
  const json = fc.record({
    status: hostileText,
    model: hostileText,
    source: fc.record({ repository: fc.oneof(webUrl, hostileText), ref: hostileText }),
    prLink: fc.oneof(
      webUrl,
      hostileText.map((text) => `https://e.example/${text}`),
      hostileText,
    ),
    createdAt: hostileText,
    archivedAt: hostileText,
  })
  const job = json.map((fields) => parseJob({ id: 'job_1', ...fields }) ?? null)
  const result = fc
    .record({
      job,
      text: hostileText,
      times: fc.integer({ min: 1, max: 200 }),
      path: hostileText,
      detail: hostileText,
      outcome: fc.constantFrom<Outcome>(...outcomesOf('agent')),
    })
    .map(({ job, text, times, path, detail, outcome }) => ({
      hostile: aResult({
        outcome,
        job,
        prompt: {
          text: `x${text.repeat(times)}`,
          included: [],
          leftOut: [{ path: `a${path}`, why: 'binary' }],
        },
        problem: platform('read', { kind: 'rejected', status: 400, detail: `x${detail}` }),
      }),
      bland: aResult({
        outcome,
        job: job && blandJob(job),
        prompt: { text: 'x', included: [], leftOut: [{ path: 'a', why: 'binary' }] },
        problem: platform('read', { kind: 'rejected', status: 400, detail: 'x' }),
      }),
    }))
  const isWeb = (text: string | null) => /^https?:$/.test(URL.parse(text ?? '')?.protocol ?? '')

  function blandJob(job: Job): Job {
    const bland = (text: string | null) => text && (isWeb(text) ? 'https://github.com/a/b' : 'x')
    return {
      id: 'x',
      status: bland(job.status),
      prLink: bland(job.prLink),
      repository: bland(job.repository),
      ref: job.ref && 'x',
      model: job.model && 'x',
      createdAt: job.createdAt && 'x',
      archivedAt: job.archivedAt && 'x',
    }
  }

  it('outside text creates no element, link or mention that plain words would not create', () => {
    fc.assert(
      fc.property(result, ({ hostile, bland }) => {
        const tree = render(summary(hostile))
        expect(elements(tree)).toEqual(elements(render(summary(bland))))
        const wanted = [hostile.job?.prLink ?? null, hostile.job?.repository ?? null].filter(isWeb)
        expect(links(tree).filter((url) => !url.startsWith(dashboardUrl))).toEqual(
          wanted.map((url) => URL.parse(url ?? '')?.href),
        )
        expect(mentions(tree)).toEqual([])
      }),
      runs(30),
    )
  })

  it.each([
    ['commands', '::error::x\n##[error]x\n'],
    ['the end of the fold', '</details>\n\n'],
    ['a table', '| a | b |\n|---|---|\n| c | d |\n'],
    ['fences', '```\n````\n'],
    ['backticks', '`'],
    ['hidden characters', '\u202E'],
    ['wide characters', '漢'],
    ['surrogate pairs', '😀'],
    ['entities', '<&>"'],
  ])(
    'a million characters of outside text (%s) stay in their fold, and the summary stays below a mebibyte',
    (_, part) => {
      const text = part.repeat(1_000_000 / part.length)
      const leftOut = Array.from({ length: 2_000 }, () => ({ path: part.repeat(1_000), why: 'binary' }))
      const detail = part.repeat(1_000)
      const problem = platform('read', { kind: 'rejected', status: 400, detail })
      const markdown = summary(
        aResult({ outcome: 'error', prompt: { text, included: [], leftOut }, problem }),
      )
      expect(Buffer.byteLength(markdown)).toBeLessThan(1_048_576)
      const tree = render(markdown)
      const fold = find(tree, 'details')
      expect(elements(fold)).toEqual(['details', 'summary', 'pre', 'code'])
      expect(tree.children.filter(({ type }) => type === 'element').at(-1)).toBe(fold)
    },
  )
})
