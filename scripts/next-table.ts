/** What comes next for a request, as a table: rows of `next` in src/record/next.ts, for ARCHITECTURE.md. */
import { recordedJob } from '../src/core/job.ts'
import { type FoundEntry, progressAt, type State } from '../src/record/entry.ts'
import { next, type Step } from '../src/record/next.ts'

const hourMs = 60 * 60_000

export const nextHead = ['highest entry', 'first run', 're-run', 'post step', 'settle']

/** The rows, with their names. `out-of-bounds` is like `pull-request`. `left`: a job that its run left. */
const rows: Record<Exclude<State, 'out-of-bounds'> | 'left', string> = {
  asked: 'asked',
  open: 'open (about to be sent, or sent)',
  'not-sent': 'not sent',
  unconfirmed: 'unconfirmed',
  job: 'job',
  left: 'job, whose run has ended',
  'no-changes': 'no changes',
  failed: 'failed',
  archived: 'archived without a pull request',
  'pull-request': 'pull request',
  error: 'error',
}

/** A row for each state: what a first run, its re-run, its post step and settle do. */
export function nextRows(): string[][] {
  const own = { writer: 'now', attempt: 1, state: 'asked', since: 0 } as const
  const run = { ...own, before: ['run'], waits: true, openedAt: null, isSender: true }
  const first = [next.run({ ...run, isFirst: true }, null), ...rerun([])].map(runText)
  return [
    ['nothing', first[0] ?? '', first.slice(1).join('; '), '', settleText([])],
    ...Object.entries(rows).map(([row, name]) => {
      const state = (row === 'left' ? 'job' : row) as State
      const found = [entryOf(state, row === 'left')]
      const post = { writer: 'run', since: 0, state, hasResult: false } as const
      const steps = rerun(found).map(runText).join('; ')
      return [name, '', steps, postText(next.post(post, progressAt(found, hourMs))), settleText(found)]
    }),
  ]

  /** What a re-run does; if it looks again, also what it does then. */
  function rerun(found: FoundEntry[]): Step[] {
    const step = next.run({ ...run, isFirst: false }, progressAt(found, 0))
    return step.do === 'look'
      ? [step, next.run({ ...run, isFirst: false }, progressAt(found, hourMs))]
      : [step]
  }
}

function entryOf(state: State, isLeft: boolean): FoundEntry {
  const link = state === 'pull-request' ? 'L' : null
  const job = ['asked', 'open', 'not-sent', 'unconfirmed'].includes(state) ? null : 'J'
  const times = { since: 0, until: hourMs }
  return {
    id: 1,
    isSigned: true,
    accounts: null,
    entry: { attempt: 1, writer: 'run', state, isLeft, job, link, ...times },
  }
}

function runText(step: Step): string {
  if (step.do === 'open') return `records attempt ${step.attempt} and sends`
  const texts: Partial<Record<Step['do'], string>> = {
    look: 'looks again',
    'give-up': 'ends as `unconfirmed`',
    wait: 'waits for the job',
    repeat: 'repeats the result',
  }
  return texts[step.do] ?? step.do
}

function postText(step: Step): string {
  if (step.do !== 'quit') return 'nothing'
  const texts = {
    'not-sent': 'says that nothing was sent',
    open: 'says that it is unclear',
    job: 'states that the run has ended',
  }
  return texts[step.state]
}

function settleText(found: FoundEntry[]): string {
  const job = { ...recordedJob('J', 'L'), status: 'completed' }
  const seen = {
    poll: { ok: true, value: job },
    isOpened: false,
    canCheck: true,
    hasLeftovers: false,
  } as const
  const settle = { since: 0, ...seen } as const
  const [early, late] = [hourMs, 2 * hourMs].map((at): Step => next.settle(settle, progressAt(found, at)))
  if (late === undefined || late.do === 'leave') return 'nothing'
  const reports = found[0]?.entry.state === 'no-changes' ? 'reports a late pull request' : 'reports'
  const what = late.do === 'end' && late.why === null ? reports : 'ends it'
  return early?.do === 'leave' ? `after the run’s deadline: ${what}` : what
}
