/** Runs the committed bundle as the runner does: to its end, or until something happens. */
import { runStep, type StepResult, startStep } from '../../sandbox/runner/step.ts'
import { worldsOf } from '../steps/world.ts'

const told = (result: StepResult) => ({
  ...result,
  /** Titles and texts of all log entries. */
  text: result.log.map(({ title = '', text }) => `${title} ${text}`).join('\n'),
})

export const bundle = worldsOf(async (options) => told(await runStep(options)))

/** The same, for steps that are cancelled or killed: by `stop`, or at the first line of the log that begins like this. */
export function stoppable(how: 'cancel' | 'kill', line?: string) {
  let step: ReturnType<typeof startStep> | undefined
  const stop = () => (how === 'cancel' ? step?.cancel() : step?.kill('SIGKILL'))
  const worlds = worldsOf(async (options) => {
    step = startStep({ ...options, onLine: ({ text }) => void (line && text.startsWith(line) && stop()) })
    return told(await step.done)
  })
  return { ...worlds, stop }
}

/** A clock that runs faster than the machine's, for the mocks and for the bundle. */
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
