/** Reads what a request is about: the change, without loops, and text from outside as people see it on GitHub. */
import { replyWith } from '../core/http.ts'
import type { AgentInputs } from '../core/inputs/schema.ts'
import { failToRead, skip } from '../core/outcome.ts'
import { readAttributes } from '../core/prompt/attributes.ts'
import { addDocs } from '../core/prompt/context.ts'
import { type DiffRules, selectChange, unlistedFile } from '../core/prompt/diff.ts'
import { isSameName } from '../core/text.ts'
import { type Change, newChange } from '../core/trigger/change.ts'
import type { ThreadTrigger } from '../core/trigger/request.ts'
import type { AgentPorts, GitHubPorts, PullRequest } from '../ports.ts'
import { say } from '../say/messages.ts'
import { skipText } from '../say/problems.ts'
import { checkMerge, findDocs, findSources } from './documented.ts'

/** Which parts of a diff the prompt gets; null if it gets none. */
export function diffRules({ contextDiff, contextPaths, githubToken }: AgentInputs) {
  if (contextDiff === false || githubToken === null) return null
  return { paths: contextPaths }
}

/**
 * Reads a change, unless it needs no job or `context-paths` leaves out all of its files. Returns the change with its pull
 * request, if it has one. The context also lists what needs no other job; null if there is nothing to show or list.
 */
export async function readChange(event: Change, inputs: AgentInputs, ports: AgentPorts) {
  if (inputs.githubToken === null) return { change: event, context: null }
  const unmerged = await checkMerge(event, ports)
  if (unmerged !== null) return unmerged
  const origin = await findSources(event, inputs, ports)
  if ('kind' in origin) return origin
  const { change, sources } = origin
  const docs = await findDocs(change, sources, inputs, ports)
  if ('kind' in docs) return docs
  const rules = diffRules(inputs)
  const context = rules && (await readDiff(change, rules, true, ports))
  if (context !== null && 'kind' in context) return context
  return { change, context: addDocs(context, docs, sources.own) }
}

/**
 * The diff; null if no file can be shown.
 * @param mustMatch whether the request ends if `context-paths` matches no file
 */
async function readDiff(change: Change, rules: DiffRules, mustMatch: boolean, ports: AgentPorts) {
  const context = await readContext(change, rules, ports)
  if (!('kind' in context) || context.kind === 'stop') return context
  if (mustMatch && context.kind === 'no-match') return skip(context)
  ports.log(say.noDiff(skipText(context)))
  return null
}

/**
 * A pull request's diff, for a request on the pull request. The diff names its commit. There is no loop check, because
 * people can also ask about the agent's own pull request. If `context-paths` matches no file, a label starts nothing.
 * A command runs without a diff.
 */
export function readPullDiff(
  { thread, request }: ThreadTrigger,
  { head, branch }: PullRequest,
  rules: DiffRules,
  ports: AgentPorts,
) {
  const { repository, repositoryId, number } = thread
  const change = newChange({ repository, repositoryId, head, branch, range: { by: 'pull', number } })
  return readDiff(change, rules, request.kind === 'label', ports)
}

/** Reads a change's files and selects those for the prompt. */
export async function readContext(change: Change, rules: DiffRules, { github, log }: AgentPorts) {
  if (change.isTag) return { kind: 'tag' as const }
  const files = await readFiles(change, github)
  if (!files.ok) return failToRead('diff', files.failure)
  // This read is optional: file names reveal most generated files, and the token may only have access to pull requests.
  const attributes = await github.attributesFiles(change.repository, change.head, files.value.files)
  if (files.value.isCut) log(say.filesCut(files.value.files.length))
  return selectChange(change, files.value, rules, readAttributes(attributes.ok ? attributes.value : []))
}

/** The files of a change. If GitHub lists only some, or none, the trees of two commits provide the other names. */
async function readFiles({ repository, range }: Change, github: GitHubPorts) {
  const reply = await github.changedFiles(repository, range)
  if (!reply.ok || reply.value.ends === undefined) return reply
  const { files, ends } = reply.value
  const paths = await github.changedPaths(repository, ends.base, ends.head)
  if (!paths.ok) return files.length === 0 ? paths : reply
  const { items, isCut } = paths.value
  const names = new Set(files.flatMap(({ path, previousPath }) => [path, previousPath]))
  const others = items.filter((path) => !names.has(path)).map(unlistedFile)
  return replyWith({ files: [...files, ...others], isCut })
}

/** The text that people see if GitHub shows Markdown in the repository. Nothing is sent if GitHub does not render it. */
export async function readVisible(markdown: string, { github, run }: AgentPorts) {
  if (markdown.trim() === '') return { text: '', leftOut: [] }
  const html = await github.render(run.repository, markdown)
  if (!html.ok) return failToRead('text', html.failure)
  // The HTML parser is large, and most steps have no such text.
  const { visibleText } = await import('../core/prompt/visible.ts')
  return visibleText(html.value)
}

/**
 * The code's pull request for a command or label, with the commit that the agent gets.
 * @param pull the thread's pull request; null if there is none, or if the command has neither a diff nor a hold
 */
export function codeOfThread(
  inputs: AgentInputs,
  { thread, openedBy }: ThreadTrigger,
  pull: PullRequest | null,
  ports: AgentPorts,
) {
  // The agent's own pull request already has its hold, if any.
  if (isSameName(openedBy, inputs.agentLogin)) return null
  const mustWait = pull?.state === 'open' || (inputs.hold === 'release' && pull?.state === 'merged')
  // This also logs that a hold is ignored, so it comes before the return.
  const hold = holdOn(mustWait && !pull.isFork, inputs, ports)
  if (pull === null) return null
  const { repository, repositoryId, number } = thread
  return { repository, repositoryId, number, head: pull.head, hold }
}

/** The code's pull request; null if the event is not about an open one. An event `workflow_run` cannot have a hold. */
export function codeOfChange(change: Change | null, inputs: AgentInputs, ports: AgentPorts) {
  const isOpen = change?.isOpen === true
  const hold = holdOn(isOpen && change.upstreamRun === null, inputs, ports)
  if (!isOpen || change.number === null) return null
  const { repository, repositoryId, number, head } = change
  return { repository, repositoryId, number, head, hold }
}

/** The hold on code; null if none is wanted, or if this code cannot have one, which is logged. */
function holdOn(canHold: boolean, { hold }: AgentInputs, { log }: AgentPorts) {
  if (hold === null || canHold) return hold
  log(say.holdIgnored())
  return null
}
