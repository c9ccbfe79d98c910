/** The texts that use cases publish on GitHub. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import type { Asked } from '../core/trigger/request.ts'
import {
  abandonedComment,
  conflictComment,
  deniedComment,
  documentationComment,
  helpComment,
  holdDescription,
  outdatedComment,
  provenanceComment,
  type ReplyContext,
  releasedComment,
  resultComment,
  statusDescription,
  suggestionComment,
  workingComment,
} from '../render/reply.ts'
import type { CommandWords } from '../usecases/command.ts'
import type { CommitStorePorts } from '../usecases/commit-store.ts'
import type { NoticeWords } from '../usecases/pull-life.ts'
import type { PullWords } from '../usecases/pulls.ts'
import type { ThreadWords } from '../usecases/thread-store.ts'
import type { StepContext } from './context.ts'

type Named = Pick<StepContext, 'jobRef' | 'runUrl' | 'serverUrl'>

/** The texts on pull requests. */
export function pullWords({ command }: Pick<AgentInputs, 'command'>, { serverUrl }: Named): PullWords {
  return {
    provenance: (result, change, code) => provenanceComment({ command, serverUrl }, change, result, code),
    documentation: documentationComment,
    hold: holdDescription,
  }
}

/** The one-time texts of mode settle. */
export function noticeWords({ command }: Pick<AgentInputs, 'command'>): NoticeWords {
  return {
    released: releasedComment,
    abandoned: abandonedComment,
    outdated: outdatedComment,
    conflict: () => conflictComment({ command }),
  }
}

/** The descriptions of commit statuses. */
export function statusWords({ jobRef }: Named): CommitStorePorts['statusWords'] {
  return {
    working: () => statusDescription(null, jobRef),
    result: (result) => statusDescription(result, { ...jobRef, jobId: result.jobId }),
  }
}

/** The texts for a command. */
export function commandWords(
  inputs: AgentInputs,
  { request, requesters }: Pick<Asked, 'request' | 'requesters'>,
  step: Named,
): CommandWords {
  const asked = { login: requesters[0].login, url: request.url }
  const context = replyContext(inputs, asked, step)
  return {
    ...threadWords(inputs, asked, step),
    help: () => helpComment(context, inputs),
    suggestion: (problem) => suggestionComment(problem, context),
    denied: (problem) => deniedComment(problem, context),
  }
}

/** The texts of a request's comments on its thread. */
export function threadWords(
  inputs: { command: string; label?: string },
  asked: ReplyContext['request'],
  step: Named,
): ThreadWords & PullWords {
  const context = replyContext(inputs, asked, step)
  const result: ThreadWords['result'] = (result, code) =>
    resultComment(result, { ...context, code }, { ...step.jobRef, jobId: result.jobId })
  const working: ThreadWords['working'] = (choice) => workingComment(context, choice)
  return { ...pullWords(inputs, step), working, result, unfinished: (ended) => result(ended, null) }
}

function replyContext(
  { command, label = '' }: { command: string; label?: string },
  request: ReplyContext['request'],
  { runUrl }: Named,
): ReplyContext {
  return { command, label, runUrl, request: request ?? null }
}
