import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../core/samples.ts'
import { Calls, lost, type Mishap, refused } from './github.ts'
import {
  aChange,
  aPull,
  command,
  event,
  issue,
  label,
  linkOf,
  pullThread,
  Stage,
  type StepOptions,
} from './step.ts'

/** A flow: what happened before, the request with a mishap, and the next request. */
interface Flow {
  name: string
  before?: (stage: Stage) => Promise<unknown>
  request: (stage: Stage, options: StepOptions) => ReturnType<typeof command>
  next: (stage: Stage) => ReturnType<typeof command>
  /** Number of results of the request. */
  results: (stage: Stage) => number
  /** Number of comments that the action must leave after the next request. */
  leaves?: { thread: typeof issue; comments: number }
}

const results = (stage: Stage, thread = issue) =>
  stage.github.said(thread).filter((line) => line.startsWith('result:')).length
/** Results on a commit. That nothing was sent does not count. */
const statusOf = (head: string) => (stage: Stage) =>
  stage.github.told(head).filter((status) => !/^pending| · x\w/.test(status)).length
const agents = (stage: Stage, number: number) => {
  stage.github.pulls = [
    {
      number,
      author: 'mintlify[bot]',
      url: linkOf(number),
      isMerged: false,
      headCommit: 'aaaa',
      headRepository: 'acme/docs',
      mergeCommit: null,
    },
  ]
}
const wished = (options: StepOptions): StepOptions => ({
  ...options,
  inputs: { ...options.inputs, hold: 'merge', 'pull-request-labels': 'docs', reviewers: 'mona' },
})
const rolling = { 'open-limit': '1', 'on-open-limit': 'follow-up' }

const flows: Flow[] = [
  {
    name: 'a command',
    request: (stage, options) => command(stage, { comment: 1 }, options),
    next: (stage) => command(stage, { comment: 2 }, { run: '2' }),
    results,
    leaves: { thread: issue, comments: 2 },
  },
  {
    name: 'a second command',
    before: (stage) => command(stage, { comment: 1 }),
    request: (stage, options) => command(stage, { comment: 2 }, { ...options, run: '2' }),
    next: (stage) => command(stage, { comment: 3 }, { run: '3' }),
    results,
    leaves: { thread: issue, comments: 3 },
  },
  {
    name: 'a command after a job that failed',
    before: (stage) => {
      stage.platform.ends = ['failed', 'completed']
      return command(stage, { comment: 1 })
    },
    request: (stage, options) => command(stage, { comment: 2 }, { ...options, run: '2' }),
    next: (stage) => command(stage, { comment: 3 }, { run: '3' }),
    results,
    leaves: { thread: issue, comments: 3 },
  },
  {
    name: "a command on the agent's pull request",
    before: (stage) => command(stage, { comment: 1 }),
    request: (stage, options) =>
      command(stage, { comment: 2, thread: pullThread(101) }, { ...options, run: '2' }),
    next: (stage) => command(stage, { comment: 3, thread: pullThread(101) }, { run: '3' }),
    results: (stage) => results(stage, pullThread(101)),
    // Includes the comment on the agent's pull request.
    leaves: { thread: pullThread(101), comments: 3 },
  },
  {
    name: 'a command with labels, reviewers and a hold',
    before: async (stage) => {
      for (const number of [12, 101, 102]) stage.github.details[number] = aPull(number)
    },
    request: (stage, options) => command(stage, { comment: 1, thread: pullThread(12) }, wished(options)),
    next: (stage) => command(stage, { comment: 2, thread: pullThread(12) }, wished({ run: '2' })),
    results: (stage) => results(stage, pullThread(12)),
    leaves: { thread: pullThread(12), comments: 2 },
  },
  {
    name: 'a label',
    request: (stage, options) => label(stage, options),
    next: (stage) => command(stage, { comment: 2 }, { run: '2' }),
    results,
    leaves: { thread: issue, comments: 2 },
  },
  {
    name: 'a push',
    request: (stage, options) => event(stage, aChange('aaaa'), options),
    next: (stage) => event(stage, aChange('bbbb'), { run: '2' }),
    results: statusOf('aaaa'),
  },
  {
    name: 'a rolling push',
    before: async (stage) => {
      await event(stage, aChange('aaaa'))
      agents(stage, 101)
    },
    request: (stage, options) =>
      event(stage, aChange('bbbb'), { ...options, run: '2', inputs: { ...options.inputs, ...rolling } }),
    next: (stage) => event(stage, aChange('cccc'), { run: '3', inputs: rolling }),
    results: statusOf('bbbb'),
    leaves: { thread: pullThread(101), comments: 1 },
  },
]

/** A flow whose request was already carried out once, by a job that failed. Its re-run makes a new one. */
function afterFailure(flow: Flow): Flow {
  return {
    ...flow,
    name: `${flow.name}, again after its job failed`,
    before: async (stage) => {
      stage.platform.ends = ['failed', 'completed']
      await flow.request(stage, {})
    },
    request: (stage, options) => flow.request(stage, { ...options, isRerun: true }),
    // The follow-up of the failed job stays.
    ...(flow.leaves && { leaves: { ...flow.leaves, comments: flow.leaves.comments + 1 } }),
  }
}

interface Case {
  /** What happens to each run of the request in turn. The last run completes. */
  mishaps: { at: number; mishap: Mishap }[]
  hasPost: boolean
}

/** Runs the flow with a mishap in each run except the last, and then the next request. */
async function meet(flow: Flow, { mishaps, hasPost }: Case) {
  const stage = new Stage()
  await flow.before?.(stage)
  const before = stage.platform.sends.length
  const told = flow.results(stage)
  const outcomes: (string | undefined)[] = []
  for (const [run, { at, mishap }] of mishaps.entries()) {
    const calls = new Calls((number) => (number === at ? mishap : undefined))
    outcomes.push((await flow.request(stage, { calls, hasPost, isRerun: run > 0 })).result?.outcome)
  }
  const last = await flow.request(stage, { isRerun: true })
  const seen = {
    outcomes,
    outcome: last.result?.outcome,
    sends: stage.platform.sends.length - before,
    results: flow.results(stage) - told,
  }
  await flow.next(stage)
  const { thread = issue, comments = 0 } = flow.leaves ?? {}
  return { ...seen, comments: stage.github.said(thread).length - comments }
}

/**
 * Checks that nothing is sent twice, and that nothing unsent counts as sent; that a run that completes reports one
 * result; and that no comment is left over after the next request.
 * @param first how the first run ends
 */
async function check(flow: Flow, each: Case, first?: string) {
  const { outcomes, outcome, sends, ...rest } = await meet(flow, each)
  const isKnown = outcome === 'pull-request' ? sends === 1 : outcome === 'unconfirmed' && sends <= 1
  const expected = { isKnown: true, results: 1, comments: 0 }
  expect({ isKnown, ...rest }, `${JSON.stringify(each)}: ${outcome}, ${sends} sent`).toEqual(expected)
  if (first !== undefined) expect(outcomes[0]).toBe(first)
}

async function callsOf({ before, request }: Flow): Promise<string[]> {
  const stage = new Stage()
  await before?.(stage)
  return (await request(stage, {})).calls.made
}

const kills: Mishap[] = ['killed before', 'killed after']
const all = [...flows, ...flows.filter(({ before }) => before === undefined).map(afterFailure)]
const rows = (
  await Promise.all(
    all.map(async (flow) => {
      const calls = await callsOf(flow)
      return calls.map((call, at) => [flow.name, at + 1, call, flow, calls.indexOf('send') < at] as const)
    }),
  )
).flat()

describe('a run that is killed and then re-run', () => {
  it.each(rows)('%s: at call %i, %s', async (_, number, __, flow) => {
    for (const mishap of kills)
      for (const hasPost of [false, true])
        await check(flow, { mishaps: [{ at: number - 1, mishap }], hasPost })
  })
})

describe('a run that is killed and not re-run', () => {
  it.each(rows)('%s: at call %i, %s', async (_, number, __, flow) => {
    for (const mishap of kills)
      for (const hasPost of [false, true]) {
        const stage = new Stage()
        await flow.before?.(stage)
        const before = stage.platform.sends.length
        const calls = new Calls((index) => (index === number - 1 ? mishap : undefined))
        await flow.request(stage, { calls, hasPost })
        expect(stage.platform.sends.length - before).toBeLessThanOrEqual(1)
        // The next request is not delayed, and leaves at most one comment about the previous one.
        const { result } = await flow.next(stage)
        expect(result?.outcome).toBe('pull-request')
        const { thread = issue, comments = 0 } = flow.leaves ?? {}
        expect(stage.github.said(thread).length).toBeLessThanOrEqual(comments)
      }
  })
})

describe('a call that is rejected or whose response is lost, and then a re-run', () => {
  it.each(rows)('%s: call %i, %s', async (_, number, call, flow, isSent) => {
    // agent.test.ts covers the platform's responses.
    if (/^(send|read job)/.test(call)) return
    // Whatever GitHub does after the request is sent, the result is known.
    for (const mishap of [refused, lost])
      for (const hasPost of [false, true])
        await check(
          flow,
          { mishaps: [{ at: number - 1, mishap }], hasPost },
          isSent ? 'pull-request' : undefined,
        )
  })
})

it.each(flows.slice(0, 1))('$name: killed twice, at any two calls', async (flow) => {
  const call = fc.nat((await callsOf(flow)).length - 1)
  await fc.assert(
    fc.asyncProperty(call, call, fc.boolean(), async (first, second, hasPost) => {
      const mishaps = [first, second].map((at) => ({ at, mishap: 'killed after' as const }))
      await check(flow, { mishaps, hasPost })
    }),
    runs(60),
  )
})
