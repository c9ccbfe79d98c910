/** The invariants, judged by what people see, and by the record as the code itself reads it. */
import { holdContext } from '../../src/core/hold.ts'
import { threadName } from '../../src/core/thread.ts'
import type { CommitStatus } from '../../src/ports.ts'
import { latest, type StoredPull, type StoredStatus, viewer } from '../github.ts'
import { recorded } from './actors.ts'
import type { Call } from './process.ts'
import type { At } from './search.ts'
import type { Recorded, Setting, World } from './world.ts'
import { codeNumber, hasFailed, isFor } from './world.ts'

/** What people read in the first line of a comment, or in a status. See `words` in actors.ts. */
export interface Said {
  kind: 'working' | 'unfinished' | 'result'
  about: string
  outcome: string
  job: string
}

/** Reads what people read; null for anything else. */
function said(text: string): Said | null {
  const [, kind, about = '', outcome = '', job = ''] =
    /^(working|unfinished|result)(?: on (\S+?))?(?:: (\S+)(?: (job_\d+))?)?(?:\s|$)/.exec(text) ?? []
  return kind === undefined ? null : { kind: kind as Said['kind'], about, outcome, job }
}

export const invariants = {
  oneJob: 'At most one job for an attempt, and no attempt while the one before can still succeed',
  recorded: 'Nothing is sent before the record says so',
  once: 'A result is reported at most once, unless two reporters overlap',
  oneMessage: 'After the next settle, one message is left for a result',
  lowered: 'A state is never lowered',
  ends: 'Every record comes to an end, or is found by settle',
  known: 'A job that its step knew is reported if the step or its post step ended',
  others: "No other account's comment is edited, hidden, or deleted",
  gone: 'A job that exists is never reported as gone',
  quiet: 'A run that begins after the result was reported does not say that the agent is working',
  held: 'A hold is lifted only after its condition is met, and follows its code',
  soon: 'A cancelled step makes at most seven more calls',
} as const

/** All calls to GitHub after a cancel have 8.5 seconds, so each of these can take 1.2 seconds. */
const mostLate = 7

/** What is wrong with the steps, whatever people see. */
export function judgeSteps(places: At['places']): string | null {
  const isLate = places.some(({ moment }) => moment !== null && moment.late > mostLate)
  return isLate ? invariants.soon : null
}

/** What a settle, two days after everything, must leave. `ended`: the actors that were not lost with their machine. */
export function audit(
  { jobs, comments, statuses, pulls, now }: World,
  ended: readonly number[],
  { requests, faults }: Setting,
): string | null {
  const visible = comments.filter(({ author, isHidden, isCopy }) => author === viewer && !isHidden && !isCopy)
  const messages = visible.flatMap(({ body }) => said(body) ?? [])
  const shown = latest(statuses)
  const results = [
    ...messages,
    ...statuses.flatMap(({ state, description }) => (state === 'pending' ? [] : (said(description) ?? []))),
  ]
  const unreported = jobs.flatMap(({ id, sent }) => {
    const own = results.filter(({ kind, job }) => kind === 'result' && job === id)
    return sent.filter(({ request }) => !own.some(({ about }) => about === '' || about === request))
  })
  if (unreported.some(({ isRecorded }) => isRecorded)) return invariants.ends
  // Only one failed call must not lose a job.
  const isKnown = ({ knownBy }: { knownBy: number | null }) => knownBy !== null && ended.includes(knownBy)
  if (faults < 2 && unreported.some(isKnown)) return invariants.known
  const isPending = ({ state, context }: StoredStatus) => state === 'pending' && context !== holdContext
  if (messages.some(({ kind }) => kind !== 'result') || shown.some(isPending)) return invariants.ends
  for (const request of requests) {
    const attempts = jobs.filter((job) => isFor(request)(job) && hasFailed(job, now)).length
    if (messages.filter(({ about }) => about === request).length > attempts + 1) return invariants.oneMessage
  }
  const hold = shown.find(({ context }) => context === holdContext)
  if (hold !== undefined && hold.state !== holdStates[stateOfCode(pulls)]) return invariants.held
  const notes = visible
    .filter(({ body }) => said(body) === null)
    .map(({ thread, body }) => `${threadName(thread)} ${body.split(' ', 2).join(' ')}`)
  return new Set(notes).size < notes.length ? invariants.oneMessage : null
}

/** The status of a hold, by the state of the code's pull request. */
const holdStates = { open: 'pending', merged: 'success', closed: 'failure' } as const

function stateOfCode(pulls: World['pulls']): StoredPull['state'] {
  const code = pulls.find(({ number }) => number === codeNumber)
  if (code === undefined || code.base !== 'main') return 'open'
  return code.state
}

/** A write, and who made it. */
export type Write = Call & Pick<At, 'actor' | 'places'>

/** Applies a write, and notes what people and the record say after it. */
export function judge(before: World, changed: Partial<World>, write: Write, setting: Setting): World {
  const { comments, statuses, now } = before
  const past = [...before.past, { comments, statuses, until: now }]
  const after: World = { ...before, ...changed, past }
  const message = said(textOf(write))
  const wrong = [
    wrongIn(write, message, before),
    noteRecords(before, after, setting),
    noteReport(message, write, before, after),
    isLoud(message, write, before) ? invariants.quiet : null,
  ]
  after.broken = wrong.find((each) => each !== null) ?? null
  return after
}

function textOf({ name, args }: Write): string {
  return name === 'setStatus' ? (args[2] as CommitStatus).description : String(args.at(-1))
}

function wrongIn(write: Write, message: Said | null, { comments, pulls }: World): string | null {
  const { name, args } = write
  const isLifted = /^(hold: lifted$|released )/.test(textOf(write))
  if (isLifted && stateOfCode(pulls) !== 'merged') return invariants.held
  const changed = comments.find(({ id, nodeId }) => (name === 'hide' ? nodeId === args[0] : id === args[1]))
  const isChange = name === 'edit' || name === 'remove' || name === 'hide'
  if (isChange && changed !== undefined && changed.author !== viewer) return invariants.others
  const isGone = message?.kind === 'result' && message.outcome === 'error' && message.job !== ''
  return isGone ? invariants.gone : null
}

function noteRecords(before: World, after: World, { requests }: Setting): string | null {
  for (const request of requests) {
    const [was, is] = [recorded(request, before), recorded(request, after)]
    if (isLowered(was, is, before)) return invariants.lowered
    if (is.job === was.job) continue
    after.jobs = after.jobs.map((job) => {
      const isNoted = (about: string) => job.id === is.job && about === request
      return {
        ...job,
        sent: job.sent.map((each) => ({ ...each, isRecorded: each.isRecorded || isNoted(each.request) })),
      }
    })
  }
  return null
}

/** Notes a result in a new comment, which people get as mail. */
function noteReport(
  message: Said | null,
  { name, actor, places }: Write,
  { reports }: World,
  after: World,
): string | null {
  const isUnsent = message?.job === '' && message.outcome !== 'unconfirmed'
  if (name !== 'reply' || message?.kind !== 'result' || isUnsent) return null
  const { about, job, outcome } = message
  const first = reports.find((each) => each.about === about && each.job === job && each.outcome === outcome)
  if (first !== undefined) return first.beside.includes(actor) ? null : invariants.once
  const beside = places.flatMap(({ moment }, other) => (moment !== null && other !== actor ? [other] : []))
  after.reports = [...reports, { about, job, outcome, beside }]
  return null
}

function isLoud(message: Said | null, { actor }: Write, { jobs, reports, now }: World): boolean {
  if (message === null || message.kind === 'result') return false
  const over = jobs.filter((job) => !hasFailed(job, now)).map(({ id }) => id)
  return reports.some(
    ({ about, job, beside }) => about === message.about && over.includes(job) && !beside.includes(actor),
  )
}

/** A job stays known until it ended without a result; a reported result stays reported. */
function isLowered(was: Recorded, is: Recorded, { jobs, now }: World): boolean {
  if (was.job === null || (was.state !== 'job' && was.state !== 'ended')) return false
  const job = jobs.find(({ id }) => id === was.job)
  if (job !== undefined && hasFailed(job, now)) return false
  return is.job !== was.job || (was.state === 'ended' && is.state !== 'ended')
}
