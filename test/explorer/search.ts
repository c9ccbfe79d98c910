/**
 * An exhaustive search through all orders in which the calls of several steps, faults, kills, stale lists, and time can
 * meet. Equal states merge.
 */
import { hash } from 'node:crypto'
import { type Call, type Moment, type Process, ProcessTree, wakes } from './process.ts'

/** How often each kind of mishap may happen. `slow`: time passes while a step is between two calls. */
export const noBudget = { kills: 0, cancels: 0, faults: 0, lags: 0, replays: 0, slow: 0 }
export type Budget = typeof noBudget
type Cost = keyof Budget | null

/** What the search itself knows about the world. `broken`: the invariant that the last step broke. */
export interface AnyWorld {
  now: number
  broken: string | null
}

/** What can happen to a call, or outside of all steps. */
export interface Choice<World> {
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
  run: Process
  /** What runs after `run` was killed, unless the machine is lost. */
  post?: Process | undefined
  /** The step that must have ended before. */
  after?: string | undefined
  /** The shortest time from then, or from the beginning, to the start, in milliseconds. */
  delay: number
  /** Whether nothing happens to its calls. */
  isCalm: boolean
}

/** Where an actor is. */
export interface Place {
  stage: 'waiting' | 'run' | 'post' | 'ended' | 'killed'
  moment: Moment | null
  /** The end, if other actors wait for it; otherwise 0. */
  at: number
}

/** Who makes a call, and what may go wrong. */
export interface At {
  actor: number
  places: readonly Place[]
  budget: Budget
}

/** What the search knows about the world and the steps. */
export interface Model<World extends AnyWorld> {
  actors: readonly Actor[]
  budget: Budget
  begin: World
  /** What a call does: first the usual, then what costs something. */
  answers(world: World, call: Call, at: At): Choice<World>[]
  /** Whether a call neither sees nor changes anything that others change. */
  isLocal(call: Call, world: World): boolean
  show(call: Call): string
  /** What others do. */
  others(world: World, budget: Budget): Choice<World>[]
  /** The world at a later time. `keepsLists`: whether lists can still lag. */
  elapse(world: World, to: number, keepsLists: boolean): World
  key(world: World): string
  /** Judges a world in which every actor has ended or has not started; returns what is wrong. */
  audit(world: World, places: readonly Place[]): Promise<string | null>
}

/** What can happen next. */
interface Next<World> {
  did: () => string
  costs: Cost
  world: World
  places: readonly Place[]
}

/** A state of the search, and what led there. */
interface State<World> extends Omit<Next<World>, 'costs'> {
  budget: Budget
  parent: State<World> | null
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

/** Searches until an invariant breaks, with the shortest schedules first. */
export async function explore<World extends AnyWorld>(model: Model<World>): Promise<Found> {
  const search = new Search(model)
  const places = model.actors.map(() => ({ stage: 'waiting', moment: null, at: 0 }) as const)
  let open: State<World>[] = [
    { did: () => '', world: model.begin, places, budget: model.budget, parent: null },
  ]
  while (open.length > 0) {
    const next: State<World>[] = []
    for (const state of open) {
      const invariant = state.world.broken ?? (await search.audit(state))
      if (invariant !== null) return search.found({ invariant, schedule: scheduleOf(state) })
      next.push(...(await search.following(state)))
    }
    open = next
  }
  return search.found(null)
}

function scheduleOf<World>(last: State<World>): string[] {
  const schedule: string[] = []
  for (let state = last; state.parent !== null; state = state.parent) schedule.unshift(state.did())
  return schedule
}

class Search<World extends AnyWorld> {
  private readonly model: Model<World>
  private readonly steps: readonly {
    actor: Actor
    run: ProcessTree
    post: ProcessTree | undefined
    before: number
  }[]
  private readonly seen = new Set<string>()
  private readonly audited = new Map<string, string | null>()
  private transitions = 0

  constructor(model: Model<World>) {
    this.model = model
    this.steps = model.actors.map((actor) => ({
      actor,
      run: new ProcessTree(actor.run),
      post: actor.post && new ProcessTree(actor.post),
      before: model.actors.findIndex(({ name }) => name === actor.after),
    }))
  }

  found(broken: Found['broken']): Found {
    return { states: this.seen.size, transitions: this.transitions, broken }
  }

  /** If no actor is at work: what is wrong. */
  async audit({ world, places }: State<World>): Promise<string | null> {
    if (places.some(({ moment }) => moment !== null)) return null
    const key = `${this.model.key(world)} ${places.map(({ stage }) => stage)}`
    if (!this.audited.has(key)) this.audited.set(key, await this.model.audit(world, places))
    return this.audited.get(key) ?? null
  }

  /** The new states after a state. */
  async following(state: State<World>): Promise<State<World>[]> {
    const following: State<World>[] = []
    for await (const { did, costs, world: then, places } of this.next(state)) {
      this.transitions++
      const budget = costs === null ? state.budget : { ...state.budget, [costs]: state.budget[costs] - 1 }
      const world = budget.lags > 0 ? then : this.model.elapse(then, then.now, false)
      const at = places.map(({ stage, moment, at }) => `${stage} ${moment?.id ?? at}`)
      const key = hash('sha1', [this.model.key(world), ...at, ...Object.values(budget)].join(), 'base64')
      if (this.seen.has(key)) continue
      this.seen.add(key)
      following.push({ did, world, places, budget, parent: state })
    }
    return following
  }

  private async *next(state: State<World>): AsyncGenerator<Next<World>> {
    const { world, places, budget } = state
    for (const [index, { actor, run }] of this.steps.entries()) {
      const { stage, moment } = places[index] as Place
      if (stage === 'waiting' && this.startOf(index, places) <= world.now)
        yield this.move(state, index, 'run', run.begin(world.now), world, null, () => `${actor.name} starts`)
      if (moment?.call) yield* this.call(state, index, moment, moment.call)
    }
    for (const { how, costs, world: then } of this.model.others(world, budget))
      yield { did: () => how, costs, world: then, places }
    const later = await this.wait(state)
    if (later !== null) yield later
  }

  /** The results of a call, and kills before and after it. */
  private async *call(
    state: State<World>,
    index: number,
    moment: Moment,
    call: Call,
  ): AsyncGenerator<Next<World>> {
    const { world, places } = state
    const { name, isCalm } = (this.steps[index] as (typeof this.steps)[number]).actor
    const stage = places[index]?.stage === 'post' ? 'post' : 'run'
    const budget = isCalm ? noBudget : state.budget
    const of = stage === 'post' ? `${name}'s post step` : name
    const shown = (how: string) => () => `${of}: ${this.model.show(call)} ${how}`
    const answers =
      call.name === 'sleep' ? [] : this.model.answers(world, call, { actor: index, places, budget })
    for (const { how, costs, world: then, result } of answers)
      yield this.move(state, index, stage, moment.after(result, then.now), then, costs, shown(how))
    const [usual] = answers
    if (budget.cancels > 0 && stage === 'run') {
      const reached = moment.after(usual?.result, world.now, true)
      const did = shown(`${usual?.how ?? ''} (cancelled)`)
      yield this.move(state, index, stage, reached, usual?.world ?? world, 'cancels', did)
    }
    if (budget.kills === 0) return
    yield* this.kill(state, index, moment, world, shown('(killed before)'))
    if (usual !== undefined && usual.world !== world)
      yield* this.kill(state, index, moment, usual.unseen ?? usual.world, shown('(killed after)'))
  }

  /** A kill, with and without a post step. */
  private async *kill(
    state: State<World>,
    index: number,
    { saved }: Moment,
    world: World,
    did: () => string,
  ): AsyncGenerator<Next<World>> {
    const { places } = state
    yield { did, costs: 'kills', world, places: this.end(places, index, 'killed', world.now) }
    const post = places[index]?.stage === 'run' ? this.steps[index]?.post : undefined
    if (post === undefined || saved === 'null') return
    const starts = () => `${did()}, and its post step starts`
    yield this.move(state, index, 'post', post.begin(world.now, saved), world, 'kills', starts)
  }

  /** Lets time pass until something can happen. */
  private async wait(state: State<World>): Promise<Next<World> | null> {
    const { world, places, budget } = state
    const times = places.map(({ stage, moment }, index) => {
      if (moment !== null) return wakes(moment)
      return stage === 'waiting' ? this.startOf(index, places) : never
    })
    const time = Math.min(...times.filter((time) => time > world.now))
    const isBusy = places.some(({ moment }) => moment !== null && wakes(moment) === never)
    const passed = time - world.now
    if (passed === never || (isBusy && (budget.slow === 0 || passed > longestPause))) return null
    const then = this.model.elapse(world, time, budget.lags > 0)
    const next = { did: () => `${passed / 1000} s pass`, costs: isBusy ? 'slow' : null, world: then } as const
    let moved = places
    for (const [index, { stage, moment }] of places.entries())
      if (moment !== null && wakes(moment) <= time)
        moved = await this.reach(moved, index, stage === 'post' ? 'post' : 'run', moment, then)
    return { ...next, places: moved }
  }

  /** When an actor can start. */
  private startOf(index: number, places: readonly Place[]): number {
    const { before = -1, actor } = this.steps[index] ?? {}
    const earlier = places[before]
    const isOver = earlier === undefined || earlier.stage === 'ended' || earlier.stage === 'killed'
    return isOver ? (earlier?.at ?? this.model.begin.now) + (actor?.delay ?? 0) : never
  }

  /** An actor comes to a moment. */
  private async move(
    { places }: State<World>,
    index: number,
    stage: 'run' | 'post',
    moment: Moment | Promise<Moment>,
    world: World,
    costs: Cost,
    did: () => string,
  ): Promise<Next<World>> {
    return { did, costs, world, places: await this.reach(places, index, stage, await moment, world) }
  }

  /** Moves an actor to its next call. Local calls are carried out at once: their order does not matter. */
  private async reach(
    places: readonly Place[],
    index: number,
    stage: 'run' | 'post',
    from: Moment,
    world: World,
  ): Promise<readonly Place[]> {
    const { model } = this
    let moment = from
    while (moment.call !== null && (model.isLocal(moment.call, world) || wakes(moment) <= world.now))
      moment = await moment.after(usualResult(model, world, moment.call)?.result, world.now)
    if (moment.call === null) return this.end(places, index, 'ended', world.now)
    return places.with(index, { stage, moment, at: 0 })
  }

  private end(places: readonly Place[], index: number, stage: 'ended' | 'killed', now: number) {
    const isAwaited = places.some(
      (each, other) => each.stage === 'waiting' && this.steps[other]?.before === index,
    )
    return places.with(index, { stage, moment: null, at: isAwaited ? now : 0 })
  }
}

/** What a call usually does; undefined for a sleep. */
function usualResult<World extends AnyWorld>(
  { answers }: Pick<Model<World>, 'answers'>,
  world: World,
  call: Call,
): Choice<World> | undefined {
  return call.name === 'sleep'
    ? undefined
    : answers(world, call, { actor: -1, places: [], budget: noBudget })[0]
}

/** Carries out a process without others, and returns the world after it. */
export async function alone<World extends AnyWorld>(
  tree: ProcessTree,
  world: World,
  model: Pick<Model<World>, 'answers' | 'elapse'>,
): Promise<World> {
  let [moment, then] = [await tree.begin(world.now), world]
  while (moment.call !== null) {
    const usual = usualResult(model, then, moment.call)
    then = usual === undefined ? model.elapse(then, Math.max(then.now, wakes(moment)), false) : usual.world
    moment = await moment.after(usual?.result, then.now)
  }
  return then
}
