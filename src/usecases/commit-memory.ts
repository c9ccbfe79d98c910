/**
 * A request's memory on a commit: its statuses. Only accounts that can push can make one, each is found by its commit,
 * and people see on the commit where its documentation is.
 */
import { type Failable, failsStep } from '../core/outcome.ts'
import type { Progress } from '../core/progress.ts'
import { readStatus, type StatusMark, type StatusOwner, writeStatus } from '../core/status.ts'
import { type Memory, stateAfter } from './memory.ts'
import type { CommitStatus, GitHubReply, Statuses } from './ports.ts'

export interface CommitMemoryPorts {
  github: Statuses & { viewer(): Promise<GitHubReply<string>> }
  /** What a status says to people, in a few words. */
  statusWords: {
    working(): string
    result(result: Parameters<Memory['close']>[0]): string
  }
  onProgress(progress: Progress): void
}

/** What the memory is about. */
export interface CommitRequestRef {
  repository: string
  commit: string
  /** See StatusMark. */
  run: string
  context: string
  owner: StatusOwner
  runUrl: string
  /** Outcomes that turn the status red, like the step. */
  failOn: ReadonlySet<Failable>
}

/** The statuses of a step on a commit, newest first, of the token's own account. */
export async function findStatuses(
  { repository, commit, context, owner }: CommitRequestRef,
  { github }: Pick<CommitMemoryPorts, 'github'>,
): Promise<GitHubReply<StatusMark[]>> {
  const viewer = await github.viewer()
  if (!viewer.ok) return viewer
  const statuses = await github.statuses(repository, commit)
  if (!statuses.ok) return statuses
  if (statuses.value.isCut) {
    const message = 'The commit has more statuses than the action reads'
    return { ok: false, refusal: { status: null, message } }
  }
  const own = statuses.value.items.filter(
    (status) => status.creator === viewer.value && status.context === context,
  )
  return { ok: true, value: own.flatMap((status) => readStatus(status, owner.project) ?? []) }
}

export function createCommitMemory(ref: CommitRequestRef, ports: CommitMemoryPorts): Memory {
  const { statusWords: words, github, onProgress } = ports
  const set = async (
    words: string,
    mark: Omit<StatusMark, 'run'>,
    state: CommitStatus['state'],
    targetUrl = ref.runUrl,
  ) => {
    const description = writeStatus(words, { ...mark, run: ref.run }, ref.owner)
    const status = { context: ref.context, state, description, targetUrl }
    return github.setStatus(ref.repository, ref.commit, status)
  }
  const warn = (done: GitHubReply<void>) => {
    if (!done.ok) onProgress({ type: 'status-failed', commit: ref.commit, refusal: done.refusal })
    return done.ok
  }
  return {
    where: 'status',
    sending: () => set(words.working(), { state: 'open', job: null }, 'pending'),
    job: async (job) => void warn(await set(words.working(), { state: 'job', job }, 'pending')),
    async close(result) {
      const state = stateAfter(result)
      const ended = failsStep(result.outcome, ref.failOn) ? 'failure' : 'success'
      const job = state === 'job' || state === 'ended' ? result.jobId : null
      const link = result.job?.prLink ?? undefined
      return warn(await set(words.result(result), { state, job }, state === 'job' ? 'pending' : ended, link))
    },
  }
}
