import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Job, parseJob } from '../../src/core/job/job.ts'
import { type AgentOutcome as Outcome, outcomesOf } from '../../src/core/outcome.ts'
import type { AgentResult } from '../../src/core/progress.ts'
import { dashboardUrl } from '../../src/render/dashboard.ts'
import { agentSummary, pendingSummary } from '../../src/render/summary.ts'
import { aJob, broken, hostileText, noAnswer, refused, runs, webUrl } from '../core/samples.ts'
import { elements, find, links, mentions, render, textOf } from './github.ts'
import { aResult, jobRef, platform, step } from './samples.ts'

const summary = (result: AgentResult) => agentSummary(result, jobRef, step)
const done = aJob({ status: 'completed', prLink: 'https://github.com/acme/docs/pull/7' })

describe('the summary', () => {
  it('the summary of a pull request links to it and lists its files', () => {
    expect(summary(aResult({ job: done }))).toMatchInlineSnapshot(`
      "## ✅ The agent's pull request is ready

      **[acme/docs#7](https://github.com/acme/docs/pull/7)**

      | Outcome | \`pull-request\` |
      | :-- | :-- |
      | Took | 4 min 12 s |
      | Model | \`docs-writer-2\` |
      | Job | \`job_1\` |
      | Repository | [acme/docs](https://github.com/acme/docs) |
      | Branch | \`docs-agent/job_1\` |
      | Created | Nov 2, 10:00 UTC |

      <details><summary>The prompt (6 B)</summary>

      \`\`\`text
      Fix it
      \`\`\`

      </details>
      "
    `)
  })

  it('the summary of a time-out says how to continue', () => {
    expect(
      summary(aResult({ outcome: 'timed-out', problem: platform('read', broken(503)) })),
    ).toMatchInlineSnapshot(`
      "## ⏱️ Timed out: the agent is still working

      Job \`job_1\` is still active after 4 min 12 s. It continues on Mintlify. To wait longer, raise \`timeout\`.

      The last polls failed: Mintlify failed on the request for the job (503): “oops”.

      | Outcome | \`timed-out\` |
      | :-- | :-- |
      | Took | 4 min 12 s |
      | Model | \`docs-writer-2\` |
      | Job | \`job_1\` |
      | Repository | [acme/docs](https://github.com/acme/docs) |
      | Branch | \`docs-agent/job_1\` |
      | Created | Nov 2, 10:00 UTC |

      To wait for the job, run this step:

      \`\`\`yaml
      - uses: acme/docs-agent-action@v1
        with:
          project-id: docs
          api-key: \${{ secrets.DOCS_AGENT_API_KEY }} # the name of your secret
          job-id: job_1
      \`\`\`

      <details><summary>The prompt (6 B)</summary>

      \`\`\`text
      Fix it
      \`\`\`

      </details>
      "
    `)
  })

  it('the summary of an unconfirmed send says where to look', () => {
    const result = aResult({
      outcome: 'unconfirmed',
      jobId: null,
      job: null,
      problem: platform('create', noAnswer),
    })
    expect(summary(result)).toMatchInlineSnapshot(`
      "## ❓ Mintlify did not confirm the request

      Mintlify did not respond to the request to create the job (ECONNRESET).

      The connection broke or timed out after the request was sent. The job may exist, so nothing is sent again. Look at project \`docs\` on [app.mintlify.com](https://app.mintlify.com/) and at its repository's open pull requests. If nothing is there, start a new run or comment again: a re-run is not enough.

      | Outcome | \`unconfirmed\` |
      | :-- | :-- |
      | Took | 4 min 12 s |

      <details><summary>The prompt (6 B)</summary>

      \`\`\`text
      Fix it
      \`\`\`

      </details>
      "
    `)
  })

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
      "## ❌ 2 invalid inputs

      These inputs are invalid.

      - \`timeout\`&#58; got "soon", expected a duration.
      - \`api-key\`&#58; got nothing, expected a key.

      Nothing was sent. Create an admin key on [app.mintlify.com/settings/organization/api-keys](https://app.mintlify.com/settings/organization/api-keys). Store it in the secret that \`api-key\` reads. Correct the rest in the workflow file.

      | Outcome | \`error\` |
      | :-- | :-- |
      | Took | 0 s |
      "
    `)
  })

  it('the summary of an active job says how to continue if the step is killed', () => {
    expect(pendingSummary('job_1', step)).toMatchInlineSnapshot(`
      "⏳ Job \`job_1\` of project \`docs\` is running.

      To wait for the job, run this step:

      \`\`\`yaml
      - uses: acme/docs-agent-action@v1
        with:
          project-id: docs
          api-key: \${{ secrets.DOCS_AGENT_API_KEY }} # the name of your secret
          job-id: job_1
      \`\`\`
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
    'the summary of %s says why, even if the job has a link',
    (outcome) => {
      const problem = outcome === 'error' ? platform('read', refused(401)) : null
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
        problem: platform('read', { kind: 'refused', status: 400, detail: `x${detail}` }),
      }),
      bland: aResult({
        outcome,
        job: job && blandJob(job),
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
    ['pairs', '😀'],
    ['entities', '<&>"'],
  ])(
    'outside text of a million characters of %s stays in its fold, and the summary stays below a mebibyte',
    (_, part) => {
      const text = part.repeat(1_000_000 / part.length)
      const leftOut = Array.from({ length: 2_000 }, () => ({ path: part.repeat(1_000), why: 'binary' }))
      const detail = part.repeat(1_000)
      const problem = platform('read', { kind: 'refused', status: 400, detail })
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
