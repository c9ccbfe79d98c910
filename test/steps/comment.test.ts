/** Commands and labels: what GitHub shows, and which text is in the prompt. */
import { expect, it } from 'vitest'
import { issue, issueComment, releasePublished } from '../../sandbox/payloads.ts'
import { createWorld } from './world.ts'

// The first week shows replies; test/usecases/command.test.ts has more commands and re-runs.
it('a command makes these calls, and its result is a new comment', async () => {
  const { hub, run, written, prompts, reactions } = await createWorld({
    github: { faults: [{ on: 'reactions/create-for-issue-comment', status: 403 }] },
  })
  const { warnings } = await run(issueComment())
  expect(prompts()).toMatchSnapshot()
  expect(hub.requests.map(({ name }) => name)).toMatchSnapshot()
  expect(written()).toEqual([
    expect.stringContaining('[acme/docs#101](https://github.com/acme/docs/pull/101)'),
  ])
  expect([written(101).length, reactions()]).toEqual([1, []])
  // A missing reaction does no harm.
  expect(warnings[0]).toContain('`issues: write`')
})

const image = 'It is wrong. ![x](/x)'
const release = releasePublished({ repository: 'acme/docs', body: image })
const read = { label: 'docs', 'context-diff': 'true', wait: 'false' }

it.each([
  ['a comment', issueComment({ text: image }), 'issue text'],
  ['a label', issue({ text: image }), 'issue text'],
  ['a release', release, 'release notes'],
])(
  'the text of %s is rendered by GitHub for the repository; the prompt and the log say what is missing',
  async (_, event, name) => {
    const { hub, run, prompts } = await createWorld()
    const { text, warnings } = await run(event, read)
    expect(hub.requests.flatMap(({ name, body }) => (name === 'markdown/render' ? [body] : []))).toEqual([
      { text: expect.stringContaining('![x](/x)'), mode: 'gfm', context: 'acme/docs' },
    ])
    expect(prompts()[0]).toContain(`- ${name} (without 1 image)`)
    expect(text).toContain(`Missing, truncated or excluded: 1 item ${name}: without 1 image`)
    expect(warnings).toEqual([])
  },
)
