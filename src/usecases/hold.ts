/** The pull request with the code that a request documents, and whether the agent's pull request waits for it. */

import type { AgentInputs } from '../core/inputs/schema.ts'
import type { CodePull, HoldKind } from '../core/pull.ts'
import type { Change } from '../core/trigger/change.ts'
import type { Asked } from '../core/trigger/request.ts'
import { type HoldIgnored, say } from '../say/messages.ts'
import { isAuthoredBy, wantedDiff } from './change.ts'
import type { AgentPorts } from './ports.ts'

/**
 * The code's pull request for a command or label, with the commit that the agent gets; null if there is no such pull
 * request, or if the command has neither a diff nor a hold.
 */
export async function codeOfThread(
  inputs: AgentInputs,
  { thread, request, openedBy }: Pick<Asked, 'thread' | 'request' | 'openedBy'>,
  ports: AgentPorts,
): Promise<CodePull | null> {
  const { hold, agentLogin } = inputs
  const { repository, number, isPullRequest } = thread
  // The agent's own pull request already has its hold, if any.
  if (isAuthoredBy(agentLogin)({ author: openedBy })) return null
  if (!isPullRequest) return ignored('event', hold, ports)
  if (hold === null && wantedDiff(inputs) === null && request.kind !== 'label') return null
  const pull = await ports.github.pull(repository, number)
  if (!pull.ok || pull.value === null) return ignored('unread', hold, ports)
  const { headCommit: head, isFork, isOpen, isMerged } = pull.value
  const code = { repository, number, head }
  if (isFork) return { ...code, hold: ignored('fork', hold, ports) }
  const isWaiting = isOpen || (hold === 'release' && isMerged)
  return { ...code, hold: isWaiting ? hold : ignored('over', hold, ports) }
}

/** The code's pull request for an event; null if the event is not about an open pull request. */
export function codeOfChange(
  change: Change | null,
  hold: HoldKind | null,
  ports: AgentPorts,
): CodePull | null {
  const isOpen = change !== null && change.noFiles === null && change.pullHead === change.head
  if (!isOpen || change.number === null) return ignored('event', hold, ports)
  const { repository, number, head } = change
  return { repository, number, head, hold }
}

function ignored(why: HoldIgnored, hold: HoldKind | null, { log }: AgentPorts): null {
  if (hold !== null) log(say.holdIgnored(why))
  return null
}
