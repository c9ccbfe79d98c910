/**
 * An exhaustive search through all orders in which the calls of several steps, faults, kills, stale lists, and time can
 * meet. Equal states merge.
 */
import { hash } from 'node:crypto'
import { type Call, type Moment, type Process, ProcessTree, wakes } from './process.ts'

/** How often each kind of mishap may happen. `slow`: time passes while a step is between two calls. */
export interface Budget {
  kills: number
  cancels: number
  faults: number
  lags: number
  replays: number
  slow: number
}

export const noBudget: Budget = { kills: 0, cancels: 0, faults: 0, lags: 0, replays: 0, slow: 0 }

/** What the search itself knows about the world. `broken`: the invariant that the last step broke. */
export interface AnyWorld {
  now: number
  broken: string | null
}

/** What can happen to a call, or outside of all steps. */
export interface Choice<World> {
  how: string
  costs: keyof Budget | null
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
  post?: Process
  /** The step that must have ended before. */
  after?: string
  /** The shortest time from then, or from the beginning, to the start, in milliseconds. */
  delay: number
  /** Whether nothing happens to its calls. */
  isCalm?: boolean
}

/** Where an actor is. */
export interface Place {
  stage: 'waiting' | 'run' | 'post' | 'ended' | 'killed'
  moment: Moment | null
  /** The end, if other actors wait for it; otherwise 0. */
  at: number
}

/** What the search knows about the world and the steps. */
export interface Model<World extends AnyWorld> {
  actors: readonly Actor[]
  budget: Budget
  begin: World
  /** What a call does: first the usual, then what costs something. */
  answers(
    world: World,
    call: Call,
    at: { actor: number; places: readonly Place[]; budget: Budget },
  ): Choice<World>[]
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
  costs: keyof Budget | null
  world: World
  places: readonly Place[]
}

/** A state of the search, and what led there. */
interface State<World> extends Pick<Next<World>, 'did' | 'world' | 'places'> {
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

/** Searches until an invariant breaks, with the shortest schedules first. */
export async function explore<World extends AnyWorld>(model: Model<World>): Promise<Found> {
  const search = new Search(model)
  let open = search.begin()
  while (open.length > 0) {
    const next: State<World>[] = []
    for (const state of open) {
      const broken = state.world.broken ?? (await search.audit(state))
      if (broken !== null) return search.found({ invariant: broken, schedule: scheduleOf(state) })
      next.push(...(await search.following(state)))
    }
    open = next
  }
  return search.found(null)
}

class Search<World extends AnyWorld> {
  private readonly model: Model<World>
  private readonly runs: readonly ProcessTree[]
  private readonly posts: readonly (ProcessTree | undefined)[]
  /** For each actor, the actor that it waits for; -1 for none. */
  private readonly before: readonly number[]
  private readonly seen = new Set<string>()
  private readonly audited = new Map<string, string | null>()
  private transitions = 0

  constructor(model: Model<World>) {
    this.model = model
    const { actors } = model
    this.runs = actors.map(({ run }) => new ProcessTree(run))
    this.posts = actors.map(({ post }) => post && new ProcessTree(post))
    this.before = actors.map(({ after }) => actors.findIndex(({ name }) => name === after))
  }

  begin(): State<World>[] {
    const { actors, begin, budget } = this.model
    const places = actors.map(() => ({ stage: 'waiting', moment: null, at: 0 }) as const)
    return [{ did: () => '', world: begin, places, budget, parent: null }]
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
      const parts = [
        this.model.key(world),
        ...places.map(({ stage, moment, at }) => `${stage} ${moment?.id ?? at}`),
      ]
      const key = hash('sha1', [...parts, ...Object.values(budget)].join(), 'base64')
      if (this.seen.has(key)) continue
      this.seen.add(key)
      following.push({ did, world, places, budget, parent: state })
    }
    return following
  }

  private async *next(state: State<World>): AsyncGenerator<Next<World>> {
    const { world, places, budget } = state
    for (const [actor, { stage, moment }] of places.entries()) {
      if (stage === 'waiting' && this.startOf(actor, places) <= world.now) yield this.start(state, actor)
      if (moment !== null && moment.call !== null) yield* this.call(state, actor, moment, moment.call)
    }
    for (const { how, costs, world: then } of this.model.others(world, budget))
      yield { did: () => how, costs, world: then, places }
    const later = await this.wait(state)
    if (later !== null) yield later
  }

  private async start({ world, places }: State<World>, actor: number): Promise<Next<World>> {
    const { name } = this.actor(actor)
    const begun = await this.tree(this.runs, actor).begin(world.now)
    return {
      did: () => `${name} starts`,
      costs: null,
      world,
      places: await this.move(places, actor, 'run', begun, world),
    }
  }

  /** The results of a call, and kills before and after it. */
  private async *call(
    state: State<World>,
    actor: number,
    moment: Moment,
    call: Call,
  ): AsyncGenerator<Next<World>> {
    const { world, places } = state
    const { name, isCalm } = this.actor(actor)
    const stage = places[actor]?.stage === 'post' ? 'post' : 'run'
    const budget = isCalm ? noBudget : state.budget
    const shown = (how: string) => () =>
      `${name}${stage === 'post' ? "'s post step" : ''}: ${this.model.show(call)} ${how}`
    const answers = call.name === 'sleep' ? [] : this.model.answers(world, call, { actor, places, budget })
    for (const { how, costs, world: then, result } of answers) {
      const reached = await moment.after(result, then.now)
      yield {
        did: shown(how),
        costs,
        world: then,
        places: await this.move(places, actor, stage, reached, then),
      }
    }
    const [usual] = answers
    if (budget.cancels > 0 && stage === 'run') {
      const then = usual?.world ?? world
      const reached = await moment.after(usual?.result, world.now, true)
      const did = shown(`${usual?.how ?? ''} (cancelled)`)
      yield {
        did,
        costs: 'cancels',
        world: then,
        places: await this.move(places, actor, stage, reached, then),
      }
    }
    if (budget.kills === 0) return
    yield* this.kill(state, actor, moment, world, shown('(killed before)'))
    if (usual === undefined || usual.world === world) return
    yield* this.kill(state, actor, moment, usual.unseen ?? usual.world, shown('(killed after)'))
  }

  /** A kill, with and without a post step. */
  private async *kill(
    { places }: State<World>,
    actor: number,
    { saved }: Moment,
    world: World,
    did: () => string,
  ): AsyncGenerator<Next<World>> {
    const lost = this.put(places, actor, this.over(places, actor, 'killed', world.now))
    yield { did, costs: 'kills', world, places: lost }
    const post = places[actor]?.stage === 'run' ? this.posts[actor] : undefined
    if (post === undefined || saved === 'null') return
    const begun = await post.begin(world.now, saved)
    const going = await this.move(places, actor, 'post', begun, world)
    yield { did: () => `${did()}, and its post step starts`, costs: 'kills', world, places: going }
  }

  /** Lets time pass until something can happen. */
  private async wait({ world, places, budget }: State<World>): Promise<Next<World> | null> {
    const times = places.map(({ stage, moment }, actor) => {
      if (moment !== null) return wakes(moment)
      return stage === 'waiting' ? this.startOf(actor, places) : Number.POSITIVE_INFINITY
    })
    const time = Math.min(...times.filter((time) => time > world.now))
    const isBusy = places.some(({ moment }) => moment !== null && wakes(moment) === Number.POSITIVE_INFINITY)
    const passed = time - world.now
    if (passed === Number.POSITIVE_INFINITY || (isBusy && (budget.slow === 0 || passed > longestPause)))
      return null
    const then = this.model.elapse(world, time, budget.lags > 0)
    let moved = places
    for (const [actor, { stage, moment }] of places.entries())
      if (moment !== null && wakes(moment) <= time)
        moved = await this.move(moved, actor, stage === 'post' ? 'post' : 'run', moment, then)
    return { did: () => `${passed / 1000} s pass`, costs: isBusy ? 'slow' : null, world: then, places: moved }
  }

  /** When an actor can start. */
  private startOf(actor: number, places: readonly Place[]): number {
    const earlier = places[this.before[actor] ?? -1]
    const isOver = earlier === undefined || earlier.stage === 'ended' || earlier.stage === 'killed'
    return isOver ? (earlier?.at ?? this.model.begin.now) + this.actor(actor).delay : Number.POSITIVE_INFINITY
  }

  /** Moves an actor to its next call. Local calls are carried out at once: their order does not matter. */
  private async move(
    places: readonly Place[],
    actor: number,
    stage: 'run' | 'post',
    from: Moment,
    world: World,
  ): Promise<readonly Place[]> {
    const { model } = this
    let moment = from
    while (moment.call !== null && (model.isLocal(moment.call, world) || wakes(moment) <= world.now)) {
      const at = { actor, places, budget: noBudget }
      const [usual] = moment.call.name === 'sleep' ? [] : model.answers(world, moment.call, at)
      moment = await moment.after(usual?.result, world.now)
    }
    const place = { stage, moment, at: 0 }
    return this.put(
      places,
      actor,
      moment.call === null ? this.over(places, actor, 'ended', world.now) : place,
    )
  }

  private put(places: readonly Place[], actor: number, place: Place): readonly Place[] {
    return places.with(actor, place)
  }

  private over(places: readonly Place[], actor: number, stage: 'ended' | 'killed', now: number): Place {
    const isAwaited = places.some(({ stage }, other) => stage === 'waiting' && this.before[other] === actor)
    return { stage, moment: null, at: isAwaited ? now : 0 }
  }

  private actor(actor: number): Actor {
    return this.model.actors[actor] as Actor
  }

  private tree(trees: readonly ProcessTree[], actor: number): ProcessTree {
    return trees[actor] as ProcessTree
  }
}

/** Carries out a process without others, and returns the world after it. */
export async function alone<World extends AnyWorld>(
  tree: ProcessTree,
  world: World,
  model: Pick<Model<World>, 'answers' | 'elapse'>,
): Promise<World> {
  let [moment, then] = [await tree.begin(world.now), world]
  while (moment.call !== null) {
    const at = { actor: -1, places: [], budget: noBudget }
    const [usual] = moment.call.name === 'sleep' ? [] : model.answers(then, moment.call, at)
    then = usual === undefined ? model.elapse(then, Math.max(then.now, wakes(moment)), false) : usual.world
    moment = await moment.after(usual?.result, then.now)
  }
  return then
}

function scheduleOf<World>(last: State<World>): string[] {
  const schedule: string[] = []
  for (let state = last; state.parent !== null; state = state.parent) schedule.unshift(state.did())
  return schedule
}
