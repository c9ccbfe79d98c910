import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Milliseconds from each signal of a cancel to the next (ProcessInvoker.cs). */
const patience = { SIGINT: 7_500, SIGTERM: 2_500 }

export interface ScriptOptions {
  path: string
  cwd: string
  env: Record<string, string>
  onLine: (line: string) => void
}

/** A script that is running. */
export type RunningScript = ReturnType<typeof startScript>

/** Runs a script with node, and splits its output into lines. */
export function startScript({ path, cwd, env, onLine }: ScriptOptions) {
  const start = performance.now()
  // In a separate process group, so that a terminal's Ctrl-C only reaches it through the emulated runner, as on GitHub.
  const detached = process.platform !== 'win32'
  const child = spawn(process.execPath, [path], { cwd, env, detached, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  const timers: NodeJS.Timeout[] = []
  // A script must not outlive the emulated runner.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)

  for (const stream of ['stdout', 'stderr'] as const) {
    const cutter = lineCutter(onLine)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
      cutter.push(text)
    })
    child[stream].on('end', cutter.end)
  }

  const end = async () => {
    const ended = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    const [exitCode, signal] = ended
    process.off('exit', kill)
    for (const timer of timers) clearTimeout(timer)
    return { exitCode, signal, took: performance.now() - start, ...printed }
  }

  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    cancel(): void {
      if (timers.length > 0 || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGINT')
      timers.push(setTimeout(() => child.kill('SIGTERM'), patience.SIGINT))
      timers.push(setTimeout(kill, patience.SIGINT + patience.SIGTERM))
    },
    /** How it ended: the milliseconds that it took, and everything that it printed. */
    done: end(),
  }
}

/** Splits a stream into lines as .NET does: at `\n`, `\r\n`, and a single `\r`. */
function lineCutter(onLine: (line: string) => void) {
  let rest = ''
  return {
    push(text: string): void {
      // A `\r` at the end waits for the next piece.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    },
    end(): void {
      if (rest !== '') onLine(rest.replace(/\r$/, ''))
    },
  }
}
