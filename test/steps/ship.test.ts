/** Days in a repository whose docs ship with their feature, event by event, with the shipped steps. */
import { describe, expect, it } from 'vitest'
import { stepOn } from '../../sandbox/demo.ts'
import { startGitHub } from '../../sandbox/github/server.ts'
import type { WorkflowEvent } from '../../src/core/trigger/event.ts'
import { onTestFinished } from '../running.ts'
import { inputsFor, platformFor } from '../service.ts'
import { runStep } from './run.ts'
import { createStory, type Story, shipInputs, tellStory } from './ship-world.ts'

const hour = 60 * 60_000

type Inputs = Record<string, string>
/** An event, the mode that runs on it, the outcome, and what changed on GitHub and on Mintlify (`+` for each send). */
type Line = [
  event: (story: Story) => WorkflowEvent,
  mode: 'agent' | 'settle',
  outcome: string,
  news: string[],
]

async function day(lines: readonly Line[], inputs: Inputs = {}) {
  const story = createStory()
  const later = { ms: 0 }
  const hub = await startGitHub({ ...story.github, now: () => new Date(Date.now() + later.ms) })
  onTestFinished(() => hub.close())
  const platform = await platformFor({ readsUntilEnd: 1 })
  let shown: string[] = []
  let sends = 0
  for (const [happens, mode, outcome, news] of lines) {
    later.ms += hour
    const event = happens(story)
    const step = await runStep({
      with: { ...inputsFor(platform.url, mode), ...shipInputs[mode], ...(mode === 'agent' && inputs) },
      date: Date.now() + later.ms,
      ...stepOn(event, hub.url),
    })
    const now = tellStory(story, hub)
    const sent = platform.requests.filter(({ method }) => method === 'POST').length
    const changes = [...now.filter((line) => !shown.includes(line)), ...Array(sent - sends).fill('+')]
    expect([event.name, step.outputs.outcome, ...changes]).toEqual([event.name, outcome, ...news])
    ;[shown, sends] = [now, sent]
  }
  return { story, hub, platform }
}

const held: Line = [
  (story) => story.label(),
  'agent',
  'pull-request',
  [
    '#101 is open; labels: docs; reviewers: mona',
    'Docs agent / hold: pending: Waits for acme/docs#12',
    'Docs agent / allowed paths: success: All files are within the allowed paths',
    "#101: 📖 Mintlify's agent wrote this pull request. `mona` asked for it in acme/docs#12.",
    expect.stringMatching(/^#12: ✅ \*\*/) as unknown as string,
    '+',
  ],
]
const at12 = (icon: string) => expect.stringMatching(new RegExp(`^#12: ${icon}`)) as unknown as string
const lifted = 'Docs agent / hold: success: acme/docs#12 is merged'

describe('a repository’s day', () => {
  it('docs wait for the merge of code that changed, and each commit keeps its statuses', async () => {
    const { hub } = await day([
      held,
      [(story) => story.pushCode(), 'settle', 'settled', []],
      [
        (story) => story.pushDocs(),
        'settle',
        'settled',
        ['Docs agent / allowed paths: failure: 1 file is outside the allowed paths'],
      ],
      [(story) => story.merge(), 'settle', 'settled', [lifted, at12('▶️ \\*\\*')]],
      [(story) => story.schedule(), 'settle', 'settled', []],
    ])
    const notice = hub.comments.find(({ body }) => body.startsWith('▶️'))?.body
    expect(notice).toContain('/docs update the docs to the final diff of this pull request')
  })

  it('the push of the merge starts no second job', async () => {
    await day([
      held,
      [(story) => story.merge(), 'settle', 'settled', [lifted, at12('▶️ \\*\\*')]],
      [(story) => story.pushed(), 'agent', 'skipped', []],
    ])
  })

  it('docs for abandoned code are left to people', async () => {
    const { story } = await day([
      held,
      [
        (story) => story.abandon(),
        'settle',
        'settled',
        [
          'Docs agent / hold: failure: acme/docs#12 was closed without being merged',
          expect.stringMatching(/^#101: 🗑️/) as unknown as string,
        ],
      ],
      [(story) => story.schedule(), 'settle', 'settled', []],
    ])
    expect(story.home.pull(101)?.state).toBe('open')
  })
})
