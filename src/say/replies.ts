/**
 * The action's comments on threads and pull requests, and its commit statuses. GitHub also mails comments to people who
 * do not know the workflow, so each makes sense alone and only suggests steps that its readers can take.
 */
import type { JobChoice } from '../core/job/job.ts'
import { isEnd } from '../core/outcome.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { type CodePull, type HoldState, holdContext, type Origin } from '../core/pull.ts'
import { cut, fenced } from '../core/text.ts'
import type { DocumentedChange } from '../core/trigger/change.ts'
import type { Allowed } from '../core/trigger/permission.ts'
import { formatDuration } from '../core/units.ts'
import { changesText, fileList, pullRequestBlock, pullRequestName } from './changes.ts'
import { conclude, isUnusableJobId, mayHaveBeenSent, showsOldResult } from './conclusion.ts'
import { code, link, prose, text } from './markdown.ts'
import type { JobRef } from './problems.ts'

/** What the comments on a thread refer to. */
export interface ReplyContext {
  /** null if the step has none. */
  command: string | null
  /** The label that starts the agent; null if the step has none. */
  label?: string | null
  /** Link to the workflow's run; empty if unknown. */
  runUrl: string
  /** The requester, with a link to the comment or labeled thread; null if no one asked on this thread. */
  request?: { login: string; url: string } | null
  /** The pull request with the code, if the agent's pull request waits for it. */
  code?: CodePull | null
}

const reactions =
  'The reaction 👀 means that the agent is working, 🚀 that it is done, and 😕 that it is not.'

/** The reply to `help` and to a command without a prompt. */
export function helpComment({ command }: { command: string }, { role, bots }: Allowed): string {
  const also = bots.map((login) => code(login)).join(', ')
  return [
    `📖 **After ${code(command)}, write what to change in the docs.** The agent does it and opens a pull request.`,
    `For example: ${code(`${command} add a note on Node 24 to the install page`)}`,
    [
      `To ask for more, comment again here or on the pull request. ${reactions}`,
      `Anyone with the ${code(role)} role or higher can ask${also === '' ? '' : `, and so can ${also}`}.`,
    ].join(' '),
  ].join('\n\n')
}

/** Why a command was rejected, once for each person and thread. */
export function deniedComment(
  { login, required, isBot }: Extract<Problem, { type: 'not-allowed' }>,
  { command }: { command: string },
): string {
  const why = isBot
    ? 'this workflow does not list it among the bots that can'
    : `this requires the ${code(required)} role or higher on this repository`
  return `😕 ${code(login)} cannot use ${code(command)}: ${why}.`
}

const choices: Record<JobChoice, string> = {
  own: '',
  thread: ' This is a follow-up to the earlier request here.',
  replaced: ' The earlier job here is over, so this is a new one.',
  finished: ' The earlier pull request here is merged or closed, so this is a new job.',
  unclear: ' The earlier request here has no job yet, so this is a new job.',
}

/** The comment while the agent is working. */
export function workingComment({ runUrl }: ReplyContext, choice: JobChoice): string {
  const watch = runUrl === '' ? '' : ` ${link('Watch the run', runUrl)}.`
  return `⏳ Working on it.${choices[choice]}${watch}`
}

/** The result, for the thread with the request: as a new comment, or as the final text of the working comment. */
export function resultComment(result: AgentResult, context: ReplyContext, jobRef: JobRef): string {
  const { icon, headline, cause } = conclude(result, jobRef)
  const { job, changes } = result
  const next = whatNow(result, context, jobRef)
  const parts = [
    `${icon} **${text(headline)}.**${inReplyTo(context.request)}`,
    result.outcome === 'error' && cause !== null && !isUnchecked(result) ? prose(cause.what) : '',
    job?.prLink ? pullRequestBlock(job.prLink, changes) : '',
    outsideBlock(result),
    job?.prLink ? heldText(context.code ?? null) : '',
    next,
    // The run is linked only once.
    facts(result, next.includes(context.runUrl) ? '' : context.runUrl),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const unclear = 'It is unclear whether the agent got the request'

/** The final text of the working comment if the step was killed, by the state of its request. */
export function killedComment(context: ReplyContext, state: 'not-sent' | 'open' | 'job'): string {
  const next = {
    'not-sent': `The agent did not get the request. To try again, ${askAgain(context)}.`,
    open: `${unclear}. ${nextStep(context)}`,
    job: `The agent's job continues on Mintlify. ${nextStep(context)}`,
  }[state]
  const run = context.runUrl === '' ? '' : `\n\n${link('Run', context.runUrl)}`
  return `🛑 **The run ended before the agent finished.**${inReplyTo(context.request)}\n\n${next}${run}`
}

/** On the agent's pull request: which change it documents, which files it changes, and how to ask for more. */
export function provenanceComment(
  { command, serverUrl }: Pick<ReplyContext, 'command'> & { serverUrl: string },
  { change, requester, thread, code: held }: Origin,
  result: Pick<AgentResult, 'changes' | 'problem'>,
): string {
  const asked =
    requester === null
      ? ''
      : ` ${code(requester)} asked for it${thread === null ? '' : ` in ${codeName(thread)}`}.`
  const parts = [
    change === null
      ? `📖 Mintlify's agent wrote this pull request.${asked}`
      : `📖 This pull request documents ${describeChange(change, serverUrl)}.`,
    result.changes === null ? '' : fileList(result.changes),
    outsideBlock(result),
    held?.hold
      ? `The status ${code(holdContext)} shows whether this pull request waits for ${codeName(held)}.`
      : '',
    command === null ? '' : `To ask the agent for more, comment ${code(`${command} …`)} here. ${reactions}`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** On the pull request of a change: a link to its docs. */
export function documentationComment(
  prLink: string,
  changes: AgentResult['changes'] = null,
  held: CodePull | null = null,
): string {
  const title = changes === null ? '' : ` ${text(changes.title, 200)}, ${changesText(changes)}`
  const notice = heldText(held)
  return `📖 Docs for this change: ${link(pullRequestName(prLink), prLink)}${title}${notice === '' ? '' : `\n\n${notice}`}`
}

/** On the code's pull request, once: the agent's pull request waits for it. */
function heldText(held: CodePull | null): string {
  if (!held?.hold) return ''
  const until = held.hold === 'merge' ? 'this pull request is merged' : 'a release contains this pull request'
  return `⏸️ Merge the docs later: their status ${code(holdContext)} stays pending until ${until}.`
}

/**
 * On the code's pull request, once: the docs can be merged now.
 * @param isNewer whether the code changed after the agent got it
 */
export function releasedComment(
  { hold, head }: CodePull,
  prLink: string,
  { command, isNewer }: Pick<ReplyContext, 'command'> & { isNewer: boolean },
): string {
  const why = hold === 'merge' ? 'This pull request is merged' : 'A release contains this pull request'
  const what = `▶️ **${why}.** Its docs can be merged: ${link(pullRequestName(prLink), prLink)}`
  if (!isNewer) return what
  const changed = `⚠️ This pull request changed after the agent got its diff at ${code(head.slice(0, 7))}.`
  if (command === null) return `${what}\n\n${changed} Check the docs before you merge them.`
  const update = fenced(`${command} update the docs to the final diff of this pull request`, '')
  return `${what}\n\n${changed} To bring the docs up to date first, comment here:\n\n${update}`
}

/** On the agent's pull request, once: the code was closed without a merge. */
export function abandonedComment(held: CodePull): string {
  return `🗑️ **${codeName(held)} was closed without being merged.** Close this pull request, or merge what is still correct.`
}

/** The description of a hold's status: at most GitHub's 140 characters. */
export function holdDescription(code: CodePull, state: HoldState): string {
  return cut(holdText(code, state), 140)
}

function holdText(code: CodePull, state: HoldState): string {
  const name = codeName(code)
  switch (state) {
    case 'held':
      return code.hold === 'merge' ? `Waits for ${name}` : `Waits for a release with ${name}`
    case 'lifted':
      return code.hold === 'merge' ? `${name} is merged` : `${name} is released`
    case 'closed':
      return `${name} was closed without being merged`
  }
}

/** A name that GitHub turns into a link. */
function codeName({ repository, number }: Pick<CodePull, 'repository' | 'number'>): string {
  return `${repository}#${number}`
}

/** A commit status's description: at most 100 of GitHub's 140 characters. `result` is null while the job is active. */
export function statusDescription(result: AgentResult | null, jobRef: JobRef): string {
  return result === null ? 'Working on the docs' : cut(statusText(result, jobRef), 100)
}

function statusText(result: AgentResult, jobRef: JobRef): string {
  const { outcome, job, changes, elapsed, jobId } = result
  const pull = pullRequestName(job?.prLink ?? '')
  if (isUnchecked(result)) return `${conclude(result, jobRef).headline}: ${pull}`
  switch (outcome) {
    case 'pull-request':
      return `Opened ${pull}${changes === null ? '' : `: ${changesText(changes)}`}`
    case 'timed-out':
      return showsOldResult(result)
        ? `No sign of new work after ${formatDuration(elapsed ?? 0)}`
        : `Still working after ${formatDuration(elapsed ?? 0)}`
    case 'cancelled':
      return jobId === null ? 'Cancelled' : 'Cancelled; the agent may still be working'
    case 'out-of-bounds':
    case 'no-changes':
    case 'archived':
    case 'failed':
    case 'detached':
    case 'skipped':
    case 'unconfirmed':
    case 'error':
      return conclude(result, jobRef).headline
  }
}

/** Whether the pull request is not known to stay within `allowed-paths`. */
function isUnchecked({ problem }: Pick<AgentResult, 'problem'>): boolean {
  return problem?.type === 'out-of-bounds'
}

function inReplyTo(request: ReplyContext['request']): string {
  if (!request) return ''
  return ` In reply to ${request.url === '' ? code(request.login) : link(request.login, request.url)}.`
}

/** The files outside `allowed-paths`, or why they could not be checked. */
function outsideBlock({ problem }: Pick<AgentResult, 'problem'>): string {
  if (problem?.type !== 'out-of-bounds') return ''
  const { files } = problem
  if (files.kind !== 'outside')
    return '⚠️ The changed files could not be checked against the allowed paths. Review the files before you merge.'
  const number = files.paths.length
  const these = number === 1 ? 'This file is' : `These ${number} files are`
  const named = files.paths.slice(0, 10).map((path) => `- ${code(path, 200)}`)
  const more = number > 10 ? [`- and ${number - 10} more`] : []
  return [
    `⚠️ ${these} outside the paths that the agent may change. Review before you merge:\n`,
    ...[...named, ...more],
  ].join('\n')
}

/** What readers of the result can do next. */
function whatNow(result: AgentResult, context: ReplyContext, jobRef: JobRef): string {
  const again = askAgain(context)
  switch (result.outcome) {
    case 'pull-request':
    case 'out-of-bounds':
      return askForMore(context)
    case 'no-changes':
      return `The agent found nothing to change, or is set up to push directly to the branch. If something is missing, ${again}, and name the page and the change.`
    case 'archived':
      return `The agent did not finish. To start a new job, ${again}.`
    case 'failed':
      return `Mintlify gives no reason. To start a new job, ${again}. It helps to name the page and what to change.`
    case 'timed-out':
      return showsOldResult(result)
        ? `The agent showed no sign of new work, but may still start. If nothing changes, ${again}.`
        : `The job continues on Mintlify. ${nextStep(context)}`
    case 'detached':
      return "Watch for the agent's pull request."
    case 'cancelled':
      if (result.jobId !== null) return `The agent's job continues on Mintlify. ${nextStep(context)}`
      return mayHaveBeenSent(result.problem)
        ? `${unclear}. ${nextStep(context)}`
        : `The agent did not get the request. To try again, ${again}.`
    case 'unconfirmed':
      return `${unclear}, so the request is not sent again. ${nextStep(context)}`
    case 'skipped':
      return ''
    case 'error':
      return isUnchecked(result) ? askForMore(context) : afterError(result, context, jobRef)
  }
}

function askForMore({ command }: ReplyContext): string {
  return command === null ? '' : `To ask for more, comment ${code(`${command} …`)} here.`
}

function afterError(result: AgentResult, context: ReplyContext, jobRef: JobRef): string {
  const { problem, jobId } = result
  const { cause } = conclude(result, jobRef)
  const again = askAgain(context)
  if (problem?.type === 'no-result') return nextStep(context)
  const isUnread = problem?.type === 'platform' && problem.operation === 'read' && jobId !== null
  if (isUnread && isUnusableJobId(result)) return `Mintlify has no such job. ${nextStep(context)}`
  if (isUnread)
    return `The agent's job continues on Mintlify, but this run can no longer follow it. ${nextStep(context)}`
  if (cause?.fix === 'later') return `Wait a while, then ${again}.`
  if (cause?.fix === 'commenter') return `To try again, ${again}.`
  const run = context.runUrl === '' ? "the run's log" : link('the run', context.runUrl)
  return `A maintainer can fix this: ${run} says how. Then ${again}.`
}

function nextStep(context: ReplyContext): string {
  return `Watch for the agent's pull request. If none appears, ${askAgain(context)}.`
}

/** How to ask again, for the middle of a sentence. */
function askAgain({ command, label = null }: ReplyContext): string {
  if (command !== null) return `comment ${code(`${command} …`)} again`
  return label === null ? 'ask again' : `remove the label ${code(label)} and add it again`
}

function facts({ outcome, elapsed, job, prompt }: AgentResult, runUrl: string): string {
  const isOver = isEnd(outcome)
  const known = [
    ...(isOver && elapsed !== null ? [`Took ${formatDuration(elapsed)}`] : []),
    ...(isOver && prompt?.commit !== undefined ? [`Diff at ${code(prompt.commit.slice(0, 7))}`] : []),
    ...(isOver && job?.model ? [`Model: ${code(job.model)}`] : []),
    ...(runUrl === '' ? [] : [link('Run', runUrl)]),
  ]
  return known.join(' · ')
}

function describeChange({ repository, head, number, author }: DocumentedChange, serverUrl: string): string {
  const at = `${serverUrl}/${repository}`
  const commit = link(`${repository}@${head.slice(0, 7)}`, `${at}/commit/${head}`)
  const pull = number === null ? '' : ` (${link(`${repository}#${number}`, `${at}/pull/${number}`)})`
  return `${commit}${pull}${author === null ? '' : ` by ${code(author)}`}`
}
