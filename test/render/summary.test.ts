import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Job, parseJob } from '../../src/core/job/job.ts'
import { type AgentOutcome as Outcome, agentOutcomes as outcomes } from '../../src/core/outcome.ts'
import type { AgentResult } from '../../src/core/progress.ts'
import { agentSummary, pendingSummary } from '../../src/render/summary.ts'
import { aJob, broken, hostileText, noAnswer, refused } from '../core/samples.ts'
import { elements, find, links, mentions, render, textOf } from './github.ts'
import { aResult, place, platform, step } from './samples.ts'

const summary = (result: AgentResult) => agentSummary(result, place, step)
const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })

describe('the summary', () => {
  it('of a pull request', () => {
    expect(summary(aResult({ job: done }))).toMatchInlineSnapshot(`
      "## ✅ The agent opened a pull request

      **<a href="https://github.com/acme/docs/pull/7">acme/docs/pull/7</a>**

      | Outcome | <code>pull&#45;request</code> |
      | :-- | :-- |
      | Job | <code>job&#95;1</code> |
      | Status | <code>completed</code> |
      | Repository | <a href="https://github.com/acme/docs">acme/docs</a> |
      | Branch | <code>docs&#45;agent/job&#95;1</code> |
      | Model | <code>docs&#45;writer&#45;2</code> |
      | Created | <code>2026&#45;11&#45;02T10&#58;<!-- -->00&#58;<!-- -->00Z</code> |
      | Took | 4m 12s |

      <details><summary>The prompt &#40;6 B&#41;</summary>

      \`\`\`text
      Fix it
      \`\`\`

      </details>
      "
    `)
  })

  it('of a time-out says how to go on', () => {
    expect(
      summary(aResult({ outcome: 'timed-out', problem: platform('read', broken(503)) })),
    ).toMatchInlineSnapshot(`
      "## ⏱️ The time was up before the job was done

      Job job&#95;1 is still active after 4m 12s&#46; It goes on at the platform&#46;<br>The last reads failed&#58;<!-- --> The platform failed at the reading of the job &#40;503&#41;&#58;<!-- --> &#8220;oops&#8221;&#46;

      | Outcome | <code>timed&#45;out</code> |
      | :-- | :-- |
      | Job | <code>job&#95;1</code> |
      | Status | <code>active</code> |
      | Repository | <a href="https://github.com/acme/docs">acme/docs</a> |
      | Branch | <code>docs&#45;agent/job&#95;1</code> |
      | Model | <code>docs&#45;writer&#45;2</code> |
      | Created | <code>2026&#45;11&#45;02T10&#58;<!-- -->00&#58;<!-- -->00Z</code> |
      | Took | 4m 12s |

      To wait for the job again, run this step:

      \`\`\`yaml
      - uses: acme/docs-agent-action@v1
        with:
          project-id: docs
          api-key: \${{ secrets.DOCS_AGENT_API_KEY }} # or what your secret is called
          job-id: job_1
      \`\`\`

      <details><summary>The prompt &#40;6 B&#41;</summary>

      \`\`\`text
      Fix it
      \`\`\`

      </details>
      "
    `)
  })

  it('of a send that is unconfirmed says where to look', () => {
    const result = aResult({
      outcome: 'unconfirmed',
      jobId: null,
      job: null,
      problem: platform('create', noAnswer),
    })
    expect(summary(result)).toMatchInlineSnapshot(`
      "## ❓ It is not known whether the platform took the request

      The platform did not answer the creation of the job &#40;ECONNRESET&#41;&#46;<br>The connection broke&#44; or patience ran out&#44; after the request had gone out&#46;<br>The job may have been created all the same&#44; so nothing is sent again&#46; Look at project docs in the platform&#39;s dashboard and at the open pull requests of its repository&#59; run the workflow again only if nothing is there&#46;

      | Outcome | <code>unconfirmed</code> |
      | :-- | :-- |
      | Took | 4m 12s |

      <details><summary>The prompt &#40;6 B&#41;</summary>

      \`\`\`text
      Fix it
      \`\`\`

      </details>
      "
    `)
  })

  it('of inputs that can not be used lists them', () => {
    const faults = [
      { input: 'timeout', got: '"soon"', expected: 'a duration' },
      { input: 'api-key', got: 'nothing', expected: 'a key' },
    ]
    const result = aResult({
      ...{ outcome: 'error', jobId: null, job: null, prompt: null, elapsed: 0 },
      problem: { type: 'inputs', faults },
    })
    expect(summary(result)).toMatchInlineSnapshot(`
      "## ❌ The step could not do its work

      timeout&#58;<!-- --> got &#34;soon&#34;&#59; takes a duration&#46;<br>api&#45;key&#58;<!-- --> got nothing&#59; takes a key&#46;<br>2 inputs of the step can&#39;t be used&#46;<br>Change the lines under &#8220;with&#58;<!-- -->&#8221;&#46; Nothing was sent&#46;

      | Outcome | <code>error</code> |
      | :-- | :-- |
      | Took | 0s |
      "
    `)
  })

  it('while the job is under way says how to go on, should the step be killed', () => {
    expect(pendingSummary('job_1', step)).toMatchInlineSnapshot(`
      "⏳ Job <code>job&#95;1</code> of project <code>docs</code> is under way.

      To wait for the job again, run this step:

      \`\`\`yaml
      - uses: acme/docs-agent-action@v1
        with:
          project-id: docs
          api-key: \${{ secrets.DOCS_AGENT_API_KEY }} # or what your secret is called
          job-id: job_1
      \`\`\`
      "
    `)
  })

  it('of files left out names fifty of them', () => {
    const leftOut = Array.from({ length: 60 }, (_, index) => ({
      path: `docs/__init__${index}.md`,
      why: 'binary',
    }))
    const tree = render(summary(aResult({ prompt: { text: 'Fix', included: [], leftOut } })))
    expect(elements(tree).filter((name) => name === 'li')).toHaveLength(51)
    expect(textOf(tree)).toContain('docs/__init__49.md binary')
    expect(textOf(tree)).toContain('and 10 more')
  })

  it.each(['failed', 'archived', 'timed-out', 'cancelled', 'error'] as const)(
    'of %s says why, though the job has a link',
    (outcome) => {
      const problem = outcome === 'error' ? platform('read', refused(401)) : null
      const text = textOf(render(summary(aResult({ outcome, job: done, problem }))))
      expect(text).toContain('acme/docs/pull/7')
      expect(text).toContain(outcome === 'error' ? '(401)' : 'ob job_1')
      if (outcome === 'failed') expect(text).toContain('its interface gives no reason')
    },
  )
})

describe('outside text in a summary', () => {
  const json = fc.record({
    status: hostileText,
    model: hostileText,
    source: fc.record({ repository: fc.oneof(fc.webUrl(), hostileText), ref: hostileText }),
    prLink: fc.oneof(
      fc.webUrl(),
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
      outcome: fc.constantFrom<Outcome>(...outcomes),
    })
    .map(({ job, text, times, path, detail, outcome }) => ({
      hostile: aResult({
        ...{ outcome, job },
        prompt: {
          text: `x${text.repeat(times)}`,
          included: [],
          leftOut: [{ path: `a${path}`, why: 'binary' }],
        },
        problem: platform('read', { kind: 'refused', status: 400, detail: `x${detail}` }),
      }),
      bland: aResult({
        ...{ outcome, job: job && blandJob(job) },
        prompt: { text: 'x', included: [], leftOut: [{ path: 'a', why: 'binary' }] },
        problem: platform('read', { kind: 'refused', status: 400, detail: 'x' }),
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

  it('makes no element, link or mention that plain words would not make', () => {
    fc.assert(
      fc.property(result, ({ hostile, bland }) => {
        const tree = render(summary(hostile))
        expect(elements(tree)).toEqual(elements(render(summary(bland))))
        const wanted = [hostile.job?.prLink ?? null, hostile.job?.repository ?? null].filter(isWeb)
        expect(links(tree)).toEqual(wanted.map((url) => URL.parse(url ?? '')?.href))
        expect(mentions(tree)).toEqual([])
      }),
      { numRuns: 300 },
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
    ['pairs', '😀'],
    ['entities', '<&>"'],
  ])('of a million characters of %s stays in its fold, and the summary below a mebibyte', (_, part) => {
    const text = part.repeat(1_000_000 / part.length)
    const leftOut = Array.from({ length: 2_000 }, () => ({ path: part.repeat(1_000), why: 'binary' }))
    const detail = part.repeat(1_000)
    const problem = platform('read', { kind: 'refused', status: 400, detail })
    const markdown = summary(aResult({ outcome: 'error', prompt: { text, included: [], leftOut }, problem }))
    expect(Buffer.byteLength(markdown)).toBeLessThan(1_048_576)
    const tree = render(markdown)
    const fold = find(tree, 'details')
    expect(elements(fold)).toEqual(['details', 'summary', 'pre', 'code'])
    expect(tree.children.filter(({ type }) => type === 'element').at(-1)).toBe(fold)
  })
})
