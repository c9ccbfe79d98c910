/** The texts that the action publishes on GitHub, in Markdown, with the names of one step. */
import type { JobChoice } from '../core/job/job.ts'
import type { AgentResult } from '../core/progress.ts'
import type { CodePull, Origin } from '../core/pull.ts'
import { isSameRepository, type Thread } from '../core/thread.ts'
import { readRequestId } from '../core/trigger/request.ts'
import type { JobRef } from './problems.ts'
import {
  abandonedComment,
  deniedComment,
  documentationComment,
  helpComment,
  holdDescription,
  killedComment,
  provenanceComment,
  type ReplyContext,
  releasedComment,
  resultComment,
  statusDescription,
  workingComment,
} from './replies.ts'

/** A step's names. `repository`: `owner/name` of its workflow's repository. */
interface Named extends Pick<ReplyContext, 'command' | 'label' | 'runUrl'> {
  jobRef: JobRef
  serverUrl: string
  repository: string
}

/** A request on a thread, and the login of the requester. */
interface AskedBy {
  thread: Thread
  request: string
  by: string | null
}

/** See `createWords`. */
export type Words = ReturnType<typeof createWords>

/** The texts of a step. */
export function createWords({ command, label, runUrl, jobRef, serverUrl, repository: home }: Named) {
  const context: ReplyContext = { command, label: label ?? null, runUrl }
  // Only commands get these texts, so this fallback is never shown.
  const spoken = { command: command ?? 'the command' }
  // In other repositories, no workflow with this command may listen.
  const commandIn = (repository: string) =>
    isSameRepository({ repository }, { repository: home }) ? command : null
  return {
    /** What people can ask, who can ask, and an example. */
    help: (allowed: Parameters<typeof helpComment>[1]) => helpComment(spoken, allowed),
    /** Why someone cannot use the command. */
    denied: (problem: Parameters<typeof deniedComment>[0]) => deniedComment(problem, spoken),
    working: (choice: JobChoice) => workingComment(context, choice),
    /** The result: a new comment or, if the job continues without this step, the working comment's text. */
    result: (result: AgentResult, asked: AskedBy, code: CodePull | null) => {
      const request = requestLink(asked, serverUrl)
      return resultComment(result, { ...context, request, code }, { ...jobRef, jobId: result.jobId })
    },
    /** The words of a comment whose run was killed, by the state of its request. */
    killed: (state: Parameters<typeof killedComment>[1]) => killedComment(context, state),
    /** The description of a commit's status. `result` is null while the job is active. */
    status: (result: AgentResult | null) =>
      statusDescription(result, { ...jobRef, jobId: result?.jobId ?? null }),
    /** On the agent's pull request, which is in a repository: who asked for it, and the change that it documents, if any. */
    provenance: (result: AgentResult, origin: Origin, repository: string) =>
      provenanceComment({ command: commandIn(repository), serverUrl }, origin, result),
    documentation: documentationComment,
    hold: holdDescription,
    released: (code: CodePull, prLink: string, isNewer: boolean) =>
      releasedComment(code, prLink, { command: commandIn(code.repository), isNewer }),
    abandoned: abandonedComment,
  }
}

/** The requester of a request, and its link. */
function requestLink(
  { thread, request, by }: AskedBy,
  serverUrl: string,
): { login: string; url: string } | null {
  if (by === null) return null
  const { repository, number, isPullRequest, reviewRoot } = thread
  const at = `${serverUrl}/${repository}/${isPullRequest ? 'pull' : 'issues'}/${number}`
  const asked = readRequestId(request)
  if (asked === null || asked.kind === 'label') return { login: by, url: at }
  const comment = reviewRoot === null ? 'issuecomment-' : 'discussion_r'
  return { login: by, url: `${at}#${asked.kind === 'review' ? 'pullrequestreview-' : comment}${asked.id}` }
}
