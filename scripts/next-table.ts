/** What comes next for a request, as a table: rows of `next` in src/life/next.ts, for ARCHITECTURE.md. */
import type { Job } from '../src/core/job/job.ts'
import { type Found, fold, type State, type Statement } from '../src/life/entry.ts'
import { next, type PostStep, type Runner, type RunStep, type SettleStep } from '../src/life/next.ts'

const hourMs = 60 * 60_000

export const nextHead = ['highest entry', 'first run', 're-run', 'post step', 'settle']

interface Row {
  name: string
  entry: Partial<Statement> & { state: State }
}

const rows: Row[] = [
  { name: 'asked', entry: { state: 'asked' } },
  { name: 'open', entry: { state: 'open' } },
  { name: 'not sent', entry: { state: 'not-sent' } },
  { name: 'unconfirmed', entry: { state: 'unconfirmed' } },
  { name: 'job', entry: { state: 'job', job: 'J' } },
  { name: 'job, left by its run', entry: { state: 'job', job: 'J', isLeft: true } },
  { name: 'no changes', entry: { state: 'no-changes', job: 'J' } },
  { name: 'failed', entry: { state: 'failed', job: 'J' } },
  { name: 'archived without a pull request', entry: { state: 'archived', job: 'J' } },
  { name: 'pull request', entry: { state: 'pull-request', job: 'J', link: 'L' } },
  { name: 'error', entry: { state: 'error', job: 'J' } },
]

const job: Job = {
  id: 'J',
  status: 'completed',
  prLink: 'L',
  repository: null,
  ref: null,
  model: null,
  createdAt: null,
  archivedAt: null,
}

/** A row for each state: what a first run, its re-run, its post step and settle do. */
export function nextRows(): string[][] {
  return [
    ['nothing', ...stepsAfter([])],
    ...rows.map(({ name, entry }) => [name, ...stepsAfter(ledgerOf(entry))]),
  ]
}

function ledgerOf(entry: Row['entry']): Found[] {
  const times = { since: 0, until: hourMs, isLeft: false }
  return [
    {
      id: 1,
      isSigned: true,
      entry: { attempt: 1, writer: 'run', job: null, link: null, ...times, ...entry },
    },
  ]
}

function stepsAfter(found: Found[]): string[] {
  const known = (at: number) => fold(found, at)
  const run: Runner = { kind: 'run', writer: 'now', before: ['run'], isFirst: false, since: 0, opened: null }
  const state = found[0]?.entry.state ?? 'asked'
  const post = { kind: 'post', writer: 'run', since: 0, state, hasResult: false } as const
  const isOpened = false
  const seen = { job: { kind: 'read', job }, isOpened, canCheck: true, hasLeftovers: false } as const
  const settle = { kind: 'settle', since: 0, ...seen } as const
  return [
    found.length === 0 ? runText(next({ ...run, isFirst: true }, null)) : '',
    rerunText(next(run, known(0)), next(run, known(hourMs))),
    found.length === 0 ? '' : postText(next(post, known(hourMs))),
    settleText(next(settle, known(hourMs)), next(settle, known(2 * hourMs))),
  ]
}

function rerunText(first: RunStep, second: RunStep): string {
  return first.do === 'look' ? `looks again; ${runText(second)}` : runText(second)
}

function runText(step: RunStep): string {
  switch (step.do) {
    case 'open':
      return `records attempt ${step.attempt} and sends`
    case 'give-up':
      return 'ends as `unconfirmed`'
    case 'follow':
      return 'waits for the job'
    case 'repeat':
      return 'repeats the result'
    default:
      return step.do
  }
}

function postText(step: PostStep): string {
  if (step.do !== 'quit') return 'nothing'
  return { 'not-sent': 'says that nothing was sent', open: 'says that it is unclear', job: 'leaves the job' }[
    step.state
  ]
}

function settleText(early: SettleStep, late: SettleStep): string {
  if (late.do === 'leave') return 'nothing'
  const what = late.do === 'report' ? 'reports' : 'ends it'
  return early.do === 'leave' ? `after the run’s deadline: ${what}` : what
}
