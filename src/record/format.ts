/**
 * How an entry is written in a comment and in a commit status. The signature covers the statement and its place, so no one
 * else can make one, and a copy in another place has no effect.
 */
import * as z from 'zod/mini'
import { codePull } from '../core/hold.ts'
import { fingerprint, readMark, type Sign, type StepName, stepName, writeMark } from '../core/mark.ts'
import { cut, oneLine } from '../core/text.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { minuteMs } from '../core/units.ts'
import type { AgentPorts, FoundComment, FoundStatus, RunIdentity } from '../ports.ts'
import { type FoundEntry, isAtRest, statement, states } from './entry.ts'

/** The writers of a run's attempts, up to this one: the step in each attempt. */
export function writersOf({ id, attempt, step }: RunIdentity) {
  const nameOf = (number: number) => fingerprint(JSON.stringify([id, number, stepName(step)])).slice(0, 5)
  const before = Array.from({ length: attempt - 1 }, (_, index) => nameOf(index + 1))
  return { writer: nameOf(attempt), before }
}

// In a comment

/** The order of the fields is part of the format. They have no names, because people see a comment's source in mail. */
const schema = z.object({
  /**
   * What the comment is for. `request`: the reply to a request. `pull` introduces the agent's pull request, and `link`
   * links to it. `notice`: a one-time message; `request` identifies which.
   */
  role: z.enum(['request', 'pull', 'link', 'notice']),
  /** What started the request, such as `comment:<id>` or `run:<id>`. */
  request: z.string(),
  /** The step of a workflow; see `stepName`. */
  step: z.string(),
  /** A short name of the project. */
  project: z.string(),
  ...statement.shape,
  /** Login of the requester; null if no one asked on this thread. */
  by: z.nullable(z.string()),
  /** The pull request with the code; null if the request is not about one. */
  code: z.nullable(codePull),
  /** See `globsName`. */
  globs: z.nullable(z.string()),
  /** A short hash of the comment's words. */
  words: z.string(),
})

const fields = Object.keys(schema.shape)

/** An entry in a comment. */
export type CommentEntry = Omit<z.infer<typeof schema>, 'words'>

/** The parts of a request that identify a comment about it. */
export type Names = Pick<CommentEntry, 'request' | 'step' | 'project'>

/** A comment, and its entry. */
export interface EntryComment extends FoundEntry<CommentEntry>, Omit<FoundComment, 'author' | 'body'> {
  /** What people read in it. */
  words: string
  /** Whether the words are still the action's. */
  isIntact: boolean
}

/** A comment with an entry at its end. */
export function writeComment(words: string, entry: CommentEntry, thread: Thread, sign: Sign) {
  const values = Object.values(schema.parse({ ...entry, words: hashOf(words) }))
  return `${words}\n\n${writeMark('docs-agent', values, threadName(thread), sign)}`
}

/** A comment with its entry; null if there is none. */
export function readComment(comment: Omit<FoundComment, 'author'>, sign: Sign): EntryComment | null {
  const { body, ...place } = comment
  const mark = readMark('docs-agent', body, threadName(place.thread), sign)
  if (!Array.isArray(mark?.value)) return null
  const values = mark.value.map((value, index) => [fields[index] ?? index, value])
  const content = schema.safeParse(Object.fromEntries(values))
  if (!content.success) return null
  const { words: hash, ...entry } = content.data
  const { words, isSigned } = mark
  return { ...place, entry, isSigned, words, isIntact: hash === hashOf(words) }
}

/** GitHub and people's editors may change line endings and the space around a comment's words. */
function hashOf(words: string) {
  return fingerprint(words.replaceAll('\r\n', '\n').trim())
}

// In a commit status

const follows = ['commit', 'branch', 'nothing', 'merge', 'release'] as const

const statusEntry = z.object({
  ...statement.shape,
  /** `GITHUB_RUN_ID` of the run that made the request; for `workflow_run`, of the upstream run. */
  run: z.string(),
  /**
   * What a request's docs are about. `branch`: everything new on the default branch up to the commit. `nothing`: the
   * commit only holds the entry. `merge` and `release`: the commit, and the agent's pull request waits until that code is
   * merged or released.
   */
  follows: z.enum(follows),
  /** The number of the change's pull request; null if there is none. */
  number: z.nullable(z.int()),
  /** See `globsName`. */
  globs: z.nullable(z.string()),
  /** Whether another request of the step was open on the commit: this status may hide it. */
  hides: z.boolean(),
})

/** An entry in a status. */
export type StatusEntry = z.infer<typeof statusEntry>

/** A status, and its entry. */
export type EntryStatus = FoundStatus & FoundEntry<StatusEntry>

type Target = Pick<FoundStatus, 'commit' | 'context' | 'targetUrl'>
type Owner = Pick<AgentPorts, 'run' | 'sign'>

/** A description: words for people, then the entry. The link is not part of it: it is the status's target. */
export function writeStatus(words: string, entry: StatusEntry, target: Target, owner: Owner) {
  let tail = tailOf(entry, target, owner)
  // GitHub allows 140 characters, and 20 are for the words.
  if (tail.length > 120) tail = tailOf(withoutJob(entry), target, owner)
  return `${cut(oneLine(words), 140 - tail.length)}${tail}`
}

/** For a job whose id is too long. The entry stays open: a re-run then sends nothing, instead of sending twice. */
function withoutJob(entry: StatusEntry): StatusEntry {
  return { ...entry, state: isAtRest(entry.state) ? entry.state : 'open', job: null }
}

/** The end of a description. A copy on another commit, step or project has no effect. */
function tailOf(entry: StatusEntry, { commit, context, targetUrl }: Target, { run, sign }: Owner) {
  const { job, since, until } = entry
  const { project } = run.step
  const minutes = [since, until - since].map((time) => Math.max(0, Math.ceil(time / minuteMs)))
  const numbers = [
    states.indexOf(entry.state),
    follows.indexOf(entry.follows),
    Number(entry.isLeft),
    Number(entry.hides),
    entry.attempt,
    ...minutes,
    entry.number ?? 0,
  ]
  const digits = numbers.map((number) => (number === 0 ? '' : number.toString(36)))
  const fields = [entry.writer, entry.globs, shortName(project), ...digits].join('.')
  const jobPart = job === null ? '' : ` · job ${job}`
  const tail = `${jobPart} · run ${entry.run} · ${fields}`
  const content = ['status', run.repository.toLowerCase(), commit, context, project, targetUrl, tail]
  // 72 bits of an HMAC.
  return tail + sign(JSON.stringify(content)).slice(0, 12)
}

/** Distinguishes projects whose steps have the same name, as in a reusable workflow that is called twice. */
const shortName = (project: string) => fingerprint(project).slice(0, 4)

const shape = /(?: · job (\S+))? · run (\d{1,20}) · ([0-9a-z.]{1,80})[A-Za-z0-9_-]{12}$/

/** A status with its entry; null if there is none of this project. */
export function readStatus(status: FoundStatus, owner: Owner): EntryStatus | null {
  const [tail, job = null, run, fields = ''] = shape.exec(status.description) ?? []
  const [writer, globs, project, ...digits] = fields.split('.')
  if (project !== shortName(owner.run.step.project)) return null
  const numbers = digits.map((number) => Number.parseInt(number || '0', 36))
  const [at = 0, about = 0, isLeft, hides, attempt, begin = 0, length = 0, number] = numbers
  const state = states[at]
  const since = begin * minuteMs
  // Any other target of an end is the run's page.
  const isLinked =
    state !== undefined && isAtRest(state) && !/^$|\/actions\/runs\/\d+$/.test(status.targetUrl)
  const content = statusEntry.safeParse({
    attempt,
    writer,
    state,
    job,
    link: isLinked ? status.targetUrl : null,
    since,
    until: since + length * minuteMs,
    isLeft: isLeft === 1,
    run,
    follows: follows[about],
    number: number || null,
    globs: globs || null,
    hides: hides === 1,
  })
  if (!content.success) return null
  const entry = content.data
  if (entry.state === 'job' && job === null) return null
  return { ...status, entry, isSigned: tail === tailOf(entry, status, owner) }
}

/** The context of a step's statuses, which people read beside a commit. @param event its name; a push is not named */
export function statusContext({ workflow, job, step, matrixIndex }: StepName, event: string) {
  // In a job without a matrix, the index is also 0.
  const leg = Number(matrixIndex) === 0 ? '' : ` (${matrixIndex})`
  const suffix = event === 'push' ? '' : ` (${event})`
  const name = `${workflow} / ${job} / ${step}${leg}${suffix}`
  const context = `Docs agent / ${oneLine(name, 1000)}`
  if (context.length <= 200) return context
  // Names that differ only after the cut must not share a context.
  const end = ` ${fingerprint(name)}`
  return `${cut(context, 200 - end.length)}${end}`
}

/** The first of the step's contexts. The others are for requests on the same commit at the same time. */
export function firstContext(context: string) {
  return context.replace(/ · \d{1,3}$/, '')
}
