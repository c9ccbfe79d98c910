/** What it costs to start the committed bundle, beside a node that does nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const dist = join(import.meta.dirname, '../dist')
/** What node needs of the environment; anything else, such as a proxy or NODE_OPTIONS, could change the figures. */
const keptVariables = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR']
const job = { id: 'job_0001', status: 'active', createdAt: '2026-11-01T00:00:00Z' }

export interface StartFigures {
  /** Medians, in milliseconds and bytes. */
  emptyTime: number
  emptyPeak: number
  actionTime: number
  actionPeak: number
  /** Of all that is committed in dist/, in bytes. */
  distSize: number
  bundleSize: number
}

/** What a script is run with, and what of its run is kept. */
interface Measurement {
  script: string
  /** Milliseconds to its first request, or its exit if it made none; or bytes at its peak. */
  measure: 'time' | 'peak'
  values: number[]
}

/**
 * Writes the peak of the process's memory when it exits. On Linux not by resourceUsage(): that peak survives exec
 * (fs/exec.c, exec_mmap), so it would be that of the bench itself wherever that is larger.
 */
const peakRecorder = `
  const { readFileSync, writeFileSync } = require('node:fs')
  process.on('exit', () => {
    const peak = process.platform === 'linux'
      ? /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
      : process.resourceUsage().maxRSS
    writeFileSync(process.env.BENCH_PEAK_FILE, String(peak))
  })
`

/** Runs each script `runs` times for its time and as often for its memory, all in shuffled order, one after another. */
export async function measureStart(runs: number): Promise<StartFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const platform = await startServer()
  try {
    const empty = join(folder, 'empty.cjs')
    const recorder = join(folder, 'peak.cjs')
    const peakFile = join(folder, 'peak')
    writeFileSync(empty, '')
    writeFileSync(recorder, peakRecorder)
    const env = { ...actionEnvironment(folder, platform.url), BENCH_PEAK_FILE: peakFile }

    const measureOnce = async ({ script, measure, values }: Measurement): Promise<void> => {
      // Apart from the time, which recording would lengthen.
      const options = measure === 'peak' ? ['--require', recorder] : []
      const run = await runScript([...options, script], env, platform.nextRequest())
      values.push(measure === 'peak' ? Number(readFileSync(peakFile, 'utf8')) * 1024 : run)
    }

    const measurement = (script: string, measure: Measurement['measure']): Measurement => ({
      script,
      measure,
      values: [],
    })
    const bundle = join(dist, 'index.js')
    const emptyTime = measurement(empty, 'time')
    const emptyPeak = measurement(empty, 'peak')
    const actionTime = measurement(bundle, 'time')
    const actionPeak = measurement(bundle, 'peak')
    const all = Array.from({ length: runs }, () => [emptyTime, emptyPeak, actionTime, actionPeak]).flat()
    for (const each of shuffled(all)) await measureOnce(each)

    return {
      emptyTime: median(emptyTime.values),
      emptyPeak: median(emptyPeak.values),
      actionTime: median(actionTime.values),
      actionPeak: median(actionPeak.values),
      distSize: sizeOf(dist),
      bundleSize: statSync(bundle).size,
    }
  } finally {
    platform.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a script to its end; gives the milliseconds from before its start to its first request, else to its exit. */
async function runScript(
  args: string[],
  env: Record<string, string>,
  firstRequest: Promise<number>,
): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  const exit = once(child, 'exit').then(([code]) => ({ code, at: performance.now() }))
  const seen = await Promise.race([firstRequest, exit.then(({ at }) => at)])
  const { code } = await exit
  if (code !== 0) throw new Error(`${args.at(-1)} ended with ${code}; \`npm start\` may show why`)
  return seen - start
}

/** Just enough of a platform to let the action create a job. */
async function startServer() {
  let onRequest = (_at: number): void => {}
  const server = createServer((request, response) => {
    onRequest(performance.now())
    request.resume()
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(job))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** When the next request arrives. */
    nextRequest: () =>
      new Promise<number>((resolve) => {
        onRequest = resolve
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function actionEnvironment(folder: string, baseUrl: string): Record<string, string> {
  const kept = keptVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const files = ['OUTPUT', 'STATE', 'STEP_SUMMARY'].map((name) => {
    const path = join(folder, name)
    writeFileSync(path, '')
    return [`GITHUB_${name}`, path] as const
  })
  return {
    ...Object.fromEntries([...kept, ...files]),
    'INPUT_PROJECT-ID': 'sandbox-docs',
    'INPUT_API-KEY': 'mint_sandbox_0123456789abcdef',
    'INPUT_BASE-URL': baseUrl,
    INPUT_PROMPT: 'Describe the new option.',
    INPUT_WAIT: 'false',
  }
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** Fisher and Yates. */
function shuffled<T>(values: readonly T[]): T[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(Math.floor(Math.random() * rest.length), 1))
}
