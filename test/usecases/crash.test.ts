import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../core/samples.ts'
import { Calls, lost, type Mishap, rejected } from './github.ts'
import {
  aChange,
  agentsPull,
  aPull,
  command,
  event,
  issue,
  label,
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
/** Number of results on a commit. A status that says that nothing was sent is not a result. */
const statusOf = (head: string) => (stage: Stage) =>
  stage.github.told(head).filter((status) => !/^pending| · x\w/.test(status)).length
const wished = (options: StepOptions): StepOptions => ({
  ...options,
  inputs: { ...options.inputs, hold: 'merge', 'pull-request-labels': 'docs', reviewers: 'mona' },
})
const rolling = { 'open-limit': '1' }

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
    // Includes the comment that says what the pull request documents.
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
      stage.github.pulls = [agentsPull(101)]
    },
    request: (stage, options) =>
      event(stage, aChange('bbbb'), { ...options, run: '2', inputs: { ...options.inputs, ...rolling } }),
    next: (stage) => event(stage, aChange('cccc'), { run: '3', inputs: rolling }),
    results: statusOf('bbbb'),
    leaves: { thread: pullThread(101), comments: 1 },
  },
]

/** A flow whose request was already carried out once, by a job that failed. Its re-run makes a new job. */
function afterFailure(flow: Flow): Flow {
  return {
    ...flow,
    name: `${flow.name}, again after its job failed`,
    before: async (stage) => {
      stage.platform.ends = ['failed', 'completed']
      await flow.request(stage, {})
    },
    request: (stage, options) => flow.request(stage, { ...options, isRerun: true }),
    // The comment with the failed job's result stays.
    ...(flow.leaves && { leaves: { ...flow.leaves, comments: flow.leaves.comments + 1 } }),
  }
}

/** What a run of the request left. */
interface Left {
  /** The mishap, and the call at which it happened. */
  after: string
  saved: Buffer
  outcome: string | undefined
  /** Whether the request had been sent before. */
  isSent: boolean
}

/** Every distinct state in which a run of the request can end if one of the mishaps hits one of these calls. */
async function leftBy(flow: Flow, mishaps: Mishap[], calls: RegExp, begun: Buffer): Promise<Left[]> {
  const { made } = (await flow.request(Stage.from(begun), {})).calls
  const left = new Map<string, Left>()
  for (const [at, call] of made.entries()) {
    if (!calls.test(call)) continue
    for (const mishap of mishaps)
      for (const hasPost of [true, false]) {
        const stage = Stage.from(begun)
        const options = { calls: new Calls((number) => (number === at ? mishap : undefined)), hasPost }
        const { result, saved } = await flow.request(stage, options)
        const state = { saved: stage.save(), outcome: result?.outcome, isSent: made.indexOf('send') < at }
        const after = `${JSON.stringify(mishap)} at call ${at + 1}, ${call}`
        left.set(`${state.outcome} ${state.isSent} ${state.saved.toString('latin1')}`, { after, ...state })
        // No state was saved, so the post step would change nothing.
        if (saved === null) break
      }
  }
  return [...left.values()]
}

async function begin({ before }: Flow): Promise<Buffer> {
  const stage = new Stage()
  await before?.(stage)
  return stage.save()
}

const sendsOf = (saved: Buffer) => Stage.from(saved).platform.sends.length

/**
 * Checks that a re-run sends a request only if it was not sent before, and reports exactly one result, and that no
 * comment is left over after the next request.
 */
async function checkRerun(flow: Flow, { after, saved }: Pick<Left, 'after' | 'saved'>, begun: Buffer) {
  const stage = Stage.from(saved)
  const last = await flow.request(stage, { isRerun: true })
  const sends = stage.platform.sends.length - sendsOf(begun)
  const results = flow.results(stage) - flow.results(Stage.from(begun))
  await flow.next(stage)
  const { thread = issue, comments = 0 } = flow.leaves ?? {}
  const outcome = last.result?.outcome
  const seen = {
    isKnown: outcome === 'pull-request' ? sends === 1 : outcome === 'unconfirmed' && sends <= 1,
    results,
    comments: stage.github.said(thread).length - comments,
  }
  expect(seen, `${after}: ${outcome}, ${sends} sent`).toEqual({ isKnown: true, results: 1, comments: 0 })
}

/** Checks that the next request succeeds without a re-run of this one, and that no comment is left over after it. */
async function checkNext(flow: Flow, { after, saved }: Left, begun: Buffer) {
  expect(sendsOf(saved) - sendsOf(begun), after).toBeLessThanOrEqual(1)
  const stage = Stage.from(saved)
  const { result } = await flow.next(stage)
  expect(result?.outcome, after).toBe('pull-request')
  const { thread = issue, comments = 0 } = flow.leaves ?? {}
  expect(stage.github.said(thread).length, after).toBeLessThanOrEqual(comments)
}

const kills: Mishap[] = ['killed before', 'killed after']
const all = [...flows, ...flows.filter(({ before }) => before === undefined).map(afterFailure)]

describe.each(all)('$name:', (flow) => {
  it('a run that is killed at any call sends nothing twice, with or without a re-run', async () => {
    const begun = await begin(flow)
    const states = await leftBy(flow, kills, /./, begun)
    expect(states.length).toBeGreaterThan(5)
    for (const left of states) {
      await checkRerun(flow, left, begun)
      await checkNext(flow, left, begun)
    }
  })

  it('a re-run sends nothing twice if any call to GitHub was rejected or lost its response', async () => {
    const begun = await begin(flow)
    // agent.test.ts covers the platform's responses.
    const states = await leftBy(flow, [rejected, lost], /^(?!send|read job)/, begun)
    expect(states.length).toBeGreaterThan(5)
    for (const left of states) {
      await checkRerun(flow, left, begun)
      // Whatever GitHub does after the request is sent, the result is known.
      if (left.isSent) expect(left.outcome, left.after).toBe('pull-request')
    }
  })

  it('a re-run sends nothing twice after GitHub rejects any call of an earlier re-run', async () => {
    const begun = await begin(flow)
    const stage = Stage.from(begun)
    let isSent = false
    const untilSent = new Calls((_, name) => {
      isSent ||= name === 'send'
      return isSent && name === 'read job' ? 'killed before' : undefined
    })
    await flow.request(stage, { calls: untilSent, hasPost: false })
    const again: Flow = {
      ...flow,
      request: (on, options) => flow.request(on, { ...options, isRerun: true }),
    }
    const states = await leftBy(again, [rejected, lost], /^(?!send|read job)/, stage.save())
    expect(states.length).toBeGreaterThan(2)
    for (const left of states) await checkRerun(flow, left, begun)
  })

  it('a re-run sends nothing twice after an earlier re-run whose first list lagged and whose second list GitHub rejected', async () => {
    const begun = await begin(flow)
    const stage = Stage.from(begun)
    await flow.request(stage, { inputs: { wait: 'false' } })
    let looks = 0
    const calls = new Calls((_, name) => {
      if (name !== 'comments' && name !== 'statuses') return undefined
      stage.github.lag = ++looks === 1 ? () => 10_000 : () => 0
      return looks === 2 ? rejected : undefined
    })
    const { result } = await flow.request(stage, { isRerun: true, calls })
    expect(result?.outcome).toBe('error')
    stage.github.lag = () => 0
    await checkRerun(flow, { after: 'a rejected look', saved: stage.save() }, begun)
  })
})

it.each(flows.slice(0, 1))(
  '$name: a re-run sends nothing twice after kills at any two calls',
  async (flow) => {
    const begun = await begin(flow)
    const call = fc.nat((await flow.request(Stage.from(begun), {})).calls.made.length - 1)
    await fc.assert(
      fc.asyncProperty(call, call, fc.boolean(), async (first, second, hasPost) => {
        const stage = Stage.from(begun)
        for (const [run, at] of [first, second].entries()) {
          const calls = new Calls((number) => (number === at ? 'killed after' : undefined))
          await flow.request(stage, { calls, hasPost, isRerun: run > 0 })
        }
        await checkRerun(flow, { after: `killed after ${first} and ${second}`, saved: stage.save() }, begun)
      }),
      runs(30),
    )
  },
)
