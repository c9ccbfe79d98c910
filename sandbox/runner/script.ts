import { spawn } from 'node:child_process'
import { LineCutter } from './lines.ts'
import type { Stream } from './types.ts'

/** Milliseconds from each signal of a cancel to the next (ProcessInvoker.cs). */
const runnerPatience = { SIGINT: 7_500, SIGTERM: 2_500 }
/** If the output is still open this many milliseconds after the script's end, its descendants are killed (ProcessInvoker.cs). */
const outputPatience = 5_000

export interface ScriptOptions {
  path: string
  cwd: string
  env: Record<string, string>
  onLine: (stream: Stream, line: string) => void
}

/** How a script ended, and everything that it printed. */
export interface ScriptEnd {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Duration in milliseconds. */
  took: number
  stdout: string
  stderr: string
}

export interface RunningScript {
  kill(signal: NodeJS.Signals): boolean
  cancel(): void
  done: Promise<ScriptEnd>
}

/** Runs a script with node, and splits its output into lines. */
export function startScript(options: ScriptOptions): RunningScript {
  const { path, cwd, env, onLine } = options
  // In a separate process group, so that a terminal's Ctrl-C only reaches it through the emulated runner, as on GitHub.
  const detached = process.platform !== 'win32'
  const start = performance.now()
  const child = spawn(process.execPath, [path], { cwd, env, detached, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = { stdout: '', stderr: '' }
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, act: () => void) => timers.add(setTimeout(act, ms))
  const killAll = () => killTree(child.pid, detached)
  let isOver = false

  for (const stream of ['stdout', 'stderr'] as const) {
    const cutter = new LineCutter()
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
      for (const line of cutter.push(text)) onLine(stream, line)
    })
    child[stream].on('end', () => {
      for (const line of cutter.end()) onLine(stream, line)
    })
  }

  const done = new Promise<ScriptEnd>((resolve, reject) => {
    atExit.add(killAll)
    const tidyUp = () => {
      isOver = true
      atExit.delete(killAll)
      for (const timer of timers) clearTimeout(timer)
    }
    child.once('error', (error) => {
      tidyUp()
      reject(error)
    })
    child.once('exit', () => later(outputPatience, killAll))
    child.once('close', (exitCode, signal) => {
      tidyUp()
      resolve({ exitCode, signal, took: performance.now() - start, ...printed })
    })
  })

  let cancelled = false
  return {
    kill: (signal) => child.kill(signal),
    cancel() {
      if (cancelled || isOver) return
      cancelled = true
      child.kill('SIGINT')
      later(runnerPatience.SIGINT, () => child.kill('SIGTERM'))
      later(runnerPatience.SIGINT + runnerPatience.SIGTERM, killAll)
    },
    done,
  }
}

/** What to run when this process exits, because a script must not outlive the emulated runner. */
const atExit = new Set<() => void>()
process.once('exit', () => {
  for (const kill of atExit) kill()
})

function killTree(pid: number | undefined, isGroup: boolean): void {
  if (pid === undefined) return
  try {
    process.kill(isGroup ? -pid : pid, 'SIGKILL')
  } catch {
    // The script has already ended.
  }
}
