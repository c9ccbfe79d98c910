/**
 * What an event asks of a step in mode agent. Only the files in this folder read payloads. An event that is not listed
 * here starts nothing.
 */
import { fail, type Stop, skip, stop } from '../outcome.ts'
import { isSameName } from '../text.ts'
import type { Thread } from '../thread.ts'
import {
  type Branch,
  type Change,
  type ChangeOrReason,
  isCausedBy,
  readBranch,
  readPullRequest,
  readPush,
  readWorkflowRun,
} from './change.ts'
import { accountOf, isFork, type Payload, payloadWith, type WorkflowEvent } from './event.ts'
import { afterCommand, type CommandRequest, type Release, type ThreadTrigger } from './request.ts'

/** What starts a step that runs its prompt: an event, and what it is about. */
export interface EventTrigger {
  kind: 'event'
  change: Change | null
  release: Release | null
  /** The branch of a schedule or manual run. */
  branch: Branch | null
}

/** What an event asks for: a request on a thread, or to run the step's prompt. */
export type Trigger = ThreadTrigger | EventTrigger | Stop

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
export function isCommentEvent({ name }: WorkflowEvent) {
  return commentEvents.includes(name)
}

/** Reads what an event asks for. */
export function readTrigger(event: WorkflowEvent, rules: TriggerRules) {
  const { name } = event
  if (isCommentEvent(event)) return fromComment(event, rules)
  switch (name) {
    case 'issues':
      return fromLabel(event, rules)
    case 'pull_request':
      if (event.payload.action === 'labeled') return fromLabel(event, rules)
      return fromChange(event, rules, readPullRequest(event))
    case 'push':
      return fromChange(event, rules, readPush(event))
    case 'workflow_run':
      return fromChange(event, rules, readWorkflowRun(event))
    case 'release':
      return fromRelease(event)
    case 'schedule':
    case 'workflow_dispatch': {
      const payload = payloadWith(event)
      if ('kind' in payload) return fail(payload)
      return eventTrigger({ branch: readBranch(payload) })
    }
    case 'repository_dispatch':
      return eventTrigger({})
    case 'pull_request_target':
      return fail({ kind: 'untrusted-event', event: name })
    default:
      return skip({ kind: 'other-event', event: name })
  }
}

function fromComment(event: WorkflowEvent, { command }: TriggerRules): Trigger {
  const { name } = event
  if (command === null) return fail({ kind: 'no-command', event: name })
  if (!commandEvents.includes(name)) return skip({ kind: 'other-comment', event: name })
  const kind = name === 'pull_request_review' ? 'review' : 'comment'
  const expected = actions[kind]
  const { action = expected } = event.payload
  if (action !== expected) return skip({ kind: 'other-action', subject: kind, action, expected })
  const payload = payloadWith(event, 'action', kind)
  if ('kind' in payload) return fail(payload)
  const topic = readTopic(event)
  if ('kind' in topic) return fail(topic)
  const { comment, review } = payload
  const remark = payload[kind]
  const instruction = afterCommand(remark.body ?? '', command)
  if (instruction === undefined) return skip({ kind: 'other-text', subject: kind, command })
  const author = accountOf(remark.user)
  if (author === null) return skip({ kind: 'account-gone', subject: kind })
  if (kind === 'review' && isFork(event)) return skip({ kind: 'fork', subject: 'review' })
  const sender = accountOf(payload.sender)
  const words = { id: remark.id, instruction }
  const request: CommandRequest =
    kind === 'review'
      ? { ...words, kind, submittedAt: Date.parse(review.submitted_at) }
      : { ...words, kind, location: locationOf(comment) }
  const requesters: ThreadTrigger['requesters'] = sender === null ? [author] : [author, sender]
  return { kind: 'thread', ...topic, url: remark.html_url, request, requesters }
}

/** The issue or pull request of an event. */
function readTopic(event: WorkflowEvent) {
  const field = event.name.startsWith('pull_request') ? 'pull_request' : 'issue'
  const payload = payloadWith(event, 'repository', field)
  if ('kind' in payload) return payload
  const topic = payload[field]
  const thread: Thread = {
    ...event.home,
    number: topic.number,
    isPullRequest: field === 'pull_request' || Boolean(payload.issue.pull_request),
    reviewRoot: reviewRootOf(payload.comment),
  }
  return {
    thread,
    title: topic.title,
    body: topic.body ?? '',
    url: topic.html_url,
    openedBy: topic.user?.login ?? null,
  }
}

/** The first comment of a review comment's thread; null for any other comment. */
function reviewRootOf(comment: Payload['comment']) {
  if (!comment?.path) return null
  return comment.in_reply_to_id ?? comment.id
}

/** The line that a review comment is on; null for any other comment. */
function locationOf(comment: Payload['comment']) {
  const { path, line = null, diff_hunk: hunk } = comment ?? {}
  if (!path) return null
  return { path, line, hunk: hunk ?? '' }
}

function fromLabel(event: WorkflowEvent, { label }: TriggerRules): Trigger {
  const { action = 'labeled' } = event.payload
  if (label === null || action !== 'labeled') return skip({ kind: 'unlabeled' })
  const payload = payloadWith(event, 'action', 'label')
  if ('kind' in payload) return fail(payload)
  const topic = readTopic(event)
  if ('kind' in topic) return fail(topic)
  const { name } = payload.label
  const sender = accountOf(payload.sender)
  if (!isSameName(name, label)) return skip({ kind: 'other-label', added: name, label })
  if (sender === null) return skip({ kind: 'account-gone', subject: 'label' })
  if (topic.thread.isPullRequest && isFork(event)) return skip({ kind: 'fork', subject: 'label' })
  return { kind: 'thread', ...topic, request: { kind: 'label', label: name }, requesters: [sender] }
}

function fromChange(event: WorkflowEvent, { agentLogin }: TriggerRules, change: ChangeOrReason) {
  if ('kind' in change) {
    if (change.kind === 'thin-payload') return fail(change)
    return skip(change)
  }
  if (isCausedBy(event, agentLogin)) return stop('skipped', { kind: 'own-change', login: agentLogin })
  return eventTrigger({ change })
}

function fromRelease(event: WorkflowEvent) {
  const payload = payloadWith(event, 'action', 'release')
  if ('kind' in payload) return fail(payload)
  const { action, release } = payload
  // GitHub also starts a workflow for `edited` and other actions, unless the workflow lists its `types`.
  const expected = actions.release
  if (action !== expected) return skip({ kind: 'other-action', subject: 'release', action, expected })
  const { name, body } = release
  return eventTrigger({ release: { tag: release.tag_name, name: name ?? '', notes: body ?? '' } })
}

/** The trigger of an event that is about these things, and nothing else. */
function eventTrigger(subject: Partial<EventTrigger>): Trigger {
  return { kind: 'event', change: null, release: null, branch: null, ...subject }
}
