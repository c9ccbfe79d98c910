/** The code that a request documents, and what the agent's pull request waits for. */
import type { CodePull } from '../core/hold.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { isSameName } from '../core/text.ts'
import type { Change } from '../core/trigger/change.ts'
import type { ThreadTrigger } from '../core/trigger/request.ts'
import type { AgentPorts } from '../ports.ts'
import { say } from '../say/messages.ts'
import { diffRules } from './change.ts'

/**
 * The code's pull request for a command or label, with the commit that the agent gets; null if there is no such pull
 * request, or if the command has neither a diff nor a hold.
 */
export async function codeOfThread(
  inputs: AgentInputs,
  { thread, request, openedBy }: ThreadTrigger,
  ports: AgentPorts,
): Promise<CodePull | null> {
  const { repository, number, isPullRequest } = thread
  // The agent's own pull request already has its hold, if any.
  if (isSameName(openedBy, inputs.agentLogin)) return null
  const isWanted = inputs.hold !== null || diffRules(inputs) !== null || request.kind === 'label'
  const reply = isPullRequest && isWanted ? await ports.github.pull(repository, number) : null
  const pull = reply?.ok ? reply.value : null
  const canHold =
    pull !== null && !pull.isFork && (pull.isOpen || (inputs.hold === 'release' && pull.isMerged))
  const hold = holdIf(canHold, inputs, ports)
  if (pull === null) return null
  return { repository, number, head: pull.headCommit, hold }
}

/** The code's pull request; null if the event is not about an open one. Only its own events have a hold. */
export function codeOfChange(change: Change | null, inputs: AgentInputs, ports: AgentPorts): CodePull | null {
  const isOpen = change?.noFiles === null && change.pullHead === change.head
  const hold = holdIf(isOpen && change.upstreamRun === null, inputs, ports)
  if (!isOpen || change.number === null) return null
  const { repository, number, head } = change
  return { repository, number, head, hold }
}

/** The hold on code; null if none is wanted, or if this code cannot have one. */
function holdIf(canHold: boolean, { hold }: AgentInputs, { log }: AgentPorts): CodePull['hold'] {
  if (hold === null || canHold) return hold
  log(say.holdIgnored())
  return null
}
