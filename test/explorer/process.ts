/**
 * Steps of the action, one call at a time. A step is deterministic: its state equals the results of its calls so far.
 * Each distinct list of results is therefore carried out once, and remembered in a tree of moments.
 */

/** A call that a step makes. */
export interface Call {
  name: string
  args: readonly unknown[]
}

/** A step. `saved`: a copy of what a killed step left for this post step. */
export type Process = (outside: Outside, saved: unknown) => Promise<unknown>

/** The result of a call as JSON, and when it arrives. The first result is what a killed step saved. */
interface Step {
  now: number
  isCancelled: boolean
  result: string
}

/** Everything outside a process, which is carried out until its next call. */
export class Outside {
  /** The time of the last result, in milliseconds since the epoch. */
  now = 0
  saved: unknown = null
  pending: Call | null = null
  private readonly canceller = new AbortController()
  /** Aborts when the step is cancelled. */
  readonly cancelled = this.canceller.signal
  private answer: (value: unknown) => void
  private paused = Promise.withResolvers<void>()
  private turn: Promise<unknown> = Promise.resolve()

  constructor(process: Process) {
    this.answer = (saved) =>
      process(this, saved).then(
        () => this.pause(null),
        (error: unknown) => this.paused.reject(error),
      )
  }

  /** Begins the process, or returns a copy of the result from its pending call. */
  go({ now, isCancelled, result }: Step): Promise<void> {
    this.paused = Promise.withResolvers()
    this.now = now
    if (isCancelled) this.canceller.abort()
    this.answer(JSON.parse(result))
    return this.paused.promise
  }

  /** Makes a call. Parallel calls are made one after the other. */
  call<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    const called = this.turn.then(() => {
      const { promise, resolve } = Promise.withResolvers()
      this.answer = resolve
      this.pause({ name, args })
      return promise
    })
    this.turn = called
    return called as Promise<T>
  }

  /** Replaces what the post step gets if the step is killed. */
  save(state: unknown): void {
    this.saved = JSON.parse(JSON.stringify(state))
  }

  private pause(call: Call | null): void {
    this.pending = call
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
  /** How many calls the step made since it was cancelled, including this one. */
  readonly late: number
  private outside: Outside | null
  private readonly process: Process
  private readonly path: readonly Step[]
  private readonly next = new Map<string, Moment>()

  /** By default, the moment before the process begins. */
  constructor(process: Process, path: readonly Step[] = [], outside = new Outside(process)) {
    this.process = process
    this.path = path
    this.at = outside.now
    this.saved = outside.saved
    this.call = outside.pending
    const cancel = path.findIndex(({ isCancelled }) => isCancelled)
    this.late = cancel < 0 ? 0 : path.length - cancel
    this.outside = outside.pending === null ? null : outside
  }

  /** The moment after a result of the call; a promise if it was never reached before. */
  after(value: unknown, now: number, isCancelled = false): Moment | Promise<Moment> {
    const result = JSON.stringify(value ?? null)
    const key = `${now} ${isCancelled} ${result}`
    return this.next.get(key) ?? this.reach(key, { now, isCancelled, result })
  }

  private async reach(key: string, step: Step): Promise<Moment> {
    // The process that waits for this result continues; later, another one repeats all steps.
    const outside = this.outside ?? (await this.repeat())
    this.outside = null
    await outside.go(step)
    const moment = new Moment(this.process, [...this.path, step], outside)
    this.next.set(key, moment)
    return moment
  }

  private async repeat(): Promise<Outside> {
    const outside = new Outside(this.process)
    for (const step of this.path) await outside.go(step)
    return outside
  }
}

/** When a moment's sleep ends; infinity if it does not sleep. */
export function wakes({ at, call }: Moment): number {
  return call?.name === 'sleep' ? at + Math.max(0, Number(call.args[0])) : Number.POSITIVE_INFINITY
}
