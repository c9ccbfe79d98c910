import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WorkflowEvent } from '../../../src/core/trigger/event.ts'
import { readTrigger, type Trigger } from '../../../src/core/trigger/trigger.ts'
import { asked, eventNames, examples, unchecked } from '../../webhooks.ts'

const rules = { ...asked, agentLogin: 'mintlify[bot]' }

/** Events that start a job only after the sender's role is checked. */
const gated = ['issue_comment', 'pull_request_review_comment', 'pull_request_review', 'issues']

/** Whether an event starts nothing, or a job with or without a check of the sender's role. */
function startedBy(event: WorkflowEvent): string {
  const trigger: Trigger = readTrigger(event, rules)
  if (trigger.kind === 'skip' || trigger.kind === 'error') return 'nothing'
  if (trigger.kind !== 'command' && trigger.kind !== 'label') return 'unchecked'
  return trigger.requesters.every(({ login }) => login !== '') ? 'checked' : 'unchecked'
}

const actionOf = ({ payload }: WorkflowEvent) => (payload as { action?: string }).action

/** What each event may start. Events that a later version of the payloads' package adds must start nothing. */
function mayStart(event: WorkflowEvent): string[] {
  switch (event.name) {
    case 'issue_comment':
    case 'pull_request_review_comment':
      return actionOf(event) === 'created' ? ['checked'] : ['nothing']
    case 'pull_request_review':
      return actionOf(event) === 'submitted' ? ['checked', 'nothing'] : ['nothing']
    case 'issues':
      return actionOf(event) === 'labeled' ? ['checked'] : ['nothing']
    case 'pull_request':
      // A label on a fork's pull request starts nothing, and neither does a pull request that was closed without a
      // merge.
      return actionOf(event) === 'labeled' ? ['checked', 'nothing'] : ['unchecked', 'nothing']
    default:
      return unchecked.includes(event.name) ? ['unchecked', 'nothing'] : ['nothing']
  }
}

describe('the example payloads', () => {
  it('there are hundreds of example payloads, and some start jobs', () => {
    expect(eventNames.length).toBeGreaterThan(50)
    expect(examples.length).toBeGreaterThan(300)
    const kinds = examples.map((event) => `${event.name}: ${startedBy(event)}`)
    for (const started of [
      ...['issue_comment: checked', 'pull_request_review_comment: checked', 'issues: checked'],
      ...['push: unchecked', 'pull_request: unchecked', 'release: unchecked', 'workflow_dispatch: unchecked'],
    ])
      expect(kinds).toContain(started)
  })

  it.each(eventNames)('the example payloads of %s start only what is listed', (name) => {
    for (const event of examples.filter((each) => each.name === name))
      expect(mayStart(event), JSON.stringify(event).slice(0, 200)).toContain(startedBy(event))
  })

  it('an example payload starts nothing under the name of an event that is not listed', () => {
    const unlisted = eventNames.filter((name) => !unchecked.includes(name) && !gated.includes(name))
    for (const name of [...unlisted, 'a_new_event', 'pull_request_target', 'toString', ''])
      for (const event of examples)
        expect(startedBy({ ...event, name }), `${event.name} as ${name}`).toBe('nothing')
  })

  it('an example payload with a comment or label starts a job only after a check, under the name of any gated event', () => {
    const worded = examples.filter(({ payload }) => {
      const { comment, review, label } = payload as Record<string, unknown>
      return comment !== undefined || review !== undefined || label !== undefined
    })
    for (const name of gated)
      for (const event of worded)
        expect(startedBy({ ...event, name }), `${event.name} as ${name}`).not.toBe('unchecked')
  })
})

it.each(['push', 'pull_request', 'release', 'workflow_run', 'issues', 'issue_comment'])(
  'a payload of %s with random contents starts nothing',
  (name) => {
    const fields = fc.dictionary(
      fc.constantFrom('action', 'sender', 'repository', 'release', 'ref', 'label', '__proto__'),
      fc.oneof(fc.constantFrom('labeled', 'created'), fc.anything()),
    )
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fields), (payload) => {
        expect(startedBy({ name, actor: 'mona', payload })).toBe('nothing')
      }),
    )
  },
)

describe('workflow_run', () => {
  const example = examples.find(({ name }) => name === 'workflow_run') as WorkflowEvent
  const following = (run: object) => {
    const payload = example.payload as { repository: { id: number }; workflow_run: object }
    const own = { head_repository: { id: payload.repository.id }, conclusion: 'success', event: 'push' }
    return startedBy({
      ...example,
      payload: { ...payload, workflow_run: { ...payload.workflow_run, ...own, ...run } },
    })
  }

  it.each([...eventNames, 'schedule', 'pull_request_target', ''])(
    'workflow_run starts a job only after a push or pull request: “%s”',
    (event) => {
      expect(following({ event })).toBe(['push', 'pull_request'].includes(event) ? 'unchecked' : 'nothing')
    },
  )

  it.each([
    { event: 'pull_request', head_repository: { id: 666 } },
    { head_repository: { id: 666 } },
    { head_repository: null },
    { conclusion: 'failure' },
  ])('workflow_run starts nothing after a failure or code from a fork: %j', (run) => {
    expect(following(run)).toBe('nothing')
  })
})
