/** Runs the committed bundle as the runner does, against the embedded platform. */
import type { Platform, PlatformOptions } from '../../sandbox/platform/server.ts'
import { runStep, type StepOptions, type StepResult } from '../../sandbox/runner/step.ts'
import { inputsFor, platformFor } from '../service.ts'

export interface Run extends StepResult {
  platform: Platform
  /** Titles and texts of all log entries. */
  text: string
}

/** Runs one step with its own platform. */
export async function runBundle(
  inputs: Record<string, string>,
  options: PlatformOptions = {},
  step: Omit<StepOptions, 'with'> = {},
): Promise<Run> {
  const platform = await platformFor(options)
  const result = await runStep({ ...step, with: { ...inputsFor(platform.url, inputs.mode), ...inputs } })
  return {
    ...result,
    platform,
    text: result.log.map(({ title, text }) => `${title ?? ''} ${text}`).join('\n'),
  }
}

const pace = 15

/** A clock that runs faster than the machine's, for the mocks and for the bundle. */
export class FastClock {
  readonly #begun = Date.now()
  /** Milliseconds by which it was moved. */
  ahead = 0

  now = (): Date => new Date(this.#begun + (Date.now() - this.#begun) * pace + this.ahead)

  /** Options of Node.js with which a process's dates and timers follow this clock, as it is now. */
  get options(): string {
    const code = `
      import { syncBuiltinESMExports } from 'node:module'
      import timers from 'node:timers/promises'
      const [date, now, wait, sleep] = [Date.now, performance.now.bind(performance), setTimeout, timers.setTimeout]
      Date.now = () => Math.round(${this.#begun} + (date() - ${this.#begun}) * ${pace} + ${this.ahead})
      performance.now = () => now() * ${pace}
      globalThis.setTimeout = (act, ms, ...rest) => wait(act, ms / ${pace}, ...rest)
      timers.setTimeout = (ms, ...rest) => sleep(ms / ${pace}, ...rest)
      syncBuiltinESMExports()`
    return `--import data:text/javascript,${encodeURIComponent(code)}`
  }
}
