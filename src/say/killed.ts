/** What the post step reports for a main step that was killed before it could report. */
import type { LogEntry } from '../core/progress.ts'
import { fenced } from '../core/text.ts'
import { prose } from './markdown.ts'
import { dashboardUrl, inCode, type JobRef } from './problems.ts'
import { resumeStep } from './resume.ts'

/** What the main step saved before it was killed. */
export interface Left {
  jobId: string | null
  /** The operation that was in progress, `create` or `message`; empty for none. */
  sending: string
}

const title = 'The step was killed'

/** The log's message about a killed step. */
export function describeKilled(left: Left, jobRef: JobRef): LogEntry {
  const how =
    left.jobId === null ? '' : `\nTo wait for the job, run this step:\n${resumeStep(jobRef, left.jobId)}`
  return { level: 'warning', title, text: `${sentences(left, jobRef).join('\n')}${how}` }
}

/** The summary of a killed step. */
export function killedSummary(left: Left, jobRef: JobRef): string {
  const how =
    left.jobId === null
      ? ''
      : `\n\nTo wait for the job, run this step:\n\n${fenced(resumeStep(jobRef, left.jobId), 'yaml')}`
  return `## 🛑 ${title}\n\n${prose(sentences(left, jobRef).join(' '))}${how}\n`
}

function sentences({ jobId, sending }: Left, { projectId }: JobRef): string[] {
  const killed = 'The runner killed the step before it could finish.'
  const look = `Look at project ${inCode(projectId)} on ${dashboardUrl} before you start a new run.`
  if (jobId === null)
    return sending === '' ? [killed, 'Nothing was sent.'] : [killed, 'A job may have been created.', look]
  const job = `Job ${inCode(jobId)}`
  return sending === 'message'
    ? [killed, `${job} may have the follow-up.`, look]
    : [killed, `${job} continues on Mintlify.`]
}
