/** The pull request with the code that a request documents, and whether the agent's pull request waits for it. */
import type { AgentInputs } from '../core/inputs/inputs.ts'
import type { HoldIgnored, Progress } from '../core/progress.ts'
import type { Code, HoldKind } from '../core/pull.ts'
import type { Change } from '../core/trigger/change.ts'
import type { Asked } from '../core/trigger/request.ts'
import { isBy } from './change.ts'
import type { RepositoryDetails } from './ports.ts'

/** The ports that this takes. */
export interface HoldPorts {
  github: Pick<RepositoryDetails, 'pull'>
  onProgress(progress: Progress): void
}

type HoldInputs = Pick<AgentInputs, 'hold' | 'agentLogin'>

/** The code of a command or label; null if it is not on a pull request with code, or if no one needs to know. */
export async function codeOfThread(
  { hold, agentLogin }: HoldInputs,
  { thread, request, openedBy = null }: Pick<Asked, 'thread' | 'request' | 'openedBy'>,
  ports: HoldPorts,
): Promise<Code | null> {
  const { repository, number, isPullRequest } = thread
  // The agent's own pull request already has its hold, if any.
  if (isBy(agentLogin)({ author: openedBy })) return null
  if (!isPullRequest) return ignored('event', hold, ports)
  const kind = hold === 'none' ? null : hold
  if (kind === null && request.kind !== 'label') return null
  const pull = await ports.github.pull(repository, number)
  if (!pull.ok || pull.value === null) return ignored('unread', hold, ports)
  if (pull.value.isFork) return ignored('fork', hold, ports)
  const isWaiting = pull.value.isOpen || (kind === 'release' && pull.value.isMerged)
  if (!isWaiting) return ignored('over', hold, ports)
  return { repository, number, head: pull.value.headCommit, hold: kind }
}

/** The code of an event; null if it is not about an open pull request. */
export function codeOfChange(change: Change | null, { hold }: HoldInputs, ports: HoldPorts): Code | null {
  const isOpen = change !== null && change.noFiles === null && change.pullHead === change.head
  if (!isOpen || change.number === null) return ignored('event', hold, ports)
  const { repository, number, head } = change
  return { repository, number, head, hold: hold === 'none' ? null : hold }
}

function ignored(why: HoldIgnored, hold: HoldKind | 'none', { onProgress }: HoldPorts): null {
  if (hold !== 'none') onProgress({ type: 'hold-ignored', why })
  return null
}
