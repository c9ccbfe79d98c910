import { describe, expect, it } from 'vitest'
import type { GitHubFault, GitHubOptions } from '../../sandbox/github/server.ts'
import { issue, issueComment, releasePublished, reviewSubmitted } from '../../sandbox/payloads.ts'
import { createWorld } from './comment-world.ts'
import { runStep } from './run.ts'

const inputs = { label: 'docs', prompt: 'Check the docs.', 'context-diff': 'true', wait: 'false' }
const comments = [
  { id: 2001, thread: { number: 7, reviewRoot: 2001 }, body: 'Name the flag.', user: 'mona', review: 1001 },
]
const release = releasePublished({ repository: 'acme/docs', body: 'A fix. ![x](/x)' })
const events = {
  'a comment': issueComment({ text: 'It is wrong. ![x](/x)' }),
  'a label': issue({ text: 'It is wrong. ![x](/x)' }),
  'a release': release,
}

const run = (event: typeof release, github: GitHubOptions = {}) =>
  createWorld(runStep, { github }).then(async ({ hub, service, command }) => ({
    ...(await command(event, event === release ? { ...inputs, command: '', label: '' } : inputs)),
    hub,
    service,
  }))

describe.each(Object.entries(events))('the text of %s', (_, event) => {
  it('is rendered by GitHub for the repository; the prompt and the log say what is missing', async () => {
    const { hub, service, log, text } = await run(event)
    const rendered = hub.requests.filter(({ name }) => name === 'markdown/render')
    expect(rendered.map(({ body }) => body)).toEqual([
      { text: expect.stringContaining('![x](/x)'), mode: 'gfm', context: 'acme/docs' },
    ])
    expect(service.jobs.get('job_0001')?.prompt).toMatch(/- (?:issue text|release notes) \(without 1 image\)/)
    expect(text).toMatch(
      /Missing, truncated or excluded: 1 item (?:issue text|release notes): without 1 image/,
    )
    expect(log.filter(({ level }) => level === 'warning')).toEqual([])
  })

  it.each<[string, GitHubOptions, string]>([
    ['lets the token read no contents', { lacks: ['contents: read'] }, '`contents: read`'],
    ['is unavailable', { faults: [at({ status: 503 })] }, 'GitHub may be unavailable'],
    [
      'answers with a page',
      { faults: [at({ do: { kind: 'raw', body: '<!DOCTYPE html>', headers: html } })] },
      'documents',
    ],
    [
      'answers with too much',
      { faults: [at({ do: { kind: 'raw', body: ' '.repeat(21 * 1024 * 1024) } })] },
      '20 MiB',
    ],
  ])('nothing is sent if GitHub %s', async (_, github, why) => {
    const { service, outputs, text, exitCode } = await run(event, github)
    expect([outputs.outcome, exitCode, service.jobs.size]).toEqual(['error', 1, 0])
    expect(text).toContain('GitHub did not render the text')
    expect(text).toContain(why)
  })
})

it("nothing is sent if GitHub does not render one of a review's comments", async () => {
  const faults = [{ on: 'markdown/render', after: 1, status: 503 } as const]
  const { service, outputs } = await run(reviewSubmitted(), { comments, faults })
  expect([outputs.outcome, service.jobs.size]).toEqual(['error', 0])
})

it('text over 400 KB is left out, because GitHub does not render it', async () => {
  const { hub, service } = await run(issueComment({ text: 'é'.repeat(200_001) }))
  expect(hub.requests.map(({ name }) => name)).not.toContain('markdown/render')
  expect(service.jobs.get('job_0001')?.prompt).toContain('- issue text (over the 400 KB that GitHub renders)')
})

const html = { 'content-type': 'text/html' }

function at(fault: { status: number } | { do: Extract<GitHubFault, { do: unknown }>['do'] }): GitHubFault {
  return { on: 'markdown/render', ...fault }
}
