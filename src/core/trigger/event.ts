/** The event that started the workflow, and the fields of its payload that the action uses. The payload is outside text. */
import * as z from 'zod/mini'
import type { Withheld } from '../problems.ts'

/** The event that started the workflow. */
export interface WorkflowEvent {
  /** `GITHUB_EVENT_NAME`. */
  name: string
  /** `GITHUB_ACTOR`: still the original actor on a re-run (GitHub's docs). */
  actor: string
  payload: unknown
}

const string = z.string()
const integer = z.int()
const text = z.nullish(string)
const user = z.nullish(z.object({ login: string, id: z.optional(integer), type: z.optional(string) }))
const branch = z.object({ ref: string, sha: string, repo: z.nullish(z.object({ full_name: text })) })
const subject = z.object({ number: integer, title: string, body: text, html_url: string, user })
const said = z.object({ id: integer, html_url: string, body: text, user, commit_id: text })

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
    comment: z.extend(said, {
      path: text,
      line: z.nullish(integer),
      diff_hunk: text,
      in_reply_to_id: z.nullish(integer),
    }),
    review: z.extend(said, { submitted_at: string }),
    release: z.object({ tag_name: string, name: text, body: text }),
    ref: text,
    before: string,
    after: string,
    deleted: z.boolean(),
    /** `name` is the login of the account that pushed. A commit's author can be forged. */
    pusher: z.nullish(z.object({ name: string })),
    commits: z.array(z.object({ id: z.optional(string), message: string })),
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

/** Reads a payload. It is empty if it is not as GitHub documents it. */
export function payloadOf({ payload }: WorkflowEvent): Payload {
  const read = payloadSchema.safeParse(payload)
  return read.success ? read.data : {}
}

/** An account on GitHub. */
export interface Account {
  login: string
  /** null if only the login is known. */
  id: number | null
  isBot: boolean
}

/** Whether two logins are the same on GitHub, which ignores case. The first one may be of an account that is gone. */
export function isSameLogin(one: string | null | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/** The account in a payload; null if it is gone. */
export function accountOf(read: Payload['sender']): Account | null {
  if (!read) return null
  const { login, id = null, type } = read
  // The suffix can only cause a denial: it makes an account count as a bot, and never lets an account in.
  return { login, id, isBot: type === 'Bot' || login.endsWith('[bot]') }
}

/**
 * Why GitHub withheld the workflow's secrets; undefined if it did not. Runs for a fork's pull request get none, and
 * Dependabot's runs get only the Dependabot secrets (GitHub's docs, "Using secrets" and "Automating Dependabot").
 */
export function whySecretsAreWithheld(event: WorkflowEvent): Withheld | undefined {
  const isPullRequest = /^pull_request(_review|_review_comment)?$/.test(event.name)
  if (!isPullRequest || payloadOf(event).pull_request === undefined) return undefined
  if (event.actor === 'dependabot[bot]') return 'dependabot'
  return isFork(event) ? 'fork' : undefined
}

/** Whether a pull request is from another repository, or from one that is gone or unknown. */
export function isFork(event: WorkflowEvent): boolean {
  const { head, base } = payloadOf(event).pull_request ?? {}
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
export function pullOfEvent(event: WorkflowEvent): PullEvent | null {
  const { action, pull_request: pull } = payloadOf(event)
  if (event.name !== 'pull_request' || pull === undefined) return null
  const { number, head, user } = pull
  return { number, openedBranch: action === 'opened' ? head.ref : null, author: user?.login ?? null }
}
