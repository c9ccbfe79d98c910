/** What each build step gains: the bundle without the step, compared with the complete bundle. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildStep, buildSteps, bundle } from '../scripts/bundle.ts'
import { actionEnvironment, inFolder, median, runScript } from './process.ts'
import { inputs, sizeOf, startServer } from './start.ts'

const root = join(import.meta.dirname, '..')

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
  const folder = join(root, 'build/bench/steps')
  const platform = await startServer()
  try {
    return await inFolder(async (temp) => {
      const whole = await build(folder, null)
      const others: { step: BuildStep; out: string }[] = []
      for (const step of buildSteps) others.push({ step, out: await build(folder, step) })
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

async function build(folder: string, without: BuildStep | null): Promise<string> {
  const modules = join(folder, (without ?? 'whole').replace(' ', '-'))
  rmSync(modules, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', modules], { cwd: root })
  await bundle(modules, 'main.js', join(modules, 'dist'), without)
  return join(modules, 'dist')
}
