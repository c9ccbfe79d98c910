/** The event that started the workflow, as far as the action looks at it. Its payload is outside text. */
import * as z from 'zod/mini'

export interface WorkflowEvent {
  /** `GITHUB_EVENT_NAME`. */
  name: string
  /** `GITHUB_ACTOR`: on a re-run still the first actor (GitHub's docs). */
  actor: string
  payload: unknown
}

const repository = z.nullish(z.object({ full_name: z.optional(z.string()) }))
const pullRequestEvent = z.object({
  pull_request: z.object({ head: z.object({ repo: repository }), base: z.object({ repo: repository }) }),
})

/**
 * Why GitHub withheld the workflow's secrets, or undefined where it did not: runs for a fork's pull request get none,
 * and Dependabot's get a store of their own (GitHub's docs, "Using secrets" and "Automating Dependabot").
 */
export function whySecretsAreWithheld({ name, actor, payload }: WorkflowEvent): string | undefined {
  const event = pullRequestEvent.safeParse(payload)
  if (!/^pull_request(_review|_review_comment)?$/.test(name) || !event.success) return undefined
  if (actor === 'dependabot[bot]')
    return "GitHub gives Dependabot's pull requests the Dependabot secrets alone"
  const { head, base } = event.data.pull_request
  const isFork = head.repo?.full_name !== base.repo?.full_name
  return isFork ? "GitHub gives runs for a fork's pull request no secrets" : undefined
}

const hostEvent = z.object({ repository: z.object({ private: z.boolean() }) })

/** Whether the payload says that the workflow's repository is public. Internal repositories are private ones, too. */
export function isPublicRepository({ payload }: Pick<WorkflowEvent, 'payload'>): boolean {
  const event = hostEvent.safeParse(payload)
  return event.success && !event.data.repository.private
}
