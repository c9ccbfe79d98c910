/** Labels added to issues and pull requests. */
import * as z from 'zod/mini'
import { accountOf, subject, subjectOf, user, type WorkflowEvent } from './event.ts'

const linked = z.extend(subject, { html_url: z.string() })
const labeled = z.object({
  label: z.object({ name: z.string() }),
  repository: z.object({ full_name: z.string() }),
  sender: user,
  issue: z.optional(linked),
  pull_request: z.optional(linked),
})

/** Reads the `labeled` events of `issues` and `pull_request`; undefined if the payload is not as GitHub documents it. */
export function readLabeled({ name, payload }: WorkflowEvent) {
  const read = labeled.safeParse(payload)
  if (!read.success) return undefined
  const { label, repository, sender, issue, pull_request } = read.data
  const isPullRequest = name === 'pull_request'
  const on = isPullRequest ? pull_request : issue
  if (on === undefined) return undefined
  return {
    request: { kind: 'label', label: label.name, url: on.html_url, subject: subjectOf(on) } as const,
    /** null if the account that added the label is gone. */
    sender: accountOf(sender),
    thread: { repository: repository.full_name, number: on.number, isPullRequest, reviewRoot: null },
    openedBy: on.user?.login ?? null,
  }
}
