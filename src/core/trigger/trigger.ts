/**
 * What an event asks of a step in mode agent. Only the files in this folder read payloads. An event that is not listed
 * here starts nothing.
 */
import { type Ended, failed, noChange, skipped } from '../outcome.ts'
import { problems } from '../problems.ts'
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
import { accountOf, isFork, type Payload, type WorkflowEvent } from './event.ts'
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
      return event.payload.action === 'labeled' ? fromLabel(event, rules) : fromPullRequest(event, rules)
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
      return failed(problems.untrustedEvent(name))
    default:
      return noChange(`the event ${name || 'without a name'} starts nothing`)
  }
}

function fromComment(event: WorkflowEvent, { command }: TriggerRules): Trigger {
  const { name } = event
  if (command === null) return failed(problems.noCommand(name))
  return commandEvents.includes(name)
    ? fromCommand(event, command)
    : noChange(`commands are not read from ${name}`)
}

function fromCommand(event: WorkflowEvent, command: string): Trigger {
  const payload = event.payload
  const { action = '', comment, review } = payload
  const said = review ?? comment
  const on = readThread(payload)
  if (said === undefined || on === undefined) return unreadable(event)
  const [noun, begun] = review ? ['review', 'submitted'] : ['comment', 'created']
  if (action !== begun) return noChange(`the ${noun} was ${oneLine(action, 60)}, not ${begun}`)
  const instruction = afterCommand(said.body ?? '', command)
  if (instruction === undefined) return noChange(`the ${noun} does not start with ${command}`)
  const author = accountOf(said.user)
  if (author === null) return noChange(`the ${noun}'s author is gone`)
  if (review && isFork(event)) return noChange("reviews on a fork's pull request start nothing")
  const { subject, thread, location, sender, openedBy } = on
  const words = { id: said.id, url: said.html_url, instruction, subject, writtenAt: said.commit_id ?? null }
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
  const payload = event.payload
  if (label === null || payload.action !== 'labeled')
    return noChange('the step acts only when its label is added')
  const on = readThread(payload)
  if (on === undefined || payload.label === undefined) return unreadable(event)
  const { name } = payload.label
  const { subject, url, sender, thread, openedBy } = on
  if (name.toLowerCase() !== label.toLowerCase())
    return noChange(`the label “${oneLine(name, 60)}” was added, not “${label}”`)
  if (sender === null) return noChange('the account that added the label is gone')
  if (thread.isPullRequest && isFork(event)) return noChange("labels on a fork's pull request start nothing")
  const request = { kind: 'label', label: name, url, subject } as const
  return { kind: 'asked', request, requesters: [sender], thread, openedBy }
}

function fromChange(
  event: WorkflowEvent,
  { agentLogin }: TriggerRules,
  read: Change | string | undefined,
): Trigger {
  if (read === undefined) return unreadable(event)
  if (typeof read === 'string') return noChange(read)
  return isCausedBy(event, agentLogin) ? skipped(problems.ownChange(agentLogin)) : onEvent({ change: read })
}

/** Skips forks' pull requests, because a private repository may pass its secrets to their runs. */
function fromPullRequest(event: WorkflowEvent, rules: TriggerRules): Trigger {
  const read = readPullRequest(event)
  if (read !== undefined && isFork(event)) return noChange("a fork's pull request starts nothing")
  return fromChange(event, rules, read)
}

function fromRelease(event: WorkflowEvent): Trigger {
  const { action, release } = event.payload
  if (action === undefined || release === undefined) return unreadable(event)
  // GitHub also starts a workflow for `edited` and other actions, unless the workflow lists its `types`.
  if (action !== 'published') return noChange(`the release was ${oneLine(action, 60)}, not published`)
  const { tag_name: tag, name, body } = release
  return onEvent({ release: { tag, name: name ?? '', notes: body ?? '' } })
}

function onEvent(subject: Partial<EventSubject>): Trigger {
  return { kind: 'event', change: null, release: null, branch: null, ...subject }
}

function unreadable({ name }: WorkflowEvent): Trigger {
  return failed(problems.defect(sentence`The payload of \`${name}\` is not what GitHub documents.`))
}
