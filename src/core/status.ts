/** The record of a request on a commit: commit statuses, with descriptions for both people and later runs. */
import { guardContext } from './guard.ts'
import { isPathSegment } from './job/job.ts'
import { fingerprint, type Sign, type StepName } from './mark.ts'
import { type HoldKind, holdContext } from './pull.ts'
import { type End, isOpenRecord, type Known, type RequestRecord } from './record.ts'
import { cut, oneLine } from './text.ts'
import { minuteMs } from './units.ts'

/**
 * What a request's docs are about. `branch`: everything new on the default branch up to the commit. `nothing`: the
 * commit only holds the record. `merge` and `release`: the commit, and the agent's pull request waits until that code is
 * merged or released.
 */
export type Follows = 'commit' | 'branch' | 'nothing' | HoldKind

const followsSigns: Record<Follows, string> = {
  commit: '+',
  branch: '=',
  nothing: '-',
  merge: '*',
  release: '~',
}

/** What the agent's pull request waits for; null if it does not wait. */
export function holdOf(follows: Follows): HoldKind | null {
  return follows === 'merge' || follows === 'release' ? follows : null
}

/** The record in a status. */
export interface StatusMark {
  record: RequestRecord
  /** `GITHUB_RUN_ID` of the run that made the request; for `workflow_run`, of the upstream run. */
  run: string
  follows: Follows
  /** See `recordedGlobs`. */
  globs?: string | undefined
  /** Whether the signature is valid. It becomes invalid if the key changes. */
  isSigned: boolean
}

/** A status of a step, in any of the step's contexts. */
export interface OwnStatus {
  context: string
  isPending: boolean
  /** null if it belongs to another project. */
  mark: StatusMark | null
}

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
/** Maximum length of a context, so that people can read it beside a commit. */
const contextLimit = 200
/** Length of a project's short name, and of a signature (72 bits of an HMAC), in characters. */
const projectLength = 4
const signatureLength = 12
const lastLength = projectLength + signatureLength
/**
 * Number of statuses at which a context counts as full. GitHub keeps 1,000 statuses of a context on a commit, and a run
 * adds fewer than 100.
 */
const fullContext = 900

const contextStart = 'Docs agent / '
/** Contexts of the action's other statuses, on the agent's pull requests. */
const otherContexts: readonly string[] = [holdContext, guardContext]

/** The context of a step's statuses, which is shown beside the commit. */
export function statusContext({ workflow, job, step, matrixIndex }: StepName): string {
  // In a job without a matrix, the index is also 0.
  const leg = matrixIndex === '' || matrixIndex === '0' ? '' : ` (${matrixIndex})`
  const name = [workflow, job, `${step}${leg}`].join(' / ')
  const context = `${contextStart}${oneLine(name, 1000)}`
  if (context.length <= contextLimit) return context
  // Names that differ only after the cut must not share a context.
  const end = ` ${fingerprint(name)}`
  return `${cut(context, contextLimit - end.length)}${end}`
}

/** Whether a context belongs to a step of the action. */
export function isOwnContext(context: string): boolean {
  return context.startsWith(contextStart) && !otherContexts.includes(context)
}

/** A short name of the step that a context belongs to, for comments about the same commit. */
export function stepOfContext(context: string, project: string): string {
  return fingerprint(`${project}\n${firstContext(context)}`)
}

/** The suffix of a step's other contexts. A step may need several: a context shows only its latest status, and holds 1,000. */
const further = /(?: · \d{1,3})?$/

/** The first of the step's contexts. */
export function firstContext(context: string): string {
  return context.replace(further, '')
}

function* contextsOf(first: string): Generator<string, never> {
  yield first
  for (let number = 2; ; number++) yield `${first} · ${number}`
}

/**
 * The contexts for a run's next status: all that show the run as pending, so that none stays pending. If there are
 * none, the first context that is not full and does not show another run's open record, which a new status would hide.
 * @param found the commit's statuses of this step, newest first
 */
export function contextsFor(first: string, run: string, found: readonly OwnStatus[]): [string, ...string[]] {
  const isLatest = (status: OwnStatus) => found.find(({ context }) => context === status.context) === status
  const [shown, ...others] = found
    .filter((status) => isLatest(status) && isOf(run, status) && isOpenRecord(status.mark.record))
    .map(({ context }) => context)
  if (shown !== undefined) return [shown, ...others]
  for (const context of contextsOf(first)) {
    const own = found.filter((status) => status.context === context)
    if (isFree(own[0], run, found) && own.length < fullContext) return [context]
  }
  return [first]
}

function isOf(run: string, status: OwnStatus): status is OwnStatus & { mark: StatusMark } {
  return status.mark?.isSigned === true && status.mark.run === run
}

function isFree(latest: OwnStatus | undefined, run: string, found: readonly OwnStatus[]): boolean {
  if (latest === undefined || isOf(run, latest)) return true
  const { mark, isPending } = latest
  // A pending status may be another project's open record.
  if (mark === null) return !isPending
  const current = found.find((status) => isOf(mark.run, status))
  return !mark.isSigned || !isOpenRecord(current?.mark?.record ?? mark.record)
}

/** One letter for each `End`, to save room for words. A new `End` does not compile without a letter. */
const endLetters: Record<End, string> = {
  'pull-request': 'p',
  'out-of-bounds': 'b',
  'no-changes': 'n',
  archived: 'a',
  failed: 'f',
  unconfirmed: 'u',
  error: 'e',
}

function letterOf(record: RequestRecord): string {
  switch (record.state) {
    case 'open':
      return 's'
    case 'not-sent':
      return 'x'
    case 'job':
      return record.isLeft ? 'l' : 'w'
    case 'ended':
      return endLetters[record.outcome]
  }
}

/**
 * A description: words for people, then the record for later runs. One part of the record is outside the
 * description: once the record has ended, the status's target is the pull request.
 */
export function writeStatus(
  words: string,
  { record, run, follows, globs }: Omit<StatusMark, 'isSigned'>,
  place: StatusPlace,
  targetUrl: string,
  sign: Sign,
): string {
  const kind = followsSigns[follows]
  const tail = tailOf(record, run, kind, globs)
  // If the job's id is too long for a description, the record stays open: a re-run then sends nothing, instead of
  // sending twice.
  const isTooLong = tail.length + lastLength > descriptionLimit - minWords
  const kept = isTooLong ? tailOf({ ...record, state: 'open' }, run, kind, globs) : tail
  const end = `${kept}.${shortName(place)}${signatureOf(kept, place, targetUrl, sign)}`
  return `${cut(oneLine(words), descriptionLimit - end.length)}${end}`
}

function tailOf(record: RequestRecord, run: string, kind: string, globs?: string): string {
  const job = 'job' in record && record.job !== null ? ` · job ${record.job}` : ''
  const times = `${base36(record.since)}${kind}${base36(record.until)}`
  return `${job} · run ${run} · ${letterOf(record)}${times}${globs === undefined ? '' : `:${globs}`}`
}

/** Distinguishes projects whose steps have the same name, as in a reusable workflow that is called twice. */
function shortName({ project }: StatusPlace): string {
  return fingerprint(project).slice(0, projectLength)
}

function base36(time: number): string {
  return Math.ceil(time / minuteMs).toString(36)
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

const shape =
  /(?: · job (\S+))? · run (\d{1,20}) · ([a-z])([0-9a-z]{1,8})([+=*~-])([0-9a-z]{1,8})(?::([0-9a-f]{8}))?\.([0-9a-f]{4})([A-Za-z0-9_-]{12})$/
/** The format of earlier versions. */
const unsignedShape = / · (job \S+|sending|not sent) · run (\d+) · [0-9a-f]{8}$/

/** Reads a status; null if it belongs to another project. */
export function readStatus(
  { description, targetUrl }: { description: string; targetUrl: string },
  place: StatusPlace,
  sign: Sign,
): StatusMark | null {
  const read = shape.exec(description)
  if (read === null) return readUnsigned(description)
  const [tail, job, run = '', letter = '', since = '', kind, until = '', globs, project, signature] = read
  if (project !== shortName(place)) return null
  const follows = (Object.keys(followsSigns) as Follows[]).find((each) => followsSigns[each] === kind)
  const times = { since: parseInt(since, 36) * minuteMs, until: parseInt(until, 36) * minuteMs }
  const record = recordOf(letter, job ?? null, targetUrl, times)
  if (record === null || follows === undefined) return null
  const signed = tail.slice(0, -lastLength - 1)
  const isSigned = signature === signatureOf(signed, place, targetUrl, sign)
  return { record, run, follows, globs, isSigned }
}

function recordOf(
  letter: string,
  job: string | null,
  targetUrl: string,
  times: { since: number; until: number },
): RequestRecord | null {
  if (job !== null && !isPathSegment(job)) return null
  if (letter === 's') return { ...times, state: 'open' }
  if (letter === 'x') return { ...times, state: 'not-sent' }
  if (letter === 'w' || letter === 'l')
    return job === null ? null : { ...times, state: 'job', job, isLeft: letter === 'l' }
  const end = (Object.keys(endLetters) as End[]).find((each) => endLetters[each] === letter)
  if (end === undefined) return null
  const prLink = /\/pull\/\d+$/.test(targetUrl) ? targetUrl : null
  return { ...times, state: 'ended', outcome: end, job, prLink }
}

/** A status without a signature. It can only prevent a re-run of its own request, or say that nothing was sent. */
function readUnsigned(description: string): StatusMark | null {
  const [, said, run = ''] = unsignedShape.exec(description) ?? []
  if (said === undefined) return null
  const record = { since: 0, until: 0, state: said === 'not sent' ? 'not-sent' : 'open' } as const
  return { record, run, follows: 'nothing', isSigned: false }
}

/** What earlier runs left of a run's request on a commit. @param marks the statuses of its step, newest first */
export function stateOfRun(run: string, marks: readonly StatusMark[]): Known {
  const own = marks.filter((mark) => mark.run === run)
  const last = own.find(({ isSigned }) => isSigned)
  if (last !== undefined) return { kind: 'record', record: last.record }
  // The last status signed with an earlier key is trusted if it says that nothing was sent. Any other status prevents a
  // new send.
  const isForeign = own[0] !== undefined && own[0].record.state !== 'not-sent'
  return { kind: isForeign ? 'foreign' : 'none' }
}
