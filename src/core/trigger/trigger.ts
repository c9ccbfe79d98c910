/**
 * What an event asks of a step in mode agent. Only the files in this folder read payloads. An event that is not listed
 * here starts nothing.
 */
import * as z from 'zod/mini'
import { type Problem, problems } from '../problems.ts'
import { oneLine, sentence } from '../text.ts'
import {
  type Branch,
  type Change,
  isCausedBy,
  readBranch,
  readPullRequest,
  readPush,
  readWorkflowRun,
} from './change.ts'
import { type Account, isFork, type WorkflowEvent } from './event.ts'
import { type Asked, afterCommand, commentReaders, type Release, readLabeled } from './request.ts'

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

const commentEvents = [...commentReaders.keys(), 'commit_comment', 'discussion_comment']

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
      return isLabeled(event) ? fromLabel(event, rules) : fromPullRequest(event, rules)
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
  const read = commentReaders.get(name)
  if (read === undefined) return notForUs(`commands are not read from ${name}`)
  const comment = read(event.payload)
  if (comment === undefined) return unreadable(event)
  const { action, request, body, author, sender, thread, openedBy } = comment
  const [noun, begun] =
    request.kind === 'review' ? (['review', 'submitted'] as const) : (['comment', 'created'] as const)
  if (action !== begun) return notForUs(`the ${noun} was ${oneLine(action, 60)}, not ${begun}`)
  const instruction = afterCommand(body, command)
  if (instruction === undefined) return notForUs(`the ${noun} does not start with ${command}`)
  if (author === null) return notForUs(`the ${noun}'s author is gone`)
  if (request.kind === 'review' && isFork(event))
    return notForUs("reviews on a fork's pull request start nothing")
  const requesters: Asked['requesters'] = [author, ...others(sender, author)]
  return { kind: 'command', request: { ...request, instruction }, requesters, thread, openedBy }
}

function fromLabel(event: WorkflowEvent, { label }: TriggerRules): Trigger {
  if (label === null || !isLabeled(event)) return notForUs('the step acts only when its label is added')
  const labeled = readLabeled(event)
  if (labeled === undefined) return unreadable(event)
  const { request, sender, thread, openedBy } = labeled
  if (request.label.toLowerCase() !== label.toLowerCase())
    return notForUs(`the label “${oneLine(request.label, 60)}” was added, not “${label}”`)
  if (sender === null) return notForUs('the account that added the label is gone')
  if (thread.isPullRequest && isFork(event)) return notForUs("labels on a fork's pull request start nothing")
  return { kind: 'label', request, requesters: [sender], thread, openedBy }
}

function isLabeled({ payload }: WorkflowEvent): boolean {
  return (payload as { action?: unknown } | null | undefined)?.action === 'labeled'
}

function fromChange(
  event: WorkflowEvent,
  { agentLogin }: TriggerRules,
  read: Change | { nothing: string } | undefined,
): Trigger {
  if (read === undefined) return unreadable(event)
  if ('nothing' in read) return { kind: 'skip', problem: problems.skipped(read.nothing) }
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

const releaseEvent = z.object({
  action: z.string(),
  release: z.object({
    tag_name: z.string(),
    name: z.nullish(z.string()),
    body: z.nullish(z.string()),
  }),
})

function fromRelease(event: WorkflowEvent): Trigger {
  const read = releaseEvent.safeParse(event.payload)
  if (!read.success) return unreadable(event)
  const { action } = read.data
  // GitHub also starts a workflow for `edited` and other actions, unless the workflow lists its `types`.
  if (action !== 'published') return notForUs(`the release was ${oneLine(action, 60)}, not published`)
  const { tag_name: tag, name, body } = read.data.release
  return { kind: 'release', release: { tag, name: name ?? '', notes: body ?? '' } }
}

/** The account that acted, unless it is the author, whose role is checked anyway. */
function others(sender: Account | null, author: Account): Account[] {
  return sender === null || (sender.id === author.id && sender.login === author.login) ? [] : [sender]
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
