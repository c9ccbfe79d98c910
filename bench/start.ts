/** The cost of starting the committed bundle, compared with a node process that does nothing. */
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveHttp } from '../sandbox/wire.ts'
import { actionEnvironment, bundle, dist, inFolder, measurePeak, median, runScript } from './process.ts'

/** Inputs of a step that sends one request. */
export const inputs = {
  'project-id': 'sandbox-docs',
  'api-key': 'mint_sandbox_0123456789abcdef',
  prompt: 'Describe the new option.',
  wait: 'false',
}
const job = { id: 'job_0001', status: 'active', createdAt: '2026-11-01T00:00:00Z' }

/** Medians, in milliseconds and bytes. */
export interface StartFigures {
  emptyTime: number
  emptyPeak: number
  actionTime: number
  actionPeak: number
}

/** Runs an empty script and the action in turn. Memory has its own runs, because recording it would slow down the start. */
export async function measureStart(runs: number): Promise<StartFigures> {
  return inFolder(async (folder) => {
    const platform = await startServer()
    const empty = join(folder, 'empty.cjs')
    writeFileSync(empty, '')
    const env = actionEnvironment(folder, { ...inputs, 'base-url': platform.url })
    const values = { emptyTime: [], emptyPeak: [], actionTime: [], actionPeak: [] } as Record<
      string,
      number[]
    >
    try {
      for (let run = 0; run < runs; run++) {
        values.emptyTime?.push(await runScript([empty], env))
        values.actionTime?.push(await runScript([bundle], env, platform.nextRequest()))
        values.emptyPeak?.push(await measurePeak(empty, folder, env))
        values.actionPeak?.push(await measurePeak(bundle, folder, env))
      }
    } finally {
      await platform.close()
    }
    const medians = Object.entries(values).map(([name, all]) => [name, median(all)])
    return Object.fromEntries(medians) as StartFigures
  })
}

/** A minimal platform that lets the action create a job. */
export async function startServer() {
  let onRequest = (_at: number): void => {}
  const { url, close } = await serveHttp((request, response) => {
    onRequest(performance.now())
    request.resume()
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(job))
  })
  return {
    url,
    close,
    /** The time of the next request. */
    nextRequest: () =>
      new Promise<number>((resolve) => {
        onRequest = resolve
      }),
  }
}

/** The size of the files in a folder whose names end in `ending`, in bytes. */
export function sizeOf(folder = dist, ending = ''): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
