/**
 * What an event asks of a step in mode agent. Only the files in this folder read payloads. An event that is not listed
 * here starts nothing.
 */
import { type Problem, problems } from '../problems.ts'
import { oneLine, sentence } from '../text.ts'
import type { Thread } from '../thread.ts'
import {
  type Branch,
  type Change,
  isCausedBy,
  readBranch,
  readPullRequest,
  readPush,
  readWorkflowRun,
} from './change.ts'
import { accountOf, isFork, type Payload, payloadOf, type WorkflowEvent } from './event.ts'
import { type Asked, afterCommand, type Release } from './request.ts'

/** What an event asks for. */
export type Trigger =
  | ({ kind: 'command' | 'label' } & Asked)
  | { kind: 'change'; change: Change }
  | { kind: 'release'; release: Release }
  /** Only the prompt matters. `branch`: the branch of a schedule or manual run. */
  | { kind: 'none'; branch: Branch | null }
  | { kind: 'skip'; problem: Problem }
  /** The step must not run on this event, or cannot read it. */
  | { kind: 'error'; problem: Problem }

/** The inputs that decide what an event means. */
export interface TriggerRules {
  /** null: comments start nothing. */
  command: string | null
  /** null: labels start nothing. */
  label: string | null
  agentLogin: string
}

/** The events whose comments and reviews can start with a command. */
const commandEvents = ['issue_comment', 'pull_request_review_comment', 'pull_request_review']
const commentEvents = [...commandEvents, 'commit_comment', 'discussion_comment']

/** Whether the event has a comment that anyone may have written. */
export function isCommentEvent({ name }: WorkflowEvent): boolean {
  return commentEvents.includes(name)
}

/** Reads what an event asks for. */
export function readTrigger(event: WorkflowEvent, rules: TriggerRules): Trigger {
  const { name } = event
  if (isCommentEvent(event)) return fromComment(event, rules)
  switch (name) {
    case 'issues':
      return fromLabel(event, rules)
    case 'pull_request':
      return payloadOf(event).action === 'labeled' ? fromLabel(event, rules) : fromPullRequest(event, rules)
    case 'push':
      return fromChange(event, rules, readPush(event))
    case 'workflow_run':
      return fromChange(event, rules, readWorkflowRun(event))
    case 'release':
      return fromRelease(event)
    case 'schedule':
    case 'workflow_dispatch':
      return { kind: 'none', branch: readBranch(event) }
    case 'repository_dispatch':
      return { kind: 'none', branch: null }
    case 'pull_request_target':
      return { kind: 'error', problem: problems.untrustedEvent(name) }
    default:
      return notForUs(`the event ${name || 'without a name'} starts nothing`)
  }
}

function fromComment(event: WorkflowEvent, { command }: TriggerRules): Trigger {
  const { name } = event
  if (command === null) return { kind: 'error', problem: problems.noCommand(name) }
  return commandEvents.includes(name)
    ? fromCommand(event, command)
    : notForUs(`commands are not read from ${name}`)
}

function fromCommand(event: WorkflowEvent, command: string): Trigger {
  const payload = payloadOf(event)
  const { action = '', comment, review } = payload
  const said = review ?? comment
  const on = readThread(payload)
  if (said === undefined || on === undefined) return unreadable(event)
  const [noun, begun] = review ? ['review', 'submitted'] : ['comment', 'created']
  if (action !== begun) return notForUs(`the ${noun} was ${oneLine(action, 60)}, not ${begun}`)
  const instruction = afterCommand(said.body ?? '', command)
  if (instruction === undefined) return notForUs(`the ${noun} does not start with ${command}`)
  const author = accountOf(said.user)
  if (author === null) return notForUs(`the ${noun}'s author is gone`)
  if (review && isFork(event)) return notForUs("reviews on a fork's pull request start nothing")
  const { subject, thread, location, sender, openedBy } = on
  // The account that acted is usually the author, whose role is checked anyway.
  const isOther = sender !== null && (sender.id !== author.id || sender.login !== author.login)
  const words = { url: said.html_url, instruction, subject, writtenAt: said.commit_id ?? null }
  const kind = review
    ? ({ kind: 'review', review: review.id, submittedAt: Date.parse(review.submitted_at) } as const)
    : ({ kind: 'comment', comment: said.id, location } as const)
  const request = { ...kind, ...words }
  return { kind: 'command', request, requesters: [author, ...(isOther ? [sender] : [])], thread, openedBy }
}

/** What the events of a thread have in common; undefined if the payload is not as GitHub documents it. */
function readThread({ repository, sender, issue, pull_request: pull, comment }: Payload) {
  const on = issue ?? pull
  if (!repository?.full_name || on === undefined) return undefined
  const { path, line = null, diff_hunk: hunk } = comment ?? {}
  const location = path ? { path, line, hunk: hunk ?? '' } : null
  const thread: Thread = {
    repository: repository.full_name,
    number: on.number,
    isPullRequest: Boolean(issue ? issue.pull_request : pull),
    reviewRoot: comment && location ? (comment.in_reply_to_id ?? comment.id) : null,
  }
  return {
    thread,
    location,
    subject: { title: on.title, body: on.body ?? '' },
    url: on.html_url,
    sender: accountOf(sender),
    openedBy: on.user?.login ?? null,
  }
}

function fromLabel(event: WorkflowEvent, { label }: TriggerRules): Trigger {
  const payload = payloadOf(event)
  if (label === null || payload.action !== 'labeled')
    return notForUs('the step acts only when its label is added')
  const on = readThread(payload)
  if (on === undefined || payload.label === undefined) return unreadable(event)
  const { name } = payload.label
  const { subject, url, sender, thread, openedBy } = on
  if (name.toLowerCase() !== label.toLowerCase())
    return notForUs(`the label “${oneLine(name, 60)}” was added, not “${label}”`)
  if (sender === null) return notForUs('the account that added the label is gone')
  if (thread.isPullRequest && isFork(event)) return notForUs("labels on a fork's pull request start nothing")
  return {
    kind: 'label',
    request: { kind: 'label', label: name, url, subject },
    requesters: [sender],
    thread,
    openedBy,
  }
}

function fromChange(
  event: WorkflowEvent,
  { agentLogin }: TriggerRules,
  read: Change | string | undefined,
): Trigger {
  if (read === undefined) return unreadable(event)
  if (typeof read === 'string') return notForUs(read)
  return isCausedBy(event, agentLogin)
    ? { kind: 'skip', problem: problems.ownChange(agentLogin) }
    : { kind: 'change', change: read }
}

/** Skips forks' pull requests, because a private repository may pass its secrets to their runs. */
function fromPullRequest(event: WorkflowEvent, rules: TriggerRules): Trigger {
  const read = readPullRequest(event)
  if (read !== undefined && isFork(event)) return notForUs("a fork's pull request starts nothing")
  return fromChange(event, rules, read)
}

function fromRelease(event: WorkflowEvent): Trigger {
  const { action, release } = payloadOf(event)
  if (action === undefined || release === undefined) return unreadable(event)
  // GitHub also starts a workflow for `edited` and other actions, unless the workflow lists its `types`.
  if (action !== 'published') return notForUs(`the release was ${oneLine(action, 60)}, not published`)
  const { tag_name: tag, name, body } = release
  return { kind: 'release', release: { tag, name: name ?? '', notes: body ?? '' } }
}

function notForUs(reason: string): Trigger {
  return { kind: 'skip', problem: problems.skipped(reason) }
}

function unreadable({ name }: WorkflowEvent): Trigger {
  return {
    kind: 'error',
    problem: problems.defect(sentence`The payload of \`${name}\` is not what GitHub documents.`),
  }
}
