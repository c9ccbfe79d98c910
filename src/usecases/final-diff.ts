/**
 * The follow-up with the final diff of code that changed after the agent got it. Settle makes this request, which is
 * otherwise like any other.
 */
import { isKeyRejected, isMissing } from '../core/job/response.ts'
import type { Mark } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import type { AgentResult } from '../core/progress.ts'
import { finalDiffInstruction } from '../core/prompt/instruction.ts'
import type { CodePull } from '../core/pull.ts'
import type { Thread } from '../core/thread.ts'
import { type Change, newChange } from '../core/trigger/change.ts'
import { carryOut, type Host, type RunSettings } from './carry-out.ts'
import { readContext } from './change.ts'
import { followable } from './jobs.ts'
import type { Workspace } from './ports.ts'
import type { PullPorts } from './pulls.ts'
import { type ThreadRequestRef, ThreadStore, type ThreadWords } from './thread-store.ts'

/** What mode settle needs from outside. */
export interface SettlePorts extends PullPorts {
  /** The texts on a thread about a request. */
  wordsFor(ref: ThreadRequestRef): ThreadWords
  sending: Host['sending']
}

/** The job that gets the diff, and the request's record. */
interface Target {
  /** The agent's pull request. */
  thread: Thread
  job: string
  request: string
  mark: Pick<Mark, 'step' | 'project'>
}

/**
 * Sends the diff, and does not wait for the job: the next settle reports its result.
 * @returns `needless` if nothing in the diff matters; `impossible` if the job does not take this follow-up; `later` if
 * nothing was sent, and another try may help
 */
export async function sendFinalDiff(
  code: CodePull,
  { thread, job, request, mark }: Target,
  settings: RunSettings,
  ports: SettlePorts,
): Promise<'sent' | 'needless' | 'impossible' | 'later'> {
  const takes = await followable(job, settings.scope, ports)
  if (!takes.takes) return 'impossible'
  const diff = await readContext(changeOf(code), { paths: [] }, ports)
  if ('kind' in diff) {
    if (diff.kind === 'no-diff') return 'needless'
    if (diff.problem.type === 'unread')
      ports.onProgress({
        type: 'pulls-unread',
        repository: code.repository,
        rejection: diff.problem.rejection,
      })
    return 'later'
  }
  const { step, project } = mark
  const now = ports.clock.date()
  const until = now + ports.deadline - ports.clock.now()
  const ref = { thread, request, step, project, since: now, until, by: null, code: null }
  const store = new FinalStore(ref, false, { ...ports, words: ports.wordsFor(ref), save: () => {} })
  const result = await carryOut(
    {
      kind: 'plan',
      settings,
      // Another settle may have sent the same diff.
      isRerun: true,
      store,
      ask: async () => ({ prompt: finalDiffInstruction(code), context: diff }),
      choose: async () => ({ jobId: job, choice: 'own', head: takes.head, link: null }),
      announce: async () => {},
    },
    { ...ports, workspace, host: { ...host, sending: ports.sending } },
  )
  if (result.delivery !== 'not-sent') return 'sent'
  if (result.problem !== null) ports.onProgress({ type: 'diff-unsent', thread, problem: result.problem })
  return isHopeless(result.problem) ? 'impossible' : 'later'
}

/** A store that leaves nothing behind if nothing was sent, because the next settle tries again. */
class FinalStore extends ThreadStore {
  override end(result: AgentResult): Promise<boolean> {
    return result.delivery === 'not-sent' ? this.withdraw() : super.end(result)
  }
}

/** Whether the same follow-up would be rejected again. A 404 may be temporary, because the job existed a moment ago. */
function isHopeless(problem: Problem | null): boolean {
  if (problem?.type === 'secret-in-prompt') return true
  if (problem?.type !== 'platform' || problem.operation !== 'message') return false
  const { failure } = problem
  return (
    failure.kind === 'rejected' && !isKeyRejected(failure) && !isMissing(failure) && failure.status !== 429
  )
}

/** A workspace without files. */
const workspace: Workspace = {
  readText: async () => ({ ok: true, value: '' }),
  readMatching: async () => ({ ok: true, value: [] }),
}

/** A host that writes nothing, because the step's own result is that of mode settle. */
const host: Omit<Host, 'sending'> = {
  started: async () => {},
  output: () => {},
  finish: async () => {},
  lastly: (act) => act(),
}

function changeOf({ repository, number, head }: CodePull): Change {
  return newChange({ repository, head, branch: `pull request #${number}`, range: { by: 'pull', number } })
}
