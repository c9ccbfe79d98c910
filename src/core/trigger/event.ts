/** The event that started the workflow, and the fields of its payload that the action uses. The payload is outside text. */
import * as z from 'zod/mini'
import type { Withheld } from '../problems.ts'

/** The event that started the workflow, as GitHub sends it. */
export interface RawEvent {
  /** `GITHUB_EVENT_NAME`. */
  name: string
  /** `GITHUB_ACTOR`: still the original actor on a re-run (GitHub's docs). */
  actor: string
  payload: unknown
}

/** The event that started the workflow. */
export interface WorkflowEvent extends RawEvent {
  /** Empty if the payload is not as GitHub documents it. */
  payload: Payload
}

const string = z.string()
const integer = z.int()
const text = z.nullish(string)
const user = z.nullish(z.object({ login: string, id: z.optional(integer), type: z.optional(string) }))
const branch = z.object({ ref: string, sha: string, repo: z.nullish(z.object({ full_name: text })) })
const subject = z.object({ number: integer, title: string, body: text, html_url: string, user })
/** What a comment and a review have in common. */
const remark = z.object({ id: integer, html_url: string, body: text, user, commit_id: text })

const payloadSchema = z.partial(
  z.object({
    action: string,
    repository: z.partial(z.object({ id: integer, full_name: string, default_branch: string })),
    sender: user,
    issue: z.extend(subject, { pull_request: z.optional(z.unknown()) }),
    pull_request: z.extend(subject, {
      merged: z.nullish(z.boolean()),
      merge_commit_sha: text,
      head: branch,
      base: branch,
    }),
    label: z.object({ name: string }),
    comment: z.extend(remark, {
      path: text,
      line: z.nullish(integer),
      diff_hunk: text,
      in_reply_to_id: z.nullish(integer),
    }),
    review: z.extend(remark, { submitted_at: string }),
    release: z.object({ tag_name: string, name: text, body: text }),
    ref: text,
    before: string,
    after: string,
    deleted: z.boolean(),
    /** `name` is the login of the account that pushed. A commit's author can be forged. */
    pusher: z.nullish(z.object({ name: string })),
    commits: z.array(z.object({ id: string, message: string })),
    workflow_run: z.object({
      id: integer,
      event: string,
      conclusion: text,
      head_sha: string,
      head_branch: text,
      head_repository: z.nullish(z.object({ id: integer })),
      head_commit: z.nullish(z.object({ message: string })),
      actor: user,
    }),
  }),
)

/** The fields of a payload that the action uses. */
export type Payload = z.infer<typeof payloadSchema>

/** Parses an event's payload. Never throws. */
export function parseEvent({ payload, ...event }: RawEvent): WorkflowEvent {
  const { data = {} } = payloadSchema.safeParse(payload)
  return { ...event, payload: data }
}

/** An account on GitHub. */
export interface Account {
  login: string
  /** null if only the login is known. */
  id: number | null
  isBot: boolean
}

/** The account in a payload; null if it is gone. */
export function accountOf(user: Payload['sender']): Account | null {
  if (!user) return null
  const { login, id = null, type } = user
  // The suffix can only cause a denial: it makes an account count as a bot, and never lets an account in.
  const isBot = type === 'Bot' || login.endsWith('[bot]')
  return { login, id, isBot }
}

/**
 * Why GitHub withheld the workflow's secrets; undefined if it did not. Runs for a fork's pull request get none, and
 * Dependabot's runs get only the Dependabot secrets (GitHub's docs, "Using secrets" and "Automating Dependabot").
 */
export function whySecretsAreWithheld(event: WorkflowEvent): Withheld | undefined {
  const isPullRequest = /^pull_request(_review|_review_comment)?$/.test(event.name)
  if (!isPullRequest || event.payload.pull_request === undefined) return undefined
  if (event.actor === 'dependabot[bot]') return 'dependabot'
  if (isFork(event)) return 'fork'
  return undefined
}

/** Whether a pull request is from another repository, or from one that is gone or unknown. */
export function isFork({ payload }: WorkflowEvent) {
  const { head, base } = payload.pull_request ?? {}
  const home = base?.repo?.full_name
  return !home || head?.repo?.full_name !== home
}

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
  const pull = payload.pull_request
  if (name !== 'pull_request' || pull === undefined) return null
  const { number, head, user } = pull
  const openedBranch = payload.action === 'opened' ? head.ref : null
  return { number, openedBranch, author: user?.login ?? null }
}
