/** One documentation pull request for one change: finds out what is documented already. */
import type { RunInputs } from '../core/inputs/schema.ts'
import { type Ended, skip } from '../core/outcome.ts'
import { isSameName } from '../core/text.ts'
import { pullRequestThread, pullThread, threadName } from '../core/thread.ts'
import { type Change, commitLimit } from '../core/trigger/change.ts'
import { isTerminal, outcomeOfJob } from '../mintlify/job.ts'
import { isGone } from '../mintlify/jobs.ts'
import type { AgentPorts } from '../ports.ts'
import { inOrder } from '../record/comments.ts'
import type { EntryComment } from '../record/format.ts'
import { entriesOn, ofProject } from '../record/lists.ts'
import { say } from '../say/messages.ts'

/** A merged pull request, and its last commit. */
interface Merged {
  number: number
  head: string
}

/** A merged pull request that needs no other job. */
export interface Documented {
  number: number
  /** The agent's pull request; null if there is none (yet). */
  link: string | null
}

/**
 * The documented pull requests of a change. If they bring everything, the request ends. A pull request that cannot be
 * read counts as not documented.
 */
export async function findDocumented(
  change: Change,
  inputs: RunInputs,
  ports: AgentPorts,
): Promise<Documented[] | Ended> {
  if (change.pullHead === change.head || change.noFiles !== null || inputs.githubToken === null) return []
  const { repository } = change
  const { pulls, isAll } = await mergedPulls(change, inputs, ports)
  const found: Documented[] = []
  for (const pull of pulls) {
    const read = await entriesOn(pullThread(repository, pull.number), ports)
    if (!read.ok) ports.log(say.rejected('pulls', repository, read.failure))
    // Two steps can document the same push with different prompts, so the other step's job does not count.
    const own = read.ok ? read.value.filter(({ entry }) => entry.role !== 'link' || entry.code) : []
    const documented = await documentedOf(pull, own, ports)
    if (documented !== null) found.push(documented)
  }
  if (!isAll || found.length < pulls.length) return found
  const names = found.flatMap(({ link }) => {
    const thread = pullRequestThread(link, ports.serverUrl)
    return thread === null ? (link ?? []) : threadName(thread)
  })
  return skip({ kind: 'documented', pulls: [...new Set(names)] })
}

/** The merged pull requests of a change, except for the agent's, and whether they bring all of its commits. */
async function mergedPulls(
  { repository, head, commits, number, pullHead }: Change,
  { agentLogin }: RunInputs,
  { github }: AgentPorts,
): Promise<{ pulls: Merged[]; isAll: boolean }> {
  if (number !== null && pullHead !== null) return { pulls: [{ number, head: pullHead }], isAll: true }
  const all = new Set([...commits, head])
  const pulls = new Map<number, Merged>()
  let isAll = commits.length < commitLimit
  for (const commit of all) {
    const read = await github.pullsOf(repository, commit)
    const merged = read.ok
      ? read.value.find(({ mergeCommit }) => mergeCommit !== null && all.has(mergeCommit))
      : undefined
    isAll &&= merged !== undefined
    if (merged !== undefined && !isSameName(merged.author, agentLogin))
      pulls.set(merged.number, { number: merged.number, head: merged.headCommit })
  }
  return { pulls: [...pulls.values()], isAll }
}

/**
 * Whether the last job on a merged pull request's thread got its last commit and is active, changed nothing, or has an
 * open or merged pull request; null if not. A job that cannot be polled counts as active.
 * @param entries the entries on the thread, oldest first
 */
export async function documentedOf(
  { number, head }: Merged,
  entries: readonly EntryComment[],
  ports: AgentPorts,
): Promise<Documented | null> {
  const jobs = inOrder(ofProject(entries, ports)).filter(
    ({ entry: { role, job } }) => (role === 'request' || role === 'link') && job !== null,
  )
  const last = jobs.at(-1)?.entry
  if (!last?.job) return null
  // A `link` without `code` is about a push, which brought the last commit.
  const isComplete = ({ entry: { job, role, code } }: EntryComment) =>
    job === last.job && (code ? code.head === head : role === 'link')
  if (!jobs.some(isComplete)) return null
  const read = await ports.mintlify.readConfirmedJob(last.job)
  if (isGone(read)) return null
  const job = read.ok ? read.value : null
  const link = job?.link ?? last.link
  const isActive = job === null || !isTerminal(job.status)
  const isDone = isActive || (link === null ? outcomeOfJob(job) === 'no-changes' : await isKept(link, ports))
  return isDone ? { number, link } : null
}

/** Whether a pull request is open or merged. One that cannot be read counts as open. */
async function isKept(link: string, { github, serverUrl }: AgentPorts): Promise<boolean> {
  const thread = pullRequestThread(link, serverUrl)
  if (thread === null) return true
  const pull = await github.pull(thread.repository, thread.number)
  return !pull.ok || pull.value.isOpen || pull.value.isMerged
}
