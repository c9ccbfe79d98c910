/** Reads the change behind an event: stops loops, and makes its diff context for the prompt. */
import type { DocumentedChange } from '../core/mark.ts'
import type { Problem } from '../core/problem.ts'
import { type ChangedFile, type ChangedFiles, selectChange, type WantedDiff } from '../core/prompt/diff.ts'
import { readAttributes } from '../core/prompt/generated.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import { oneLine } from '../core/text.ts'
import type { Thread } from '../core/thread.ts'
import { type Change, newChange } from '../core/trigger/change.ts'
import type { ThreadRequest } from '../core/trigger/request.ts'
import type { Reach } from './jobs.ts'
import type { AgentPorts, GitHubPorts, GitHubReply, PullRequest, PullRequestDetails } from './ports.ts'

/** A step that starts nothing. */
export interface ChangeEnded {
  kind: 'ended'
  outcome: 'skipped' | 'error'
  problem: Problem
}

/** A change, after it is read. */
export interface ChangeRead {
  kind: 'change'
  /** null if the diff was not requested. */
  context: ChangeContext | null
  documented: DocumentedChange
}

/** Reads a change, unless the agent caused it or none of its files matter. */
export async function readChange(
  found: Change,
  diff: WantedDiff | null,
  reach: Pick<Reach, 'agentLogin' | 'hasToken'>,
  ports: AgentPorts,
): Promise<ChangeRead | ChangeEnded> {
  if (found.number !== null && found.noFiles !== null)
    return skipped({ type: 'no-change', reason: found.noFiles })
  const source = await findSource(found, diff !== null, reach, ports)
  if (!source.ok) return source.ended
  const change = withFiles(found, source.pull)
  const context = diff && (await readContext(change, diff, ports))
  if (context !== null && 'kind' in context) return context
  const { repository, head } = change
  const number = change.number ?? source.pull?.number ?? null
  const author = source.pull?.author ?? change.author
  return { kind: 'change', context, documented: { repository, head, number, author } }
}

/**
 * A pull request's diff at one commit, which the diff names, for a request on the pull request. People can ask about the
 * agent's own pull request, too, so there is no loop check. If no file counts, a label starts nothing, and a command runs
 * without a diff.
 */
export async function readPullDiff(
  { repository, number }: Pick<Thread, 'repository' | 'number'>,
  request: ThreadRequest,
  diff: WantedDiff,
  reach: Reach,
  ports: AgentPorts,
): Promise<ChangeContext | ChangeEnded> {
  const before = await readHead(repository, number, ports)
  if (!before.ok) return before.ended
  const { headCommit: head, headBranch: branch, author } = before.pull
  const range = { by: 'pull', number } as const
  const change = newChange({ repository, head, branch, range, author, number, pullHead: head })
  const read = await readChange(change, diff, reach, ports)
  if (read.kind === 'ended') {
    const { problem } = read
    if (request.kind === 'label' || problem.type !== 'no-change') return read
    const text = `---\n\nThe pull request's diff at ${head} is not here: ${problem.reason}.`
    return { text, included: [], leftOut: [], size: 0 }
  }
  const after = await readHead(repository, number, ports)
  if (!after.ok) return after.ended
  const context = read.context ?? { text: '', included: [], leftOut: [], size: 0 }
  const moves = [
    ...(request.kind !== 'label' && request.writtenAt !== null && request.writtenAt !== head
      ? [`The ${request.kind} was written at ${oneLine(request.writtenAt, 64)}; the diff is newer.`]
      : []),
    ...(after.pull.headCommit === head
      ? []
      : [
          `While the diff was read, the head moved to ${after.pull.headCommit}, so parts of it may be newer.`,
        ]),
  ]
  return { ...context, text: [context.text, ...moves].join('\n\n') }
}

/** The current state of a pull request. */
async function readHead(
  repository: string,
  number: number,
  { github }: AgentPorts,
): Promise<{ ok: true; pull: PullRequestDetails } | { ok: false; ended: ChangeEnded }> {
  const read = await github.pull(repository, number)
  if (!read.ok) return { ok: false, ended: unread('diff', read.refusal) }
  if (read.value === null) return { ok: false, ended: unread('diff', { status: 404, message: 'Not Found' }) }
  return { ok: true, pull: read.value }
}

/** Completes a change with only a last commit by the files of its pull request. */
function withFiles(change: Change, pull: PullRequest | null): Change {
  if (change.range.by !== 'head') return change
  return pull === null
    ? { ...change, range: { by: 'commit', sha: change.head } }
    : { ...change, range: { by: 'pull', number: pull.number } }
}

/** The pull request behind a push. If it is the agent's, the step ends, no matter who merged it. */
async function findSource(
  change: Change,
  isRead: boolean,
  { agentLogin, hasToken }: Pick<Reach, 'agentLogin' | 'hasToken'>,
  { github, onProgress }: AgentPorts,
): Promise<{ ok: true; pull: PullRequest | null } | { ok: false; ended: ChangeEnded }> {
  const { repository, head, number, noFiles } = change
  // A pushed tag does not change files.
  if (number !== null || !hasToken || noFiles !== null) return { ok: true, pull: null }
  const pulls = await github.pullsOf(repository, head)
  if (!pulls.ok && isRead) return { ok: false, ended: unread('pull-requests', pulls.refusal) }
  if (!pulls.ok) {
    onProgress({ type: 'loop-unchecked', refusal: pulls.refusal })
    return { ok: true, pull: null }
  }
  // Many pull requests may contain the commit. Only one that was opened here and ends with it counts.
  const headed = change.range.by === 'head' ? pullAt(pulls.value, repository, head) : undefined
  // A merged pull request without a known merge commit may be the one: skipping a push is better than a loop.
  const pull =
    pulls.value.find(
      ({ isMerged, mergeCommit }) => mergeCommit === head || (isMerged && mergeCommit === null),
    ) ??
    headed ??
    null
  if (!isBy(agentLogin)(pull)) return { ok: true, pull }
  return (await bringsOthers(change, agentLogin, github))
    ? { ok: true, pull: null }
    : { ok: false, ended: skipped({ type: 'own-change', login: agentLogin }) }
}

/**
 * The only pull request from the repository's own branches whose last commit is `commit`; undefined if there is not
 * exactly one.
 */
export function pullAt(
  pulls: readonly PullRequest[],
  repository: string,
  commit: string,
): PullRequest | undefined {
  const isHere = (name: string | null) => name?.toLowerCase() === repository.toLowerCase()
  const found = pulls.filter((pull) => pull.headCommit === commit && isHere(pull.headRepository))
  return found.length === 1 ? found[0] : undefined
}

/** Whether a push that ends in an agent merge also contains other people's pull requests, as in a merge queue. */
async function bringsOthers(
  { repository, head, commits }: Change,
  login: string,
  github: GitHubPorts,
): Promise<boolean> {
  for (const commit of commits.filter((each) => each !== head)) {
    const pulls = await github.pullsOf(repository, commit)
    if (pulls.ok && pulls.value.length > 0 && !pulls.value.some(isBy(login))) return true
  }
  return false
}

/** Reads a change's files and selects those for the prompt. `pick` filters them first. */
export async function readContext(
  change: Change,
  { paths, limit }: WantedDiff,
  { github, matches, onProgress }: AgentPorts,
  pick = (files: readonly ChangedFile[]) => files,
): Promise<ChangeContext | ChangeEnded> {
  if (change.noFiles !== null) return skipped({ type: 'no-change', reason: change.noFiles })
  const read = await readFiles(change, github)
  if (!read.ok) return unread('diff', read.refusal)
  const listed = { ...read.value, files: pick(read.value.files) }
  const attributes = await github.file(change.repository, '.gitattributes', change.head)
  // Optional: file names reveal most generated files, and the token may only have access to pull requests.
  const lines = attributes.ok && attributes.value !== null ? readAttributes(attributes.value) : []
  if (listed.isCut) onProgress({ type: 'files-cut', listed: read.value.files.length })
  const selection = selectChange(change, listed, { paths, attributes: lines, matches, limit })
  return selection.ok ? selection.context : skipped({ type: 'no-change', reason: selection.reason })
}

/** The files of a change. If GitHub cuts a long comparison, the trees of its commits provide the other names. */
async function readFiles(
  { repository, range }: Change,
  github: GitHubPorts,
): Promise<GitHubReply<ChangedFiles>> {
  const files = await github.changedFiles(repository, range)
  if (!files.ok || !files.value.isCut || range.by !== 'compare') return files
  const { mergeBase = range.base, ...listed } = files.value
  const paths = await github.changedPaths(repository, mergeBase, range.head)
  if (!paths.ok) return { ok: true, value: listed }
  const known = new Set(listed.files.flatMap(({ path, previousPath }) => [path, previousPath]))
  const others = paths.value.items.filter((path) => !known.has(path))
  return { ok: true, value: { ...listed, isCut: paths.value.isCut, others } }
}

/** Whether the account with this login is the author; case is ignored. */
export function isBy(login: string) {
  return (pull: Pick<PullRequest, 'author'> | null) => pull?.author?.toLowerCase() === login.toLowerCase()
}

/** A step that is skipped for a problem. */
export function skipped(problem: Problem): ChangeEnded {
  return { kind: 'ended', outcome: 'skipped', problem }
}

/** A step that ends because GitHub did not show a part of the change. */
export function unread(
  reading: Extract<Problem, { type: 'change-unread' }>['reading'],
  refusal: Extract<Problem, { type: 'change-unread' }>['refusal'],
): ChangeEnded {
  return { kind: 'ended', outcome: 'error', problem: { type: 'change-unread', reading, refusal } }
}
