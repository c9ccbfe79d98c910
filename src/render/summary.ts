/** The job summary of mode `agent`: Markdown that reads well on a phone. */
import type { AgentResult } from '../core/progress.ts'
import { fenced, oneLine } from '../core/text.ts'
import { byteLength, formatDuration, formatSize } from '../core/units.ts'
import { conclude } from './conclusion.ts'
import { code, entities, factTable, foldedText, link } from './markdown.ts'
import type { JobRef } from './problem.ts'
import { resumeStep, type StepIdentity } from './resume.ts'

/** Longest stretch of the prompt that the summary shows, in characters: GitHub drops a summary over 1 MiB. */
const promptLimit = 60_000
/** Most files that are named as left out; the log names them all. */
const leftOutLimit = 50

/** The summary while the job is under way: what stands there if the step is killed. */
export function pendingSummary(jobId: string, step: StepIdentity): string {
  return `⏳ Job ${code(jobId)} of project ${code(step.projectId)} is under way.\n\n${resumeBlock(step, jobId)}\n`
}

/** The summary of what came of the step. */
export function agentSummary(result: AgentResult, jobRef: JobRef, step: StepIdentity): string {
  const { icon, headline, text, resumable } = conclude(result, jobRef)
  const parts = [
    `## ${icon} ${headline}`,
    result.outcome === 'pull-request' ? '' : paragraphs(text),
    result.job?.prLink ? `**${link(shortLink(result.job.prLink), result.job.prLink)}**` : '',
    openPullRequests(result),
    factTable(facts(result)),
    resumable && result.jobId !== null ? resumeBlock(step, result.jobId) : '',
    leftOutBlock(result),
    promptBlock(result),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function facts({ outcome, jobId, job, elapsed }: AgentResult): [string, string][] {
  const known: [string, string | null | undefined][] = [
    ['Outcome', code(outcome)],
    ['Job', jobId && code(jobId)],
    ['Status', job?.status ? code(job.status) : null],
    ['Repository', job?.repository && link(shortLink(job.repository), job.repository)],
    ['Branch', job?.ref && code(job.ref)],
    ['Model', job?.model && code(job.model)],
    ['Created', job?.createdAt && code(job.createdAt)],
    ['Archived', job?.archivedAt && code(job.archivedAt)],
    ['Took', formatDuration(elapsed)],
  ]
  return known.flatMap(([name, value]) => (value ? [[name, value] satisfies [string, string]] : []))
}

/** Those that stand in the way of another one. */
function openPullRequests({ problem }: AgentResult): string {
  if (problem?.type !== 'open-limit') return ''
  return problem.links.map((url) => `- ${link(shortLink(url), url)}`).join('\n')
}

/** `https://github.com/acme/docs/pull/7` reads as `acme/docs/pull/7`; any other address stays whole. */
function shortLink(url: string): string {
  return oneLine(url.replace(/^https:\/\/github\.com\//, ''), 120)
}

function paragraphs(text: string): string {
  return text
    .split('\n')
    .map((line) => entities(line))
    .join('<br>')
}

function resumeBlock(step: StepIdentity, jobId: string): string {
  return `To wait for the job again, run this step:\n\n${fenced(resumeStep(step, jobId), 'yaml')}`
}

function leftOutBlock({ prompt }: AgentResult): string {
  const leftOut = prompt?.leftOut ?? []
  if (leftOut.length === 0) return ''
  const named = leftOut.slice(0, leftOutLimit).map(({ path, why }) => `- ${code(path)} ${entities(why)}`)
  const more =
    leftOut.length > leftOutLimit ? [`- and ${leftOut.length - leftOutLimit} more, named in the log`] : []
  return ['Not in the prompt, or not whole:', '', ...named, ...more].join('\n')
}

function promptBlock({ prompt, outcome }: AgentResult): string {
  if (prompt === null) return ''
  const verb = outcome === 'dry-run' ? 'The prompt that would be sent' : 'The prompt'
  return foldedText(`${verb} (${formatSize(byteLength(prompt.text))})`, prompt.text, promptLimit)
}
