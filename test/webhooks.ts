/** GitHub's own example payloads for all events and actions (@octokit/webhooks-examples). */
import webhooks from '@octokit/webhooks-examples' with { type: 'json' }
import type { RawEvent } from '../src/core/trigger/event.ts'

interface Payload {
  action?: string
  sender?: { login: string }
  comment?: object
  review?: object
  label?: object
  [field: string]: unknown
}

const definitions = webhooks as unknown as { name: string; examples: Payload[] }[]

/** The command and label in the examples. */
export const asked = { command: '/docs', label: 'docs' }

/** The names of all events. */
export const eventNames = definitions.map(({ name }) => name)

/** All examples. Comments and reviews start with the command in `asked`, and labels have the name in `asked`. */
export const examples: RawEvent[] = definitions.flatMap(({ name, examples }) =>
  examples.map((payload) => ({ name, actor: payload.sender?.login ?? '', payload: asking(payload) })),
)

function asking(payload: Payload): Payload {
  const said = { body: `${asked.command} rewrite everything` }
  return {
    ...payload,
    ...(payload.comment && { comment: { ...payload.comment, ...said } }),
    ...(payload.review && { review: { ...payload.review, ...said } }),
    ...(payload.label && { label: { ...payload.label, name: asked.label } }),
  }
}

/** Events that run the prompt without checking roles: only people who can push, or who are equally trusted, cause them. */
export const unchecked = [
  ...['push', 'pull_request', 'release', 'workflow_run'],
  ...['schedule', 'workflow_dispatch', 'repository_dispatch'],
]
