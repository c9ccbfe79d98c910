/** One documentation pull request for one change: finds out what is documented already. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job.ts'
import { type Stop, skip } from '../core/outcome.ts'
import type { PullDocs } from '../core/prompt/context.ts'
import type { MergedPull } from '../core/since-last.ts'
import { isSameName } from '../core/text.ts'
import { nameOf, pullOfLink, pullThread } from '../core/thread.ts'
import { type Change, commitLimit } from '../core/trigger/change.ts'
import { isTerminal, outcomeOfJob } from '../mintlify/job.ts'
import { isGone } from '../mintlify/jobs.ts'
import type { AgentPorts } from '../ports.ts'
import { inOrder } from '../record/comments.ts'
import type { EntryComment } from '../record/format.ts'
import { entriesOn, ofProject } from '../record/lists.ts'
import { say } from '../say/messages.ts'
import { readLinkedPull } from './choose.ts'

type PullHead = Pick<MergedPull, 'number' | 'head'>

/**
 * The documented pull requests of a change. If they bring everything, the request ends. A pull request that cannot be
 * read counts as not documented.
 */
export async function findDocs(
  change: Change,
  inputs: AgentInputs,
  ports: AgentPorts,
): Promise<PullDocs[] | Stop> {
  if (inputs.jobId !== null || inputs.githubToken === null) return []
  if (change.pullHead === change.head || change.noFiles !== null) return []
  const { pulls, isAll } = await mergedPulls(change, inputs, ports)
  const docs: PullDocs[] = []
  for (const pull of pulls) {
    const entries = await entriesOn(pullThread(change, pull.number), ports)
    if (!entries.ok) {
      ports.log(say.rejected('pulls', change.repository, entries.failure))
      continue
    }
    // Two steps can document the same push with different prompts, so the other step's job does not count.
    const others = entries.value.filter(({ entry }) => entry.role !== 'link' || entry.code)
    docs.push(...(await docsOf(pull, others, ports)))
  }
  if (!isAll || docs.length < pulls.length) return docs
  const names = docs.flatMap(({ link }) => {
    const pull = pullOfLink(link, ports.serverUrl)
    return pull === null ? (link ?? []) : nameOf(pull)
  })
  return skip({ kind: 'documented', pulls: [...new Set(names)] })
}

/** The merged pull requests of a change, except for the agent's, and whether they bring all of its commits. */
async function mergedPulls(
  { repository, head, commits, number, pullHead }: Change,
  { agentLogin }: AgentInputs,
  { github }: AgentPorts,
) {
  if (number !== null && pullHead !== null) return { pulls: [{ number, head: pullHead }], isAll: true }
  const all = new Set([...commits, head])
  const pulls = new Map<number, PullHead>()
  let isAll = commits.length < commitLimit
  for (const commit of all) {
    const reply = await github.pullsOf(repository, commit)
    const candidates = reply.ok ? reply.value : []
    const pull = candidates.find(({ mergeCommit }) => mergeCommit !== null && all.has(mergeCommit))
    isAll &&= pull !== undefined
    if (pull === undefined || isSameName(pull.author, agentLogin)) continue
    pulls.set(pull.number, { number: pull.number, head: pull.headCommit })
  }
  return { pulls: [...pulls.values()], isAll }
}

/**
 * The docs of a merged pull request if the last job on its thread got its last commit, and needs no successor; otherwise
 * none. A job that cannot be polled counts as active.
 * @param entries the entries on the thread, oldest first
 */
export async function docsOf(
  { number, head }: PullHead,
  entries: readonly EntryComment[],
  ports: AgentPorts,
): Promise<PullDocs[]> {
  const jobs = inOrder(ofProject(entries, ports)).filter(
    ({ entry: { role, job } }) => role !== 'pull' && job !== null,
  )
  const last = jobs.at(-1)?.entry
  if (!last?.job) return []
  // A `link` without `code` is about a push, which brought the last commit.
  const isComplete = ({ entry: { job, role, code } }: EntryComment) =>
    job === last.job && (code ? code.head === head : role === 'link')
  if (!jobs.some(isComplete)) return []
  const job = await ports.mintlify.readConfirmedJob(last.job)
  if (isGone(job)) return []
  const link = (job.ok && job.value.link) || last.link
  if (job.ok && !(await isEnough({ ...job.value, link }, ports))) return []
  return [{ number, link }]
}

/** Whether a job is active, changed nothing, or has a pull request that is open, merged, or unreadable. */
async function isEnough(job: Job, ports: AgentPorts) {
  if (!isTerminal(job.status)) return true
  if (job.link === null) return outcomeOfJob(job) === 'no-changes'
  const pull = await readLinkedPull(job.link, ports)
  return pull === null || pull.isOpen || pull.isMerged
}
