/** One documentation pull request for one change: finds out who brought it, and what is documented already. */
import type { AgentInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job.ts'
import { failToRead, type Stop, skip, stop } from '../core/outcome.ts'
import type { PullDocs } from '../core/prompt/context.ts'
import { areBroughtBy, type PullHead, type Sources, sourcesOf } from '../core/sources.ts'
import { pullRequestThread, pullThread, threadName } from '../core/thread.ts'
import type { Change } from '../core/trigger/change.ts'
import { isTerminal, outcomeOfJob } from '../mintlify/job.ts'
import { isGone } from '../mintlify/jobs.ts'
import type { AgentPorts } from '../ports.ts'
import { inOrder } from '../record/comments.ts'
import type { EntryComment } from '../record/format.ts'
import { entriesOn, ofProject } from '../record/lists.ts'
import { say } from '../say/messages.ts'
import { readLinkedPull } from './choose.ts'

const none: Sources = { bringers: [], own: [], others: [] }

/**
 * The sources of a change, and the change with the pull request behind it, if one is known. If all commits came with the
 * agent's pull requests, the request ends, no matter who merged them.
 */
export async function findSources(
  change: Change,
  { agentLogin, githubToken }: AgentInputs,
  { github }: AgentPorts,
): Promise<{ change: Change; sources: Sources } | Stop> {
  const { repository, head, commits, number, pullHead, noFiles } = change
  if (number !== null && pullHead !== null) {
    const pull = { number, author: change.author, head: pullHead }
    return { change, sources: { ...none, bringers: [[pull]], others: [pull] } }
  }
  // A pushed tag does not change files.
  if (githubToken === null || noFiles !== null) return { change, sources: none }
  const reply = await github.pullsOf(repository, commits)
  if (!reply.ok) return failToRead('pull-requests', reply.failure)
  const sources = sourcesOf(reply.value.commits, change, agentLogin)
  if (areBroughtBy(sources, sources.own)) return stop('skipped', { kind: 'own-change', login: agentLogin })
  const bringers = sources.bringers[commits.indexOf(head)] ?? []
  const pull = sources.others.find((each) => bringers.includes(each))
  return { change: pull ? addPull(change, pull) : change, sources }
}

/** The change with its pull request. After `workflow_run`, only the pull request has all files. */
function addPull(change: Change, { number, author, head: pullHead }: PullHead): Change {
  const whole = { ...change, number, author: author ?? change.author, pullHead }
  if (change.upstreamRun === null) return whole
  return { ...whole, range: { by: 'pull', number } }
}

/**
 * The documented pull requests of a change. If they and the agent's bring everything, the request ends. A pull request
 * that cannot be read counts as not documented.
 */
export async function findDocs(
  { repository, head, pullHead, noFiles }: Change,
  sources: Sources,
  inputs: AgentInputs,
  ports: AgentPorts,
): Promise<PullDocs[] | Stop> {
  if (inputs.jobId !== null || inputs.githubToken === null) return []
  if (pullHead === head || noFiles !== null) return []
  const docs: PullDocs[] = []
  for (const pull of sources.others) {
    const entries = await entriesOn(pullThread(repository, pull.number), ports)
    if (!entries.ok) {
      ports.log(say.rejected('pulls', repository, entries.failure))
      continue
    }
    // Two steps can document the same push with different prompts, so the other step's job does not count.
    const others = entries.value.filter(({ entry }) => entry.role !== 'link' || entry.code)
    docs.push(...(await docsOf(pull, others, ports)))
  }
  if (!areBroughtBy(sources, [...sources.own, ...docs])) return docs
  const names = docs.flatMap(({ link }) => {
    const thread = pullRequestThread(link, ports.serverUrl)
    return thread === null ? (link ?? []) : threadName(thread)
  })
  return skip({ kind: 'documented', pulls: [...new Set(names)] })
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
