/** The job summary of mode agent, in Markdown that is easy to read on a phone. */
import type { AgentResult, TriggerRef } from '../core/progress.ts'
import { fenced } from '../core/text.ts'
import { byteLength, formatDuration, formatSize, formatTime } from '../core/units.ts'
import { pullRequestBlock, pullRequestName, shortAddress } from './changes.ts'
import { conclude } from './conclusion.ts'
import { code, factTable, foldedText, link, prose, text } from './markdown.ts'
import type { JobRef, ListItem } from './problems.ts'
import { resumeStep } from './resume.ts'

/** Maximum length of the prompt in the summary, in characters: GitHub drops summaries over 1 MiB. */
const promptLimit = 60_000
/** Maximum number of files listed as left out. The log lists all of them. */
const leftOutLimit = 50

/** The summary while the job is active. It remains if the step is killed. */
export function pendingSummary(jobId: string, jobRef: JobRef): string {
  return `⏳ Job ${code(jobId)} of project ${code(jobRef.projectId)} is running.\n\n${resumeBlock(jobRef, jobId)}\n`
}

/** The summary of a result. */
export function agentSummary(result: AgentResult, jobRef: JobRef, trigger: TriggerRef | null = null): string {
  const { icon, headline, paragraphs, list, lines, resumable } = conclude(result, jobRef)
  const { job, changes, jobId } = result
  const parts = [
    `## ${icon} ${text(headline)}`,
    ...paragraphs.slice(0, 1).map(prose),
    listBlock(list),
    ...paragraphs.slice(1).map(prose),
    lines === '' ? '' : fenced(lines, 'text'),
    job?.prLink ? pullRequestBlock(job.prLink, changes) : '',
    factTable(facts(result, trigger)),
    resumable && jobId !== null ? resumeBlock(jobRef, jobId) : '',
    leftOutBlock(result),
    promptBlock(result),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function facts(
  { outcome, jobId, job, elapsed }: AgentResult,
  trigger: TriggerRef | null,
): [string, string][] {
  const known: [string, string | null | undefined][] = [
    ['Outcome', code(outcome)],
    ['Triggered by', trigger && triggerText(trigger)],
    ['Took', elapsed === null ? null : formatDuration(elapsed)],
    ['Model', job?.model && code(job.model)],
    ['Job', jobId && code(jobId)],
    ['Repository', job?.repository && link(shortAddress(job.repository), job.repository)],
    ['Branch', job?.ref && code(job.ref)],
    ['Created', job?.createdAt && timeText(job.createdAt)],
    ['Archived', job?.archivedAt && timeText(job.archivedAt)],
  ]
  return known.flatMap(([name, value]) => (value ? [[name, value] satisfies [string, string]] : []))
}

function triggerText({ text: shown, url }: TriggerRef): string {
  return url === '' ? text(shown) : link(shown, url)
}

function timeText(time: string): string {
  return formatTime(time) ?? code(time)
}

function listBlock(list: readonly ListItem[]): string {
  return list
    .map((item) => `- ${'url' in item ? link(pullRequestName(item.url), item.url) : prose(item.text)}`)
    .join('\n')
}

function resumeBlock(jobRef: JobRef, jobId: string): string {
  return `To wait for the job, run this step:\n\n${fenced(resumeStep(jobRef, jobId), 'yaml')}`
}

/** What is missing from the prompt. */
export function leftOutBlock({ prompt }: Pick<AgentResult, 'prompt'>): string {
  const leftOut = prompt?.leftOut ?? []
  if (leftOut.length === 0) return ''
  const named = leftOut.slice(0, leftOutLimit).map(({ path, why }) => `- ${code(path)}: ${text(why)}`)
  const more = leftOut.length - named.length
  return [
    'Missing from the prompt, or truncated:',
    '',
    ...named,
    ...(more > 0 ? [`- and ${more} more, listed in the log`] : []),
  ].join('\n')
}

/** The prompt, folded. */
export function promptBlock({ prompt }: Pick<AgentResult, 'prompt'>): string {
  if (prompt === null) return ''
  return foldedText(`The prompt (${formatSize(byteLength(prompt.text))})`, prompt.text, promptLimit)
}
