import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SettledJob, SettleResult } from '../../src/core/settle.ts'
import { settleSummary } from '../../src/say/settle.ts'
import { hostileText } from '../core/samples.ts'
import { elements, links, mentions, render } from './github.ts'

const server = 'https://github.com'
const jobRef = {
  uses: './',
  actionUrl: '.',
  baseUrl: 'https://api.mintlify.com',
  projectId: 'docs',
  jobId: null,
}

/** A result with one job, all of whose texts come from outside. */
function resultOf(job: string, prLink: string, repository: string, commit: string): SettleResult {
  const told: SettledJob = {
    job,
    since: Date.UTC(2026, 10, 2),
    link: { kind: 'commit', repository, commit },
    state: 'settled',
    outcome: 'pull-request',
    prLink,
  }
  return { outcome: 'settled', jobs: [told], pulls: [], problem: null, isCut: false }
}

describe('a hostile job and commit', () => {
  const hostile = hostileText.map((text) => text.slice(0, 80))
  const address = hostileText.map((text) => `https://evil.example/${encodeURI(text.toWellFormed())}`)

  it('the summary of a hostile job and commit has one row for the job, and no mention, image or unexpected link', () => {
    fc.assert(
      fc.property(hostile, address, hostile, hostile, (job, prLink, repository, commit) => {
        const tree = render(settleSummary(resultOf(job, prLink, repository, commit), jobRef, server))
        expect(elements(tree).filter((name) => name === 'tr')).toHaveLength(2)
        expect(elements(tree)).not.toContain('img')
        expect(mentions(tree)).toEqual([])
        for (const link of links(tree)) expect(link).toMatch(/^https:\/\/(github\.com|evil\.example)\//)
      }),
    )
  })
})
