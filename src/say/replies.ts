/**
 * The action's comments on threads and pull requests, and its commit statuses. GitHub also mails comments to people who
 * do not know the workflow, so each makes sense alone and only suggests steps that its readers can take.
 */
import { type CodePull, type HoldState, holdContext } from '../core/hold.ts'
import type { JobChoice } from '../core/job.ts'
import type { AgentResult } from '../core/outcome.ts'
import type { PathsProblem, Problem } from '../core/problems.ts'
import type { PullRequestChanges } from '../core/pull-changes.ts'
import type { Allowed } from '../core/roles.ts'
import { cut, fenced, fill, joinTexts } from '../core/text.ts'
import { nameOf, pageUrl, pullThread, type Thread } from '../core/thread.ts'
import type { DocumentedChange, Origin } from '../core/trigger/change.ts'
import { readRequestId } from '../core/trigger/request.ts'
import { afterStop, askForMore, conclude, jobFacts } from './conclusion.ts'
import {
  blocks,
  changesText,
  code,
  fileList,
  link,
  pageLink,
  problemList,
  prose,
  pullLink,
  pullRequestBlock,
  pullRequestName,
  text,
} from './markdown.ts'
import { explain, othersCanAsk } from './problems.ts'

/** The names in a step's texts. */
interface StepNames {
  /** null if the step has none. */
  command: string | null
  /** The label that starts the agent; null if none does. */
  label: string | null
  /** Link to the workflow's run. */
  runUrl: string
  serverUrl: string
  /** The ID of the workflow's repository. In other repositories, no workflow with this command may listen. */
  repositoryId: string
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
const choices = {
  own: '',
  thread: ' This is a follow-up to the earlier request here.',
  replaced: ' The earlier job here is over, or its pull request is merged or closed, so this is a new job.',
  unclear: ' The earlier request here has no job yet, so this is a new job.',
}

/** When the docs of held code can be merged. */
const lifts = { merge: 'is merged', release: 'is released' }

/** When the docs can be merged: `acme/app#12 is merged`. */
function liftText({ hold, ...pull }: CodePull) {
  return `${nameOf(pull)} ${lifts[hold ?? 'release']}`
}

/** What the agent's pull request waits for, as plain text: code, or a release with it; empty if it only waits for people. */
export function waitsFor(hold: CodePull | null) {
  return hold?.state === 'held' ? heldText(hold) : ''
}

function heldText(pull: CodePull) {
  return pull.hold === 'release' ? `a release with ${nameOf(pull)}` : nameOf(pull)
}

/** The texts of a step. */
export function createWords(step: StepNames) {
  const { runUrl, serverUrl } = step
  // Only commands get the texts with it, so the fallback is never shown.
  const command = step.command ?? 'the command'
  /** The command, if a comment in a repository can ask the agent. */
  const commandIn = (repositoryId: string) => (repositoryId === step.repositoryId ? step.command : null)
  /** Fills the advice of a result for readers. */
  const advise = (template: string) => {
    if (template === askForMore && step.command === null) return ''
    return fill(template, {
      AGAIN: askAgain(step),
      COMMAND: code(`${command} …`),
      RUN: link('the run', runUrl),
    })
  }
  return {
    /** What people can ask, who can ask, and an example. */
    help({ role, bots }: Allowed) {
      const others = bots.map((login) => code(login)).join(', ')
      const more = others && `, and so can ${others}`
      return blocks([
        `📖 **After ${code(command)}, write what to change in the docs.** The agent does it and opens a pull request.`,
        `For example: ${code(`${command} add a note on Node 24 to the install page`)}`,
        `To ask for more, comment again here or on the pull request. ${reactions} Anyone with the ${code(role)} role or higher can ask${more}.`,
      ])
    },
    /** Why a command was rejected, once for each person and thread. */
    denied(problem: Problem & { kind: 'denied' }) {
      const what = `😕 ${prose(explain(problem).what)}`
      return problem.isBot ? what : `${what} ${othersCanAsk}`
    },
    /** The comment while the agent is working. */
    working: (choice: JobChoice) => `⏳ Working on it.${choices[choice]} ${link('Watch the run', runUrl)}.`,
    /** The result: a new comment or, if the job continues without this step, the working comment's text. */
    result(result: AgentResult, asking: AskedBy, pull: CodePull | null) {
      const { outcome, job, changes, problem } = result
      const { icon, headline, what, reply } = conclude(result)
      const advice = advise(reply)
      // The advice says that the request is unconfirmed, and a block below says what is wrong with the paths.
      const isShownBelow = outcome === 'unconfirmed' || problem?.kind === 'allowed-paths'
      // The run is linked only once.
      const run = !advice.includes(runUrl) && link('Run', runUrl)
      return blocks([
        `${icon} **${text(headline)}.**${inReplyTo(asking, serverUrl)}`,
        !isShownBelow && prose(what),
        job?.link && pullRequestBlock(job.link, changes),
        boundsBlock(problem),
        job?.link && waitText(pull),
        advice,
        joinTexts([...jobFacts(result), run], ' · '),
      ])
    },
    /** The final text of the working comment if the step was killed, by the state of its request. */
    killed: (state: keyof typeof afterStop) =>
      blocks([
        '🛑 **The run ended before the agent finished.**',
        advise(afterStop[state]),
        link('Run', runUrl),
      ]),
    /** A commit status's description: at most 100 of GitHub's 140 characters. `result` is null while the job is active. */
    status(result: AgentResult | null) {
      if (result === null) return 'Working on the docs'
      const name = result.job?.link && pullRequestName(result.job.link)
      return cut(joinTexts([conclude(result).headline, name], ': '), 100)
    },
    /**
     * On the agent's pull request, which is in a repository: who asked for it or which change it documents, its files,
     * and how to ask for more.
     */
    provenance({ changes, problem }: AgentResult, origin: Origin, repositoryId: string) {
      const pull = origin.code
      const own = commandIn(repositoryId)
      return blocks([
        `📖 ${originText(origin, serverUrl)}`,
        changes && fileList(changes),
        boundsBlock(problem),
        pull?.hold &&
          `The status ${code(holdContext)} shows whether this pull request waits for ${nameOf(pull)}.`,
        own && `To ask the agent for more, comment ${code(`${own} …`)} here. ${reactions}`,
      ])
    },
    /** On the pull request of a change: a link to its docs. */
    documentation(docs: string, changes: PullRequestChanges | null, pull: CodePull | null) {
      const what = changes && `${text(changes.title, 200)}, ${changesText(changes.total)}`
      return blocks([joinTexts([`📖 Docs for this change: ${pullLink(docs)}`, what], ' '), waitText(pull)])
    },
    /** The description of the status for `allowed-paths`. */
    guard(problem?: PathsProblem): string {
      if (!problem) return 'All files are within the allowed paths'
      return problem.reason === 'outside'
        ? 'Some files are outside the allowed paths'
        : 'Some files could not be checked'
    },
    /** The description of a hold's status: at most GitHub's 140 characters. */
    hold(pull: CodePull, state: HoldState) {
      const texts = {
        held: `Waits for ${heldText(pull)}`,
        closed: `${nameOf(pull)} was closed without being merged`,
        lifted: liftText(pull),
      }
      return cut(texts[state], 140)
    },
    /** On both pull requests, once: the docs can be merged. `isNewer`: the code changed after the agent got it. */
    released(pull: CodePull, docs: string, isNewer: boolean) {
      const what = `▶️ **${liftText(pull)}.** The docs in ${pullLink(docs)} can be merged.`
      if (!isNewer) return what
      const own = commandIn(pull.repositoryId)
      return blocks([
        what,
        `⚠️ ${nameOf(pull)} changed after the agent got its diff at ${code(pull.head.slice(0, 7))}. Check the docs before you merge them.`,
        own && `To bring the docs up to date, comment on ${nameOf(pull)}:`,
        own && fenced(`${own} update the docs to the final diff of this pull request`),
      ])
    },
    /** On the agent's pull request, once: the code was closed without a merge. */
    abandoned: (pull: CodePull) =>
      `🗑️ **${nameOf(pull)} was closed without being merged.** Close this pull request, or merge what is still correct.`,
  }
}

/** On the code's pull request, once: its docs must wait. Whether GitHub accepted the hold is not known here. */
function waitText(pull: CodePull | null) {
  return pull?.hold ? `⏸️ Merge the docs when ${liftText(pull)}.` : ''
}

/** The requester of a request, and its link. */
function inReplyTo({ thread, request, by }: AskedBy, serverUrl: string) {
  if (by === null) return ''
  const url = `${pageUrl(thread, serverUrl)}${anchorOf(request)}`
  return ` In reply to ${link(by, url)}.`
}

/** Where a request is on its thread's page; empty for a label. */
function anchorOf(request: string) {
  const { kind, id } = readRequestId(request) ?? {}
  if (kind === 'review') return `#pullrequestreview-${id}`
  if (kind === 'line') return `#discussion_r${id}`
  return kind === 'comment' ? `#issuecomment-${id}` : ''
}

/** The files outside `allowed-paths`, or why they could not be checked. */
function boundsBlock(problem: Problem | null) {
  if (problem?.kind !== 'allowed-paths') return ''
  const { what, next, list } = explain(problem)
  return blocks([`⚠️ ${prose(`${what} ${next}`)}`, problemList(list)])
}

/** How to ask again, for the middle of a sentence. */
function askAgain({ command, label }: StepNames) {
  if (command !== null) return `comment ${code(`${command} …`)} again`
  if (label !== null) return `remove the label ${code(label)} and add it again`
  return 'ask again'
}

/** Where the agent's pull request comes from. */
function originText({ change, requester, thread }: Origin, serverUrl: string) {
  if (change !== null) return `This pull request documents ${changeText(change, serverUrl)}.`
  const what = "Mintlify's agent wrote this pull request."
  if (requester === null) return what
  const place = thread === null ? '' : ` in ${nameOf(thread)}`
  return `${what} ${code(requester)} asked for it${place}.`
}

function changeText(change: DocumentedChange, serverUrl: string) {
  const { repository, head, number, author } = change
  const pull = number !== null && `(${pageLink(pullThread(change, number), serverUrl)})`
  const commit = pageLink({ repository, commit: head }, serverUrl)
  return joinTexts([commit, pull, author !== null && `by ${code(author)}`], ' ')
}
