/** What is explored: who acts, what may go wrong, and how often. */
import { agentsPull, aPull } from '../run/step.ts'
import { command, event, post, type RunOptions, settling } from './actors.ts'
import { Moment, type Process } from './process.ts'
import { type Budget, explore, type Found, noBudget } from './search.ts'
import { codeNumber, repository, type Setting, type World } from './world.ts'

const minute = 60_000

/** The shortest wait in minutes before an actor starts, and the actor that must have ended before. */
type Start = [delay: number, after?: string]

export interface Scenario {
  name: string
  cast: Record<string, [run: Process, start?: Start, post?: Process]>
  requests: readonly string[]
  /** How much may go wrong, such as `kills 1, lags 2`. */
  budgets: readonly string[]
  /** Budgets that take a second each, so that `npm test` leaves them to `npm run test:slow`. */
  longer?: readonly string[]
  /** Budgets that tests do not explore, because they take too long. */
  more: readonly string[]
  ends?: Setting['ends']
  takes?: number
  /** Whether the agent's pull requests are in the workflow's repository, so that they get comments. */
  isHome?: boolean
  /** What people do to the code's pull request, in turn. */
  acts?: Setting['acts']
  /** The actors that meet no mishaps. */
  calm?: readonly string[]
}

const detached = { wait: false } as const
const quick = { poll: '5s' } as const
const second = { attempt: 2 } as const
const third = { attempt: 3 } as const
const onThread = ['comment:1']
const onCommit = ['run:1']
const failedFirst = ['failed', 'pull'] as const
const slowly = 'kills 1, lags 1, slow 1'
/** What may go wrong for runs that follow one another. */
const inTurn = ['faults 2', 'cancels 1, lags 1', 'cancels 1, kills 1']
const longInTurn = ['kills 2, lags 2', 'kills 1, faults 1']

/** What may go wrong in each scenario, besides its own budgets. */
const everywhere = ['replays 1', 'kills 1, replays 1', 'lags 1, replays 1', 'lags 1, faults 1']

/** All budgets of a scenario. */
export function budgetsOf({ budgets, longer = [], more }: Scenario) {
  return [...new Set([...budgets, ...longer, ...more, ...everywhere])]
}

/** What is the same on a thread and on a commit: runs that follow one another, and steps that overlap. */
function alike(
  name: string,
  place: string,
  run: (more: RunOptions) => Process,
  requests: readonly string[],
  { turns, ...budgets }: Record<'turns' | 'settles' | 'failed', Pick<Scenario, 'budgets' | 'more'>>,
): Scenario[] {
  const thrice: Scenario['cast'] = {
    run: [run(quick), [0], post],
    're-run': [run({ ...second, ...quick }), [0, 'run'], post],
    'third run': [run({ ...third, ...quick }), [0, 're-run'], post],
  }
  const cast: Scenario['cast'] = {
    run: [run(detached)],
    settle: [settling('21'), [20, 'run']],
    're-run': [run(second), [20, 'run']],
    'second settle': [settling('22'), [20, 'run']],
  }
  const overlapping = { cast, calm: ['run'], requests }
  const titled = `settles and a re-run on ${place}`
  return [
    { name: `${name} and its re-runs`, cast: thrice, requests, takes: 1, ...turns },
    { name: titled, ...overlapping, ...budgets.settles },
    { name: `${titled}, after a failed job`, ...overlapping, ends: failedFirst, ...budgets.failed },
  ]
}

const ask = (more: RunOptions) => command(1, more)
const push = (more: RunOptions) => event('1', more)

const twoRuns: Scenario = {
  name: 'two runs on one commit',
  cast: { one: [event('1', { poll: '180s' }), [0], post], two: [event('2', detached), [0], post] },
  requests: ['run:1', 'run:2'],
  takes: 3 * minute,
  budgets: ['lags 2, slow 1'],
  more: ['faults 1', 'kills 1'],
}

const oneSettle: Scenario['cast'] = {
  run: [command(1, { hold: 'merge' })],
  settle: [settling('21'), [0, 'run']],
}
const held: Omit<Scenario, 'budgets' | 'more'> = {
  name: 'a hold whose code is closed, reopened, stacked and merged',
  cast: { ...oneSettle, 'second settle': [settling('22'), [0, 'run']] },
  requests: onThread,
  isHome: true,
  acts: ['closed', 'open', 'stacked', 'merged'],
  calm: ['run'],
}

export const scenarios: readonly Scenario[] = [
  ...alike('a command', 'a thread', ask, onThread, {
    turns: {
      budgets: ['faults 1', 'kills 1', 'cancels 1, lags 1'],
      more: [...inTurn, ...longInTurn, 'kills 1, replays 1'],
    },
    settles: { budgets: [], more: ['lags 2', 'faults 1', slowly] },
    failed: { budgets: [], more: ['lags 1', 'faults 1', slowly] },
  }),
  ...alike('a push', 'a commit', push, onCommit, {
    turns: { budgets: [...inTurn, ...longInTurn, 'faults 1, replays 1'], more: [] },
    settles: { budgets: ['lags 2'], more: ['faults 1', 'replays 1', slowly] },
    failed: { budgets: ['lags 2'], more: ['faults 1', 'replays 1', slowly] },
  }),
  {
    name: 'a detached command, a failed job, and re-runs',
    cast: {
      run: [ask(detached), [0], post],
      settle: [settling('21'), [16, 'run']],
      're-run': [ask({ ...second, ...detached }), [16, 'run'], post],
      'third run': [ask({ ...third, ...detached }), [0, 're-run'], post],
    },
    requests: onThread,
    ends: failedFirst,
    budgets: [],
    longer: ['kills 1, lags 1'],
    more: ['faults 1', 'replays 1'],
  },
  {
    name: "a settle and a re-run that comment on the agent's pull request",
    cast: {
      run: [ask(detached)],
      settle: [settling('21'), [20, 'run']],
      're-run': [ask(second), [20, 'run']],
    },
    requests: onThread,
    isHome: true,
    budgets: ['lags 1'],
    more: [slowly, 'faults 1, kills 1'],
  },
  {
    name: 'a link that appears late',
    cast: {
      run: [ask({})],
      settle: [settling('21'), [40, 'run']],
      'second settle': [settling('22'), [40, 'run']],
    },
    requests: onThread,
    ends: ['late'],
    calm: ['run'],
    budgets: ['kills 1, lags 1', 'faults 1'],
    more: [],
  },
  {
    name: 'two commands at once',
    cast: { command: [command(1), [0], post], 'second command': [command(2), [0], post] },
    requests: ['comment:1', 'comment:2'],
    budgets: [],
    longer: ['lags 1'],
    more: ['kills 1', 'faults 1', 'cancels 1'],
  },
  twoRuns,
  {
    ...twoRuns,
    name: `${twoRuns.name}, of which one meets faults`,
    calm: ['two'],
    budgets: [],
    longer: ['faults 1'],
    more: [],
  },
  {
    name: 'two runs on one commit with a short job',
    cast: { one: [event('1', detached), [0], post], two: [event('2', quick), [0], post] },
    requests: ['run:1', 'run:2'],
    takes: 1,
    budgets: ['lags 1'],
    more: ['kills 1, lags 1', 'faults 1'],
  },
  {
    name: 'two runs of one upstream run, and a re-run',
    cast: {
      one: [event('1', { upstreamRun: 9 }), [0], post],
      two: [event('2', { upstreamRun: 9 }), [0], post],
      're-run': [event('1', { ...second, upstreamRun: 9 }), [0, 'one'], post],
    },
    requests: ['run:9'],
    budgets: ['lags 1, slow 1'],
    longer: ['replays 1'],
    more: ['kills 1', 'faults 1', 'cancels 1'],
  },
  { ...held, budgets: [], more: ['slow 0', 'lags 1', 'kills 1', 'faults 1'] },
  // The same in less than half the time: all that people do with one settle, or less of it with two.
  { ...held, name: `${held.name}, and one settle`, cast: oneSettle, budgets: ['lags 1'], more: [] },
  {
    ...held,
    name: 'a hold whose code is closed, reopened and merged',
    acts: ['closed', 'open', 'merged'],
    budgets: [],
    longer: ['slow 0'],
    more: [],
  },
]

const nothing = { comments: [], statuses: [], jobs: [], pulls: [], past: [], reports: [] }
const begin: World = { ...nothing, now: Date.UTC(2026, 10, 2, 10), broken: null, acts: 0, lastId: 5000 }

const pulls = [aPull(codeNumber, 'c1'), agentsPull(101)]

/** Actors that do the same as others. */
const twins: Record<string, string> = { 'second settle': 'settle', 'second command': 'command' }

/** Explores a scenario with a budget, and finds the shortest schedule that breaks an invariant. */
export function play(scenario: Scenario, chosen: string): Promise<Found> {
  const { cast, requests, ends = ['pull'], takes = minute, calm = [], isHome = false, acts = [] } = scenario
  const times = chosen.split(', ').map((each) => [each.split(' ')[0], Number(each.split(' ')[1])])
  const budget: Budget = { ...noBudget, ...Object.fromEntries(times) }
  const server = isHome ? 'github.com' : 'elsewhere.example'
  const linkOf = (job: number) => `https://${server}/${repository}/pull/${100 + job}`
  return explore({
    actors: Object.entries(cast).map(([name, [run, [delay, after = ''] = [0] as Start, post]]) => ({
      name,
      run: new Moment(run),
      post: post && new Moment(post),
      before: Object.keys(cast).indexOf(after),
      delay: delay * minute,
      isCalm: calm.includes(name),
      twin: Object.keys(cast).indexOf(twins[name] ?? ''),
    })),
    budget,
    begin: isHome ? { ...begin, pulls } : begin,
    setting: { ends, takes, linkOf, requests, acts, faults: budget.faults },
    last: new Moment(settling('99')),
  })
}
