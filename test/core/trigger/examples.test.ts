import { describe, expect, it } from 'vitest'
import { parseEvent, type RawEvent } from '../../../src/core/trigger/event.ts'
import { readTrigger } from '../../../src/core/trigger/trigger.ts'
import { asked, eventNames, examples, unchecked } from '../../webhooks.ts'

/** Whether an event starts nothing, or a job with or without a check of the sender's role. */
function startedBy(event: RawEvent): string {
  const trigger = readTrigger(parseEvent(event), { ...asked, agentLogin: 'mintlify[bot]' })
  if (trigger.kind !== 'thread') return trigger.kind === 'stop' ? 'nothing' : 'unchecked'
  return trigger.requesters.every(({ login }) => login !== '') ? 'checked' : 'unchecked'
}

/** Events that start a job only after the sender's role is checked, each with the action that starts it. */
const gated: Record<string, string> = {
  issue_comment: 'created',
  pull_request_review_comment: 'created',
  pull_request_review: 'submitted',
  issues: 'labeled',
}

/** What an event may start. Events that a later version of the payloads' package adds must start nothing. */
function mayStart({ name, payload }: RawEvent): string {
  const { action } = payload as { action?: string }
  const starting = name === 'pull_request' ? 'labeled' : gated[name]
  if (starting !== undefined && starting === action) return 'checked'
  return unchecked.includes(name) ? 'unchecked' : 'nothing'
}

/** One example for each action of each event. */
const kinds = new Map(
  examples.map((event) => [`${event.name} ${(event.payload as { action?: string }).action}`, event]),
)

describe('the example payloads', () => {
  it('there are hundreds of example payloads, and some start jobs', () => {
    expect(examples.length).toBeGreaterThan(300)
    const started = new Set(examples.map((event) => `${event.name}: ${startedBy(event)}`))
    for (const name of ['issue_comment', 'pull_request_review_comment', 'issues'])
      expect(started).toContain(`${name}: checked`)
    for (const name of ['push', 'pull_request', 'release', 'workflow_dispatch'])
      expect(started).toContain(`${name}: unchecked`)
  })

  it.each(eventNames)('the example payloads of %s start only what is listed', (name) => {
    for (const event of examples.filter((each) => each.name === name))
      expect(['nothing', mayStart(event)], JSON.stringify(event).slice(0, 200)).toContain(startedBy(event))
  })

  it('an example payload starts nothing under the name of an event that is not listed', () => {
    const unlisted = eventNames.filter((name) => !unchecked.includes(name) && !(name in gated))
    for (const name of [...unlisted, 'a_new_event', 'pull_request_target', 'toString', ''])
      for (const event of kinds.values())
        expect(startedBy({ ...event, name }), `${event.name} as ${name}`).toBe('nothing')
  })

  it('an example payload starts a job only after a check, under the name of any gated event', () => {
    for (const name of Object.keys(gated))
      for (const event of examples)
        expect(startedBy({ ...event, name }), `${event.name} as ${name}`).not.toBe('unchecked')
  })
})

it.each([...eventNames, 'schedule', 'pull_request_target', ''])(
  'workflow_run starts a job only after a push or pull request: “%s”',
  (event) => {
    const { payload, ...example } = examples.find(({ name }) => name === 'workflow_run') as RawEvent
    const { repository, workflow_run } = payload as { repository: { id: number }; workflow_run: object }
    const run = { ...workflow_run, head_repository: { id: repository.id }, conclusion: 'success', event }
    const started = startedBy({ ...example, payload: { repository, workflow_run: run } })
    expect(started).toBe(['push', 'pull_request'].includes(event) ? 'unchecked' : 'nothing')
  },
)
