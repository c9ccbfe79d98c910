/**
 * The mark: what the action remembers of a request, hidden in a comment of its own. It is signed, so that no one else
 * can make one; it names its thread and, after the edit that follows the post, the comment that bears it, so that a
 * copy is worth nothing.
 */
import * as z from 'zod/mini'
import { isPathSegment } from './job/job.ts'

/** Signs a text with a key that only the action's user has; the same text gives the same signature. */
export type Sign = (text: string) => string

/** A change that a pull request of the agent documents. */
const documented = z.object({
  /** `owner/name`. */
  repository: z.string(),
  /** Its last commit. */
  head: z.string(),
  /** Its pull request; null if it came without one. */
  number: z.nullable(z.int()),
  author: z.nullable(z.string()),
})

export type DocumentedChange = z.infer<typeof documented>

/** What a comment of the action is for. */
const roles = ['reply', 'provenance', 'link', 'denied'] as const

/**
 * How far a request got. `open`: it may be sent at any moment, or was, and no job is known. `job`: it has a job, whose
 * end is not told. `ended`: the end is told. `not-sent`: nothing was sent, so the next run may send.
 */
const states = ['open', 'job', 'ended', 'not-sent'] as const

export type MarkState = (typeof states)[number]

const schema = z.object({
  /** See `threadName`. */
  thread: z.string(),
  /** The comment that bears the mark; 0 until it is bound. */
  at: z.int(),
  role: z.enum(roles),
  /** What asked: `comment:<id>` or `run:<id>`. */
  request: z.string(),
  /** Which step of which workflow; see `stepName`. */
  step: z.string(),
  project: z.string(),
  state: z.enum(states),
  job: z.nullable(z.string().check(z.refine(isPathSegment))),
  /** How the job ended; null before. */
  outcome: z.nullable(z.string()),
  /** When the request came, in milliseconds since the epoch. */
  since: z.int(),
  /** For `provenance`: what the pull request documents, the latest last. */
  changes: z.optional(z.array(documented)),
})

export type Mark = z.infer<typeof schema>

/** A mark as it is found. */
export interface FoundMark {
  /** The comment that bears it. */
  comment: number
  /** When the comment was made, in milliseconds since the epoch. */
  createdAt: number
  mark: Mark
  /** Whether the signature is right: after a change of key, older ones are not. */
  isSigned: boolean
  /** Whether the mark names the comment that bears it. One that does not may stop a send, but never directs one. */
  isBound: boolean
}

/** What tells one step of one workflow from another. */
export interface StepName {
  workflow: string
  job: string
  step: string
  /** `strategy.job-index`; empty outside a matrix. */
  matrixIndex: string
  project: string
}

/** The name of a step, so that two workflows, steps or matrix legs on one event never take each other's job. */
export function stepName({ workflow, job, step, matrixIndex, project }: StepName): string {
  return JSON.stringify([workflow, job, step, matrixIndex, project])
}

/** One at the very end of a comment: text before it is not looked at. */
const shape = /<!-- docs-agent:2:([A-Za-z0-9+/=]{1,20000}):([A-Za-z0-9_-]{1,100}) -->\s*$/

/** The mark as it stands at the end of a comment. */
export function writeMark(mark: Mark, sign: Sign): string {
  // btoa takes Latin letters only; a payload's names may have others.
  const text = btoa(JSON.stringify(schema.parse(mark)).replace(/[^\0-\x7F]/g, escaped))
  return `<!-- docs-agent:2:${text}:${sign(text)} -->`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The mark of a comment; null if it has none for this thread, or one that was moved here from another comment. */
export function readMark(
  { id, body, createdAt }: { id: number; body: string; createdAt: number },
  thread: string,
  sign: Sign,
): FoundMark | null {
  const [, text = '', signature] = shape.exec(body.slice(-21_000)) ?? []
  if (signature === undefined) return null
  const read = schema.safeParse(parse(text))
  if (!read.success || read.data.thread !== thread) return null
  const mark = read.data
  if (mark.at !== 0 && mark.at !== id) return null
  return { comment: id, createdAt, mark, isSigned: signature === sign(text), isBound: mark.at === id }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(atob(text))
  } catch {
    return undefined
  }
}

/** What earlier runs left of a request on its thread. */
export interface Standing {
  /**
   * `none`: nothing was sent. `open`: it may have been sent, and no job is known. `job`: it has one.
   * `unverifiable`: a mark is there that another key signed.
   */
  kind: 'none' | 'open' | 'job' | 'unverifiable'
  job: string | null
  /** How the job ended; null if that is not told yet. */
  outcome: string | null
  /** The comment that says that the agent is at work, to go on with. */
  working: number | null
  /** The comment that tells the result. */
  result: number | null
}

/** Reads what earlier runs left of a request of a step. */
export function standingOf(
  { request, step }: Pick<Mark, 'request' | 'step'>,
  found: readonly FoundMark[],
): Standing {
  const own = found.filter(
    ({ mark }) => mark.role === 'reply' && mark.request === request && mark.step === step,
  )
  const signed = own.filter(({ isSigned }) => isSigned)
  const trusted = signed.filter(({ isBound }) => isBound)
  const last = (marks: readonly FoundMark[], ...wanted: MarkState[]) =>
    marks.findLast(({ mark }) => wanted.includes(mark.state))
  const result = last(signed, 'ended', 'not-sent')?.comment ?? null
  const working = last(signed, 'open', 'job')?.comment ?? null
  const withJob = trusted.findLast(({ mark }) => mark.job !== null)
  if (withJob !== undefined) {
    const { job } = withJob.mark
    // A result whose own edit was lost still tells that there is one.
    const outcome = signed.findLast(({ mark }) => mark.job === job && mark.outcome !== null)?.mark.outcome
    return { kind: 'job', job, outcome: outcome ?? null, working, result }
  }
  const base = { job: null, outcome: null, working, result }
  // Nothing is sent before the mark is bound, so one that is not bound tells that nothing was.
  if (last(trusted, 'open') !== undefined) return { kind: 'open', ...base }
  return { kind: own.length > signed.length ? 'unverifiable' : 'none', ...base }
}

/** The last job on a thread that a further request of this step goes to; null for none. */
export function jobToFollow(
  { step, project }: Pick<Mark, 'step' | 'project'>,
  found: readonly FoundMark[],
): string | null {
  const last = found.findLast(({ mark, isSigned, isBound }) => {
    const isOurs = mark.role === 'provenance' ? mark.project === project : mark.step === step
    return isSigned && isBound && isOurs && mark.job !== null && mark.role !== 'denied'
  })
  return last?.mark.job ?? null
}
