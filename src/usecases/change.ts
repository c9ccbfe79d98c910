/** From an event to what is to be done about it: loops end here, the diff is read, and a pile of pull requests stops growing. */

import type { AgentInputs } from '../core/inputs/inputs.ts'
import type { DocumentedChange, Marker } from '../core/marker.ts'
import type { Problem } from '../core/problem.ts'
import { selectChange } from '../core/prompt/diff.ts'
import { type MatchesGlob, readAttributes } from '../core/prompt/generated.ts'
import type { ChangeContext } from '../core/prompt/prompt.ts'
import type { Change } from '../core/trigger/change.ts'
import { type CommentPorts, findMarkers, jobToContinue } from './comments.ts'
import type { PullRequest, Repositories } from './ports.ts'

export interface ChangePorts extends CommentPorts {
  github: CommentPorts['github'] & Repositories
  matches: MatchesGlob
}

type Ended = { kind: 'ended'; outcome: 'skipped' | 'error'; problem: Problem }

export type Prepared =
  | Ended
  | {
      kind: 'go'
      inputs: AgentInputs
      context: ChangeContext | null
      /** What the agent's pull request will document; null where the event has no change. */
      documented: DocumentedChange | null
    }

/**
 * Whether there is anything to do for an event, and with what.
 * @param change the event's change; null if it has none
 * @param eventName GitHub's name of the event
 * @param repository `owner/name` of the repository that the workflow runs in
 */
export async function prepareChange(
  inputs: AgentInputs,
  change: Change | null,
  eventName: string,
  repository: string,
  ports: ChangePorts,
): Promise<Prepared> {
  const read =
    change === null ? noChange(inputs, eventName, ports) : await readChangeOf(change, inputs, ports)
  if (read.kind === 'ended') return read
  const room = await findRoom(inputs, repository, read.documented, ports)
  if ('kind' in room) return room
  // A step that only waits adds no context.
  return room.prompt === '' && room.promptFile === ''
    ? { ...read, inputs: room, context: null }
    : { ...read, inputs: room }
}

type Read = Ended | Omit<Extract<Prepared, { kind: 'go' }>, 'inputs'>

function noChange({ contextDiff }: AgentInputs, event: string, { onProgress }: ChangePorts): Read {
  if (contextDiff) onProgress({ type: 'no-change-event', event })
  return { kind: 'go', context: null, documented: null }
}

async function readChangeOf(found: Change, inputs: AgentInputs, ports: ChangePorts): Promise<Read> {
  const source = await findSource(found, inputs, ports)
  if (!source.ok) return source.ended
  const change = withFiles(found, source.pull)
  const context = inputs.contextDiff ? await readContext(change, inputs, ports) : null
  if (context !== null && 'kind' in context) return context
  const { repository, head } = change
  const number = change.number ?? source.pull?.number ?? null
  const author = source.pull?.author ?? change.author
  return { kind: 'go', context, documented: { repository, head, number, author } }
}

/** A change of which only the last commit is known, with the files of its pull request. */
function withFiles(change: Change, pull: PullRequest | null): Change {
  if (change.range.by !== 'head') return change
  return pull === null
    ? { ...change, range: { by: 'commit', sha: change.head } }
    : { ...change, range: { by: 'pull', number: pull.number } }
}

/** The pull request that a push came by. One of the agent's own ends the step, whoever merged it. */
async function findSource(
  change: Change,
  { agentLogin, contextDiff, githubToken }: AgentInputs,
  { github, onProgress }: ChangePorts,
): Promise<{ ok: true; pull: PullRequest | null } | { ok: false; ended: Ended }> {
  const { repository, head, number, without } = change
  // A tag is no way for a change to come.
  if (number !== null || githubToken === '' || without !== null) return { ok: true, pull: null }
  const pulls = await github.pullsOf(repository, head)
  if (!pulls.ok && contextDiff) return { ok: false, ended: unread('pull-requests', pulls.refusal) }
  if (!pulls.ok) {
    onProgress({ type: 'loop-unchecked', refusal: pulls.refusal })
    return { ok: true, pull: null }
  }
  const isOnly = change.range.by === 'head' && pulls.value.length === 1
  const pull = pulls.value.find(({ mergeCommit }) => mergeCommit === head || isOnly) ?? null
  if (!isBy(agentLogin)(pull)) return { ok: true, pull }
  return (await bringsOthers(change, agentLogin, github))
    ? { ok: true, pull: null }
    : { ok: false, ended: skipped({ type: 'own-change', login: agentLogin }) }
}

/** Whether a push that ends in a merge of the agent's brings pull requests of others as well, as a merge queue's may. */
async function bringsOthers(
  { repository, head, commits }: Change,
  login: string,
  github: Repositories,
): Promise<boolean> {
  for (const commit of commits.filter((each) => each !== head)) {
    const pulls = await github.pullsOf(repository, commit)
    if (pulls.ok && pulls.value.length > 0 && !pulls.value.some(isBy(login))) return true
  }
  return false
}

async function readContext(
  change: Change,
  { contextPaths, contextLimit: limit }: AgentInputs,
  { github, matches }: ChangePorts,
): Promise<ChangeContext | Ended> {
  if (change.without !== null) return skipped({ type: 'no-change', reason: change.without })
  const files = await github.changedFiles(change.repository, change.range)
  if (!files.ok) return unread('diff', files.refusal)
  const attributes = await github.file(change.repository, '.gitattributes', change.head)
  // It only says what else is generated: names tell of most, and a token may be let at pull requests alone.
  const lines = attributes.ok && attributes.value !== null ? readAttributes(attributes.value) : []
  const selection = selectChange(change, files.value, {
    paths: contextPaths,
    attributes: lines,
    matches,
    limit,
  })
  return selection.ok ? selection.context : skipped({ type: 'no-change', reason: selection.reason })
}

/** The inputs to go on with: as they are below the limit; at it, with the job behind an open pull request, or not at all. */
async function findRoom(
  inputs: AgentInputs,
  repository: string,
  documented: DocumentedChange | null,
  ports: ChangePorts,
): Promise<AgentInputs | Ended> {
  const { openLimit: limit } = inputs
  // A job that the input names is gone on with, however many pull requests are open.
  if (limit === null || inputs.jobId !== '') return inputs
  const open = await ports.github.openPulls(repository)
  if (!open.ok) return unread('open-pull-requests', open.refusal)
  const own = open.value.filter(isBy(inputs.agentLogin))
  if (own.length < limit) return inputs
  const full = { type: 'open-limit', limit, links: own.map(({ url }) => url) } as const
  if (inputs.onOpenLimit === 'skip') return skipped({ ...full, jobless: false })
  for (const { number } of own) {
    const thread = { repository, number, isPullRequest: true, reviewRoot: null }
    const markers = await findMarkers(thread, ports)
    if (!markers.ok) return unread('open-pull-requests', markers.refusal)
    const last = markers.value.at(-1)
    const jobId = last === undefined ? '' : await jobToContinue(last.marker, inputs, ports)
    if (jobId === '') continue
    // A re-run: the job has got this change, and is waited for again.
    const isKnown = markers.value.some(({ marker }) => hasChange(marker, jobId, documented))
    return isKnown ? { ...inputs, jobId, prompt: '', promptFile: '', contextFiles: [] } : { ...inputs, jobId }
  }
  return skipped({ ...full, jobless: true })
}

function hasChange({ job, changes = [] }: Marker, jobId: string, change: DocumentedChange | null): boolean {
  return job === jobId && changes.some(({ head }) => head === change?.head)
}

function isBy(login: string) {
  return (pull: PullRequest | null) => pull?.author?.toLowerCase() === login.toLowerCase()
}

function skipped(problem: Problem): Ended {
  return { kind: 'ended', outcome: 'skipped', problem }
}

function unread(
  reading: Extract<Problem, { type: 'change-unread' }>['reading'],
  refusal: Extract<Problem, { type: 'change-unread' }>['refusal'],
): Ended {
  return { kind: 'ended', outcome: 'error', problem: { type: 'change-unread', reading, refusal } }
}
