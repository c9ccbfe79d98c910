/**
 * Checks what is always true for a request, with runs, kills, re-runs and settles at random times, over lists that lag
 * by up to ten seconds. Time is simulated: it passes when everything waits.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { threadName } from '../../src/core/thread.ts'
import { isAtRest } from '../../src/life/entry.ts'
import { readComment } from '../../src/life/format.ts'
import type { Clock } from '../../src/usecases/ports.ts'
import { runs } from '../core/samples.ts'
import { Calls, type Mishap } from './github.ts'
import { settleOn } from './settle-step.ts'
import { aChange, command, event, issue, Stage, type StepOptions, sign } from './step.ts'
import { start } from './world.ts'

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

/** A clock that wakes its sleepers in order, each at its time. */
class Simulation {
  now = 0
  private sleepers: { at: number; wake: () => void }[] = []

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.sleepers.push({ at: this.now + Math.max(0, ms), wake }))
  }

  /** Runs until all of these processes have ended. */
  async run(processes: readonly Promise<unknown>[]): Promise<void> {
    let isDone = false
    const all = Promise.all(processes).finally(() => {
      isDone = true
    })
    while (!isDone) {
      // Everything that can happen at this time happens first.
      await new Promise(setImmediate)
      if (isDone) break
      const next = this.sleepers.reduce<number>(
        (least, { at }) => Math.min(least, at),
        Number.POSITIVE_INFINITY,
      )
      if (next === Number.POSITIVE_INFINITY) continue
      this.now = next
      const due = this.sleepers.filter(({ at }) => at <= next)
      this.sleepers = this.sleepers.filter(({ at }) => at > next)
      for (const { wake } of due) wake()
    }
    await all
  }
}

/** The stage in simulated time. Jobs end some time after their last request. */
class SimulatedStage extends Stage {
  readonly simulation = new Simulation()
  override readonly clock: Clock = {
    now: () => this.simulation.now,
    date: () => start + this.simulation.now,
    sleep: (ms, signal) => (signal.aborted ? Promise.resolve() : this.simulation.sleep(ms)),
  }
  private readonly busyUntil = new Map<string, number>()
  private readonly lengths: readonly number[]

  constructor(lengths: readonly number[]) {
    super()
    this.lengths = lengths
    Object.defineProperty(this, 'now', { get: () => this.simulation.now, set: () => {} })
    const carryOut = this.platform.carryOut.bind(this.platform)
    this.platform.carryOut = (request) => {
      const [, , , , , id] = request.path.split('/')
      if (request.method === 'POST') {
        const reply = carryOut(request)
        const job = id ?? `job_${this.platform.jobs.size}`
        const length = this.lengths[this.platform.sends.length % this.lengths.length] ?? minute
        this.busyUntil.set(job, this.simulation.now + length)
        return reply
      }
      const job = this.platform.jobs.get(id ?? '')
      if (job !== undefined)
        job.activeReads = this.simulation.now < (this.busyUntil.get(id ?? '') ?? 0) ? 1 : 0
      return carryOut(request)
    }
  }
}

interface Run {
  request: number
  at: number
  /** The call at which it is killed, and whether that call still has an effect; null if it completes. */
  kill: { call: number; hasEffect: boolean } | null
  hasPost: boolean
  wait: boolean
}

const aRun = fc.record({
  request: fc.integer({ min: 0, max: 2 }),
  at: fc.integer({ min: 0, max: 180 * minute }),
  kill: fc.option(fc.record({ call: fc.integer({ min: 0, max: 22 }), hasEffect: fc.boolean() }), { freq: 2 }),
  hasPost: fc.boolean(),
  wait: fc.boolean(),
})

interface Scenario {
  onThread: boolean
  runs: Run[]
  /** When mode settle runs. */
  settles: number[]
  /** How long jobs take, and how they end, in turn. */
  lengths: number[]
  ends: string[]
  /** The lag of each list, in turn, in milliseconds. */
  lags: number[]
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  onThread: fc.boolean(),
  runs: fc.array(aRun, { minLength: 1, maxLength: 6 }),
  settles: fc.array(fc.integer({ min: 0, max: 200 * minute }), { maxLength: 4 }),
  lengths: fc.array(fc.integer({ min: second, max: 100 * minute }), { minLength: 1, maxLength: 3 }),
  ends: fc.array(fc.constantFrom('completed', 'completed', 'failed', 'archived'), {
    minLength: 1,
    maxLength: 3,
  }),
  lags: fc.array(fc.integer({ min: 0, max: 10 * second }), { minLength: 1, maxLength: 20 }),
})

/** Plays the scenario, and runs mode settle twice long after it. */
async function play({ onThread, runs, settles, lengths, ends, lags }: Scenario) {
  const stage = new SimulatedStage(lengths)
  stage.platform.ends = ends
  const reported: string[] = []
  const add = stage.github.add.bind(stage.github)
  stage.github.add = (thread, body, author) => {
    const id = add(thread, body, author)
    const { entry } = readComment({ id, body, createdAt: 0, nodeId: '' }, threadName(thread), sign) ?? {}
    if (entry?.role === 'request' && isAtRest(entry.state) && entry.state !== 'not-sent')
      reported.push(`${entry.request}: ${entry.state} ${entry.job}`)
    return id
  }
  let looks = 0
  stage.github.lag = () => lags[looks++ % lags.length] ?? 0
  const step = (run: Run, isRerun: boolean) => {
    const { kill, hasPost, wait } = run
    const mishap: Mishap | undefined = kill?.hasEffect ? 'killed after' : 'killed before'
    const calls = new Calls((number) => (kill !== null && number === kill.call ? mishap : undefined))
    const name = String(run.request + 1)
    const options: StepOptions = { run: name, isRerun, calls, hasPost, inputs: { wait: String(wait) } }
    return onThread
      ? command(stage, { comment: run.request + 1 }, options)
      : event(stage, run.request === 2 ? aChange('bbbb') : aChange('aaaa'), options)
  }
  // As on GitHub, a request's runs follow one another: a re-run starts after the earlier run has ended.
  const requests = [...Map.groupBy(runs, ({ request }) => request).values()].map(async (own) => {
    for (const [index, run] of own.toSorted((one, other) => one.at - other.at).entries()) {
      await stage.simulation.sleep(Math.max(index === 0 ? 0 : 15 * second, run.at - stage.simulation.now))
      await step(run, index > 0)
    }
  })
  // `concurrency` in the recipe prevents parallel settles.
  const settling = (async () => {
    for (const at of settles.toSorted((one, other) => one - other)) {
      await stage.simulation.sleep(Math.max(second, at - stage.simulation.now))
      await settleOn(stage)
    }
  })()
  const later = (async () => {
    await Promise.all([...requests, settling])
    for (const wait of [2 * day, minute]) {
      await stage.simulation.sleep(wait)
      await settleOn(stage)
    }
  })()
  await stage.simulation.run([later])
  return { stage, reported }
}

/** Number of sends to jobs that failed or were archived. A re-run sends each of these requests again. */
function fruitless(stage: Stage): number {
  return [...stage.platform.jobs.values()]
    .filter(({ status }) => status === 'failed' || status === 'archived')
    .reduce((sum, { messages }) => sum + 1 + messages.length, 0)
}

/**
 * Random scenarios rarely reach this: a run and its re-run are each killed after the post on the agent's pull request,
 * before the edit that binds the post.
 */
const killed = { request: 2, at: 0, kill: { call: 11, hasEffect: true }, hasPost: false, wait: true }
const killedBeforeItBinds: Scenario = {
  onThread: false,
  runs: [killed, killed, { request: 0, at: 0, kill: null, hasPost: false, wait: false }],
  settles: [],
  lengths: [second],
  ends: ['completed'],
  lags: [0],
}
const onlySettled: Scenario = { ...killedBeforeItBinds, runs: [{ ...killed, request: 0 }] }

it('a request is never sent or reported twice, and always ends, in any order of runs, kills, lags, settles and re-runs', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { stage, reported } = await play(given)
      const requests = new Set(given.runs.map(({ request }) => request)).size
      // Nothing is sent twice, except after a job that failed or was archived.
      expect(stage.platform.sends.length).toBeLessThanOrEqual(requests + fruitless(stage))
      const seen = stage.github.seen['acme/docs#7'] ?? []
      // Each result sends one notification.
      expect(reported).toEqual([...new Set(reported)])
      // No reported result changes or disappears.
      expect(seen.filter((line) => line.startsWith('- result:') && /job_/.test(line))).toEqual([])
      // Every record has ended.
      expect(
        stage.github.said(issue).filter((line) => /^(working|unfinished|killed \((open|job)\))/.test(line)),
      ).toEqual([])
      const contexts = new Map(
        stage.github.statuses.map((status) => [`${status.commit} ${status.context}`, status.state]),
      )
      expect([...contexts.values()].filter((state) => state === 'pending')).toEqual([])
      // The agent's pull request gets one comment. Requests that end at the same moment may each add one.
      for (const [thread, lines] of Object.entries(stage.github.seen))
        if (thread !== 'acme/docs#7')
          expect(lines.filter((line) => line.startsWith('+')).length).toBeLessThanOrEqual(requests)
    }),
    { ...runs(40), examples: [[killedBeforeItBinds], [onlySettled]] },
  )
})
