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
  /** The comment that bears the mark; 0 until it is bound. */
  at: z.int(),
  role: z.enum(roles),
  /** What asked: `comment:<id>` or `run:<id>`. */
  request: z.string(),
  /** Which step of which workflow; see `stepName`. */
  step: z.string(),
  /** Which project; see `projectName`. */
  project: z.string(),
  state: z.enum(states),
  job: z.nullable(z.string().check(z.refine(isPathSegment))),
  /** How the step ended that told its result; null before. */
  outcome: z.nullable(z.string()),
  /** Its pull request; null if it has none, or none yet. */
  prLink: z.nullable(z.string()),
  /** When the request came, in milliseconds since the epoch. */
  since: z.int(),
  /** Login of who asked; null if no one did on this thread. */
  by: z.nullable(z.string()),
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
  /** Whether the signature is right. It is not after a change of key, nor on another thread. */
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

/** A short name of a step, so that two workflows, steps or matrix legs on one event never take each other's job. */
export function stepName({ workflow, job, step, matrixIndex, project }: StepName): string {
  return fingerprint(JSON.stringify([workflow, job, step, matrixIndex, project]))
}

/** A short name of a project. */
export function projectName(project: string): string {
  return fingerprint(project)
}

/** FNV-1a, 32 bits, in hex. It tells names apart, and is neither a secret nor a proof. */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** Longest text of a mark, in Base64 characters: a comment of GitHub's holds 65,536. */
const longestText = 20_000

/** One at the very end of a comment: text before it is not looked at. */
const shape = /<!-- docs-agent:2:([A-Za-z0-9+/=]{1,20000}):([A-Za-z0-9_-]{1,100}) -->\s*$/

/** Fields in the order in which a mark holds them: people see a comment's source in mail, so it is short. */
const order = [
  ...([
    'at',
    'role',
    'request',
    'step',
    'project',
    'state',
    'job',
    'outcome',
    'prLink',
    'since',
    'by',
  ] as const),
  'changes',
] as const satisfies (keyof Mark)[]

/**
 * The mark as it stands at the end of a comment. Only the latest changes are kept if it would be too long.
 * @param thread see `threadName`; it is signed, and not shown
 */
export function writeMark(mark: Mark, thread: string, sign: Sign): string {
  const checked = schema.parse(mark)
  const values = order.map((name) => checked[name]).filter((value) => value !== undefined)
  // btoa takes Latin letters only; a payload's names may have others.
  const text = btoa(JSON.stringify(values).replace(/[^\0-\x7F]/g, escaped))
  const { changes = [] } = checked
  if (text.length > longestText && changes.length > 0)
    return writeMark({ ...checked, changes: changes.slice(1) }, thread, sign)
  return `<!-- docs-agent:2:${text}:${sign(signedText(text, thread))} -->`
}

function signedText(text: string, thread: string): string {
  return `${thread}\n${text}`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** The mark of a comment; null if it has none, or one that names another comment. */
export function readMark(
  { id, body, createdAt }: { id: number; body: string; createdAt: number },
  thread: string,
  sign: Sign,
): FoundMark | null {
  const [, text = '', signature] = shape.exec(body.slice(-21_000)) ?? []
  if (signature === undefined) return null
  const read = schema.safeParse(parse(text))
  if (!read.success) return null
  const mark = read.data
  if (mark.at !== 0 && mark.at !== id) return null
  const isSigned = signature === sign(signedText(text, thread))
  return { comment: id, createdAt, mark, isSigned, isBound: mark.at === id }
}

function parse(text: string): unknown {
  try {
    const values: unknown = JSON.parse(atob(text))
    if (!Array.isArray(values)) return undefined
    return Object.fromEntries(values.map((value, index) => [order[index] ?? index, value]))
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
  /** Whether a re-run makes a new job: the one before ended without anything to show. */
  isSpent: boolean
  /** The comment that says that the agent is at work, to go on with. */
  working: number | null
  /** The comment that tells how the job ended. */
  result: number | null
  /** Other comments about the request, which its next result replaces. */
  spare: number[]
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
  const jobs = trusted.filter(({ mark }) => mark.job !== null)
  const last = jobs.findLast((each) => !isSpent(each, signed)) ?? jobs.at(-1)
  const isOver = last === undefined || isSpent(last, signed)
  // A run after the one whose job ended without anything to show may have sent the request again.
  const isOpen = isOver && trusted.some((each) => isUnanswered(each, signed))
  const job = isOpen ? null : (last?.mark.job ?? null)

  const commentOf = (isWanted: (mark: Mark) => boolean) => {
    const wanted = signed.filter(({ mark }) => isWanted(mark))
    return (wanted.findLast(({ isBound }) => isBound) ?? wanted.at(-1))?.comment ?? null
  }
  const working = commentOf(({ state }) => state === 'open' || state === 'job')
  const result = commentOf((mark) => mark.state === 'ended' && mark.job === job)
  const spare = signed.map(({ comment }) => comment).filter((id) => id !== working && id !== result)
  const left = { job, isSpent: job !== null && isOver, working, result, spare }
  if (isOpen || job !== null) return { kind: isOpen ? 'open' : 'job', ...left }
  return { kind: own.length > signed.length ? 'unverifiable' : 'none', ...left }
}

/** Whether a job ended without anything to show. A result whose own edit was lost tells that, too. */
function isSpent({ mark: { job } }: FoundMark, signed: readonly FoundMark[]): boolean {
  return signed.some(({ mark }) => mark.job === job && isFruitless(mark))
}

/**
 * Whether a run may have sent its request, and nothing says what came of it. Nothing is sent before the mark is bound,
 * so one that is not bound tells that nothing was.
 */
function isUnanswered({ mark: { state, since } }: FoundMark, signed: readonly FoundMark[]): boolean {
  const isAnswer = ({ mark, isBound }: FoundMark) =>
    mark.since === since && (mark.state === 'not-sent' || (isBound && mark.job !== null))
  return state === 'open' && !signed.some(isAnswer)
}

function isFruitless({ outcome, prLink }: Mark): boolean {
  return outcome === 'failed' || (outcome === 'archived' && prLink === null)
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
