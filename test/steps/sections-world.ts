/** Mode `visitors` with sections, run in this process or as the bundle. */
import { readdirSync } from 'node:fs'
import { demoReaders } from '../../sandbox/platform/demo-readers.ts'
import type { PlatformOptions } from '../../sandbox/platform/server.ts'
import { seededTraffic } from '../../sandbox/platform/traffic.ts'
import { all, render, textOf } from '../say/github.ts'
import { now, type RunOne, to, visitorsWith } from './visitors-world.ts'

export const demo: PlatformOptions = { visitors: seededTraffic(to), readers: demoReaders(to) }

export function reportWith<Run extends { summary: string }>(runOne: RunOne<Run>) {
  return async (inputs: Record<string, string> = {}, options = demo) => {
    const asked = { 'report-dir': 'report', sections: 'feedback, searches, questions' }
    const run = await visitorsWith(runOne)({ ...now, ...asked, ...inputs }, options)
    return {
      ...run,
      files: readdirSync(run.folder).sort(),
      /** The summary's visible text. */
      get shown() {
        return textOf(render(run.summary))
      },
      get headings() {
        return all(render(run.summary), 'h3').map(textOf)
      },
      /** Suggested commands, without the line breaks. */
      get commands() {
        const blocks = all(render(run.summary), 'pre').map((block) => textOf(block).trim())
        return blocks.filter((text) => text.startsWith('/docs')).map((text) => text.replaceAll('\n', ' '))
      },
    }
  }
}
