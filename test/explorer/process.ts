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

/** A process, carried out until its next call. */
class Life {
  now: number
  saved = 'null'
  call: Call | null = null
  private readonly canceller = new AbortController()
  private answer: (value: unknown) => void = () => {}
  private stall: () => void = () => {}
  private turn: Promise<unknown> = Promise.resolve()
  private error: unknown

  constructor(now: number) {
    this.now = now
  }

  begin(process: Process, saved: string): Promise<void> {
    return this.untilStalled(() => {
      const outside: Outside = {
        call: <T>(name: string, ...args: readonly unknown[]) => this.ask({ name, args }) as Promise<T>,
        now: () => this.now,
        cancelled: this.canceller.signal,
        save: (state) => {
          this.saved = JSON.stringify(state)
        },
      }
      process(outside, saved).then(
        () => this.stop(null),
        (error: unknown) => {
          this.error = error
          this.stop(null)
        },
      )
    })
  }

  /** Answers the pending call. */
  go({ now, isCancelled, result }: Step): Promise<void> {
    return this.untilStalled(() => {
      this.now = now
      if (isCancelled) this.canceller.abort()
      this.answer(JSON.parse(result))
    })
  }

  private async untilStalled(act: () => void): Promise<void> {
    const stalled = new Promise<void>((resolve) => {
      this.stall = resolve
    })
    act()
    await stalled
    if (this.error !== undefined) throw this.error
  }

  /** Parallel calls are made one after the other. */
  private ask(call: Call): Promise<unknown> {
    this.turn = this.turn.then(
      () =>
        new Promise((resolve) => {
          this.answer = resolve
          this.stop(call)
        }),
    )
    return this.turn
  }

  private stop(call: Call | null): void {
    this.call = call
    this.stall()
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
  private readonly path: readonly string[]
  private readonly tree: ProcessTree
  private readonly next = new Map<string, Moment>()

  constructor(tree: ProcessTree, path: readonly string[], life: Life) {
    this.tree = tree
    this.path = path
    this.id = String(tree.size++)
    this.at = life.now
    this.saved = life.saved
    this.call = life.call
    this.life = life.call === null ? null : life
  }

  /** The moment after a result of the call; a promise if it was never reached before. */
  after(result: unknown, now: number, isCancelled = false): Moment | Promise<Moment> {
    const step = `${now} ${isCancelled} ${JSON.stringify(result ?? null)}`
    return this.next.get(step) ?? this.reach(step)
  }

  private async reach(step: string): Promise<Moment> {
    const path = [...this.path, step]
    // The process that waits for this result continues; later, another one repeats all steps.
    const life = this.life ?? (await this.tree.repeat(this.path))
    this.life = null
    await life.go(read(step))
    const moment = new Moment(this.tree, path, life)
    this.next.set(step, moment)
    return moment
  }
}

/** A result, as it is remembered. */
interface Step {
  now: number
  isCancelled: boolean
  result: string
}

function read(step: string): Step {
  const [, now, isCancelled, result = ''] = /^(\d+) (\w+) (.*)$/s.exec(step) ?? []
  return { now: Number(now), isCancelled: isCancelled === 'true', result }
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
    const step = `${now} false ${saved}`
    const known = this.roots.get(step) ?? this.start(step).then((life) => new Moment(this, [step], life))
    this.roots.set(step, known)
    return known
  }

  async repeat([first = '', ...steps]: readonly string[]): Promise<Life> {
    const life = await this.start(first)
    for (const step of steps) await life.go(read(step))
    return life
  }

  private async start(step: string): Promise<Life> {
    const { now, result: saved } = read(step)
    const life = new Life(now)
    await life.begin(this.process, saved)
    return life
  }
}

/** When a moment's sleep ends; infinity if it does not sleep. */
export function wakes({ at, call }: Moment): number {
  return call?.name === 'sleep' ? at + Math.max(0, Number(call.args[0])) : Number.POSITIVE_INFINITY
}
