/** Runs the committed bundle as a separate process, and measures its time and memory. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inputVariables } from '../sandbox/runner/action.ts'
import { runnerEnvironment } from '../sandbox/runner/environment.ts'
import { createCommandFiles } from '../sandbox/runner/files.ts'

export const dist = join(import.meta.dirname, '../dist')
export const bundle = join(dist, 'index.js')

/**
 * Writes the process's peak memory when it exits. On Linux, resourceUsage() would report the peak of the bench itself
 * if that is larger, because the peak survives exec (fs/exec.c, exec_mmap).
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

/**
 * Runs a script to its end. Returns the milliseconds from its start to its first request, or to its exit if a request
 * is not expected.
 * @param firstRequest resolves with the time of the first request; undefined if none is expected
 * @throws if the script fails, or exits without the expected request
 */
export async function runScript(
  args: string[],
  env: Record<string, string>,
  firstRequest?: Promise<number>,
): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  const exit = once(child, 'exit').then(([code]) => ({ code, at: performance.now() }))
  const seen = await Promise.race([firstRequest, exit.then(() => undefined)])
  const { code, at } = await exit
  if (code !== 0 || (firstRequest !== undefined && seen === undefined))
    throw new Error(`${args.at(-1)} failed, or made no request; \`npm start\` may show why`)
  return (seen ?? at) - start
}

/** Runs a script, and returns its peak memory in bytes. */
export async function measurePeak(
  script: string,
  folder: string,
  env: Record<string, string>,
): Promise<number> {
  const [recorder, file] = [join(folder, 'peak.cjs'), join(folder, 'peak')]
  writeFileSync(recorder, peakRecorder)
  await runScript(['--require', recorder, script], { ...env, BENCH_PEAK_FILE: file })
  return Number(readFileSync(file, 'utf8')) * 1024
}

/** The environment of a manually started step with these inputs. The step's files are in `folder`. */
export function actionEnvironment(folder: string, given: Record<string, string>): Record<string, string> {
  const inputs = { 'project-id': 'sandbox-docs', 'api-key': 'mint_sandbox_0123456789abcdef', ...given }
  const paths = { workspace: folder, temp: folder, event: '' }
  return {
    ...runnerEnvironment({}, paths),
    ...createCommandFiles(join(folder, 'commands')),
    ...inputVariables(inputs),
  }
}

/** Runs `act` with a temporary folder. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The median of an odd number of values. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[(values.length - 1) / 2] ?? Number.NaN
}
