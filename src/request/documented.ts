/** One documentation pull request for one change: finds out who brought it, and what is documented already. */
import { replyWith } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import type { Job } from '../core/job.ts'
import { failToRead, skip, stop } from '../core/outcome.ts'
import type { PullDocs } from '../core/prompt/context.ts'
import { isSameName } from '../core/text.ts'
import { nameOf, pullOfLink, pullThread } from '../core/thread.ts'
import type { Change } from '../core/trigger/change.ts'
import { isGone, outcomeOfJob } from '../mintlify/jobs.ts'
import type { AgentPorts, GitHubPorts, PullFacts } from '../ports.ts'
import { inOrder } from '../record/comments.ts'
import type { MarkedComment } from '../record/format.ts'
import { ofProject } from '../record/lists.ts'
import { followCode } from '../run/merge.ts'
import { readEntries } from '../run/pull.ts'
import { readLinkedPull } from './choose.ts'

/** Ends the request for merged code that is not on the default branch: the pull request that takes it there has it, too. */
export async function checkMerge(change: Change, ports: AgentPorts) {
  const { repository, number, branch: base, head: mergeCommit, commits, defaultBranch } = change
  if (number === null || commits.length === 0) return null
  // The event is the merge, so nothing older contains it.
  const code = await followCode(
    repository,
    { number, state: 'merged', base, mergeCommit, closedAt: 0 },
    ports,
  )
  if (!code.ok) return failToRead('pull-requests', code.failure)
  if (code.value.state === 'merged') return null
  return skip({ kind: 'stacked', into: base, branch: defaultBranch })
}

/** The branch that got commits. */
interface Target {
  branch: string
  /** The last commit. */
  head: string
  /** The run that a `workflow_run` follows. */
  upstreamRun?: number | null
}

/** Where commits come from. */
type Sources = ReturnType<typeof sourcesOf>

/**
 * Finds out where commits come from.
 * @param pulls the pull requests that contain each commit
 * @param stacked merged pull requests that the commits contain, even if a squash hides it
 */
export function sourcesOf(
  pulls: readonly PullFacts[][],
  target: Target,
  agentLogin: string,
  stacked: PullFacts[] = [],
) {
  const bringers = pulls.map((each) => bringersOf(each, target))
  const merged = [...pulls.flat(), ...stacked].filter(isMerged)
  const all = new Map([...merged, ...bringers.flat()].map((pull) => [pull.number, pull]))
  const { own = [], others = [] } = Object.groupBy(all.values(), ({ author }) =>
    isSameName(author, agentLogin) ? 'own' : 'others',
  )
  return {
    /** For each commit, the pull requests that brought it to the branch; none if someone pushed it directly. */
    bringers,
    /** The agent's pull requests that contain one of the commits, even if they brought it to another branch. */
    own,
    /** Those of others. */
    others,
    /** Whether every commit came to the branch with some of these pull requests, and with no other. */
    areFrom(some: readonly { number: number }[]) {
      const numbers = some.map(({ number }) => number)
      const isFrom = (each: PullFacts[]) =>
        each.length > 0 && each.every(({ number }) => numbers.includes(number))
      return bringers.length > 0 && bringers.every(isFrom)
    },
  }
}

/** Whether a pull request is merged into its base, which can be any branch. */
const isMerged = ({ state }: PullFacts) => state === 'merged'

/**
 * The pull requests that brought a commit to a branch. One that was merged into another branch did not, even if it
 * contains the commit: later, someone merged or pushed that branch. The commit of an upstream run can also be the last
 * one of a pull request in this repository, if there is only one.
 */
function bringersOf(pulls: PullFacts[], { branch, head, upstreamRun }: Target) {
  const merged = pulls.filter((pull) => isMerged(pull) && pull.base === branch)
  if (merged.length > 0 || !upstreamRun) return merged
  const tips = pulls.filter((pull) => pull.head === head && !pull.isFork)
  return tips.length === 1 ? tips : []
}

/** The sources of a change, also those that a squash hides. */
export async function readSources(change: Change, agentLogin: string, github: GitHubPorts) {
  const { repository, commits } = change
  const reply = await github.pullsOf(repository, commits)
  if (!reply.ok) return reply
  const pulls = reply.value
  const { bringers } = sourcesOf(pulls, change, agentLogin)
  const others = bringers.flat().filter(({ author, isFork }) => !isFork && !isSameName(author, agentLogin))
  const branches = new Set(others.map(({ branch }) => branch))
  const below = branches.size === 0 ? null : await github.pullsOn(repository, 'baseRefName', ...branches)
  const stacked = below?.ok ? below.value : []
  return replyWith(sourcesOf(pulls, change, agentLogin, stacked))
}

/**
 * The sources of a change, and the change with the pull request behind it, if one is known. If all commits came with the
 * agent's pull requests, the request ends, no matter who merged them.
 */
export async function findSources(event: Change, { agentLogin }: AgentInputs, { github }: AgentPorts) {
  const reply = await readSources(event, agentLogin, github)
  if (!reply.ok) return failToRead('pull-requests', reply.failure)
  const sources = reply.value
  if (sources.areFrom(sources.own)) return stop('skipped', { kind: 'own-change', login: agentLogin })
  const bringers = sources.bringers[event.commits.indexOf(event.head)] ?? []
  const pull = bringers.find(({ author }) => !isSameName(author, agentLogin))
  const change = pull === undefined ? event : addPull(event, pull)
  return { change, sources }
}

/** The change with its pull request. After `workflow_run`, only the pull request has all files. */
function addPull(change: Change, pull: PullFacts): Change {
  const { number, author, isByBot } = pull
  const whole = { ...change, number, isOpen: !isMerged(pull), ...(author !== null && { author, isByBot }) }
  if (change.upstreamRun === null) return whole
  return { ...whole, range: { by: 'pull', number } }
}

/**
 * The documented pull requests of a change. If they and the agent's bring everything, the request ends. A pull request
 * that cannot be read counts as not documented.
 */
export async function findDocs(change: Change, sources: Sources, inputs: AgentInputs, ports: AgentPorts) {
  // With `job-id`, someone chose the job. An open pull request has just changed.
  if (inputs.jobId !== null || change.isOpen) return []
  const docs: PullDocs[] = []
  for (const pull of sources.others) {
    const entries = await readEntries(pullThread(change, pull.number), ports, 'read')
    if (entries === null) continue
    // Two steps can document the same push with different prompts, so the other step's job does not count.
    const others = entries.filter(({ entry }) => entry.role !== 'link' || entry.code)
    docs.push(...(await docsOf(pull, others, ports)))
  }
  if (!sources.areFrom([...sources.own, ...docs])) return docs
  const names = docs.flatMap(({ link }) => {
    const pull = pullOfLink(link, ports.serverUrl)
    return pull === null ? (link ?? []) : nameOf(pull)
  })
  return skip({ kind: 'documented', pulls: [...new Set(names)] })
}

/**
 * The docs of a merged pull request if the last job on its thread got its last commit, and needs no successor; otherwise
 * none. A job that cannot be polled counts as active.
 * @param entries the entries on the thread
 */
export async function docsOf(
  { number, head }: PullFacts,
  entries: readonly MarkedComment[],
  ports: AgentPorts,
) {
  const jobs = inOrder(ofProject(entries, ports)).filter(
    ({ isSigned, entry: { role, job } }) => isSigned && role !== 'pull' && job !== null,
  )
  const last = jobs.at(-1)?.entry
  if (!last?.job) return []
  // A `link` without `code` is about a push, which brought the last commit.
  const isComplete = ({ entry: { job, role, code } }: MarkedComment) =>
    job === last.job && (code ? code.head === head : role === 'link')
  if (!jobs.some(isComplete)) return []
  const poll = await ports.mintlify.readConfirmedJob(last.job)
  if (isGone(poll)) return []
  const link = (poll.ok && poll.value.link) || last.link
  if (poll.ok && !(await isStillGood({ ...poll.value, link }, ports))) return []
  return [{ number, link }]
}

/** Whether a job is active, changed nothing, or has a pull request that is open, merged, or unreadable. */
async function isStillGood(job: Job, ports: AgentPorts) {
  const outcome = outcomeOfJob(job)
  if (outcome === undefined) return true
  if (job.link === null) return outcome === 'no-changes'
  const pull = await readLinkedPull(job.link, ports)
  return pull?.state !== 'closed'
}
