/** What the post step says of a main step that was killed before it could say it itself. */
import type { LogEntry } from '../core/log-entry.ts'
import { fenced } from '../core/text.ts'
import { entities } from './markdown.ts'
import { resumeStep, type StepIdentity } from './resume.ts'

/** What the killed step left. */
export interface Left {
  jobId: string | null
  /** The operation that was being sent, `create` or `message`; empty for none. */
  sending: string
}

export function describeKilled(left: Left, step: StepIdentity): LogEntry {
  const how =
    left.jobId === null ? '' : `\nTo wait for the job, run this step:\n${resumeStep(step, left.jobId)}`
  return { level: 'warning', title, text: `${sentence(left, step)}${how}` }
}

export function killedSummary(left: Left, step: StepIdentity): string {
  const how =
    left.jobId === null
      ? ''
      : `\n\nTo wait for the job, run this step:\n\n${fenced(resumeStep(step, left.jobId), 'yaml')}`
  return `## 🛑 ${title}\n\n${entities(sentence(left, step))}${how}\n`
}

const title = 'The step was killed before it could finish'

function sentence({ jobId, sending }: Left, { projectId }: StepIdentity): string {
  const look = `Look at project ${projectId} in the platform's dashboard before you run the workflow again.`
  if (jobId === null) return sending === '' ? 'Nothing was sent.' : `A job may have been created. ${look}`
  return sending === 'message'
    ? `Job ${jobId} may have got the message. ${look}`
    : `Job ${jobId} goes on at the platform.`
}
