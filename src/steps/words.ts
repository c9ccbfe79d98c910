/** The texts that the use cases publish on GitHub. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import type { Asked } from '../core/trigger/request.ts'
import {
  deniedComment,
  documentationComment,
  helpComment,
  provenanceComment,
  type ReplyContext,
  resultComment,
  statusDescription,
  workingComment,
} from '../render/reply.ts'
import type { CommandWords } from '../usecases/command.ts'
import type { CommitStorePorts } from '../usecases/commit-store.ts'
import type { PullWords } from '../usecases/pulls.ts'
import type { ThreadWords } from '../usecases/thread-store.ts'
import type { StepContext } from './context.ts'

type Named = Pick<StepContext, 'jobRef' | 'runUrl' | 'serverUrl'>

export function pullWords({ command }: Pick<AgentInputs, 'command'>, { serverUrl }: Named): PullWords {
  return {
    provenance: (result, change) => provenanceComment({ command, serverUrl }, change, result),
    documentation: (prLink, changes) => documentationComment(prLink, changes),
  }
}

export function statusWords({ jobRef }: Named): CommitStorePorts['statusWords'] {
  return {
    working: () => statusDescription(null, jobRef),
    result: (result) => statusDescription(result, { ...jobRef, jobId: result.jobId }),
  }
}

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
    denied: (problem) => deniedComment(problem, context),
  }
}

export function threadWords(
  inputs: { command: string; label?: string },
  asked: ReplyContext['request'],
  step: Named,
): ThreadWords & PullWords {
  const context = replyContext(inputs, asked, step)
  const result: ThreadWords['result'] = (result) =>
    resultComment(result, context, { ...step.jobRef, jobId: result.jobId })
  const working: ThreadWords['working'] = (choice) => workingComment(context, choice)
  return { ...pullWords(inputs, step), working, result, unfinished: result }
}

function replyContext(
  { command, label = '' }: { command: string; label?: string },
  request: ReplyContext['request'],
  { runUrl }: Named,
): ReplyContext {
  return { command, label, runUrl, request: request ?? null }
}
