/**
 * The mark: the record of a request, hidden in the action's own comment. It is signed, so that no one else can make
 * one. A copy has no effect: the signature covers the thread, and an edit right after the post binds the mark to its
 * comment.
 */
import * as z from 'zod/mini'
import { isPathSegment } from './job/job.ts'
import { decode, encode, markTail, readTail, withoutTail } from './mark-codec.ts'
import { outcomesOf } from './outcome.ts'
import { holdStates } from './pull.ts'
import {
  hasNoResult,
  isOpenRecord,
  isRequestEnd,
  type Known,
  type RequestRecord,
  type RequestState,
} from './record.ts'
import { minuteMs } from './units.ts'

/** Signs a string with a key that only the action's user has. Equal strings get equal signatures. */
export type Sign = (text: string) => string

/** See `CodePull` and, for `provenance`, `Hold`. */
const code = z.object({
  repository: z.string(),
  number: z.int(),
  head: z.string(),
  hold: z.nullable(z.enum(['merge', 'release'])),
  state: z.optional(z.enum(holdStates)),
})

/** What a comment of the action is for. `notice`: a one-time message; `request` identifies which. */
const roles = ['reply', 'provenance', 'link', 'denied', 'notice'] as const

const states = ['open', 'job', 'ended', 'not-sent'] as const satisfies RequestState['state'][]

/** Default length of a run in milliseconds, for marks without `until`. */
const defaultLength = 60 * minuteMs

/** The order of the fields is part of the format: see `writeMark`. */
const schema = z.object({
  /** The comment that carries the mark; 0 until it is bound. */
  at: z.int(),
  role: z.enum(roles),
  /** What started the request, such as `comment:<id>` or `run:<id>`. */
  request: z.string(),
  /** The step of a workflow; see `stepName`. */
  step: z.string(),
  /** The project; see `projectName`. */
  project: z.string(),
  state: z.enum(states),
  job: z.nullable(z.string().check(z.refine(isPathSegment))),
  /** The outcome that the step reported; null before that. */
  outcome: z.nullable(z.string()),
  /** The agent's pull request; null if there is none (yet). */
  prLink: z.nullable(z.string()),
  /** When the request was made, in milliseconds since the epoch. */
  since: z.int(),
  /** Login of the requester; null if no one asked on this thread. */
  by: z.nullable(z.string()),
  /** The latest time at which the run that holds the record can end, in milliseconds since the epoch. */
  until: z.optional(z.int()),
  isLeft: z.optional(z.boolean()),
  /** The pull request with the code; null if the request is not about one. */
  code: z.optional(z.nullable(code)),
  /** See `recordedGlobs`. */
  globs: z.optional(z.string()),
})

/** A mark's fields have no names, because people see a comment's source in mail. */
const order = Object.keys(schema.shape) as (keyof Mark)[]

/** The fields of a mark. */
export type Mark = z.infer<typeof schema>

/** A mark, and the comment in which it was found. */
export interface FoundMark {
  comment: number
  /** The comment's id in GraphQL. */
  nodeId: string
  body: string
  /** When the comment was written, in milliseconds since the epoch. */
  createdAt: number
  mark: Mark
  /** Whether the signature is valid. It becomes invalid if the key changes, and on any other thread. */
  isSigned: boolean
  /** Whether the mark names the comment that carries it. An unbound mark can prevent a send, but never causes one. */
  isBound: boolean
}

/** Identifies a step of a workflow. */
export interface StepName {
  workflow: string
  job: string
  step: string
  /** `strategy.job-index`; empty outside a matrix. */
  matrixIndex: string
  project: string
}

/** A short name for a step, so that workflows, steps and matrix legs on one event never take each other's job. */
export function stepName({ workflow, job, step, matrixIndex, project }: StepName): string {
  return fingerprint(JSON.stringify([workflow, job, step, matrixIndex, project]))
}

/** A short name for a project. */
export function projectName(project: string): string {
  return fingerprint(project)
}

/** FNV-1a, 32 bits, in hex. It distinguishes names, but keeps nothing secret and proves nothing. */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/**
 * The mark at the end of a comment.
 * @param thread see `threadName`; part of the signed text, but not of the mark
 */
export function writeMark(mark: Mark, thread: string, sign: Sign): string {
  const checked = schema.parse(mark)
  const known = order.map((name) => checked[name])
  const values = known.slice(0, known.findLastIndex((value) => value !== undefined) + 1)
  const text = encode(values)
  return markTail('docs-agent', text, sign(signedText(text, thread)))
}

function signedText(text: string, thread: string): string {
  return `${thread}\n${text}`
}

/** The visible text of a comment, without its mark. */
export function wordsOf({ body }: Pick<FoundMark, 'body'>): string {
  return withoutTail('docs-agent', body)
}

/** The mark of a comment; null if there is none, or if it names another comment. */
export function readMark(
  { id, body, createdAt, nodeId }: { id: number; body: string; createdAt: number; nodeId: string },
  thread: string,
  sign: Sign,
): FoundMark | null {
  const tail = readTail('docs-agent', body)
  if (tail === null) return null
  const { text, signature } = tail
  const read = schema.safeParse(fieldsOf(decode(text)))
  if (!read.success) return null
  const mark = read.data
  if (mark.at !== 0 && mark.at !== id) return null
  const isSigned = signature === sign(signedText(text, thread))
  return { comment: id, nodeId, body, createdAt, mark, isSigned, isBound: mark.at === id }
}

/** Fields that are null, not undefined, if they are missing. */
const absent = { job: null, outcome: null, prLink: null, by: null }

function fieldsOf(values: unknown): unknown {
  if (!Array.isArray(values)) return undefined
  // In JSON, a field that is not set is null.
  const fields = values.map((value, index) => [order[index] ?? index, value ?? undefined])
  return { ...absent, ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)) }
}

/** What earlier runs left of a request on its thread. */
export interface ThreadState {
  known: Known
  /** The comment that says that the agent is working, to be updated; null if there is none. */
  working: number | null
  /** Comments that the next result replaces. */
  spare: number[]
  /**
   * Comments to hide: unfinished ones that are signed with another key, never bound, or replaced by an unbound result.
   * Comments that another account could have copied are never deleted.
   */
  outdated: FoundMark[]
}

/** Reads what earlier runs left of a step's request. Later comments take precedence. */
export function stateOnThread(
  { request, step }: Pick<Mark, 'request' | 'step'>,
  found: readonly FoundMark[],
): ThreadState {
  const own = found
    .filter(({ mark }) => mark.role === 'reply' && mark.request === request && mark.step === step)
    .toSorted((one, other) => one.comment - other.comment)
  const signed = own.filter(({ isSigned }) => isSigned)
  const bound = signed.filter(({ isBound }) => isBound)
  const results = signed.filter((each) => !isOpenRecord(each.mark))
  const unfinished = bound.filter(({ mark }) => isOpenRecord(mark))
  const working = unfinished.findLast((each) => !results.some((result) => isResultOf(result, each)))
  // A copy of an unbound comment must not allow a send that a later, bound comment prevents.
  const result =
    results.findLast((each) => each.isBound || stops(each)) ??
    results.findLast(({ mark }) => mark.state === 'ended')
  const left = unfinished.filter((each) => each !== working)
  const isReplaceable = result === undefined || result.isBound
  return {
    known: knownFrom(working ?? result, own),
    working: working?.comment ?? null,
    spare: [...(isReplaceable ? left : []), ...bound.filter((each) => each.mark.state === 'not-sent')].map(
      ({ comment }) => comment,
    ),
    outdated: [
      ...own.filter((each) => isOpenRecord(each.mark) && !(each.isSigned && each.isBound)),
      ...(isReplaceable ? [] : left),
    ],
  }
}

function knownFrom(last: FoundMark | undefined, own: readonly FoundMark[]): Known {
  if (last !== undefined) return { kind: 'record', record: recordOf(last.mark) }
  // A mark signed with an earlier key is trusted if it says that nothing was sent. Any other mark prevents a new send.
  const isForeign = own.some(({ isSigned, mark }) => !isSigned && mark.state !== 'not-sent')
  return { kind: isForeign ? 'foreign' : 'none' }
}

/** Whether a re-run repeats what a comment reports. */
function stops({ mark }: FoundMark): boolean {
  const record = recordOf(mark)
  return record.state === 'ended' && !hasNoResult(record)
}

/** Whether a reply is about the same attempt as an unfinished comment, or about a later attempt. */
function isResultOf({ comment, mark, isBound }: FoundMark, unfinished: FoundMark): boolean {
  const { job, since } = unfinished.mark
  return (
    mark.since === since || (job !== null && job === mark.job) || (isBound && comment > unfinished.comment)
  )
}

/** The record that a mark contains. An inconsistent record is read as open, so that nothing is sent. */
export function recordOf({ state, job, outcome, prLink, since, until, isLeft }: Mark): RequestRecord {
  const times = { since, until: until ?? since + defaultLength }
  if (state === 'not-sent') return { ...times, state }
  if (state === 'job' && job !== null) return { ...times, state, job, isLeft: isLeft ?? true }
  const end = outcomesOf('agent').find((known) => known === outcome)
  if (state === 'ended' && end !== undefined && isRequestEnd(end))
    return { ...times, state, outcome: end, job, prLink }
  return { ...times, state: 'open' }
}

/** The fields of a mark that depend on the request's state. */
export function stateFields(
  state: RequestState,
): Pick<Mark, 'state' | 'job' | 'outcome' | 'prLink' | 'isLeft'> {
  const none = { job: null, outcome: null, prLink: null }
  switch (state.state) {
    case 'open':
    case 'not-sent':
      return { ...none, state: state.state }
    case 'job':
      return { ...none, ...state }
    case 'ended':
      return state
  }
}

/**
 * The job that this step's next request on a thread continues: the one in the latest comment that names a job; null if
 * none does.
 */
export function jobToFollow(
  { step, project }: Pick<Mark, 'step' | 'project'>,
  found: readonly FoundMark[],
): string | null {
  const last = found.findLast(({ mark, isSigned, isBound }) => {
    const isOurs = mark.role === 'provenance' ? mark.project === project : mark.step === step
    return isSigned && isBound && isOurs && mark.job !== null
  })
  return last?.mark.job ?? null
}
