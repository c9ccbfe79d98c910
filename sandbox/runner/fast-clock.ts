/** A clock that runs faster than the machine's, for the mocks and for the action's scripts. */
export class FastClock {
  readonly #pace: number
  readonly #requests: number
  readonly #begun = Date.now()
  /** Milliseconds by which it was moved. */
  ahead = 0

  /** @param requests the pace of the time for requests; the machine's by default, so that a busy machine can respond */
  constructor(pace = 20, requests = 1) {
    this.#pace = pace
    this.#requests = requests
  }

  now = (): Date => new Date(this.#begun + (Date.now() - this.#begun) * this.#pace + this.ahead)

  /** Options of Node.js with which a process's dates and waits follow this clock. */
  get options(): string {
    const code = `
      import { syncBuiltinESMExports } from 'node:module'
      import timers from 'node:timers/promises'
      const [date, now, sleep] = [Date.now, performance.now.bind(performance), timers.setTimeout]
      const limit = globalThis.setTimeout
      Date.now = () => Math.round(${this.#begun} + (date() - ${this.#begun}) * ${this.#pace} + ${this.ahead})
      performance.now = () => now() * ${this.#pace}
      globalThis.setTimeout = (run, ms, ...rest) => limit(run, ms / ${this.#requests}, ...rest)
      timers.setTimeout = (ms, ...rest) => sleep(ms / ${this.#pace}, ...rest)
      syncBuiltinESMExports()`
    return `--import data:text/javascript,${encodeURIComponent(code)}`
  }
}
