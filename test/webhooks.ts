/** GitHub's own example payloads, of all events and actions (@octokit/webhooks-examples). */
import webhooks from '@octokit/webhooks-examples' with { type: 'json' }
import type { WorkflowEvent } from '../src/core/trigger/event.ts'

interface Payload {
  action?: string
  sender?: { login: string }
  comment?: object
  review?: object
  label?: object
  [field: string]: unknown
}

const definitions = webhooks as unknown as { name: string; examples: Payload[] }[]

/** What the examples ask with. */
export const asked = { command: '/docs', label: 'docs' }

/** The names of all events. */
export const eventNames = definitions.map(({ name }) => name)

/** Every example. Its comment gives the command and its label is the one that the step waits for, if it has one. */
export const examples: WorkflowEvent[] = definitions.flatMap(({ name, examples }) =>
  examples.map((payload) => ({ name, actor: payload.sender?.login ?? '', payload: asking(payload) })),
)

/** An example of an event, preferably one that asks for something. For an unknown event, any example. */
export function exampleOf(name: string): WorkflowEvent | undefined {
  const named = examples.filter((example) => example.name === name)
  const isAsking = ({ payload }: WorkflowEvent) =>
    ['created', 'labeled'].includes(String((payload as Payload).action))
  return named.find(isAsking) ?? named[0] ?? examples[0]
}

function asking(payload: Payload): Payload {
  const said = { body: `${asked.command} rewrite everything` }
  return {
    ...payload,
    ...(payload.comment && { comment: { ...payload.comment, ...said } }),
    ...(payload.review && { review: { ...payload.review, ...said } }),
    ...(payload.label && { label: { ...payload.label, name: asked.label } }),
  }
}

/** Events that run the prompt without a check of roles: only people who can push cause them, or people trusted as such. */
export const unchecked = [
  ...['push', 'pull_request', 'release', 'workflow_run'],
  ...['schedule', 'workflow_dispatch', 'repository_dispatch'],
]
