/** The mark of a commit: a commit status, whose description a person and a later run can both read. */

import { isPathSegment } from './job/job.ts'
import { fingerprint, type MarkState, type StepName } from './mark.ts'
import { cut, oneLine } from './text.ts'

/** What a status of the action says. */
export interface StatusMark {
  state: MarkState
  job: string | null
  /** `GITHUB_RUN_ID` of the run that asked; for `workflow_run`, of the run before. */
  run: string
}

/** Whose status it is. */
export interface StatusOwner {
  project: string
  /** Whether the docs are to follow the commit itself: not on a schedule, say, which only needs a commit to be marked on. */
  hasChange: boolean
}

/** GitHub's limit on a description, in characters. */
const descriptionLimit = 140
/** Characters kept for the words, and for what joins them to the rest. */
const leastWords = 20
/** What a context may take, so that it stays readable beside a commit. */
const contextLimit = 200

const contextStart = 'Docs agent / '

/** The context of a step's statuses: people see it beside the commit. */
export function statusContext({ workflow, job, step, matrixIndex }: StepName): string {
  // The only leg of a job without a matrix has the index 0, too.
  const leg = matrixIndex === '' || matrixIndex === '0' ? '' : ` (${matrixIndex})`
  const name = [workflow, job, `${step}${leg}`].join(' / ')
  const context = `${contextStart}${oneLine(name, 1000)}`
  if (context.length <= contextLimit) return context
  // Names that differ only in what is cut must not share a context.
  const end = ` ${fingerprint(name)}`
  return `${cut(context, contextLimit - end.length)}${end}`
}

/** Whether a context is one of the action's steps. */
export function isOwnContext(context: string): boolean {
  return context.startsWith(contextStart)
}

/** A short name of the step that a context belongs to, for comments about the same commit. */
export function stepOfContext(context: string, project: string): string {
  return fingerprint(`${project}\n${context}`)
}

/** A description: words for a person, then what a later run reads. */
export function writeStatus(words: string, { state, job, run }: StatusMark, owner: StatusOwner): string {
  const end = ` · run ${run} · ${nameOf(owner)}`
  // An id too long for a description leaves the mark open: a re-run then sends nothing, rather than the same twice.
  const isTold = job !== null && job.length + end.length <= descriptionLimit - leastWords
  const tail = ` · ${isTold ? `job ${job}` : plainStates[job === null ? state : 'open']}${end}`
  return `${cut(oneLine(words), descriptionLimit - tail.length)}${tail}`
}

const plainStates: Record<MarkState, string> = {
  open: 'sending',
  job: 'sending',
  ended: 'not sent',
  'not-sent': 'not sent',
}

/** Tells owners apart without naming the project. */
function nameOf({ project, hasChange }: StatusOwner): string {
  return fingerprint(hasChange ? project : `${project}\nwithout a change`)
}

/** Reads a status; null if it is none of the project's. */
export function readStatus(
  { state, description }: { state: string; description: string },
  project: string,
): (StatusMark & StatusOwner) | null {
  const [, said = '', job = null, run = '', name] =
    / · (job (\S+)|sending|not sent) · run (\d+) · ([0-9a-f]{8})$/.exec(description) ?? []
  const hasChange = name === nameOf({ project, hasChange: true })
  if (!hasChange && name !== nameOf({ project, hasChange: false })) return null
  const whose = { project, hasChange, run }
  if (job !== null && !isPathSegment(job)) return null
  if (job !== null) return { state: state === 'pending' ? 'job' : 'ended', job, ...whose }
  return { state: said === 'sending' ? 'open' : 'not-sent', job: null, ...whose }
}

/** What earlier runs left of a run's request on a commit. `isOpen`: it may have been sent again after that job. */
export type StandingOfRun = { kind: 'none' | 'open' } | { kind: 'job'; job: string; isOpen: boolean }

/** Reads it from the commit's statuses, newest first. */
export function standingOfRun(run: string, marks: readonly StatusMark[]): StandingOfRun {
  const own = marks.filter((mark) => mark.run === run)
  const isOpen = own[0]?.state === 'open'
  const withJob = own.find(({ job }) => job !== null)
  if (withJob?.job) return { kind: 'job', job: withJob.job, isOpen }
  return { kind: isOpen ? 'open' : 'none' }
}
