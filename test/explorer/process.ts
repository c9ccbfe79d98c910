/**
 * Steps of the action, one call at a time. A step is deterministic: its state equals the results of its calls so far.
 * Each distinct list of results is therefore carried out once, and remembered in a tree of moments.
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

/** A step. `saved`: a copy of what a killed step left for this post step. */
export type Process = (outside: Outside, saved: unknown) => Promise<unknown>

/** The result of a call as JSON, and when it arrives. The first result is what a killed step saved. */
interface Step {
  now: number
  isCancelled: boolean
  result: string
}

/** A process, carried out until its next call. */
class Life {
  now = 0
  saved: unknown = null
  call: Call | null = null
  private readonly canceller = new AbortController()
  private answer: (value: unknown) => void
  private paused = Promise.withResolvers<void>()
  private turn: Promise<unknown> = Promise.resolve()

  constructor(process: Process) {
    const outside: Outside = {
      call: <T>(name: string, ...args: readonly unknown[]) => this.ask({ name, args }) as Promise<T>,
      now: () => this.now,
      cancelled: this.canceller.signal,
      save: (state) => {
        this.saved = JSON.parse(JSON.stringify(state))
      },
    }
    this.answer = (saved) =>
      process(outside, saved).then(
        () => this.pause(null),
        (error: unknown) => this.paused.reject(error),
      )
  }

  /** Begins the process, or answers its pending call. */
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

let moments = 0

/** A moment in a process: all results so far, and the next call. */
export class Moment {
  readonly id = moments++
  readonly at: number
  readonly saved: unknown
  /** null: the process has ended, or has not begun. */
  readonly call: Call | null
  private life: Life | null
  private readonly process: Process
  private readonly path: readonly Step[]
  private readonly next = new Map<string, Moment>()

  /** By default, the moment before the process begins. */
  constructor(process: Process, path: readonly Step[] = [], life = new Life(process)) {
    this.process = process
    this.path = path
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
    const life = this.life ?? (await this.repeat())
    this.life = null
    await life.go(step)
    const moment = new Moment(this.process, [...this.path, step], life)
    this.next.set(key, moment)
    return moment
  }

  private async repeat(): Promise<Life> {
    const life = new Life(this.process)
    for (const step of this.path) await life.go(step)
    return life
  }
}

/** When a moment's sleep ends; infinity if it does not sleep. */
export function wakes({ at, call }: Moment): number {
  return call?.name === 'sleep' ? at + Math.max(0, Number(call.args[0])) : Number.POSITIVE_INFINITY
}
