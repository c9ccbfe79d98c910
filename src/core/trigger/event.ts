/** The fields that the action uses from the event that started the workflow. The payload is outside text. */
import * as z from 'zod/mini'

/** The event that started the workflow. */
export interface WorkflowEvent {
  /** `GITHUB_EVENT_NAME`. */
  name: string
  /** `GITHUB_ACTOR`: still the original actor on a re-run (GitHub's docs). */
  actor: string
  payload: unknown
}

/** An account on GitHub. */
export interface Account {
  login: string
  /** null if only the login is known. */
  id: number | null
  isBot: boolean
}

/** An account in a payload. */
export const user = z.nullish(
  z.object({ login: z.string(), id: z.optional(z.int()), type: z.optional(z.string()) }),
)

/** The account in a payload; null if it is gone. */
export function accountOf(read: z.infer<typeof user>): Account | null {
  if (!read) return null
  const { login, id = null, type } = read
  // The suffix can only cause a denial: it makes an account count as a bot, and never lets an account in.
  return { login, id, isBot: type === 'Bot' || login.endsWith('[bot]') }
}

/** An issue or pull request in a payload. */
export const subject = z.object({ number: z.int(), title: z.string(), body: z.nullish(z.string()), user })

/** The title and text. The text is empty if the payload has none. */
export function subjectOf({ title, body }: z.infer<typeof subject>) {
  return { title, body: body ?? '' }
}

const repository = z.nullish(z.object({ full_name: z.optional(z.string()) }))
const pullRequestEvent = z.object({
  pull_request: z.object({ head: z.object({ repo: repository }), base: z.object({ repo: repository }) }),
})

/**
 * Why GitHub withheld the workflow's secrets; undefined if it did not. Runs for a fork's pull request get none, and
 * Dependabot's runs get only the Dependabot secrets (GitHub's docs, "Using secrets" and "Automating Dependabot").
 */
export function whySecretsAreWithheld(event: WorkflowEvent): string | undefined {
  const isPullRequest = /^pull_request(_review|_review_comment)?$/.test(event.name)
  if (!isPullRequest || !pullRequestEvent.safeParse(event.payload).success) return undefined
  if (event.actor === 'dependabot[bot]')
    return "GitHub gives Dependabot's pull requests only the Dependabot secrets"
  return isFork(event) ? "GitHub withholds secrets from runs for a fork's pull request" : undefined
}

/** Whether a pull request is from another repository, or from one that is gone or unknown. */
export function isFork({ payload }: WorkflowEvent): boolean {
  const event = pullRequestEvent.safeParse(payload)
  if (!event.success) return true
  const { head, base } = event.data.pull_request
  return head.repo?.full_name === undefined || head.repo.full_name !== base.repo?.full_name
}

const hostEvent = z.object({ repository: z.object({ private: z.boolean() }) })

/** Whether the payload says that the workflow's repository is public. Internal repositories count as private. */
export function isPublicRepository({ payload }: Pick<WorkflowEvent, 'payload'>): boolean {
  const event = hostEvent.safeParse(payload)
  return event.success && !event.data.repository.private
}

const opened = z.object({
  action: z.string(),
  number: z.int(),
  pull_request: z.object({ user, head: z.object({ ref: z.string() }) }),
})

/** The pull request that an event is about. */
export interface PullEvent {
  number: number
  /** The branch of the pull request, if the event opened it; null otherwise. */
  openedBranch: string | null
  /** null if the account is gone. */
  author: string | null
}

/** The pull request of a `pull_request` event; null for any other event. */
export function pullOfEvent({ name, payload }: WorkflowEvent): PullEvent | null {
  const event = opened.safeParse(payload)
  if (name !== 'pull_request' || !event.success) return null
  const { action, number, pull_request: pull } = event.data
  return {
    number,
    openedBranch: action === 'opened' ? pull.head.ref : null,
    author: pull.user?.login ?? null,
  }
}
