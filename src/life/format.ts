/**
 * How an entry is written in a comment and in a commit status. The signature covers the statement and its place, so no one
 * else can make one, and a copy in another place has no effect.
 */
import * as z from 'zod/mini'
import { codePull } from '../core/hold.ts'
import { pathSegment } from '../core/job/job.ts'
import {
  decode,
  encode,
  fingerprint,
  markTail,
  readTail,
  type Sign,
  type StepName,
  stepName,
  withoutTail,
} from '../core/mark.ts'
import { cut, oneLine } from '../core/text.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { minuteMs } from '../core/units.ts'
import type { FoundComment, FoundStatus, RunIdentity } from '../usecases/ports.ts'
import { type Found, isAtRest, type Statement, states } from './entry.ts'
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
  attempt: z.int(),
  writer: z.string(),
  state: z.enum(states),
  job: z.nullable(z.string().check(z.regex(pathSegment))),
  link: z.nullable(z.string()),
  since: z.int(),
  until: z.int(),
  isLeft: z.boolean(),
  /** Login of the requester; null if no one asked on this thread. */
  by: z.nullable(z.string()),
  /** The pull request with the code; null if the request is not about one. */
  code: z.nullable(codePull),
  /** See `recordedGlobs`. */
  globs: z.nullable(z.string()),
  /** A short hash of the comment's words. */
  words: z.string(),
})

const order = Object.keys(schema.shape)

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

/** A comment with an entry at its end. Its thread is part of the signed text, but not of the comment. */
export function writeComment(words: string, entry: CommentEntry, thread: Thread, sign: Sign): string {
  const checked = schema.parse({ ...entry, words: hashOf(words) })
  const text = encode(order.map((name) => checked[name as keyof typeof checked]))
  return `${words}\n\n${markTail('docs-agent', text, sign(signedText(text, thread)))}`
}

/** The entry in a comment; null if there is none. */
export function readComment(
  { id, nodeId, body, createdAt, thread }: Omit<FoundComment, 'author'>,
  sign: Sign,
): FoundEntry | null {
  const tail = readTail('docs-agent', body)
  const values = tail === null ? null : decode(tail.text)
  if (tail === null || !Array.isArray(values)) return null
  const read = schema.safeParse(Object.fromEntries(values.map((value, at) => [order[at] ?? at, value])))
  if (!read.success) return null
  const { words: hash, ...entry } = read.data
  const words = withoutTail('docs-agent', body)
  const isSigned = tail.signature === sign(signedText(tail.text, thread))
  return { id, thread, entry, isSigned, nodeId, createdAt, words, isIntact: hash === hashOf(words) }
}

function signedText(text: string, thread: Thread): string {
  return `${threadName(thread)}\n${text}`
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
  /** See `recordedGlobs`. */
  globs: string | null
}

/** An entry, and the words before it in its status. */
type FoundStatusEntry = Found<StatusEntry> & { words: string }

/** A status with an entry of the step's project. */
export type EntryStatus = FoundStatus & FoundStatusEntry

/** The place and the owner of a status. A copy on another commit, step or project has no effect. */
export interface StatusPlace {
  /** `owner/name`. */
  repository: string
  commit: string
  context: string
  project: string
}

/** GitHub's limit on a description, in characters. */
const descriptionLimit = 140
/** Minimum number of characters for the words of a description. */
const minWords = 20
/** Length of a signature (72 bits of an HMAC), in characters. */
const signatureLength = 12

/** A description: words for people, then the entry. The link is not part of it: it is the status's target. */
export function writeStatus(
  words: string,
  entry: StatusEntry,
  place: StatusPlace,
  targetUrl: string,
  sign: Sign,
): string {
  const full = tailOf(entry, place)
  // If the job's id is too long for a description, the entry stays open: a re-run then sends nothing, instead of sending
  // twice.
  const isTooLong = full.length + signatureLength > descriptionLimit - minWords
  const state = isAtRest(entry.state) ? entry.state : 'open'
  const tail = isTooLong ? tailOf({ ...entry, state, job: null }, place) : full
  const end = `${tail}${signatureOf(tail, place, targetUrl, sign)}`
  return `${cut(oneLine(words), descriptionLimit - end.length)}${end}`
}

function tailOf({ run, job, writer, globs, ...entry }: StatusEntry, { project }: StatusPlace): string {
  const { attempt, since, until, state, isLeft } = entry
  const named = job === null ? '' : ` · job ${job}`
  const codes = [states.indexOf(state), Number(isLeft), follows.indexOf(entry.follows)].map(inBase36)
  const numbers = [attempt, minutes(since), minutes(until - since)].map(inBase36)
  return `${named} · run ${run} · ${[codes.join(''), ...numbers, writer, globs ?? '', shortName(project)].join('.')}.`
}

function inBase36(number: number): string {
  return number.toString(36)
}

function minutes(time: number): number {
  return Math.max(0, Math.ceil(time / minuteMs))
}

/** Distinguishes projects whose steps have the same name, as in a reusable workflow that is called twice. */
function shortName(project: string): string {
  return fingerprint(project).slice(0, 4)
}

function signatureOf(
  tail: string,
  { repository, commit, context, project }: StatusPlace,
  targetUrl: string,
  sign: Sign,
): string {
  const signed = ['status', repository.toLowerCase(), commit, context, project, targetUrl, tail]
  return sign(JSON.stringify(signed)).slice(0, signatureLength)
}

const shape = /(?: · job (\S+))? · run (\d{1,20}) · ((?:[0-9a-z]{0,8}\.){7})([A-Za-z0-9_-]{12})$/

/** Reads a status; null if it has no entry of this project. */
export function readStatus<S extends Pick<FoundStatus, 'id' | 'description' | 'targetUrl'>>(
  status: S,
  place: StatusPlace,
  sign: Sign,
): (S & FoundStatusEntry) | null {
  const { description, targetUrl } = status
  const read = shape.exec(description)
  if (read === null) return null
  const [tail, job = null, run = '', fields = '', signature = ''] = read
  const [codes = '', ...rest] = fields.split('.')
  const [attempt = 0, since = 0, length = 0] = rest.map((field) => parseInt(field, 36))
  const [writer = '', globs = '', project] = rest.slice(3)
  const [state, about] = [states[parseInt(codes.charAt(0), 36)], follows[Number(codes.charAt(2))]]
  if (project !== shortName(place.project) || state === undefined || about === undefined) return null
  if (job === null ? state === 'job' : !pathSegment.test(job)) return null
  const entry: StatusEntry = {
    attempt,
    writer,
    state,
    job,
    link: isAtRest(state) && /\/pull\/\d+$/.test(targetUrl) ? targetUrl : null,
    since: since * minuteMs,
    until: (since + length) * minuteMs,
    isLeft: codes.charAt(1) === '1',
    run,
    follows: about,
    globs: globs === '' ? null : globs,
  }
  const isSigned = signature === signatureOf(tail.slice(0, -signatureLength), place, targetUrl, sign)
  return { ...status, entry, isSigned, words: description.slice(0, read.index) }
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

/** Whether a context is of an event about a whole pull request. A push is only about the commits that it brings. */
export function isForPull(context: string): boolean {
  return / \((?:pull_request|workflow_run)\)$/.test(context)
}

/** The suffix of a step's other contexts, for requests on the same commit at the same time. */
const further = /(?: · \d{1,3})?$/

/** The first of the step's contexts. */
export function firstContext(context: string): string {
  return context.replace(further, '')
}
