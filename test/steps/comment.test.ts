/** Text from outside in a prompt. The first week shows whole prompts. */
import { expect, it } from 'vitest'
import { issue, issueComment, releasePublished } from '../../sandbox/payloads.ts'
import { createWorld } from './world.ts'

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
