/** The cost of starting the bundle, compared with a node process that does nothing. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveHttp } from '../sandbox/wire.ts'
import { actionEnvironment, bundle, dist, inFolder, median, runScript } from './process.ts'

/** Number of runs for each median. */
export const runs = 21

const job = { id: 'job_0001', status: 'active', createdAt: '2026-11-01T00:00:00Z' }

/** Medians of an empty script's time to its exit, and the action's time to its first request, in milliseconds. */
export function measureStart(): Promise<{ empty: number; action: number }> {
  return inFolder(async (folder) => {
    let onRequest = (_at: number): void => {}
    const { url, close } = await serveHttp((request, response) => {
      onRequest(performance.now())
      request.resume()
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(job))
    })
    const inputs = { prompt: 'Describe the new option.', wait: 'false', 'base-url': url }
    const env = actionEnvironment(folder, inputs)
    const emptyScript = join(folder, 'empty.cjs')
    writeFileSync(emptyScript, '')
    const [empty, action]: [number[], number[]] = [[], []]
    try {
      // In turn, so that a change in the machine's speed affects both. The first round only loads files into the cache.
      for (let round = 0; round <= runs; round++) {
        empty.push(await runScript([emptyScript], env))
        const first = new Promise<number>((resolve) => {
          onRequest = resolve
        })
        action.push(await runScript([bundle], env, first))
      }
    } finally {
      await close()
    }
    return { empty: median(empty.slice(1)), action: median(action.slice(1)) }
  })
}

/** The size of the scripts in dist, in bytes. */
export function scriptSize(): number {
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'))
  return scripts.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0)
}
