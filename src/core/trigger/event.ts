/** The event that started the workflow, and the fields of its payload that the action uses. The payload is outside text. */
import * as z from 'zod/mini'
import type { Repository } from '../thread.ts'

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
  /** If there is a gap, only `action`: many events are not for a step, whatever else they contain. */
  payload: Payload
  /** The first field that is missing, or not as GitHub documents it; empty if there is no payload. */
  gap: string | undefined
  /** The repository that runs the workflow. Unknown parts are empty. */
  home: Repository
}

const string = z.string()
const integer = z.int()
const text = z.nullish(string)
const optionalId = z.optional(integer)
const user = z.nullish(z.object({ login: string, id: optionalId, type: z.optional(string) }))
const branch = z.object({ ref: string, sha: string, repo: z.nullish(z.object({ id: optionalId })) })
const subject = z.object({ number: integer, title: string, body: text, html_url: string, user })
/** What a comment and a review have in common. */
const remark = z.object({ id: integer, html_url: string, body: text, user })

const payloadSchema = z.partial(
  z.object({
    action: string,
    repository: z.object({
      id: optionalId,
      full_name: string,
      default_branch: z.optional(string),
    }),
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

const actionOnly = z.object({ action: z.optional(string) })

/** The fields of a payload that the action uses. */
export type Payload = z.infer<typeof payloadSchema>

/**
 * Parses an event's payload. Never throws.
 * @param knownId `GITHUB_REPOSITORY_ID`; empty if only the payload can have it
 * @param knownName `GITHUB_REPOSITORY`: the payload of a re-run may have an earlier name, which another repository may have taken
 */
export function parseEvent({ payload, ...event }: RawEvent, knownId = '', knownName = '') {
  const { data, error } = payloadSchema.safeParse(payload)
  const rest = actionOnly.safeParse(payload).data ?? {}
  const { full_name: name = '', id = '' } = data?.repository ?? {}
  const home = { repository: knownName || name, repositoryId: knownId || `${id}` }
  const lacksId = home.repository !== '' && home.repositoryId === ''
  const gap = lacksId ? 'repository.id' : error?.issues[0]?.path.join('.')
  return { ...event, payload: data ?? rest, gap, home }
}

/** The payload of an event that has some fields, or the first field that it lacks: tools and scripts may omit fields. */
export function payloadWith<Name extends keyof Payload>(
  { name, payload, gap }: WorkflowEvent,
  ...names: Name[]
) {
  const field = gap || names.find((each) => !payload[each])
  if (field !== undefined) return { kind: 'thin-payload', event: name, field } as const
  return payload as Payload & { [N in Name]: NonNullable<Payload[N]> }
}

/** An account on GitHub. */
export interface Account {
  login: string
  /** null if only the login is known. */
  id: number | null
  /** null if the type of the account is not known. A login says nothing about it. */
  isBot: boolean | null
}

/** The account in a payload; null if it is gone. */
export function accountOf(user: Payload['sender']) {
  if (!user) return null
  const { login, id = null, type } = user
  return { login, id, isBot: type === undefined ? null : type === 'Bot' }
}

/** Runs for forks get no secrets (GitHub's docs, "Events that trigger workflows", "Workflows in forked repositories"). */
const forkEvents = ['pull_request', 'pull_request_review', 'pull_request_review_comment']

/** Dependabot's runs get only its own secrets (GitHub's docs, "Restrictions when Dependabot triggers events"). */
const dependabotEvents = [...forkEvents, 'push', 'create', 'deployment', 'deployment_status']

/** Why GitHub may have withheld the workflow's secrets; undefined if it did not. */
export function whySecretsAreWithheld(event: WorkflowEvent) {
  if (event.actor === 'dependabot[bot]' && dependabotEvents.includes(event.name)) return 'dependabot'
  if (event.payload.pull_request && isFork(event) && forkEvents.includes(event.name)) return 'fork'
  return undefined
}

/** Whether a pull request is from another repository, or from one that is gone or unknown. */
export function isFork({ payload }: WorkflowEvent) {
  const { head, base } = payload.pull_request ?? {}
  const home = base?.repo?.id
  return !home || head?.repo?.id !== home
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
export function pullOfEvent({ name, payload }: WorkflowEvent) {
  const pull = payload.pull_request
  if (name !== 'pull_request' || pull === undefined) return null
  const openedBranch = payload.action === 'opened' ? pull.head.ref : null
  return { number: pull.number, openedBranch, author: pull.user?.login ?? null }
}
