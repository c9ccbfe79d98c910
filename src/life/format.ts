/**
 * How an entry is written in a comment and in a commit status. The signature covers the statement and its place, so no one
 * else can make one, and a copy in another place has no effect.
 */
import * as z from 'zod/mini'
import { codePull } from '../core/hold.ts'
import { pathSegment } from '../core/job/job.ts'
import { fingerprint, readMark, type Sign, type StepName, stepName, writeMark } from '../core/mark.ts'
import { cut, oneLine } from '../core/text.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { minuteMs } from '../core/units.ts'
import type { FoundComment, FoundStatus, RunIdentity } from '../usecases/ports.ts'
import { type Found, isAtRest, type Statement, statement, states } from './entry.ts'
import type { Self } from './next.ts'

/** The writers of a run's attempts, up to this one: the step in each attempt. */
export function writersOf({ id, attempt, step }: RunIdentity): Self {
  const names = Array.from({ length: attempt }, (_, index) =>
    fingerprint(JSON.stringify([id, index + 1, stepName(step)])).slice(0, 5),
  )
  return { writer: names.at(-1) ?? '', before: names.slice(0, -1) }
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
  /** See `recordedGlobs`. */
  globs: z.nullable(z.string()),
  /** A short hash of the comment's words. */
  words: z.string(),
})

const fields = Object.keys(schema.shape) as (keyof typeof schema.shape)[]

/** An entry in a comment. */
export type CommentEntry = Omit<z.infer<typeof schema>, 'words'>

/** The parts of a request that identify a comment about it. */
export type Names = Pick<CommentEntry, 'request' | 'step' | 'project'>

/** An entry, and the comment in which it was found. */
export interface FoundEntry extends Found<CommentEntry>, Omit<FoundComment, 'id' | 'body' | 'author'> {
  words: string
  /** Whether the words are still the action's. */
  isIntact: boolean
}

/** A comment with an entry at its end. */
export function writeComment(words: string, entry: CommentEntry, thread: Thread, sign: Sign): string {
  const checked = schema.parse({ ...entry, words: hashOf(words) })
  const values = fields.map((name) => checked[name])
  return `${words}\n\n${writeMark('docs-agent', values, threadName(thread), sign)}`
}

/** The entry in a comment; null if there is none. */
export function readComment(comment: Omit<FoundComment, 'author'>, sign: Sign): FoundEntry | null {
  const { body, ...place } = comment
  const mark = readMark('docs-agent', body, threadName(place.thread), sign)
  if (!Array.isArray(mark?.value)) return null
  const read = schema.safeParse(Object.fromEntries(mark.value.map((value, at) => [fields[at] ?? at, value])))
  if (!read.success) return null
  const { words: hash, ...entry } = read.data
  const { words, isSigned } = mark
  return { ...place, entry, isSigned, words, isIntact: hash === hashOf(words) }
}

/** GitHub and people's editors may change line endings and the space around a comment's words. */
function hashOf(words: string): string {
  return fingerprint(words.replaceAll('\r\n', '\n').trim())
}

// In a commit status

/**
 * What a request's docs are about. `branch`: everything new on the default branch up to the commit. `nothing`: the
 * commit only holds the entry. `merge` and `release`: the commit, and the agent's pull request waits until that code is
 * merged or released.
 */
export type Follows = (typeof follows)[number]
const follows = ['commit', 'branch', 'nothing', 'merge', 'release'] as const

/** An entry in a status. */
export interface StatusEntry extends Statement {
  /** `GITHUB_RUN_ID` of the run that made the request; for `workflow_run`, of the upstream run. */
  run: string
  follows: Follows
  /** The number of the change's pull request; null if there is none. */
  number: number | null
  /** See `recordedGlobs`. */
  globs: string | null
  /** Whether another request of the step was open on the commit: this status may hide it. */
  hides: boolean
}

/** A status, and its entry. */
export type EntryStatus = FoundStatus & Found<StatusEntry>

/** The place and the owner of a status. A copy on another commit, step or project has no effect. */
export interface StatusPlace extends Pick<FoundStatus, 'commit' | 'context' | 'targetUrl'> {
  /** `owner/name`. */
  repository: string
  project: string
}

/** GitHub's limit on a description, in characters. */
const descriptionLimit = 140
/** Minimum number of characters for the words of a description. */
const minWords = 20
/** Length of a signature (72 bits of an HMAC), in characters. */
const signatureLength = 12

/** A description: words for people, then the entry. The link is not part of it: it is the status's target. */
export function writeStatus(words: string, entry: StatusEntry, place: StatusPlace, sign: Sign): string {
  const full = tailOf(entry, place)
  // If the job's id is too long for a description, the entry stays open: a re-run then sends nothing, instead of sending
  // twice.
  const isTooLong = full.length + signatureLength > descriptionLimit - minWords
  const state = isAtRest(entry.state) ? entry.state : 'open'
  const tail = isTooLong ? tailOf({ ...entry, state, job: null }, place) : full
  const end = `${tail}${signatureOf(tail, place, sign)}`
  return `${cut(oneLine(words), descriptionLimit - end.length)}${end}`
}

function tailOf({ job, run, since, until, ...entry }: StatusEntry, { project }: StatusPlace): string {
  const flags = Number(entry.isLeft) + 2 * Number(entry.hides)
  const codes = [states.indexOf(entry.state), flags, follows.indexOf(entry.follows)]
  const [begun, length] = [since, until - since].map((time) => Math.max(0, Math.ceil(time / minuteMs)))
  const numbers = [entry.attempt, begun, length, entry.number].map((number) => number?.toString(36))
  const names = [entry.writer, entry.globs, shortName(project)]
  const fields = [codes.map((code) => code.toString(36)).join(''), ...numbers, ...names]
  return `${job === null ? '' : ` · job ${job}`} · run ${run} · ${fields.join('.')}.`
}

/** Distinguishes projects whose steps have the same name, as in a reusable workflow that is called twice. */
function shortName(project: string): string {
  return fingerprint(project).slice(0, 4)
}

function signatureOf(tail: string, { repository, ...place }: StatusPlace, sign: Sign): string {
  const { commit, context, project, targetUrl } = place
  const signed = ['status', repository.toLowerCase(), commit, context, project, targetUrl, tail]
  return sign(JSON.stringify(signed)).slice(0, signatureLength)
}

const shape = /(?: · job (\S+))? · run (\d{1,20}) · ((?:[0-9a-z]{0,8}\.){8})([A-Za-z0-9_-]{12})$/

/** The entry in a description; null if there is none of this project. */
export function readStatus(description: string, place: StatusPlace, sign: Sign) {
  const [tail, job = null, run = '', text = '', signature] = shape.exec(description) ?? []
  const [codes = '', attempt, begun, length, number, writer = '', globs, project] = text.split('.')
  const [state, flags = 0, about] = [...codes].map(numberOf)
  const [stated, follow] = [states[state ?? -1], follows[about ?? -1]]
  if (tail === undefined || project !== shortName(place.project)) return null
  if (stated === undefined || follow === undefined) return null
  if (job === null ? stated === 'job' : !pathSegment.test(job)) return null
  const { targetUrl } = place
  const since = numberOf(begun) * minuteMs
  const entry: StatusEntry = {
    attempt: numberOf(attempt),
    writer,
    state: stated,
    job,
    link: isAtRest(stated) && /\/pull\/\d+$/.test(targetUrl) ? targetUrl : null,
    since,
    until: since + numberOf(length) * minuteMs,
    isLeft: flags % 2 === 1,
    run,
    follows: follow,
    number: number ? numberOf(number) : null,
    globs: globs || null,
    hides: flags > 1,
  }
  return { entry, isSigned: signature === signatureOf(tail.slice(0, -signatureLength), place, sign) }
}

function numberOf(base36 = ''): number {
  return parseInt(base36, 36)
}

/** Maximum length of a context, so that people can read it beside a commit. */
const contextLimit = 200

/** The context of a step's statuses, which is shown beside the commit. @param event its name; a push is not named */
export function statusContext({ workflow, job, step, matrixIndex }: StepName, event: string): string {
  // In a job without a matrix, the index is also 0.
  const leg = matrixIndex === '' || matrixIndex === '0' ? '' : ` (${matrixIndex})`
  const trigger = event === 'push' ? '' : ` (${event})`
  const name = [workflow, job, `${step}${leg}${trigger}`].join(' / ')
  const context = `Docs agent / ${oneLine(name, 1000)}`
  if (context.length <= contextLimit) return context
  // Names that differ only after the cut must not share a context.
  const end = ` ${fingerprint(name)}`
  return `${cut(context, contextLimit - end.length)}${end}`
}

/** The first of the step's contexts. The others are for requests on the same commit at the same time. */
export function firstContext(context: string): string {
  return context.replace(/ · \d{1,3}$/, '')
}
