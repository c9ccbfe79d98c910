/** Reports at the end of `npm test` how long the tests took, and which were skipped. */
import { availableParallelism } from 'node:os'
import type { Reporter, TestModule } from 'vitest/node'
import { findChromium } from './browser.ts'

export default class ClosingReporter implements Reporter {
  #startedAt = 0

  onTestRunStart(): void {
    this.#startedAt = Date.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000)
    const skipped = modules.flatMap((module) => {
      const amount = [...module.children.allTests('skipped')].length
      return amount === 0 ? [] : [`  ${module.relativeModuleId}: ${amount}`]
    })
    const lines = [`Took ${seconds} s on ${availableParallelism()} cores.`]
    if (skipped.length > 0) lines.push('Skipped tests:', ...skipped)
    if (findChromium() === undefined)
      lines.push(
        'Without Chromium, the report is not tested in a browser. Install it, or set CHROMIUM to its path.',
      )
    process.stdout.write(`${lines.join('\n')}\n`)
  }
}
