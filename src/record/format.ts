/**
 * How an entry is written in a comment and in a commit status. The signature covers the statement and its place, so no one
 * else can make one, and a copy in another place has no effect.
 */
import * as z from 'zod/mini'
import { codePull, holdContext } from '../core/hold.ts'
import { fingerprint, readMark, type Sign, type StepName, stepName, writeMark } from '../core/mark.ts'
import { guardContext } from '../core/pull-changes.ts'
import { cut, oneLine } from '../core/text.ts'
import { type Thread, threadName } from '../core/thread.ts'
import { minuteMs } from '../core/units.ts'
import type { AgentPorts, FoundComment, FoundStatus, RunIdentity } from '../ports.ts'
import { type FoundEntry, isAtRest, stateCodes, statement } from './entry.ts'

/** The writers of a run's attempts, up to this one: the step in each attempt. */
export function writersOf({ id, attempt, step }: RunIdentity) {
  const nameOf = (number: number) => fingerprint(JSON.stringify([id, number, stepName(step)])).slice(0, 5)
  const before = Array.from({ length: attempt - 1 }, (_, index) => nameOf(index + 1))
  return { writer: nameOf(attempt), before }
}

/**
 * The version of the entries that this code writes and reads. In every version, the version itself, the request, the step
 * and the project are in the same places: at the start of a comment's list, and in a status as `versionless` finds them.
 */
const version = 1

const namesIn = <Name extends string>(codes: Record<Name, unknown>) => Object.keys(codes) as Name[]

/** The name that has a code; undefined if none has. */
function decode<Name extends string>(codes: Record<Name, string>, code: unknown) {
  return namesIn(codes).find((name) => codes[name] === code)
}

// In a comment

const roleCodes = { request: 'r', pull: 'p', link: 'l', notice: 'n' } as const

/**
 * The fields of a comment's list after the version. Their order, also that of a statement's fields, never changes. They
 * have no names in the list, because people see a comment's source in mail.
 */
const schema = z.object({
  /** What started the request, such as `comment:<id>` or `run:<id>`. */
  request: z.string(),
  /** The step of a workflow; see `stepName`. */
  step: z.string(),
  /** A short name of the project. */
  project: z.string(),
  /**
   * What the comment is for. `request`: the reply to a request. `pull` introduces the agent's pull request, and `link`
   * links to it. `notice`: a one-time message; `request` identifies which.
   */
  role: z.enum(namesIn(roleCodes)),
  ...statement.shape,
  /** Login of the requester; null if no one asked on this thread. */
  by: z.nullable(z.string()),
  /** Whether the requester is a bot, which cannot review. */
  isBot: z.boolean(),
  /** The pull request with the code; null if the request is not about one. */
  code: z.nullable(codePull),
  /** See `globsName`. */
  globs: z.nullable(z.string()),
  /** A short hash of the comment's words. */
  words: z.string(),
})

const commentFields = namesIn(schema.shape)

/** Stands for the fields after the project of a later version's entry: its request may have been sent. */
const unknownComment = ['r', 1, '', 'o', null, null, 0, 0, false, null, false, null, null, '']

/** An entry in a comment. */
export type CommentEntry = Omit<z.infer<typeof schema>, 'words'>

/** The parts of a request that identify a comment about it. */
export type Names = Pick<CommentEntry, 'request' | 'step' | 'project'>

/** A comment with the mark of an entry. */
export interface MarkedComment
  extends FoundEntry<CommentEntry>,
    Omit<FoundComment, 'author' | 'viewer' | 'body'> {
  /** What people read in it. */
  words: string
  /** Whether the words are still the action's. */
  isIntact: boolean
}

/** A comment with an entry at its end. */
export function writeComment(words: string, entry: CommentEntry, thread: Thread, sign: Sign) {
  const coded = {
    ...entry,
    role: roleCodes[entry.role],
    state: stateCodes[entry.state],
    words: hashOf(words),
  }
  const values = commentFields.map((field) => coded[field])
  return `${words}\n\n${writeMark('docs-agent', [version, ...values], threadName(thread), sign)}`
}

/** Whether an entry counts, and whose it is; null if another account wrote it without this key's signature. */
function ownership({ author, viewer }: Pick<FoundComment, 'author' | 'viewer'>, isSigned: boolean) {
  if (author === viewer) return { isSigned, accounts: null }
  // GitHub shows `ghost` in place of a deleted account.
  return isSigned ? { isSigned: false, accounts: { recorder: author ?? 'ghost', own: viewer } } : null
}

/** A comment with its entry; null if there is none. */
export function readComment(comment: FoundComment, sign: Sign) {
  const { body, ...place } = comment
  const mark = readMark('docs-agent', body, threadName(place.thread), sign)
  if (!Array.isArray(mark?.value)) return null
  const [number, ...values] = mark.value
  // It can be anything. No version is lower.
  if (!(number >= version)) return null
  const isNewer = number > version
  const list = isNewer ? [...values.slice(0, 3), ...unknownComment] : values
  const { role, state, ...more } = Object.fromEntries(
    commentFields.map((field, index) => [field, list[index]]),
  )
  const codes = { role: decode(roleCodes, role), state: decode(stateCodes, state) }
  const content = schema.safeParse({ ...more, ...codes })
  const owner = ownership(comment, mark.isSigned && !isNewer)
  if (!content.success || owner === null) return null
  const { words: hash, ...entry } = content.data
  const { words } = mark
  return { ...place, ...owner, entry, isNewer, words, isIntact: hash === hashOf(words) }
}

/** GitHub and people's editors may change line endings and the space around a comment's words. */
function hashOf(words: string) {
  return fingerprint(words.replaceAll('\r\n', '\n').trim())
}

// In a commit status

const followCodes = { commit: 'c', branch: 'b', nothing: 'n', merge: 'm', release: 'r' } as const

const statusEntry = z.object({
  ...statement.shape,
  /** `GITHUB_RUN_ID` of the run that made the request; for `workflow_run`, of the upstream run. */
  run: z.string(),
  /**
   * What a request's docs are about. `branch`: everything new on the default branch up to the commit. `nothing`: the
   * commit only holds the entry. `merge` and `release`: the commit, and the agent's pull request waits until that code is
   * merged or released.
   */
  follows: z.enum(namesIn(followCodes)),
  /** The number of the change's pull request; null if there is none. */
  number: z.nullable(z.int()),
  /** See `globsName`. */
  globs: z.nullable(z.string()),
  /** Whether another request of the step was open on the commit: this status may hide it. */
  hides: z.boolean(),
  /** When it was written, to the minute. A status that is much younger is a copy. */
  writtenAt: z.int(),
})

/** An entry in a status. */
export type StatusEntry = z.infer<typeof statusEntry>

/** A status with an entry. */
export type MarkedStatus = FoundStatus & FoundEntry<StatusEntry>

type Target = Pick<FoundStatus, 'commit' | 'context' | 'targetUrl'>
type Owner = Pick<AgentPorts, 'run' | 'sign'>

/** A description: words for people, then the entry. The link is not part of it: it is the status's target. */
export function writeStatus(words: string, entry: StatusEntry, target: Target, owner: Owner) {
  let tail = tailOf(entry, target, owner)
  // Without its job, an entry stays open: a re-run then sends nothing, instead of sending twice.
  const state = isAtRest(entry.state) ? entry.state : 'open'
  // GitHub allows 140 characters, and 18 are for the words. Only a job's id can be too long.
  if (tail.length > 122) tail = tailOf({ ...entry, state, job: null }, target, owner)
  return `${cut(oneLine(words), 140 - tail.length)}${tail}`
}

/** 72 bits of an HMAC. */
const signatureLength = 12

/** The end of a description. A copy on another commit, step or project has no effect. */
function tailOf(entry: StatusEntry, { commit, context, targetUrl }: Target, { run, sign }: Owner) {
  const { job, since, until, writtenAt, link } = entry
  const { project } = run.step
  const start = Math.ceil(since / minuteMs)
  const length = Math.ceil((until - since) / minuteMs)
  const delay = Math.floor(writtenAt / minuteMs) - start
  const flags = [entry.isLeft, entry.hides, link === targetUrl].map(Number)
  const numbers = [entry.attempt, start, length, delay, entry.number ?? 0]
  const digits = numbers.map((number) => number.toString(36))
  const codes = `${stateCodes[entry.state]}${followCodes[entry.follows]}${flags.join('')}`
  const fields = [version, shortName(project), entry.writer, entry.globs, codes, ...digits].join('.')
  const jobPart = job === null ? '' : ` · job ${job}`
  const tail = `${jobPart} · run ${entry.run} · ${fields}`
  const content = ['status', run.repositoryId, commit, context, project, targetUrl, tail]
  return tail + sign(JSON.stringify(content)).slice(0, signatureLength)
}

/** Distinguishes projects whose steps have the same name, as in a reusable workflow that is called twice. */
const shortName = (project: string) => fingerprint(project).slice(0, 4)

/** Stands for the fields after the project of a later version's status: attempt 1 is open. See `fieldsIn`, `unknownComment`. */
const unknownStatus = '..on000.1'

/** A status's job, run, version and project, which are in the same places in every version, and its other fields. */
const versionless = /(?: · job (\S+))? · run (\d{1,20}) · ([1-9]\d{0,2})\.([0-9a-f]{4})\.(\S{0,100})$/

/** A status with its entry; null if there is none of this project. */
export function readStatus(status: FoundStatus, owner: Owner) {
  const [tail, job = null, run, number, project, rest = ''] = versionless.exec(status.description) ?? []
  if (project !== shortName(owner.run.step.project)) return null
  const isNewer = Number(number) > version
  const fields = isNewer ? unknownStatus : rest.slice(0, -signatureLength)
  const content = statusEntry.safeParse({ ...fieldsIn(fields, status.targetUrl), job, run })
  if (!content.success) return null
  const entry = content.data
  const whose = ownership(status, tail === tailOf(entry, status, owner))
  return whose && { ...status, ...whose, entry, isNewer }
}

/** The fields in a status that are in these places only in this version. */
function fieldsIn(text: string, targetUrl: string) {
  const [writer, globs, codes = '', ...digits] = text.split('.')
  const [state, follows, left, hidden, linked] = codes
  const numbers = digits.map((number) => Number.parseInt(number, 36))
  const [attempt, start = 0, length = 0, delay = 0, number] = numbers
  const since = start * minuteMs
  return {
    writer,
    globs: globs || null,
    state: decode(stateCodes, state),
    follows: decode(followCodes, follows),
    isLeft: left === '1',
    hides: hidden === '1',
    link: linked === '1' ? targetUrl : null,
    attempt,
    since,
    until: since + length * minuteMs,
    writtenAt: since + delay * minuteMs,
    number: number || null,
  }
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

/** Whether a context can be a step's. Those of holds and of `allowed-paths` have no entries. */
export function isStepContext(context: string) {
  return context.startsWith('Docs agent / ') && context !== holdContext && context !== guardContext
}

/** The first of the step's contexts. The others are for requests on the same commit at the same time. */
export function firstContext(context: string) {
  return context.replace(/ · \d{1,3}$/, '')
}
