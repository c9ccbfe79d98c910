/**
 * An exhaustive search through all orders in which the calls of several steps, faults, kills, stale lists, and time can
 * meet. Equal states merge.
 */
import { hash } from 'node:crypto'
import { answers, elapse, isLocal, keyOf, others, show } from './calls.ts'
import { audit, judgeSteps } from './judge.ts'
import { type Call, type Moment, wakes } from './process.ts'
import type { Setting, World } from './world.ts'

/** How often each kind of mishap may happen. `slow`: time passes while a step is between two calls. */
export const noBudget = { kills: 0, cancels: 0, faults: 0, lags: 0, replays: 0, slow: 0 }
export type Budget = typeof noBudget
type Cost = keyof Budget | null

/** What can happen to a call, or outside of all steps. */
export interface Choice {
  how: string
  costs: Cost
  world: World
  /** The world if the step is killed before the result arrives, if that differs. */
  unseen?: World
  result?: unknown
}

/** A step in a scenario. */
export interface Actor {
  name: string
  /** The moment before it begins. */
  run: Moment
  /** The same of what runs after `run` was killed, unless the machine is lost. */
  post: Moment | undefined
  /** The index of the actor that must have ended before; -1 for none. */
  before: number
  /** The shortest time from then, or from the beginning, to the start, in milliseconds. */
  delay: number
  /** Whether nothing happens to its calls. */
  isCalm: boolean
  /** The index of an actor that does the same; -1 for none. It starts first: the other order would show nothing new. */
  twin: number
}

type Stage = 'waiting' | 'run' | 'post' | 'ended' | 'killed'

/** Where an actor is. */
export interface Place {
  stage: Stage
  moment: Moment | null
  /** The end, if other actors wait for it; otherwise 0. */
  at: number
}

/** The actor that makes a call, and what may go wrong. */
export interface At {
  actor: number
  places: readonly Place[]
  budget: Budget
}

/** What is searched. `last`: the settle that comes two days after everything. */
export interface Searched {
  actors: readonly Actor[]
  budget: Budget
  begin: World
  setting: Setting
  last: Moment
}

/** What can happen next. */
interface Next {
  did: () => string
  costs: Cost
  world: World
  places: readonly Place[]
}

/** A state of the search, and what led there. */
interface State extends Omit<Next, 'costs'> {
  budget: Budget
  parent: State | null
}

/** The result of a search. */
export interface Found {
  states: number
  transitions: number
  /** The invariant that does not hold, with a schedule; null if all hold. */
  broken: { invariant: string; schedule: string[] } | null
}

/** The longest pause between two calls of a step, in milliseconds. */
const longestPause = 60_000
const never = Number.POSITIVE_INFINITY
/** When the last settle begins, in milliseconds after everything else. */
const lastDelay = 2 * 24 * 60 * 60_000

/** Searches until an invariant breaks, with the shortest schedules first. */
export async function explore(searched: Searched): Promise<Found> {
  const search = new Search(searched)
  const { actors, begin: world, budget } = searched
  const places = actors.map(() => ({ stage: 'waiting', moment: null, at: 0 }) as const)
  const found = (broken: Found['broken']) => {
    return { states: search.seen.size, transitions: search.transitions, broken }
  }
  let open: State[] = [{ did: () => '', world, places, budget, parent: null }]
  while (open.length > 0) {
    const next: State[] = []
    for (const state of open) {
      const invariant = state.world.broken ?? judgeSteps(state.places) ?? (await search.audit(state))
      if (invariant !== null) return found({ invariant, schedule: scheduleOf(state) })
      next.push(...(await search.following(state)))
    }
    open = next
  }
  return found(null)
}

function scheduleOf(last: State): string[] {
  const schedule: string[] = []
  for (let state = last; state.parent !== null; state = state.parent) schedule.unshift(state.did())
  return schedule
}

class Search {
  private readonly searched: Searched
  readonly seen = new Set<string>()
  private readonly audited = new Map<string, string | null>()
  transitions = 0

  constructor(searched: Searched) {
    this.searched = searched
  }

  /** If no actor is at work: what is wrong after a last settle. */
  async audit({ world, places }: State): Promise<string | null> {
    if (places.some(({ moment }) => moment !== null)) return null
    const key = `${keyOf(world)} ${places.map(({ stage }) => stage)}`
    if (!this.audited.has(key)) {
      const later = await this.settle(elapse(world, world.now + lastDelay, false))
      const ended = [...places.keys()].filter((index) => places[index]?.stage === 'ended')
      this.audited.set(key, later.broken ?? audit(later, ended, this.searched.setting))
    }
    return this.audited.get(key) ?? null
  }

  /** Carries out the last settle, and returns the world after it. */
  private async settle(world: World): Promise<World> {
    let [moment, then] = [await this.searched.last.after(null, world.now), world]
    while (moment.call !== null) {
      const usual = this.usual(then, moment.call)
      then = usual === undefined ? elapse(then, Math.max(then.now, wakes(moment)), false) : usual.world
      moment = await moment.after(usual?.result, then.now)
    }
    return then
  }

  /** The new states after a state. */
  async following(state: State): Promise<State[]> {
    const following: State[] = []
    for await (const { did, costs, world: then, places } of this.next(state)) {
      this.transitions++
      const budget = costs === null ? state.budget : { ...state.budget, [costs]: state.budget[costs] - 1 }
      const world = budget.lags > 0 ? then : elapse(then, then.now, false)
      const at = places.map(({ stage, moment, at }) => `${stage} ${moment?.id ?? at}`)
      const key = hash('sha1', [keyOf(world), ...at, ...Object.values(budget)].join(), 'base64')
      if (this.seen.has(key)) continue
      this.seen.add(key)
      following.push({ did, world, places, budget, parent: state })
    }
    return following
  }

  private async *next(state: State): AsyncGenerator<Next> {
    const { world, places, budget } = state
    const { actors, setting } = this.searched
    for (const [index, { name, run, twin }] of actors.entries()) {
      const { stage, moment } = places[index] as Place
      const isTurn = places[twin]?.stage !== 'waiting'
      if (stage === 'waiting' && isTurn && this.startOf(index, places) <= world.now) {
        const begun = await this.reach(state, index, 'run', await run.after(null, world.now), world)
        yield { did: () => `${name} starts`, costs: null, world, places: begun }
      }
      if (moment?.call) yield* this.call(state, index, moment, moment.call)
    }
    for (const { how, costs, world: then } of others(world, budget, setting))
      yield { did: () => how, costs, world: then, places }
    const later = await this.wait(state)
    if (later !== null) yield later
  }

  /** The results of a call, and kills before and after it. */
  private async *call(state: State, index: number, moment: Moment, call: Call): AsyncGenerator<Next> {
    const { world, places } = state
    const { name, isCalm } = this.searched.actors[index] as Actor
    const { stage } = places[index] as Place
    const budget = isCalm ? noBudget : state.budget
    const of = stage === 'post' ? `${name}'s post step` : name
    const did = (how: string) => () => `${of}: ${show(call)} ${how}`
    const at = { actor: index, places, budget }
    const results = call.name === 'sleep' ? [] : answers(world, call, at, this.searched.setting)
    for (const { how, costs, world: then, result } of results) {
      const reached = await this.reach(state, index, stage, await moment.after(result, then.now), then)
      yield { did: did(how), costs, world: then, places: reached }
    }
    const [usual = { how: '', costs: null, world }] = results
    if (budget.cancels > 0 && stage === 'run') {
      const cancelled = await moment.after(usual.result, world.now, true)
      const reached = await this.reach(state, index, stage, cancelled, usual.world)
      yield { did: did(`${usual.how} (cancelled)`), costs: 'cancels', world: usual.world, places: reached }
    }
    if (budget.kills === 0) return
    yield* this.kill(state, index, moment, world, did('(killed before)'))
    if (usual.world !== world)
      yield* this.kill(state, index, moment, usual.unseen ?? usual.world, did('(killed after)'))
  }

  /** A kill, with and without a post step. */
  private async *kill(state: State, index: number, { saved }: Moment, world: World, did: () => string) {
    const { places } = state
    const killed = { did, costs: 'kills', world } as const
    yield { ...killed, places: this.end(places, index, 'killed', world.now) }
    const { post } = this.searched.actors[index] as Actor
    if (post === undefined || saved === null || places[index]?.stage !== 'run') return
    const begun = await this.reach(state, index, 'post', await post.after(saved, world.now), world)
    yield { ...killed, did: () => `${did()}, and its post step starts`, places: begun }
  }

  /** Lets time pass until something can happen. */
  private async wait({ world, places, budget }: State): Promise<Next | null> {
    const times = places.map(({ stage, moment }, index) => {
      if (moment !== null) return wakes(moment)
      return stage === 'waiting' ? this.startOf(index, places) : never
    })
    const time = Math.min(...times.filter((time) => time > world.now))
    const isBusy = places.some(({ moment }) => moment !== null && wakes(moment) === never)
    const passed = time - world.now
    if (passed === never || (isBusy && (budget.slow === 0 || passed > longestPause))) return null
    const then = elapse(world, time, budget.lags > 0)
    let moved = places
    for (const [index, { stage, moment }] of places.entries())
      if (moment !== null && wakes(moment) <= time)
        moved = await this.reach({ places: moved, budget }, index, stage, moment, then)
    return { did: () => `${passed / 1000} s pass`, costs: isBusy ? 'slow' : null, world: then, places: moved }
  }

  /** When an actor can start. */
  private startOf(index: number, places: readonly Place[]): number {
    const { before, delay } = this.searched.actors[index] as Actor
    const earlier = places[before]
    if (earlier === undefined) return this.searched.begin.now + delay
    return earlier.stage === 'ended' || earlier.stage === 'killed' ? earlier.at + delay : never
  }

  /** Moves an actor to its next call. Local calls are carried out at once: their order does not matter. */
  private async reach(
    { places, budget }: Pick<State, 'places' | 'budget'>,
    index: number,
    stage: Stage,
    from: Moment,
    world: World,
  ) {
    let moment = from
    const isDone = (call: Call) =>
      isLocal(call, world, budget, this.searched.setting) || wakes(moment) <= world.now
    while (moment.call !== null && isDone(moment.call))
      moment = await moment.after(this.usual(world, moment.call)?.result, world.now)
    if (moment.call === null) return this.end(places, index, 'ended', world.now)
    return places.with(index, { stage, moment, at: 0 })
  }

  private end(places: readonly Place[], index: number, stage: 'ended' | 'killed', now: number) {
    const isAwaited = this.searched.actors.some(
      ({ before }, other) => before === index && places[other]?.stage === 'waiting',
    )
    return places.with(index, { stage, moment: null, at: isAwaited ? now : 0 })
  }

  /** What a call usually does; undefined for a sleep. */
  private usual(world: World, call: Call): Choice | undefined {
    const at = { actor: -1, places: [], budget: noBudget }
    return call.name === 'sleep' ? undefined : answers(world, call, at, this.searched.setting)[0]
  }
}
