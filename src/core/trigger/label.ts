/** Labels added to issues and pull requests. */
import * as z from 'zod/mini'
import {
  type Account,
  accountOf,
  isFork,
  subject as subjectFields,
  subjectOf,
  user,
  type WorkflowEvent,
} from './event.ts'
import type { Asked, LabelRequest } from './request.ts'

const subject = z.extend(subjectFields, { number: z.int(), html_url: z.string(), user })
const labeled = z.object({
  label: z.object({ name: z.string() }),
  repository: z.object({ full_name: z.string() }),
  sender: user,
  issue: z.optional(subject),
  pull_request: z.optional(subject),
})

/** The fields that the action uses in the event of a label. */
export interface LabeledEvent extends Pick<Asked, 'thread'> {
  request: LabelRequest
  /** The account that added the label; null if it is gone. */
  sender: Account | null
  openedBy: string | null
  isFromFork: boolean
}

/** Reads the `labeled` events of `issues` and `pull_request`; undefined if the payload is not as GitHub documents it. */
export function readLabeled(event: WorkflowEvent): LabeledEvent | undefined {
  const read = labeled.safeParse(event.payload)
  if (!read.success) return undefined
  const { label, repository, sender, issue, pull_request } = read.data
  const isPullRequest = event.name === 'pull_request'
  const on = isPullRequest ? pull_request : issue
  if (on === undefined) return undefined
  return {
    request: {
      kind: 'label',
      label: label.name,
      url: on.html_url,
      subject: subjectOf(on),
    },
    sender: accountOf(sender),
    thread: { repository: repository.full_name, number: on.number, isPullRequest, reviewRoot: null },
    openedBy: on.user?.login ?? null,
    isFromFork: isPullRequest && isFork(event),
  }
}
