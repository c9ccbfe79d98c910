/** The texts that use cases publish on GitHub. */
import { isSameRepository } from '../core/thread.ts'
import type { Allowed } from '../core/trigger/permission.ts'
import type { Asked } from '../core/trigger/request.ts'
import type { ThreadWords } from '../life/thread.ts'
import {
  abandonedComment,
  deniedComment,
  documentationComment,
  goneHold,
  helpComment,
  holdDescription,
  provenanceComment,
  type ReplyContext,
  releasedComment,
  resultComment,
  statusDescription,
  workingComment,
} from '../say/replies.ts'
import type { CommandWords } from '../usecases/command.ts'
import type { Words } from '../usecases/ports.ts'
import type { StepContext } from './context.ts'

type Named = Pick<StepContext, 'jobRef' | 'runUrl' | 'serverUrl' | 'repository'>

/** The texts on commits and pull requests. */
export function wordsOf(
  command: ReplyContext['command'],
  { jobRef, serverUrl, repository: home }: Named,
): Words {
  // In other repositories, no workflow with this command may listen.
  const commandIn = (repository: string) =>
    isSameRepository({ repository }, { repository: home }) ? command : null
  return {
    status: (result) => statusDescription(result, { ...jobRef, jobId: result?.jobId ?? null }),
    provenance: (result, origin, repository) =>
      provenanceComment({ command: commandIn(repository), serverUrl }, origin, result),
    documentation: documentationComment,
    hold: holdDescription,
    gone: () => goneHold,
    released: (code, prLink, isNewer) =>
      releasedComment(code, prLink, { command: commandIn(code.repository), isNewer }),
    abandoned: abandonedComment,
  }
}

/** The texts for a command. */
export function commandWords(
  rules: Pick<ReplyContext, 'command' | 'label'> & { allowed: Allowed },
  { request, requesters }: Pick<Asked, 'request' | 'requesters'>,
  step: Named,
): CommandWords {
  const asked = { login: requesters[0].login, url: request.url }
  // Only commands get the texts with `spoken`, so this fallback is never shown.
  const spoken = { command: rules.command ?? 'the command' }
  return {
    ...wordsOf(rules.command, step),
    ...threadWords(rules, asked, step),
    help: () => helpComment(spoken, rules.allowed),
    denied: (problem) => deniedComment(problem, spoken),
  }
}

/** The texts of a request's comments on its thread. */
export function threadWords(
  { command, label = null }: Pick<ReplyContext, 'command' | 'label'>,
  asked: ReplyContext['request'],
  step: Named,
): ThreadWords {
  const context: ReplyContext = { command, label, runUrl: step.runUrl, request: asked ?? null }
  return {
    working: (choice) => workingComment(context, choice),
    result: (result, code) =>
      resultComment(result, { ...context, code }, { ...step.jobRef, jobId: result.jobId }),
  }
}
