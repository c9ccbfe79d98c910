/** The cost of starting the bundle: compared with a node process that does nothing, and without each step of the build. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveHttp } from '../sandbox/wire.ts'
import { build, buildSteps } from '../scripts/build.ts'
import { actionEnvironment, bundle, dist, inFolder, median, runScript } from './process.ts'

/** Number of runs for each median. */
export const runs = 21

const job = { id: 'job_0001', status: 'active', createdAt: '2026-11-01T00:00:00Z' }

interface Stage {
  folder: string
  env: Record<string, string>
  /** Milliseconds from the start of a bundle to its first request. */
  start(path: string): Promise<number>
}

/** Runs `act` with a platform that lets the action create a job. */
function onStage<T>(act: (stage: Stage) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    let onRequest = (_at: number): void => {}
    const { url, close } = await serveHttp((request, response) => {
      onRequest(performance.now())
      request.resume()
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(job))
    })
    const inputs = { prompt: 'Describe the new option.', wait: 'false', 'base-url': url }
    const env = actionEnvironment(folder, inputs)
    const start = (path: string) => {
      const first = new Promise<number>((resolve) => {
        onRequest = resolve
      })
      return runScript([path], env, first)
    }
    return act({ folder, env, start }).finally(close)
  })
}

/** Measures in turn, so that a change in the machine's speed affects all. The first round only loads files into the cache. */
async function rounds(measurements: readonly (() => Promise<number>)[]): Promise<number[][]> {
  const all: number[][] = []
  for (let round = 0; round <= runs; round++) {
    const values: number[] = []
    for (const measure of measurements) values.push(await measure())
    if (round > 0) all.push(values)
  }
  return all
}

/** Medians of an empty script and the action, in milliseconds. */
export function measureStart(): Promise<number[]> {
  return onStage(async ({ folder, env, start }) => {
    const empty = join(folder, 'empty.cjs')
    writeFileSync(empty, '')
    const all = await rounds([() => runScript([empty], env), () => start(bundle)])
    return [0, 1].map((index) => median(all.map((values) => values[index] ?? Number.NaN)))
  })
}

/** What each build step gains: the time to the first request without it, the median of the ratios, and the added bytes. */
export function measureBuild() {
  return onStage(async ({ folder, start }) => {
    const outs = [null, ...buildSteps].map((step) => join(folder, step ?? 'all'))
    for (const [index, out] of outs.entries()) await build(out, buildSteps[index - 1] ?? null)
    const all = await rounds(outs.map((out) => () => start(join(out, 'index.js'))))
    const of = (index: number) => all.map((values) => values[index] ?? Number.NaN)
    const [whole = '', ...others] = outs
    return others.map((out, index) => ({
      step: buildSteps[index],
      time: median(of(index + 1)),
      ratio: median(of(index + 1).map((time, round) => time / (of(0)[round] ?? Number.NaN))),
      size: sizeOf(out) - sizeOf(whole),
    }))
  })
}

/** The size of the files in a folder whose names end in `ending`, in bytes. */
export function sizeOf(folder = dist, ending = ''): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
