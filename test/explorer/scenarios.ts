/** What is explored: who acts, what may go wrong, and how often. */
import { command, event, post, recorded, settling } from './actors.ts'
import { answers, elapse, isLocal, keyOf, others, show } from './calls.ts'
import { audit, invariants } from './judge.ts'
import { ProcessTree } from './process.ts'
import { type Actor, alone, type Budget, explore, type Found, type Model } from './search.ts'
import { repository, type Setting, type World } from './world.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** The shortest wait in minutes before an actor starts, and the actor that must have ended before. */
type Start = [delay: number, after?: string]
type Cast = Record<string, [run: Actor['run'], start?: Start, post?: Actor['post']]>

export interface Scenario {
  name: string
  cast: Cast
  requests: readonly string[]
  budget?: Partial<Budget>
  /** The budget of `npm run explore`, if it is larger. */
  more?: Partial<Budget>
  ends?: Setting['ends']
  takes?: number
  /** Whether the agent's pull requests are in the workflow's repository, so that they get comments. */
  isHome?: boolean
  /** The actors that meet no mishaps. */
  calm?: readonly string[]
  /** The invariant that does not hold. */
  fails?: keyof typeof invariants
}

const detached = { wait: false } as const
const again = { isRerun: true } as const

/** The scenarios. Those with `fails` break, with the smallest budget that shows it. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a command is killed, and run again, twice',
    cast: {
      run: [command(1)],
      're-run': [command(1, again), [1, 'run']],
      'third run': [command(1, again), [1, 're-run']],
    },
    requests: ['comment:1'],
    budget: { kills: 2 },
    more: { kills: 2, lags: 1 },
  },
  {
    name: 'a command is killed, has a post step, and runs again',
    cast: { run: [command(1), [0], post], 're-run': [command(1, again), [1, 'run'], post] },
    requests: ['comment:1'],
    budget: { kills: 1, lags: 1 },
  },
  {
    name: 'a call of a command goes wrong',
    cast: { run: [command(1), [0], post], 're-run': [command(1, again), [1, 'run'], post] },
    requests: ['comment:1'],
    budget: { faults: 1 },
    more: { faults: 1, lags: 1 },
  },
  {
    name: 'two commands at once',
    cast: { one: [command(1)], two: [command(2)] },
    requests: ['comment:1', 'comment:2'],
    budget: { lags: 1 },
    more: { kills: 1 },
  },
  {
    name: 'a command races settle',
    cast: { run: [command(1)], settle: [settling], 'second settle': [settling, [75]] },
    requests: ['comment:1'],
    budget: { lags: 1 },
    more: { lags: 2 },
  },
  {
    name: 'a push is killed, and run again',
    cast: { run: [event('1')], 're-run': [event('1', again), [1, 'run']] },
    requests: ['run:1'],
    budget: { kills: 1, lags: 1 },
    more: { kills: 1, lags: 2 },
  },
  {
    name: 'two settles at once on a commit',
    cast: { run: [event('1', detached)], settle: [settling, [20]], 'second settle': [settling, [20]] },
    calm: ['run'],
    requests: ['run:1'],
    budget: { lags: 1 },
    more: { kills: 1, lags: 1 },
  },
  {
    name: "V1: a later run hides an earlier run's job for good",
    cast: { push: [event('1', detached)], 'pull request': [event('2', { eventName: 'pull_request' })] },
    requests: ['run:1', 'run:2'],
    fails: 'ends',
  },
  {
    name: 'V2: a re-run of a failed job gets a stale list, then a fresh one; its record is hidden',
    cast: {
      run: [command(1, detached)],
      settle: [settling, [20, 'run']],
      're-run': [command(1, { ...again, ...detached }), [20, 'run']],
    },
    requests: ['comment:1'],
    ends: ['failed', 'pull'],
    budget: { lags: 1 },
    fails: 'recorded',
  },
  {
    name: 'V2: … and the next re-run sends again',
    cast: {
      run: [command(1, detached)],
      settle: [settling, [20, 'run']],
      're-run': [command(1, { ...again, ...detached }), [20, 'run']],
      'third run': [command(1, { ...again, ...detached }), [20, 're-run']],
    },
    requests: ['comment:1'],
    ends: ['failed', 'pull'],
    budget: { lags: 1 },
    fails: 'oneJob',
  },
  {
    name: 'V3: a rejected result turns the working comment into the result, and a re-run writes over it',
    cast: {
      run: [command(1, detached)],
      settle: [settling, [20, 'run']],
      're-run': [command(1, again), [20, 'run']],
    },
    requests: ['comment:1'],
    budget: { faults: 1 },
    fails: 'lowered',
  },
  {
    name: "V4: a re-run and a settle overlap, and both comment on the agent's pull request",
    cast: {
      run: [command(1, detached)],
      settle: [settling, [20, 'run']],
      're-run': [command(1, again), [20, 'run']],
    },
    requests: ['comment:1'],
    isHome: true,
    budget: { slow: 1 },
    fails: 'oneMessage',
  },
  {
    name: 'V6: two runs of one upstream run',
    cast: { one: [event('1', { upstreamRun: 9 })], other: [event('2', { upstreamRun: 9 })] },
    requests: ['run:9'],
    fails: 'oneJob',
  },
  {
    name: 'V7: a run is killed after it reported that nothing was sent',
    cast: { run: [command(1)] },
    requests: ['comment:1'],
    budget: { kills: 1, faults: 1 },
    fails: 'ends',
  },
  {
    name: 'V8: the response to a result is lost, and then a list is rejected',
    cast: { run: [command(1, detached)], settle: [settling, [20, 'run']] },
    requests: ['comment:1'],
    calm: ['run'],
    budget: { faults: 2 },
    fails: 'oneMessage',
  },
  {
    name: 'V9: someone posts an older status again',
    cast: {
      run: [event('1')],
      're-run': [event('1', again), [0, 'run']],
      'third run': [event('1', again), [0, 're-run']],
    },
    requests: ['run:1'],
    budget: { faults: 1, replays: 1 },
    fails: 'lowered',
  },
  {
    name: 'V10: one 404 from Mintlify is final',
    cast: { run: [command(1, detached)], settle: [settling, [20, 'run']] },
    requests: ['comment:1'],
    budget: { faults: 1 },
    fails: 'gone',
  },
  {
    name: 'V11: a run on a commit is killed once it knows its job',
    cast: { run: [event('1'), [0], post] },
    requests: ['run:1'],
    budget: { kills: 1 },
    fails: 'known',
  },
  {
    name: 'V13: a context that a run moved away from stays pending',
    cast: {
      push: [event('1', detached)],
      'pull request': [event('2', { eventName: 'pull_request', poll: '5s' })],
    },
    requests: ['run:1', 'run:2'],
    takes: 1,
    budget: { lags: 1 },
    fails: 'ends',
  },
  {
    name: "V14: a run is killed between posting and binding its comment on the agent's pull request",
    cast: { run: [command(1)] },
    requests: ['comment:1'],
    isHome: true,
    budget: { kills: 1 },
    fails: 'oneMessage',
  },
]

const begin: World = {
  now: Date.UTC(2026, 10, 2, 10),
  broken: null,
  comments: [],
  statuses: [],
  jobs: [],
  lastId: 5000,
  past: [],
  reports: [],
}

function modelOf({
  cast,
  requests,
  budget,
  ends = ['pull'],
  takes = minute,
  calm = [],
  isHome = false,
}: Scenario): Model<World> {
  const linkOf = (job: number) =>
    `https://${isHome ? 'github.com' : 'elsewhere.example'}/${repository}/pull/${100 + job}`
  const setting: Setting = { ends, takes, linkOf, requests, recorded }
  const last = new ProcessTree(settling)
  const model: Model<World> = {
    actors: Object.entries(cast).map(([name, [run, [delay, after] = [0] as Start, post]]) => ({
      name,
      run,
      isCalm: calm.includes(name),
      delay: delay * minute,
      ...(post && { post }),
      ...(after && { after }),
    })),
    budget: { kills: 0, faults: 0, lags: 0, replays: 0, slow: 0, ...budget },
    begin,
    answers: (world, call, at) => answers(world, call, at, setting),
    isLocal,
    show,
    others: (world) => others(world, setting),
    elapse,
    key: keyOf,
    async audit(world, places) {
      const later = await alone(last, elapse(world, world.now + 2 * day, false), model)
      if (later.broken !== null) return later.broken
      const ended = [...places.keys()].filter((actor) => places[actor]?.stage === 'ended')
      return audit(later, ended, setting)
    },
  }
  return model
}

/** Explores a scenario, and finds the shortest schedule that breaks an invariant. */
export function play(scenario: Scenario): Promise<Found> {
  const { fails } = scenario
  const isWanted = (invariant: string) => fails === undefined || invariant === invariants[fails]
  return explore(modelOf(scenario), isWanted)
}
