/**
 * What an event asks of a step in mode agent. Only the files in this folder read payloads. An event that is not listed
 * here starts nothing.
 */
import { type Ended, failed, skip, skipped } from '../outcome.ts'
import type { SkipReason } from '../problems.ts'
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

/** An event that runs the step's prompt, and what it is about. */
export interface EventSubject {
  change: Change | null
  release: Release | null
  /** The branch of a schedule or manual run. */
  branch: Branch | null
}

/** What an event asks for: a request on a thread, or to run the step's prompt. */
export type Trigger = ({ kind: 'asked' } & Asked) | ({ kind: 'event' } & EventSubject) | Ended

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

/** The actions that start something (GitHub's docs, "Webhook events and payloads"). */
const actions = { comment: 'created', review: 'submitted', release: 'published' }

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
      return onEvent({ branch: readBranch(event) })
    case 'repository_dispatch':
      return onEvent({})
    case 'pull_request_target':
      return failed({ kind: 'untrusted-event', event: name })
    default:
      return skip({ kind: 'other-event', event: name })
  }
}

function fromComment(event: WorkflowEvent, { command }: TriggerRules): Trigger {
  const { name } = event
  if (command === null) return failed({ kind: 'no-command', event: name })
  if (!commandEvents.includes(name)) return skip({ kind: 'other-comment', event: name })
  return fromCommand(event, command)
}

function fromCommand(event: WorkflowEvent, command: string): Trigger {
  const payload = payloadOf(event)
  const { action = '', comment, review } = payload
  const said = review ?? comment
  const on = readThread(payload)
  if (said === undefined || on === undefined) return unreadable(event)
  const subject = review ? 'review' : 'comment'
  const expected = actions[subject]
  if (action !== expected) return skip({ kind: 'other-action', subject, action, expected })
  const instruction = afterCommand(said.body ?? '', command)
  if (instruction === undefined) return skip({ kind: 'other-text', subject, command })
  const author = accountOf(said.user)
  if (author === null) return skip({ kind: 'account-gone', subject })
  if (review && isFork(event)) return skip({ kind: 'fork', subject: 'review' })
  const { thread, location, sender, openedBy } = on
  const writtenAt = said.commit_id ?? null
  const words = { id: said.id, url: said.html_url, instruction, subject: on.subject, writtenAt }
  const kind = review
    ? ({ kind: 'review', submittedAt: Date.parse(review.submitted_at) } as const)
    : ({ kind: 'comment', location } as const)
  const requesters: Asked['requesters'] = [author, ...(sender === null ? [] : [sender])]
  return { kind: 'asked', request: { ...words, ...kind }, requesters, thread, openedBy }
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
  if (label === null || payload.action !== 'labeled') return skip({ kind: 'unlabeled' })
  const on = readThread(payload)
  if (on === undefined || payload.label === undefined) return unreadable(event)
  const { name } = payload.label
  const { subject, url, sender, thread, openedBy } = on
  if (name.toLowerCase() !== label.toLowerCase()) return skip({ kind: 'other-label', added: name, label })
  if (sender === null) return skip({ kind: 'account-gone', subject: 'label' })
  if (thread.isPullRequest && isFork(event)) return skip({ kind: 'fork', subject: 'label' })
  const request = { kind: 'label', label: name, url, subject } as const
  return { kind: 'asked', request, requesters: [sender], thread, openedBy }
}

function fromChange(
  event: WorkflowEvent,
  { agentLogin }: TriggerRules,
  read: Change | SkipReason | undefined,
): Trigger {
  if (read === undefined) return unreadable(event)
  if ('kind' in read) return skip(read)
  if (isCausedBy(event, agentLogin)) return skipped({ kind: 'own-change', login: agentLogin })
  return onEvent({ change: read })
}

/** Skips forks' pull requests, because a private repository may pass its secrets to their runs. */
function fromPullRequest(event: WorkflowEvent, rules: TriggerRules): Trigger {
  const read = readPullRequest(event)
  if (read !== undefined && isFork(event)) return skip({ kind: 'fork', subject: 'pull-request' })
  return fromChange(event, rules, read)
}

function fromRelease(event: WorkflowEvent): Trigger {
  const { action, release } = payloadOf(event)
  if (action === undefined || release === undefined) return unreadable(event)
  // GitHub also starts a workflow for `edited` and other actions, unless the workflow lists its `types`.
  const expected = actions.release
  if (action !== expected) return skip({ kind: 'other-action', subject: 'release', action, expected })
  const { tag_name: tag, name, body } = release
  return onEvent({ release: { tag, name: name ?? '', notes: body ?? '' } })
}

function onEvent(subject: Partial<EventSubject>): Trigger {
  return { kind: 'event', change: null, release: null, branch: null, ...subject }
}

function unreadable({ name }: WorkflowEvent): Trigger {
  return failed({ kind: 'defect', in: 'payload', event: name })
}
