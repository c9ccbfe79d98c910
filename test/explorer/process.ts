/**
 * Steps of the action, one call at a time. A step is deterministic: its state equals the results of its calls so far.
 * Each distinct list of results is therefore carried out once, and remembered in a tree.
 */

/** A call that a step makes. */
export interface Call {
  name: string
  args: readonly unknown[]
}

/** Everything outside a step. */
export interface Outside {
  /** Returns a copy of the result, as JSON. */
  call<T>(name: string, ...args: readonly unknown[]): Promise<T>
  /** The time of the last result, in milliseconds since the epoch. */
  now(): number
  /** Aborts when the step is cancelled. */
  cancelled: AbortSignal
  /** Replaces what the post step of a killed step gets. */
  save(state: unknown): void
}

/** A step. `saved`: what a killed step left for this post step. */
export type Process = (outside: Outside, saved: string) => Promise<unknown>

/** The result of a call as JSON, and when it arrives; at first, what a killed step saved. */
interface Step {
  now: number
  isCancelled: boolean
  result: string
}

/** A process, carried out until its next call. */
class Life {
  now = 0
  saved = 'null'
  call: Call | null = null
  private readonly canceller = new AbortController()
  private answer: (value: unknown) => void = () => {}
  private paused = Promise.withResolvers<void>()
  private turn: Promise<unknown> = Promise.resolve()

  begin(process: Process, { now, result: saved }: Step): Promise<void> {
    this.now = now
    const outside: Outside = {
      call: <T>(name: string, ...args: readonly unknown[]) => this.ask({ name, args }) as Promise<T>,
      now: () => this.now,
      cancelled: this.canceller.signal,
      save: (state) => {
        this.saved = JSON.stringify(state)
      },
    }
    process(outside, saved).then(
      () => this.pause(null),
      (error: unknown) => this.paused.reject(error),
    )
    return this.paused.promise
  }

  /** Answers the pending call. */
  go({ now, isCancelled, result }: Step): Promise<void> {
    this.paused = Promise.withResolvers()
    this.now = now
    if (isCancelled) this.canceller.abort()
    this.answer(JSON.parse(result))
    return this.paused.promise
  }

  /** Parallel calls are made one after the other. */
  private ask(call: Call): Promise<unknown> {
    this.turn = this.turn.then(() => {
      const { promise, resolve } = Promise.withResolvers()
      this.answer = resolve
      this.pause(call)
      return promise
    })
    return this.turn
  }

  private pause(call: Call | null): void {
    this.call = call
    this.paused.resolve()
  }
}

/** A moment in a process: all results so far, and the next call. */
export class Moment {
  readonly id: string
  readonly at: number
  readonly saved: string
  /** null: the process has ended. */
  readonly call: Call | null
  private life: Life | null
  private readonly path: readonly Step[]
  private readonly tree: ProcessTree
  private readonly next = new Map<string, Moment>()

  constructor(tree: ProcessTree, path: readonly Step[], life: Life) {
    this.tree = tree
    this.path = path
    this.id = String(tree.size++)
    this.at = life.now
    this.saved = life.saved
    this.call = life.call
    this.life = life.call === null ? null : life
  }

  /** The moment after a result of the call; a promise if it was never reached before. */
  after(value: unknown, now: number, isCancelled = false): Moment | Promise<Moment> {
    const result = JSON.stringify(value ?? null)
    const key = `${now} ${isCancelled} ${result}`
    return this.next.get(key) ?? this.reach(key, { now, isCancelled, result })
  }

  private async reach(key: string, step: Step): Promise<Moment> {
    // The process that waits for this result continues; later, another one repeats all steps.
    const life = this.life ?? (await this.tree.repeat(this.path))
    this.life = null
    await life.go(step)
    const moment = new Moment(this.tree, [...this.path, step], life)
    this.next.set(key, moment)
    return moment
  }
}

/** The moments of one process. */
export class ProcessTree {
  size = 0
  private readonly process: Process
  private readonly roots = new Map<string, Promise<Moment>>()

  constructor(process: Process) {
    this.process = process
  }

  begin(now: number, saved = 'null'): Promise<Moment> {
    const path = [{ now, isCancelled: false, result: saved }]
    const key = `${now} ${saved}`
    const known = this.roots.get(key) ?? this.repeat(path).then((life) => new Moment(this, path, life))
    this.roots.set(key, known)
    return known
  }

  async repeat([first, ...steps]: readonly Step[]): Promise<Life> {
    const life = new Life()
    await life.begin(this.process, first as Step)
    for (const step of steps) await life.go(step)
    return life
  }
}

/** When a moment's sleep ends; infinity if it does not sleep. */
export function wakes({ at, call }: Moment): number {
  return call?.name === 'sleep' ? at + Math.max(0, Number(call.args[0])) : Number.POSITIVE_INFINITY
}
