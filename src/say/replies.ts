/**
 * The action's comments on threads and pull requests, and its commit statuses. GitHub also mails comments to people who
 * do not know the workflow, so each makes sense alone and only suggests steps that its readers can take.
 */
import { type CodePull, type HoldState, holdContext } from '../core/hold.ts'
import type { JobChoice } from '../core/job.ts'
import { type AgentResult, isEnd } from '../core/outcome.ts'
import type { Problem } from '../core/problems.ts'
import type { Allowed } from '../core/roles.ts'
import { cut, fenced, isSameName } from '../core/text.ts'
import { nameOf, type Thread } from '../core/thread.ts'
import type { DocumentedChange, Origin } from '../core/trigger/change.ts'
import { readRequestId } from '../core/trigger/request.ts'
import { formatDuration } from '../core/units.ts'
import { isUnconfirmed } from './calls.ts'
import { conclude } from './conclusion.ts'
import {
  blocks,
  changesText,
  code,
  fileList,
  link,
  problemList,
  prose,
  pullLink,
  pullRequestBlock,
  pullRequestName,
  text,
} from './markdown.ts'
import { explain, isTemporary } from './problems.ts'

/** The names of a step. */
export interface Named {
  /** null if the step has none. */
  command: string | null
  /** The label that starts the agent; null if none does. */
  label: string | null
  /** Link to the workflow's run; empty if unknown. */
  runUrl: string
  serverUrl: string
  /** `owner/name` of the workflow's repository. In other repositories, no workflow with this command may listen. */
  repository: string
}

/** A request on a thread, and the login of the requester; null if no one asked on this thread. */
interface AskedBy {
  thread: Thread
  request: string
  by: string | null
}

/** The texts that the action publishes on GitHub, in Markdown. */
export type Words = ReturnType<typeof createWords>

const reactions =
  'The reaction 👀 means that the agent is working, 🚀 that it is done, and 😕 that something went wrong.'

/** How the job of a request was chosen, if that is not obvious. */
const choices: Record<JobChoice, string> = {
  own: '',
  thread: ' This is a follow-up to the earlier request here.',
  replaced: ' The earlier job here is over, or its pull request is merged or closed, so this is a new job.',
  unclear: ' The earlier request here has no job yet, so this is a new job.',
}

/** The texts of a step. */
export function createWords(step: Named) {
  const { runUrl, serverUrl } = step
  // Only commands get the texts with it, so the fallback is never shown.
  const command = step.command ?? 'the command'
  const commandIn = (repository: string) => (isSameName(repository, step.repository) ? step.command : null)
  return {
    /** What people can ask, who can ask, and an example. */
    help({ role, bots }: Allowed): string {
      const also = bots.map((login) => code(login)).join(', ')
      return blocks([
        `📖 **After ${code(command)}, write what to change in the docs.** The agent does it and opens a pull request.`,
        `For example: ${code(`${command} add a note on Node 24 to the install page`)}`,
        `To ask for more, comment again here or on the pull request. ${reactions} Anyone with the ${code(role)} role or higher can ask${also && `, and so can ${also}`}.`,
      ])
    },
    /** Why a command was rejected, once for each person and thread. */
    denied: (problem: Problem) => `😕 ${prose(explain(problem).what)}`,
    /** The comment while the agent is working. */
    working: (choice: JobChoice) => `⏳ Working on it.${choices[choice]} ${link('Watch the run', runUrl)}.`,
    /** The result: a new comment or, if the job continues without this step, the working comment's text. */
    result(result: AgentResult, asked: AskedBy, held: CodePull | null): string {
      const { outcome, job, changes, problem } = result
      const { icon, headline, what } = conclude(result)
      const next = whatNow(result, step)
      return blocks([
        `${icon} **${text(headline)}.**${inReplyTo(asked, serverUrl)}`,
        outcome === 'unconfirmed' || problem?.kind === 'allowed-paths' ? '' : prose(what),
        job?.link ? pullRequestBlock(job.link, changes) : '',
        boundsBlock(problem),
        job?.link ? heldText(held) : '',
        next,
        // The run is linked only once.
        facts(result, next.includes(runUrl) ? '' : runUrl),
      ])
    },
    /** The final text of the working comment if the step was killed, by the state of its request. */
    killed: (state: 'not-sent' | 'open' | 'job') =>
      blocks([
        '🛑 **The run ended before the agent finished.**',
        afterStop(state, step),
        link('Run', runUrl),
      ]),
    /** A commit status's description: at most 100 of GitHub's 140 characters. `result` is null while the job is active. */
    status: (result: AgentResult | null) =>
      result === null ? 'Working on the docs' : cut(statusText(result), 100),
    /**
     * On the agent's pull request, which is in a repository: who asked for it or which change it documents, its files,
     * and how to ask for more.
     */
    provenance({ changes, problem }: AgentResult, origin: Origin, repository: string): string {
      const { change, requester, thread, code: held } = origin
      const place = thread === null ? '' : ` in ${nameOf(thread)}`
      const asked = requester === null ? '' : ` ${code(requester)} asked for it${place}.`
      const own = commandIn(repository)
      return blocks([
        change === null
          ? `📖 Mintlify's agent wrote this pull request.${asked}`
          : `📖 This pull request documents ${describeChange(change, serverUrl)}.`,
        changes === null ? '' : fileList(changes),
        boundsBlock(problem),
        held?.hold
          ? `The status ${code(holdContext)} shows whether this pull request waits for ${nameOf(held)}.`
          : '',
        own === null ? '' : `To ask the agent for more, comment ${code(`${own} …`)} here. ${reactions}`,
      ])
    },
    /** On the pull request of a change: a link to its docs. */
    documentation(docs: string, changes: AgentResult['changes'], held: CodePull | null): string {
      const title = changes === null ? '' : ` ${text(changes.title, 200)}, ${changesText(changes)}`
      return blocks([`📖 Docs for this change: ${pullLink(docs)}${title}`, heldText(held)])
    },
    /** The description of a hold's status: at most GitHub's 140 characters. */
    hold: (held: CodePull, state: HoldState) => cut(holdText(held, state), 140),
    /** On the code's pull request, once: the docs can be merged. `isNewer`: the code changed after the agent got it. */
    released({ hold, head, repository }: CodePull, docs: string, isNewer: boolean): string {
      const why = hold === 'merge' ? 'This pull request is merged' : 'A release contains this pull request'
      const what = `▶️ **${why}.** Its docs can be merged: ${pullLink(docs)}`
      if (!isNewer) return what
      const own = commandIn(repository)
      const changed = `⚠️ This pull request changed after the agent got its diff at ${code(head.slice(0, 7))}.`
      if (own === null) return blocks([what, `${changed} Check the docs before you merge them.`])
      const update = fenced(`${own} update the docs to the final diff of this pull request`)
      return blocks([what, `${changed} To bring the docs up to date first, comment here:`, update])
    },
    /** On the agent's pull request, once: the code was closed without a merge. */
    abandoned: (held: CodePull) =>
      `🗑️ **${nameOf(held)} was closed without being merged.** Close this pull request, or merge what is still correct.`,
  }
}

/** On the code's pull request, once: the agent's pull request waits for it. */
function heldText(held: CodePull | null): string {
  if (!held?.hold) return ''
  const until = held.hold === 'merge' ? 'this pull request is merged' : 'a release contains this pull request'
  return `⏸️ Merge the docs later: their status ${code(holdContext)} stays pending until ${until}.`
}

function holdText(held: CodePull, state: HoldState): string {
  const name = nameOf(held)
  const isMerge = held.hold === 'merge'
  const texts = {
    held: `Waits for ${isMerge ? '' : 'a release with '}${name}`,
    lifted: `${name} is ${isMerge ? 'merged' : 'released'}`,
    closed: `${name} was closed without being merged`,
  }
  return texts[state]
}

function statusText(result: AgentResult): string {
  const { headline } = conclude(result)
  const link = result.job?.link
  return link ? `${headline}: ${pullRequestName(link)}` : headline
}

/** The requester of a request, and its link. */
function inReplyTo({ thread, request, by }: AskedBy, serverUrl: string): string {
  if (by === null) return ''
  const { repository, number, isPullRequest, reviewRoot } = thread
  const at = `${serverUrl}/${repository}/${isPullRequest ? 'pull' : 'issues'}/${number}`
  const asked = readRequestId(request)
  if (asked === null || asked.kind === 'label') return ` In reply to ${link(by, at)}.`
  const comment = reviewRoot === null ? 'issuecomment-' : 'discussion_r'
  const place = asked.kind === 'review' ? 'pullrequestreview-' : comment
  return ` In reply to ${link(by, `${at}#${place}${asked.id}`)}.`
}

/** The files outside `allowed-paths`, or why they could not be checked. */
function boundsBlock(problem: Problem | null): string {
  if (problem?.kind !== 'allowed-paths') return ''
  const { what, next, list } = explain(problem)
  return blocks([`⚠️ ${prose(`${what} ${next}`)}`, problemList(list)])
}

const unclear = 'It is unclear whether the agent got the request'

/** What readers of the result can do next. */
function whatNow(result: AgentResult, step: Named): string {
  const again = askAgain(step)
  const { outcome, problem, jobId } = result
  switch (outcome) {
    case 'pull-request':
    case 'out-of-bounds':
      return askForMore(step)
    case 'no-changes':
      return `If something is missing, ${again}, and name the page and the change.`
    case 'archived':
    case 'failed':
      return `To start a new job, ${again}. It helps to name the page and what to change.`
    case 'timed-out':
    case 'detached':
      return nextStep(step)
    case 'cancelled':
      if (jobId !== null) return afterStop('job', step)
      return afterStop(isUnconfirmed(problem) ? 'open' : 'not-sent', step)
    case 'unconfirmed':
      return `${unclear}, so it is not sent again. ${nextStep(step)}`
    case 'skipped':
      return ''
    case 'error':
      return problem?.kind === 'allowed-paths' ? askForMore(step) : afterError(result, step)
  }
}

function askForMore({ command }: Named): string {
  return command === null ? '' : `To ask for more, comment ${code(`${command} …`)} here.`
}

/** What readers can do after a run that ended too soon, by the state of its request. */
function afterStop(state: 'not-sent' | 'open' | 'job', step: Named): string {
  if (state === 'not-sent') return `To retry, ${askAgain(step)}.`
  return `${state === 'open' ? `${unclear}. ` : ''}${nextStep(step)}`
}

function afterError({ problem, jobId, delivery }: AgentResult, step: Named): string {
  const again = askAgain(step)
  const hasJob = jobId !== null && delivery === 'sent'
  if (hasJob && problem?.kind === 'call-failed' && problem.call === 'read') return nextStep(step)
  if (problem?.kind === 'gave-up' && problem.why === 'no-result') return nextStep(step)
  if (problem?.kind === 'gave-up' && problem.why === 'unstarted-run') return afterStop('not-sent', step)
  if (problem !== null && isTemporary(problem)) return `Wait a while, then ${again}.`
  return `A maintainer can fix this: ${link('the run', step.runUrl)} says how. Then ${again}.`
}

function nextStep(step: Named): string {
  return `Watch for the agent's pull request. If none appears, ${askAgain(step)}.`
}

/** How to ask again, for the middle of a sentence. */
function askAgain({ command, label }: Named): string {
  if (command !== null) return `comment ${code(`${command} …`)} again`
  return label ? `remove the label ${code(label)} and add it again` : 'ask again'
}

function facts({ outcome, elapsed, job, prompt }: AgentResult, runUrl: string): string {
  const known = [
    elapsed !== null && `Took ${formatDuration(elapsed)}`,
    prompt?.commit !== undefined && `Diff at ${code(prompt.commit.slice(0, 7))}`,
    job?.model && `Model: ${code(job.model)}`,
  ]
  const run = runUrl && link('Run', runUrl)
  return [...(isEnd(outcome) ? known : []), run].filter(Boolean).join(' · ')
}

function describeChange({ repository, head, number, author }: DocumentedChange, serverUrl: string): string {
  const at = `${serverUrl}/${repository}`
  const commit = link(`${repository}@${head.slice(0, 7)}`, `${at}/commit/${head}`)
  const pull = number === null ? '' : ` (${link(`${repository}#${number}`, `${at}/pull/${number}`)})`
  return `${commit}${pull}${author === null ? '' : ` by ${code(author)}`}`
}
