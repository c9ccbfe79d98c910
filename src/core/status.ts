/** The mark of a commit: a commit status, whose description a person and a later run can both read. */
import type { MarkState, StepName } from './mark.ts'
import { cut, oneLine } from './text.ts'

/** What a status of ours says. */
export interface StatusMark {
  state: MarkState
  job: string | null
  /** `GITHUB_RUN_ID` of the run that asked; for `workflow_run`, of the run before. */
  run: string
}

/** GitHub's limit on a description, in characters. */
const descriptionLimit = 140
/** Characters kept for the words, and for what joins them to the rest. */
const leastWords = 20
/** What a context may take, so that it stays readable beside a commit. */
const contextLimit = 200

/** The context of a step's statuses: people see it beside the commit. */
export function statusContext({ workflow, job, step, matrixIndex }: StepName): string {
  const leg = matrixIndex === '' ? '' : ` (${matrixIndex})`
  return cut(oneLine(['Docs agent', workflow, job, `${step}${leg}`].join(' / '), 1000), contextLimit)
}

/** A description: words for a person, then what a later run reads. */
export function writeStatus(words: string, { state, job, run }: StatusMark, step: StepName): string {
  const end = ` · run ${run} · ${fingerprint(step)}`
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

/** Reads a status of a step; null if it is not one of this step. */
export function readStatus(
  { state, description }: { state: string; description: string },
  step: StepName,
): StatusMark | null {
  const [, said = '', job = null, run = '', of] =
    / · (job (\S+)|sending|not sent) · run (\d+) · ([0-9a-f]{8})$/.exec(description) ?? []
  if (of !== fingerprint(step)) return null
  if (job !== null) return { state: state === 'pending' ? 'job' : 'ended', job, run }
  return { state: said === 'sending' ? 'open' : 'not-sent', job: null, run }
}

/**
 * Tells projects and matrix legs apart without naming them: FNV-1a, 32 bits. Not a secret and no proof: only accounts
 * that can push can make a status, and only our own account's count.
 */
function fingerprint({ project, matrixIndex }: StepName): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(`${project}\n${matrixIndex}`))
    hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

/** What earlier runs left of a run's request on a commit, from its statuses, newest first. */
export function standingOfRun(
  run: string,
  marks: readonly StatusMark[],
): { kind: 'none' | 'open' } | { kind: 'job'; job: string } {
  const own = marks.filter((mark) => mark.run === run)
  const withJob = own.find(({ job }) => job !== null)
  if (withJob?.job) return { kind: 'job', job: withJob.job }
  return { kind: own[0]?.state === 'open' ? 'open' : 'none' }
}
