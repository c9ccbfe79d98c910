/** What the action writes on a thread. Like a summary, but anything in it could notify: outside text stands in code. */

import type { DocumentedChange } from '../core/marker.ts'
import type { AgentResult } from '../core/progress.ts'
import { formatDuration } from '../core/units.ts'
import { conclude } from './conclusion.ts'
import { code, entities, link } from './markdown.ts'
import type { JobRef } from './problem.ts'

/** What the replies name. */
export interface ReplyContext {
  command: string
  /** Link to the workflow's run; empty where it is not known. */
  runUrl: string
}

export function usageReply({ command }: ReplyContext): string {
  return `Say after ${code(command)} what is to be done, for example:\n\n> ${code(`${command} fix the install page`)}`
}

export function workingReply(context: ReplyContext, choice: 'own' | 'thread' | 'replaced'): string {
  const what = {
    own: 'The agent is at work.',
    thread: 'The agent goes on with the job of this thread.',
    replaced: 'The earlier job of this thread is over; the agent is at work on a new one.',
  }[choice]
  return `⏳ ${what}${runLink(context)}`
}

export function resultReply(result: AgentResult, context: ReplyContext, jobRef: JobRef): string {
  const { icon, headline, text } = conclude(result, jobRef)
  const { job, outcome } = result
  const facts: [string, string][] = [
    ...(job?.ref ? [['Branch', code(job.ref)] satisfies [string, string]] : []),
    ...(job?.model ? [['Model', code(job.model)] satisfies [string, string]] : []),
    ['Took', formatDuration(result.elapsed)],
  ]
  const parts = [
    `${icon} **${headline}**${runLink(context)}`,
    job?.prLink ? link(shortLink(job.prLink), job.prLink) : '',
    outcome === 'pull-request' ? '' : text.split('\n').map(entities).join('<br>'),
    facts.map(([name, value]) => `${name}: ${value}`).join(' · '),
    result.jobId === null ? '' : `To ask for more, comment ${code(`${context.command} …`)} here.`,
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** On the agent's pull request: what it documents, and how to ask for more. */
export function announcementReply(
  { command, serverUrl }: ReplyContext & { serverUrl: string },
  changes: readonly DocumentedChange[],
): string {
  const list = changes.map((change) => `- ${describeChange(change, serverUrl)}`)
  const ask = `To ask the agent for more on this pull request, comment ${code(`${command} …`)} here.`
  const parts = [
    ...(list.length > 0 ? [`📖 This pull request documents:\n\n${list.join('\n')}`] : []),
    ...(command === '' ? [] : [ask]),
  ]
  return parts.length > 0 ? parts.join('\n\n') : '📖 This pull request was opened by the docs agent.'
}

/** On the pull request of a change. */
export function documentationReply(prLink: string): string {
  return `📖 The docs follow this change in ${link(shortLink(prLink), prLink)}.`
}

function describeChange({ repository, head, number, author }: DocumentedChange, serverUrl: string): string {
  const at = `${serverUrl}/${repository}`
  const commit = link(`${repository}@${head.slice(0, 10)}`, `${at}/commit/${head}`)
  const pull = number === null ? '' : ` (${link(`pull request ${number}`, `${at}/pull/${number}`)})`
  return `${commit}${pull}${author === null ? '' : ` by ${code(author)}`}`
}

function shortLink(url: string): string {
  return url.replace(/^https:\/\/github\.com\//, '')
}

/** What the post step writes in place of a reply that a killed step left at “working”. */
export function killedReply(context: ReplyContext, jobId: string | null): string {
  const job =
    jobId === null ? 'Whether it has made a job is not known.' : `Job ${code(jobId)} goes on at the platform.`
  return `🛑 **The run was ended before it could finish**${runLink(context)}\n\n${job}`
}

function runLink({ runUrl }: ReplyContext): string {
  return runUrl === '' ? '' : ` (${link('run', runUrl)})`
}
