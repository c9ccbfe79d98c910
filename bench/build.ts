/** What each build step gains: the bundle without the step, compared with the complete bundle. */
import { join } from 'node:path'
import { type BuildStep, build, buildSteps } from '../scripts/build.ts'
import { actionEnvironment, inFolder, median, runScript } from './process.ts'
import { inputs, sizeOf, startServer } from './start.ts'

interface StepGain {
  step: BuildStep
  /** Milliseconds to the first request without the step. */
  time: number
  /** `time` divided by the complete bundle's time: the median over pairs of runs. */
  ratio: number
  /** Number of bytes by which the bundle is larger. */
  size: number
}

/** Starts the bundles in turn, so that a change in the machine's speed affects all of them. */
export async function measureBuild(runs: number): Promise<StepGain[]> {
  const platform = await startServer()
  try {
    return await inFolder(async (temp) => {
      const whole = join(temp, 'all')
      await build(whole)
      const others = buildSteps.map((step) => ({ step, out: join(temp, step) }))
      for (const { step, out } of others) await build(out, step)
      const env = actionEnvironment(temp, { ...inputs, 'base-url': platform.url })
      const timed = (out: string) => runScript([join(out, 'index.js')], env, platform.nextRequest())
      const rounds: { base: number; times: number[] }[] = []
      // The first round does not count: it only loads the files into the system's cache.
      for (let round = 0; round <= runs; round += 1) {
        const base = await timed(whole)
        const times: number[] = []
        for (const { out } of others) times.push(await timed(out))
        if (round > 0) rounds.push({ base, times })
      }
      return others.map(({ step, out }, index) => ({
        step,
        time: median(rounds.map(({ times }) => times[index] ?? Number.NaN)),
        ratio: median(rounds.map(({ base, times }) => (times[index] ?? Number.NaN) / base)),
        size: sizeOf(out) - sizeOf(whole),
      }))
    })
  } finally {
    await platform.close()
  }
}
