/** The cost of starting the committed bundle, compared with a node process that does nothing. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveHttp } from '../sandbox/wire.ts'
import { bundle } from '../scripts/bundle.ts'
import { actionEnvironment, dist, measurePeak, runScript } from './process.ts'

/** Inputs of a step that sends one request. */
export const inputs = {
  'project-id': 'sandbox-docs',
  'api-key': 'mint_sandbox_0123456789abcdef',
  prompt: 'Describe the new option.',
  wait: 'false',
}
const job = { id: 'job_0001', status: 'active', createdAt: '2026-11-01T00:00:00Z' }

export interface StartFigures {
  /** Medians, in milliseconds and bytes. */
  emptyTime: number
  emptyPeak: number
  actionTime: number
  actionPeak: number
  /** The size of everything in dist/, in bytes. */
  distSize: number
  bundleSize: number
  /** Size of the HTML parser, which is only loaded for text from threads and releases. */
  parserSize: number
  /** For steps that do nothing but send one request: milliseconds until they send it, by the packages that they use. */
  bareTimes: Record<string, number>
}

/** The smallest possible steps, by the packages that they use. */
const bareSteps: Record<string, string> = {
  'undici alone': `
    import { Agent, request } from 'undici'
    const url = process.env['INPUT_BASE-URL']
    const reply = await request(url, { dispatcher: new Agent(), method: 'POST', reset: true })
    await reply.body.text()`,
  'undici, @actions/core, zod': `
    import * as core from '@actions/core'
    import { Agent, request } from 'undici'
    import * as z from 'zod/mini'
    const url = z.object({ url: z.string() }).parse({ url: core.getInput('base-url') }).url
    const reply = await request(url, { dispatcher: new Agent(), method: 'POST', reset: true })
    await reply.body.text()`,
}

/** A script, and what to measure when it runs. */
interface Measurement {
  script: string
  /** Milliseconds to its first request, milliseconds to its exit, or bytes of peak memory. */
  measure: 'request' | 'exit' | 'peak'
  values: number[]
}

/** Runs each script `runs` times for its time and `runs` times for its memory: one after another, in shuffled order. */
export async function measureStart(runs: number): Promise<StartFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const platform = await startServer()
  try {
    const empty = join(folder, 'empty.cjs')
    writeFileSync(empty, '')
    const env = actionEnvironment(folder, { ...inputs, 'base-url': platform.url })

    const measureOnce = async ({ script, measure, values }: Measurement): Promise<void> => {
      // Memory has its own runs, because recording it would slow down the start.
      if (measure === 'peak') values.push(await measurePeak(script, folder, env))
      else
        values.push(
          await runScript([script], env, measure === 'request' ? platform.nextRequest() : undefined),
        )
    }

    const measurement = (script: string, measure: Measurement['measure']): Measurement => ({
      script,
      measure,
      values: [],
    })
    const action = join(dist, 'index.js')
    const emptyTime = measurement(empty, 'exit')
    const emptyPeak = measurement(empty, 'peak')
    const actionTime = measurement(action, 'request')
    const actionPeak = measurement(action, 'peak')
    const bare: (Measurement & { name: string })[] = []
    for (const [name, source] of Object.entries(bareSteps))
      bare.push({ name, ...measurement(await bundleBare(name, source), 'request') })
    const measured = [emptyTime, emptyPeak, actionTime, actionPeak, ...bare]
    const all = Array.from({ length: runs }, () => measured).flat()
    for (const each of shuffled(all)) await measureOnce(each)

    return {
      emptyTime: median(emptyTime.values),
      emptyPeak: median(emptyPeak.values),
      actionTime: median(actionTime.values),
      actionPeak: median(actionPeak.values),
      distSize: sizeOf(dist),
      bundleSize: statSync(action).size,
      parserSize: sizeOfChunkWith('_fosterParentElement'),
      bareTimes: Object.fromEntries(bare.map(({ name, values }) => [name, median(values)])),
    }
  } finally {
    await platform.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Bundles a bare step the way the action is bundled. Returns the path of the bundle. */
async function bundleBare(name: string, source: string): Promise<string> {
  const folder = join(import.meta.dirname, '../build/bench', name.replace(/\W+/g, '-'))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'step.js'), source)
  await bundle(folder, 'step.js', join(folder, 'dist'))
  return join(folder, 'dist/index.js')
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

export function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** The values in random order (Fisher–Yates shuffle). */
function shuffled<T>(values: readonly T[]): T[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(Math.floor(Math.random() * rest.length), 1))
}

/** The size of the file in dist/ that contains a name. Minifying must keep the name. */
function sizeOfChunkWith(name: string): number {
  const chunks = readdirSync(dist).filter((file) => file.endsWith('.js'))
  const found = chunks.find((file) => readFileSync(join(dist, file), 'utf8').includes(name))
  return found === undefined ? 0 : statSync(join(dist, found)).size
}
